"""A rate beside the options that change how requests travel: the server still gets the plan."""

import concurrent.futures
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.serve_process import ServeProcess  # noqa: E402

MS = 1_000_000


def shoot(case):
    """`case`: words for the server, words for the run. The outcome and the server's count."""
    serve, args = case
    with ServeProcess(*serve.split()) as server:
        outcome = carronade.run_json([*args.split(), server.url])
        return outcome, server.stats()


def together(*cases):
    with concurrent.futures.ThreadPoolExecutor(len(cases)) as pool:
        return zip(cases, pool.map(shoot, cases))


class MixTest(unittest.TestCase):
    def check_all_came(self, *cases):
        """Three hundred were due, and each came once and was answered."""
        for (serve, args), (outcome, stats) in together(*cases):
            with self.subTest(f"serve {serve}, {args}"):
                self.assertEqual(300, stats["requests"]["received"], outcome)
                self.assertEqual(300, outcome.requests["planned"], outcome)
                self.assertEqual(300, outcome.answered, outcome)
                self.assertEqual(0, outcome.report["errors"], outcome)
                opened = outcome.own["connections"]["opened"]
                self.assertEqual(stats["connections"]["accepted"] - 1, opened, outcome)

    def test_connections_that_are_shared_or_short_lived(self):
        self.check_all_came(("", "-R 300 -d 1 -c 3 -p 4"),
                            ("", "-R 300 -d 1 -c 3 -D 1"),
                            ("", "-R 300 -d 1 -c 4 -D 7 -w 2"),
                            ("--close-after 1", "-R 300 -d 1 -c 3"),
                            ("--close-after 5", "-R 300 -d 1 -c 3 -p 3"))

    def test_other_ways_and_other_answers(self):
        self.check_all_came(("--tls", "-R 300 -d 1 -c 4 -D 10"),
                            ("--bytes 256KiB", "-R 300 -d 1 -c 4"),
                            ("--chunked --bytes 10k", "-R 300 -d 1 -c 4 -w 2"),
                            ("--threads 2", "-R 300 -d 1 -c 10 -w 2 --arrivals burst:50"),
                            ("--error 500 --percent 10", "-R 300 -d 1 -c 3 -x"))

    def test_every_way_to_wait(self):
        self.check_all_came(*(("", f"-R 300 -d 1 -c 4 -w 2 --pace {pace}")
                              for pace in ("hybrid", "spin", "sleep")))

    def test_errors_left_out_are_left_out_of_both_times(self):
        outcome, _ = shoot(("--error 500 --percent 10", "-R 300 -d 1 -c 3 -x"))
        self.assertEqual(30, outcome.report["5xx"], outcome)
        self.assertEqual(270, outcome.own["latency"]["count"], outcome)
        self.assertEqual(270, outcome.own["serviceTime"]["count"], outcome)
        self.assertEqual(300, outcome.own["lateness"]["generator"]["count"], outcome)

    def test_bailing_out(self):
        outcome, stats = shoot(("", "-R 300 -d 30 -c 3 -E other -B 20"))
        self.assertEqual("bailout", outcome.own["stoppedBy"], outcome)
        self.assertTrue(20 <= stats["requests"]["received"] < 200, outcome)
        self.assertEqual(stats["requests"]["received"], outcome.requests["sent"], outcome)
        self.assertLess(outcome.seconds, carronade.SLACK_S, outcome)

    def test_timeouts_count_from_the_sending(self):
        """A request that waited long for its connection is not the one that timed out."""
        outcome, stats = shoot(("--delay 100ms", "-R 60 -d 1 -c 2 -t 500ms"))
        self.assertEqual(0, outcome.requests["timedOut"], outcome)
        self.assertGreater(outcome.own["latency"]["max"], 500 * MS, outcome)
        self.assertLess(outcome.own["serviceTime"]["p50"], 300 * MS, outcome)
        self.assertEqual(stats["requests"]["received"], outcome.requests["sent"], outcome)


if __name__ == "__main__":
    carronade.main()
