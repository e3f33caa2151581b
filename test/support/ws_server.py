"""The npm package ws as a server, and handshakes that are wrong on purpose."""

import base64
import hashlib
import http.client
import json
import os
import signal
import unittest
from pathlib import Path

from support import carronade
from support.certificates import certificates
from support.servers import Server, wait_until

MODULES = Path(os.environ.get("CARRONADE_NODE_MODULES")
               or carronade.SOURCE / "build" / "npm" / "node_modules")
ACCEPT_SALT = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class WsServer(Server):
    """test/support/ws_server.js; what it counted is there after stop()."""

    program = "node"
    stop_signal = signal.SIGTERM

    def __init__(self, tls=False):
        if not (MODULES / "ws" / "package.json").exists():
            raise unittest.SkipTest("no npm package ws: tools/bootstrap.sh test")
        super().__init__(tls)

    def command(self):
        command = ["node", str(Path(__file__).with_name("ws_server.js")), self.host,
                   str(self.port), str(self.access_log)]
        if self.tls:
            pems = certificates()
            command += [pems.path("server.pem"), pems.path("server.key")]
        return command

    def ws(self, path="/echo"):
        return f"{'wss' if self.tls else 'ws'}://{self.host}:{self.port}{path}"

    def wait_for_messages(self, count):
        """For tests that act in the middle of a run, over a server without TLS."""
        def came():
            client = http.client.HTTPConnection(self.host, self.port, timeout=5)
            try:
                client.request("GET", "/")
                counts = json.loads(client.getresponse().read())
            finally:
                client.close()
            return counts["text"] + counts["binary"] >= count
        wait_until(came, 20, f"{count} messages")

    def counts(self):
        """Stops it, and gives its counts."""
        self.stop()
        wait_until(self.access_log.exists, 5, "the count file")
        return json.loads(self.access_log.read_text("utf-8"))


def accept_of(request):
    """The right Sec-WebSocket-Accept for a request of support.http_requests."""
    key = request.header("sec-websocket-key").encode("ascii")
    return base64.b64encode(hashlib.sha1(key + ACCEPT_SALT).digest())


def switching(accept, extra=b""):
    return (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: " + accept + b"\r\n" + extra + b"\r\n")


def client_frames(sock):
    """(opcode, length) of each frame that comes, until the end of file. Payloads are dropped."""
    buffer = bytearray()
    at = 0

    def need(size):
        nonlocal buffer, at
        while len(buffer) - at < size:
            del buffer[:at]
            at = 0
            data = sock.recv(262_144)
            if not data:
                return False
            buffer += data
        return True

    while need(2):
        opcode, length = buffer[at] & 15, buffer[at + 1] & 127
        extra = {126: 2, 127: 8}.get(length, 0)
        if not need(2 + extra):
            return
        if extra:
            length = int.from_bytes(buffer[at + 2:at + 2 + extra], "big")
        if not need(2 + extra + 4 + length):
            return
        at += 2 + extra + 4 + length
        yield opcode, length
