"""Loads at a rate against the server's own count: the plan is exact, a total, and spread."""

import concurrent.futures
import math
import statistics
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.serve_process import ServeProcess  # noqa: E402

# How far a busy machine may shift a second's count, and the most of its requests, in seconds.
SHIFT_S = 0.5
USUAL_SHIFT_S = 0.05


class Shot:
    """A run against a server of its own, and what the server saw of it."""

    def __init__(self, *args):
        with ServeProcess("--record-arrivals", "2000") as server:
            self.outcome = carronade.run_json([*args, server.url], timeout=60)
            stats = server.stats()
            self.arrivals = server.arrivals()
        self.count = stats["requests"]["received"]
        self.connections = stats["connections"]["accepted"] - 1  # that of stats() itself
        self.per_second = stats["arrivals"]
        self.planned_per_second = [w["planned"] for w in self.outcome.own["series"]]

    @property
    def gaps(self):
        return [after - before for before, after in zip(self.arrivals, self.arrivals[1:])]


def together(*commands):
    """Runs that are light enough to share the machine."""
    with concurrent.futures.ThreadPoolExecutor(len(commands)) as pool:
        return list(pool.map(lambda command: Shot(*command.split()), commands))


def distance_from_exponential(gaps):
    """Kolmogorov's distance between their distribution and the exponential one of their mean."""
    mean, worst = statistics.mean(gaps), 0.0
    for rank, gap in enumerate(sorted(gaps)):
        expected = 1 - math.exp(-gap / mean)
        worst = max(worst, expected - rank / len(gaps), (rank + 1) / len(gaps) - expected)
    return worst


def usual_distance(first, second):
    """Median distance in seconds between the arrivals of the same number."""
    return statistics.median(abs(a - b) for a, b in zip(first, second))


class ServersCountTest(unittest.TestCase):
    def check(self, shot, rate, seconds):
        """All that was due came, none twice, and when it was due."""
        outcome, due = shot.outcome, round(rate * seconds)
        self.assertEqual(0, outcome.code, outcome)
        self.assertEqual(due, shot.count, outcome)
        self.assertEqual(due, outcome.requests["planned"], outcome)
        self.assertEqual(due, outcome.answered, outcome)
        self.assertEqual(0, outcome.requests["dropped"], outcome)
        self.assertEqual("duration", outcome.own["stoppedBy"], outcome)
        self.assertAlmostEqual(rate, outcome.own["rate"]["planned"], places=2)
        self.assertEqual("requests/s", outcome.own["rate"]["unit"], outcome)
        self.assertEqual(shot.connections, outcome.own["connections"]["opened"], outcome)
        # One second more than another has at most one extra arrival.
        whole = shot.planned_per_second[:int(seconds)]
        self.assertLessEqual(max(whole) - min(whole), 1, outcome)
        self.check_seconds(shot, rate)
        shifts = [abs(at - number / rate) for number, at in enumerate(shot.arrivals)]
        # Were they sent in a burst at each second, half of them would be half a second off.
        self.assertLess(statistics.median(shifts), SHIFT_S / 5 if rate > 5000 else USUAL_SHIFT_S,
                        outcome)

    def check_seconds(self, shot, rate):
        """By the server's own record no second had more than was due, but for what was late."""
        planned = came = 0
        for due, arrived in zip(shot.planned_per_second, shot.per_second):
            planned, came = planned + due, came + arrived
            self.assertAlmostEqual(planned, came, delta=2 + SHIFT_S * rate, msg=str(shot.outcome))

    def test_low_rates(self):
        """Fewer than connections and workers too; the longest is the issue's ten seconds."""
        plans = [(97, 10, "-c 10 -w 3"), (70, 4, "-c 3 -w 2"), (70, 3, "-c 100 -w 4"),
                 (5, 4, "-c 10 -w 8"), (5, 3, "-c 1 -w 1"), (5, 4, "-c 3 -w 3")]
        shots = together(*(f"-R {rate} -d {seconds} {shape}" for rate, seconds, shape in plans))
        for shot, (rate, seconds, shape) in zip(shots, plans):
            with self.subTest(f"{rate}/s {shape}"):
                self.check(shot, rate, seconds)

    def test_a_thousand(self):
        for shape in ("-c 1", "-c 7 -w 3", "-c 50 -w 2 -p 4"):
            with self.subTest(shape):
                self.check(Shot("-R", "1000", "-d", "1", *shape.split()), 1000, 1)

    def test_twenty_thousand(self):
        for shape in ("-c 20", "-c 100 -w 2"):
            with self.subTest(shape):
                self.check(Shot("-R", "20k", "-d", "2", *shape.split()), 20000, 2)

    def test_units_and_fractions(self):
        plans = [("-R 150/m -c 10 -w 4", 2.5), ("-R 2.5/s -c 2 -w 2", 2.5), ("-r 4 -c 5 -w 2", 20),
                 ("-R 1.5 -c 4 -w 4", 1.5)]
        shots = together(*(f"{args} -d 4" for args, _ in plans))
        for shot, (args, rate) in zip(shots, plans):
            with self.subTest(args):
                self.check(shot, rate, 4)

    def test_an_amount_ends_it(self):
        shot, longer = together("-R 100 -a 33 -c 4 -w 3", "-R 100 -a 500 -d 1 -c 4")
        self.assertEqual(33, shot.count, shot.outcome)
        self.assertEqual(33, shot.outcome.requests["planned"], shot.outcome)
        self.assertEqual("amount", shot.outcome.own["stoppedBy"], shot.outcome)
        self.assertEqual(100, longer.count, longer.outcome)
        self.assertEqual("duration", longer.outcome.own["stoppedBy"], longer.outcome)

    def test_strict_form_sends_what_autocannon_would(self):
        with ServeProcess() as server:
            for args, count in ((["-R", "30", "-c", "100"], 30), (["-r", "3", "-c", "5"], 15)):
                before = server.request_count
                outcome = carronade.run(["autocannon", "-j", "-d", "1", *args, server.url])
                self.assertEqual(0, outcome.code, outcome)
                self.assertEqual(count, server.request_count - before, outcome)


