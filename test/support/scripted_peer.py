"""A server whose every move is scripted, and which counts what it really received.

    with Peer([read(1), send(answer(b"hello")), close()], [serve(answer(b"x"))]) as peer:
        outcome = run_json(["-a", "3", "-c", "1", peer.url()])
        peer.stop()                       # waits until every byte that came in is counted
        self.assertEqual(3, peer.request_count)

Connection i runs scripts[i], later ones the last script. A script that came to its end leaves
the connection open and silent, still counting, until the client closes it.
"""

import os
import select
import socket
import struct
import threading
import time

from support.http_requests import MalformedRequest, RequestParser

KEPT_REQUESTS = 20000


class _Over(Exception):
    """The connection ended: nothing of its script can follow."""


class PeerConnection:
    """One accepted connection, driven by its script on a thread of its own."""

    def __init__(self, peer, sock, index):
        self.peer = peer
        self.sock = sock
        self.index = index
        self.request_count = 0
        self.tls = None  # what was negotiated: a dict, once the handshake is done
        self._parser = RequestParser(index)
        self._waiting = []
        self._lock = threading.Lock()

    def read_request(self):
        """The next whole request; ends the script when the client has closed."""
        while not self._waiting:
            self._receive()
        return self._waiting.pop(0)

    def _receive(self):
        try:
            data = self.sock.recv(65536)
        except (OSError, ValueError):
            raise _Over from None
        if not data:
            raise _Over
        try:
            requests = self._parser.feed(data)
        except MalformedRequest as fault:
            self.peer.faults.append(f"connection {self.index}: {fault}")
            raise _Over from None
        self.request_count += len(requests)
        self.peer.count(len(data), requests)
        self._waiting += requests

    def send(self, data, piece=None, pause=0.0):
        """Sends, whole or in pieces of `piece` bytes that are on their way one by one."""
        step = piece or max(len(data), 1)
        try:
            for start in range(0, len(data), step):
                self.sock.sendall(data[start:start + step])
                if pause:
                    time.sleep(pause)
        except (OSError, ValueError):
            self.silent()  # the client is gone, but what it had sent before still counts
        self.peer.sent(len(data))

    def silent(self):
        """Reads and counts until the client closes."""
        while True:
            self._receive()

    def half_close(self):
        try:
            self.sock.shutdown(socket.SHUT_WR)
        except OSError:
            raise _Over from None

    def close(self, reset=False):
        with self._lock:
            try:
                if reset:
                    self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                         struct.pack("ii", 1, 0))
                self.sock.close()
            except OSError:
                pass

    def interrupt(self):
        """Ends a blocked read from another thread."""
        with self._lock:
            try:
                self.sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def run(self, script):
        try:
            if self.peer.tls_context is not None:
                self._handshake()
            for step in ([script] if callable(script) else script):
                step(self)
            self.silent()
        except _Over:
            pass
        finally:
            self.close()

    def _handshake(self):
        try:
            self.sock = self.peer.tls_context.wrap_socket(
                self.sock, server_side=True, do_handshake_on_connect=False)
            self.sock.do_handshake()
        except (OSError, ValueError) as fault:  # ssl.SSLError is an OSError
            self.peer.handshake_faults.append(str(fault))
            raise _Over from None
        self.tls = {"resumed": self.sock.session_reused, "version": self.sock.version(),
                    "alpn": self.sock.selected_alpn_protocol(),
                    "client": self.sock.getpeercert()}


