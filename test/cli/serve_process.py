"""`carronade serve` as the tests start it: on a free port of loopback, known from its own line."""

import os
import select
import signal
import subprocess
import time

from support import carronade


class ServeProcess:
    def __init__(self, *args):
        self.process = subprocess.Popen(
            [carronade.BINARY, "serve", "--port", "0", *args],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.stderr = ""
        self.code = None
        self.line = self._first_line()
        self.url = self.line.removeprefix("listening on ")

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
