"""Open loops whose server is gone, or gone for a while, and runs that are stopped: they end in
time, and what was planned is accounted for."""

import signal
import socket
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.scripted_peer import Peer, answer, close, read, reset, send, serve  # noqa: E402
from support.serve_process import ServeProcess  # noqa: E402

MS = 1_000_000


class GoneTest(unittest.TestCase):
    def test_nobody_listens(self):
        with socket.socket() as holder:
            holder.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{holder.getsockname()[1]}/"
            for args in ((), ("-w", "3"), ("--overflow", "drop"), ("--max-connections", "50")):
                with self.subTest(args):
                    outcome = carronade.run_json(["-R", "50", "-d", "1", "-t", "1", *args, url])
                    self.assertEqual(2, outcome.code, outcome)
                    self.assertLess(outcome.seconds, 1 + 1 + carronade.SLACK_S, outcome)
                    self.assertEqual(50, outcome.requests["planned"], outcome)
                    self.assertEqual(50, outcome.requests["dropped"], outcome)
                    self.assertEqual(0, outcome.requests["sent"], outcome)
                    self.assertGreater(outcome.error_count("connect_refused"), 0, outcome)

    def test_nobody_answers(self):
        with Peer([]) as peer:
            outcome = carronade.run_json(["-R", "40", "-d", "1", "-c", "4", "-t", "500ms",
                                          peer.url()])
            peer.stop()
        self.assertEqual(2, outcome.code, outcome)
        self.assertLess(outcome.seconds, 1 + 1 + carronade.SLACK_S, outcome)
        self.assertEqual(40, outcome.requests["planned"], outcome)
        self.assertGreaterEqual(outcome.requests["timedOut"], 4, outcome)
        self.assertEqual(peer.request_count, outcome.requests["sent"], outcome)

    def test_connections_that_end_badly_lose_only_their_requests(self):
        scripts = [[read(3), send(answer()), reset()], [serve(limit=5), close()],
                   [read(1), close()], [serve()]]
        with Peer(*scripts) as peer:
            outcome = carronade.run_json(["-R", "100", "-d", "1", "-c", "3", peer.url()])
            peer.stop()
        self.assertEqual(100, outcome.requests["planned"], outcome)
        self.assertEqual(100, outcome.requests["sent"], outcome)
        self.assertLessEqual(1, outcome.requests["failed"], outcome)
        self.assertGreater(outcome.answered, 90, outcome)

    def test_killed_and_started_again(self):
        server = ServeProcess()
        process = carronade.start(["-j", "-R", "100", "-d", "4", "-c", "4", "-w", "2", "-t", "2",
                                   server.url])
        try:
            server.wait_for_requests(20)
            first = server.request_count
            server.stop(signal.SIGKILL)
            time.sleep(1)
            server = ServeProcess(port=server.port)
            outcome = carronade.read_report(carronade.finish(process))
            second = server.request_count
        finally:
            server.stop()
        self.assertEqual(0, outcome.code, outcome)
        self.assertEqual(400, outcome.requests["planned"], outcome)
        # All were sent: those of the second without a server waited for it.
        self.assertEqual(400, outcome.requests["sent"], outcome)
        self.assertGreater(outcome.error_count("connect_refused"), 0, outcome)
        self.assertGreater(first, 0, outcome)
        self.assertGreater(second, 150, outcome)
        self.assertLessEqual(outcome.requests["failed"], 8, outcome)
        self.assertGreater(outcome.own["latency"]["p90"], 100 * MS, outcome)
        self.assertGreater(outcome.own["lateness"]["noConnection"]["p90"], 100 * MS, outcome)
        self.assertLess(outcome.seconds, 4 + 2 + carronade.SLACK_S, outcome)


class StoppedTest(unittest.TestCase):
    def stop_after(self, requests, args, serve_args=()):
        """Stops it a second after so many requests have come."""
        with ServeProcess(*serve_args) as server:
            process = carronade.start(["-j", *args, server.url])
            server.wait_for_requests(requests)
            time.sleep(1)
            process.send_signal(signal.SIGINT)
            stopped = time.monotonic()
            outcome = carronade.read_report(carronade.finish(process))
            self.assertEqual(server.request_count, outcome.requests["sent"], outcome)
        self.assertLess(time.monotonic() - stopped, carronade.SLACK_S, outcome)
        self.assertEqual("user", outcome.own["stoppedBy"], outcome)
        return outcome

    def test_in_the_middle(self):
        for shape in (["-R", "200", "-d", "60"], ["-R", "200", "-d", "60", "-w", "2"],
                      ["--stages", "500ms:100, 60s:200, 1m:1000"],
                      ["-R", "200", "-d", "60", "--arrivals", "poisson"]):
            with self.subTest(shape):
                outcome = self.stop_after(40, ["-c", "4", *shape])
                self.assertEqual(0, outcome.code, outcome)
                # What was due until then, and no more.
                self.assertTrue(20 <= outcome.requests["planned"]
                                <= 200 * outcome.seconds * 1.3, outcome)
                self.assertGreater(outcome.answered, 20, outcome)
                self.assertLess(outcome.own["rate"]["loadNs"] / 1e9, outcome.seconds, outcome)

    def test_while_all_connections_are_busy(self):
        outcome = self.stop_after(3, ["-R", "100", "-d", "60", "-c", "3"], ("--delay", "30s"))
        self.assertEqual(2, outcome.code, outcome)
        self.assertEqual(3, outcome.requests["sent"], outcome)
        self.assertEqual(3, outcome.requests["inFlight"], outcome)
        self.assertEqual(outcome.requests["planned"] - 3,
                         outcome.own["rate"]["requests"]["unsent"], outcome)
        self.assertGreater(outcome.requests["planned"], 10, outcome)

    def test_while_it_drains(self):
        outcome = self.stop_after(2, ["-R", "20", "-d", "500ms", "-c", "2"],
                                  ("--delay", "30s"))
        self.assertEqual(10, outcome.requests["planned"], outcome)
        self.assertEqual(2, outcome.requests["inFlight"], outcome)
        self.assertEqual(8, outcome.requests["dropped"], outcome)


if __name__ == "__main__":
    carronade.main()
