"""Ctrl-C: the first ends the run with its report, the second quits at once."""

import json
import signal
import socket
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.serve_process import ServeProcess  # noqa: E402


class AcceptedOnce:
    """A listening socket whose first client proves that the run has begun; it never answers."""

    def __enter__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.socket.settimeout(10)
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}/"
        return self

    def wait_for_request(self):
        self.client, _ = self.socket.accept()
        self.client.settimeout(10)
        self.client.recv(4096)

    def __exit__(self, *_):
        self.client.close()
        self.socket.close()


class SignalsTest(unittest.TestCase):
    def interrupt(self, args, number=signal.SIGINT):
        """In the middle: its server has seen more requests than there are connections."""
        with ServeProcess() as server:
            process = carronade.start([*args, server.url])
            server.wait_for_requests(10)
            process.send_signal(number)
            return carronade.finish(process)

    def test_first_signal_prints_the_report(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            outcome = self.interrupt(["-j", "-d", "60", "-c", "2"], number)
            self.assertEqual(0, outcome.code, outcome)
            self.assertLess(outcome.seconds, 12, outcome)
            document = json.loads(outcome.stdout)
            self.assertEqual("user", document["carronade"]["stoppedBy"], outcome)
            self.assertGreater(document["carronade"]["requests"]["answered"], 0, outcome)

    def test_report_without_an_answer(self):
        with AcceptedOnce() as server:
            process = carronade.start(["-j", "-d", "60", "-c", "1", server.url])
            server.wait_for_request()
            process.send_signal(signal.SIGINT)
            outcome = carronade.finish(process)
        self.assertEqual(2, outcome.code, outcome)
        own = json.loads(outcome.stdout)["carronade"]
        self.assertEqual(1, own["requests"]["sent"], outcome)
        self.assertEqual(1, own["requests"]["inFlight"], outcome)

    def test_second_signal_quits_at_once(self):
        # Held still while both come, so that the report cannot win the race. A second signal
        # that finds the run over has its usual effect.
        with AcceptedOnce() as server:
            process = carronade.start(["-d", "60", "-c", "1", server.url])
            server.wait_for_request()
            process.send_signal(signal.SIGSTOP)
            process.send_signal(signal.SIGINT)
            process.send_signal(signal.SIGTERM)
            process.send_signal(signal.SIGCONT)
            outcome = carronade.finish(process)
        self.assertIn(outcome.code, (130, 143, -signal.SIGINT, -signal.SIGTERM), outcome)
        self.assertEqual("", outcome.stdout, outcome)

    def test_signal_in_the_warm_up_ends_all(self):
        outcome = self.interrupt(["-d", "60", "-W", "60s", "-c", "1"])
        self.assertEqual(2, outcome.code, outcome)
        self.assertTrue(outcome.stdout.startswith("warning: no request was answered\n"), outcome)
        self.assertIn("0 requests sent, 0 answered", outcome.stdout, outcome)
        self.assertIn("stopped by the user", outcome.stdout, outcome)
        self.assertIn("stopped during the warm-up", outcome.stderr, outcome)

    def test_signal_in_the_warm_up_gives_one_document(self):
        for args, planned in ((["-d", "60"], None), (["-a", "70"], 70)):
            outcome = self.interrupt(["-j", *args, "-W", "60s", "-c", "3", "-L", "500ms"])
            self.assertEqual(2, outcome.code, outcome)
            self.assertEqual(1, outcome.stdout.count("\n"), outcome)
            carronade.read_report(outcome)
            self.assertEqual("user", outcome.own["stoppedBy"], outcome)
            self.assertEqual(3, outcome.own["connections"]["asked"], outcome)
            self.assertEqual(planned, outcome.requests["planned"], outcome)
            self.assertEqual(0, outcome.requests["sent"], outcome)
            self.assertEqual(500, outcome.report["sampleInt"], outcome)
            self.assertFalse(outcome.report["start"].startswith("1970"), outcome)
            warmup = outcome.report["warmup"]
            self.assertEqual("user", warmup["carronade"]["stoppedBy"], outcome)
            self.assertGreater(warmup["requests"]["total"], 0, outcome)

    def test_strict_form_prints_the_report_and_exits_130(self):
        outcome = self.interrupt(["autocannon", "-d", "60", "-c", "1"])
        self.assertEqual(130, outcome.code, outcome)
        self.assertIn("Latency", outcome.stderr, outcome)

    def test_the_server_ends_with_its_totals(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with ServeProcess() as server:
                carronade.run(["-a", "7", "-c", "2", server.url])
                server.stop(number)
            self.assertEqual(0, server.code, server.stderr)
            self.assertIn("served 7 requests on 2 connections", server.stderr)
            self.assertEqual(1, server.stderr.count("\n"), server.stderr)


if __name__ == "__main__":
    carronade.main()
