"""Runs through tinyproxy, whose own log says what went through it: requests in absolute form,
tunnels, credentials, refusals."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.certificates import certificates  # noqa: E402
from support.servers import free_port  # noqa: E402
from support.tinyproxy import ProxiedCase, tls_args  # noqa: E402
from support.ws_server import WsServer  # noqa: E402

TRUSTED = ("--ca", certificates().path("ca.pem"), "--verify")


class Proxy(ProxiedCase):
    def exact(self, outcome, amount, server):
        self.assertEqual(0, outcome.code, outcome)
        self.assertEqual(0, outcome.report["errors"], outcome)
        self.assertEqual({200: amount}, outcome.statuses(), outcome)
        self.assertEqual(amount, server.request_count, outcome)

    def test_http_in_absolute_form(self):
        proxy, server = self.proxy(), self.serve()
        outcome = carronade.run_json(["-a", "60", "-c", "3", "--proxy", proxy.proxy_url(),
                                      f"{server.url}/bytes/100"])
        self.exact(outcome, 60, server)
        proxy.wait_for(60)
        self.assertEqual([("GET", f"{server.url}/bytes/100")] * 60, proxy.asked())

    def test_https_through_a_tunnel(self):
        proxy, server = self.proxy(), self.serve(*tls_args())
        outcome = carronade.run_json(["-a", "300", "-c", "3", *TRUSTED, "--proxy",
                                      proxy.proxy_url(), f"{server.url}/"])
        self.exact(outcome, 300, server)
        self.assertEqual(3, outcome.own["connections"]["opened"], outcome)
        self.assertEqual(3, outcome.own["tlsHandshake"]["count"], outcome)
        proxy.wait_for(3)
        self.assertEqual([f"127.0.0.1:{server.port}"] * 3, proxy.tunnels())

    def test_the_certificate_is_that_of_the_server(self):
        proxy, server = self.proxy(), self.serve(*tls_args("other"))
        outcome = carronade.run_json(["-d", "1", "-c", "1", *TRUSTED, "--proxy",
                                      proxy.proxy_url(), f"{server.url}/"])
        self.assertEqual(2, outcome.code, outcome)
        self.assertGreater(outcome.error_count("tls_certificate"), 0, outcome)

    def test_websocket_through_a_tunnel(self):
        proxy = self.proxy()
        for tls in (False, True):
            with self.subTest(tls=tls), WsServer(tls) as server:
                outcome = carronade.run_json(["-a", "100", "-c", "2", "-b", "x", "--proxy",
                                              proxy.proxy_url(), server.ws()])
                self.assertEqual(100, outcome.answered, outcome)
                self.assertEqual(0, outcome.report["errors"], outcome)
                counts = server.counts()
                self.assertEqual(100, counts["text"])
                self.assertEqual({"1000": 2}, counts["closes"])
                self.assertEqual(2, proxy.tunnels().count(f"127.0.0.1:{server.port}"))

    def test_a_rate(self):
        proxy, server = self.proxy(), self.serve(*tls_args())
        outcome = carronade.run_json(["-R", "100", "-d", "1", "-c", "2", "--proxy",
                                      proxy.proxy_url(), f"{server.url}/"])
        self.assertEqual(100, outcome.requests["planned"], outcome)
        self.assertEqual(outcome.answered, server.request_count, outcome)

    def test_a_tunnel_that_is_refused(self):
        server = self.serve(*tls_args())
        proxy = self.proxy(connect_ports=[1 if server.port != 1 else 2])
        outcome = carronade.run_json(["-d", "1", "-c", "2", "--proxy", proxy.proxy_url(),
                                      f"{server.url}/"])
        self.assertEqual(2, outcome.code, outcome)
        self.assertEqual(0, outcome.requests["sent"], outcome)
        self.assertGreater(outcome.error_count("proxy_refused"), 0, outcome)
        self.assertIn("403", outcome.error_texts("proxy_refused"), outcome)
        self.assertEqual({"proxy"}, {error["phase"] for error in outcome.errors()}, outcome)
        self.assertEqual(0, server.request_count)

    def test_a_proxy_that_is_down(self):
        for scheme in ("http", "https", "ws"):
            with self.subTest(scheme):
                outcome = carronade.run_json(
                    ["-d", "1", "-c", "2", "-b", "x", "--proxy", f"127.0.0.1:{free_port()}",
                     f"{scheme}://127.0.0.1:9/"])
                self.assertEqual(2, outcome.code, outcome)
                self.assertGreater(outcome.error_count("connect_refused"), 0, outcome)

    def test_a_server_that_is_down(self):
        proxy, port = self.proxy(), free_port()
        url = f"127.0.0.1:{port}/"
        outcome = carronade.run_json(["-a", "10", "-c", "1", "--proxy", proxy.proxy_url(),
                                      f"http://{url}"])
        self.assertEqual({500: 10}, outcome.statuses(), outcome)  # tinyproxy's own answer
        outcome = carronade.run_json(["-d", "1", "-c", "1", "--proxy", proxy.proxy_url(),
                                      f"https://{url}"])
        self.assertIn("500", outcome.error_texts("proxy_refused"), outcome)

    def test_credentials(self):
        proxy = self.proxy(credentials=("ann", "secret"))
        for args in ((), tls_args()):
            server = self.serve(*args)
            with self.subTest(server.url):
                outcome = carronade.run_json(
                    ["-a", "20", "-c", "2", "--proxy", proxy.proxy_url("ann:secret"),
                     f"{server.url}/"])
                self.exact(outcome, 20, server)

    def test_wrong_credentials(self):
        proxy, server, secure = (self.proxy(credentials=("ann", "secret")), self.serve(),
                                 self.serve(*tls_args()))
        for credentials in ("ann:wrong", ""):
            with self.subTest(credentials):
                outcome = carronade.run_json(
                    ["-a", "10", "-c", "1", "--proxy", proxy.proxy_url(credentials),
                     f"{server.url}/"])
                (status,) = outcome.statuses()
                self.assertIn(status, (401, 407), outcome)
                outcome = carronade.run_json(
                    ["-d", "1", "-c", "1", "--proxy", proxy.proxy_url(credentials),
                     f"{secure.url}/"])
                self.assertIn(str(status), outcome.error_texts("proxy_refused"), outcome)
        self.assertEqual(0, server.request_count + secure.request_count)

    def test_refused_in_one_line(self):
        for text in ("socks5://127.0.0.1:1080", "https://127.0.0.1:3128", "http://", "a b"):
            with self.subTest(text):
                outcome = carronade.run(["--proxy", text, "http://127.0.0.1:9/"])
                self.assertEqual(1, outcome.code, outcome)
                self.assertEqual(1, outcome.stderr.count("\n"), outcome)

    def test_dry_run_shows_the_tunnel(self):
        outcome = carronade.run(["--dry-run", "--proxy", "http://ann:secret@127.0.0.1:3128",
                                 "https://server.example/"])
        self.assertEqual(0, outcome.code, outcome)
        self.assertIn("addresses: 127.0.0.1:3128,", outcome.stdout)
        self.assertIn("CONNECT server.example:443 HTTP/1.1\r\n", outcome.stdout_bytes.decode())
        self.assertIn("Proxy-Authorization: Basic ", outcome.stdout)


if __name__ == "__main__":
    carronade.main()
