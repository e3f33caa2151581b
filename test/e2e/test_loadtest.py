"""`carronade loadtest` against real servers: loadtest's command line, report and exit codes."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.loadtest_report import LoadtestReport  # noqa: E402
from support.scripted_peer import Peer, answer, read, reset, serve  # noqa: E402
from support.serve_process import ServeProcess  # noqa: E402


def free_port():
    """A port where nobody listens: it was free a moment ago."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


class LoadtestCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        # The search for a configuration goes up to the home directory.
        self.place = {"cwd": self.folder, "env": {"HOME": str(self.folder)}}

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return str(path)

    def outcome(self, *args, **options):
        return carronade.run(["loadtest", *map(str, args)], **self.place, **options)

    def load(self, *args, code=0):
        outcome = self.outcome(*args)
        self.assertEqual(code, outcome.code, outcome)
        try:
            return LoadtestReport(outcome.stdout)
        except AssertionError as fault:
            raise AssertionError(f"{fault}{outcome}") from None

    def heads(self, *args):
        """What a peer gets of one request: (report, [(head, body)])."""
        with Peer([serve(answer(b"ok"))]) as peer:
            report = self.load("-n1", "-c1", "--cores=1", *args, peer.url("/p?id=1"))
            peer.stop()
            return report, peer.requests


