"""Answers that break HTTP/1.1 are errors with a name, and what is retried is counted once."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.scripted_peer import (  # noqa: E402
    Peer, answer, close, half_close, read, reset, send, serve, silent)


def shoot(test, scripts, args):
    with Peer(*scripts) as peer:
        outcome = carronade.run_json([*args, "-t", "5", peer.url()])
        peer.stop()
    test.assertEqual([], peer.faults, outcome)
    return outcome, peer


class MalformedAnswersTest(unittest.TestCase):
    def refused(self, reply, kind, text, then=()):
        """Each answer is one failure of that kind on a connection that is then given up."""
        outcome, peer = shoot(self, [[read(), send(reply), *then]], ["-a", "3", "-c", "1"])
        self.assertEqual([kind], [e["kind"] for e in outcome.errors()], outcome)
        self.assertEqual(3, outcome.requests["failed"], outcome)
        self.assertEqual(3, outcome.error_count(kind), outcome)
        self.assertEqual(0, outcome.answered, outcome)
        self.assertEqual([1, 1, 1], [c.request_count for c in peer.connections], outcome)
        self.assertRegex(outcome.error_texts().lower(), text, outcome)
        self.assertIn(f"127.0.0.1:{peer.port}", outcome.error_texts(), outcome)
        self.assertEqual(2, outcome.code, outcome)
        return outcome

    def parse_error(self, reply, kind, text):
        outcome = self.refused(reply, kind, text)
        self.assertEqual("parse", outcome.errors()[0]["phase"], outcome)

    def test_headers_over_64_kib(self):
        self.parse_error(answer(b"ok", headers=[("X-Long", "h" * 70_000)]), "headers_too_large",
                         "64 ?kib")

    def test_many_headers_over_64_kib(self):
        headers = [(f"X-{i}", "v" * 40) for i in range(2000)]
        self.parse_error(answer(b"ok", headers=headers), "headers_too_large", "64 ?kib")

    def test_headers_without_end(self):
        self.parse_error(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 20_000, "headers_too_large",
                         "64 ?kib")

    def test_conflicting_lengths(self):
        self.parse_error(answer(b"hello", headers=[("Content-Length", "6")]),
                         "conflicting_length", "content-length")

    def test_length_beside_chunked(self):
        self.parse_error(answer(b"0\r\n\r\n", headers=["Transfer-Encoding: chunked"]),
                         "conflicting_length", "content-length|transfer-encoding|chunked")

    def test_obs_fold(self):
        for fold in (" folded", "\tfolded"):
            with self.subTest(fold=fold):
                self.parse_error(answer(b"ok", headers=["X-A: b", fold]), "malformed_response",
                                 "fold")

    def test_not_http(self):
        for reply in (b"SSH-2.0-OpenSSH_9.2\r\n\r\n", b"<html>hello</html>\n\n",
                      b"HTTP/2 200\r\n\r\n", b"HTTP/1.1 2x0 OK\r\n\r\n",
                      b"\x00\x01\x02\x03\r\n\r\n"):
            with self.subTest(reply=reply):
                self.parse_error(reply, "malformed_response", "status|http")

    def test_length_that_is_no_number(self):
        for value in ("five", "-5", "+5", "0x5", "5 5", "99999999999999999999"):
            with self.subTest(value=value):
                self.refused(answer(b"hello", headers=[("Content-Length", value)], length=False),
                             "malformed_response", "content-length")

    def test_header_without_colon(self):
        self.parse_error(answer(b"ok", headers=["No colon here"]), "malformed_response", "header")

    def test_space_before_the_colon(self):
        self.parse_error(answer(b"ok", headers=["X-A : b"]), "malformed_response", "header")

    def test_malformed_chunk_size(self):
        for size in (b"xyz", b"", b"-5", b"ffffffffffffffffff"):
            with self.subTest(size=size):
                self.parse_error(answer(size + b"\r\nhello\r\n0\r\n\r\n", length=False,
                                        headers=["Transfer-Encoding: chunked"]),
                                 "malformed_chunk", "chunk")

    def test_chunk_longer_than_it_says(self):
        self.parse_error(answer(b"3\r\nhello\r\n0\r\n\r\n", length=False,
                                headers=["Transfer-Encoding: chunked"]),
                         "malformed_chunk", "chunk")

    def test_truncated_body(self):
        self.refused(answer(b"x" * 50, headers=[("Content-Length", "100")], length=False),
                     "truncated_response", "closed", [close()])

    def test_truncated_chunked_body(self):
        for part in (b"A\r\nhello", b"5\r\nhello\r\n", b"5\r\nhello\r\n0\r\n", b"5"):
            with self.subTest(part=part):
                self.refused(answer(part, headers=["Transfer-Encoding: chunked"], length=False),
                             "truncated_response", "closed", [close()])

    def test_truncated_headers(self):
        self.refused(b"HTTP/1.1 200 OK\r\nContent-Le", "truncated_response", "closed", [close()])

    def test_truncated_by_half_close(self):
        self.refused(answer(b"x" * 50, headers=[("Content-Length", "100")], length=False),
                     "truncated_response", "closed", [half_close()])

    def test_reset_in_the_middle(self):
        outcome, _ = shoot(self, [[read(), send(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab"),
                                   reset()]], ["-a", "3", "-c", "1"])
        self.assertEqual(3, outcome.error_count("connection_reset"), outcome)
        self.assertEqual(3, outcome.requests["failed"], outcome)
        self.assertIn("reset by peer", outcome.error_texts(), outcome)
        self.assertEqual(2, outcome.code, outcome)

    def test_excess_bytes_after_the_last_answer(self):
        outcome, peer = shoot(self, [[read(), send(answer(b"ok") + b"HTTP/1.1 200 OK\r\n\r\n")]],
                              ["-a", "4", "-c", "1"])
        self.assertGreaterEqual(outcome.error_count("excess_bytes"), 3, outcome)
        self.assertEqual({"excess_bytes"}, {e["kind"] for e in outcome.errors()}, outcome)
        self.assertEqual(4, peer.request_count, outcome)
        self.assertEqual([1] * 4, [c.request_count for c in peer.connections], outcome)

    def test_two_stray_bytes_after_a_body(self):
        outcome, _ = shoot(self, [[read(), send(answer(b"ok") + b"\r\n")]],
                           ["-a", "4", "-c", "1"])
        self.assertGreaterEqual(outcome.error_count("excess_bytes"), 3, outcome)

    def test_one_bad_answer_does_not_end_the_run(self):
        outcome, peer = shoot(self, [[read(), send(b"nonsense\r\n\r\n")], [serve()]],
                              ["-a", "10", "-c", "1"])
        self.assertEqual(1, outcome.requests["failed"], outcome)
        self.assertEqual(9, outcome.answered, outcome)
        self.assertEqual(2, peer.connection_count, outcome)
        self.assertEqual(0, outcome.code, outcome)

    def test_a_bad_answer_amid_pipelined_ones(self):
        # The first is answered; of those behind it the bad one fails, the rest got no byte.
        outcome, peer = shoot(self, [[read(3), send(answer() + b"nonsense\r\n\r\n")], [serve()]],
                              ["-a", "3", "-c", "1", "-p", "3"])
        self.assertGreaterEqual(outcome.answered, 1, outcome)
        self.assertGreaterEqual(outcome.requests["failed"], 1, outcome)
        self.assertEqual(3, outcome.answered + outcome.requests["failed"], outcome)
        self.assertEqual(peer.request_count, 3 + outcome.requests["retried"], outcome)


class RetriesTest(unittest.TestCase):
    def test_fresh_connection_closed_before_the_answer(self):
        outcome, peer = shoot(self, [[read(), close()]], ["-a", "3", "-c", "1"])
        self.assertEqual(3, outcome.error_count("closed_before_response"), outcome)
        self.assertEqual(3, outcome.requests["failed"], outcome)
        self.assertEqual(0, outcome.requests["retried"], outcome)
        self.assertEqual(3, peer.request_count, outcome)
        self.assertIn("closed before response", outcome.error_texts(), outcome)
        self.assertEqual(2, outcome.code, outcome)

    def test_fresh_connection_half_closed_before_the_answer(self):
        outcome, _ = shoot(self, [[read(), half_close()]], ["-a", "3", "-c", "1"])
        self.assertEqual(3, outcome.error_count("closed_before_response"), outcome)

    def test_reused_connection_closed_get_is_sent_again(self):
        script = [read(), send(answer()), read(), close()]
        outcome, peer = shoot(self, [script, [serve()]], ["-a", "3", "-c", "1"])
        self.assertEqual(0, outcome.report["errors"], outcome)
        self.assertEqual(3, outcome.answered, outcome)
        self.assertEqual(3, outcome.requests["sent"], outcome)
        self.assertEqual(1, outcome.requests["retried"], outcome)
        self.assertEqual(4, peer.request_count, outcome)
        self.assertEqual(2, peer.connection_count, outcome)
        self.assertEqual(3, outcome.own["latency"]["count"], outcome)

    def test_reused_connection_closed_post_is_not_sent_again(self):
        script = [read(), send(answer()), read(), close()]
        outcome, peer = shoot(self, [script, [serve()]],
                              ["-a", "3", "-c", "1", "-m", "POST", "-b", "x"])
        self.assertEqual(2, outcome.answered, outcome)
        self.assertEqual(1, outcome.requests["failed"], outcome)
        self.assertEqual(1, outcome.error_count("closed_before_response"), outcome)
        self.assertEqual(0, outcome.requests["retried"], outcome)
        self.assertEqual(3, peer.request_count, outcome)

    def test_sent_again_only_once(self):
        script = [read(), send(answer()), read(), close()]
        outcome, peer = shoot(self, [script, [read(), close()]], ["-a", "2", "-c", "1"])
        self.assertEqual(1, outcome.answered, outcome)
        self.assertEqual(1, outcome.requests["failed"], outcome)
        self.assertEqual(1, outcome.requests["retried"], outcome)
        self.assertEqual(1, outcome.error_count("closed_before_response"), outcome)
        self.assertEqual(3, peer.request_count, outcome)

    def test_sent_again_only_once_also_when_both_connections_answered(self):
        script = [[read(3), send(answer()), close()], [read(2), send(answer()), close()]]
        outcome, peer = shoot(self, script, ["-a", "3", "-c", "1", "-p", "3"])
        self.assertEqual(2, outcome.answered, outcome)
        self.assertEqual(1, outcome.error_count("closed_before_response"), outcome)
        self.assertEqual(2, outcome.requests["retried"], outcome)
        self.assertEqual(5, peer.request_count, outcome)

    def test_pipelined_requests_behind_the_close_are_sent_again(self):
        script = [read(4), send(answer() * 2), close()]
        outcome, peer = shoot(self, [script, [serve()]], ["-a", "8", "-c", "1", "-p", "4"])
        self.assertEqual(0, outcome.report["errors"], outcome)
        self.assertEqual(8, outcome.answered, outcome)
        self.assertEqual(8, outcome.requests["sent"], outcome)
        self.assertGreaterEqual(outcome.requests["retried"], 2, outcome)
        self.assertEqual(2, peer.connection_count, outcome)
        self.assertEqual(6, peer.connections[1].request_count, outcome)

    def test_reset_of_a_reused_connection_before_the_answer(self):
        # What a client meets when its request crosses the server's idle close.
        script = [read(), send(answer()), read(), reset()]
        outcome, peer = shoot(self, [script, [serve()]], ["-a", "3", "-c", "1"])
        self.assertEqual(0, outcome.report["errors"], outcome)
        self.assertEqual(1, outcome.requests["retried"], outcome)
        self.assertEqual(3, outcome.answered, outcome)
        self.assertEqual(4, peer.request_count, outcome)

    def test_a_retry_counts_once_in_an_amount_over_connections(self):
        script = [serve(limit=2), read(), close()]
        outcome, peer = shoot(self, [script], ["-a", "60", "-c", "3"])
        self.assertEqual(60, outcome.answered, outcome)
        self.assertEqual(60, outcome.requests["sent"], outcome)
        self.assertEqual(peer.request_count, 60 + outcome.requests["retried"], outcome)
        self.assertEqual(0, outcome.report["errors"], outcome)

    def test_silence_on_a_reused_connection_is_a_timeout_not_a_retry(self):
        with Peer([read(), send(answer()), silent()]) as peer:
            outcome = carronade.run_json(["-a", "4", "-c", "1", "-t", "1", peer.url()])
            peer.stop()
        self.assertEqual(2, outcome.answered, outcome)
        self.assertEqual(2, outcome.requests["timedOut"], outcome)
        self.assertEqual(0, outcome.requests["retried"], outcome)
        self.assertEqual(4, peer.request_count, outcome)


if __name__ == "__main__":
    carronade.main()
