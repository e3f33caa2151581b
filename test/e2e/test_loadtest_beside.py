"""`carronade loadtest` and loadtest 8.2.1 against the same server: the same lines in the same
places, the same counts, the same bytes."""

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.loadtest_report import LoadtestReport  # noqa: E402
from support.scripted_peer import Peer, answer, serve  # noqa: E402
from support.serve_process import ServeProcess  # noqa: E402

PACKAGE = carronade.SOURCE / "build" / "npm" / "node_modules" / "loadtest"
NODE = shutil.which("node")
SAME = ("url", "max_requests", "max_time", "target_rps", "cores", "agent", "completed")


def take_two(listener, taken):
    """One request of each of two connections, answered when its last bytes are there."""
    listener.settimeout(30)
    for _ in range(2):
        connection, _ = listener.accept()
        with connection:
            connection.settimeout(10)
            text = b""
            while not text.endswith((b"\r\n0\r\n\r\n", b"\r\n\r\ntext")):
                text += connection.recv(65536)
            taken.append(text)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")


@unittest.skipUnless(NODE and PACKAGE.exists(), "loadtest is not in build/npm: make test brings it")
class BesideLoadtestTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.environment = {"HOME": str(self.folder)}

    def both(self, *args, code=0):
        """Both at the same time, with the same words."""
        words = [str(word) for word in args]
        ours = carronade.start(["loadtest", *words], cwd=self.folder, env=self.environment)
        real = subprocess.run([NODE, PACKAGE / "bin" / "loadtest.js", *words], cwd=self.folder,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=40,
                              env={**os.environ, **self.environment}, check=False)
        ours = carronade.finish(ours)
        self.assertEqual(code, real.returncode, real.stdout + real.stderr)
        self.assertEqual(code, ours.code, ours)
        return real, ours

    def reports(self, *args):
        real, ours = self.both("--cores", 1, *args)
        expected, found = LoadtestReport(real.stdout), LoadtestReport(ours.stdout)
        self.assertEqual([name for name in expected.shape if name not in expected.codes],
                         [name for name in found.shape if name not in found.codes])
        return expected, found

    def test_an_amount(self):
        with ServeProcess() as server:
            expected, found = self.reports("-n", 100, "-c", 5, server.url)
            self.assertEqual(200, server.request_count)
        for name in (*SAME, "clients", "errors"):
            self.assertEqual(expected.fields[name], found.fields[name], name)

    def test_keep_alive_and_a_time(self):
        with ServeProcess() as server:
            expected, found = self.reports("-t", 1, "-k", "-c", 3, server.url)
        for name in (*SAME[:-1], "clients", "errors"):
            self.assertEqual(expected.fields[name], found.fields[name], name)

    def test_a_rate_and_a_delay(self):
        with ServeProcess("--delay", "200ms") as server:
            expected, found = self.reports("-n", 20, "--rps", 20, server.url)
        for name in SAME:
            self.assertEqual(expected.fields[name], found.fields[name], name)
        # What each request took is the server's doing: whole ms there, as they are here.
        self.assertLessEqual(expected.milliseconds("p50"), found.milliseconds("longest"))
        self.assertGreaterEqual(expected.milliseconds("p50"), 199)
        self.assertGreaterEqual(found.milliseconds("p50"), 200)

    def test_errors(self):
        with ServeProcess("--error", "503") as server:
            expected, found = self.reports("-n", 30, "-c", 2, server.url)
        self.assertEqual({"-1": 30}, expected.codes)  # mended here
        self.assertEqual({"503": 30}, found.codes)

    def test_progress_lines(self):
        with ServeProcess() as server:
            expected, found = self.reports("-t", 6, "--rps", 50, server.url)
        words = re.compile(r"[\d.]+")
        self.assertEqual(words.sub("N", expected.progress), words.sub("N", found.progress))

    def test_the_same_bytes(self):
        for args in (("-H", "X-A:1", "-H", "x-b: 2", "-C", "a=b", "-C", "c=d"), ("-m", "POST"),
                     ("-k", "-m", "put", "-H", "host:other")):
            with self.subTest(args), Peer([serve(answer(b"ok"))]) as peer:
                self.both("-n", 1, "-c", 1, "--cores", 1, *args, peer.url("/a?b=1"))
                peer.stop()
                first, second = peer.requests
                self.assertEqual(first.raw, second.raw)

    def test_bodies_but_for_their_framing(self):
        # The peers of the other tests take no chunked requests.
        with socket.create_server(("127.0.0.1", 0)) as listener:
            taken = []
            thread = threading.Thread(target=take_two, args=(listener, taken))
            thread.start()
            self.both("-n", 1, "-c", 1, "--cores", 1, "-P", "text", "-T", "a/b",
                      f"http://127.0.0.1:{listener.getsockname()[1]}/")
            thread.join()
        taken.sort(key=lambda text: text.endswith(b"text"))  # the original's is the chunked one
        heads = [text.split(b"\r\n\r\n", maxsplit=1)[0].split(b"\r\n") for text in taken]
        self.assertEqual(heads[0][:-1], heads[1][:-1])
        self.assertEqual([b"Transfer-Encoding: chunked", b"Content-Length: 4"],
                         [head[-1] for head in heads])
        self.assertTrue(taken[0].endswith(b"\r\n4\r\ntext\r\n0\r\n\r\n"), taken[0])
        self.assertTrue(taken[1].endswith(b"\r\n\r\ntext"), taken[1])

    def test_refusals(self):
        for args, code in (((), 1), (("http://a/", "http://b/"), 1), (("ftp://a/",), 1),
                           (("-m", "HEAD", "http://a/"), 1), (("-z",), 255),
                           (("--concurency", "1"), 255)):
            with self.subTest(args):
                real, ours = self.both("--cores=1", *args, code=code)
                first = [text.split("\n", maxsplit=1)[0].rstrip("'")
                         for text in (real.stderr, ours.stderr, real.stdout, ours.stdout)]
                self.assertEqual(first[0], first[1])
                if code == 255:
                    self.assertEqual(real.stdout, ours.stdout)


if __name__ == "__main__":
    carronade.main()
