"""`carronade vegeta encode`, `report` and `dump`: results read from files and pipes, whatever is in
them. `plot` is in test_vegeta_plot.py, Go's own gob in test_vegeta_gob.py."""

import array
import fcntl
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import termios
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.servers import wait_until  # noqa: E402

THREE = carronade.SOURCE / "test" / "data" / "vegeta" / "three_results.json"
DATED = r"\A\d{4}/\d\d/\d\d \d\d:\d\d:\d\d "
MILLION = 1_200_000
START_NS = 1_700_000_000 * 10**9


def vegeta(*args, **options):
    return carronade.run(["vegeta", *map(str, args)], **options)


def vegeta_into(output, *args):
    """With an open descriptor, which is closed then, as standard output."""
    try:
        return subprocess.run([carronade.BINARY, "vegeta", *args], stdout=output, text=True,
                              stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=30,
                              check=False)
    finally:
        os.close(output)


def csv_line(number, latency_ns=1_000_000, code=200, error="", attack="", at_ns=None):
    at_ns = START_NS + number * 10_000 if at_ns is None else at_ns
    return (f"{at_ns},{code},{latency_ns},7,128,{error},,{attack},{number},GET,http://h/,\n"
            .encode())


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="carronade-vegeta-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content)
        return path

    def fails(self, outcome, pattern, code=1):
        """One dated line on standard error, as vegeta writes it."""
        self.assertEqual(code, outcome.code, outcome)
        self.assertRegex(outcome.stderr, DATED + pattern + r"\n\Z", outcome)
        return outcome


class Encode(Folder):
    def test_all_encodings_from_all(self):
        lines = THREE.read_bytes()
        written = {to: vegeta("encode", "-to", to, THREE).stdout_bytes
                   for to in ("gob", "json", "csv")}
        self.assertEqual([json.loads(line) for line in lines.splitlines()],
                         [json.loads(line) for line in written["json"].splitlines()])
        for came in written:
            for to in ("gob", "json", "csv"):
                if came == "csv" and to != "csv":
                    continue  # it has neither zones nor null
                outcome = vegeta("encode", f"--to={to}", feed=written[came])
                self.assertEqual(0, outcome.code, outcome)
                self.assertEqual(written[to], outcome.stdout_bytes, (came, to))

    def test_a_pipe_is_followed(self):
        """What is there is passed on before the input ends."""
        process = carronade.start(["vegeta", "encode", "-to", "json"], stdin=-1)
        process.stdin.write(csv_line(0) + csv_line(1))
        process.stdin.flush()
        numbers = [json.loads(process.stdout.readline())["seq"] for _ in range(2)]
        self.assertEqual([0, 1], numbers)
        self.assertEqual(0, carronade.finish(process).code)

    def test_files_take_turns(self):
        first = self.write("a.csv", b"".join(csv_line(i, attack="a") for i in range(3)))
        lines = b"".join(csv_line(i, attack="b") for i in range(2))
        second = self.write("b.json", vegeta("encode", feed=lines).stdout_bytes)
        outcome = vegeta("encode", "-to", "csv", first, second)
        names = [line.split(",")[7] for line in outcome.stdout.splitlines()]
        self.assertEqual(["a", "b", "a", "b", "a"], names)

    def test_output_replaces_a_file(self):
        path = self.write("out", b"x" * 100_000)
        outcome = vegeta("encode", "-to", "csv", "-output", path, feed=csv_line(5))
        self.assertEqual((0, ""), (outcome.code, outcome.stdout), outcome)
        self.assertEqual(csv_line(5), path.read_bytes())

    def test_errors(self):
        self.fails(vegeta("encode", "-to", "xml", THREE), 'encode: unknown encoding "xml"')
        self.fails(vegeta("encode", "nowhere"),
                   "error opening nowhere: open nowhere: no such file or directory")
        self.fails(vegeta("encode"), 'encode: can\'t detect encoding of "stdin": it is empty')
        self.fails(vegeta("encode", feed=b"GET http://h/\n"),
                   'encode: can\'t detect encoding of "stdin": gob: .*; json: .*; csv: .*')
        self.fails(vegeta("encode", "-output", self.folder, THREE), "open .*: is a directory")
        self.fails(vegeta("encode", self.folder), "encode: can't detect .*: read: is a directory")

    def test_flags(self):
        outcome = vegeta("encode", "-x")
        self.assertEqual(2, outcome.code, outcome)
        self.assertTrue(outcome.stderr.startswith("flag provided but not defined: -x\nUsage"))
        outcome = vegeta("encode", "-h")
        self.assertEqual((0, ""), (outcome.code, outcome.stdout), outcome)
        self.assertIn("-to string", outcome.stderr)

    def test_a_full_disk_and_a_closed_pipe(self):
        self.fails(vegeta("encode", "-output", "/dev/full", THREE),
                   "write to /dev/full: No space left on device")
        reading, writing = os.pipe()
        os.close(reading)
        outcome = vegeta_into(writing, "encode", str(THREE))
        self.assertEqual(1, outcome.returncode, outcome)
        self.assertRegex(outcome.stderr, DATED + "write to standard output: Broken pipe\n\\Z")

    def test_dump(self):
        self.fails(vegeta("dump"), "vegeta dump has been deprecated and succeeded by the vegeta "
                   "encode command")


