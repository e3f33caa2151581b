"""Loads at a rate as the command line asks for them: what is said before, after and instead."""

import json
import re
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.serve_process import ServeProcess  # noqa: E402


class RateTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = ServeProcess()
        cls.url = cls.server.url

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def test_expected_number_is_told_before(self):
        for args, line in (
                (["-R", "200", "-d", "500ms"],
                 "expecting 100 requests in 0.5 s: 200/s, even\n"),
                (["-r", "5", "-c", "4", "-a", "10"],
                 "expecting 10 requests: 20/s (5/s on each of 4 connections), even\n"),
                (["--ramp", "100..300/500ms", "--arrivals", "burst:10"],
                 "expecting 100 requests in 0.5 s: --ramp 100..300/500ms, bursts of 10\n"),
                (["-R", "100", "-d", "500ms", "--arrivals", "poisson", "--seed", "3"],
                 "expecting about 50 requests in 0.5 s: 100/s, poisson, seed 3\n")):
            outcome = carronade.run([*args, self.url])
            self.assertEqual(line, outcome.stderr, outcome)
            self.assertEqual(0, outcome.code, outcome)

    def test_what_hides_the_expected_number(self):
        for option in ("-n", "--no-progress", "-j"):
            outcome = carronade.run(["-R", "100", "-d", "200ms", option, self.url])
            self.assertEqual("", outcome.stderr, outcome)

    def test_a_warm_up_is_told_apart(self):
        outcome = carronade.run(["-R", "100", "-d", "300ms", "-W", "200ms", self.url])
        self.assertEqual("warmup: expecting 20 requests in 0.2 s: 100/s, even\n"
                         "expecting 30 requests in 0.3 s: 100/s, even\n", outcome.stderr, outcome)

    def test_report_of_an_open_loop(self):
        outcome = carronade.run(["-R", "200", "-d", "1", self.url])
        self.assertIn("│ Latency ", outcome.stdout, outcome)
        self.assertIn("│   95% from ", outcome.stdout, outcome)
        self.assertIn("│ Service time ", outcome.stdout, outcome)
        self.assertIn("\nopen loop: planned 200 at 200/s, sent 200 (100 %), dropped 0 "
                      "(0 refused, 0 never sent)\n", outcome.stdout, outcome)
        self.assertRegex(outcome.stdout, r"\nsent late by the generator: p50 .*\(n = 200\)\n")
        self.assertRegex(outcome.stdout, r"\nverdict: (valid|suspect|invalid)\b")

    def test_stages_have_their_own_lines(self):
        outcome = carronade.run(["--stages", "300ms:100, 300ms:200", self.url])
        for row in (r"│ 300ms at 100/s +│ 30 +│ 30 +│ 30 +│ 0 +│ 0 ",
                    r"│ 300ms at 200/s +│ 60 +│ 60 +│ 60 +│ 0 +│ 0 "):
            self.assertRegex(outcome.stdout, row)

    def test_uncorrected_shows_both(self):
        outcome = carronade.run(["-R", "200", "-d", "500ms", "-U", self.url])
        self.assertRegex(outcome.stdout,
                         r"│ Percentile +│ Latency +│ 95% from +│ 95% to +│ Service time +│")

    def test_service_time_instead(self):
        outcome = carronade.run_json(["-R", "100", "-d", "500ms", "-C", self.url])
        self.assertAlmostEqual(outcome.own["serviceTime"]["max"] / 1e6,
                               outcome.report["latency"]["max"], places=3)

    def test_verdict_of_a_closed_loop(self):
        outcome = carronade.run(["-a", "10", "-c", "2", self.url])
        self.assertRegex(outcome.stdout, r"\nverdict: (valid|suspect|invalid)\b")

    def test_stages_of_connections(self):
        outcome = carronade.run_json(["--stages-connections", "300ms:1..4, 300ms:4", self.url])
        self.assertEqual(4, outcome.own["connections"]["asked"], outcome)
        self.assertGreater(outcome.answered, 0, outcome)

    def test_strict_form_keeps_its_text(self):
        outcome = carronade.run(["autocannon", "-R", "5", "-c", "10", "-d", "1", self.url])
        self.assertEqual(0, outcome.code, outcome)
        self.assertTrue(outcome.stderr.startswith(
            f"Running 1s test @ {self.url}\n5 connections\n\n\n┌─"), outcome)
        self.assertNotIn("expecting", outcome.stderr, outcome)
        self.assertRegex(outcome.stderr, r"\n5 requests in 1(\.\d+)?s, ")
        for args, text in (
                (["-C"], "ignoreCoordinatedOmission makes no sense without connectionRate or "
                         "overallRate\n"),
                (["-r", "0"], "connectionRate can not be less than 1\n")):
            outcome = carronade.run(["autocannon", *args, self.url])
            self.assertEqual((0, "", text), (outcome.code, outcome.stdout, outcome.stderr))

    def test_exit_code_of_the_verdict(self):
        # A run without an answer shows nothing.
        nobody = ["-j", "-d", "300ms", "-c", "1", "http://127.0.0.1:1/"]
        outcome = carronade.run(nobody)
        self.assertEqual("invalid", json.loads(outcome.stdout)["carronade"]["verdict"]["state"],
                         outcome)
        self.assertEqual(2, outcome.code, outcome)
        self.assertEqual(3, carronade.run(["--strict", *nobody]).code)
        self.assertEqual(0, carronade.run(["autocannon", *nobody]).code)
        self.assertEqual(3, carronade.run(["autocannon", "--strict", *nobody]).code)
        # Too few samples make it suspect and no more.
        outcome = carronade.run(["-j", "--strict", "-a", "20", "-c", "1", self.url])
        self.assertEqual("suspect", json.loads(outcome.stdout)["carronade"]["verdict"]["state"],
                         outcome)
        self.assertEqual(0, outcome.code, outcome)


