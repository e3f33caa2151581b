"""`carronade siege`: its loads, users and files, by the count of the peer."""

import collections
import gzip
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.rest_server import RestServer  # noqa: E402
from support.scripted_peer import Peer, answer, read, reset, serve  # noqa: E402
from support.siege_case import PLAIN, SiegeCase  # noqa: E402


class SiegeLoadTest(SiegeCase):
    def test_post_of_a_file_with_a_token(self):
        task = self.file("task.json", json.dumps({"title": "load"}))
        with RestServer() as server:
            outcome, report = self.siege("-c50", "-t10s", "-H", server.authorization,
                                         f"{server.url('/tasks')} POST < {task}", rc=None)
            counts = server.counts()
        self.assertEqual(["POST 201"], list(counts), outcome)
        self.assertEqual(report["transactions"], report["successful"], outcome)
        self.assertEqual(0, report["failed"], outcome)
        # Those in flight at the end are the server's alone.
        self.assertLessEqual(report["transactions"], counts["POST 201"], outcome)
        self.assertGreaterEqual(report["transactions"], counts["POST 201"] - 50, outcome)
        self.assertGreater(report["transactions"], 100, outcome)
        self.assertAlmostEqual(10, report["elapsed"], delta=0.5)
        self.assertIn("\nLifting the server siege...\nTransactions:", outcome.stderr)

    def test_get_with_a_token(self):
        with RestServer() as server:
            outcome, report = self.siege("-c5", "-r20", "-H", server.authorization, server.url())
            self.assertEqual({"GET 200": 100}, server.counts(), outcome)
        self.assertEqual(100, report["transactions"], outcome)
        self.assertEqual(100, outcome.stdout.count("HTTP/1.1 200 "), outcome)

    def test_repetitions_are_exact(self):
        outcome, report, peer = self.against([[serve()]], "-c", "7", "-r", "11")
        self.assertEqual(77, peer.request_count, outcome)
        self.assertEqual(77, peer.connection_count, outcome)
        self.assertEqual(77, report["transactions"], outcome)
        self.assertNotIn("Lifting", outcome.stderr)

    def test_kept_connections(self):
        outcome, report, peer = self.against([[serve()]], "-c", "3", "-r", "20",
                                             rc=PLAIN + "connection = keep-alive\n")
        self.assertEqual(60, peer.request_count, outcome)
        self.assertEqual(3, peer.connection_count, outcome)
        self.assertEqual(60, report["transactions"], outcome)

    def test_a_kept_connection_that_is_cut_is_a_failure(self):
        script = [serve(limit=2), read(), reset()]
        outcome, report, peer = self.against([script], "-c", "2", "-r", "9",
                                             rc=PLAIN + "connection = keep-alive\n")
        self.assertEqual(18, peer.request_count, outcome)
        self.assertEqual([3] * 6, [c.request_count for c in peer.connections])
        self.assertEqual((12, 6), (report["transactions"], report["failed"]), outcome)

    def test_no_time_at_all_is_refused(self):
        outcome, _ = self.siege("-t", "0s", "http://127.0.0.1:1/", code=1)
        self.assertEqual(1, outcome.stderr.count("\n"), outcome)
        self.assertIn("-t: the time to run has to be above 0", outcome.stderr)

    def test_once_walks_through_the_list_for_each_user(self):
        with Peer([serve()]) as peer:
            urls = self.file("urls", "\n".join(peer.url(f"/{i}") for i in range(5)))
            outcome, report = self.siege("-c", "2", "-r", "once", "-f", urls)
            peer.stop()
        self.assertEqual(sorted([f"/{i}" for i in range(5)] * 2),
                         sorted(r.target for r in peer.requests), outcome)
        self.assertEqual(10, report["transactions"], outcome)

    def test_time_ends_on_time(self):
        outcome, report, _ = self.against([[serve()]], "-c", "2", "-t", "1S")
        self.assertGreaterEqual(report["elapsed"], 1, outcome)
        self.assertLess(outcome.seconds, 1 + carronade.SLACK_S, outcome)

    def test_delays_are_no_part_of_the_times(self):
        outcome, report, peer = self.against([[serve()]], "-c", "4", "-r", "4", "-d", "0.4")
        self.assertEqual(16, peer.request_count, outcome)
        # Three pauses a user of 0.2 s on average; their sum below 0.1 s for all four: 1 in 10^9.
        self.assertGreater(report["elapsed"], 0.1, outcome)
        self.assertLess(report["concurrency"], 4, outcome)

    def test_time_wins_over_repetitions(self):
        outcome, report, _ = self.against([[serve()]], "-c", "1", "-r", "1", "-t", "1S")
        self.assertIn("CONFIG conflict", outcome.stderr)
        self.assertGreater(report["transactions"], 1, outcome)

    def test_several_hosts(self):
        with Peer([serve(answer(b"one"))]) as one, Peer([serve(answer(b"three"))]) as two:
            urls = self.file("urls", f"A={one.origin()}\n$(A)/a\n{two.url('/b')}\n")
            outcome, report = self.siege("-c", "3", "-r", "4", "-f", urls)
            one.stop()
            two.stop()
        self.assertEqual(12, report["transactions"], outcome)
        self.assertEqual(6, one.request_count, outcome)
        self.assertEqual(6, two.request_count, outcome)


