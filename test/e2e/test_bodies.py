"""Requests arrive byte for byte as they were asked for."""

import base64
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade, rooms  # noqa: E402
from support.scripted_peer import Peer, serve  # noqa: E402

ALL_BYTES = bytes(range(256))


class RequestsTest(unittest.TestCase):
    def received(self, args, path="/", amount=3, feed=None, host=None, credentials=""):
        """Runs with `args` and returns the first request; all of them must be the same."""
        with Peer([serve()]) as peer:
            url = peer.url(path, host).replace("://", f"://{credentials}")
            outcome = carronade.run_json([*args, "-a", str(amount), "-c", "1", url], feed=feed)
            peer.stop()
        self.assertEqual([], peer.faults, outcome)
        self.assertEqual(amount, peer.request_count, outcome)
        self.assertEqual(amount, outcome.answered, outcome)
        self.assertEqual(1, len({request.raw for request in peer.requests}), outcome)
        self.assertEqual(peer.bytes_received, outcome.own["bytes"]["sent"], outcome)
        self.port = peer.port
        return peer.requests[0]

    def test_default_request(self):
        request = self.received([])
        self.assertEqual(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
                         "Connection: keep-alive\r\n\r\n".encode(), request.raw)

    def test_body_of_the_command_line(self):
        request = self.received(["-m", "POST", "-b", '{"ahoy": "schön"}'])
        self.assertEqual('{"ahoy": "schön"}'.encode(), request.body)
        self.assertEqual(["18"], request.values("Content-Length"))

    def test_body_that_looks_like_a_number(self):
        for body in ("1", "0", "007", "1e3", "true"):
            with self.subTest(body=body):
                self.assertEqual(body.encode(), self.received(["-m", "PUT", "-b", body]).body)

    def test_body_in_brackets(self):
        self.assertEqual(b'[{"a":1}]', self.received(["-m", "POST", "-b", '[{"a":1}]']).body)

    def test_body_of_a_file(self):
        body = ALL_BYTES * 5 + b"\r\n\r\n" + b"\n"
        with tempfile.NamedTemporaryFile() as file:
            file.write(body)
            file.flush()
            request = self.received(["-m", "POST", "-i", file.name])
        self.assertEqual(body, request.body)
        self.assertEqual([str(len(body))], request.values("Content-Length"))

    def test_large_body_of_a_file_pipelined(self):
        body = ALL_BYTES * 4096 + b"end"
        with tempfile.NamedTemporaryFile() as file:
            file.write(body)
            file.flush()
            request = self.received(["-m", "POST", "-p", "3", "-i", file.name], amount=7)
        self.assertEqual(body, request.body)

    def test_body_of_standard_input(self):
        body = ALL_BYTES + b"\0\0" + ALL_BYTES
        self.assertEqual(body, self.received(["-m", "POST", "-i", "-"], feed=body).body)

    def test_empty_post_says_so(self):
        self.assertEqual(["0"], self.received(["-m", "POST"]).values("Content-Length"))

    def test_get_without_body_has_no_length(self):
        self.assertEqual([], self.received([]).values("Content-Length"))

    def test_right_content_length_whatever_the_user_says(self):
        request = self.received(["-m", "POST", "-b", "12345", "-H", "content-length=99"])
        self.assertEqual(["5"], request.values("Content-Length"))

    def test_headers_keep_order_case_and_repetition(self):
        request = self.received(["-H", "X-Zebra=1", "-H", "x-ant=2", "-H", "X-Zebra=3",
                                 "-H", "X-Empty=", "-H", "X-Signs=a=b:c"])
        own = [pair for pair in request.headers if pair[0].lower().startswith("x-")]
        self.assertEqual([("X-Zebra", "1"), ("x-ant", "2"), ("X-Zebra", "3"), ("X-Empty", ""),
                          ("X-Signs", "a=b:c")], own)

    def test_headers_replace_defaults_once_in_any_case(self):
        request = self.received(["-H", "hOsT=elsewhere.example", "-H", "connection=Keep-Alive"])
        self.assertEqual([("hOsT", "elsewhere.example"), ("connection", "Keep-Alive")],
                         request.headers)

    def test_any_method(self):
        for method in ("DELETE", "PATCH", "OPTIONS", "PURGE", "M-SEARCH"):
            with self.subTest(method=method):
                self.assertEqual(method, self.received(["-m", method], amount=1).method)

    def test_path_and_query_without_the_fragment(self):
        request = self.received([], "/a/b%20c?x=1&y=%2F#frag")
        self.assertEqual("/a/b%20c?x=1&y=%2F", request.target)

    def test_bytes_that_no_request_line_may_have(self):
        self.assertEqual("/sp%20ace/%C3%B6", self.received([], "/sp ace/ö").target)

    def test_basic_auth_of_the_url(self):
        request = self.received([], credentials="us%40er:p%3Ass@")
        token = base64.b64encode(b"us@er:p:ss").decode()
        self.assertEqual([f"Basic {token}"], request.values("Authorization"))
        self.assertEqual(f"127.0.0.1:{self.port}", request.header("Host"))

    def test_authorization_of_the_user_wins(self):
        request = self.received(["-H", "authorization=Bearer t"], credentials="a:b@")
        self.assertEqual(["Bearer t"], request.values("Authorization"))

    def test_ipv6_literal_has_brackets_in_host(self):
        rooms.require_ipv6()
        with Peer([serve()], host="::1") as peer:
            outcome = carronade.run_json(["-a", "4", "-c", "2", peer.url()])
            peer.stop()
        self.assertEqual({f"[::1]:{peer.port}"}, {r.header("Host") for r in peer.requests})
        self.assertEqual([f"[::1]:{peer.port}"], outcome.own["addresses"], outcome)

    def test_host_of_a_unix_socket_comes_from_the_url(self):
        with tempfile.TemporaryDirectory() as folder:
            with Peer([serve()], unix=f"{folder}/s") as peer:
                outcome = carronade.run_json(["-a", "4", "-c", "2", "-S", peer.unix,
                                              "http://some.example:81/path"])
                peer.stop()
        self.assertEqual({"some.example:81"}, {r.header("Host") for r in peer.requests}, outcome)
        self.assertEqual({"/path"}, {r.target for r in peer.requests}, outcome)

    def test_url_without_a_scheme(self):
        with Peer([serve()]) as peer:
            carronade.run_json(["-a", "1", "-c", "1", f"127.0.0.1:{peer.port}/x"])
            peer.stop()
        self.assertEqual("/x", peer.requests[0].target)


