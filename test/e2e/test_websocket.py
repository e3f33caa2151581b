"""Round trips over ws:// and wss:// against the npm package ws and the bundled server: the counts
of both sides, whatever way the server has to answer and to end."""

import signal
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.certificates import certificates  # noqa: E402
from support.serve_process import ServeProcess  # noqa: E402
from support.ws_server import WsServer  # noqa: E402


class AgainstWs(unittest.TestCase):
    def exact(self, server, url, args, amount=400):
        """All messages come back, and each side counts the same."""
        outcome = carronade.run_json(["-a", str(amount), "-c", "4", *args, url])
        self.assertEqual(0, outcome.code, outcome)
        self.assertEqual(0, outcome.report["errors"], outcome)
        self.assertEqual(amount, outcome.answered, outcome)
        counts = server.counts()
        self.assertEqual(amount, counts["text"] + counts["binary"], counts)
        self.assertEqual(outcome.own["connections"]["opened"], counts["opened"], counts)
        self.assertEqual([], counts["faults"])
        return outcome, counts

    def test_text(self):
        message = "ahoy, čaj"
        with WsServer() as server:
            outcome, counts = self.exact(
                server, server.ws(), ["-b", message, "-H", "X-Token: 17", "-E", message])
        self.assertEqual(400, counts["text"])
        self.assertEqual(400 * len(message.encode()), counts["bytes"])
        self.assertEqual(400 * len(message.encode()), outcome.own["bytes"]["body"], outcome)
        self.assertEqual("17", counts["headers"]["x-token"])
        self.assertEqual("13", counts["headers"]["sec-websocket-version"])
        self.assertEqual(0, outcome.report["mismatches"], outcome)
        self.assertEqual({"text": 400, "binary": 0, "unasked": 0},
                         outcome.own["websocket"]["messages"], outcome)
        # Each connection was closed in the way that the protocol has for it.
        self.assertEqual({"1000": counts["opened"]}, counts["closes"])
        self.assertEqual({"1000": counts["opened"]}, outcome.own["websocket"]["closes"], outcome)

    def test_binary_from_standard_input(self):
        message = bytes(range(256)) * 400
        with WsServer() as server:
            outcome = carronade.run_json(
                ["-a", "40", "-c", "2", "-i", "-", "--binary", server.ws()], feed=message)
            self.assertEqual(40, outcome.answered, outcome)
            counts = server.counts()
        self.assertEqual(40, counts["binary"], counts)
        self.assertEqual(40 * len(message), counts["bytes"])
        self.assertEqual(40, outcome.own["websocket"]["messages"]["binary"], outcome)
        self.assertEqual(40 * len(message), outcome.own["bytes"]["body"], outcome)

    def test_empty_messages(self):
        with WsServer() as server:
            outcome, counts = self.exact(server, server.ws(), [])
        self.assertIn("no message is given", outcome.stderr)
        self.assertEqual(0, counts["bytes"])

    def test_several_in_flight_and_workers(self):
        with WsServer() as server:
            self.exact(server, server.ws(), ["-b", "x", "-p", "4", "-w", "2"], 1000)

    def test_tls(self):
        with WsServer(tls=True) as server:
            self.exact(server, server.ws(),
                       ["-b", "x", "--ca", certificates().path("ca.pem"), "--verify"])

    def test_pings_are_answered(self):
        with WsServer() as server:
            outcome, counts = self.exact(server, server.ws("/ping"), ["-b", "x"])
        # Those that came behind the last messages may find the connection closed.
        self.assertEqual(outcome.own["websocket"]["pings"], counts["pongs"], outcome)
        self.assertGreaterEqual(counts["pongs"], 390)

    def test_messages_in_pieces(self):
        with WsServer() as server:
            outcome, _ = self.exact(server, server.ws("/pieces"),
                                    ["-b", "ahoy", "-E", "ahoy"])
        self.assertEqual(0, outcome.report["mismatches"], outcome)

    def test_a_wrong_answer_is_a_mismatch(self):
        with WsServer() as server:
            outcome, _ = self.exact(server, server.ws("/other"), ["-b", "x", "-E", "x"])
        self.assertEqual(400, outcome.report["mismatches"], outcome)

    def test_rate(self):
        with WsServer() as server:
            outcome = carronade.run_json(
                ["-R", "200", "-d", "1", "-c", "2", "-b", "x", server.ws()])
            counts = server.counts()
        self.assertEqual(200, outcome.requests["planned"], outcome)
        self.assertEqual(outcome.requests["sent"], counts["text"], outcome)
        self.assertEqual("open", outcome.own["loop"], outcome)
        self.assertEqual(0, outcome.report["errors"], outcome)

    def test_reconnects(self):
        with WsServer() as server:
            outcome, counts = self.exact(server, server.ws(), ["-b", "x", "-D", "10"])
        # A connection may get less than its share of the amount, which others then take.
        self.assertGreaterEqual(counts["opened"], 40, outcome)
        self.assertLessEqual(counts["opened"], 44, outcome)

    def test_unasked_messages_are_no_answers(self):
        with WsServer() as server:
            outcome = carronade.run_json(["-a", "100", "-c", "1", "-b", "x", server.ws("/twice")])
            counts = server.counts()
        self.assertEqual(100, outcome.answered, outcome)
        # Whether one came before or behind the next message, decides what it is.
        self.assertGreaterEqual(counts["text"], 100 - outcome.requests["inFlight"], outcome)

    def test_a_server_that_goes_away(self):
        with WsServer() as server:
            outcome = carronade.run_json(["-a", "60", "-c", "2", "-b", "x", server.ws("/away")])
            counts = server.counts()
        self.assertEqual(60, outcome.requests["sent"] + outcome.requests["dropped"], outcome)
        self.assertGreater(outcome.answered, 30, outcome)
        self.assertGreaterEqual(outcome.own["websocket"]["closes"]["1001"], 10, outcome)
        self.assertGreaterEqual(counts["opened"], 10, counts)

    def test_a_server_that_breaks(self):
        with WsServer() as server:
            outcome = carronade.run_json(["-a", "20", "-c", "2", "-b", "x", server.ws("/broken")])
        self.assertEqual(2, outcome.code, outcome)
        self.assertEqual(0, outcome.answered, outcome)
        self.assertGreater(outcome.requests["failed"], 0, outcome)
        self.assertIn("1011", outcome.error_texts(), outcome)
        self.assertGreater(outcome.own["websocket"]["closes"]["1011"], 0, outcome)

    def test_a_server_that_answers_nothing(self):
        with WsServer() as server:
            outcome = carronade.run_json(
                ["-d", "2", "-t", "1", "-c", "2", "-b", "x", server.ws("/silent")])
        self.assertEqual(2, outcome.code, outcome)
        self.assertGreaterEqual(outcome.requests["timedOut"], 2, outcome)

    def test_a_refused_handshake(self):
        with WsServer() as server:
            outcome = carronade.run_json(["-d", "1", "-c", "2", "-b", "x", server.ws("/nowhere")])
            said = carronade.run(["-d", "1", "-c", "2", "-b", "x", server.ws("/nowhere")])
        self.assertEqual(2, outcome.code, outcome)
        self.assertEqual(0, outcome.requests["sent"], outcome)
        refused = outcome.own["websocket"]["handshakes"]["refused"]
        self.assertEqual(["404"], list(refused), outcome)
        self.assertEqual(outcome.error_count("upgrade_refused"), refused["404"], outcome)
        self.assertIn("404 Not Found", outcome.error_texts("upgrade_refused"))
        self.assertIn("warning: no WebSocket was opened\n", said.stdout, said)
        self.assertIn("refused (404: ", said.stdout, said)

    def test_ctrl_c_closes_cleanly(self):
        with WsServer() as server:
            process = carronade.start(["-j", "-d", "60", "-c", "3", "-b", "x", server.ws()])
            carronade.wait_until_it_hears(process)
            server.wait_for_messages(100)
            process.send_signal(signal.SIGINT)
            outcome = carronade.read_report(carronade.finish(process))
            counts = server.counts()
        self.assertEqual("user", outcome.own["stoppedBy"], outcome)
        self.assertEqual({"1000": 3}, counts["closes"], outcome)
        self.assertEqual({"1000": 3}, outcome.own["websocket"]["closes"], outcome)

    def test_a_killed_server(self):
        with WsServer() as server:
            process = carronade.start(["-j", "-d", "3", "-t", "1", "-c", "3", "-b", "x",
                                       server.ws()])
            carronade.wait_until_it_hears(process)
            server.wait_for_messages(100)
            server.process.kill()
            outcome = carronade.read_report(carronade.finish(process))
        self.assertGreater(outcome.report["errors"], 0, outcome)
        self.assertGreater(outcome.answered, 0, outcome)