class BadInputTest(unittest.TestCase):
    URL = "http://127.0.0.1:1"

    def refused(self, args, text):
        outcome = carronade.run([*args, self.URL])
        self.assertEqual(1, outcome.code, outcome)
        self.assertEqual("", outcome.stdout, outcome)
        self.assertEqual(1, outcome.stderr.count("\n"), outcome)
        self.assertTrue(outcome.stderr.startswith("carronade: "), outcome)
        self.assertIn(text, outcome.stderr, outcome)

    def test_loads_that_cannot_be_read(self):
        for flag in ("-R", "--rate", "--overallRate", "-r", "--connectionRate", "--ramp",
                     "--stages", "--step", "--sine", "--stages-connections", "--arrivals"):
            for text in ("", "fast", "1..", "10s:", "1/2/3", "\x1b"):
                self.refused([f"{flag}={text}"], f"{flag}: ")
        self.refused(["-R=-5"], "-R: ")
        self.refused(["--arrivals", "burst:0", "-R", "5"], "--arrivals: ")
        self.refused(["--pace", "run", "-R", "5"], "none of hybrid, spin, sleep")
        self.refused(["--overflow", "x", "-R", "5"], "none of queue, drop")
        self.refused(["--rate-file", "/nowhere/rates"], "/nowhere/rates")

    def test_a_faulty_line_of_a_file_is_named(self):
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as rates:
            rates.write("time,rate\n0,10\n5,many\n")
            rates.flush()
            self.refused(["--rate-file", rates.name], "3")
            self.refused(["--rate-file", rates.name], rates.name)

    def test_what_does_not_go_together(self):
        for args, text in (
                (["-R", "5", "--sine", "1..2/3s"], "both say how much load"),
                (["-R", "0"], "the rate must be greater than 0"),
                (["-C"], "makes no sense without"),
                (["-U"], "--uncorrected has no effect without a rate"),
                (["--seed", "5"], "--seed has no effect without a rate"),
                (["-R", "5", "-M", "5"], "use --amount"),
                (["-R", "5", "--max-connections", "5"], "the 10 of --connections"),
                (["--stages-connections", "1s:5", "-c", "5"], "leave -c out"),
                (["--ramp", "1..5/3s", "--warmup", "auto"], "needs a steady load"),
                (["--hdr", "/tmp/x", "--hgrm", "/tmp/x"], "two files")):
            self.refused(args, text)


class FilesTest(unittest.TestCase):
    def test_a_path_that_does_not_work_is_told_at_once(self):
        for flag in ("--hdr", "--hgrm"):
            outcome = carronade.run(["-d", "60", flag, "/nowhere/file", "http://127.0.0.1:1"])
            self.assertEqual(1, outcome.code, outcome)
            self.assertEqual("", outcome.stdout, outcome)
            self.assertEqual("carronade: open /nowhere/file to write: No such file or directory\n",
                             outcome.stderr, outcome)
            self.assertLess(outcome.seconds, 10, outcome)

    def test_files_beside_the_report(self):
        with ServeProcess() as server, tempfile.TemporaryDirectory() as folder:
            log, table = Path(folder, "run.hlog"), Path(folder, "run.hgrm")
            table.write_text("what was there before\n" * 1000, "utf-8")
            outcome = carronade.run(["-d", "1", "-c", "2", "--hdr", str(log), "--hgrm", str(table),
                                     server.url])
            self.assertEqual(0, outcome.code, outcome)
            self.assertIn("Latency", outcome.stdout, outcome)
            self.assertTrue(log.read_text("utf-8").startswith("#"), log.read_text("utf-8")[:200])
            text = table.read_text("utf-8")
            self.assertNotIn("before", text)
            self.assertRegex(text, r"(?m)^ *Value +Percentile +TotalCount")
            count = re.search(r"Total count *= *(\d+)", text)
            answered = re.search(r"([\d,]+) answered", outcome.stdout)
            self.assertEqual(answered[1].replace(",", ""), count[1], text[-500:])

    def test_a_full_disk_costs_the_file_and_not_the_report(self):
        with ServeProcess() as server:
            for flag in ("--hdr", "--hgrm"):
                outcome = carronade.run(["-d", "500ms", "-c", "1", flag, "/dev/full", server.url])
                self.assertEqual(1, outcome.code, outcome)
                self.assertIn("Latency", outcome.stdout, outcome)
                self.assertEqual("carronade: write to /dev/full: No space left on device\n",
                                 outcome.stderr, outcome)


if __name__ == "__main__":
    carronade.main()
