"""`carronade serve` as the tests start it: on a free port of loopback, known from its own line."""

import http.client
import json
import os
import select
import signal
import ssl
import subprocess
import time
import urllib.parse

from support import carronade


class ServeProcess:
    """`port`: 0 for a free one. `prefix`: a command to start it with, as ["taskset", "-c", "1"]."""

    def __init__(self, *args, port=0, prefix=()):
        self.process = subprocess.Popen(
            [*prefix, carronade.BINARY, "serve", "--port", str(port), *args],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.stderr = ""
        self.code = None
        self.line = self._first_line()
        self.url = self.line.removeprefix("listening on ")
        self.port = urllib.parse.urlsplit(self.url).port

    def _first_line(self):
        end = time.monotonic() + 10
        line = b""
        fd = self.process.stdout.fileno()
        while not line.endswith(b"\n") and time.monotonic() < end:
            if select.select([fd], [], [], 0.1)[0]:
                byte = os.read(fd, 1)
                if not byte:
                    break
                line += byte
        if not line.startswith(b"listening on "):
            self.stop()
            raise AssertionError(f"serve did not say that it listens: {line!r} {self.stderr}")
        return line.decode().rstrip("\n")

    def stats(self):
        """What the server itself counted; asking does not count."""
        return self._get("/stats")

    @property
    def request_count(self):
        return self.stats()["requests"]["received"]

    def wait_for_requests(self, count, timeout=20.0):
        """Waits until so many requests came; for tests that act in the middle of a run."""
        end = time.monotonic() + timeout
        while (came := self.request_count) < count:
            if time.monotonic() > end:
                raise AssertionError(f"{came} of {count} requests in {timeout} s")
            time.sleep(0.01)

    def arrivals(self):
        """Seconds since the first request, rising; needs --record-arrivals."""
        return [ns / 1e9 for ns in self._get("/stats/arrivals")["ns"]]

    def _get(self, path):
        # Not urllib.request: a proxy of the environment has no business here.
        if self.url.startswith("https:"):
            trusting = ssl._create_unverified_context()  # its certificate is made by itself
            client = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=10,
                                                 context=trusting)
        else:
            client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            client.request("GET", path)
            return json.loads(client.getresponse().read())
        finally:
            client.close()

    def stop(self, number=signal.SIGINT):
        """Ends it with a signal; the exit code and stderr are attributes afterwards."""
        if self.code is not None:
            return
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            _, stderr = self.process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            _, stderr = self.process.communicate()
        self.stderr = stderr.decode("utf-8", "replace")
        self.code = self.process.returncode

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
