"""`carronade testserver-loadtest`: its options, what it answers and prints, and its end."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support import carronade  # noqa: E402

COMMAND = [carronade.BINARY, "testserver-loadtest"]


class TestServer:
    """On a free port; `folder`: its working directory, and home."""

    def __init__(self, *args, folder="/", port="0"):
        self.process = subprocess.Popen(
            [*COMMAND, *args, *([port] if port else [])], cwd=folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "HOME": folder})
        self.line = self.process.stdout.readline().rstrip("\n")
        if not self.line.startswith("Listening on http://localhost:"):
            raise AssertionError(f"{self.line!r} {self.process.communicate(timeout=10)}")
        self.port = int(self.line.rstrip("/").rpartition(":")[2])

    def ask(self, path="/", method="GET", body=None, headers=None):
        client = http.client.HTTPConnection("localhost", self.port, timeout=10)
        client.request(method, path, body, headers or {})
        answer = client.getresponse()
        found = answer.status, answer.read().decode()
        client.close()
        return found

    def stop(self, number=signal.SIGINT):
        self.process.send_signal(number)
        return *self.process.communicate(timeout=10), self.process.returncode

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


def run(*args, folder="/"):
    return subprocess.run([*COMMAND, *args], cwd=folder, capture_output=True, text=True, timeout=20,
                          env={**os.environ, "HOME": folder})


class Answers(unittest.TestCase):
    def test_ok_at_every_path_until_a_signal(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with TestServer() as server:
                self.assertEqual(server.line, f"Listening on http://localhost:{server.port}/")
                for path in ("/", "/status/503", "/stats", "/delay/1h"):
                    self.assertEqual(server.ask(path), (200, "OK"))
                self.assertEqual(server.ask("/", "POST", "some body"), (200, "OK"))
                self.assertEqual(server.stop(number), ("", "", 0))

    def test_values_behind_a_space_an_equals_sign_or_nothing(self):
        for words in (["-b", "text"], ["-b=text"], ["-btext"], ["--body", "text"], ["--body=text"]):
            with TestServer(*words) as server:
                self.assertEqual(server.ask(), (200, "text"))

    def test_the_port_as_option_comes_before_the_operand(self):
        with socket.create_server(("", 0)) as free:
            port = free.getsockname()[1]
        for words in ([f"-p{port}", "1"], ["--port", str(port)], [str(port)]):
            with TestServer(*words, port=None) as server:
                self.assertEqual(server.port, port)
                self.assertEqual(server.ask(), (200, "OK"))

    def test_errors_are_an_exact_share(self):
        with TestServer("-e", "503", "-c", "1") as server:
            self.assertEqual(server.ask(), (503, "ERROR"))
        for words, status, share in ((["-P", "20"], 500, 20), (["-P7", "-e404"], 404, 7),
                                     (["-P0", "-e404"], 404, 0)):
            with TestServer(*words, "-c", "1") as server:
                answers = [server.ask() for _ in range(100)]
                self.assertEqual(answers.count((status, "ERROR")), share)
                self.assertEqual(answers.count((200, "OK")), 100 - share)

    def test_waits_and_serves_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder, "page")
            page.write_text("0123456789" * 10_000)
            with TestServer("--delay", "50", "-f", "page", "-b", "unused",
                            folder=folder) as server:
                start = time.monotonic()
                self.assertEqual(server.ask(), (200, page.read_text()))
                self.assertGreaterEqual(time.monotonic() - start, 0.05)

    def test_takes_what_is_not_given_from_the_configuration_file(self):
        with tempfile.TemporaryDirectory() as folder:
            config = {"error": 404, "percent": 100, "delay": 1, "body": "configured",
                      "maxRequests": 5, "unknown": True}
            Path(folder, ".loadtestrc").write_text(json.dumps(config))
            with TestServer(folder=folder) as server:
                self.assertEqual(server.ask(), (404, "ERROR"))
            with TestServer("-P", "0", folder=folder) as server:
                self.assertEqual(server.ask(), (200, "configured"))
            with TestServer("-P", "0", "-b", "given", folder=folder) as server:
                self.assertEqual(server.ask(), (200, "given"))
            Path(folder, ".loadtestrc").write_text("percent: 300\n")
            done = run("0", folder=folder)
            self.assertEqual(done.returncode, 1)
            self.assertIn(".loadtestrc: percent cannot be 300", done.stderr)

    def test_echoes_messages(self):
        with TestServer() as server, socket.create_connection(("localhost", server.port)) as client:
            client.settimeout(10)
            client.sendall(b"GET /any HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
                           b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                           b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
                           b"\x81\x82\0\0\0\0hi")
            stream = client.makefile("rb")
            self.assertEqual(stream.readline(), b"HTTP/1.1 101 Switching Protocols\r\n")
            while stream.readline() != b"\r\n":
                pass
            self.assertEqual(stream.read(4), b"\x81\x02hi")


class Lines(unittest.TestCase):
    # Two samples in one test: each takes 5 s.
    def test_one_request_is_shown_about_every_5_s(self):
        with TestServer("-c", "2") as server:
            sent = time.monotonic()
            count = 0
            while time.monotonic() - sent < 5.4:
                server.ask("/x", "POST", "the body", {"X-Odd": "it's", "User-Agent": "me"})
                count += 1
                time.sleep(0.01)
            out, err, code = server.stop()
        lines = out.splitlines()
        rate = int(lines[0].removeprefix("Requests per second: "))
        self.assertTrue(0 < rate <= count, rate)
        port = server.port
        self.assertEqual(lines[1:], [
            "Headers for POST to /x: {", f"  host: 'localhost:{port}',",
            "  'accept-encoding': 'identity',", "  'content-length': '8',", "  'x-odd': \"it's\",",
            "  'user-agent': 'me'", "}", "Body: the body"])
        self.assertEqual((err, code), ("", 0))


class Misuse(unittest.TestCase):
    def test_what_is_no_number_is_told_with_the_help(self):
        for words, name in ((["abc"], "port"), (["-p", "70000"], "port"), (["-p=-1"], "port"),
                            (["-d", "soon"], "delay"), (["-e", "99"], "error"),
                            (["-P", "101"], "percent"), (["-c", "x"], "cores")):
            done = run(*words)
            self.assertEqual(done.stderr, f"Invalid {name}\n", words)
            self.assertTrue(done.stdout.startswith("USAGE: testserver-loadtest"), words)
            self.assertEqual(done.returncode, 1)
        done = run("1", "2")
        self.assertEqual((done.stderr, done.returncode), ("Too many arguments: 1,2\n", 1))

    def test_unknown_options_and_help(self):
        done = run("--prot", "1")
        self.assertEqual(done.returncode, 255)
        self.assertEqual(done.stdout, 'Unknown option "--prot". Did you mean "--port"?\n'
                                      'Try "--help" for more information.\n')
        done = run("--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for option in ("port", "delay", "error", "percent", "cores", "body", "file"):
            self.assertIn(f"--{option} <ARG1>", done.stdout)

    def test_a_port_that_is_taken(self):
        for cores in "12":
            with TestServer() as server:
                done = run("-c", cores, str(server.port))
                self.assertEqual(done.stderr,
                                 f"Port {server.port} in use, please free it and retry again\n")
                self.assertEqual((done.stdout, done.returncode), ("", 1))

    def test_files_that_cannot_be(self):
        done = run("-f", "/none/such", "0")
        self.assertEqual(done.returncode, 1)
        self.assertIn("/none/such", done.stderr)
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "loadtest.config.js").write_text("module.exports = {delay: 5}\n")
            done = run("0", folder=folder)
            self.assertEqual((done.stdout, done.returncode), ("", 1))
            self.assertIn("JavaScript", done.stderr)

    def test_an_output_that_nobody_reads(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([*COMMAND, "0"], stdout=full, stderr=subprocess.PIPE, text=True,
                                  timeout=20)
        self.assertEqual(done.returncode, 1)
        self.assertIn("No space left on device", done.stderr)


if __name__ == "__main__":
    unittest.main()
