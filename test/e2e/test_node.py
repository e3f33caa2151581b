"""carronade against a Node http and https server in its several ways to answer."""

import signal
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.servers import Node, wait_until  # noqa: E402


class NodeTest(unittest.TestCase):
    def exact(self, server, path, amount, args=("-c", "4")):
        outcome = carronade.run_json([*args, "-a", str(amount), server.url(path)])
        self.assertEqual(0, outcome.code, outcome)
        self.assertEqual(0, outcome.report["errors"], outcome)
        self.assertEqual({200: amount}, outcome.statuses(), outcome)
        server.stop()
        self.assertEqual(amount, server.requests(), outcome)
        self.assertEqual(outcome.own["connections"]["opened"], server.connections(), outcome)
        return outcome

    def test_keep_alive(self):
        with Node() as server:
            outcome = self.exact(server, "/", 500)
        self.assertLessEqual(outcome.own["connections"]["opened"], 4, outcome)

    def test_pipelining(self):
        with Node() as server:
            self.exact(server, "/", 1000, ("-c", "4", "-p", "8", "-w", "2"))

    def test_chunked(self):
        with Node() as server:
            outcome = self.exact(server, "/chunked", 300)
        self.assertEqual(300 * len("first second third"), outcome.own["bytes"]["body"], outcome)

    def test_connection_close(self):
        with Node() as server:
            outcome = self.exact(server, "/close", 100)
        self.assertEqual(100, outcome.own["connections"]["opened"], outcome)

    def test_body_until_close(self):
        with Node() as server:
            outcome = self.exact(server, "/until-close", 100)
        self.assertEqual(100 * len("ends with the connection\n"), outcome.own["bytes"]["body"],
                         outcome)

    def test_http_1_0(self):
        with Node() as server:
            outcome = self.exact(server, "/old", 60)
        self.assertEqual(60, outcome.own["connections"]["opened"], outcome)

    def test_slow_answers_have_their_latency(self):
        with Node() as server:
            outcome = self.exact(server, "/slow", 20)
        self.assertGreater(outcome.own["latency"]["min"], 95e6, outcome)
        self.assertGreater(outcome.own["latency"]["p50"], 95e6, outcome)
        self.assertGreater(outcome.report["latency"]["p50"], 95, outcome)

    def test_slow_answers_pipelined_have_a_start_time_each(self):
        # Node answers a connection's requests in order; all four of a batch wait 100 ms.
        with Node() as server:
            outcome = self.exact(server, "/slow", 16, ("-c", "1", "-p", "4"))
        self.assertGreater(outcome.own["latency"]["min"], 95e6, outcome)

    def test_tls(self):
        with Node(tls=True) as server:
            outcome = self.exact(server, "/", 300)
        self.assertGreater(outcome.own["tlsHandshake"]["count"], 0, outcome)

    def test_tls_connection_close(self):
        with Node(tls=True) as server:
            outcome = self.exact(server, "/until-close", 40)
        self.assertEqual(40, outcome.own["tlsHandshake"]["count"], outcome)

    def test_server_restart_in_the_middle(self):
        first = Node()
        process = carronade.start(["-j", "-c", "4", "-d", "60", first.url()])
        wait_until(first.access_log.exists, 20, "a request")
        first.stop()
        time.sleep(0.5)
        with Node(port=first.port) as second:
            wait_until(second.access_log.exists, 20, "a request after the restart")
            time.sleep(1.0)
            process.send_signal(signal.SIGINT)
            outcome = carronade.read_report(carronade.finish(process, 20))
            second.stop()
            served = first.requests() + second.requests()
            self.assertGreater(second.requests(), 0, f"no request after the restart{outcome}")
        self.assertEqual(0, outcome.code, outcome)
        self.assertGreater(outcome.error_count("connect_refused"), 0, outcome)
        self.assertLessEqual(outcome.error_count("connect_refused"), 4000, outcome)
        self.assertGreaterEqual(served, outcome.answered, outcome)
        lost = outcome.requests["failed"] + outcome.requests["timedOut"]
        self.assertLessEqual(
            served, outcome.answered + lost + outcome.requests["retried"]
            + outcome.requests["inFlight"], outcome)
        self.assertGreater(outcome.answered, first.requests(), outcome)


if __name__ == "__main__":
    carronade.main()
