"""carronade against nginx: no errors, and nginx's own count agrees."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.certificates import certificates  # noqa: E402
from support.servers import PAGE, Nginx  # noqa: E402


class NginxTest(unittest.TestCase):
    def assert_clean(self, outcome):
        """Only 200s, no errors, exit 0."""
        self.assertEqual(0, outcome.code, outcome)
        self.assertEqual(0, outcome.report["errors"], outcome)
        self.assertEqual([200], list(outcome.statuses()), outcome)
        self.assertGreater(outcome.answered, 0, outcome)

    def assert_server_agrees(self, outcome, server):
        """The log has every answer, and beyond that only what was in flight at the end."""
        server.stop()
        served = server.requests()
        self.assertGreaterEqual(served, outcome.answered, outcome)
        self.assertLessEqual(served, outcome.answered + outcome.requests["inFlight"], outcome)

    def test_fifty_connections(self):
        with Nginx() as server:
            outcome = carronade.run_json(["-c", "50", "-d", "2", server.url()])
            self.assert_clean(outcome)
            self.assert_server_agrees(outcome, server)
        self.assertEqual("duration", outcome.own["stoppedBy"], outcome)
        self.assertEqual(50, outcome.own["connections"]["peak"], outcome)
        self.assertLessEqual(outcome.requests["inFlight"], 50, outcome)
        # Body bytes of answers that the end of the run cut off may be counted or not.
        rest = outcome.own["bytes"]["body"] - outcome.answered * len(PAGE)
        self.assertLessEqual(0, rest, outcome)
        self.assertLessEqual(rest, outcome.requests["inFlight"] * len(PAGE), outcome)

    def test_pipelining_on_two_workers(self):
        # nginx closes each connection after 1000 requests: what is pipelined behind the last
        # one gets no answer and has to be sent again.
        with Nginx(keepalive_requests=1000) as server:
            outcome = carronade.run_json(["-c", "50", "-p", "16", "-w", "2", "-d", "2",
                                          server.url()])
            self.assert_clean(outcome)
            self.assert_server_agrees(outcome, server)
        self.assertLessEqual(outcome.requests["inFlight"], 50 * 16, outcome)

    def test_pipelined_requests_behind_a_close_are_sent_again(self):
        with Nginx(keepalive_requests=10) as server:
            outcome = carronade.run_json(["-c", "2", "-p", "16", "-a", "500", server.url()])
            self.assert_clean(outcome)
            server.stop()
            self.assertEqual(500, server.requests(), outcome)
        self.assertEqual(500, outcome.answered, outcome)
        self.assertEqual(500, outcome.requests["sent"], outcome)
        self.assertGreater(outcome.requests["retried"], 0, outcome)
        self.assertGreaterEqual(outcome.own["connections"]["opened"], 50, outcome)

    def test_tls(self):
        with Nginx(tls=True) as server:
            outcome = carronade.run_json(["-c", "20", "-d", "1", server.url()])
            self.assert_clean(outcome)
            self.assert_server_agrees(outcome, server)
        handshakes = outcome.own["tlsHandshake"]["count"]
        self.assertEqual(outcome.own["connections"]["opened"], handshakes, outcome)

    def test_tls_verified_by_the_authority(self):
        with Nginx(tls=True) as server:
            outcome = carronade.run_json(["-c", "2", "-a", "20", "--ca",
                                          certificates().path("ca.pem"), server.url()])
            self.assert_clean(outcome)

    def test_tls_pipelined(self):
        with Nginx(tls=True, keepalive_requests=20) as server:
            outcome = carronade.run_json(["-c", "4", "-p", "8", "-a", "400", server.url()])
            self.assert_clean(outcome)
            server.stop()
            self.assertEqual(400, server.requests(), outcome)

    def test_unix_socket(self):
        with Nginx() as server:
            outcome = carronade.run_json(["-c", "10", "-d", "1", "-S", server.unix,
                                          "http://localhost/"])
            self.assert_clean(outcome)
            self.assert_server_agrees(outcome, server)
        self.assertEqual([server.unix], outcome.own["addresses"], outcome)
        self.assertEqual(server.unix, outcome.report["socketPath"], outcome)

    def test_reconnect_rate(self):
        with Nginx() as server:
            outcome = carronade.run_json(["-c", "4", "-D", "5", "-a", "200", server.url()])
            self.assert_clean(outcome)
            server.stop()
            per_connection = {}
            for connection, *_ in server.log():
                per_connection[connection] = per_connection.get(connection, 0) + 1
        self.assertEqual(200, sum(per_connection.values()), outcome)
        self.assertEqual(5, max(per_connection.values()), outcome)
        self.assertEqual(len(per_connection), outcome.own["connections"]["opened"], outcome)

    def test_requests_per_connection(self):
        with Nginx() as server:
            outcome = carronade.run_json(["-c", "5", "-M", "30", "-d", "20", server.url()])
            self.assert_clean(outcome)
            server.stop()
            self.assertEqual(150, server.requests(), outcome)
        self.assertEqual(150, outcome.answered, outcome)
        self.assertLess(outcome.seconds, 15, outcome)

    def test_connections_that_nginx_closes_after_each_answer(self):
        with Nginx(keepalive_requests=1) as server:
            outcome = carronade.run_json(["-c", "4", "-a", "100", server.url()])
            self.assert_clean(outcome)
            server.stop()
            self.assertEqual(100, server.requests(), outcome)
        self.assertEqual(100, outcome.own["connections"]["opened"], outcome)

    def test_post_body_byte_for_byte(self):
        body = bytes(range(256)) * 300 + b"\r\n\r\n0\r\n"
        with Nginx() as server:
            file = server.folder / "body.bin"
            file.write_bytes(body)
            outcome = carronade.run_json(["-m", "POST", "-i", str(file), "-c", "3", "-a", "12",
                                          server.url("/upload")])
            self.assert_clean(outcome)
            server.stop()
            bodies = server.bodies()
        self.assertEqual(12, len(bodies), outcome)
        self.assertTrue(all(kept == body for kept in bodies), "a body arrived changed")
        self.assertGreater(outcome.own["bytes"]["sent"], 12 * len(body), outcome)

    def test_missing_page_is_an_answer(self):
        with Nginx() as server:
            outcome = carronade.run_json(["-c", "2", "-a", "20", server.url("/missing")])
        self.assertEqual(0, outcome.code, outcome)
        self.assertEqual({404: 20}, outcome.statuses(), outcome)
        self.assertEqual(20, outcome.report["non2xx"], outcome)
        self.assertEqual(0, outcome.report["errors"], outcome)

    def test_head(self):
        with Nginx() as server:
            outcome = carronade.run_json(["-m", "HEAD", "-c", "2", "-p", "4", "-a", "40",
                                          server.url()])
            self.assert_clean(outcome)
            server.stop()
            self.assertEqual({"HEAD"}, {line[2] for line in server.log()})
        self.assertEqual(0, outcome.own["bytes"]["body"], outcome)


if __name__ == "__main__":
    carronade.main()
