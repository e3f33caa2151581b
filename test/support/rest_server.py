"""A small REST service with a bearer token, and its own count of what it was asked.

    with RestServer() as server:
        run([..., "-H", server.authorization, server.url("/users/1")])
        self.assertEqual({"GET 200": 1000}, server.counts())

GET /users/1 and POST /tasks (a JSON object) answer 200 and 201 with the token, else 401; a body
that is no JSON object is 400. GET /counts gives the counts as JSON, to anybody, and does not
count. HTTP/1.0 and 1.1, kept connections, pipelining, bodies with a length or chunked.
By hand: rest_server.py [PORT].
"""

import asyncio
import collections
import json
import sys
import threading

TOKEN = "carronade-test-token"
REASONS = {200: "OK", 201: "Created", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found",
           405: "Method Not Allowed"}
USER = {"id": 1, "name": "Ada", "email": "ada@example.org"}
MAX_HEAD = 65536


class _Malformed(Exception):
    pass


class _Request:
    def __init__(self, head):
        lines = head.decode("latin-1").split("\r\n")
        try:
            self.method, target, self.version = lines[0].split(" ")
        except ValueError:
            raise _Malformed from None
        if target.startswith("http://"):  # as a proxy would be asked
            target = "/" + target[7:].partition("/")[2]
        self.path = target.partition("?")[0]
        self.fields = {}
        for line in lines[1:]:
            name, colon, value = line.partition(":")
            if not colon:
                raise _Malformed
            self.fields[name.strip().lower()] = value.strip()
        self.body = b""

    def field(self, name):
        return self.fields.get(name, "")

    @property
    def chunked(self):
        return self.field("transfer-encoding").lower() == "chunked"

    @property
    def kept(self):
        options = self.field("connection").lower()
        return "keep-alive" in options if self.version == "HTTP/1.0" else "close" not in options


class _Connection(asyncio.Protocol):
    def __init__(self, server):
        self.server = server
        self.pending = bytearray()

    def connection_made(self, transport):
        self.transport = transport
        self.server.connections += 1

    def data_received(self, data):
        self.pending += data
        try:
            while self._serve_one():
                pass
        except (_Malformed, ValueError):
            self._answer(400, {"error": "no HTTP request"}, False)

    def _serve_one(self):
        """Answers the first whole request that has come; False when there is none."""
        end = self.pending.find(b"\r\n\r\n")
        if end < 0:
            if len(self.pending) > MAX_HEAD:
                raise _Malformed
            return False
        request = _Request(bytes(self.pending[:end]))
        start = end + 4
        if request.chunked:
            stop, request.body = self._chunks(start)
        else:
            stop = start + int(request.field("content-length") or 0)
            request.body = bytes(self.pending[start:stop])
        if stop is None or len(self.pending) < stop:
            return False
        del self.pending[:stop]
        status, content = self.server.respond(request)
        self._answer(status, content, request.kept, request.version, request.method == "HEAD")
        return request.kept

    def _chunks(self, start):
        """(where the chunked body ends, what it holds); (None, b"") when it is not whole."""
        body = b""
        while True:
            line = self.pending.find(b"\r\n", start)
            if line < 0:
                return None, b""
            size = int(bytes(self.pending[start:line]).partition(b";")[0], 16)
            start = line + 2
            if len(self.pending) < start + size + 2:
                return None, b""
            body += self.pending[start:start + size]
            start += size + 2
            if size == 0:
                return start, body

    def _answer(self, status, content, kept, version="HTTP/1.1", headless=False):
        body = (json.dumps(content) + "\n").encode()
        head = (f"{version} {status} {REASONS[status]}\r\nServer: rest/1.0\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
                f"Connection: {'keep-alive' if kept else 'close'}\r\n\r\n")
        self.transport.write(head.encode() + (b"" if headless else body))
        if not kept:
            self.transport.close()


class RestServer:
    """Listens on 127.0.0.1 as long as the `with` block lasts, on a thread of its own."""

    def __init__(self, token=TOKEN, port=0):
        self.token = token
        self.connections = 0
        self._counts = collections.Counter()
        self._lock = threading.Lock()
        self._loop = asyncio.new_event_loop()
        self._listener = self._loop.run_until_complete(self._loop.create_server(
            lambda: _Connection(self), "127.0.0.1", port, backlog=1024))
        self.port = self._listener.sockets[0].getsockname()[1]
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    @property
    def authorization(self):
        """The header line that gets in."""
        return f"Authorization: Bearer {self.token}"

    def url(self, path="/users/1"):
        return f"http://127.0.0.1:{self.port}{path}"

    def counts(self):
        """Requests so far by method and status: {"GET 200": 3}."""
        with self._lock:
            return dict(self._counts)

    def respond(self, request):
        """(status, content) of one request; counts it."""
        if request.path == "/counts":
            return 200, self.counts()
        status, content = self._routed(request)
        with self._lock:
            self._counts[f"{request.method} {status}"] += 1
        return status, content

    def _routed(self, request):
        if request.path not in ("/users/1", "/tasks"):
            return 404, {"error": "no such resource"}
        if request.field("authorization") != f"Bearer {self.token}":
            return 401, {"error": "no token"}
        if request.path == "/users/1":
            return (200, USER) if request.method in ("GET", "HEAD") else (405, {"error": "GET"})
        if request.method != "POST":
            return 405, {"error": "POST"}
        try:
            task = json.loads(request.body)
        except ValueError:
            task = None
        if not isinstance(task, dict):
            return 400, {"error": "no JSON object"}
        return 201, {"task": task}

    def stop(self):
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(10)
            self._listener.close()
            self._loop.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def main():
    with RestServer(port=int(sys.argv[1]) if len(sys.argv) > 1 else 0) as server:
        print(f"listening on {server.url('/')}, {server.authorization}", flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            print(json.dumps(server.counts()))


if __name__ == "__main__":
    main()
