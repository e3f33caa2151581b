"""Whatever the sockets do, a run ends within its timeout + 1 s of its end, with a report."""

import socket
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.certificates import certificates  # noqa: E402
from support.scripted_peer import Peer, answer, half_close, read, send, serve, wait  # noqa: E402
from support.servers import wait_until  # noqa: E402


class TimeoutsTest(unittest.TestCase):
    def ends(self, outcome, duration, timeout=1.0):
        self.assertLess(outcome.seconds, duration + timeout + 1.0 + carronade.SLACK_S, outcome)

    def test_silent_server_with_an_amount(self):
        with Peer([]) as peer:
            outcome = carronade.run_json(["-a", "4", "-c", "2", "-t", "1", peer.url()])
            peer.stop()
        self.assertEqual(4, outcome.requests["timedOut"], outcome)
        self.assertEqual(4, outcome.report["timeouts"], outcome)
        self.assertEqual(4, peer.request_count, outcome)
        self.assertEqual("timeout", outcome.errors()[0]["phase"], outcome)
        self.assertIn(f"127.0.0.1:{peer.port}", outcome.error_texts(), outcome)
        self.assertEqual(2, outcome.code, outcome)
        self.assertGreaterEqual(outcome.seconds, 2.0, outcome)
        self.ends(outcome, 2)

    def test_silent_server_for_a_time(self):
        with Peer([]) as peer:
            outcome = carronade.run_json(["-d", "3", "-c", "3", "-t", "1", peer.url()])
            peer.stop()
        self.assertGreaterEqual(outcome.requests["timedOut"], 3, outcome)
        self.assertLessEqual(outcome.requests["timedOut"], 12, outcome)
        self.assertEqual(peer.request_count, outcome.requests["sent"], outcome)
        self.ends(outcome, 3)

    def test_run_shorter_than_the_timeout(self):
        with Peer([]) as peer:
            outcome = carronade.run_json(["-d", "1", "-c", "3", "-t", "3", peer.url()])
            peer.stop()
        self.assertEqual(3, outcome.requests["sent"], outcome)
        self.assertEqual(3, outcome.requests["inFlight"] + outcome.requests["timedOut"], outcome)
        self.assertEqual(2, outcome.code, outcome)
        self.ends(outcome, 1, 3)

    def test_pipelined_requests_all_time_out(self):
        with Peer([read(3), send(answer())]) as peer:
            outcome = carronade.run_json(["-a", "3", "-c", "1", "-p", "3", "-t", "1", peer.url()])
            peer.stop()
        self.assertEqual(1, outcome.answered, outcome)
        self.assertEqual(2, outcome.requests["timedOut"], outcome)

    def test_silence_in_the_middle_of_an_answer(self):
        whole = answer(b"x" * 100)
        for part in (whole[:9], whole[:-40]):
            with self.subTest(part=part), Peer([read(), send(part)]) as peer:
                outcome = carronade.run_json(["-a", "2", "-c", "2", "-t", "1", peer.url()])
                self.assertEqual(2, outcome.requests["timedOut"], outcome)
                self.ends(outcome, 1)

    def test_an_answer_that_drips_does_not_hold_the_run(self):
        drip = [read(), send(answer(b"x" * 1000), piece=1, pause=0.02)]
        with Peer(drip) as peer:
            outcome = carronade.run_json(["-a", "2", "-c", "2", "-t", "1", peer.url()])
            self.assertEqual(2, outcome.requests["timedOut"], outcome)
            self.ends(outcome, 1)

    def test_slow_answer_within_the_timeout(self):
        with Peer([read(), wait(0.5), send(answer())]) as peer:
            outcome = carronade.run_json(["-a", "2", "-c", "2", "-t", "8", peer.url()])
        self.assertEqual(2, outcome.answered, outcome)
        self.assertGreater(outcome.own["firstByte"]["min"], 495e6, outcome)

    def test_half_closed_in_the_middle_of_an_answer(self):
        with Peer([read(), send(answer(b"x" * 100)[:-40]), half_close()]) as peer:
            outcome = carronade.run_json(["-a", "2", "-c", "2", "-t", "4", peer.url()])
        self.assertEqual(2, outcome.error_count("truncated_response"), outcome)

    def test_a_server_that_never_accepts(self):
        with Peer(accepting=False) as peer:
            outcome = carronade.run_json(["-d", "2", "-c", "3", "-t", "1", peer.url()])
        self.assertEqual(0, outcome.answered, outcome)
        self.assertGreater(outcome.requests["timedOut"], 0, outcome)
        self.assertEqual(2, outcome.code, outcome)
        self.ends(outcome, 2)

    def test_a_server_whose_queue_is_full(self):
        with Peer(accepting=False, backlog=0) as peer:
            waiting = self._fill_queue(peer.port)
            try:
                outcome = carronade.run_json(["-d", "3", "-c", "2", "-t", "1", peer.url()])
            finally:
                for sock in waiting:
                    sock.close()
        self.assertGreaterEqual(outcome.error_count("connect_timeout"), 2, outcome)
        self.assertEqual(0, outcome.requests["sent"], outcome)
        self.assertIn(f"127.0.0.1:{peer.port}", outcome.error_texts(), outcome)
        self.assertEqual(2, outcome.code, outcome)
        self.ends(outcome, 3)

    def _fill_queue(self, port):
        waiting = []
        for _ in range(64):
            sock = socket.socket()
            sock.settimeout(0.5)
            waiting.append(sock)
            try:
                sock.connect(("127.0.0.1", port))
            except OSError:
                return waiting
        self.skipTest("this kernel's queue of connections never fills")
        return waiting

    def test_tls_handshake_that_is_never_answered(self):
        with Peer([]) as peer:  # takes the ClientHello for a request that never ends
            peer_url = f"https://127.0.0.1:{peer.port}/"
            outcome = carronade.run_json(["-d", "2", "-c", "2", "-t", "1", peer_url])
            peer.faults.clear()
        self.assertEqual(0, outcome.requests["sent"], outcome)
        self.assertGreaterEqual(outcome.error_count("connect_timeout"), 2, outcome)
        self.assertEqual({"tls"}, {e["phase"] for e in outcome.errors()} - {"timeout"} or {"tls"})
        self.assertEqual(2, outcome.code, outcome)
        self.ends(outcome, 2)

    def test_tls_server_that_never_accepts(self):
        with Peer(accepting=False, tls=certificates().server_context()) as peer:
            outcome = carronade.run_json(["-d", "2", "-c", "2", "-t", "1", peer.url()])
        self.assertEqual(0, outcome.requests["sent"], outcome)
        self.assertGreaterEqual(outcome.error_count("connect_timeout"), 2, outcome)
        self.ends(outcome, 2)

    def test_a_server_that_reads_nothing_of_a_large_body(self):
        with Peer([wait(4)]) as peer:
            outcome = carronade.run_json(["-m", "POST", "-b", "b" * 100_000, "-p", "100", "-d", "2",
                                          "-c", "2", "-t", "1", peer.url()])
            for connection in peer.connections:
                connection.interrupt()
        self.assertEqual(0, outcome.answered, outcome)
        self.assertGreater(outcome.requests["timedOut"], 0, outcome)
        self.ends(outcome, 2)

    def test_recovers_after_timeouts(self):
        with Peer([], [serve()]) as peer:
            outcome = carronade.run_json(["-a", "10", "-c", "1", "-t", "1", peer.url()])
            wait_until(lambda: peer.request_count == 10, 5, "the tenth request")
            peer.stop()
        self.assertEqual(1, outcome.requests["timedOut"], outcome)
        self.assertEqual(9, outcome.answered, outcome)
        self.assertEqual(0, outcome.code, outcome)


if __name__ == "__main__":
    carronade.main()
