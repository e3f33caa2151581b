"""Loads that change over time: of a rate the integral, exactly; of connections never more than
the level."""

import concurrent.futures
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.scripted_peer import Peer, answer, serve  # noqa: E402
from support.serve_process import ServeProcess  # noqa: E402

SECOND = 1_000_000_000


def shoot(args):
    """The outcome and the server's own count."""
    with ServeProcess() as server:
        outcome = carronade.run_json([*args, server.url])
        return outcome, server.request_count


class RateShapesTest(unittest.TestCase):
    def check(self, *cases):
        """(arguments, due in each stage) side by side; the outcomes."""
        with concurrent.futures.ThreadPoolExecutor(len(cases)) as pool:
            shots = list(pool.map(shoot, (args for args, _ in cases)))
        for (args, stages), (outcome, count) in zip(cases, shots):
            with self.subTest(args):
                due = sum(stages)
                self.assertEqual(due, count, outcome)
                self.assertEqual(due, outcome.requests["planned"], outcome)
                self.assertEqual(due, outcome.answered, outcome)
                if len(stages) > 1:
                    told = [stage["planned"] for stage in outcome.own["stages"]]
                    self.assertEqual(stages, told, outcome)
                    answered = [stage["answered"] for stage in outcome.own["stages"]]
                    self.assertEqual(stages, answered, outcome)
                else:
                    self.assertIsNone(outcome.own["stages"], outcome)
        return [outcome for outcome, _ in shots]

    def check_times(self, outcome, *seconds):
        """The stages follow each other at these times."""
        stages = outcome.own["stages"]
        self.assertEqual([round(at * SECOND) for at in seconds[:-1]],
                         [stage["start"] for stage in stages], outcome)
        self.assertEqual(seconds[-1], outcome.own["rate"]["loadNs"] / SECOND, outcome)

    def test_ramps(self):
        up, _, longer, _ = self.check(
            (["--ramp", "10..90/2s"], [100]),
            (["--ramp", "90..10/2s", "-c", "3", "-w", "3"], [100]),
            (["--ramp", "0..100/1s", "-d", "2"], [50, 100]),  # then the last rate
            (["--ramp", "50..150/2s", "-d", "1"], [75]))
        self.assertEqual([30, 70], [w["planned"] for w in up.own["series"][:2]], up)
        self.check_times(longer, 0, 1, 2)

    def test_stages(self):
        first, paused, _ = self.check(
            (["--stages", "500ms:100, 500ms:100..300, 1s:200"], [50, 100, 200]),
            (["--stages", "600ms:50, 800ms:0, 600ms:100", "-w", "2"], [30, 0, 60]),
            (["--stages", "1s:30..90,1s:90..30", "-c", "2", "-w", "2", "-d", "1500ms"],
             [60, 37 + 1]))  # of the second stage Λ is 37.5 after half a second
        self.check_times(first, 0, 0.5, 1, 2)
        self.check_times(paused, 0, 0.6, 1.4, 2)
        pause = paused.own["stages"][1]
        self.assertIsNone(pause["latency"]["p50"], paused)
        self.assertEqual(0, pause["latency"]["count"], paused)
        names = [stage["name"] for stage in first.own["stages"]]
        self.assertEqual(len(set(names)), 3, first)
        self.assertIn("100/s", names[0], first)

    def test_steps_and_sines(self):
        steps, _, sine, _ = self.check(
            (["--step", "100..300:100/500ms"], [50, 100, 150]),
            (["--step", "300..100:100/500ms", "-w", "3"], [150, 100, 50]),
            (["--sine", "20..180/2s", "-d", "2"], [200]),
            (["--sine", "20..180/1s", "-d", "2", "--arrivals", "burst:10"], [200]))
        self.check_times(steps, 0, 0.5, 1, 1.5)
        # Symmetric about its peak.
        self.assertEqual([100, 100], [w["planned"] for w in sine.own["series"][:2]], sine)

    def test_rate_files(self):
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as rates:
            rates.write("time,rate\n# a ramp, a step down, a pause\n0,50\n1,150\n1,40\n1.5,40\n"
                        "1.5,0\n2,0\n")
            rates.flush()
            outcome, longer = self.check(
                (["--rate-file", rates.name], [100 + 20]),
                (["--rate-file", rates.name, "-d", "1250ms", "-w", "2"], [100 + 10]))
        self.assertEqual([100, 20], [w["planned"] for w in outcome.own["series"][:2]], outcome)
        self.assertEqual(2.0, outcome.own["rate"]["loadNs"] / SECOND, outcome)
        self.assertEqual(1.25, longer.own["rate"]["loadNs"] / SECOND, longer)

    def test_rates_from_standard_input(self):
        with ServeProcess() as server:
            outcome = carronade.run_json(["--rate-file", "-", server.url], feed=b"0,20\n1,60\n")
            self.assertEqual(40, server.request_count, outcome)

    def test_stages_in_the_text(self):
        with ServeProcess() as server:
            outcome = carronade.run(["--stages", "300ms:100, 300ms:0, 400ms:50", server.url])
        for planned in (30, 0, 20):
            self.assertRegex(outcome.stdout, rf"│ [34]00ms at \S+ +│ {planned} +│ {planned} +│ "
                                             rf"{planned} +│ 0 +│ 0 +│")
        self.assertIn("expecting 50 requests", outcome.stderr, outcome)


