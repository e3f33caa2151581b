"""`carronade siege`: its reports, and what it does about faults."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.scripted_peer import Peer, answer, close, read, serve, silent  # noqa: E402
from support.siege_case import PLAIN, SiegeCase  # noqa: E402
from support.siege_report import figures  # noqa: E402


class SiegeReportTest(SiegeCase):
    def test_json_and_quiet(self):
        outcome, report, peer = self.against([[serve(answer(b"x" * 1000))]], "-c2", "-r5", "-j")
        found = json.loads(outcome.stdout)
        self.assertIsNone(report, outcome)
        self.assertEqual("\n", outcome.stderr)
        self.assertEqual(10, found["transactions"], outcome)
        self.assertEqual(100, found["availability"], outcome)
        self.assertEqual(12, len(found))
        outcome, report, _ = self.against([[serve()]], "-c2", "-r5", "-q")
        self.assertEqual(("", ""), (outcome.stdout, outcome.stderr))

    def test_statuses(self):
        for status, expected in ((200, (4, 4, 0)), (404, (4, 0, 0)), (408, (0, 0, 4)),
                                 (503, (0, 0, 4)), (304, (4, 4, 0))):
            body = b"" if status == 304 else b"x"
            outcome, report, _ = self.against([[serve(answer(body, f"{status} X"))]], "-c2", "-r2")
            self.assertEqual(expected, tuple(int(report[k]) for k in
                                             ("transactions", "successful", "failed")), outcome)
            self.assertEqual(4, outcome.stdout.count(f"HTTP/1.1 {status} "), outcome)

    def test_times_bytes_and_sums(self):
        def reply(_request):
            time.sleep(0.05)
            return answer(b"x" * (1 << 20))

        outcome, report, _ = self.against([[serve(reply)]], "-c2", "-r3")
        self.assertEqual(6, report["megabytes"], outcome)
        self.assertGreaterEqual(report["shortest"], 50, outcome)
        self.assertLessEqual(report["shortest"], report["response"], outcome)
        self.assertLessEqual(report["response"], report["longest"], outcome)
        self.assertAlmostEqual(report["concurrency"],
                               6 * report["response"] / 1000 / report["elapsed"], delta=0.1)
        self.assertAlmostEqual(report["rate"], 6 / report["elapsed"],
                               delta=0.05 * report["rate"] + 0.1)

    def test_csv_lines(self):
        outcome, _, _ = self.against([[serve()]], "-c1", "-r1",
                                     rc=PLAIN + "csv = true\ndisplay-id = true\n", path="/a,b")
        self.assertRegex(outcome.stdout, r"^   0,HTTP/1\.1,200,  0\.\d\d,      2,/a,b,0,"
                                         r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\n$")

    def test_get_and_print(self):
        head = answer(b"", headers=[("Content-Length", "4")], length=False)
        outcome, report, peer = self.against([[serve(head)]], "-g", "-c9", "-r9")
        self.assertEqual(1, peer.request_count, outcome)
        self.assertTrue(outcome.stdout_bytes.startswith(b"HEAD / HTTP/1.0\r\nHost: "), outcome)
        self.assertIn(b"\r\n\r\n\nHTTP/1.1 200 OK\r\n", outcome.stdout_bytes)
        self.assertEqual(1, report["transactions"], outcome)
        self.assertNotIn("SIEGE", outcome.stderr)
        outcome, _, _ = self.against([[serve(answer(b"page"))]], "-p")
        self.assertTrue(outcome.stdout.endswith("\npage\n"), outcome)

    def test_a_full_disk_and_a_closed_pipe(self):
        with Peer([serve()]) as peer:
            for redirect in ("> /dev/full", "| true"):
                command = (f'"$0" siege -R "$1" -c2 -r5 "$2" {redirect};'
                           ' echo "${PIPESTATUS[0]}" >&2')
                outcome = self.shell(command, peer.url())
                report = figures(outcome.stderr)
                self.assertIsNotNone(report, outcome)
                self.assertEqual(10, report["transactions"], outcome)
                if "full" in redirect:
                    self.assertIn("No space left", outcome.stderr)
                    self.assertTrue(outcome.stderr.endswith("\n1\n"), outcome)
            outcome = self.shell('"$0" siege -R "$1" -j -c2 -r5 "$2" > /dev/full', peer.url())
            self.assertIn('"transactions"', outcome.stderr)
            self.assertEqual(1, outcome.code, outcome)

    def shell(self, command, url):
        rc = self.file("rc", PLAIN)
        done = subprocess.run(["bash", "-c", command, carronade.BINARY, rc, url],
                              capture_output=True, timeout=30, check=False,
                              env={"PATH": "/usr/bin:/bin", **self.environment()})
        return carronade.Outcome([command], done.returncode, done.stdout, done.stderr, 0)


class SiegeFaultTest(SiegeCase):
    def test_nobody_there(self):
        with Peer([serve()], accepting=False) as peer:
            port = peer.port
        outcome, report = self.siege("-c2", "-r3", f"http://127.0.0.1:{port}/")
        self.assertEqual(6, report["failed"], outcome)
        self.assertEqual(0, report["transactions"], outcome)
        self.assertEqual(6, outcome.stderr.count("socket: connect 127.0.0.1:"), outcome)
        self.assertLess(outcome.seconds, carronade.SLACK_S, outcome)

    def test_too_many_failures_end_it(self):
        with Peer([serve()], accepting=False) as peer:
            port = peer.port
        outcome, report = self.siege("-c5", "-t", "30S", f"http://127.0.0.1:{port}/",
                                     rc=PLAIN + "failures = 10\n")
        self.assertIn("siege aborted due to excessive socket failure", outcome.stderr)
        self.assertGreaterEqual(report["failed"], 10, outcome)
        self.assertLess(outcome.seconds, 20, outcome)

    def test_a_name_that_nobody_has(self):
        outcome, report = self.siege("-c1", "-r2", "http://nobody.invalid/")
        self.assertEqual(0, report["transactions"], outcome)
        self.assertIn("nobody.invalid", outcome.stderr)

    def test_dying_connections(self):
        script = [[serve(limit=1)], [read(1), close()], [serve()]]
        outcome, report, peer = self.against(script, "-c1", "-r4")
        self.assertEqual(3, report["transactions"], outcome)
        self.assertEqual(1, report["failed"], outcome)
        self.assertEqual(4, peer.request_count, outcome)

    def test_silence_times_out(self):
        outcome, report, peer = self.against([[silent()]], "-c2", "-r2",
                                             rc=PLAIN + "timeout = 0.3\n")
        self.assertEqual(4, report["failed"], outcome)
        self.assertEqual(4, peer.request_count, outcome)
        self.assertIn("[\033[1;32malert\033[0m] socket: timeout", outcome.stderr)

    def test_interrupt(self):
        with Peer([serve()]) as peer:
            process = carronade.start(["siege", "-c2", "-d", "0.05", "-R", self.file("rc", PLAIN),
                                       peer.url()], env=self.environment())
            peer.wait_for_requests(5)
            process.send_signal(signal.SIGINT)
            outcome = carronade.finish(process)
            peer.stop()
        self.assertEqual(0, outcome.code, outcome)
        report = figures(outcome.stderr)
        self.assertIn("\nLifting the server siege...\n", outcome.stderr)
        self.assertGreaterEqual(report["transactions"], 3, outcome)
        self.assertLessEqual(report["transactions"], peer.request_count, outcome)
        self.assertEqual(report["transactions"], outcome.stdout.count("HTTP/1.1 200"), outcome)

    def test_bad_usage(self):
        for args, text in ((["-g"], "-g/--get requires a commandline URL"),
                           (["-H", "nocolon", "http://h/"], "no ':' in http-header"),
                           (["-c", "abc", "http://h/"], "abc"),
                           (["-t", "soon", "http://h/"], "soon"), (["ftp://h/x"], "ftp"),
                           (["http://h/ POST </nonexistent"], "/nonexistent"),
                           (["http://"], "http://")):
            outcome, report = self.siege(*args, code=1)
            self.assertIsNone(report, outcome)
            self.assertIn(text, outcome.stdout + outcome.stderr, outcome)
        outcome, _ = self.siege("-R", "/nonexistent/rc", "http://h/", rc=None, code=1)
        self.assertIn("siege: could not open /nonexistent/rc", outcome.stderr)
        outcome, _ = self.siege("-f", "/nonexistent/urls")
        self.assertIn("Usage: siege", outcome.stdout)
        self.assertIn("/nonexistent/urls", outcome.stderr)
        outcome, _ = self.siege("-f", self.file("empty", "# nothing\n"), code=1)
        self.assertIn("no URL", outcome.stderr)

    def test_unknown_options_are_passed_over(self):
        outcome, report, _ = self.against([[serve()]], "-Z", "--bogus", "-c1", "-r1")
        self.assertTrue(outcome.stderr.startswith(
            "siege: invalid option -- 'Z'\nsiege: unrecognized option '--bogus'\n"), outcome)
        self.assertEqual(1, report["transactions"], outcome)

    def test_more_users_than_allowed(self):
        outcome, _, peer = self.against([[serve()]], "-c9", "-r1", rc=PLAIN + "limit = 3\n")
        self.assertEqual(3, peer.request_count, outcome)
        self.assertIn("WARNING: The number of users is capped at 3.", outcome.stdout)

    def test_words(self):
        self.assertIn("SIEGE 4.1.7", self.siege("-V")[0].stderr)
        self.assertIn("Usage: siege", self.siege("-h")[0].stdout)
        self.assertIn("concurrent users:               7\n", self.siege("-c7", "-C")[0].stdout)


if __name__ == "__main__":
    carronade.main()
