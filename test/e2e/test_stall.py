"""Two seconds in which the server answers nobody: what an open loop sees of it, and what a
closed loop cannot see."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.hdr_log import samples_above  # noqa: E402
from support.serve_process import ServeProcess  # noqa: E402

MS = 1_000_000
# A machine that is busy with other things can make samples slow by itself. The program knows: a
# run whose requests were late by its own doing does not show the server, and is made again.
TRIES = 4


class StallTest(unittest.TestCase):
    """From 5 to 7 s after its start the server stalls, and so within any 8 s run that begins in
    its first two; the next stall begins 10 s after it."""

    STALL = ("--stall", "2s every 5s")

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="carronade-stall-")
        self.addCleanup(folder.cleanup)
        self.log = Path(folder.name) / "run.hlog"

    def run_open(self, *args):
        for _ in range(TRIES):
            with ServeProcess(*self.STALL) as server:
                outcome = carronade.run_json(["--hdr", str(self.log), "-R", "100", "-d", "8",
                                              *args, server.url])
                truth = server.stats()
            if outcome.own["lateness"]["generator"]["p95"] < 5 * MS:
                break
        self.assertEqual(800, truth["requests"]["received"], outcome)
        self.assertEqual(800, outcome.answered, outcome)
        return outcome

    def check_open(self, outcome):
        latency = outcome.own["latency"]
        self.assertTrue(150 <= samples_above(self.log, 10 * MS) <= 250, outcome)
        self.assertGreaterEqual(latency["p99"], 1800 * MS, outcome)
        self.assertTrue(200 * MS <= latency["mean"] <= 350 * MS, outcome)
        self.assertLess(latency["p50"], 10 * MS, outcome)
        self.assertEqual("open", outcome.own["loop"], outcome)

    def test_open_loop_on_few_connections(self):
        """What waits for a connection waits because of the server, and not of the generator."""
        outcome = self.run_open("-c", "10")
        self.check_open(outcome)
        late = outcome.own["lateness"]
        self.assertGreater(late["noConnection"]["p95"], 1000 * MS, outcome)
        self.assertLess(late["generator"]["p95"], late["noConnection"]["p95"] / 10, outcome)
        # Of 200 requests due in the stall ten were on their way.
        self.assertLess(outcome.own["serviceTime"]["mean"], 60 * MS, outcome)

    def test_open_loop_with_a_connection_for_each(self):
        outcome = self.run_open("-c", "10", "-w", "2", "--max-connections", "400")
        self.check_open(outcome)
        self.assertGreater(outcome.own["connections"]["peak"], 100, outcome)
        self.assertGreater(outcome.own["serviceTime"]["p95"], 1000 * MS, outcome)

    def test_closed_loop_shows_one_slow_sample_and_says_why(self):
        with ServeProcess(*self.STALL) as server:
            outcome = carronade.run(["--hdr", str(self.log), "-c", "1", "-d", "8", server.url])
        self.assertEqual(0, outcome.code, outcome)
        self.assertEqual(1, samples_above(self.log, 1000 * MS), outcome)
        self.assertRegex(outcome.stdout, r"\nclosed loop: a connection sends nothing while it "
                                         r"waits \(up to [12]\.\d+ s\), so the percentiles under")
        self.assertNotIn("open loop", outcome.stdout, outcome)


if __name__ == "__main__":
    carronade.main()
