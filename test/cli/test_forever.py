"""-f: round after round, each with its report, until Ctrl-C."""

import json
import signal
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.scripted_peer import Peer, serve  # noqa: E402


class ForeverTest(unittest.TestCase):
    def rounds(self, *args, requests=40):
        """Interrupts a run once so many requests have come."""
        with Peer([serve()]) as peer:
            process = carronade.start([*args, "-f", peer.url()])
            peer.wait_for_requests(requests)
            process.send_signal(signal.SIGINT)
            outcome = carronade.finish(process)
            peer.stop()
        self.assertEqual([], peer.faults, outcome)
        return outcome, peer

    def test_a_line_of_json_for_each_round(self):
        outcome, peer = self.rounds("-j", "-a", "10", "-c", "2")
        self.assertEqual(0, outcome.code, outcome)
        documents = [json.loads(line) for line in outcome.stdout.splitlines()]
        self.assertGreaterEqual(len(documents), 4, outcome)
        for document in documents[:-1]:
            self.assertEqual(10, document["requests"]["total"])
            self.assertEqual("amount", document["carronade"]["stoppedBy"])
            self.assertEqual(0, document["resets"])
        sent = sum(document["requests"]["sent"] for document in documents)
        self.assertEqual(peer.request_count, sent, outcome)

    def test_ctrl_c_reports_the_round_it_cuts_short(self):
        outcome, _ = self.rounds("-j", "-d", "60", "-c", "2", "-w", "2")
        self.assertLess(outcome.seconds, 15, outcome)
        document = json.loads(outcome.stdout)
        self.assertEqual("user", document["carronade"]["stoppedBy"], outcome)
        self.assertGreaterEqual(document["requests"]["total"], 38, outcome)

    def test_a_table_for_each_round(self):
        outcome, _ = self.rounds("-a", "10", "-c", "1")
        self.assertGreaterEqual(outcome.stdout.count("10 requests in "), 3, outcome)
        self.assertEqual(0, outcome.code, outcome)

    def test_one_warm_up_before_the_first_round(self):
        outcome, _ = self.rounds("-j", "-a", "10", "-c", "1", "-W", "[", "-a", "5", "]")
        documents = [json.loads(line) for line in outcome.stdout.splitlines()]
        self.assertEqual(5, documents[0]["warmup"]["requests"]["total"], outcome)
        self.assertFalse(any("warmup" in document for document in documents[1:]), outcome)

    def test_strict_form(self):
        outcome, _ = self.rounds("autocannon", "-a", "10", "-c", "1", "-W", "[", "-a", "5", "]")
        self.assertEqual(130, outcome.code, outcome)
        self.assertEqual("", outcome.stdout, outcome)
        self.assertGreaterEqual(outcome.stderr.count("Running 10 requests test @ "), 3, outcome)
        self.assertNotIn("warmup", outcome.stderr, outcome)
        silent_one, _ = self.rounds("autocannon", "-j", "-a", "10", "-c", "1")
        self.assertEqual(("", "", 130), (silent_one.stdout, silent_one.stderr, silent_one.code),
                         silent_one)

    def test_strict_form_refuses_workers(self):
        outcome = carronade.run(["autocannon", "-f", "-w", "2", "http://127.0.0.1:1"])
        text = "Error: Using `forever` option isn't currently supported with workers\n"
        self.assertEqual((1, text), (outcome.code, outcome.stderr), outcome)

    def test_nobody_there_does_not_fill_the_screen(self):
        process = carronade.start(["-f", "-j", "-a", "2", "-c", "1",
                                   "http://no-such-host.invalid/"])
        carronade.wait_until_it_hears(process)
        time.sleep(2.5)
        process.send_signal(signal.SIGINT)
        outcome = carronade.finish(process)
        self.assertEqual(2, outcome.code, outcome)
        self.assertLessEqual(outcome.stdout.count("\n"), 5, outcome)

    def test_a_reader_that_went_away_ends_it(self):
        with Peer([serve()]) as peer:
            process = carronade.start(["-f", "-j", "-a", "10", "-c", "1", peer.url()])
            process.stdout.close()
            code = process.wait(20)
            process.stderr.close()
            peer.stop()
        self.assertEqual(1, code)


if __name__ == "__main__":
    carronade.main()