class AgainstTheBundledServer(unittest.TestCase):
    def test_counts_of_both_sides(self):
        with ServeProcess() as server:
            for args in (["-b", "ahoy"], ["-b", "ahoy", "--binary"], ["-b", "x" * 70000],
                         ["-b", "ahoy", "-p", "8"]):
                with self.subTest(args):
                    before = server.request_count
                    url = f"ws://127.0.0.1:{server.port}/echo"
                    outcome = carronade.run_json(["-a", "300", "-c", "3", *args, url])
                    self.assertEqual(300, outcome.answered, outcome)
                    self.assertEqual(0, outcome.report["errors"], outcome)
                    self.assertEqual(300, server.request_count - before, outcome)

    def test_text_report(self):
        with ServeProcess() as server:
            outcome = carronade.run(["-a", "50", "-c", "2", "-b", "ahoy",
                                     f"ws://127.0.0.1:{server.port}/"])
        self.assertEqual(0, outcome.code, outcome)
        self.assertIn("50 messages sent, 50 answered\n", outcome.stdout)
        self.assertIn("2 WebSocket handshakes, 2 opened\n", outcome.stdout)
        self.assertIn("messages received: 50 text; close frames received: 2 (1000: 2)\n",
                      outcome.stdout)
        self.assertIn("50 round trips in ", outcome.stdout)
        self.assertNotIn("2xx", outcome.stdout)


