"""--har: what of a HAR file goes to which server, in both forms, byte for byte."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.scripted_peer import Peer, serve  # noqa: E402


def entry(method, url, headers=(), body=None):
    request = {"method": method, "url": url,
               "headers": [{"name": name, "value": value} for name, value in headers]}
    if body is not None:
        request["postData"] = {"mimeType": "text/plain", "text": body}
    return {"request": request}


class HarTest(unittest.TestCase):
    def write(self, entries):
        file = tempfile.NamedTemporaryFile("w", suffix=".har", encoding="utf-8")
        self.addCleanup(file.close)
        json.dump({"log": {"version": "1.2", "entries": entries}}, file)
        file.flush()
        return file.name

    def lines(self, requests):
        return [f"{request.method} {request.target}" for request in requests]

    def test_entries_in_turn_on_each_connection(self):
        with Peer([serve()]) as peer:
            har = self.write([entry("GET", peer.url("/get?a=b c")),
                              entry("POST", peer.url("/post"), body="x\u00e9=1"),
                              entry("DELETE", peer.origin())])
            outcome = carronade.run_json(["--har", har, "-c", "2", "-a", "14", peer.url("/mine")])
            peer.stop()
        self.assertEqual(14, outcome.answered, outcome)
        self.assertEqual([], peer.faults)
        self.assertEqual(2, peer.connection_count, outcome)
        for index in range(2):
            requests = [r for r in peer.requests if r.connection == index]
            expected = ["GET /get?a=b%20c", "POST /post", "DELETE /"] * 5
            self.assertEqual(expected[:len(requests)], self.lines(requests), outcome)
            for request in requests:
                wanted = "x\u00e9=1".encode() if request.method == "POST" else b""
                self.assertEqual(wanted, request.body)
        self.assertEqual(14, len(peer.requests))

    def test_several_hosts_and_a_warning_for_the_rest(self):
        with Peer([serve()]) as one, Peer([serve()]) as two:
            har = self.write([entry("GET", one.url("/1")), entry("GET", two.url("/2")),
                              entry("GET", "https://other.example/x"), entry("PUT", one.url("/3"))])
            args = ["--har", har, "-c", "2", "-a", "8", one.url(), two.url()]
            plain = carronade.run(args)
            strict = carronade.run(["autocannon", *args])
            one.stop()
            two.stop()
        skipped = (f"skipping requests to 'https://other.example' as the target is "
                   f"{one.origin()}, {two.origin()}\n")
        self.assertEqual(0, plain.code, plain)
        self.assertTrue(plain.stderr.startswith("carronade: warning: " + skipped), plain)
        self.assertEqual(0, strict.code, strict)
        self.assertTrue(strict.stderr.startswith("Warning: " + skipped), strict)
        self.assertEqual(16, len(one.requests) + len(two.requests))
        self.assertEqual({"GET /1", "PUT /3"}, set(self.lines(one.requests)))
        self.assertEqual({"GET /2"}, set(self.lines(two.requests)))

    RECORDED = [("X-D", "1"), ("Host", "httpbin.org"), ("X-D", "2"), ("Connection", "keep-alive"),
                ("user-agent", "har"), ("Content-Length", "5")]

    def shoot(self, *prefix):
        with Peer([serve()]) as peer:
            har = self.write([entry("GET", peer.url("/p?a=b#frag"), self.RECORDED),
                              entry("POST", peer.url("/form"), [("Content-Type", "a/b")], "foo")])
            outcome = carronade.run([*prefix, "--har", har, "-c", "1", "-a", "2", "-b", "ignored",
                                     "-m", "PATCH", "-H", "User-Agent:mine", "-H", "X-D=0",
                                     peer.url("/mine")])
            peer.stop()
        self.assertEqual(0, outcome.code, outcome)
        self.assertEqual([], peer.faults, outcome)
        return outcome, peer, [request.raw.decode() for request in peer.requests]

    def test_the_plain_form_sends_what_is_right(self):
        outcome, peer, sent = self.shoot()
        self.assertEqual(
            ["GET /p?a=b HTTP/1.1\r\n"
             f"Host: 127.0.0.1:{peer.port}\r\nConnection: keep-alive\r\n"
             "X-D: 1\r\nX-D: 2\r\nuser-agent: har\r\n\r\n",
             "POST /form HTTP/1.1\r\n"
             f"Host: 127.0.0.1:{peer.port}\r\nConnection: keep-alive\r\n"
             "User-Agent: mine\r\nX-D: 0\r\nContent-Type: a/b\r\nContent-Length: 3\r\n\r\nfoo"],
            sent, outcome)
        self.assertIn("warning: -m, -b, -i and -F are ignored beside --har", outcome.stderr)

    def test_the_strict_form_sends_what_autocannon_sends(self):
        # As autocannon 9 was seen to do; Content-Length stands last.
        outcome, peer, sent = self.shoot("autocannon")
        self.assertEqual(
            ["GET /p?a=b#frag HTTP/1.1\r\nConnection: keep-alive\r\n"
             "User-Agent: mine\r\nX-D: 2\r\nHost: httpbin.org\r\nConnection: keep-alive\r\n"
             "user-agent: har\r\nContent-Length: 7\r\n\r\nignored",
             "POST /form HTTP/1.1\r\n"
             f"Host: 127.0.0.1:{peer.port}\r\nConnection: keep-alive\r\n"
             "User-Agent: mine\r\nX-D: 0\r\nContent-Type: a/b\r\nContent-Length: 3\r\n\r\nfoo"],
            sent, outcome)

    def test_a_url_without_entries(self):
        har = self.write([entry("GET", "https://other.example/x")])
        with Peer([serve()]) as peer:
            args = ["--har", har, "-c", "1", "-a", "2", peer.url("/mine")]
            plain = carronade.run(args)
            strict = carronade.run(["autocannon", *args])
            peer.stop()
        self.assertEqual(1, plain.code, plain)
        self.assertEqual(f"carronade: --har {har} has no entry for {peer.origin()}; it has them "
                         "for https://other.example\n", plain.stderr)
        self.assertEqual(0, strict.code, strict)
        self.assertEqual(["GET /mine"] * 2, self.lines(peer.requests))

    def test_errors(self):
        for content, reason in ((b"{", "Unexpected end of JSON input"), (b"{x", "Unexpected token"),
                                (b"{}", "Could not parse HAR content: no entries found")):
            with tempfile.NamedTemporaryFile(suffix=".har") as file:
                file.write(content)
                file.flush()
                plain = carronade.run(["--har", file.name, "http://127.0.0.1:1"])
                strict = carronade.run(["autocannon", "--har", file.name, "http://127.0.0.1:1"])
            self.assertEqual(1, plain.code, plain)
            self.assertTrue(plain.stderr.startswith(f"carronade: --har {file.name}: "), plain)
            self.assertEqual(1, plain.stderr.count("\n"), plain)
            self.assertEqual(1, strict.code, strict)
            self.assertTrue(strict.stderr.startswith(
                f"Error: Failed to load HAR file content: {reason}"), strict)

    def test_from_standard_input_also_before_a_warm_up(self):
        with Peer([serve()]) as peer:
            har = json.dumps({"log": {"entries": [entry("GET", peer.url("/h"))]}})
            outcome = carronade.run(["--har", "-", "-c", "1", "-a", "3", "-W", "[", "-a", "2", "]",
                                     peer.url()], feed=har.encode())
            peer.stop()
        self.assertEqual(0, outcome.code, outcome)
        self.assertEqual(["GET /h"] * 5, self.lines(peer.requests), outcome)


if __name__ == "__main__":
    carronade.main()
