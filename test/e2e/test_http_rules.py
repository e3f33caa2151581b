"""The rules of HTTP/1.1 for answers, each against a peer that exercises it."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.scripted_peer import Peer, answer, close, half_close, read, send, serve  # noqa: E402

CHUNKED = (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
           b"5;name=value;q=\"a;b\"\r\nhello\r\n1\r\n \r\n0005 ; x\r\nworld\r\n"
           b"0;last\r\nX-Trailer: 1\r\nX-Other:  two\r\n\r\n")


class AnswersTest(unittest.TestCase):
    def clean(self, scripts, args=("-a", "6", "-c", "1"), status=200, timeout=30.0):
        """Runs to an exact amount; every request is answered once and nothing is wrong."""
        with Peer(*scripts) as peer:
            outcome = carronade.run_json([*args, "-t", "5", peer.url()], timeout)
            peer.stop()
        amount = int(args[args.index("-a") + 1])
        self.assertEqual([], peer.faults, outcome)
        self.assertEqual(0, outcome.report["errors"], outcome)
        self.assertEqual({status: amount}, outcome.statuses(), outcome)
        self.assertEqual(peer.connection_count, outcome.own["connections"]["opened"], outcome)
        self.assertEqual(peer.connection_count - 1, outcome.own["connections"]["reconnects"],
                         outcome)
        self.assertEqual(0, outcome.code, outcome)
        return outcome, peer

    def kept_open(self, reply, body_bytes, args=("-a", "6", "-c", "1"), status=200, **how):
        """The answer is understood and the connection stays, also when pipelined."""
        for pipelining in ("1", "3"):
            with self.subTest(pipelining=pipelining):
                outcome, peer = self.clean([[serve(reply, **how)]], [*args, "-p", pipelining],
                                           status)
                amount = outcome.answered
                self.assertEqual(1, peer.connection_count, outcome)
                self.assertEqual(amount, peer.request_count, outcome)
                self.assertEqual(amount * body_bytes, outcome.own["bytes"]["body"], outcome)
                self.assertEqual(peer.bytes_sent, outcome.own["bytes"]["received"], outcome)

    def closed_after_each(self, reply):
        """The peer keeps the connection open and silent: the client has to close it."""
        outcome, peer = self.clean([[read(), send(reply)]], ["-a", "4", "-c", "1"])
        self.assertEqual([1] * 4, [c.request_count for c in peer.connections], outcome)

    def test_content_length(self):
        self.kept_open(answer(b"x" * 1000), 1000)

    def test_content_length_of_zero(self):
        self.kept_open(answer(b""), 0)

    def test_large_body(self):
        self.kept_open(answer(b"x" * 3_000_000), 3_000_000)

    def test_body_that_looks_like_an_answer(self):
        self.kept_open(answer(answer(b"inner")), len(answer(b"inner")))

    def test_chunked_with_extensions_and_trailers(self):
        self.kept_open(CHUNKED, 11)

    def test_chunked_in_any_case(self):
        self.kept_open(b"HTTP/1.1 200 OK\r\ntransfer-encoding:CHUNKED\r\n\r\nA\r\n0123456789\r\n"
                       b"0\r\n\r\n", 10)

    def test_large_chunks(self):
        chunk = b"10000\r\n" + b"c" * 65536 + b"\r\n"
        self.kept_open(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk * 20
                       + b"0\r\n\r\n", 65536 * 20)

    def test_byte_by_byte(self):
        self.kept_open(answer(b"slowly", headers=[("X-A", "b")]), 6, piece=1, pause=0.0005)

    def test_chunked_byte_by_byte(self):
        self.kept_open(CHUNKED, 11, piece=1, pause=0.0005)

    def test_odd_pieces(self):
        for piece in (2, 3, 7, 16, 61):
            with self.subTest(piece=piece):
                self.kept_open(CHUNKED, 11, piece=piece, pause=0.0005)

    def test_head_has_no_body(self):
        reply = answer(b"", headers=[("Content-Length", "1000")], length=False)
        self.kept_open(reply, 0, ("-a", "6", "-c", "1", "-m", "HEAD"))

    def test_head_has_no_chunks(self):
        reply = answer(b"", headers=["Transfer-Encoding: chunked"], length=False)
        self.kept_open(reply, 0, ("-a", "6", "-c", "1", "-m", "HEAD"))

    def test_204_has_no_body(self):
        for header in ("Content-Length: 5", "Transfer-Encoding: chunked", "X-None: 1"):
            with self.subTest(header=header):
                reply = answer(b"", "204 No Content", [header], length=False)
                self.kept_open(reply, 0, status=204)

    def test_304_has_no_body(self):
        for header in ("Content-Length: 5", "Transfer-Encoding: chunked", "X-None: 1"):
            with self.subTest(header=header):
                reply = answer(b"", "304 Not Modified", [header], length=False)
                self.kept_open(reply, 0, status=304)

    def test_informational_answers_are_skipped(self):
        hints = b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n"
        unasked = b"HTTP/1.1 100 Continue\r\n\r\n"
        for name, before in (("103", hints), ("100", unasked), ("both", hints * 2 + unasked)):
            with self.subTest(before=name):
                self.kept_open(before + answer(b"final"), 5)

    def test_informational_answer_by_itself(self):
        script = [read(), send(b"HTTP/1.1 103 Early Hints\r\nX-A: b\r\n\r\n", 9, 0.002),
                  send(answer(b"final"))]
        outcome, _ = self.clean([script * 3], ["-a", "3", "-c", "1"])
        self.assertEqual(0, outcome.report["1xx"], outcome)

    def test_status_without_reason(self):
        self.kept_open(b"HTTP/1.1 200\r\nContent-Length: 1\r\n\r\nx", 1)
        self.kept_open(b"HTTP/1.1 200 \r\nContent-Length: 1\r\n\r\nx", 1)

    def test_bare_line_feeds(self):
        self.kept_open(b"HTTP/1.1 200 OK\nContent-Length: 5\nX-A: b\n\nhello", 5)
        self.kept_open(b"HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\nhello\n0\n\n", 5)

    def test_spaces_around_values(self):
        self.kept_open(b"HTTP/1.1 200 OK\r\nContent-Length: \t 5 \t\r\nX-Empty:\r\n\r\nhello", 5)

    def test_same_length_twice(self):
        reply = answer(b"hello", headers=[("content-length", "5")])
        self.kept_open(reply, 5)

    def test_headers_up_to_64_kib(self):
        self.kept_open(answer(b"ok", headers=[("X-Long", "h" * 60_000)]), 2)
        self.kept_open(answer(b"ok", headers=[(f"X-{i}", "v" * 40) for i in range(1200)]), 2)

    def test_headers_split_in_the_middle(self):
        self.kept_open(answer(b"ok", headers=[("X-Long", "h" * 60_000)]), 2, piece=10_007,
                       pause=0.001)

    def test_connection_close_in_any_case_and_spacing(self):
        for header in ("Connection: close", "connection:close", "CONNECTION:  CLOSE  ",
                       "Connection: foo , Close", "Connection: keep-alive,\tclose",
                       "Connection: foo\r\nConnection: cLOSe"):
            with self.subTest(header=header):
                self.closed_after_each(answer(b"bye", headers=[header]))

    def test_connection_names_that_only_contain_close(self):
        for header in ("Connection: closed", "Connection: not-close", "X-Connection: close",
                       "Proxy-Connection: close"):
            with self.subTest(header=header):
                self.kept_open(answer(b"stay", headers=[header]), 4)

    def test_connection_close_on_chunked_and_empty_answers(self):
        self.closed_after_each(CHUNKED.replace(b"chunked", b"chunked\r\nConnection: close", 1))
        self.closed_after_each(answer(b"", headers=["Connection: close"]))

    def test_connection_close_with_requests_pipelined_behind_it(self):
        script = [read(), send(answer(b"bye", headers=["Connection: close"]))]
        # The last of a pipeline is sent three times: what is behind an announced close was
        # certainly not served, so that no second chance is used up.
        outcome, peer = self.clean([script], ["-a", "4", "-c", "1", "-p", "3"])
        self.assertEqual(4, peer.connection_count, outcome)
        self.assertGreater(outcome.requests["retried"], 0, outcome)

    def test_http_1_0_closes(self):
        self.closed_after_each(answer(b"old", version="HTTP/1.0"))

    def test_http_1_0_with_keep_alive(self):
        for value in ("keep-alive", "Keep-Alive", "KEEP-ALIVE , foo"):
            with self.subTest(value=value):
                self.kept_open(answer(b"old", headers=[("Connection", value)],
                                      version="HTTP/1.0"), 3)

    def test_body_until_close(self):
        for version in ("HTTP/1.1", "HTTP/1.0"):
            with self.subTest(version=version):
                reply = answer(b"until the end", version=version, length=False)
                outcome, peer = self.clean([[read(), send(reply, 5, 0.001), close()]],
                                           ["-a", "4", "-c", "1"])
                self.assertEqual(4, peer.connection_count, outcome)
                self.assertEqual(4 * 13, outcome.own["bytes"]["body"], outcome)

    def test_empty_body_until_close(self):
        reply = answer(b"", length=False)
        outcome, _ = self.clean([[read(), send(reply), close()]], ["-a", "4", "-c", "1"])
        self.assertEqual(0, outcome.own["bytes"]["body"], outcome)

    def test_close_without_notice_after_a_whole_answer(self):
        outcome, peer = self.clean([[read(), send(answer(b"gone")), close()]],
                                   ["-a", "6", "-c", "1"])
        self.assertEqual(6, peer.connection_count, outcome)

    def test_half_close_after_a_whole_answer(self):
        outcome, _ = self.clean([[read(), send(answer(b"gone")), half_close()]],
                                ["-a", "6", "-c", "1"])
        self.assertEqual(6, outcome.own["connections"]["opened"], outcome)

    def test_any_final_status_is_an_answer(self):
        for status in (201, 302, 404, 429, 500, 503, 599):
            with self.subTest(status=status):
                self.kept_open(answer(b"x", f"{status} Some Reason"), 1, status=status)


if __name__ == "__main__":
    carronade.main()
