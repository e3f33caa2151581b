"""carronade against apache2, which closes a connection after its keep-alive limit."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.servers import Apache  # noqa: E402


class ApacheTest(unittest.TestCase):
    def exact(self, server, args, amount):
        """An exact number of requests: all answered with 200 and all in apache's log."""
        outcome = carronade.run_json([*args, "-a", str(amount), server.url()])
        self.assertEqual(0, outcome.code, outcome)
        self.assertEqual(0, outcome.report["errors"], outcome)
        self.assertEqual({200: amount}, outcome.statuses(), outcome)
        server.stop()
        self.assertEqual(amount, server.requests(), outcome)
        return outcome

    def test_keep_alive_limit(self):
        with Apache() as server:
            outcome = self.exact(server, ["-c", "4"], 1000)
        self.assertGreaterEqual(outcome.own["connections"]["opened"], 10, outcome)

    def test_keep_alive_limit_with_pipelining(self):
        with Apache() as server:
            outcome = self.exact(server, ["-c", "3", "-p", "10", "-w", "2"], 1000)
        self.assertGreaterEqual(outcome.own["connections"]["opened"], 10, outcome)

    def test_for_a_time(self):
        with Apache() as server:
            outcome = carronade.run_json(["-c", "20", "-d", "2", server.url()])
            self.assertEqual(0, outcome.report["errors"], outcome)
            self.assertEqual([200], list(outcome.statuses()), outcome)
            server.stop()
            served = server.requests()
        self.assertGreaterEqual(served, outcome.answered, outcome)
        self.assertLessEqual(served, outcome.answered + outcome.requests["inFlight"], outcome)

    def test_without_keep_alive(self):
        with Apache(keepalive_requests=0) as server:
            outcome = self.exact(server, ["-c", "5"], 200)
        self.assertEqual(200, outcome.own["connections"]["opened"], outcome)

    def test_tls(self):
        with Apache(tls=True) as server:
            outcome = self.exact(server, ["-c", "4"], 600)
        self.assertGreaterEqual(outcome.own["connections"]["opened"], 6, outcome)

    def test_tls_without_keep_alive(self):
        with Apache(tls=True, keepalive_requests=0) as server:
            outcome = self.exact(server, ["-c", "4"], 60)
        self.assertEqual(60, outcome.own["tlsHandshake"]["count"], outcome)


if __name__ == "__main__":
    carronade.main()
