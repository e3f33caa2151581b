"""The proxies of ab, siege and vegeta, by the log of tinyproxy."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.tinyproxy import ProxiedCase, tls_args  # noqa: E402

LOGIN = "connection = keep-alive\nproxy-login = ann:{}\n"


class ProxiedDialects(ProxiedCase):
    def test_ab(self):
        proxy, server, secure = (self.proxy(credentials=("ann", "secret")), self.serve(),
                                 self.serve(*tls_args()))
        for url, count in ((server, server), (secure, secure)):
            with self.subTest(url.url):
                outcome = carronade.run(["ab", "-q", "-n", "20", "-c", "2", "-X",
                                         f"127.0.0.1:{proxy.port}", "-P", "ann:secret",
                                         f"{url.url}/"])
                self.assertEqual(0, outcome.code, outcome)
                self.assertIn("Complete requests:      20\n", outcome.stdout, outcome)
                self.assertIn("Failed requests:        0\n", outcome.stdout, outcome)
                self.assertNotIn("Non-2xx", outcome.stdout, outcome)
                self.assertEqual(20, count.request_count)
        proxy.wait_for(40)
        self.assertEqual(20, len(proxy.tunnels()), proxy.asked())
        self.assertIn(("GET", f"{server.url}/"), proxy.asked())

    def test_ab_gives_up_a_proxy_that_refuses(self):
        server = self.serve(*tls_args())
        proxy = self.proxy(credentials=("ann", "secret"))
        outcome = carronade.run(["ab", "-q", "-n", "1000", "-c", "2", "-X",
                                 f"127.0.0.1:{proxy.port}", f"{server.url}/"])
        self.assertNotEqual(0, outcome.code, outcome)
        self.assertIn("Test aborted after 10 failures", outcome.stderr, outcome)
        self.assertRegex(outcome.stderr, "40[17]")

    def siege(self, proxy, url, extra=""):
        config = proxy.folder / "siegerc"
        config.write_text(f"proxy-host = 127.0.0.1\nproxy-port = {proxy.port}\n"
                          f"logging = false\n{extra}", encoding="ascii")
        return carronade.run(["siege", "-R", str(config), "-q", "-c", "2", "-r", "10", "-b", "-j",
                              url])

    # tinyproxy closes behind each answer and does not say so, which siege takes for a failure.
    def test_siege(self):
        proxy, server, secure = self.proxy(), self.serve(), self.serve(*tls_args())
        for url, connection in ((server, "close"), (secure, "keep-alive")):
            with self.subTest(url.url):
                outcome = self.siege(proxy, f"{url.url}/bytes/10", f"connection = {connection}\n")
                self.assertEqual(0, outcome.code, outcome)
                self.assertRegex(outcome.stdout, r'"successful_transactions":\s+20\b')
                self.assertEqual(20, url.request_count)
        proxy.wait_for(22)
        self.assertEqual([f"127.0.0.1:{secure.port}"] * 2, proxy.tunnels())

    def test_siege_with_a_login(self):
        proxy, secure = self.proxy(credentials=("ann", "secret")), self.serve(*tls_args())
        outcome = self.siege(proxy, f"{secure.url}/bytes/10", LOGIN.format("secret"))
        self.assertRegex(outcome.stdout, r'"successful_transactions":\s+20\b', outcome)
        outcome = self.siege(proxy, f"{secure.url}/bytes/10", LOGIN.format("wrong"))
        self.assertRegex(outcome.stdout, r'"successful_transactions":\s+0\b', outcome)
        self.assertEqual(20, secure.request_count)

    def vegeta(self, proxy, urls, *args, **environment):
        environment = {"HTTP_PROXY": "", "HTTPS_PROXY": "", "NO_PROXY": "", "http_proxy": "",
                       "https_proxy": "", "no_proxy": "",
                       **{name: proxy.proxy_url() for name in environment}}
        targets = "".join(f"GET {url}\n" for url in urls)
        attack = ["vegeta", "attack", "-duration", "1s", "-rate", "40", "-insecure", *args]
        sent = carronade.run(attack, feed=targets.encode(), env=environment)
        if sent.code != 0:
            return sent, ""
        told = carronade.run(["vegeta", "report"], feed=sent.stdout_bytes)
        return sent, told.stdout

    # Go's client never takes a proxy to 127.0.0.1 or localhost; 0.0.0.0 is the same machine.
    def test_vegeta(self):
        proxy = self.proxy()
        server = self.serve("--host", "0.0.0.0")
        secure = self.serve("--host", "0.0.0.0", *tls_args())
        urls = [f"http://0.0.0.0:{server.port}/", f"https://0.0.0.0:{secure.port}/"]
        sent, report = self.vegeta(proxy, urls, HTTP_PROXY=True, HTTPS_PROXY=True)
        self.assertRegex(report, r"Success\s+\[ratio\]\s+100.00%", str(sent) + report)
        proxy.wait_for(20)
        asked = proxy.asked()
        self.assertEqual(20, asked.count(("GET", urls[0])), asked)
        self.assertGreaterEqual(len(proxy.tunnels()), 1, asked)
        self.assertEqual(20, secure.request_count)

    def test_vegeta_takes_one_way(self):
        proxy, secure = self.proxy(), self.serve("--host", "0.0.0.0", *tls_args())
        urls = [f"https://0.0.0.0:{secure.port}/", "http://0.0.0.0:9/"]
        sent, _ = self.vegeta(proxy, urls, HTTPS_PROXY=True)
        self.assertEqual(1, sent.code, sent)
        self.assertIn("http://0.0.0.0:9: one attack goes through HTTPS_PROXY", sent.stderr)

    def test_vegeta_passes_over_this_machine(self):
        proxy, secure = self.proxy(), self.serve(*tls_args())
        sent, report = self.vegeta(proxy, [f"{secure.url}/"], HTTPS_PROXY=True)
        self.assertRegex(report, r"Success\s+\[ratio\]\s+100.00%", str(sent) + report)
        self.assertEqual([], proxy.asked())


if __name__ == "__main__":
    carronade.main()