class SiegeUserTest(SiegeCase):
    def test_redirects_cookies_and_pages(self):
        page = gzip.compress(b"<img src=a.png><script src='/b.js'></script><img src=/a.png>")

        def reply(request):
            if request.target == "/go":
                return answer(b"", "302 Found", [("Location", "/dir/page"),
                                                 ("Set-Cookie", "k=v; path=/")])
            if request.target == "/dir/page":
                return answer(page, headers=[("Content-Type", "text/html"),
                                             ("Content-Encoding", "gzip")])
            return answer(b"x")

        outcome, report, peer = self.against([[serve(reply)]], "-c", "1", "-r", "1", path="/go")
        self.assertEqual(["/go", "/dir/page", "/dir/a.png", "/b.js", "/a.png"],
                         [r.target for r in peer.requests], outcome)
        self.assertEqual([None] + ["k=v"] * 4, [r.header("Cookie") for r in peer.requests])
        self.assertEqual(5, report["transactions"], outcome)
        lines = outcome.stdout.splitlines()
        self.assertEqual(5, len(lines), outcome)
        self.assertRegex(lines[1], rf"^HTTP/1\.1 200 +\d+\.\d\d secs: +{len(page)} bytes ==> "
                                   r"GET  /dir/page$")
        outcome, report, peer = self.against([[serve(reply)]], "-c", "1", "-r", "1", "--no-follow",
                                             path="/go")
        self.assertEqual(1, peer.request_count, outcome)
        outcome, report, peer = self.against([[serve(reply)]], "-c", "1", "-r", "1", "--no-parser",
                                             path="/go")
        self.assertEqual(2, peer.request_count, outcome)

    def test_other_hosts_are_left_alone(self):
        reply = answer(b"", "302 Found", [("Location", "http://localhost.invalid/")])
        outcome, report, peer = self.against([[serve(reply)]], "-c", "2", "-r", "3")
        self.assertEqual(6, peer.request_count, outcome)
        told = outcome.stderr.count("http://localhost.invalid is not followed")
        self.assertEqual(1, told, outcome)

    def test_logins(self):
        def reply(request):
            if request.header("Authorization") is None:
                return answer(b"no", "401 No", [("WWW-Authenticate",
                                                 'Digest realm="x", nonce="n", qop="auth"')])
            return answer()

        outcome, report, peer = self.against([[serve(reply)]], "-c", "2", "-r", "3",
                                             rc=PLAIN + "login = u:p#q:x\n")
        self.assertEqual(8, peer.request_count, outcome)  # each user is asked once
        self.assertEqual(8, report["transactions"], outcome)
        self.assertEqual(8, report["successful"], outcome)
        counts = sorted(re.search(r"nc=(\d+)", r.header("Authorization")).group(1)
                        for r in peer.requests if r.header("Authorization"))
        self.assertEqual(["00000001"] * 2 + ["00000002"] * 2 + ["00000003"] * 2, counts)
        outcome, report, peer = self.against([[serve(reply)]], "-c", "2", "-r", "3")
        self.assertEqual(6, report["failed"], outcome)
        self.assertEqual(1, outcome.stderr.count("Unable to respond"), outcome)

    def test_a_proxy_is_asked_for_the_whole_url(self):
        with Peer([serve()]) as peer:
            rc = PLAIN + f"proxy-host = 127.0.0.1\nproxy-port = {peer.port}\n"
            outcome, report = self.siege("-c1", "-r2", "http://far.example/x?y", rc=rc)
            peer.stop()
            self.assertEqual(["http://far.example/x?y"] * 2, [r.target for r in peer.requests])
            self.assertEqual("far.example", peer.requests[0].header("Host"))
        # test_proxy_dialects.py goes through the tunnel.
        with Peer([serve(answer(status=403))]) as peer:
            rc = PLAIN + f"proxy-host = 127.0.0.1\nproxy-port = {peer.port}\n"
            outcome, report = self.siege("-c1", "-r1", "https://far.example/", rc=rc)
            peer.stop()
            self.assertEqual([("CONNECT", "far.example:443")],
                             [(r.method, r.target) for r in peer.requests])
            self.assertEqual(1, report["failed"], outcome)
            self.assertIn("403", outcome.stderr)

    def test_login_urls_come_first(self):
        with Peer([serve()]) as peer:
            outcome, report = self.siege("-c2", "-r1", peer.url("/x"),
                                         rc=PLAIN + f"login-url = {peer.url('/in POST a=b')}\n")
            peer.stop()
        seen = collections.Counter((r.method, r.target, r.body) for r in peer.requests)
        self.assertEqual({("POST", "/in", b"a=b"): 2, ("GET", "/x", b""): 2}, seen, outcome)


