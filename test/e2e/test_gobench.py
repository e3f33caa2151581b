"""`carronade gobench` against real servers: gobench's command line, report and exit codes."""

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
from support.rest_server import RestServer, TOKEN  # noqa: E402
from support.scripted_peer import Peer, answer, read, reset, serve  # noqa: E402
from support.serve_process import ServeProcess  # noqa: E402

REPORT = re.compile(
    r"Dispatching (?P<clients>\d+) clients\n"
    r"Waiting for results\.\.\.\n"
    r"\n"
    r"Requests:                       (?P<requests>[ \d]{10}) hits\n"
    r"Successful requests:            (?P<success>[ \d]{10}) hits\n"
    r"Network failed:                 (?P<network>[ \d]{10}) hits\n"
    r"Bad requests failed \(!2xx\):     (?P<bad>[ \d]{10}) hits\n"
    r"Successful requests rate:       (?P<rate>[ \d]{10}) hits/sec\n"
    r"Read throughput:                (?P<read>[ \d]{10}) bytes/sec\n"
    r"Write throughput:               (?P<write>[ \d]{10}) bytes/sec\n"
    r"Test time:                      (?P<time>[ \d]{10}) sec\n")


def free_port():
    """A port where nobody listens: it was free a moment ago."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


class GobenchTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return str(path)

    def figures(self, outcome, code=0):
        self.assertEqual(code, outcome.code, outcome)
        found = REPORT.fullmatch(outcome.stdout)
        self.assertIsNotNone(found, outcome)
        figures = {name: int(text) for name, text in found.groupdict().items()}
        self.assertEqual(figures["requests"],
                         figures["success"] + figures["network"] + figures["bad"], outcome)
        return figures

    def shoot(self, *args, **options):
        return self.figures(carronade.run(["gobench", *args], **options))

    # The commands of issue 6.
    def test_get_with_a_token(self):
        with RestServer() as server:
            figures = self.shoot("-k=true", "-c", "50", "-t", "10", "-auth", f"Bearer {TOKEN}",
                                 "-u", server.url("/users/1"))
            counts = server.counts()
        self.assertEqual(50, figures["clients"])
        self.assertEqual((0, 0), (figures["network"], figures["bad"]))
        self.assertGreater(figures["success"], 0)
        # What was in flight at the end, the server answered too.
        self.assertLessEqual(figures["success"], counts["GET 200"])
        self.assertLessEqual(counts["GET 200"], figures["success"] + 50)
        self.assertEqual(["GET 200"], list(counts))
        self.assertGreaterEqual(figures["time"], 10)

    def test_post_of_a_file(self):
        task = self.file("task.json", '{"title": "load"}\n')
        with RestServer() as server:
            figures = self.shoot("-k=true", "-c", "50", "-t", "10", "-auth", f"Bearer {TOKEN}",
                                 "-u", server.url("/tasks"), "-d", task)
            counts = server.counts()
        self.assertEqual(["POST 201"], list(counts))
        self.assertGreater(figures["success"], 0)
        self.assertEqual((0, 0), (figures["network"], figures["bad"]))

    def test_quirks_count_201_as_bad(self):
        task = self.file("task.json", '{"title": "load"}\n')
        with RestServer() as server:
            figures = self.shoot("-c", "2", "-r", "5", "-auth", f"Bearer {TOKEN}", "-quirks",
                                 "-u", server.url("/tasks"), "-d", task)
        self.assertEqual((10, 0, 10), (figures["requests"], figures["success"], figures["bad"]))
        self.assertGreaterEqual(figures["time"], 1)

    def test_a_wrong_token_is_bad(self):
        with RestServer() as server:
            figures = self.shoot("-c", "3", "-r", "4", "-auth", "Bearer no", "-u", server.url())
        self.assertEqual((12, 0, 12), (figures["requests"], figures["success"], figures["bad"]))

    def recorded(self, *args):
        """The figures, and the peer with the requests that it read."""
        with Peer([serve(answer(b"hello"))]) as peer:
            figures = self.shoot(*args, "-u", peer.url("/p?q=1"))
            peer.stop()
        self.assertEqual([], peer.faults)
        self.assertEqual(figures["requests"], peer.request_count)
        return figures, peer

    def test_bytes_of_a_get(self):
        _, peer = self.recorded("-c", "1", "-r", "1", "-auth", "Bearer x")
        self.assertEqual(
            f"GET /p?q=1 HTTP/1.1\r\nUser-Agent: fasthttp\r\nHost: 127.0.0.1:{peer.port}\r\n"
            "Connection: keep-alive\r\nAuthorization: Bearer x\r\n\r\n".encode(),
            peer.requests[0].raw)

    def test_requests_are_for_each_client_on_a_connection_of_its_own(self):
        figures, peer = self.recorded("-c", "3", "-r", "7")
        self.assertEqual(21, figures["success"])
        self.assertEqual([7, 7, 7], [c.request_count for c in peer.connections])

    def test_what_is_sent_again_is_told(self):
        """Two answers a connection, the third request meets its end and goes on the next one."""
        with Peer([serve(answer(b"hello"), limit=2), read(), reset()]) as peer:
            outcome = carronade.run(["gobench", "-c", "1", "-r", "6", "-u", peer.url()])
            peer.stop()
        figures = self.figures(outcome)
        self.assertEqual((6, 6), (figures["requests"], figures["success"]), outcome)
        self.assertEqual(8, peer.request_count)
        self.assertEqual("gobench: 2 requests were sent again, for the server had closed the idle "
                         "connection\n", outcome.stderr)

    def test_without_keep_alive_each_request_has_a_connection(self):
        figures, peer = self.recorded("-c", "2", "-r", "5", "-k=false")
        self.assertEqual(10, figures["success"])
        self.assertEqual(10, peer.connection_count)
        self.assertIn(b"\r\nConnection: close\r\n\r\n", peer.requests[0].raw)

    def test_clients_walk_the_list(self):
        with Peer([serve(answer(b"hello"))]) as peer:
            urls = self.file("urls", f"{peer.url('/1')}\r\n\n{peer.url('/2')}\n")
            figures = self.shoot("-c", "1", "-r", "7", "-f", urls, "-u", peer.url("/3"))
            peer.stop()
        self.assertEqual(7, figures["success"])
        self.assertEqual(["/1", "/2", "/3", "/1", "/2", "/3", "/1"],
                         [request.target for request in peer.requests])
        self.assertEqual(1, peer.connection_count)

    def test_quirks_finish_the_pass(self):
        with Peer([serve(answer(b"hello"))]) as peer:
            urls = self.file("urls", "".join(peer.url(f"/{i}") + "\n" for i in range(3)))
            figures = self.shoot("-c", "2", "-r", "7", "-f", urls, "-quirks")
            peer.stop()
        self.assertEqual(18, figures["success"])

    def test_several_hosts_of_which_one_refuses(self):
        with ServeProcess() as one, ServeProcess() as other:
            urls = self.file("urls", f"{one.url}/\nhttp://127.0.0.1:{free_port()}/\n"
                                     f"{other.url}/status/404\n{other.url}/\n")
            outcome = carronade.run(["gobench", "-c", "2", "-r", "8", "-f", urls])
            figures = self.figures(outcome)
            self.assertEqual((4, 8), (one.request_count, other.request_count))
        self.assertEqual((16, 8, 4, 4), (figures["requests"], figures["success"],
                                         figures["network"], figures["bad"]), outcome)
        self.assertIn("Connection refused (4 times)", outcome.stderr)

    def test_https_does_not_verify(self):
        with ServeProcess("--tls") as server:
            figures = self.shoot("-c", "2", "-r", "3", "-u", server.url)
        self.assertEqual(6, figures["success"])

    def test_nobody_there(self):
        outcome = carronade.run(["gobench", "-c", "4", "-r", "3",
                                 "-u", f"http://127.0.0.1:{free_port()}/"])
        figures = self.figures(outcome)
        self.assertEqual((12, 12), (figures["requests"], figures["network"]), outcome)
        self.assertIn("Connection refused (12 times)", outcome.stderr)

    def test_a_server_that_is_slower_than_the_read_timeout(self):
        with ServeProcess("--delay", "60s") as server:
            figures = self.shoot("-c", "2", "-r", "1", "-tr", "150", "-u", server.url)
        self.assertEqual((2, 2), (figures["requests"], figures["network"]))

    def test_a_signal_prints_the_results(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with ServeProcess() as server:
                process = carronade.start(["gobench", "-c", "2", "-t", "60", "-u", server.url])
                server.wait_for_requests(10)
                process.send_signal(number)
                outcome = carronade.finish(process)
            self.assertGreater(self.figures(outcome)["success"], 0, outcome)
            self.assertLess(outcome.seconds, 40)

    def test_a_full_disk_and_a_closed_pipe_lose_no_figures(self):
        reader, writer = os.pipe()
        os.close(reader)
        with ServeProcess() as server, open("/dev/full", "wb") as full, \
                open(writer, "wb") as closed:
            for place in (full, closed):
                done = subprocess.run(
                    [carronade.BINARY, "gobench", "-c", "1", "-r", "3", "-u", server.url],
                    stdin=subprocess.DEVNULL, stdout=place, stderr=subprocess.PIPE, timeout=30,
                    check=False)
                errors = done.stderr.decode()
                self.assertEqual((1, 1), (done.returncode, errors.count("gobench: ")), errors)
                self.assertIn("Requests:                                3 hits\n", errors)

    def test_options_that_do_not_fit(self):
        usage = "Usage of gobench:\n  -auth string\n"
        url = ["-u", "http://127.0.0.1:1/"]
        cases = [
            ([], 1, ""),
            (["-r", "1"], 1, ""),
            (url, 1, "Requests or period must be provided\n"),
            ([*url, "-r", "1", "-t", "1"], 1, "Only one should be provided: [requests|period]\n"),
            (["-help"], 0, ""),
            (["-h"], 0, ""),
        ]
        for args, code, told in cases:
            outcome = carronade.run(["gobench", *args])
            self.assertEqual((code, told), (outcome.code, outcome.stdout), outcome)
            self.assertTrue(outcome.stderr.startswith(usage), outcome)
        for args, line in [(["-x"], "flag provided but not defined: -x"),
                           (["-c"], "flag needs an argument: -c"),
                           (["-c", "ten"], 'invalid value "ten" for flag -c: parse error'),
                           (["-k=2"], 'invalid boolean value "2" for -k: parse error')]:
            outcome = carronade.run(["gobench", *args])
            self.assertEqual((2, ""), (outcome.code, outcome.stdout), outcome)
            self.assertTrue(outcome.stderr.startswith(line + "\n" + usage), outcome)

    def test_bad_input_is_one_line(self):
        listed = self.file("urls", "http://127.0.0.1/\nno url\n")
        for args, told in [(["-u", "host/path"], "host/path"), (["-f", listed], "urls:2: "),
                           (["-f", "/nowhere/urls"], "/nowhere/urls"),
                           (["-u", "http://127.0.0.1:1/", "-d", "/nowhere/body"], "/nowhere/body"),
                           (["-u", "http://127.0.0.1:1/", "-c", "2000000"], "connections")]:
            outcome = carronade.run(["gobench", *args, "-r", "1"])
            self.assertEqual((1, ""), (outcome.code, outcome.stdout), outcome)
            self.assertEqual(1, outcome.stderr.count("\n"), outcome)
            self.assertIn(told, outcome.stderr)

    def test_what_follows_a_word_is_ignored_and_told(self):
        with ServeProcess() as server:
            outcome = carronade.run(["gobench", "-c", "1", "-r", "2", "-u", server.url, "word",
                                     "-r", "50"])
        self.assertEqual(2, self.figures(outcome)["success"], outcome)
        self.assertIn('"word"', outcome.stderr)


if __name__ == "__main__":
    carronade.main()
