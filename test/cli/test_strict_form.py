"""`carronade autocannon` and a link of that name: autocannon's streams and exit codes."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.serve_process import ServeProcess  # noqa: E402


class StrictFormTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = ServeProcess()
        cls.url = cls.server.url

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def strict(self, *args, **options):
        return carronade.run(["autocannon", *args], **options)

    def test_everything_is_on_stderr(self):
        outcome = self.strict("-a", "10", "-c", "2", self.url)
        self.assertEqual(0, outcome.code, outcome)
        self.assertEqual("", outcome.stdout, outcome)
        self.assertTrue(outcome.stderr.startswith(
            f"Running 10 requests test @ {self.url}\n2 connections\n\n\n┌─"), outcome)
        self.assertIn("\n10 requests in ", outcome.stderr, outcome)

    def test_a_link_of_the_name_is_the_strict_form(self):
        with tempfile.TemporaryDirectory() as folder:
            link = os.path.join(folder, "autocannon")
            os.symlink(os.path.abspath(carronade.BINARY), link)
            process = subprocess.run([link, "-v"], capture_output=True, timeout=20, check=False)
        self.assertTrue(process.stdout.startswith(b"autocannon v8.0.0\n"), process.stdout)

    def test_help_on_stderr(self):
        for args in (["-h"], [], ["-c", "5"]):
            outcome = self.strict(*args)
            self.assertEqual(0, outcome.code, outcome)
            self.assertEqual("", outcome.stdout, outcome)
            self.assertIn("Usage: autocannon", outcome.stderr, outcome)

    def test_validation_exits_0_with_its_text(self):
        for args, text in ((["-c", "10", "-a", "2"], "connections cannot be greater than amount\n"),
                           (["-c", "0"], "connections can not be less than 1\n"),
                           (["-d=-1"], "duration can not be less than 0\n"),
                           (["-t", "0"], "timeout must be greater than 0\n"),
                           (["-m", "FOO"], "FOO HTTP method is not supported\n")):
            outcome = self.strict(*args, self.url)
            self.assertEqual((0, "", text), (outcome.code, outcome.stdout, outcome.stderr))

    def test_bad_url_and_header_exit_1(self):
        outcome = self.strict("/path")
        self.assertEqual(1, outcome.code, outcome)
        self.assertEqual("Invalid URL\n\nWhen targeting a path without a hostname, the PORT "
                         "environment variable must be available.\n"
                         "Use a full URL or set the PORT variable.\n", outcome.stderr)
        outcome = self.strict("-H", "x", self.url)
        self.assertEqual(1, outcome.code, outcome)
        self.assertEqual("An HTTP header was not correctly formatted: x\n", outcome.stderr)

    def test_no_answer_exits_0(self):
        outcome = self.strict("-d", "1", "http://127.0.0.1:1/")
        self.assertEqual(0, outcome.code, outcome)
        self.assertIn(" (0 timeouts)\n", outcome.stderr, outcome)

    def test_n_hides_everything_and_no_progress_the_header_only(self):
        outcome = self.strict("-n", "-a", "10", "-c", "2", self.url)
        self.assertEqual((0, "", ""), (outcome.code, outcome.stdout, outcome.stderr))
        outcome = self.strict("--no-progress", "-a", "10", "-c", "2", self.url)
        self.assertNotIn("Running", outcome.stderr, outcome)
        self.assertIn("Latency", outcome.stderr, outcome)

    def test_json_with_a_warm_up_is_two_lines(self):
        for extra in ([], ["-n"]):
            outcome = self.strict("-j", "-a", "4", "-c", "1", "-W", "[", "-c", "1", "-d", "1", "]",
                                  *extra, self.url)
            lines = outcome.stdout.splitlines()
            self.assertEqual(2, len(lines), outcome)
            first, second = map(json.loads, lines)
            self.assertNotIn("warmup", first)
            self.assertEqual(first, second["warmup"])
            self.assertNotIn("carronade", second)

    def test_port_makes_paths_of_words(self):
        port = self.url.rsplit(":", 1)[1]
        outcome = self.strict("-j", "-a", "2", "-c", "1", "echo", env={"PORT": port})
        self.assertEqual(f"http://localhost:{port}/echo", json.loads(outcome.stdout)["url"])


if __name__ == "__main__":
    carronade.main()
