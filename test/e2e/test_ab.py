"""`carronade ab` by itself: what the server counts is what it reports, however a run ends."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.ab_reports import fields  # noqa: E402
from support.rest_server import RestServer  # noqa: E402
from support.scripted_peer import (Peer, answer, close, read, reset, send, serve,  # noqa: E402
                                   silent)
from support.serve_process import ServeProcess  # noqa: E402


def one_answer(reply):
    """A connection's script: one answer, then the end, as HTTP/1.0 has it."""
    return [read(), send(reply), close()]


class AbTest(unittest.TestCase):
    def ab(self, *args, code=0, **options):
        outcome = carronade.run(["ab", *args], **options)
        self.assertEqual(code, outcome.code, outcome)
        return outcome

    def report(self, *args, code=0, **options):
        outcome = self.ab(*args, code=code, **options)
        return outcome, fields(outcome.stdout)


class RestTest(AbTest):
    """The commands of scripts that exist."""

    def setUp(self):
        self.server = RestServer()
        self.addCleanup(self.server.stop)
        self.folder = tempfile.TemporaryDirectory(prefix="carronade-ab-")
        self.addCleanup(self.folder.cleanup)
        self.task = str(Path(self.folder.name) / "task.json")
        Path(self.task).write_text('{"title": "write tests"}')

    def test_get_a_user(self):
        outcome, found = self.report("-c", "50", "-n", "1000", "-l", "-H",
                                     self.server.authorization, self.server.url("/users/1"))
        self.assertEqual({"GET 200": 1000}, self.server.counts(), outcome)
        self.assertEqual(1000, self.server.connections)
        self.assertEqual([1000], found["Complete requests"], outcome)
        self.assertEqual([0], found["Failed requests"], outcome)
        self.assertIn("Document Length:        Variable\n", outcome.stdout)
        self.assertNotIn("Non-2xx", outcome.stdout)

    def test_post_a_task(self):
        outcome, found = self.report("-c", "50", "-n", "1000", "-l", "-H",
                                     self.server.authorization, "-T", "application/json", "-p",
                                     self.task, self.server.url("/tasks"))
        self.assertEqual({"POST 201": 1000}, self.server.counts(), outcome)
        self.assertEqual([1000], found["Complete requests"], outcome)
        self.assertEqual([0], found["Failed requests"], outcome)

    def test_without_the_token(self):
        outcome, found = self.report("-n", "20", self.server.url("/users/1"))
        self.assertEqual({"GET 401": 20}, self.server.counts(), outcome)
        self.assertEqual([20], found["Non-2xx responses"], outcome)
        self.assertEqual([0], found["Failed requests"], outcome)

    def test_kept_connections(self):
        outcome, found = self.report("-k", "-c", "10", "-n", "500", "-H",
                                     self.server.authorization, self.server.url())
        self.assertEqual({"GET 200": 500}, self.server.counts(), outcome)
        self.assertEqual(10, self.server.connections, outcome)
        self.assertEqual([500], found["Keep-Alive requests"], outcome)

    def test_workers(self):
        outcome, found = self.report("-W", "3", "-c", "10", "-n", "1001", "-H",
                                     self.server.authorization, self.server.url())
        self.assertEqual({"GET 200": 1001}, self.server.counts(), outcome)
        self.assertEqual([1001], found["Complete requests"], outcome)
        self.assertEqual([0], found["Failed requests"], outcome)

    def test_time_limit(self):
        started = time.monotonic()
        outcome, found = self.report("-t", "1", "-c", "5", "-k", "-n", "1000000", "-H",
                                     self.server.authorization, self.server.url())
        self.assertLess(time.monotonic() - started, 1 + carronade.SLACK_S)
        complete = int(found["Complete requests"][0])
        served = self.server.counts()["GET 200"]
        self.assertLessEqual(complete, served, outcome)
        self.assertGreaterEqual(complete + 5, served, outcome)
        self.assertGreater(found["Time taken for tests"][0], 0.5, outcome)

    def test_progress_counts_upwards(self):
        outcome = self.ab("-n", "2000", "-c", "4", "-k", "-H", self.server.authorization,
                          self.server.url())
        expected = [f"Completed {n} requests" for n in range(200, 2001, 200)]
        self.assertEqual([*expected, "Finished 2000 requests", ""], outcome.stderr.split("\n"))

    def test_interrupt(self):
        for args in (["-n", "100000000"], ["-n", "100000000", "-w"]):
            process = carronade.start(["ab", "-k", *args, "-H", self.server.authorization,
                                       self.server.url()])
            before = self.server.counts().get("GET 200", 0)
            while self.server.counts().get("GET 200", 0) < before + 100:
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            outcome = carronade.finish(process)
            self.assertEqual(1, outcome.code, outcome)
            self.assertIn("Complete requests:", outcome.stdout)
            self.assertNotIn("Finished", outcome.stderr)

    def test_files_beside_html(self):
        csv = str(Path(self.folder.name) / "p.csv")
        tsv = str(Path(self.folder.name) / "r.tsv")
        self.ab("-w", "-n", "10", "-e", csv, "-g", tsv, self.server.url())
        self.assertEqual(102, len(Path(csv).read_text().splitlines()))
        self.assertEqual(11, len(Path(tsv).read_text().splitlines()))
        Path(csv).write_text("as it was")
        self.ab("--quirks", "-w", "-n", "10", "-e", csv, self.server.url())
        self.assertEqual("as it was", Path(csv).read_text())

    def test_files_that_cannot_be_written(self):
        outcome = self.ab("-n", "5", "-e", "/no/such/file", self.server.url(), code=1)
        self.assertEqual("Cannot open CSV output file: No such file or directory\n",
                         outcome.stderr)
        self.assertEqual({}, self.server.counts())
        outcome, found = self.report("-n", "5", "-g", "/dev/full", self.server.url(), code=1)
        self.assertEqual([5], found["Complete requests"], outcome)
        self.assertIn("ab: write to /dev/full: No space left on device\n", outcome.stderr)

    def test_full_disk_and_closed_pipe(self):
        command = [carronade.BINARY, "ab", "-n", "5", self.server.url()]
        with open("/dev/full", "wb") as full:
            done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, timeout=20)
        self.assertEqual(1, done.returncode)
        self.assertIn(b"No space left on device", done.stderr)
        self.assertIn(b"Complete requests:      5\n", done.stderr)
        end, other = os.pipe()
        os.close(end)
        done = subprocess.run(command, stdout=other, stderr=subprocess.PIPE, timeout=20)
        os.close(other)
        self.assertEqual(1, done.returncode)
        self.assertIn(b"Complete requests:      5\n", done.stderr)

    def test_verbose(self):
        outcome = self.ab("-n", "3", "-v", "3", self.server.url())
        self.assertIn("INFO: GET header == \n---\nGET /users/1 HTTP/1.0\r\n", outcome.stdout)
        self.assertEqual(3, outcome.stdout.count("LOG: header received:\nHTTP/1.0 401 "), outcome)
        self.assertEqual(3, outcome.stdout.count("WARNING: Response code not 2xx (401)\n"))
        self.assertLess(outcome.stdout.rindex("WARNING: Response"),
                        outcome.stdout.index("Server Software:"))

    def test_quiet_and_without_a_banner(self):
        outcome = self.ab("-Q", "-q", "-n", "200", self.server.url())
        self.assertTrue(outcome.stdout.startswith("Benchmarking 127.0.0.1 (be patient).....done\n"))
        self.assertEqual("", outcome.stderr)

    def test_source_addresses(self):
        outcome, found = self.report("-B", "127.0.0.5", "-b", "8192", "-n", "5", self.server.url())
        self.assertEqual([5], found["Complete requests"], outcome)


