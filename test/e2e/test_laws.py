"""Percentiles against servers whose laws are known, and against the truth that they tell.

The bounds hold on a busy machine. bench/truth draws them tighter where there is a core for each.
"""

import math
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.serve_process import ServeProcess  # noqa: E402

MS = 1_000_000
BUCKET = 1.001  # a percentile may be so much above its sample, on either side
# A run that was starved shows itself, not the server: it is made again.
TRIES = 3
STARVED_NS = 2 * MS


class LawsTest(unittest.TestCase):
    def shoot(self, law, *args):
        """A run whose requests left in time, and the truth of its server. On a machine that never
        let one (`self.calm` is false then) only what holds on any machine can be asked of it."""
        for _ in range(TRIES):
            with ServeProcess("--service", law[0], *law[1:]) as server:
                outcome = carronade.run_json([*args, server.url])
                truth = server.stats()
            starved = outcome.own["lateness"] and (
                outcome.own["lateness"]["generator"]["p95"] > STARVED_NS)
            self.calm = not starved and truth["latenessNs"]["p90"] < STARVED_NS
            if self.calm:
                break
        self.assertEqual(0, outcome.code, outcome)
        self.assertEqual(outcome.answered, truth["delayNs"]["count"], outcome)
        self.assertEqual(outcome.own["latency"]["count"], outcome.answered, outcome)
        return outcome, truth

    def check(self, outcome, truth, percentile, slack_ns, what="latency"):
        """No answer can come before the server's time for it, and usual ones come soon after: as
        late as the server says that it was, and the generator, and a little for the way."""
        told, true = outcome.own[what][percentile], truth["delayNs"][percentile]
        slack_ns += truth["latenessNs"]["p90"] + outcome.own["lateness"]["generator"]["p95"]
        text = f"{percentile}: {told} told, {true} true{outcome}"
        self.assertGreaterEqual(told * BUCKET, true, text)
        self.assertLessEqual(told, max(true * 1.02, true + slack_ns), text)

    def test_fixed(self):
        outcome, truth = self.shoot(["fixed 2ms"], "-R", "250", "-d", "4", "-c", "10")
        self.assertEqual((2 * MS, 2 * MS), (truth["serviceNs"]["min"], truth["serviceNs"]["max"]))
        self.assertEqual(1000, outcome.answered, outcome)
        self.assertGreaterEqual(outcome.own["latency"]["min"], 2 * MS, outcome)
        self.check(outcome, truth, "p50", 0.4 * MS)
        self.check(outcome, truth, "p50", 0.4 * MS, "serviceTime")
        self.check(outcome, truth, "p90", 3 * MS)

    def test_two_modes(self):
        """The p99 is in the far mode, twenty-five times the median, where the law puts it."""
        outcome, truth = self.shoot(["bimodal 95% 1ms, 5% 50ms", "--seed", "3"], "-R", "500", "-d",
                                    "3", "-c", "60", "--arrivals", "poisson")
        self.assertAlmostEqual(1500, outcome.answered, delta=200)
        self.check(outcome, truth, "p50", 0.4 * MS)
        self.check(outcome, truth, "p90", 3 * MS)
        self.check(outcome, truth, "p99", 10 * MS)
        self.assertGreaterEqual(outcome.own["latency"]["p99"], 50 * MS, outcome)
        self.assertLess(outcome.own["latency"]["p90"], 25 * MS, outcome)

    def test_exponential_and_lognormal(self):
        for law, median, p90 in (("exp 20ms", math.log(2) * 20, math.log(10) * 20),
                                 ("lognormal 20ms 0.5", 20, 20 * math.exp(0.5 * 1.28155))):
            with self.subTest(law):
                outcome, truth = self.shoot([law], "-R", "400", "-d", "2", "-c", "100")
                self.check(outcome, truth, "p50", 1 * MS)
                self.check(outcome, truth, "p90", 3 * MS)
                self.check(outcome, truth, "p99", 10 * MS)
                # 800 samples of the law itself: within a few standard errors of its quantiles.
                self.assertAlmostEqual(median, truth["delayNs"]["p50"] / MS, delta=0.2 * median,
                                       msg=str(outcome))
                self.assertAlmostEqual(p90, truth["delayNs"]["p90"] / MS, delta=0.25 * p90,
                                       msg=str(outcome))

    def test_one_queue(self):
        """M/M/1 at half of its capacity: a request waits for those before it, and the waiting is
        in the response time. A closed loop on one connection never finds the queue."""
        law = ["exp 4ms", "--queue", "1", "--seed", "5"]
        outcome, truth = self.shoot(law, "-R", "125", "-d", "5", "-c", "40", "--arrivals",
                                    "poisson", "--seed", "2")
        self.check(outcome, truth, "p50", 1 * MS)
        self.check(outcome, truth, "p90", 3 * MS)
        # 1 / (250 - 125) s; about 625 samples that depend on each other.
        mean = outcome.own["latency"]["mean"] / MS
        self.assertGreater(mean, 4, outcome)
        if not self.calm:
            self.skipTest("the machine was never calm: requests came in clumps of its making")
        self.assertLess(mean, 12, outcome)
        closed, _ = self.shoot(law, "-c", "1", "-a", "400")
        if not self.calm:
            self.skipTest("the machine was never calm: the closed loop waited for it")
        self.assertLess(closed.own["latency"]["mean"], 0.8 * outcome.own["latency"]["mean"],
                        f"{closed}{outcome}")

    def test_capacity(self):
        """Twice what the server can do, for 1 s: the last request waits for a second."""
        with ServeProcess("--capacity", "100/s") as server:
            outcome = carronade.run_json(["-R", "200", "-d", "1", "-c", "4", server.url])
            self.assertEqual(200, server.request_count, outcome)
        latency = outcome.own["latency"]
        self.assertGreater(latency["max"], 700 * MS, outcome)
        self.assertGreater(latency["p50"], 300 * MS, outcome)
        # Four are on their way at a time, 10 ms apart: the wait is before the sending.
        self.assertLess(outcome.own["serviceTime"]["p50"], latency["p50"] / 3, outcome)


if __name__ == "__main__":
    carronade.main()
