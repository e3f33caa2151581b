"""Open loops on servers that are too slow: what is sent, what waits, what is dropped, and how many
connections are opened."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.serve_process import ServeProcess  # noqa: E402

MS = 1_000_000


class OverflowTest(unittest.TestCase):
    """Each answer takes 100 ms: a connection serves ten a second."""

    SLOW = ("--service", "fixed 100ms")

    def shoot(self, *args):
        with ServeProcess(*self.SLOW) as server:
            outcome = carronade.run_json([*args, server.url])
            stats = server.stats()
        self.assertEqual(0, outcome.code, outcome)
        self.assertEqual(stats["requests"]["received"], outcome.requests["sent"], outcome)
        self.assertEqual(outcome.requests["sent"], outcome.answered, outcome)
        self.assertEqual(stats["connections"]["accepted"] - 1,
                         outcome.own["connections"]["opened"], outcome)
        return outcome

    def test_drop(self):
        for workers in ("1", "2"):
            outcome = self.shoot("-R", "100", "-d", "2", "-c", "2", "--overflow", "drop", "-w",
                                 workers)
            requests, rate = outcome.requests, outcome.own["rate"]
            self.assertEqual(200, requests["planned"], outcome)
            self.assertEqual(200, requests["sent"] + requests["dropped"], outcome)
            self.assertEqual(requests["dropped"], rate["requests"]["refused"], outcome)
            self.assertTrue(10 <= requests["sent"] <= 45, outcome)
            # What is sent never waited for a connection: the generator alone made it late.
            self.assertLess(outcome.own["lateness"]["noConnection"]["max"], 100 * MS, outcome)
            self.assertIn("no_connection_free",
                          [r["code"] for r in outcome.own["verdict"]["reasons"]], outcome)

    def test_queue_sends_all_and_books_the_waiting(self):
        outcome = self.shoot("-R", "40", "-d", "1", "-c", "2")
        self.assertEqual(40, outcome.requests["sent"], outcome)
        self.assertEqual(0, outcome.requests["dropped"], outcome)
        # 40 at 20 a second take two: the last one waits a second for its connection.
        self.assertAlmostEqual(1000, outcome.own["lateness"]["noConnection"]["max"] / MS, delta=400,
                               msg=str(outcome))
        self.assertLess(outcome.own["serviceTime"]["p50"], 200 * MS, outcome)
        self.assertGreater(outcome.own["latency"]["p90"], 800 * MS, outcome)
        self.assertGreaterEqual(outcome.report["duration"], 1.9, outcome)

    def test_backlog(self):
        for workers in ("1", "2"):
            outcome = self.shoot("-R", "100", "-d", "1", "-c", "2", "--max-backlog", "6", "-w",
                                 workers)
            requests = outcome.requests
            self.assertEqual(100, requests["planned"], outcome)
            self.assertEqual(100, requests["sent"] + requests["dropped"], outcome)
            self.assertEqual(0, outcome.own["rate"]["requests"]["unsent"], outcome)
            self.assertTrue(10 <= requests["sent"] <= 32, outcome)
            # Six wait for two connections of 100 ms: nobody waits longer than for three turns.
            self.assertLess(outcome.own["lateness"]["noConnection"]["p50"], 400 * MS, outcome)

    def test_growth(self):
        for workers in ("1", "2"):
            outcome = self.shoot("-R", "60", "-d", "2", "-c", "2", "--max-connections", "30", "-w",
                                 workers)
            connections = outcome.own["connections"]
            self.assertEqual(120, outcome.answered, outcome)
            self.assertEqual(0, outcome.requests["dropped"], outcome)
            # Six are busy at a time.
            self.assertTrue(5 <= connections["peak"] <= 30, outcome)
            self.assertEqual(connections["peak"], connections["opened"], outcome)
            self.assertLess(outcome.own["lateness"]["noConnection"]["p50"], 20 * MS, outcome)

    def test_growth_has_its_limit(self):
        outcome = self.shoot("-R", "100", "-d", "1", "-c", "1", "--max-connections", "4",
                             "--overflow", "drop")
        self.assertEqual(4, outcome.own["connections"]["opened"], outcome)
        self.assertEqual(4, outcome.own["connections"]["peak"], outcome)
        self.assertTrue(20 <= outcome.requests["sent"] <= 50, outcome)
        self.assertEqual(100, outcome.requests["planned"], outcome)


if __name__ == "__main__":
    carronade.main()
