"""`carronade vegeta`: the requests of an attack, what it refuses, and the command itself."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.certificates import certificates  # noqa: E402
from support.rest_server import RestServer  # noqa: E402
from support.scripted_peer import Peer, answer, serve  # noqa: E402
from support.serve_process import ServeProcess  # noqa: E402
from support.vegeta_attack import CLEAN, DATED, AttackTest, attack, once, results  # noqa: E402


class Wire(AttackTest):
    """The requests, byte for byte; as a Go client writes them."""

    def sent(self, targets, *args, **options):
        with Peer([serve()]) as peer:
            outcome = once(targets.replace("ORIGIN", peer.origin()), *args, **options)
        self.assertEqual([], peer.faults)
        self.assertEqual({200}, {result["code"] for result in results(outcome)}, outcome)
        return [request.raw.decode("latin-1").replace(peer.origin()[7:], "HOST")
                for request in peer.requests]

    def test_plain(self):
        self.assertEqual(
            ["GET /a?b=1 HTTP/1.1\r\nHost: HOST\r\nUser-Agent: Go-http-client/1.1\r\n"
             "X-Vegeta-Seq: 0\r\nAccept-Encoding: gzip\r\n\r\n"], self.sent("GET ORIGIN/a?b=1#f\n"))
        (text,) = self.sent("HEAD ORIGIN\n", "-name", "big")
        self.assertEqual("HEAD / HTTP/1.1\r\nHost: HOST\r\nUser-Agent: Go-http-client/1.1\r\n"
                         "X-Vegeta-Attack: big\r\nX-Vegeta-Seq: 0\r\n\r\n", text)

    def test_headers(self):
        (text,) = self.sent("GET ORIGIN/\nX-lower: 1\nx-lower: 2\nX-Dup: 1\nX-Dup: 2\n"
                            "Host: virtual\nUser-Agent: me\nAccept-Encoding: br\nhost: low\n",
                            "-header", "D: first", "-header=X-Dup:0")
        self.assertEqual(
            "GET / HTTP/1.1\r\nHost: virtual\r\nUser-Agent: me\r\nAccept-Encoding: br\r\n"
            "D: first\r\nX-Dup: 0\r\nX-Dup: 1\r\nX-Dup: 2\r\nX-Vegeta-Seq: 0\r\nX-lower: 1\r\n"
            "host: low\r\nx-lower: 2\r\n\r\n", text)

    def test_credentials_and_blanks(self):
        with Peer([serve()]) as peer:
            results(once(f"GET http://user:password@127.0.0.1:{peer.port}/sp ace\n"))
        (request,) = peer.requests
        self.assertEqual("/sp%20ace", request.target)
        self.assertEqual("Basic dXNlcjpwYXNzd29yZA==", request.header("Authorization"))

    def test_bodies(self):
        body = self.write("b.txt", "hello world!")
        texts = self.sent(f"POST ORIGIN/\n@{body}\n\nPOST ORIGIN/\nDELETE ORIGIN/\n@{body}\n",
                          "-header", "Content-Length: 99", "-max-workers", "1")
        self.assertEqual(["12", "0", "12"], [text.split("Content-Length: ")[1].split("\r\n")[0]
                                             for text in texts])
        self.assertEqual(["POST", "POST", "DELETE"], [text.split(" ")[0] for text in texts])
        self.assertEqual([True, False, True], [text.endswith("\r\n\r\nhello world!")
                                               for text in texts])
        self.assertFalse(any("Content-Type" in text for text in texts))

    def test_json_targets(self):
        lines = ('{"method":"PUT","url":"ORIGIN/x","body":"Rk9P","header":{"K":["v","w"]}}\n\n'
                 '{"method":"GET","url":"ORIGIN/y"}')
        first, second = self.sent(lines, "-format=json", "-header", "K: u", "-max-workers", "1")
        self.assertIn("\r\nK: u\r\nK: v\r\nK: w\r\n", first)
        self.assertTrue(first.endswith("\r\n\r\nFOO"))
        self.assertTrue(second.startswith("GET /y "))

    def test_chunked(self):
        with RestServer() as server:
            task = self.write("task.json", '{"title": "load"}')
            outcome = once(f"POST {server.url('/tasks')}\n", "-chunked", "-body", task, "-header",
                           server.authorization)
            (result,) = results(outcome)
        self.assertEqual((201, 17), (result["code"], result["bytes_out"]), outcome)

    def test_connections(self):
        twice = "GET ORIGIN/1\nGET ORIGIN/2\n"
        for args, connections, header in (((), 1, None), (("-keepalive=false",), 2, "close"),
                                          (("-connections=-1",), 2, None)):
            with self.subTest(args), Peer([serve()]) as peer:
                text = twice.replace("ORIGIN", peer.origin())
                results(attack(text, "-rate", "10", "-duration", "200ms", *args))
                self.assertEqual(connections, peer.connection_count)
                self.assertEqual([header] * 2, [request.header("Connection")
                                                for request in peer.requests])

    def test_connect_to(self):
        with Peer([serve()]) as one, Peer([serve()]) as two:
            there = [f"-connect-to=foo.example:80:127.0.0.1:{peer.port}" for peer in (one, two)]
            outcome = attack("GET http://foo.example/a\n", "-rate=0", "-max-workers=2",
                             "-duration=2s", *there)
        self.assertLess(0, len(results(outcome)))
        for peer in (one, two):
            self.assertLess(0, peer.request_count)
            self.assertEqual("foo.example", peer.requests[0].header("Host"))

    def test_the_shortest_attack_has_a_hit(self):
        with Peer([serve()]) as peer:
            outcome = attack(f"GET {peer.url()}\n", "-rate=0", "-max-workers=1", "-duration=1ns")
        self.assertEqual(1, len(results(outcome)))
        self.assertEqual(1, peer.request_count)

    def test_proxy(self):
        with Peer([serve()]) as peer:
            outcome = once("GET http://foo.example/a?b\n",
                           env={"HTTP_PROXY": f"http://a:b@127.0.0.1:{peer.port}"})
        self.assertEqual(200, results(outcome)[0]["code"])
        (request,) = peer.requests
        self.assertEqual("http://foo.example/a?b", request.target)
        self.assertEqual("Basic YTpi", request.header("Proxy-Authorization"))

    # test_proxy_dialects.py goes through the tunnel.
    def test_proxy_that_makes_no_tunnel(self):
        with Peer([serve(answer(status="403 Forbidden"))]) as peer:
            outcome = once("GET https://foo.example/a?b\n", "-proxy-header", "X-Hop: 17",
                           env={"HTTPS_PROXY": f"http://a:b@127.0.0.1:{peer.port}"})
        (result,) = results(outcome)
        self.assertEqual((0, 'Get "https://foo.example/a?b": Forbidden'),
                         (result["code"], result["error"]))
        request = peer.requests[0]
        self.assertEqual(("CONNECT", "foo.example:443"), (request.method, request.target))
        for name, value in (("Host", "foo.example:443"), ("X-Hop", "17"),
                            ("User-Agent", "Go-http-client/1.1"),
                            ("Proxy-Authorization", "Basic YTpi")):
            self.assertEqual([value], request.values(name))

    def test_unix_socket(self):
        path = str(self.folder / "peer.sock")
        with Peer([serve()], unix=path) as peer:
            outcome = once("GET http://anywhere.example/\n", "-unix-socket", path)
        self.assertEqual(200, results(outcome)[0]["code"], outcome)
        self.assertEqual("anywhere.example", peer.requests[0].header("Host"))

    def test_tls(self):
        made = certificates()
        for args, fine in (((), False), (("-insecure",), True),
                           (("-root-certs", made.path("ca.pem")), True)):
            with self.subTest(args), Peer([serve()], tls=made.server_context()) as peer:
                (result,) = results(once(f"GET https://127.0.0.1:{peer.port}/\n", *args))
                if fine:
                    self.assertEqual((200, ""), (result["code"], result["error"]))
                else:
                    self.assertIn("x509: certificate signed by unknown authority",
                                  result["error"])


class BadInput(AttackTest):
    def test_targets(self):
        for text, pattern in (("", "no targets to attack"), ("# c\n\n", "no targets to attack"),
                              ("GET\n", r"bad target: GET \(line 1\)"),
                              ("get http://h/\n", r"bad method: get \(line 1\)"),
                              ("GET http://h/\nnocolon\n", r"bad header: nocolon \(line 2\)"),
                              ("GET http://h/\n@/nowhere\n", "bad body: open /nowhere: no such "
                               r"file or directory \(line 2\)"),
                              ("\nGET /x\n", r"bad URL: /x, .* \(line 2\)")):
            with self.subTest(text):
                self.fails(attack(text), pattern)

    def test_nothing_is_sent_before_all_targets_are_read(self):
        with ServeProcess() as server:
            self.fails(attack(f"GET {server.url}/\n" * 1000 + "\nnonsense\n"),
                       r"bad target: nonsense \(line 1002\)")
            self.assertEqual(0, server.request_count)

    def test_options(self):
        one = "GET http://127.0.0.1:1/\n"
        for args, pattern in ((["-rate=0"], "-rate=0 requires setting -max-workers"),
                              (["-format=x"], r'format "x" isn\'t one of \[http, json\]'),
                              (["-h2c"], "-h2c: HTTP/2 is not there yet"),
                              (["-body=/nowhere"], "error opening /nowhere: open /nowhere: no such "
                               "file or directory"),
                              (["-targets=/nowhere"], "error opening /nowhere: open /nowhere: no "
                               "such file or directory"),
                              (["-output=/nowhere/x"], "error opening /nowhere/x: open /nowhere/x: "
                               "no such file or directory"),
                              (["-root-certs=/dev/null"], "bad certificate"),
                              (["-resolvers=1.1.1.1"], "-resolvers: .*"),
                              (["-rate=100000000"], ".*10,000,000 a second")):
            with self.subTest(args):
                self.fails(attack(one, *args), pattern)

    def test_flags(self):
        for args, message in ((["-zz"], "flag provided but not defined: -zz"),
                              (["-duration", "5"], 'invalid value "5" for flag -duration: parse '
                               "error"),
                              (["-header", "K"], 'invalid value "K" for flag -header: header '
                               "'K' has a wrong format")):
            with self.subTest(args):
                outcome = attack("", *args)
                self.assertEqual((2, ""), (outcome.code, outcome.stdout))
                self.assertEqual([message, "Usage of vegeta attack:"],
                                 outcome.stderr.splitlines()[:2])
        outcome = attack("", "-h")
        self.assertEqual(0, outcome.code)
        self.assertIn("  -rate value\n    \t", outcome.stderr)

    def test_a_host_without_an_address(self):
        self.fails(attack("GET http://nosuch.invalid/\n", "-duration=1s"), ".*nosuch.invalid.*")


class Command(unittest.TestCase):
    def test_usage(self):
        for args, code in (([], 1), (["-h"], 0)):
            outcome = carronade.run(["vegeta", *args])
            self.assertEqual((code, ""), (outcome.code, outcome.stdout))
            self.assertTrue(outcome.stderr.startswith(
                "Usage: vegeta [global flags] <command> [command flags]\n\nglobal flags:\n"))
            for name in ("attack", "encode", "plot", "report"):
                self.assertIn(f"\n{name} command:\n", outcome.stderr)

    def test_errors(self):
        for args, code, pattern in ((["x"], 1, DATED + "Unknown command: x\n\\Z"),
                                    (["-profile=cpu", "dump"], 1, DATED + "-profile: .*\n\\Z"),
                                    (["-cpus", "x"], 2, "\\Ainvalid value \"x\" for flag -cpus: "
                                     "parse error\nUsage: ")):
            with self.subTest(args):
                outcome = carronade.run(["vegeta", *args])
                self.assertEqual((code, ""), (outcome.code, outcome.stdout))
                self.assertRegex(outcome.stderr, pattern)

    def test_version(self):
        outcome = carronade.run(["vegeta", "-version"])
        self.assertEqual(["Version", "Commit", "Runtime", "Date"],
                         [line.split(":")[0] for line in outcome.stdout.splitlines()])

    def test_the_tasks_of_the_rest_server(self):
        """The command of issue 6, for a second of its ten."""
        with tempfile.TemporaryDirectory() as folder, RestServer() as server:
            Path(folder, "task.json").write_text('{"title": "load"}')
            Path(folder, "vegeta").symlink_to(Path(carronade.BINARY).resolve())
            line = (f'echo "POST {server.url("/tasks")}" | vegeta -cpus 2 attack -body=task.json '
                    f'-duration=1s -header "{server.authorization}" | vegeta report')
            done = subprocess.run(
                ["bash", "-o", "pipefail", "-c", line], cwd=folder, capture_output=True, text=True,
                timeout=30, env={**os.environ, **CLEAN, "PATH": f"{folder}:{os.environ['PATH']}"},
                check=False)
            self.assertEqual((0, ""), (done.returncode, done.stderr), done)
            self.assertEqual({"POST 201": 50}, server.counts())
        self.assertRegex(done.stdout, r"Requests +\[total, rate, throughput\] +50, ")
        self.assertRegex(done.stdout, r"Status Codes +\[code:count\] +201:50 ")


if __name__ == "__main__":
    unittest.main()