class LoadtestTest(LoadtestCase):
    def test_an_amount_is_exact(self):
        with ServeProcess() as server:
            report = self.load("-n", 200, "-c", 4, "--cores", 2, "-k", server.url)
            self.assertEqual(200, server.request_count)
        self.assertEqual((200, 0, 8), (report.completed, report.errors, report.clients))
        self.assertEqual("2", report.fields["cores"])
        self.assertEqual("keepalive", report.fields["agent"])
        self.assertEqual("200", report.fields["max_requests"])
        self.assertGreater(report.milliseconds("p50"), 0)
        self.assertGreater(report.milliseconds("mean"), 0)

    def test_without_keep_alive_each_request_has_its_connection(self):
        with ServeProcess() as server:
            report = self.load("-n30", "-c3", "--cores=1", server.url)
            stats = server.stats()
        self.assertEqual(30, report.completed)
        self.assertEqual("none", report.fields["agent"])
        # The two questions for the counts come on connections of their own.
        self.assertGreaterEqual(stats["connections"]["accepted"], 30)

    def test_time_ends_it_and_drops_what_is_in_flight(self):
        with ServeProcess("--delay", "30s") as server:
            report = self.load("-t", 1, "-c", 2, "--cores=1", server.url)
        self.assertEqual((0, 0), (report.completed, report.errors))
        self.assertLess(report.seconds, 1 + carronade.SLACK_S)
        self.assertIsNone(report.milliseconds("p50"))
        self.assertEqual("1", report.fields["max_time"])

    def test_a_rate_is_an_open_loop(self):
        with ServeProcess("--delay", "300ms") as server:
            report = self.load("-n", 20, "--rps", 40, "--cores=1", server.url)
            self.assertEqual(20, server.request_count)
        self.assertEqual((20, 0), (report.completed, report.errors))
        self.assertEqual("40", report.fields["target_rps"])
        # A closed loop of one client would take six seconds.
        self.assertGreater(report.clients, 4)
        self.assertGreaterEqual(report.milliseconds("p50"), 300)

    def test_a_rate_has_fractions(self):
        with ServeProcess() as server:
            report = self.load("-t", 3, "--rps", "90/m", server.url)
        self.assertEqual("1.5", report.fields["target_rps"])
        self.assertIn(report.completed, (4, 5))

    def test_statuses_have_their_own_lines(self):
        with ServeProcess("--error", "503", "--percent", "50") as server:
            report = self.load("-n100", "-k", "--cores=1", server.url)
        self.assertEqual({"503": 50}, report.codes)
        self.assertEqual(100, report.completed)

    def test_a_refused_port(self):
        outcome = self.outcome("-n5", "-c2", "--cores=1", f"http://127.0.0.1:{free_port()}/")
        report = LoadtestReport(outcome.stdout)
        self.assertEqual(0, outcome.code)
        self.assertEqual({"-1": 5}, report.codes)
        self.assertEqual(5, report.completed)
        self.assertIsNone(report.milliseconds("p99"))
        self.assertIn("Connection refused", outcome.stderr)

    def test_a_server_that_breaks_connections(self):
        with Peer([read(1), reset()]) as peer:
            report = self.load("-n4", "-c1", "--cores=1", "-m", "POST", peer.url())
        self.assertEqual(({"-1": 4}, 4), (report.codes, report.completed))

    def test_timeouts_are_errors_and_count_once(self):
        with ServeProcess("--delay", "5s") as server:
            report = self.load("-n4", "-c4", "--cores=1", "-d", 200, server.url)
        self.assertEqual(({"-1": 4}, 4), (report.codes, report.completed))
        self.assertLess(report.seconds, 5)

    def test_progress_lines(self):
        with ServeProcess("--error", "404", "--percent", "10") as server:
            report = self.load("-t6", "--rps", 20, "-k", "--cores=1", server.url)
        first, second = report.progress.splitlines()
        found = re.fullmatch(r"Requests: (\d+), requests per second: [\d.]+, "
                             r"mean latency: [\d.]+ ms", first)
        self.assertIsNotNone(found, first)
        self.assertIn(int(found[1]), range(90, 121))
        self.assertRegex(second, r"^Errors: \d+, accumulated errors: \d+, [\d.]+% of total "
                                 r"requests$")

    def test_index_counts_in_path_and_body(self):
        with Peer([serve(answer(b"ok"))]) as peer:
            report = self.load("-n12", "-c2", "--cores=2", "-k", "--index", "ID", "-P",
                               '{"n": "ID"}', peer.url("/u/ID?x=ID"))
            peer.stop()
            found = sorted((request.target, request.body) for request in peer.requests)
        self.assertEqual(12, report.completed)
        expected = sorted((f"/u/{i}?x={i}", b'{"n": "%d"}' % i) for i in range(1, 13))
        self.assertEqual(expected, found)

    def test_ctrl_c_prints_the_report(self):
        with ServeProcess() as server:
            process = carronade.start(["loadtest", "-t", "60", "-c1", "--cores=1", server.url],
                                      **self.place)
            carronade.wait_until_it_hears(process)
            server.wait_for_requests(20)
            process.send_signal(signal.SIGINT)
            outcome = carronade.finish(process)
        self.assertEqual(128 + signal.SIGINT, outcome.code, outcome)
        self.assertGreater(LoadtestReport(outcome.stdout).completed, 0)

    def test_a_full_disk(self):
        with ServeProcess() as server, open("/dev/full", "wb") as full:
            process = subprocess.Popen(
                [carronade.BINARY, "loadtest", "-n5", "--cores=1", server.url], stdout=full,
                stderr=subprocess.PIPE, cwd=self.folder,
                env={**os.environ, "HOME": str(self.folder)})
            _, stderr = process.communicate(timeout=30)
        self.assertEqual(1, process.returncode)
        self.assertIn(b"No space left on device", stderr)
        self.assertIn(b"Completed requests:  5\n", stderr)

    def test_tls(self):
        with ServeProcess("--tls") as server:
            secure = self.load("-n3", "-c1", "--cores=1", server.url)
            self.assertEqual({"-1": 3}, secure.codes)
            report = self.load("-n3", "-c1", "--cores=1", "--insecure", "-s", "TLSv1_2_method",
                               server.url)
            self.assertEqual((3, 0), (report.completed, report.errors))


