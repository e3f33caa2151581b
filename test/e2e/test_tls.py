"""TLS: names, certificates, resumption, and reasons when it fails."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.certificates import certificates  # noqa: E402
from support.scripted_peer import Peer, answer, close, read, send, serve  # noqa: E402


class TlsTest(unittest.TestCase):
    def setUp(self):
        self.pems = certificates()

    def shoot(self, args, context=None, scripts=([serve()],), host=None, amount=4):
        """Only an amount that can be answered ends the run; failures end it by bail-out."""
        with Peer(*scripts, tls=context or self.pems.server_context()) as peer:
            outcome = carronade.run_json(["-a", str(amount), "-B", "3", "-d", "10", "-c", "1",
                                          "-t", "3", *args, peer.url(host=host)])
            peer.stop()
        return outcome, peer

    def passes(self, args, **options):
        outcome, peer = self.shoot(args, **options)
        self.assertEqual(0, outcome.report["errors"], outcome)
        self.assertEqual(4, outcome.answered, outcome)
        self.assertEqual([], peer.handshake_faults, outcome)
        return outcome, peer

    def refuses(self, args, reason, kinds, **options):
        outcome, peer = self.shoot(args, **options)
        self.assertEqual(0, outcome.answered, outcome)
        self.assertGreaterEqual(outcome.report["errors"], 3, outcome)
        self.assertLessEqual({e["kind"] for e in outcome.errors()}, set(kinds), outcome)
        self.assertRegex(outcome.error_texts().lower(), reason, outcome)
        self.assertIn(f":{peer.port}", outcome.error_texts(), outcome)
        self.assertEqual("bailout", outcome.own["stoppedBy"], outcome)
        self.assertEqual(2, outcome.code, outcome)
        return outcome, peer

    def test_unverified_by_default(self):
        outcome, peer = self.passes([])
        self.assertEqual("http/1.1", peer.connections[0].tls["alpn"], outcome)
        self.assertEqual("TLSv1.3", peer.connections[0].tls["version"], outcome)
        self.assertEqual(1, outcome.own["tlsHandshake"]["count"], outcome)
        self.assertEqual(peer.bytes_received, outcome.own["bytes"]["sent"], outcome)
        self.assertEqual(peer.bytes_sent, outcome.own["bytes"]["received"], outcome)

    def test_tls_1_2(self):
        _, peer = self.passes([], context=self.pems.server_context(tls12=True))
        self.assertEqual("TLSv1.2", peer.connections[0].tls["version"])

    def test_large_answers_and_pipelining(self):
        self.passes(["-p", "4"], scripts=[[serve(answer(b"x" * 1_000_000))]])

    def test_server_name_from_the_url(self):
        _, peer = self.passes([], host="localhost")
        self.assertEqual(["localhost"], peer.server_names)

    def test_no_server_name_for_an_address(self):
        _, peer = self.passes([])
        self.assertEqual([None], peer.server_names)

    def test_server_name_as_given(self):
        _, peer = self.passes(["-s", "given.example"])
        self.assertEqual(["given.example"], peer.server_names)

    def test_verify_fails_with_an_unknown_authority(self):
        _, peer = self.refuses(["--verify"], "certificate", ["tls_certificate"])
        self.assertEqual(0, peer.request_count)

    def test_verify_names_the_reason(self):
        outcome, _ = self.refuses(["--verify"], "self.signed|issuer", ["tls_certificate"])
        self.assertEqual({"tls"}, {e["phase"] for e in outcome.errors()}, outcome)

    def test_ca_verifies(self):
        self.passes(["--ca", self.pems.path("ca.pem")])
        self.passes(["--verify", "--ca", self.pems.path("ca.pem")], host="localhost")

    def test_ca_refuses_another_name(self):
        self.refuses(["--ca", self.pems.path("ca.pem")], "mismatch", ["tls_certificate"],
                     context=self.pems.server_context("other"), host="localhost")

    def test_ca_refuses_another_address(self):
        self.refuses(["--ca", self.pems.path("ca.pem")], "mismatch", ["tls_certificate"],
                     context=self.pems.server_context("other"))

    def test_client_certificate(self):
        context = self.pems.server_context(client_required=True)
        _, peer = self.passes(["--cert", self.pems.path("client.pem"),
                               "--key", self.pems.path("client.key")], context=context)
        subject = dict(pair for part in peer.connections[0].tls["client"]["subject"]
                       for pair in part)
        self.assertEqual("client", subject["commonName"])

    def test_client_certificate_missing(self):
        for tls12 in (False, True):
            with self.subTest(tls12=tls12):
                context = self.pems.server_context(client_required=True, tls12=tls12)
                self.refuses([], "certificate required|handshake failure|alert",
                             ["tls_handshake", "tls_failed", "connection_reset",
                              "closed_before_response"], context=context)

    def test_sessions_are_resumed_between_reconnects(self):
        for tls12 in (False, True):
            with self.subTest(tls12=tls12):
                outcome, peer = self.passes(
                    ["-D", "1"], context=self.pems.server_context(tls12=tls12))
                resumed = [c.tls["resumed"] for c in peer.connections]
                self.assertEqual(4, len(resumed), outcome)
                self.assertFalse(resumed[0], outcome)
                self.assertGreaterEqual(sum(resumed), 2, outcome)
                self.assertEqual(4, outcome.own["tlsHandshake"]["count"], outcome)

    def test_tls_to_a_plain_port(self):
        plain = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"

        def refuse(connection):
            connection.sock.recv(4096)
            connection.send(plain)

        with Peer([refuse, close()]) as peer:
            outcome = carronade.run_json(["-d", "10", "-B", "3", "-c", "1", "-t", "3",
                                          f"https://127.0.0.1:{peer.port}/"])
        self.assertEqual({"tls_handshake"}, {e["kind"] for e in outcome.errors()}, outcome)
        self.assertEqual({"tls"}, {e["phase"] for e in outcome.errors()}, outcome)
        self.assertRegex(outcome.error_texts(), "wrong version number|packet length", outcome)
        self.assertEqual(0, outcome.requests["sent"], outcome)
        self.assertEqual(2, outcome.code, outcome)

    def test_plain_to_a_tls_port(self):
        outcome, peer = None, Peer([serve()], tls=self.pems.server_context())
        with peer:
            outcome = carronade.run_json(["-d", "10", "-B", "3", "-c", "1", "-t", "3",
                                          f"http://127.0.0.1:{peer.port}/"])
        self.assertEqual(0, outcome.answered, outcome)
        self.assertGreaterEqual(outcome.requests["failed"], 3, outcome)

    def test_closed_during_the_handshake(self):
        with Peer([close()]) as peer:
            outcome = carronade.run_json(["-d", "10", "-B", "3", "-c", "1", "-t", "3",
                                          f"https://127.0.0.1:{peer.port}/"])
        self.assertEqual({"tls"}, {e["phase"] for e in outcome.errors()}, outcome)
        self.assertEqual(0, outcome.requests["sent"], outcome)

    def test_close_without_close_notify_after_an_answer(self):
        script = [read(), send(answer(b"bye")), close()]
        outcome, peer = self.passes([], scripts=[script])
        self.assertEqual(4, peer.connection_count, outcome)

    def test_body_until_close(self):
        script = [read(), send(answer(b"until the end", length=False)), close()]
        outcome, _ = self.passes([], scripts=[script])
        self.assertEqual(4 * 13, outcome.own["bytes"]["body"], outcome)

    def test_certificate_file_that_is_not_there(self):
        for args in (["--ca", "/nonexistent/ca.pem"], ["--cert", "/nonexistent/client.pem"]):
            with self.subTest(args=args):
                outcome = carronade.run([*args, "-a", "1", "https://127.0.0.1:9/"])
                self.assertEqual(1, outcome.code, outcome)
                self.assertIn(args[1], outcome.stderr, outcome)
                self.assertEqual("", outcome.stdout, outcome)


if __name__ == "__main__":
    carronade.main()