class EndingsTest(AbTest):
    """Servers that fail in one way or another."""

    def test_bodies_of_other_lengths(self):
        sizes = iter([3, 3, 4, 3, 5])
        lock = threading.Lock()

        def reply(_request):
            with lock:
                return answer(b"x" * next(sizes), headers=["Connection: close"])
        script = [serve(reply, limit=1), close()]
        with Peer(script) as peer:
            outcome, found = self.report("-n", "5", peer.url())
        self.assertEqual([3], found["Document Length"], outcome)
        self.assertEqual([5], found["Complete requests"], outcome)
        self.assertEqual([2], found["Failed requests"], outcome)
        self.assertIn("   (Connect: 0, Receive: 0, Length: 2, Exceptions: 0)\n", outcome.stdout)

    def test_length_is_known_without_waiting_for_the_close(self):
        with Peer([serve(answer(b"hello"))]) as peer:  # keeps its connections open
            outcome, found = self.report("-n", "20", "-s", "25", peer.url())
            peer.stop()
        self.assertEqual([20], found["Complete requests"], outcome)
        self.assertLess(outcome.seconds, 20, outcome)
        self.assertEqual(20, peer.connection_count)

    def test_body_until_the_close(self):
        with Peer(one_answer(answer(b"until the end", version="HTTP/1.0", length=False))) as peer:
            outcome, found = self.report("-k", "-n", "4", peer.url())
        self.assertEqual([4], found["Complete requests"], outcome)
        self.assertEqual([13], found["Document Length"], outcome)
        self.assertEqual([0], found["Keep-Alive requests"], outcome)

    def test_chunked_body_counts_without_its_frame(self):
        chunked = answer(b"3\r\nabc\r\n0\r\n\r\n",
                         headers=["Transfer-Encoding: chunked", "Connection: close"], length=False)
        with Peer(one_answer(chunked)) as peer:
            outcome, found = self.report("-n", "2", peer.url())
        self.assertEqual([3], found["Document Length"], outcome)
        self.assertEqual([6], found["HTML transferred"], outcome)

    def test_reset_ends_the_run_and_what_was_measured_is_told(self):
        good = one_answer(answer(b"ok", headers=["Connection: close"]))
        with Peer(good, good, [read(), reset()]) as peer:
            outcome, found = self.report("-n", "10", peer.url(), code=104)
        self.assertEqual("apr_socket_recv: Connection reset by peer (104)",
                         outcome.stderr.split("\n")[0])
        self.assertIn("Total of 2 requests completed\n", outcome.stdout)
        self.assertEqual([2], found["Complete requests"], outcome)
        self.assertEqual([1], found["Failed requests"], outcome)
        with Peer(good, good, [read(), reset()]) as peer:
            outcome = self.ab("--quirks", "-n", "10", peer.url(), code=104)
        self.assertNotIn("Complete requests", outcome.stdout)

    def test_go_on_after_resets(self):
        good = one_answer(answer(b"ok", headers=["Connection: close"]))
        bad = [read(), reset()]
        for quirks, complete in (([], 8), (["--quirks"], 10)):
            with Peer(good, bad, good, bad, good) as peer:
                outcome, found = self.report(*quirks, "-r", "-v", "1", "-n", "10", peer.url())
                peer.stop()
            self.assertEqual(10, peer.request_count, outcome)
            self.assertEqual([complete], found["Complete requests"], outcome)
            self.assertEqual([2], found["Failed requests"], outcome)
            self.assertIn("   (Connect: 0, Receive: 2, Length: 0, Exceptions: 0)\n", outcome.stdout)
            self.assertIn("apr_socket_recv: Connection reset by peer (104)\n", outcome.stderr)

    def test_closed_without_an_answer(self):
        good = one_answer(answer(b"ok", headers=["Connection: close"]))
        with Peer(good, [read(), close()], good) as peer:
            outcome, found = self.report("-n", "5", peer.url())
        self.assertEqual([4], found["Complete requests"], outcome)
        self.assertEqual([1], found["Failed requests"], outcome)
        self.assertRegex(outcome.stderr, r"ab: 1 x read .*closed before response")

    def test_silence_ends_the_run(self):
        with Peer([read(), silent()]) as peer:
            outcome = self.ab("-s", "1", "-n", "10", "-c", "2", peer.url(), code=119)
        self.assertEqual("apr_pollset_poll: The timeout specified has expired (70007)",
                         outcome.stderr.split("\n")[0])
        self.assertGreaterEqual(outcome.seconds, 1, outcome)
        self.assertLess(outcome.seconds, 2 + carronade.SLACK_S, outcome)
        self.assertNotIn("Total of", outcome.stdout)

    def test_time_limit_on_a_silent_server(self):
        with Peer([read(), silent()]) as peer:
            outcome, found = self.report("-t", "1", peer.url())
        self.assertEqual([0], found["Complete requests"], outcome)
        self.assertLess(outcome.seconds, 2 + carronade.SLACK_S, outcome)
        for label in ("Requests per second", "Time per request", "Time per request#2",
                      "Transfer rate"):
            self.assertEqual([0], found[label], outcome)
        self.assertNotIn("Connection Times", outcome.stdout)

    def test_requests_that_were_sent_again_are_told(self):
        kept = answer(b"ok", headers=["Connection: keep-alive"])
        with Peer([read(), send(kept), read(), close()], [serve(kept)]) as peer:
            outcome, found = self.report("-k", "-n", "5", peer.url())
            peer.stop()
        self.assertEqual([5], found["Complete requests"], outcome)
        self.assertEqual(6, peer.request_count, outcome)
        self.assertIn("ab: note: 1 request was sent again after the server had closed its "
                      "connection\n", outcome.stderr)

    def test_server_that_dies(self):
        for args in (["-k"], []):
            server = ServeProcess()
            self.addCleanup(server.stop)
            process = carronade.start(["ab", *args, "-n", "100000000", "-c", "10",
                                       server.url + "/"])
            server.wait_for_requests(500)
            server.process.kill()
            outcome = carronade.finish(process)
            self.assertIn(outcome.code, (104, 111), outcome)
            self.assertIn("Total of ", outcome.stdout)
            self.assertGreaterEqual(fields(outcome.stdout)["Complete requests"][0], 400, outcome)

    def test_refused(self):
        with Peer(accepting=False) as peer:
            port = peer.port
        for args in ([], ["-n", "100", "-c", "20"], ["-p", __file__]):
            outcome = self.ab(*args, f"http://127.0.0.1:{port}/", code=111)
            self.assertEqual("apr_socket_recv: Connection refused (111)\n", outcome.stderr)
        outcome = self.ab("-r", "-n", "100", "-c", "20", f"http://127.0.0.1:{port}/", code=111)
        self.assertEqual("\nTest aborted after 10 failures\n\n"
                         "apr_socket_connect(): Connection refused (111)\n", outcome.stderr)

    def test_no_tls_there(self):
        with Peer([send(answer(b"ok")), silent()]) as peer:
            outcome, found = self.report("-n", "2", peer.url().replace("http", "https"))
        self.assertEqual([0], found["Complete requests"], outcome)
        self.assertEqual([2], found["Failed requests"], outcome)
        self.assertIn("SSL handshake failed (1).\n", outcome.stderr)

    def test_cookies(self):
        for quirks, value in (([], "a=1; b=2"), (["--quirks"], "b=2")):
            with Peer(one_answer(answer(b"ok", headers=["Connection: close"]))) as peer:
                self.ab(*quirks, "-C", "a=1", "-C", "b=2", peer.url())
                peer.stop()
            self.assertEqual([value], peer.requests[0].values("Cookie"))

    def test_bad_input(self):
        for args, code, text in (
                (["-n", "10x", "http://h/"], 1, "Invalid number of requests"),
                (["-R", "5", "http://h/"], 1, "-R (ramp-up) is not supported"),
                (["-f", "SSL3", "http://h/"], 1, "TLS1.2"),
                (["-X", ":1", "http://h/"], 1, "is not host[:port]"),
                (["-B", "nowhere", "http://127.0.0.1:1/"], 1, "not an IP address"),
                (["-Z", "no-such", "https://127.0.0.1:1/"], 1, "no cipher match"),
                (["-E", "/no/such", "https://127.0.0.1:1/"], 1, "No such file"),
                (["http://127.0.0.1:1/a b"], 1, "request line"),
                (["-Y", "http://h/"], 22, "ab: illegal option -- Y"),
                (["-h"], 22, "Usage: ab [options]"), (["http://h"], 22, "ab: invalid URL")):
            outcome = self.ab(*args, code=code)
            self.assertIn(text, outcome.stderr)
            self.assertEqual("", outcome.stdout, args)
            if code == 1:
                self.assertEqual(1, len(re.findall("\n", outcome.stderr)), outcome)

    def test_version(self):
        outcome = self.ab("-V")
        self.assertTrue(outcome.stdout.startswith("This is ApacheBench, Version 2.3 <carronade "))
        self.assertEqual("", outcome.stderr)


if __name__ == "__main__":
    carronade.main()
