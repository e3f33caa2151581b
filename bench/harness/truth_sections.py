"""What `bench/truth` runs: the tasks of each section, from the lengths of time it is given."""

from dataclasses import dataclass, replace

import laws
from rate_peers import Carronade
from targets import SMALL_BYTES
from truth_runs import Task

SECTIONS = ("laws", "rates", "lateness", "starved")
RATES = (5, 70, 97, 1000, 20_000)
PACES = ("spin", "hybrid", "sleep")
RATE, CONNECTIONS = 1000, 10
FAST_CONNECTIONS = 50       # at rates above what 10 answer in turn when each waits for its answer
CLEAN, HOG = "alone", "beside a CPU hog"


@dataclass
class Lengths:
    """Of one run, in whole seconds."""

    law_s: int
    stall_run_s: int
    stall_s: int
    stall_every_s: int
    rate_s: int             # of the peers
    own_rate_s: int         # of carronade
    lateness_s: int
    starved_s: int
    hog_runs: int
    clean_runs: int


FULL = Lengths(law_s=5, stall_run_s=8, stall_s=2, stall_every_s=5, rate_s=4, own_rate_s=10,
               lateness_s=5, starved_s=3, hog_runs=5, clean_runs=10)
QUICK = Lengths(law_s=1, stall_run_s=4, stall_s=1, stall_every_s=3, rate_s=1, own_rate_s=2,
                lateness_s=1, starved_s=1, hog_runs=2, clean_runs=3)


def all_cases(lengths):
    return laws.cases(lengths.law_s, lengths.stall_run_s, lengths.stall_s, lengths.stall_every_s,
                      RATE)


def _law_tasks(cases, peers, tools):
    """The server polls, so that its record is of when requests came and answers left, not of when
    it was woken up. carronade once polls too, and once waits as it does by default."""
    polling = Carronade(tools, "carronade --pace spin", ("--pace", "spin"))
    return [Task("laws", case.name, peer, case.rate, case.seconds,
                 (*case.serve(peer.seconds(case) - case.seconds), "--spin"),
                 connections=case.connections, clients=case.clients,
                 closed_connections=case.closed_connections, arrivals=case.arrivals)
            for case in cases for peer in [polling, *peers]]


def _plain(section, name, peer, rate, seconds, **more):
    """At a server that answers at once."""
    connections = CONNECTIONS if rate <= RATE else FAST_CONNECTIONS
    return Task(section, name, peer, rate, seconds, ("--bytes", str(SMALL_BYTES)),
                connections=connections, clients=connections, **more)


def _rate_tasks(peers, tools, lengths):
    tasks = []
    two_workers = Carronade(tools, "carronade -w 2", ("-w", "2"))
    for rate in RATES:
        for peer in peers:
            if not peer.has_rate or peer.name == "autocannon -C":   # -C changes no rate
                continue
            own = isinstance(peer, Carronade)
            seconds = lengths.own_rate_s if own else lengths.rate_s
            tasks.append(_plain("rates", str(rate), peer, rate, seconds))
            if own:
                tasks.append(_plain("rates", str(rate), two_workers, rate, lengths.rate_s))
    return tasks


def _poisson_task(tools, lengths):
    task = _plain("rates", "poisson", Carronade(tools, "carronade", ("--pace", "spin")), RATE,
                  lengths.own_rate_s, arrivals="poisson")
    return replace(task, serve=(*task.serve, "--spin"))


def _lateness_tasks(tools, lengths):
    return [_plain("lateness", pace, Carronade(tools, f"carronade --pace {pace}", ("--pace", pace)),
                   RATE, lengths.lateness_s) for pace in PACES]


def _starved_tasks(tools, lengths):
    return [_plain("starved", name, Carronade(tools), RATE, lengths.starved_s, hog=name == HOG)
            for name, runs in ((HOG, lengths.hog_runs), (CLEAN, lengths.clean_runs))
            for _ in range(runs)]


def plan(sections, cases, peers, tools, lengths):
    """All runs, in order: carronade's own first, so that a limit of time leaves them in."""
    tasks = []
    if "lateness" in sections:
        tasks += _lateness_tasks(tools, lengths)
    if "starved" in sections:
        tasks += _starved_tasks(tools, lengths)
    if "laws" in sections:
        tasks += _law_tasks(cases, peers, tools)
    if "rates" in sections:
        tasks.append(_poisson_task(tools, lengths))
        tasks += _rate_tasks(peers, tools, lengths)
    return tasks
