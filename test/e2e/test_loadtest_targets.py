"""`carronade loadtest` at WebSocket servers and through a proxy."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.loadtest_report import LoadtestReport  # noqa: E402
from support.serve_process import ServeProcess  # noqa: E402
from support.tinyproxy import ProxiedCase  # noqa: E402
from support.ws_server import WsServer  # noqa: E402


def load(*args):
    """A run with a home of its own, where no configuration lies: its report."""
    with tempfile.TemporaryDirectory() as home:
        outcome = carronade.run(["loadtest", "--cores", "1", *map(str, args)], cwd=home,
                                env={"HOME": home})
    if outcome.code != 0:
        raise AssertionError(str(outcome))
    return LoadtestReport(outcome.stdout)


class WebSocketTest(unittest.TestCase):
    def test_messages_of_the_package_ws(self):
        with WsServer() as server:
            report = load("-n", 40, "-c", 4, "-P", "text", server.ws())
            counts = server.counts()
        self.assertEqual((40, 0, 4), (report.completed, report.errors, report.clients))
        self.assertEqual("none", report.fields["agent"])
        self.assertEqual((40, 0), (counts["text"], counts["binary"]))
        self.assertGreater(report.milliseconds("p50"), 0)

    def test_certificates_are_not_looked_at(self):
        with WsServer(tls=True) as server:
            report = load("-n5", "-c1", server.ws())
            self.assertEqual(5, server.counts()["text"])
        self.assertEqual((5, 0), (report.completed, report.errors))

    def test_a_rate(self):
        with ServeProcess() as server:
            report = load("-n", 30, "--rps", 60, f"ws://127.0.0.1:{server.port}/echo")
            self.assertEqual(30, server.stats()["webSocket"]["text"])
        self.assertEqual((30, 0), (report.completed, report.errors))

    def test_a_time(self):
        with ServeProcess() as server:
            report = load("-t1", "-c3", f"ws://127.0.0.1:{server.port}/echo")
            received = server.stats()["webSocket"]["text"]
        self.assertEqual(0, report.errors)
        self.assertGreater(report.completed, 0)
        # What was in flight at the end is in no figure.
        self.assertLessEqual(report.completed, received)
        self.assertLessEqual(received, report.completed + 3)

    def test_refused_handshakes_have_their_status(self):
        with ServeProcess() as server:
            report = load("-n3", "-c1", f"ws://127.0.0.1:{server.port}/status/404")
        self.assertEqual(({"404": 3}, 3), (report.codes, report.completed))


class ProxyTest(ProxiedCase):
    def through(self, *args, requests=6):
        proxy = self.proxy()
        report = load("-n", requests, "-c", 2, "--proxy", proxy.proxy_url(), *args)
        self.assertEqual((requests, 0), (report.completed, report.errors))
        return proxy

    def test_http_in_absolute_form(self):
        server = self.serve()
        proxy = self.through("-k", f"{server.url}/")
        self.assertEqual(6, server.request_count)
        proxy.wait_for(1)
        self.assertEqual([], proxy.tunnels())
        self.assertTrue(proxy.asked()[0][1].startswith("http://127.0.0.1:"), proxy.asked())

    def test_an_index_in_absolute_form(self):
        server = self.serve()
        proxy = self.through("--index", "ID", "-P", "n=ID", f"{server.url}/ID")
        self.assertEqual(6, server.request_count)
        proxy.wait_for(6)
        self.assertEqual(sorted(f"{server.url}/{i}" for i in range(1, 7)),
                         sorted(target for _, target in proxy.asked()))

    def test_https_and_ws_through_tunnels(self):
        secure = self.serve("--tls")
        proxy = self.through("--insecure", f"{secure.url}/")
        self.assertEqual(6, len(proxy.tunnels()))
        plain = self.serve()
        proxy = self.through(f"ws://127.0.0.1:{plain.port}/echo")
        self.assertEqual(6, plain.stats()["webSocket"]["text"])
        self.assertEqual(2, len(proxy.tunnels()))

    def test_a_proxy_that_is_not_there(self):
        report = load("-n2", "-c1", "--proxy", "http://127.0.0.1:1", "http://127.0.0.1:2/")
        self.assertEqual({"-1": 2}, report.codes)


if __name__ == "__main__":
    carronade.main()
