"""Runs one client at a time against a server of its own, and reads what the server says of it."""

import json
import math
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass

from child import BenchError, pinned, run, stop
from rate_peers import Load
from rounds import CLIENT_CORE, GRACE_S, SERVER_CORE
from targets import Serve

OVERHEAD_S = 0.6            # start and end of client and server, for the estimate
ARRIVALS_MAX = 200_000      # of so many the server can keep the time
QUIET_POLL_S = 1.0          # looking after a client disturbs what it measures
KS_FACTOR = 1.628           # Kolmogorov–Smirnov at 1 %: largest distance allowed · √n


@dataclass
class Task:
    """One run to be made."""

    section: str
    name: str               # within the section: the law, the rate, the condition
    peer: object
    rate: float
    seconds: int
    serve: tuple            # options of the server
    connections: int
    clients: int            # at most, where each has a rate of its own
    closed_connections: int = 1
    arrivals: str = "even"
    hog: bool = False       # beside something else on the client's core

    def estimate_s(self):
        return self.seconds_of_client() + OVERHEAD_S

    def seconds_of_client(self):
        return self.peer.seconds(self)


@dataclass
class Sample:
    """What came of it."""

    task: Task
    planned: int            # rate · time; without a meaning for a tool that has no rate
    received: int           # by the server's count
    said: object            # rate_peers.Said
    recorded: dict          # percent -> seconds, and "mean": what the server meant to do
    server_late_s: float    # 99th percentile of the server's own lateness; None: it never waits
    per_second: list        # arrivals, by the server's count
    ks: tuple = None        # of a Poisson schedule, see ks_of_poisson()

    @property
    def document(self):
        """carronade's own object of its report, else None."""
        return self.said.document

    @property
    def verdict(self):
        return self.document["verdict"] if self.document else None

    def as_dict(self):
        task = self.task
        kept = {key: self.document[key] for key in ("verdict", "rate", "lateness", "requests")} \
            if self.document else None
        return {
            "section": task.section, "name": task.name, "tool": task.peer.name, "rate": task.rate,
            "seconds": task.seconds_of_client(), "hog": task.hog, "planned": self.planned,
            "received": self.received, "perSecond": self.per_second, "ks": self.ks,
            "said": {"mean": self.said.mean_s, **_with_text_keys(self.said.quantiles)},
            "recorded": _with_text_keys(self.recorded), "serverLateP99": self.server_late_s,
            "carronade": kept,
        }


def _with_text_keys(figures):
    return {str(key): value for key, value in figures.items()}


def count_per_second(arrivals_s, rate, seconds):
    """The seconds begin half a gap before the first arrival, so that no arrival of an even
    schedule lies on a border. What comes after the last of them is not counted, nor a second that
    the server's record does not reach to the end of."""
    if len(arrivals_s) == ARRIVALS_MAX:
        seconds = min(seconds, int(arrivals_s[-1] + 1.5 / rate))
    counts = [0] * seconds
    for arrival in arrivals_s:
        second = int(arrival + 0.5 / rate)
        if second < seconds:
            counts[second] += 1
    return counts


def ks_of_poisson(arrivals_s, rate):
    """(largest distance of the gaps from the exponential law of that rate, the most allowed)."""
    gaps = sorted(b - a for a, b in zip(arrivals_s, arrivals_s[1:]))
    if not gaps:
        return None
    count, distance = len(gaps), 0.0
    for number, gap in enumerate(gaps):
        law = 1 - math.exp(-gap * rate)
        distance = max(distance, law - number / count, (number + 1) / count - law)
    return distance, KS_FACTOR / math.sqrt(count)


class Hog:
    """Something else that wants a core for itself."""

    def __init__(self, core):
        self._process = subprocess.Popen(
            pinned(core, [sys.executable, "-c", "while True: pass"]), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)

    def stop(self):
        stop(self._process)


def _ask(server, path):
    with urllib.request.urlopen(f"http://{server.host}:{server.port}{path}", timeout=30) as answer:
        return json.load(answer)


def _seconds(ns):
    return None if ns is None else ns / 1e9


def _recorded(histogram):
    keys = {"mean": "mean", 50: "p50", 99: "p99", 99.9: "p99_9"}
    return {key: _seconds(histogram[name]) for key, name in keys.items()}


class Runner:
    """`say`: prints a line."""

    def __init__(self, carronade, pin, say):
        self._carronade, self._say = carronade, say
        self._client_core, self._server_core = (CLIENT_CORE, SERVER_CORE) if pin else (None, None)
        self.samples, self.failures, self.left_out = [], [], []

    def run_all(self, tasks, limit_s):
        """In order. A task that would end after `limit_s` is left out."""
        start = time.monotonic()
        for task in tasks:
            if time.monotonic() - start + task.estimate_s() > limit_s:
                self.left_out.append(task)
                continue
            try:
                self.samples.append(self._measure(task))
            except (BenchError, OSError, ValueError, KeyError, TypeError) as error:
                text = f"{task.section} {task.name}, {task.peer.name}: {error!r}" \
                    if isinstance(error, (KeyError, TypeError)) \
                    else f"{task.section} {task.name}, {task.peer.name}: {error}"
                self.failures.append(text)
                self._say(text)
        return time.monotonic() - start

    def _measure(self, task):
        options = (*task.serve, "--record-arrivals", str(ARRIVALS_MAX))
        server = Serve(self._carronade, self._server_core, arguments=options)
        hog = None
        try:
            if task.hog:
                hog = Hog(self._client_core)
            said = self._run_client(task, server)
            return self._sample(task, said, server)
        finally:
            if hog:
                hog.stop()
            server.stop()

    def _run_client(self, task, server):
        load = Load(server.host, server.port, task.rate, task.seconds, task.connections,
                    task.clients, task.closed_connections, task.arrivals)
        argv = [str(part) for part in task.peer.argv(load)]
        done = run(argv, task.seconds_of_client() + GRACE_S, core=self._client_core,
                   poll_s=QUIET_POLL_S)
        if done.code != 0:
            last = (done.err or done.out).strip().splitlines() or ["nothing said"]
            raise BenchError(f"exit code {done.code}: {last[-1][:200]}")
        return task.peer.read(done.out, done.err)

    def _sample(self, task, said, server):
        stats = _ask(server, "/stats")
        arrivals = [ns / 1e9 for ns in _ask(server, "/stats/arrivals")["ns"]]
        seconds = task.seconds_of_client()
        if not arrivals:
            raise BenchError("the server received nothing")
        poisson = task.arrivals == "poisson" and said.document is not None
        return Sample(task, round(task.rate * seconds), stats["requests"]["received"], said,
                      _recorded(stats["delayNs"]), _seconds(stats["latenessNs"]["p99"]),
                      count_per_second(arrivals, task.rate, seconds),
                      ks_of_poisson(arrivals, task.rate) if poisson else None)
