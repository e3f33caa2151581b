"""WebSocket servers that do not keep the protocol: `carronade` ends with a report that has the
reason, whatever the answer to its handshake is."""

import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.certificates import certificates  # noqa: E402
from support.scripted_peer import Peer, close, read, send, silent  # noqa: E402
from support.servers import free_port  # noqa: E402
from support.ws_server import accept_of, client_frames, switching  # noqa: E402


class Faults(unittest.TestCase):
    def failing(self, *script, args=("-d", "1", "-t", "1")):
        with Peer(list(script)) as peer:
            url = f"ws://127.0.0.1:{peer.port}/"
            outcome = carronade.run_json([*args, "-c", "2", "-b", "x", url])
        self.assertEqual(2, outcome.code, outcome)
        self.assertEqual(0, outcome.requests["sent"], outcome)
        self.assertEqual(0, outcome.own["websocket"]["handshakes"]["opened"], outcome)
        self.assertGreater(outcome.own["websocket"]["handshakes"]["tried"], 0, outcome)
        self.assertEqual({}, outcome.own["websocket"]["handshakes"]["refused"], outcome)
        return outcome

    def test_wrong_accept(self):
        outcome = self.failing(read(1), send(switching(b"bm90IHRoZSByaWdodCBvbmU=")), silent())
        self.assertGreater(outcome.error_count("upgrade_refused"), 0, outcome)
        self.assertIn("Sec-WebSocket-Accept", outcome.error_texts())

    def test_a_protocol_that_nobody_asked_for(self):
        def reply(connection):
            request = connection.read_request()
            connection.send(switching(accept_of(request), b"Sec-WebSocket-Protocol: chat\r\n"))
        outcome = self.failing(reply, silent())
        self.assertGreater(outcome.error_count("upgrade_refused"), 0, outcome)

    def test_half_a_handshake_and_silence(self):
        outcome = self.failing(read(1), send(b"HTTP/1.1 101 Switching Pro"), silent(),
                               args=("-d", "2", "-t", "1"))
        self.assertGreater(outcome.report["timeouts"], 0, outcome)

    def test_half_a_handshake_and_the_end(self):
        outcome = self.failing(read(1), send(b"HTTP/1.1 101 Switching Pro"), close())
        self.assertGreater(outcome.report["errors"], 0, outcome)

    def test_no_http_at_all(self):
        outcome = self.failing(read(1), send(b"220 mail.example ESMTP\r\n\r\n"), close())
        self.assertGreater(outcome.report["errors"], 0, outcome)

    def test_nobody_there(self):
        outcome = carronade.run_json(
            ["-d", "1", "-c", "2", "-b", "x", f"ws://127.0.0.1:{free_port()}/"])
        self.assertEqual(2, outcome.code, outcome)
        self.assertEqual(0, outcome.own["websocket"]["handshakes"]["tried"], outcome)
        self.assertGreater(outcome.error_count("connect_refused"), 0, outcome)

    def test_a_masked_frame_of_the_server(self):
        def reply(connection):
            request = connection.read_request()
            connection.send(switching(accept_of(request)) + b"\x81\x81\x01\x02\x03\x04y")
        with Peer([reply, silent()]) as peer:
            outcome = carronade.run_json(["-d", "1", "-t", "1", "-c", "1", "-b", "x",
                              f"ws://127.0.0.1:{peer.port}/"])
        self.assertGreater(outcome.error_count("malformed_frame"), 0, outcome)
        self.assertEqual(0, outcome.answered, outcome)

    def test_pings_of_a_tls_server_that_reads_late(self):
        # A message of which OpenSSL holds a record must go out before a pong may.
        seen = {"messages": 0, "pongs": 0}

        def late(connection):
            request = connection.read_request()
            connection.send(switching(accept_of(request)))
            time.sleep(0.5)
            connection.send(b"\x89\x0bstill there" * 5)
            time.sleep(0.3)
            for opcode, length in client_frames(connection.sock):
                if opcode == 10:
                    seen["pongs"] += 1
                elif opcode == 1 and length == 1016:
                    seen["messages"] += 1
                    connection.sock.sendall(b"\x81\x02ok")
                else:
                    return
        with Peer([late], tls=certificates().server_context()) as peer:
            outcome = carronade.run_json(["-c", "1", "-p", "10000", "-a", "12000", "-t", "20",
                                          "-b", "a" * 1016, f"wss://127.0.0.1:{peer.port}/"])
        self.assertEqual(12000, outcome.answered, outcome)
        self.assertEqual([], outcome.own["errors"], outcome)
        self.assertEqual({"messages": 12000, "pongs": 5}, seen)


if __name__ == "__main__":
    carronade.main()
