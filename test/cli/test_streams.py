"""Which text goes where, and what happens when it cannot go there."""

import json
import os
import pty
import select
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.serve_process import ServeProcess  # noqa: E402


def run_on_terminal(args, env=None):
    """Runs with a terminal as standard error: (exit code, stdout, what the terminal got)."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [carronade.BINARY, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=slave,
        env={"PATH": os.environ["PATH"], "TERM": "xterm", **(env or {})})
    os.close(slave)
    shown = b""
    while True:
        ready, _, _ = select.select([master], [], [], 20)
        try:
            piece = os.read(master, 65536) if ready else b""
        except OSError:  # the terminal's last user is gone
            break
        if not piece:
            break
        shown += piece
    os.close(master)
    stdout, _ = process.communicate(timeout=20)
    return process.returncode, stdout.decode(), shown.decode("utf-8", "replace")


class StreamsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = ServeProcess()
        cls.url = cls.server.url

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def test_report_on_stdout_and_silence_on_stderr(self):
        outcome = carronade.run(["-a", "10", "-c", "2", self.url])
        self.assertIn("Latency", outcome.stdout, outcome)
        self.assertEqual("", outcome.stderr, outcome)

    def test_json_is_pure(self):
        for extra in ([], ["-l", "--renderStatusCodes"], ["-b", "x"], ["--debug"],
                      ["-W", "[", "-c", "1", "-d", "200ms", "]"], ["-n"], ["-V=0"]):
            outcome = carronade.run(["-j", "-a", "5", "-c", "1", *extra, self.url])
            self.assertEqual(1, outcome.stdout.count("\n"), outcome)
            document = json.loads(outcome.stdout)
            self.assertEqual(5, document["carronade"]["requests"]["answered"], outcome)
            self.assertEqual("-W" in extra, "warmup" in document, outcome)

    def test_json_of_a_run_without_answers(self):
        outcome = carronade.run(["-j", "-d", "300ms", "http://127.0.0.1:1/"])
        self.assertEqual(2, outcome.code, outcome)
        document = json.loads(outcome.stdout)
        self.assertEqual(0, document["latency"]["average"], outcome)
        self.assertIsNone(document["carronade"]["latency"]["mean"], outcome)

    def test_warning_before_the_tables(self):
        for args, text in ((["-x", self.url + "/status/503"],
                            "warning: 4 of 4 answers are not 2xx: 503 (4); -x leaves all of them"),
                           (["-E", "other", self.url],
                            "warning: 4 of 4 answers have not the expected body\n")):
            outcome = carronade.run(["-a", "4", "-c", "1", *args])
            self.assertTrue(outcome.stdout.startswith(text), outcome)

    def test_warnings_on_stderr(self):
        outcome = carronade.run(["-a", "1", "-c", "1", "-w", "4", "-b", "x", self.url])
        self.assertIn("carronade: warning: workers reduced from 4 to 1", outcome.stderr, outcome)
        self.assertIn("carronade: warning: a body without Content-Type", outcome.stderr, outcome)

    def test_full_disk(self):
        for args, proof in ((["-a", "5", "-c", "1"], "Latency"),
                            (["-j", "-a", "5", "-c", "1"], '"totalCount":5')):
            with open("/dev/full", "wb") as full:
                process = subprocess.run([carronade.BINARY, *args, self.url], stdout=full,
                                         stderr=subprocess.PIPE, timeout=20, check=False)
            stderr = process.stderr.decode()
            self.assertEqual(1, process.returncode, stderr)
            self.assertIn("standard output: No space left on device", stderr)
            self.assertIn(proof, stderr)

    def test_a_help_that_cannot_be_written_is_no_report(self):
        for words in (["--help"], ["-v"], ["serve", "--help"], ["loadtest", "--help"]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([carronade.BINARY, *words], stdout=full, text=True,
                                      stderr=subprocess.PIPE, timeout=20, check=False)
            self.assertEqual(1, done.returncode, done)
            self.assertRegex(done.stderr,
                             r"^[a-z ]+: write to standard output: No space left on device\n$")

    def test_closed_pipe(self):
        reader, writer = os.pipe()
        os.close(reader)
        process = subprocess.run([carronade.BINARY, "-a", "5", "-c", "1", self.url],
                                 stdout=writer, stderr=subprocess.PIPE, timeout=20, check=False)
        os.close(writer)
        stderr = process.stderr.decode()
        self.assertEqual(1, process.returncode, stderr)
        self.assertIn("standard output: Broken pipe", stderr)
        self.assertIn("Latency", stderr)

    def shell(self, line):
        return subprocess.run(["/bin/sh", "-c", line, carronade.BINARY, self.url],
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=20,
                              check=False)

    def test_closed_streams(self):
        # Nothing of our own takes their numbers, so the system's reason is that of a closed one.
        process = self.shell('exec "$0" -a 5 -c 1 "$1" >&-')
        self.assertEqual(1, process.returncode, process)
        self.assertIn(b"standard output: Bad file descriptor", process.stderr)
        self.assertIn(b"Latency", process.stderr)
        process = self.shell('exec "$0" -a 5 -c 1 "$1" <&- >&- 2>&-')
        self.assertEqual(1, process.returncode, process)
        process = self.shell('exec "$0" -a 5 -c 1 "$1" <&- 2>&-')
        self.assertEqual(0, process.returncode, process)
        self.assertIn(b"\n5 2xx responses\n", process.stdout)
        process = self.shell('exec "$0" -a 5 -c 1 -i - "$1" <&-')
        self.assertEqual(1, process.returncode, process)
        self.assertIn(b"read standard input: Bad file descriptor", process.stderr)

    def test_header_and_progress_on_a_terminal(self):
        code, stdout, shown = run_on_terminal(["-d", "1", "-c", "2", self.url])
        self.assertEqual(0, code, shown)
        self.assertIn("Running 1s test @ " + self.url, shown)
        self.assertIn("requests", shown)
        self.assertIn("Latency", stdout)
        self.assertNotIn("Latency", shown)

    def test_what_hides_the_progress(self):
        for option in ("-n", "--no-progress", "-j"):
            _, stdout, shown = run_on_terminal(["-d", "300ms", "-c", "2", option, self.url])
            self.assertEqual("", shown, option)
            self.assertNotEqual("", stdout, option)

    def test_colours_follow_the_environment(self):
        args = ["-d", "300ms", "-c", "1", self.url]
        self.assertNotIn("\x1b[3", run_on_terminal(args, {"NO_COLOR": "1"})[2])

    def test_debug_shows_one_exchange(self):
        outcome = carronade.run(["-a", "3", "-c", "1", "--debug", self.url + "/echo"])
        self.assertEqual(1, outcome.stderr.count("> GET /echo HTTP/1.1\n"), outcome)
        self.assertEqual(1, outcome.stderr.count("< HTTP/1.1 200 OK\n"), outcome)
        self.assertNotIn("HTTP/1.1 200", outcome.stdout, outcome)

    def test_debug_shows_errors(self):
        outcome = carronade.run(["-d", "300ms", "-c", "1", "--debug", "http://127.0.0.1:1/"])
        self.assertIn("connect 127.0.0.1:1: Connection refused", outcome.stderr, outcome)

    def test_dry_run_prints_bytes_and_sends_nothing(self):
        other = "http://127.0.0.1:1/other?x=1"
        outcome = carronade.run(["--dry-run", "-m", "POST", "-H", "X-A: b", "-b", "hi", self.url
                                 + "/p", other])
        self.assertEqual(0, outcome.code, outcome)
        host = self.url.removeprefix("http://").encode()
        self.assertIn(b"\nPOST /p HTTP/1.1\r\nHost: " + host + b"\r\nConnection: keep-alive\r\n"
                      b"X-A: b\r\nContent-Length: 2\r\n\r\nhi\n", outcome.stdout_bytes)
        self.assertIn("addresses: 127.0.0.1:1,", outcome.stdout, outcome)
        self.assertIn(b"POST /other?x=1 HTTP/1.1\r\n", outcome.stdout_bytes)

    def test_body_from_standard_input_is_byte_exact(self):
        body = bytes(range(256)) * 3
        outcome = carronade.run(["--dry-run", "-m", "PUT", "-i", "-", self.url], feed=body)
        self.assertTrue(outcome.stdout_bytes.endswith(
            b"Content-Length: 768\r\n\r\n" + body + b"\n"), outcome)


if __name__ == "__main__":
    carronade.main()
