"""Every limit means exactly what it says, by the count of the peer."""

import collections
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.scripted_peer import Peer, answer, serve  # noqa: E402


class AmountsTest(unittest.TestCase):
    def shoot(self, args, reply=None):
        """Runs against a peer that answers everything; returns outcome and the stopped peer."""
        with Peer([serve(reply or answer(b"hello"))]) as peer:
            outcome = carronade.run_json([*args, peer.url()])
            peer.stop()
        self.assertEqual([], peer.faults, outcome)
        self.assertEqual(0, outcome.code, outcome)
        self.assertEqual(0, outcome.report["errors"], outcome)
        return outcome, peer

    def exactly(self, amount, args, stopped_by="amount"):
        outcome, peer = self.shoot(args)
        self.assertEqual(amount, peer.request_count, outcome)
        self.assertEqual(amount, outcome.requests["sent"], outcome)
        self.assertEqual(amount, outcome.answered, outcome)
        self.assertEqual(0, outcome.requests["inFlight"], outcome)
        self.assertEqual(0, outcome.requests["dropped"], outcome)
        self.assertEqual(stopped_by, outcome.own["stoppedBy"], outcome)
        self.assertEqual(peer.connection_count, outcome.own["connections"]["opened"], outcome)
        self.assertEqual(peer.bytes_received, outcome.own["bytes"]["sent"], outcome)
        self.assertEqual(peer.bytes_sent, outcome.own["bytes"]["received"], outcome)
        self.assertEqual(amount, outcome.own["latency"]["count"], outcome)
        return outcome, peer

    def test_ten_over_four_connections(self):
        outcome, peer = self.exactly(10, ["-a", "10", "-c", "4"])
        self.assertEqual(10, outcome.requests["planned"], outcome)
        self.assertEqual(4, peer.connection_count, outcome)

    def test_fewer_than_connections_and_workers(self):
        _, peer = self.exactly(3, ["-a", "3", "-c", "10", "-w", "4"])
        self.assertLessEqual(peer.connection_count, 10)

    def test_one(self):
        self.exactly(1, ["-a", "1", "-c", "3"])

    def test_one_deeply_pipelined(self):
        self.exactly(1, ["-a", "1", "-c", "4", "-p", "100", "-w", "2"])

    def test_workers_connections_and_pipelining_that_do_not_divide(self):
        self.exactly(1000, ["-a", "1000", "-w", "3", "-c", "7", "-p", "5"])

    def test_amount_that_the_pipeline_does_not_divide(self):
        self.exactly(103, ["-a", "103", "-c", "2", "-p", "10"])

    def test_amount_beats_the_duration(self):
        outcome, _ = self.exactly(200, ["-a", "200", "-c", "2", "-d", "25"])
        self.assertLess(outcome.seconds, 20, outcome)

    def test_overall_limit(self):
        self.exactly(50, ["-O", "50", "-c", "3", "-d", "25"])

    def test_overall_limit_over_workers(self):
        self.exactly(55, ["-O", "55", "-c", "6", "-w", "4", "-p", "3", "-d", "25"])

    def test_requests_per_connection(self):
        _, peer = self.exactly(21, ["-M", "7", "-c", "3", "-d", "25"], "connection_requests")
        self.assertEqual([7, 7, 7], [c.request_count for c in peer.connections])

    def test_requests_per_connection_over_workers(self):
        _, peer = self.exactly(35, ["-M", "7", "-c", "5", "-w", "2", "-p", "4", "-d", "25"],
                               "connection_requests")
        self.assertEqual([7] * 5, [c.request_count for c in peer.connections])

    def test_reconnect_rate_makes_an_exact_number_of_connections(self):
        outcome, peer = self.exactly(20, ["-D", "2", "-a", "20", "-c", "1"])
        self.assertEqual(10, peer.connection_count, outcome)
        self.assertEqual([2] * 10, [c.request_count for c in peer.connections], outcome)
        self.assertEqual(9, outcome.own["connections"]["reconnects"], outcome)
        self.assertEqual(1, outcome.own["connections"]["peak"], outcome)

    def test_reconnect_rate_of_one(self):
        outcome, peer = self.exactly(12, ["-D", "1", "-a", "12", "-c", "3"])
        self.assertEqual(12, peer.connection_count, outcome)

    def test_own_connection_close_is_obeyed(self):
        outcome, peer = self.exactly(12, ["-H", "Connection=close", "-a", "12", "-c", "3", "-p",
                                          "4"])
        self.assertEqual([1] * 12, [c.request_count for c in peer.connections], outcome)

    def test_reconnect_rate_with_pipelining(self):
        _, peer = self.exactly(60, ["-D", "5", "-a", "60", "-c", "2", "-p", "4"])
        self.assertLessEqual(max(c.request_count for c in peer.connections), 5)

    def test_reconnect_rate_below_the_pipeline(self):
        _, peer = self.exactly(30, ["-D", "2", "-a", "30", "-c", "1", "-p", "8"])
        self.assertEqual([2] * 15, [c.request_count for c in peer.connections])

    def test_reconnect_rate_and_requests_per_connection(self):
        _, peer = self.exactly(14, ["-D", "3", "-M", "7", "-c", "2", "-d", "25"],
                               "connection_requests")
        sizes = collections.Counter(c.request_count for c in peer.connections)
        self.assertEqual({3: 4, 1: 2}, dict(sizes))

    def assert_peer_agrees(self, outcome, peer):
        """A close at the end of a run may throw away what the kernel had not sent yet."""
        self.assertLessEqual(peer.request_count, outcome.requests["sent"], outcome)
        self.assertGreaterEqual(peer.request_count, outcome.answered, outcome)

    def test_duration_with_a_unit(self):
        outcome, peer = self.shoot(["-d", "500ms", "-c", "2"])
        self.assertEqual("duration", outcome.own["stoppedBy"], outcome)
        self.assertGreaterEqual(outcome.seconds, 0.5, outcome)
        self.assertLess(outcome.seconds, 0.5 + carronade.SLACK_S, outcome)
        self.assertIsNone(outcome.requests["planned"], outcome)
        self.assert_peer_agrees(outcome, peer)
        self.assertLessEqual(outcome.requests["inFlight"], 2, outcome)

    def test_every_request_sent_is_counted_on_several_workers(self):
        outcome, peer = self.shoot(["-d", "1", "-c", "9", "-w", "3", "-p", "3"])
        self.assert_peer_agrees(outcome, peer)
        self.assertLessEqual(outcome.requests["inFlight"], 27, outcome)
        self.assertLessEqual(peer.connection_count, 9, outcome)

    def test_more_workers_than_connections(self):
        outcome, peer = self.exactly(40, ["-a", "40", "-c", "2", "-w", "8"])
        self.assertLessEqual(peer.connection_count, 2, outcome)

    def test_expected_body(self):
        outcome, _ = self.shoot(["-a", "20", "-c", "2", "-E", "hello"])
        self.assertEqual(0, outcome.report["mismatches"], outcome)
        outcome, _ = self.shoot(["-a", "20", "-c", "2", "-E", "hellO"])
        self.assertEqual(20, outcome.report["mismatches"], outcome)

    def test_expected_body_with_chunks_and_pipelining(self):
        chunked = answer(b"2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n",
                         headers=["Transfer-Encoding: chunked"],
                         length=False)
        outcome, _ = self.shoot(["-a", "20", "-c", "2", "-p", "5", "-E", "hello"], chunked)
        self.assertEqual(0, outcome.report["mismatches"], outcome)


if __name__ == "__main__":
    carronade.main()
