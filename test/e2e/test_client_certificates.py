"""Client certificates in PKCS#12, by --pfx and by --cert, in both forms."""

import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.certificates import certificates  # noqa: E402
from support.scripted_peer import Peer, serve  # noqa: E402


class Pkcs12Test(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pems = certificates()
        for name, passphrase in (("open.p12", ""), ("closed.p12", "sesame")):
            subprocess.run(["openssl", "pkcs12", "-export", "-in", "client.pem", "-inkey",
                            "client.key", "-out", name, "-passout", f"pass:{passphrase}"],
                           cwd=cls.pems.folder, check=True, capture_output=True)

    def shoot(self, *args):
        with Peer([serve()], tls=self.pems.server_context(client_required=True)) as peer:
            outcome = carronade.run([*args, "-a", "2", "-c", "1", "-B", "2", "-d", "5", peer.url()])
            peer.stop()
        return outcome, peer

    def test_is_shown_to_the_server(self):
        for form in ([], ["autocannon"]):
            for args in (["--cert", self.pems.path("open.p12")],
                         ["--pfx", self.pems.path("open.p12")],
                         ["--cert", self.pems.path("closed.p12"), "--passphrase", "sesame"],
                         ["--pfx", self.pems.path("closed.p12"), "--passphrase", "sesame"],
                         ["--cert", self.pems.path("client.pem"),
                          "--key", self.pems.path("client.key")]):
                outcome, peer = self.shoot(*form, *args)
                self.assertEqual(0, outcome.code, outcome)
                self.assertEqual([], peer.handshake_faults, outcome)
                self.assertEqual(2, peer.request_count, outcome)
                self.assertIn((("commonName", "client"),),
                              peer.connections[0].tls["client"]["subject"])

    def test_wrong_passphrase(self):
        for args in ([], ["--passphrase", "open"]):
            outcome, peer = self.shoot("--cert", self.pems.path("closed.p12"), *args)
            self.assertEqual(1, outcome.code, outcome)
            self.assertIn("closed.p12", outcome.stderr, outcome)
            self.assertIn("passphrase", outcome.stderr, outcome)
            self.assertEqual(0, peer.connection_count)

    def test_a_list_of_authorities(self):
        for args in (["--ca", "[", self.pems.path("other.pem"), self.pems.path("ca.pem"), "]"],
                     ["--ca", self.pems.path("other.pem"), "--ca", self.pems.path("ca.pem")]):
            for form in ([], ["autocannon"]):
                outcome, _ = self.shoot(*form, "--pfx", self.pems.path("open.p12"), *args)
                self.assertEqual(0, outcome.code, outcome)


if __name__ == "__main__":
    carronade.main()
