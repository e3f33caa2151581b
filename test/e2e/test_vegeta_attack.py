"""`carronade vegeta attack`: what its results say, and how it ends. What it sends is in
test_vegeta_wire.py; the commands that read results are in test_vegeta_results.py."""

import collections
import gzip
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade, servers  # noqa: E402
from support.scripted_peer import Peer, answer, close, read, send, serve, silent  # noqa: E402
from support.serve_process import ServeProcess  # noqa: E402
from support.rest_server import RestServer  # noqa: E402
from support.vegeta_attack import (  # noqa: E402
    CLEAN, DATED, AttackTest, attack, once, redirect, results)

FOR_EVER = "1h"

class Results(AttackTest):
    def one(self, script, *args, path="/", method="GET"):
        with Peer(script) as peer:
            (result,) = results(once(f"{method} {peer.url(path)}\n", *args))
        for name in ("url", "error"):
            result[name] = result[name].replace(peer.origin(), "ORIGIN")
        return result

    def test_fields(self):
        result = self.one([serve(answer(b"hi", headers=["x-fOO: a", "X-Foo: b"]))], "-name", "big")
        self.assertRegex(result.pop("timestamp"), r"\A20\d\d-")
        self.assertLess(0, result.pop("latency"))
        self.assertEqual({"attack": "big", "seq": 0, "code": 200, "bytes_out": 0, "bytes_in": 2,
                          "error": "", "body": "aGk=", "method": "GET", "url": "ORIGIN/",
                          "headers": {"X-Foo": ["a", "b"], "Content-Length": ["2"]}}, result)

    def test_statuses(self):
        for status, error in (("404 Not Found",) * 2, ("500 ",) * 2, ("302 Found", ""),
                              ("204 No Content", "")):
            with self.subTest(status):
                result = self.one([serve(answer(b"", status, length=status[:3] != "204"))])
                self.assertEqual((int(status[:3]), error), (result["code"], result["error"]))

    def test_gzip(self):
        packed = gzip.compress(b"hello" * 100)
        reply = answer(packed, headers=["Content-Encoding: gzip", "Vary: x"])
        result = self.one([serve(reply)])
        self.assertEqual((500, {"Vary": ["x"]}), (result["bytes_in"], result["headers"]))
        self.assertEqual((500, "aGVsbG9oZQ=="),
                         [(r["bytes_in"], r["body"])
                          for r in [self.one([serve(reply)], "-max-body", "7")]][0])

    def test_max_body(self):
        for size, body in (("0", None), ("2", "aGU="), ("1 kB", "aGVsbG8=")):
            with self.subTest(size):
                result = self.one([serve(answer(b"hello"))], "-max-body", size)
                self.assertEqual((5, body), (result["bytes_in"], result["body"]))

    def test_failures(self):
        cases = (
            ([read(), close()], "POST", (), 'Post "ORIGIN/": EOF'),
            ([read(), send(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhi"), close()], "GET", (),
             "unexpected EOF"),
            ([read(), silent()], "GET", ("-timeout", "300ms"), 'Get "ORIGIN/": context deadline '
             "exceeded (Client.Timeout exceeded while awaiting headers)"),
        )
        for script, method, args, error in cases:
            with self.subTest(error):
                result = self.one(script, *args, method=method)
                self.assertEqual((0, error), (result["code"], result["error"]))
                self.assertIsNone(result["headers"])

    def test_refused(self):
        port = servers.free_port()
        url = f"http://127.0.0.1:{port}/"
        for args in (("-rate=100", "-duration=500ms"),
                     ("-rate=0", "-max-workers=3", "-duration=300ms")):
            with self.subTest(args):
                found = results(attack(f"GET {url}\n", *args))
                if args[0] == "-rate=100":
                    self.assertEqual(50, len(found))
                self.assertEqual(list(range(len(found))), [result["seq"] for result in found])
                self.assertEqual({f'Get "{url}": dial tcp 0.0.0.0:0->127.0.0.1:{port}: connect: '
                                  "connection refused"}, {result["error"] for result in found})

    def test_redirects(self):
        loop = [serve(redirect("next"))]
        result = self.one(loop, "-redirects", "3", path="/a/b")
        self.assertEqual((0, 'Get "next": stopped after 3 redirects'),
                         (result["code"], result["error"]))
        self.assertEqual(302, self.one(loop, "-redirects=-1")["code"])
        result = self.one([serve(redirect("http://127.0.0.1:1/x"))])
        self.assertEqual(0, result["code"])
        self.assertIn("a redirect is followed only to hosts of the targets", result["error"])
        with Peer([serve(redirect("/n?x", "303 See Other"), limit=1),
                   serve(answer(b"done"))]) as peer:
            (result,) = results(once(f"POST {peer.url('/a')}\n", "-body", self.write("b", "x")))
        self.assertEqual((200, 4, 1, "POST"), tuple(result[name] for name in (
            "code", "bytes_in", "bytes_out", "method")))
        self.assertEqual([("POST", "/a", b"x"), ("GET", "/n?x", b"")],
                         [(r.method, r.target, r.body) for r in peer.requests])
        self.assertEqual(peer.url("/a"), peer.requests[1].header("Referer"))


class Load(AttackTest):
    def test_the_schedule_is_exact(self):
        with ServeProcess() as server:
            found = results(attack(f"GET {server.url}/\n", "-rate", "1000/500ms", "-duration",
                                   "1500ms"))
            self.assertEqual(3000, server.request_count)
        self.assertEqual(list(range(3000)), [result["seq"] for result in found])
        self.assertEqual({200}, {result["code"] for result in found})

    def test_targets_take_turns(self):
        with RestServer() as server:
            text = "".join(f"GET {server.url(path)}\n" for path in ("/users/1", "/x", "/y"))
            results(attack(text, "-rate=150", "-duration=1s", "-header", server.authorization))
            self.assertEqual({"GET 200": 50, "GET 404": 100}, server.counts())

    def test_hosts_take_turns(self):
        for args in (("-rate=100", "-duration=1s"),
                     ("-rate=0", "-max-workers=6", "-duration=500ms")):
            with self.subTest(args), ServeProcess() as one, ServeProcess() as two:
                found = results(attack(f"GET {one.url}/\nGET {two.url}/\n", *args))
                self.assertEqual({200}, {result["code"] for result in found})
                counts = collections.Counter(result["url"] for result in found)
                self.assertEqual({one.url + "/": one.request_count, two.url + "/":
                                  two.request_count}, counts)
                self.assertLessEqual(abs(one.request_count - two.request_count), 30)

    def test_as_fast_as_possible(self):
        with ServeProcess() as server:
            found = results(attack(f"GET {server.url}/\n", "-rate=0", "-max-workers=5",
                                   "-duration=500ms"))
            self.assertEqual(len(found), server.request_count)
            stats = server.stats()
        self.assertLess(50, len(found))
        self.assertLessEqual(stats["connections"]["accepted"], 5 + 2)  # with those that ask for it

    def test_a_slow_server_does_not_shift_the_schedule(self):
        """100/s on one connection that takes 50 ms for each: the wait counts, unless -quirks."""
        for args, waits in (((), True), (("-quirks",), False)):
            with self.subTest(args), ServeProcess("--delay", "50ms") as server:
                found = results(attack(f"GET {server.url}/\n", "-rate=100", "-duration=300ms",
                                       "-max-workers=1", *args))
                self.assertEqual(30, len(found))
                self.assertEqual(waits, found[-1]["latency"] > 500e6, found[-1])

    def test_lazy_targets(self):
        with ServeProcess() as server:
            lines = "".join(f"GET {server.url}/{i}\n" for i in range(5000))
            found = results(attack(lines, "-lazy", "-rate=5000"))
            self.assertEqual([f"{server.url}/{i}" for i in range(5000)],
                             sorted((r["url"] for r in found), key=lambda u: int(u.split("/")[3])))
            found = results(attack(f"GET {server.url}/\n", "-lazy", "-quirks"))
            self.assertEqual(["", "no targets to attack"], [r["error"] for r in found])

    def test_lazy_targets_with_a_fault(self):
        with ServeProcess() as server:
            outcome = once(f"GET {server.url}/\n\nnonsense\n")
        self.assertEqual(1, len(results(outcome, code=1)))
        self.assertRegex(outcome.stderr, DATED + r"bad target: nonsense \(line 3\)\n\Z")


class Endings(AttackTest):
    def interrupted(self, server, *args):
        """Ends it by one SIGINT after the server has seen a request."""
        process = carronade.start(["vegeta", "attack", "-targets", str(self.write(
            "targets", f"GET {server.url}/\n")), *args], env=CLEAN)
        server.wait_for_requests(1)
        process.send_signal(signal.SIGINT)
        return carronade.finish(process)

    def test_ctrl_c_waits_for_open_requests(self):
        for args in (("-rate=200",), ("-rate=0", "-max-workers=5"), ("-rate=1/m",),
                     ("-rate=200", "-duration=" + FOR_EVER)):
            with self.subTest(args), ServeProcess("--delay", "300ms") as server:
                outcome = self.interrupted(server, *args)
                found = results(outcome)
                self.assertEqual("", outcome.stderr)
                self.assertEqual(server.request_count, len(found))
                self.assertEqual({200}, {result["code"] for result in found})
                self.assertLess(outcome.seconds, 0.3 + carronade.SLACK_S)

    def test_a_second_ctrl_c_ends_it(self):
        with Peer([silent()]) as peer:
            process = carronade.start(["vegeta", "attack", "-targets", str(self.write(
                "targets", f"GET {peer.url()}\n")), "-rate=10"], env=CLEAN)
            peer.wait_for_requests(1)
            process.send_signal(signal.SIGINT)
            carronade.wait_until_it_took(process)
            time.sleep(0.1)
            self.assertIsNone(process.poll())
            process.send_signal(signal.SIGINT)
            outcome = carronade.finish(process)
        self.assertEqual((0, b""), (outcome.code, outcome.stdout_bytes), outcome)
        self.assertRegex(outcome.stderr, DATED + r"\d+ requests were in flight at the end: they "
                         r"have no result\n\Z")

    def test_ctrl_c_before_the_first_target(self):
        process = carronade.start(["vegeta", "attack", "-lazy"], stdin=subprocess.PIPE, env=CLEAN)
        carronade.wait_until_it_hears(process)
        process.send_signal(signal.SIGINT)
        self.fails(carronade.finish(process), "no targets to attack")

    def test_a_full_disk(self):
        with ServeProcess() as server:
            outcome = attack(f"GET {server.url}/\n", "-duration", FOR_EVER, "-output", "/dev/full")
        self.fails(outcome, r"write to /dev/full: No space left on device: the attack was ended; "
                   r"\d+ requests were sent, \d+ answered, \d+ results are missing")

    def test_a_reader_that_goes_away(self):
        with ServeProcess() as server:
            process = carronade.start(["vegeta", "attack", "-duration", FOR_EVER, "-targets",
                                       str(self.write("targets", f"GET {server.url}/\n"))],
                                      env=CLEAN)
            process.stdout.read(100)
            process.stdout.close()
            self.assertEqual(1, process.wait(10))
            stderr = process.stderr.read().decode()
            process.stderr.close()
        self.assertRegex(stderr, DATED + ".*Broken pipe: the attack was ended; .*\n")

    def test_a_slow_reader(self):
        """Nothing is lost, and nothing waits, while the queue has room."""
        with ServeProcess("--bytes", "64k") as server:
            process = carronade.start(["vegeta", "attack", "-rate=200", "-duration=1s", "-targets",
                                       str(self.write("targets", f"GET {server.url}/\n"))],
                                      env=CLEAN)
            server.wait_for_requests(200)
            outcome = carronade.finish(process)
        self.assertEqual(200, len(results(outcome)))
        self.assertEqual("", outcome.stderr)

    def test_a_server_that_dies(self):
        with ServeProcess() as server:
            process = carronade.start(["vegeta", "attack", "-rate=100", "-duration=1s", "-targets",
                                       str(self.write("targets", f"GET {server.url}/\n"))],
                                      env=CLEAN)
            server.wait_for_requests(10)
            server.stop()
            found = results(carronade.finish(process))
        self.assertEqual(100, len(found))
        self.assertLess(9, sum(result["code"] == 200 for result in found))
        self.assertLess(0, sum(result["code"] == 0 for result in found))


if __name__ == "__main__":
    unittest.main()