class CommandLine(unittest.TestCase):
    def test_dry_run_shows_the_handshake(self):
        outcome = carronade.run(["--dry-run", "-b", "x", "-H", "X-Token: 17",
                                 "ws://127.0.0.1:9/chat?room=1"])
        self.assertEqual(0, outcome.code, outcome)
        self.assertIn("GET /chat?room=1 HTTP/1.1\r\n", outcome.stdout_bytes.decode())
        self.assertIn("\r\nX-Token: 17\r\n", outcome.stdout_bytes.decode())

    def test_refused_in_one_line(self):
        for args in (["-m", "POST"], ["-I"], ["-x"], ["http://127.0.0.1:9/"],
                     ["-H", "Sec-WebSocket-Key: mine"]):
            with self.subTest(args):
                outcome = carronade.run([*args, "-b", "x", "ws://127.0.0.1:9/"])
                self.assertEqual(1, outcome.code, outcome)
                self.assertEqual(1, outcome.stderr.count("\n"), outcome)
                self.assertEqual("", outcome.stdout, outcome)

    def test_the_strict_form_does_not_know_it(self):
        outcome = carronade.run(["autocannon", "ws://127.0.0.1:9/"])
        self.assertEqual(1, outcome.code, outcome)
        self.assertIn("Invalid URL", outcome.stderr, outcome)


if __name__ == "__main__":
    carronade.main()
