"""The rigs by themselves, against raw sockets: what they count and do is exact."""

import socket
import ssl
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.certificates import certificates  # noqa: E402
from support.http_requests import MalformedRequest, RequestParser  # noqa: E402
from support.scripted_peer import (  # noqa: E402
    Peer, answer, close, half_close, read, reset, send, serve)
from support.servers import PAGE, Apache, Nginx, Node  # noqa: E402

GET = b"GET /x HTTP/1.1\r\nHost: h\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc"


def connect(peer):
    sock = socket.create_connection(("127.0.0.1", peer.port), timeout=10)
    return sock


def read_all(sock):
    received = b""
    while data := sock.recv(65536):
        received += data
    return received


class RequestParserTest(unittest.TestCase):
    def test_every_split(self):
        stream = POST + GET + POST
        for cut in range(len(stream) + 1):
            parser = RequestParser()
            found = parser.feed(stream[:cut]) + parser.feed(stream[cut:])
            self.assertEqual([POST, GET, POST], [request.raw for request in found])
            self.assertEqual([b"abc", b"", b"abc"], [request.body for request in found])

    def test_refuses_what_a_strict_server_refuses(self):
        for raw in (b"GET  / HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\nHost: h\r\n\r\n",
                    b"GET / HTTP/2.0\r\n\r\n", b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
                    b"GET / HTTP/1.1\r\nA : b\r\n\r\n", b"\r\n" + GET,
                    b"GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx",
                    b"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"):
            with self.subTest(raw=raw), self.assertRaises(MalformedRequest):
                RequestParser().feed(raw)


class PeerTest(unittest.TestCase):
    def test_counts_what_is_sent_and_then_dropped(self):
        with Peer([]) as peer:
            for _ in range(20):
                sock = connect(peer)
                sock.sendall(GET * 5 + POST)
                sock.close()
            peer.stop()
        self.assertEqual(20, peer.connection_count)
        self.assertEqual(120, peer.request_count)
        self.assertEqual(20 * len(GET * 5 + POST), peer.bytes_received)
        self.assertEqual([], peer.faults)

    def test_scripts_by_connection(self):
        with Peer([read(), send(answer(b"a"), piece=1), close()],
                  [read(2), send(b"b"), half_close()]) as peer:
            replies = []
            for _ in range(3):
                with connect(peer) as sock:
                    sock.sendall(GET * 2 if replies else GET)
                    replies.append(read_all(sock))
        self.assertEqual([answer(b"a"), b"b", b"b"], replies)
        self.assertEqual([1, 2, 2], [c.request_count for c in peer.connections])

    def test_reset(self):
        with Peer([read(), reset()]) as peer, connect(peer) as sock:
            sock.sendall(GET)
            with self.assertRaises(ConnectionResetError):
                sock.recv(1)

    def test_tells_of_nonsense(self):
        with Peer([serve()]) as peer, connect(peer) as sock:
            sock.sendall(b"nonsense\r\n\r\n")
            self.assertEqual(b"", read_all(sock))
            self.assertEqual(1, len(peer.faults))

    def test_tells_of_a_connection_left_open(self):
        peer = Peer([serve()])
        with connect(peer) as sock:
            sock.sendall(GET)
            sock.recv(100)
            peer.stop(timeout=0.2)
        self.assertRegex(peer.faults[0], "never closed")

    def test_tls(self):
        pems = certificates()
        context = ssl.create_default_context(cafile=pems.path("ca.pem"))
        with Peer([serve()], tls=pems.server_context()) as peer:
            with context.wrap_socket(connect(peer), server_hostname="localhost") as sock:
                sock.sendall(POST)
                self.assertEqual(answer(), sock.recv(100))
            with self.assertRaises(ssl.SSLCertVerificationError):
                ssl.create_default_context().wrap_socket(connect(peer),
                                                         server_hostname="localhost")
            peer.stop()
        self.assertEqual(1, peer.request_count)
        self.assertEqual(["localhost", "localhost"], peer.server_names)
        self.assertEqual(1, len(peer.handshake_faults))


class ServersTest(unittest.TestCase):
    def test_their_own_count(self):
        for kind in (Nginx, Apache, Node):
            for tls in (False, True):
                with self.subTest(kind=kind.__name__, tls=tls), kind(tls=tls) as server:
                    sock = socket.create_connection((server.host, server.port), timeout=10)
                    if tls:
                        context = ssl.create_default_context(
                            cafile=certificates().path("ca.pem"))
                        sock = context.wrap_socket(sock, server_hostname="localhost")
                    request = "GET / HTTP/1.1\r\nHost: h\r\nConnection: {}\r\n\r\n"
                    sock.sendall((request.format("keep-alive") * 3 + request.format("close"))
                                 .encode())
                    reply = read_all(sock)
                    sock.close()
                    server.stop()
                    self.assertEqual(4, server.requests(), reply)
                    self.assertEqual(4, reply.count(PAGE if kind is not Node else b"ello from"))


class AccountsTest(unittest.TestCase):
    def test_a_lost_request_is_noticed(self):
        requests = {"planned": None, "sent": 3, "answered": 1, "failed": 1, "timedOut": 0,
                    "inFlight": 0, "retried": 0, "dropped": 0}
        outcome = carronade.Outcome([], 0, b"", b"", 0)
        outcome.report, outcome.own = {}, {"requests": requests}
        with self.assertRaisesRegex(AssertionError, "sent is not"):
            carronade.check_accounts(outcome)


if __name__ == "__main__":
    unittest.main(verbosity=2)