class Busy:
    """How many requests a peer works on, over time since the first one."""

    def __init__(self, seconds):
        self.seconds = seconds
        self.lock = threading.Lock()
        self.now = 0
        self.start = None
        self.seen = []

    def answer(self, _request):
        with self.lock:
            self.start = self.start or time.monotonic()
            self.now += 1
            self.seen.append((time.monotonic() - self.start, self.now))
        time.sleep(self.seconds)
        with self.lock:
            self.now -= 1
        return answer()

    def most(self, begin, end):
        return max((busy for at, busy in self.seen if begin <= at < end), default=0)


class ConnectionStagesTest(unittest.TestCase):
    def test_never_more_busy_than_the_level_and_the_same_connections(self):
        for workers in ("1", "3"):
            with self.subTest(workers):
                busy = Busy(0.01)
                with Peer([serve(busy.answer)]) as peer:
                    outcome = carronade.run_json(
                        ["--stages-connections", "1500ms:9, 1500ms:3, 1500ms:6", "-w", workers,
                         peer.url()])
                    peer.stop()
                self.assertEqual([], peer.faults, outcome)
                self.assertEqual("closed", outcome.own["loop"], outcome)
                self.assertLessEqual(busy.most(0, 9), 9, outcome)
                self.assertGreater(busy.most(0, 1.5), 6, outcome)
                # Half a second for a machine that is late with a change of level.
                self.assertLessEqual(busy.most(2.0, 2.9), 3, outcome)
                self.assertGreaterEqual(busy.most(2.0, 2.9), 2, outcome)
                self.assertLessEqual(busy.most(3.5, 9), 6, outcome)
                self.assertGreater(busy.most(3.5, 9), 3, outcome)
                self.assertEqual(9, peer.connection_count, outcome)
                self.assertEqual(9, outcome.own["connections"]["opened"], outcome)
                self.assertEqual(0, outcome.own["connections"]["reconnects"], outcome)
                self.assertEqual(0, outcome.report["errors"], outcome)

    def test_a_ramp_opens_connections_one_by_one(self):
        with ServeProcess("--service", "fixed 2ms") as server:
            outcome = carronade.run_json(["--stages-connections", "2s:2..20, 500ms:20",
                                          server.url])
            accepted = server.stats()["connections"]["accepted"] - 1
        self.assertEqual(20, accepted, outcome)
        self.assertEqual(20, outcome.own["connections"]["opened"], outcome)
        self.assertEqual(20, outcome.own["connections"]["peak"], outcome)
        first, second, *_ = (w["connections"] for w in outcome.own["series"])
        self.assertLess(first, second, outcome)
        self.assertLess(first, 20, outcome)
        self.assertEqual("duration", outcome.own["stoppedBy"], outcome)


if __name__ == "__main__":
    carronade.main()