class TargetsTest(unittest.TestCase):
    def test_connection_i_uses_target_i_mod_n(self):
        for workers in ("1", "3"):
            with self.subTest(workers=workers), Peer([serve()]) as a, Peer([serve()]) as b:
                outcome = carronade.run_json(
                    ["-M", "6", "-c", "7", "-w", workers, a.url("/0"), b.url("/1"), a.url("/2")])
                a.stop()
                b.stop()
                self.assertEqual(0, outcome.report["errors"], outcome)
                per_connection = [{r.target for r in a.requests if r.connection == i}
                                  for i in range(a.connection_count)]
                # Connections 0 3 6 go to /0, 1 4 to /1 and 2 5 to /2.
                self.assertEqual(["/0"] * 3 + ["/2"] * 2,
                                 sorted(min(targets) for targets in per_connection), outcome)
                self.assertTrue(all(len(targets) == 1 for targets in per_connection), outcome)
                self.assertEqual([6] * 5, [c.request_count for c in a.connections], outcome)
                self.assertEqual([6] * 2, [c.request_count for c in b.connections], outcome)
                self.assertEqual({"/1"}, {r.target for r in b.requests}, outcome)

    def test_targets_survive_a_reconnect(self):
        with Peer([serve()]) as peer:
            outcome = carronade.run_json(["-M", "6", "-D", "2", "-c", "2", peer.url("/0"),
                                          peer.url("/1")])
            peer.stop()
        targets = [r.target for r in peer.requests]
        self.assertEqual((6, 6), (targets.count("/0"), targets.count("/1")), outcome)
        self.assertEqual(6, peer.connection_count, outcome)

    def test_two_origins_of_different_kinds(self):
        rooms.require_ipv6()
        with Peer([serve()]) as four, Peer([serve()], host="::1") as six:
            outcome = carronade.run_json(["-M", "5", "-c", "2", four.url(), six.url()])
            four.stop()
            six.stop()
        self.assertEqual((5, 5), (four.request_count, six.request_count), outcome)
        self.assertEqual({f"127.0.0.1:{four.port}", f"[::1]:{six.port}"},
                         set(outcome.own["addresses"]), outcome)


if __name__ == "__main__":
    carronade.main()
