"""Runs the scenarios round by round, and keeps what each run cost."""

import time
from dataclasses import asdict, dataclass

from child import BenchError, run
from peers import Job
from scenarios import GIGABYTE
from targets import BIG_BYTES

GRACE_S = 15        # beyond what a run was told to take; then it is killed
OVERHEAD_S = 0.4    # start and end of a run, for the estimate
CLIENT_CORE, SERVER_CORE = 0, 1


@dataclass
class Sample:
    """One run of one entry. `unit` is a request or a GB, as the scenario says."""

    scenario: str
    label: str
    round: int
    answers: int
    seconds: float
    errors: int
    rate: float             # units per second
    user_per_unit_s: float
    system_per_unit_s: float
    rss_bytes: int
    client_busy: float      # share of one core, 0 to 1
    server_busy: float

    @property
    def cpu_per_unit_s(self):
        return self.user_per_unit_s + self.system_per_unit_s


class Rounds:
    """`servers`: name -> target; `peers`: name -> client; `say`: prints a line."""

    def __init__(self, peers, servers, seconds, say, cores):
        self.peers, self.servers, self.seconds, self.say = peers, servers, seconds, say
        self.client_core, self.server_core = (CLIENT_CORE, SERVER_CORE) if cores else (None, None)
        self.samples, self.failures = [], {}

    def entries(self, scenario, with_guests):
        return [e for e in scenario.entries
                if e.peer in self.peers and (with_guests or not e.guest)]

    def estimate_s(self, scenarios, rounds, guest_rounds):
        return sum(self._run_seconds(entry) + OVERHEAD_S for number in range(rounds)
                   for s in scenarios for entry in self.entries(s, number < guest_rounds))

    def _run_seconds(self, entry):
        """Guests run twice as long: of theirs, start-up and warming up are a large part."""
        return self.seconds * 2 if entry.guest else self.seconds

    def run(self, scenarios, rounds, guest_rounds, limit_s):
        """All scenarios once per round, so that a drift of the machine meets all alike. Every
        second round goes backwards. Returns the rounds done: fewer when `limit_s` would pass."""
        start, last = time.monotonic(), 0.0
        for number in range(rounds):
            began = time.monotonic()
            if number and began - start + last > limit_s:
                self.say(f"stopping after {number} rounds: another would pass {limit_s} s")
                return number
            for scenario in scenarios:
                entries = self.entries(scenario, number < guest_rounds)
                for entry in entries if number % 2 == 0 else reversed(entries):
                    self._run_entry(scenario, entry, number)
            last = time.monotonic() - began
            self.say(f"round {number + 1} of {rounds} took {last:.0f} s")
        return rounds

    def _run_entry(self, scenario, entry, number):
        try:
            self.samples.append(self._measure(scenario, entry, number))
        except (BenchError, ValueError, KeyError) as error:
            self.failures[(scenario.name, entry.label)] = str(error)
            self.say(f"{scenario.name}, {entry.label}: {error}")

    def _measure(self, scenario, entry, number):
        server = self.servers[entry.server]
        host, port = server.address(tls=entry.tls, fresh=entry.fresh)
        job = Job(host=host, port=port, path=server.big_path if entry.big else "/",
                  seconds=self._run_seconds(entry), tls=entry.tls, **entry.job)
        peer = self.peers[entry.peer]
        before = server.usage.cost()
        done = run([str(part) for part in peer.argv(job)], job.seconds + GRACE_S,
                   core=self.client_core)
        after = server.usage.cost()
        if done.code != 0:
            last = (done.err or done.out).strip().splitlines() or ["nothing said"]
            raise BenchError(f"exit code {done.code}: {last[-1][:200]}")
        report = peer.read(done.out, done.err)
        if report.answers == 0 or report.seconds <= 0:
            raise BenchError("no answer was counted")
        units = report.answers
        if scenario.per == "GB":
            units = report.answers * BIG_BYTES / GIGABYTE
        server_user, server_system = after.user_s - before.user_s, after.system_s - before.system_s
        user, system, rss = done.cost.user_s, done.cost.system_s, done.cost.rss_bytes
        if scenario.subject == "server":
            user, system, rss = server_user, server_system, after.rss_bytes
        return Sample(scenario.name, entry.label, number, report.answers, report.seconds,
                      report.errors, units / report.seconds, user / units, system / units, rss,
                      done.cost.cpu_s / done.wall_s, (server_user + server_system) / done.wall_s)

    def as_dicts(self):
        return [asdict(sample) for sample in self.samples]