class ArrivalsTest(unittest.TestCase):
    def test_poisson(self):
        """The same seed gives the same arrivals, on one worker or two; their gaps are right."""
        base = "-R 60 -d 4 -c 8 --arrivals poisson --seed"
        one, again, two, other = together(f"{base} 7", f"{base} 7", f"{base} 7 -w 2",
                                          f"{base} 8")
        for shot in (one, again, two, other):
            self.assertEqual(shot.outcome.requests["planned"], shot.count, shot.outcome)
            # Even gaps would be 0.63 off; chance alone gives 0.1 once in a hundred runs.
            self.assertLess(distance_from_exponential(shot.gaps), 0.2, shot.outcome)
            self.assertAlmostEqual(240, shot.count, delta=4 * math.sqrt(240), msg=str(shot.outcome))
        for shot in (again, two):
            self.assertEqual(one.planned_per_second[:4], shot.planned_per_second[:4], shot.outcome)
            self.assertEqual(one.count, shot.count, shot.outcome)
            self.assertLess(usual_distance(one.arrivals, shot.arrivals), 0.03, shot.outcome)
        self.assertNotEqual(one.planned_per_second[:4], other.planned_per_second[:4])
        self.assertGreater(usual_distance(one.arrivals, other.arrivals), 0.03, other.outcome)

    def test_workers_merge_to_the_plan_of_one(self):
        base = "-R 77 -d 2 -c 9 --arrivals"
        kinds = ("jitter", "burst:7", "even")
        shots = together(*(f"{base} {kind} {workers}" for kind in kinds
                           for workers in ("", "-w 3")))
        for kind, one, three in zip(kinds, shots[::2], shots[1::2]):
            with self.subTest(kind):
                self.assertEqual(one.planned_per_second[:2], three.planned_per_second[:2])
                self.assertEqual(one.count, three.count, three.outcome)
                self.assertLess(usual_distance(one.arrivals, three.arrivals), 0.03, three.outcome)

    def test_jitter_and_bursts(self):
        jitter, burst = together("-R 50 -d 2 -c 4 --arrivals jitter",
                                 "-R 40 -d 2 -c 4 --arrivals burst:8")
        self.assertEqual(100, jitter.count, jitter.outcome)
        # One at a random instant of each 20 ms: neither even nor far from it.
        self.assertGreater(statistics.stdev(jitter.gaps), 0.003, jitter.outcome)
        self.assertLess(statistics.median(jitter.gaps), 0.04, jitter.outcome)

        self.assertEqual(80, burst.count, burst.outcome)
        self.assertEqual([40, 40], burst.planned_per_second[:2], burst.outcome)
        heads, tails = burst.arrivals[::8], burst.arrivals[7::8]
        between = statistics.median(after - before for before, after in zip(heads, heads[1:]))
        self.assertAlmostEqual(0.2, between, delta=0.1, msg=str(burst.outcome))
        within = statistics.median(tail - head for head, tail in zip(heads, tails))
        self.assertLess(within, 0.05, burst.outcome)


if __name__ == "__main__":
    carronade.main()