class Peer:
    """The server. Not accepting (`accepting=False`) leaves connections in the kernel's queue."""

    def __init__(self, *scripts, tls=None, host="127.0.0.1", port=0, unix=None, accepting=True,
                 backlog=1024):
        self.scripts = scripts or ([],)
        self.tls_context = tls
        self.host = host
        self.unix = unix
        self.connections = []
        self.requests = []  # the first KEPT_REQUESTS
        self.request_count = 0
        self.bytes_received = 0
        self.bytes_sent = 0
        self.faults = []
        self.handshake_faults = []
        self.server_names = []  # of each handshake: the SNI or None
        self._lock = threading.Lock()
        self._threads = []
        self._stopped = False
        if tls is not None:
            tls.sni_callback = lambda _sock, name, _ctx: self.server_names.append(name)
        self._listener = self._listen(port, backlog)
        self.port = None if unix else self._listener.getsockname()[1]
        self._wake_read, self._wake_write = os.pipe()
        self._acceptor = threading.Thread(target=self._accept, daemon=True) if accepting else None
        if self._acceptor:
            self._acceptor.start()

    def _listen(self, port, backlog):
        if self.unix:
            listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            listener.bind(self.unix)
        else:
            family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
            listener = socket.socket(family, socket.SOCK_STREAM)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((self.host, port))
        listener.listen(backlog)
        listener.setblocking(False)
        return listener

    def _accept(self):
        while True:
            ready, _, _ = select.select([self._listener, self._wake_read], [], [])
            try:
                sock, _ = self._listener.accept()
            except BlockingIOError:
                if self._wake_read in ready:
                    return
                continue
            except OSError:
                time.sleep(0.01)  # out of descriptors here: the client may close some
                continue
            sock.setblocking(True)
            if not self.unix:
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            index = len(self.connections)
            connection = PeerConnection(self, sock, index)
            self.connections.append(connection)
            script = self.scripts[min(index, len(self.scripts) - 1)]
            thread = threading.Thread(target=connection.run, args=(script,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def count(self, size, requests):
        with self._lock:
            self.bytes_received += size
            self.request_count += len(requests)
            if len(self.requests) < KEPT_REQUESTS:
                self.requests += requests

    def sent(self, size):
        with self._lock:
            self.bytes_sent += size

    @property
    def connection_count(self):
        return len(self.connections)

    def origin(self, host=None):
        shown = host or (f"[{self.host}]" if ":" in self.host else self.host)
        scheme = "https" if self.tls_context is not None else "http"
        return f"{scheme}://{shown}" + ("" if self.unix else f":{self.port}")

    def url(self, path="/", host=None):
        return self.origin(host) + path

    def wait_for_requests(self, count, timeout=20.0):
        """Waits until so many requests came; for tests that act in the middle of a run."""
        end = time.monotonic() + timeout
        while self.request_count < count:
            if time.monotonic() > end:
                raise AssertionError(f"{self.request_count} of {count} requests in {timeout} s")
            time.sleep(0.005)

    def stop(self, timeout=10.0):
        """Takes what the kernel still holds, waits for every connection's end and counts.

        The clients must be gone; a connection that is still open after `timeout` is cut.
        """
        if self._stopped:
            return
        self._stopped = True
        if self._acceptor:
            os.write(self._wake_write, b"x")
            self._acceptor.join(timeout)
        end = time.monotonic() + timeout
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))
        for connection, thread in zip(self.connections, self._threads):
            if thread.is_alive():
                self.faults.append(f"connection {connection.index} was never closed")
                connection.interrupt()
                thread.join(1.0)
        self._listener.close()
        os.close(self._wake_read)
        os.close(self._wake_write)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def answer(body=b"ok", status="200 OK", headers=(), version="HTTP/1.1", length=True):
    """The bytes of an answer; headers are (name, value) pairs or raw lines."""
    lines = [f"{version} {status}"]
    lines += [h if isinstance(h, str) else f"{h[0]}: {h[1]}" for h in headers]
    if length:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


# The steps of a script: each makes a function of a PeerConnection.

def read(requests=1):
    """Waits for so many more whole requests."""
    def step(connection):
        for _ in range(requests):
            connection.read_request()
    return step


def send(data, piece=None, pause=0.0):
    return lambda connection: connection.send(data, piece, pause)


def wait(seconds):
    return lambda _connection: time.sleep(seconds)


def serve(reply=None, limit=None, piece=None, pause=0.0):
    """Answers each request with `reply` (bytes, or a function of the request), `limit` times."""
    reply = answer() if reply is None else reply

    def step(connection):
        served = 0
        while limit is None or served < limit:
            request = connection.read_request()
            data = reply(request) if callable(reply) else reply
            connection.send(data, piece, pause)
            served += 1
    return step


def close():
    """FIN, or what the kernel makes of it when there is unread input (a reset)."""
    def step(connection):
        connection.close()
        raise _Over
    return step


def reset():
    """RST at once."""
    def step(connection):
        connection.close(reset=True)
        raise _Over
    return step


def half_close():
    """FIN, but goes on reading."""
    return lambda connection: connection.half_close()


def silent():
    """Reads, counts and answers nothing until the client closes."""
    return lambda connection: connection.silent()
