"""--warmup auto: the slow beginning of a run is found, kept apart, and left out of the figures."""

import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.scripted_peer import Peer, answer, serve  # noqa: E402
from support.serve_process import ServeProcess  # noqa: E402

MS = 1_000_000
SLOW_S = 1.5
SLOW_NS = 120 * MS
FAST_NS = 20 * MS
# On a busy machine even the rest may not be steady, and the report says so: then it is run again.
TRIES = 3


class SlowAtFirst:
    """Answers slowly for a while after its first request, as one whose caches are cold."""

    def __init__(self):
        self.start = None
        self.slow = 0

    def answer(self, _request):
        self.start = self.start or time.monotonic()
        cold = time.monotonic() - self.start < SLOW_S
        self.slow += cold
        time.sleep((SLOW_NS if cold else FAST_NS) / 1e9)
        return answer()


class WarmupTest(unittest.TestCase):
    def shoot(self, *args):
        for _ in range(TRIES):
            server = SlowAtFirst()
            with Peer([serve(server.answer)]) as peer:
                outcome = carronade.run_json(["--warmup", "auto", "-d", "7", *args, peer.url()])
                peer.stop()
            self.assertEqual([], peer.faults, outcome)
            self.assertEqual(0, outcome.code, outcome)
            self.assertGreater(server.slow, 0)
            if outcome.own["warmup"]["settled"]:
                break
        return outcome

    def check(self, outcome):
        warmup, own = outcome.own["warmup"], outcome.own
        self.assertTrue(warmup["settled"], outcome)
        # At least nearly all of the slow part; up to half of the run where the machine is busy.
        self.assertTrue(1.2 <= warmup["width"] / 1e9 <= 3.6, outcome)
        self.assertEqual(warmup["answered"], warmup["latency"]["count"], outcome)
        self.assertGreater(warmup["answered"], 0, outcome)
        self.assertGreaterEqual(warmup["latency"]["max"], SLOW_NS, outcome)
        # The figures are those of the rest, and the counts those of the whole run.
        self.assertLess(own["latency"]["p90"], SLOW_NS / 2, outcome)
        self.assertEqual(outcome.answered, own["latency"]["count"] + warmup["answered"], outcome)
        self.assertEqual(0, own["series"][0]["second"], outcome)
        self.assertEqual(own["latency"]["count"], outcome.report["latency"]["totalCount"], outcome)

    def test_closed_loop(self):
        outcome = self.shoot("-c", "8")
        self.check(outcome)
        self.assertEqual(outcome.own["warmup"]["latency"], outcome.own["warmup"]["serviceTime"])

    def test_open_loop(self):
        outcome = self.shoot("-R", "60", "-c", "30")
        self.check(outcome)
        self.assertEqual(420, outcome.requests["planned"], outcome)
        self.assertEqual(420, outcome.answered, outcome)
        self.assertEqual(outcome.own["warmup"]["answered"],
                         outcome.own["warmup"]["serviceTime"]["count"], outcome)

    def test_both_times_are_cut_at_the_same_answer(self):
        """With so many answers one is always just behind the cut; run_json checks the accounts."""
        with ServeProcess("--service", "fixed 5ms") as server:
            outcome = carronade.run_json(["--warmup", "auto", "-R", "2000", "-c", "50", "-d", "4",
                                          "--arrivals", "poisson", server.url])
        self.assertEqual(outcome.own["warmup"]["latency"]["count"],
                         outcome.own["warmup"]["serviceTime"]["count"], outcome)

    def test_nothing_to_find(self):
        with ServeProcess("--service", "fixed 5ms") as server:
            outcome = carronade.run_json(["-c", "2", "-d", "4", "--warmup", "auto", server.url])
        warmup = outcome.own["warmup"]
        if warmup["settled"] and warmup["width"] == 0:
            self.assertIsNone(warmup["latency"]["p50"], outcome)
            self.assertEqual(0, warmup["answered"], outcome)
        # A machine that was busy at the beginning may have one; at most half is ever left out.
        self.assertLessEqual(warmup["width"], 2_100 * MS, outcome)

    def test_a_run_before_the_run_is_a_document_of_its_own(self):
        with ServeProcess() as server:
            outcome = carronade.run_json(["-R", "50", "-d", "1", "-W", "[", "-R", "20", "-d", "1",
                                          "]", server.url])
            self.assertEqual(70, server.request_count, outcome)
        self.assertIsNone(outcome.own["warmup"], outcome)
        self.assertEqual(50, outcome.answered, outcome)
        before = outcome.report["warmup"]["carronade"]
        self.assertEqual((20, 20), (before["requests"]["planned"], before["requests"]["answered"]))

    def test_the_text_tells(self):
        server = SlowAtFirst()
        with Peer([serve(server.answer)]) as peer:
            outcome = carronade.run(["--warmup", "auto", "-c", "8", "-d", "6", peer.url()])
        self.assertRegex(outcome.stdout,
                         r"\nwarm-up: (the first [\d.]+ s, with [\d,]+ answers, left out of "
                         r"latency and rates|the run has not settled) \(MSER-5\)")


if __name__ == "__main__":
    carronade.main()