class SiegeFilesTest(SiegeCase):
    def test_the_wire_cases_of_a_list(self):
        self.file("body.json", "{}\n")
        self.file("body.txt", "text \n")
        with Peer([serve()]) as peer:
            at = peer.origin()
            lines = ["# comment", "", f"HOST=127.0.0.1:{peer.port}  # cut", "http://$(HOST)/1",
                     "  http://${HOST}/2 # trailing", "$HOST/3", f"{at}/4?a=b c#frag",
                     f"{at}/%41%2f{{}}", f"{at}/6 POST a=\"b c\"", f"{at}/7 PUT   x",
                     f"{at}/8 DELETE", f"{at}/9 POST <{self.home}/body.json",
                     f"{at}/10 POST < {self.home}/body.txt", f"{at}/11 GET a=1",
                     f"{at}/12 post a=1",
                     f"HTTP://127.0.0.1:{peer.port}", f"localhost:{peer.port}/14"]
            outcome, report = self.siege("-c1", "-r", "once", "-f",
                                         self.file("urls", "\n".join(lines)), "--no-parser")
            peer.stop()
        self.assertEqual([("GET", "/1", b""), ("GET", "/2%20", b""), ("GET", "/3", b""),
                          ("GET", "/4?a=b%20c", b""), ("GET", "/A%2f%7B%7D", b""),
                          ("POST", "/6", b'a="b c"'), ("PUT", "/7", b"x"), ("DELETE", "/8", b""),
                          ("POST", "/9", b"{}\n"), ("POST", "/10", b"text"),
                          ("GET", "/11%20GET%20a=1", b""), ("GET", "/12%20post%20a=1", b""),
                          ("GET", "/", b""), ("GET", "/14", b"")],
                         [(r.method, r.target, r.body) for r in peer.requests], outcome)
        self.assertEqual(["Host", "Accept", "Accept-Encoding", "User-Agent", "Connection",
                          "Content-Type", "Content-Length"],
                         [n for n, _ in peer.requests[5].headers])
        self.assertEqual(14, report["transactions"], outcome)

    def test_the_log_file(self):
        log = self.home / "siege.log"
        with Peer([serve()]) as peer:
            self.siege("-c1", "-r2", f"-l{log}", peer.url())
            outcome, _ = self.siege("-c1", "-r1", f"--log={log}", "-m", "a mark", peer.url())
        lines = log.read_text().splitlines()
        self.assertEqual(4, len(lines), lines)
        self.assertTrue(lines[0].startswith("      Date & Time,  Trans,"), lines)
        self.assertRegex(lines[1], r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,      2, +[\d.]+, +0,")
        self.assertEqual("**** a mark ****", lines[2])
        self.assertIn(f"LOG FILE: {log}", outcome.stderr)

    def test_a_log_that_cannot_be_written(self):
        with Peer([serve()]) as peer:
            for path in ("/dev/full", "/nonexistent/log"):
                outcome, report = self.siege("-c1", "-r2", f"-l{path}", peer.url(), code=1)
                self.assertEqual(2, report["transactions"], outcome)
                self.assertIn(path, outcome.stderr)

    def test_cookies_are_read_and_rewritten_only_when_asked(self):
        jar = self.home / ".siege" / "cookies.txt"
        self.file(".siege/cookies.txt", "1 | a=b; domain=127.0.0.1; path=/; expires=9999999999\n")
        before = jar.read_text()
        reply = answer(headers=[("Set-Cookie", "c=d; Max-Age=1000")])
        outcome, _, peer = self.against([[serve(reply)]], "-c1", "-r2", "--no-parser")
        self.assertEqual(["a=b", "a=b; c=d"], [r.header("Cookie") for r in peer.requests], outcome)
        self.assertEqual(before, jar.read_text())
        self.against([[serve(reply)]], "-c1", "-r1", "--quirks")
        self.assertIn("c=d", jar.read_text())
        self.assertEqual([".siege", "rc"], sorted(p.name for p in self.home.iterdir()))

    def test_nothing_is_written_into_the_home(self):
        with Peer([serve()]) as peer:
            outcome, report = self.siege("-c1", "-r1", peer.url(), rc=None)
        self.assertEqual(1, report["transactions"], outcome)
        self.assertEqual([], list(self.home.iterdir()))

    def test_the_configuration_of_the_home(self):
        self.file(".siege/siege.conf", "concurrent = 3\nreps = 2\njson_output = true\n")
        with Peer([serve()]) as peer:
            outcome, _ = self.siege(peer.url(), rc=None)
            peer.stop()
        self.assertEqual(6, json.loads(outcome.stdout)["transactions"], outcome)
        self.assertEqual("HTTP/1.0", peer.requests[0].version)


if __name__ == "__main__":
    carronade.main()