class LoadtestWireTest(LoadtestCase):
    def test_headers_and_body(self):
        report, (request,) = self.heads(
            "-H", "X-A:1", "-H", "user-agent:me", "-C", "a=b", "-C", "c=d", "-P", "text")
        self.assertEqual((1, 0), (report.completed, report.errors))
        self.assertEqual(("POST", "/p?id=1", b"text"),
                         (request.method, request.target, request.body))
        names = [name for name, _ in request.headers]
        self.assertEqual(["host", "accept", "x-a", "user-agent", "Content-Type", "Cookie",
                          "Connection", "Content-Length"], names)
        values = dict(request.headers)
        self.assertEqual(("me", "a=b; c=d", "text/plain", "close"),
                         (values["user-agent"], values["Cookie"], values["Content-Type"],
                          values["Connection"]))

    def test_files(self):
        path = self.file("task.json", '{"a": 1}')
        for flag, method in (("-p", "POST"), ("-u", "PUT"), ("-a", "PATCH")):
            _, (request,) = self.heads(flag, path, "-T", "application/json")
            self.assertEqual((method, b'{"a": 1}'), (request.method, request.body))

    def test_a_configuration_file_lies_under_the_command_line(self):
        self.file("package.json", json.dumps({"loadtest": {
            "method": "PUT", "body": {"from": "file"}, "headers": {"X-File": "yes"},
            "maxRequests": 50, "agentKeepAlive": True}}))
        report, (request,) = self.heads()
        self.assertEqual("keepalive", report.fields["agent"])
        self.assertEqual(("PUT", b'{"from":"file"}'), (request.method, request.body))
        self.assertEqual("yes", dict(request.headers)["x-file"])
        _, (request,) = self.heads("-P", "mine")
        self.assertEqual(("POST", b"mine"), (request.method, request.body))


class LoadtestRefusalTest(LoadtestCase):
    def refuse(self, *args, code, stdout="", stderr=""):
        outcome = self.outcome(*args)
        self.assertEqual(code, outcome.code, outcome)
        self.assertTrue(outcome.stdout.startswith(stdout), outcome)
        self.assertTrue(outcome.stderr.startswith(stderr), outcome)
        self.assertEqual(bool(stderr), bool(outcome.stderr), outcome)

    def test_streams_and_exit_codes(self):
        usage = "USAGE: "
        self.refuse(code=1, stdout=usage, stderr="Missing URL to load-test\n")
        self.refuse("http://a/", "http://b/", code=1, stdout=usage,
                    stderr="Too many arguments: [ 'http://a/', 'http://b/' ]\n")
        self.refuse("ftp://a/", code=1, stdout=usage, stderr="Invalid URL ftp://a/, must be")
        self.refuse("-m", "HEAD", "http://a/", code=1, stdout=usage,
                    stderr="Invalid method HEAD\n")
        self.refuse("-rps", "5", "http://a/", code=255,
                    stdout='Unknown option "-rps". Did you mean "--rps"?\nTry "--help"')
        self.refuse("-z", "http://a/", code=255, stdout='Unknown option: "-z".\nTry "--help"')
        self.refuse("--", code=255, stdout='Wrong argument provided: "--".\n')
        self.refuse("--help", code=0, stdout=usage)
        self.refuse("-V", code=0, stdout="Loadtest version: 8.2.1")
        self.refuse("-n", "x", "http://a/", code=1, stderr="loadtest: --maxRequests: ")
        self.refuse("-p", "/no/such", "http://a/", code=1, stderr="loadtest: ")
        self.refuse("--index", "(", "http://a/", code=1, stderr="loadtest: --index: ")
        self.refuse("-R", "g.js", "http://a/", code=1,
                    stderr="loadtest: -R g.js needs JavaScript: npx carronade loadtest")

    def test_a_broken_configuration(self):
        self.file(".loadtestrc", "maxRequests: [")
        self.refuse("http://a/", code=1, stderr=f"loadtest: {self.folder}/.loadtestrc:")

    def test_parsed_options(self):
        outcome = self.outcome("--parsed-options", "-n5", "-p", "b.js", "http://a/")
        self.assertEqual((0, ""), (outcome.code, outcome.stderr), outcome)
        parsed = json.loads(outcome.stdout)
        self.assertGreaterEqual(parsed.pop("defaultCores"), 1)
        self.assertEqual(
            {"options": {"url": "http://a/", "maxRequests": 5, "method": "POST",
                         "postFile": "b.js"}, "needsJavaScript": True}, parsed)
        self.refuse("--parsed-options", "-z", code=255, stdout='Unknown option: "-z".\n')


if __name__ == "__main__":
    carronade.main()
