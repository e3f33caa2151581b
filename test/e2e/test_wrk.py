"""`carronade wrk` and `carronade wrk2`: command line, wire, report, and how runs end."""

import json
import os
import re
import signal
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.certificates import certificates  # noqa: E402
from support.scripted_peer import Peer, answer, close, read, send, serve, silent  # noqa: E402
from support.serve_process import ServeProcess  # noqa: E402
from support.wrk_report import REPORT  # noqa: E402

SCRIPTS = Path(__file__).resolve().parents[1] / "data" / "wrk"
class WrkTest(unittest.TestCase):
    def wrk(self, *args, code=0, tool="wrk", **options):
        outcome = carronade.run([tool, *map(str, args)], **options)
        self.assertEqual(code, outcome.code, outcome)
        return outcome

    def shoot(self, *args, reply=None, path="/", **options):
        with Peer([serve(reply or answer())]) as peer:
            outcome = self.wrk("-t1", "-c1", "-d1", *args, peer.url(path), **options)
            peer.stop()
        self.assertEqual([], peer.faults, outcome)
        return outcome, peer

    def report(self, outcome):
        match = REPORT.fullmatch(outcome.stdout)
        self.assertTrue(match, outcome)
        return match

    # On the wire.

    def test_request_and_probe(self):
        outcome, peer = self.shoot(path="/a/b?x=1#frag")
        request = peer.requests[0]
        self.assertEqual(("GET", "/a/b?x=1#frag"), (request.method, request.target), outcome)
        self.assertEqual([("Host", f"127.0.0.1:{peer.port}")], request.headers, outcome)
        self.assertEqual(2, peer.connection_count, outcome)
        self.assertEqual(0, peer.connections[0].request_count, outcome)
        match = self.report(outcome)
        self.assertLessEqual(int(match["requests"]), peer.request_count, outcome)
        self.assertGreaterEqual(int(match["requests"]), peer.request_count - 1, outcome)

    def test_query_without_a_path(self):
        outcome, peer = self.shoot(path="?x=1")
        self.assertEqual("/?x=1", peer.requests[0].target, outcome)
        outcome, peer = self.shoot("--quirks", path="?x=1")
        self.assertEqual("/", peer.requests[0].target, outcome)

    def test_headers(self):
        given = ["-H", "X-A: 1", "-H", "X-B:2", "-H", "Host: other", "-H", "X-A: 3"]
        outcome, peer = self.shoot(*given)
        self.assertEqual({("X-A", "3"), ("X-B", "2"), ("Host", "other")},
                         set(peer.requests[0].headers), outcome)
        outcome, peer = self.shoot("--quirks", *given)
        self.assertEqual({("X-A", "3"), ("Host", "other")}, set(peer.requests[0].headers), outcome)

    def test_every_connection_is_opened(self):
        outcome, peer = self.shoot("-t3", "-c10")
        self.assertEqual(11, peer.connection_count, outcome)
        self.assertEqual(10, sum(c.request_count > 0 for c in peer.connections), outcome)
        self.assertIn("  3 threads and 10 connections\n", outcome.stdout)
        outcome, peer = self.shoot("-t3", "-c10", "--quirks")
        self.assertEqual(10, peer.connection_count, outcome)
        self.assertIn("  3 threads and 10 connections\n", outcome.stdout)

    def test_tls_with_the_name_of_the_url(self):
        with Peer([serve(answer())], tls=certificates().server_context()) as peer:
            outcome = self.wrk("-t1", "-c2", "-d1", peer.url(host="localhost"))
            peer.stop()
        self.assertEqual(["localhost"] * 2, peer.server_names, outcome)
        self.assertEqual(f"localhost:{peer.port}", peer.requests[0].header("Host"), outcome)
        self.assertGreater(int(self.report(outcome)["requests"]), 0)

    # The end of a run.

    def test_timeout_ends_the_request(self):
        with Peer([silent()]) as peer:
            outcome = self.wrk("-t1", "-c2", "-d3", "--timeout", "1", peer.url())
            peer.stop()
        match = re.search(r"timeout (\d+)\n", outcome.stdout)
        self.assertTrue(match, outcome)
        self.assertIn(int(match[1]), range(2, 7), outcome)
        self.assertIn("  0 requests in ", outcome.stdout)
        self.assertLess(outcome.seconds, 3 + 2 + carronade.SLACK_S, outcome)

    def test_server_that_closes_each_time_is_no_error(self):
        reply = answer(headers=["Connection: close"])
        with Peer([], [read(), send(reply), close()]) as peer:
            outcome = self.wrk("-t1", "-c2", "-d1", peer.url())
            peer.stop()
        self.assertNotIn("Socket errors", outcome.stdout, outcome)
        self.assertGreater(int(self.report(outcome)["requests"]), 2)

    def test_server_that_closes_without_a_word_is_a_read_error(self):
        for tool, args in (("wrk", []), ("wrk2", ["-R50"])):
            with Peer([], [read(), send(answer()), read(), close()]) as peer:
                outcome = self.wrk("-t1", "-c1", "-d1", *args, peer.url(), tool=tool)
                peer.stop()
            match = re.search(r"Socket errors: connect 0, read (\d+), write 0, timeout 0\n",
                              outcome.stdout)
            self.assertTrue(match, outcome)
            answered = int(re.search(r"(\d+) requests in", outcome.stdout)[1])
            # Each connection has one request that is answered and one that is lost.
            self.assertIn(int(match[1]) - answered, (-1, 0), outcome)
            self.assertIn(peer.request_count - answered - int(match[1]), (0, 1), outcome)

    def test_nothing_answered_has_no_deviation(self):
        with Peer([silent()]) as peer:
            outcome = self.wrk("-t1", "-c1", "-d1", peer.url())
        self.assertEqual(["0.00%"] * 2, re.findall(r"\S+%", outcome.stdout), outcome)

    def test_bad_statuses(self):
        outcome, _ = self.shoot(reply=answer(status="302 Found"))
        self.assertNotIn("Non-2xx", outcome.stdout, outcome)
        outcome, _ = self.shoot(reply=answer(status="404 Not Found"))
        count = self.report(outcome)["requests"]
        self.assertIn(f"\n  Non-2xx or 3xx responses: {count}\n", outcome.stdout, outcome)

    def test_answers_that_are_none(self):
        with Peer([], [read(), send(b"nonsense\r\n\r\n"), silent()]) as peer:
            outcome = self.wrk("-t1", "-c1", "-d1", peer.url())
            peer.stop()
        self.assertRegex(outcome.stdout, r"Socket errors: connect 0, read [1-9]\d*, write 0, ")
        self.assertIn("wrk: warning: parse 127.0.0.1:", outcome.stderr, outcome)

    def test_ctrl_c_prints_the_report(self):
        with Peer([serve(answer())]) as peer:
            process = carronade.start(["wrk", "-t1", "-c1", "-d60", peer.url()])
            peer.wait_for_requests(10)
            process.send_signal(signal.SIGINT)
            outcome = carronade.finish(process)
        self.assertEqual(0, outcome.code, outcome)
        self.assertGreater(int(self.report(outcome)["requests"]), 5)
        self.assertIn("Running 1m test @", outcome.stdout)

    def test_server_that_dies(self):
        with ServeProcess() as server:
            process = carronade.start(["wrk", "-t2", "-c4", "-d2", server.url + "/"])
            server.wait_for_requests(10)
            server.process.kill()
            outcome = carronade.finish(process)
        self.assertEqual(0, outcome.code, outcome)
        self.assertRegex(outcome.stdout, r"Socket errors: connect [1-9]")
        self.assertGreater(int(self.report(outcome)["requests"]), 0)

    def test_full_disk_and_closed_pipe(self):
        command = [carronade.BINARY, "wrk", "-t1", "-c1", "-d1"]
        with Peer([serve(answer())]) as peer:
            with open("/dev/full", "wb") as full:
                process = subprocess.run([*command, peer.url()], stdout=full,
                                         stderr=subprocess.PIPE, timeout=30, check=False)
            self.assertEqual(1, process.returncode)
            self.assertIn(b"No space left on device", process.stderr)
            self.assertIn(b"Requests/sec:", process.stderr)
            reader, writer = os.pipe()
            os.close(reader)
            command += ["-s", str(SCRIPTS / "report.lua")]
            process = subprocess.run([*command, peer.url()], stdout=writer,
                                     stderr=subprocess.PIPE, timeout=30, check=False)
            os.close(writer)
            self.assertEqual(1, process.returncode)
            self.assertIn(b"Broken pipe", process.stderr)
            self.assertIn(b"Requests/sec:", process.stderr)

    # Bad input.

    def test_usage(self):
        for args in ([], ["--help"], ["-r", "http://h/"]):
            outcome = self.wrk(*args, code=1)
            self.assertTrue(outcome.stdout.startswith("Usage: wrk <options> <url>"), outcome)
            self.assertEqual("", outcome.stderr, outcome)

    def test_wrong_values_are_named_in_front_of_the_usage(self):
        for tool, option, value in (("wrk", "-d", "1x"), ("wrk", "-c", "abc"), ("wrk", "-t", "0"),
                                    ("wrk", "-d", "0"), ("wrk2", "-R", "x")):
            outcome = self.wrk(option, value, "http://h/", tool=tool, code=1)
            self.assertTrue(outcome.stdout.startswith(f"Usage: {tool} <options> <url>"), outcome)
            self.assertRegex(outcome.stderr,
                             rf'\A{tool}: invalid value "{value}" for {option}: .+\n\Z')

    def test_messages(self):
        for args, text in ((["127.0.0.1:8099/"], "invalid URL: 127.0.0.1:8099/\n"),
                           (["-t4", "-c2", "http://h/"],
                            "number of connections must be >= threads\n"),
                           (["-h"], "wrk: invalid option -- 'h'\n"),
                           (["-d"], "wrk: option requires an argument -- 'd'\n")):
            outcome = self.wrk(*args, code=1)
            self.assertEqual(text, outcome.stderr, outcome)
            self.assertTrue(outcome.stdout.startswith("Usage: wrk "), outcome)
        outcome = self.wrk("http://h/", code=1, tool="wrk2")
        self.assertEqual("Throughput MUST be specified with the --rate or -R option\n",
                         outcome.stderr)

    def test_version(self):
        outcome = self.wrk("-v", code=1)
        self.assertRegex(outcome.stdout, r"\Awrk 4\.1\.0 \[epoll\] .*\nUsage: ")

    def test_nobody_there(self):
        outcome = self.wrk("-d1", "http://127.0.0.1:1/", code=1)
        self.assertEqual("unable to connect to 127.0.0.1:1 Connection refused\n", outcome.stderr)
        self.assertEqual("", outcome.stdout)
        outcome = self.wrk("-d1", "http://no.such.host.invalid/", code=1)
        self.assertRegex(outcome.stderr, r"\Aunable to resolve no\.such\.host\.invalid:http .+\n\Z")

    # wrk2.

    def test_wrk2(self):
        with Peer([serve(answer())]) as peer:
            outcome = self.wrk("-t2", "-c4", "-d2", "-R40", "-L", "-U", peer.url(), tool="wrk2")
            peer.stop()
        answered = int(re.search(r"  (\d+) requests in 2\.0\ds", outcome.stdout)[1])
        # What was due at the very end may not have been sent or answered when the time was over.
        self.assertIn(peer.request_count, range(77, 81), outcome)
        self.assertIn(peer.request_count - answered, range(5), outcome)
        blocks = re.findall(r"  Latency Distribution \(HdrHistogram - (.*)\)\n 50\.000%",
                            outcome.stdout)
        uncorrected = "Uncorrected Latency (measured without taking delayed starts into account)"
        self.assertEqual(["Recorded Latency", uncorrected], blocks, outcome)
        self.assertEqual(2, outcome.stdout.count("\n" + "-" * 58 + "\n"), outcome)
        self.assertRegex(outcome.stdout,
                         rf"#\[Max     = +[\d.]+, Total count    = +{answered}\]\n#\[Buckets = ")

    def test_wrk2_says_when_the_rate_was_missed(self):
        with Peer([serve(answer())]) as peer:
            outcome = self.wrk("-t1", "-c1", "-d1", "-T1", "-R2000000", peer.url(), tool="wrk2")
        self.assertRegex(outcome.stderr, r"wrk2: warning: [\d,]+ of 2,000,000 requests due \(.*\) "
                                         r"were not sent in time: ")
        self.assertNotIn("-w", outcome.stderr, outcome)

    def test_wrk2_ends_on_time_and_says_that_the_server_is_slow(self):
        with Peer([serve(answer(), pause=0.1)]) as peer:
            outcome = self.wrk("-t1", "-c2", "-d2", "-T20", "-R200", peer.url(), tool="wrk2")
        self.assertRegex(outcome.stdout, r"  \d+ requests in 2\.[01]\ds, ")
        first = outcome.stderr.splitlines()[0]
        self.assertRegex(first, r"\Awrk2: warning: \d+ of 400 requests due \(.*\) were not sent in "
                                r"time: (for \d+ of them )?the server kept all 2 connections busy")
        with Peer([silent()]) as peer:
            outcome = self.wrk("-t1", "-c2", "-d1", "-T20", "-R10", peer.url(), tool="wrk2")
        self.assertIn("  0 requests in 1.0", outcome.stdout, outcome)
        self.assertLess(outcome.seconds, 1 + carronade.SLACK_S, outcome)

    def test_one_request_a_second_over_eight_threads(self):
        with Peer([serve(answer())]) as peer:
            outcome = self.wrk("-t8", "-c8", "-d3", "-R1", peer.url(), tool="wrk2")
            peer.stop()
        self.assertEqual(3, peer.request_count, outcome)

    # The command that issue 6 asks for.

    def test_bearer_token_and_script(self):
        def rest(request):
            if request.header("Authorization") != "Bearer s3cret":
                return answer(b"{}", status="401 Unauthorized")
            if request.method != "POST" or request.target != "/tasks":
                return answer(b"{}", status="404 Not Found")
            task = json.loads(request.body)
            return answer(json.dumps({"id": 1, **task}).encode(), status="201 Created")

        with Peer([serve(rest)]) as peer:
            outcome = self.wrk("-t5", "-c5", "-d10s", "-H", "Authorization: Bearer s3cret", "-s",
                               SCRIPTS / "test_post.lua", peer.url("/tasks"))
            peer.stop()
        self.assertEqual([], peer.faults, outcome)
        match = self.report(outcome)
        self.assertNotIn("Non-2xx", outcome.stdout, outcome)
        self.assertNotIn("Socket errors", outcome.stdout, outcome)
        self.assertIn(peer.request_count - int(match["requests"]), range(6), outcome)


if __name__ == "__main__":
    carronade.main()