class Report(Folder):
    def test_text(self):
        lines = b"".join(csv_line(i, code=0 if i == 3 else 200, error="gone" if i == 3 else "",
                                  at_ns=START_NS + i * 10**9) for i in range(5))
        outcome = vegeta("report", feed=lines)
        self.assertEqual((0, ""), (outcome.code, outcome.stderr), outcome)
        self.assertEqual(
            "Requests      [total, rate, throughput]         5, 1.25, 1.00\n"
            "Duration      [total, attack, wait]             4.001s, 4s, 1ms\n"
            "Latencies     [min, mean, 50, 90, 95, 99, max]  1ms, 1ms, 1ms, 1ms, 1ms, 1ms, 1ms\n"
            "Bytes In      [total, mean]                     640, 128.00\n"
            "Bytes Out     [total, mean]                     35, 7.00\n"
            "Success       [ratio]                           80.00%\n"
            "Status Codes  [code:count]                      0:1  200:4  \n"
            "Error Set:\ngone\n", outcome.stdout)

    def test_json(self):
        outcome = vegeta("report", "-type=json", "-buckets", "[0,1ms,10ms]", THREE)
        report = json.loads(outcome.stdout)
        self.assertEqual(1, outcome.stdout.count("\n"))
        self.assertEqual(["latencies", "buckets", "bytes_in", "bytes_out", "earliest", "latest",
                          "end", "duration", "wait", "requests", "rate", "throughput", "success",
                          "status_codes", "errors"], list(report))
        self.assertEqual({"0": 1, "1000000": 1, "10000000": 1}, report["buckets"])
        self.assertEqual("2024-01-31T10:00:00.25+01:00", report["latest"])
        self.assertEqual(1 / 3, report["success"])

    def test_hist(self):
        lines = b"".join(csv_line(i, latency_ns=i * 1_000_000) for i in range(12))
        for args in (["-type=hist[0,2ms,4ms]"], ["-type", "hist", "-buckets=[2ms,4ms]"]):
            outcome = vegeta("report", *args, feed=lines)
            self.assertEqual("Bucket         #  %       Histogram\n"
                             "[0s,    2ms]   2  16.67%  ############\n"
                             "[2ms,   4ms]   2  16.67%  ############\n"
                             "[4ms,   +Inf]  8  66.67%  " + "#" * 50 + "\n", outcome.stdout)

    def test_hdrplot(self):
        rows = vegeta("report", "-type", "hdrplot", THREE).stdout.splitlines()
        self.assertEqual(["Value(ms)", "Percentile", "TotalCount", "1/(1-Percentile)"],
                         rows[0].split())
        self.assertEqual(94, len(rows[1:]))
        values = [float(row.split()[0]) for row in rows[1:]]
        self.assertEqual(sorted(values), values)
        self.assertEqual(["1.000000", "3", "10000000.000000"], rows[-1].split()[1:])

    def test_wrong_types(self):
        for word, text in (("xyz", "invalid report type: xyz"),
                           ("wxyz", 'unknown report type: "wxyz"'),
                           ("hist", "bad buckets: ''"),
                           ("hist[0,1ms", r"bad buckets: \[0,1ms"),
                           ("hist[0,2]", 'time: missing unit in duration "2"'),
                           ("plot", "The plot reporter has been deprecated .*")):
            self.fails(vegeta("report", "-type", word, THREE), text)
        self.assertEqual(2, vegeta("report", "-every", "soon", THREE).code)

    def test_what_was_read_before_a_fault_is_reported(self):
        gob = vegeta("encode", "-to", "gob", THREE).stdout_bytes
        cut = self.write("cut.gob", gob[:-3])
        bad = self.write("bad.csv", csv_line(0) + b"no result\n" + csv_line(1))
        for path, count, text in ((cut, 2, "corrupt gob stream at byte 3.*middle of a result"),
                                  (bad, 1, "line 2: 1 of the 12 columns")):
            outcome = self.fails(vegeta("report", "-type", "json", path), f"{path}: {text}")
            self.assertEqual(count, json.loads(outcome.stdout)["requests"])
        # The other file is read to its end.
        outcome = self.fails(vegeta("report", "-type", "json", bad, THREE), f"{bad}: line 2: .*")
        self.assertEqual(4, json.loads(outcome.stdout)["requests"])

    def test_a_length_that_lies_takes_no_memory(self):
        gob = vegeta("encode", "-to", "gob", THREE).stdout_bytes
        lie = self.write("lie.gob", gob + b"\xfc\x0f\xff\xff\xff" + b"x" * 1000)
        outcome = self.fails(self.limited("report", "-type", "json", lie),
                             f"{lie}: corrupt gob stream at byte .*")
        self.assertEqual(3, json.loads(outcome.stdout)["requests"])

    def limited(self, *args, megabytes=100):
        prefix = ("prlimit", f"--as={megabytes << 20}")
        if carronade.run(["--version"], prefix=prefix).code != 0:
            self.skipTest("a sanitizer wants terabytes of address space for itself")
        return vegeta(*args, prefix=prefix, timeout=90)

    def test_more_than_a_million_in_constant_memory(self):
        path = self.folder / "many.csv"
        with open(path, "wb") as out:
            for i in range(0, MILLION, 1000):
                out.write(b"".join(csv_line(k, latency_ns=1_000_000 + k) for k in
                                   range(i, i + 999)))
                out.write(csv_line(i + 999, code=503, error=f"503 number {i % 4000}"))
        gob = self.folder / "many.gob"
        outcome = self.limited("encode", "-to", "gob", "-output", gob, path)
        self.assertEqual(0, outcome.code, outcome)
        for source in (path, gob):
            outcome = self.limited("report", "-type", "json", source)
            self.assertEqual(0, outcome.code, outcome)
            report = json.loads(outcome.stdout)
            self.assertEqual(MILLION, report["requests"])
            self.assertEqual({"200": MILLION * 999 // 1000, "503": MILLION // 1000},
                             report["status_codes"])
            self.assertEqual(4, len(report["errors"]))
            self.assertEqual(7 * MILLION, report["bytes_out"]["total"])
            fast = MILLION // 1000 * 1_000_000  # the failed ones
            others = sum(range(MILLION)) - sum(range(999, MILLION, 1000))
            self.assertEqual(fast + 1_000_000 * (MILLION - MILLION // 1000) + others,
                             report["latencies"]["total"])

    def test_pauses_between_files_are_told(self):
        paths = [self.write(f"{k}.csv", b"".join(
            csv_line(i, at_ns=START_NS + k * 10**11 + i * 10**7) for i in range(101)))
            for k in range(2)]
        outcome = vegeta("report", *paths)
        self.assertEqual(0, outcome.code, outcome)
        self.assertIn("202, 2.00, 2.00", outcome.stdout)
        self.assertIn("101.00 requests/s while they went on", outcome.stderr)
        self.assertEqual("", vegeta("report", paths[0]).stderr)

    def test_a_full_disk_and_a_closed_pipe(self):
        for args in (["-output", "/dev/full"], []):
            full = os.open("/dev/full", os.O_WRONLY)
            outcome = vegeta_into(full, "report", *args, str(THREE))
            self.assertEqual(1, outcome.returncode, outcome)
            self.assertRegex(outcome.stderr, DATED + "write to .*: No space left on device; "
                             "the report follows here\nRequests  ")
            self.assertIn("Status Codes  [code:count]                      0:1  200:1  503:1",
                          outcome.stderr)


def unread(pipe):
    """How many bytes in a pipe its reader has not taken yet."""
    size = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, size)
    return size[0]


class Live(Folder):
    """Pipes that stay open."""

    def start(self, *args, lines=20):
        process = carronade.start(["vegeta", *args], stdin=-1)
        process.stdin.write(b"".join(csv_line(i) for i in range(lines)))
        process.stdin.flush()
        return process

    def test_every_prints_again_and_at_the_end(self):
        process = self.start("report", "-every=100ms", "-type=json")
        lines = [process.stdout.readline() for _ in range(3)]
        for line in lines:
            self.assertTrue(line.startswith(b"\x1b[2J\x1b[0;0H{"), line)
        process.stdin.write(csv_line(20))
        outcome = carronade.finish(process)
        self.assertEqual(0, outcome.code, outcome)
        last = outcome.stdout.splitlines()[-1]
        self.assertEqual(21, json.loads(re.sub(r"\x1b\[[0-9;]*[HJ]", "", last))["requests"])
        self.assertTrue(last.startswith("{"), "the last report clears nothing")

    def test_every_to_a_file(self):
        path = self.folder / "reports"
        process = self.start("report", "-every", "50ms", "-type", "json", "-output", str(path))
        limit = time.monotonic() + 20
        while (not path.exists() or path.read_bytes().count(b"\n") < 3) and \
                time.monotonic() < limit:
            time.sleep(0.02)
        carronade.finish(process)
        reports = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        self.assertGreaterEqual(len(reports), 4)
        self.assertEqual(20, reports[-1]["requests"])

    def test_ctrl_c_reports_what_was_read(self):
        for args, check in ((["report"], lambda out: self.assertIn("20, ", out)),
                            (["encode", "-to=csv"],
                             lambda out: self.assertEqual(20, out.count("\n"))),
                            (["plot"], lambda out: self.assertIn('"count":20', out))):
            process = self.start(*args)
            carronade.wait_until_it_hears(process)
            wait_until(lambda: unread(process.stdin) == 0, 20, "the reading")
            process.send_signal(signal.SIGINT)
            started = time.monotonic()
            code = process.wait(20)
            self.assertLess(time.monotonic() - started, 10)
            out = process.stdout.read().decode()
            self.assertEqual(0, code, args)
            self.assertRegex(process.stderr.read().decode(), DATED + args[0] +
                             ": stopped before the end of the input: .*\n\\Z")
            check(out)
            for stream in (process.stdin, process.stdout, process.stderr):
                stream.close()

    def test_ctrl_c_leaves_time_for_the_last_results(self):
        process = self.start("report", "-type=json")
        carronade.wait_until_it_hears(process)
        process.send_signal(signal.SIGINT)
        carronade.wait_until_it_took(process)
        process.stdin.write(csv_line(20))
        outcome = carronade.finish(process)  # closes the pipe
        self.assertEqual(0, outcome.code, outcome)
        self.assertEqual(21, json.loads(outcome.stdout)["requests"])
        self.assertEqual("", outcome.stderr)

    def test_ctrl_c_before_the_first_result(self):
        process = self.start("report", lines=0)
        carronade.wait_until_it_hears(process)
        process.send_signal(signal.SIGINT)
        code = process.wait(20)
        outcome = carronade.finish(process)
        self.assertEqual(0, code, outcome)
        self.assertIn("0, 0.00, 0.00", outcome.stdout)
        self.assertRegex(outcome.stderr, DATED + "report: stopped before the end of the input: .*")

    def test_a_pipeline(self):
        """encode | encode | report, as a shell connects them."""
        steps = [["encode", "-to", "json", str(THREE)], ["encode", "-to", "gob"],
                 ["encode", "-to", "csv"], ["report", "-type", "json"]]
        processes = []
        for step in steps:
            stdin = processes[-1].stdout if processes else None
            processes.append(carronade.start(["vegeta", *step], stdin=stdin))
            if stdin:
                stdin.close()
        outcome = carronade.finish(processes[-1])
        self.assertEqual(3, json.loads(outcome.stdout)["requests"], outcome)
        for process in processes[:-1]:
            self.assertEqual(0, process.wait(10))
            process.stderr.close()


if __name__ == "__main__":
    carronade.main()
