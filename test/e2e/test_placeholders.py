"""-I, --template and --data: what arrives, unique and complete over connections and workers."""

import collections
import re
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.scripted_peer import Peer, serve  # noqa: E402
from support.servers import wait_until  # noqa: E402

ID = r"[\w-]{22}-\d{10}"
UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"


class PlaceholdersTest(unittest.TestCase):
    def shoot(self, path, *args, expected=None):
        with Peer([serve()]) as peer:
            outcome = carronade.run_json([*args, peer.origin() + path])
            peer.stop()
        self.assertEqual([], peer.faults, outcome)
        self.assertEqual(0, outcome.report["errors"], outcome)
        if expected is not None:
            self.assertEqual(expected, len(peer.requests), outcome)
        return outcome, peer.requests

    def data(self, text):
        file = tempfile.NamedTemporaryFile("w", suffix=".csv", encoding="utf-8", newline="")
        self.addCleanup(file.close)
        file.write(text)
        file.flush()
        return file.name

    def test_ids(self):
        _, requests = self.shoot("/a/[<id>]?x=[<id>]", "-I", "-c", "4", "-w", "2", "-a", "200",
                                 "-m", "POST", "-b", '{"id":"[<id>]"}', "-H", "X-Id: [<id>]",
                                 "-H", "Content-Type: application/json", expected=200)
        seen = set()
        for request in requests:
            match = re.fullmatch(rf"/a/({ID})\?x=({ID})", request.target)
            self.assertTrue(match, request.target)
            self.assertEqual(match[1], match[2])
            self.assertEqual(match[1], request.header("x-id"))
            self.assertEqual(b'{"id":"' + match[1].encode() + b'"}', request.body)
            self.assertEqual(str(len(request.body)), request.header("content-length"))
            seen.add(match[1])
        self.assertEqual(200, len(seen))

    def test_ids_are_left_alone_unless_asked_for(self):
        _, requests = self.shoot("/[<id>]", "-c", "1", "-a", "2", expected=2)
        self.assertEqual({"/[<id>]"}, {request.target for request in requests})

    def test_ids_in_the_strict_form(self):
        with Peer([serve()]) as peer:
            outcome = carronade.run(["autocannon", "-I", "-c", "2", "-a", "6",
                                     peer.origin() + "/[%3Cid%3E]"])
            peer.stop()
        self.assertEqual(0, outcome.code, outcome)
        targets = {request.target for request in peer.requests}
        self.assertEqual(6, len(targets))
        self.assertTrue(all(re.fullmatch("/" + ID, target) for target in targets), targets)

    def test_templates(self):
        before = time.time() * 1000
        _, requests = self.shoot(
            "/{{uuid}}/{{counter}}?r={{random 1 6}}", "--template", "-c", "4", "-w", "2",
            "-a", "300", "-m", "PUT", "-b", "{{timestamp}} {{uuid}}", "-H", "X-R: {{random -5 -5}}",
            "-H", "Content-Type: text/plain", expected=300)
        uuids, counters, faces = set(), set(), collections.Counter()
        for request in requests:
            match = re.fullmatch(rf"/({UUID})/(\d+)\?r=(\d+)", request.target)
            self.assertTrue(match, request.target)
            uuids.add(match[1])
            counters.add(int(match[2]))
            faces[int(match[3])] += 1
            stamp, uuid = request.body.decode().split(" ")
            self.assertEqual(match[1], uuid)
            self.assertTrue(before - 1000 <= int(stamp) <= time.time() * 1000 + 1000, stamp)
            self.assertEqual("-5", request.header("x-r"))
        self.assertEqual(300, len(uuids))
        self.assertEqual(300, len(counters))
        self.assertEqual(set(range(1, 7)), set(faces))

    def test_the_seed_decides_the_random_numbers(self):
        def draw(seed):
            _, requests = self.shoot("/{{random 1 1000000}}", "--template", "--seed", seed,
                                     "-c", "1", "-a", "20", expected=20)
            return [request.target for request in requests]
        self.assertEqual(draw("7"), draw("7"))
        self.assertNotEqual(draw("7"), draw("8"))

    def test_rows_in_sequence_over_all_workers(self):
        rows = [f"u{i}" for i in range(10)]
        file = self.data("user,\"full name\"\r\n" + "".join(f"{u},\"N, {u}\"\r\n" for u in rows))
        outcome, requests = self.shoot("/{{csv.user}}", "--data", file, "-c", "4", "-w", "2",
                                       "-a", "30", "-b", "{{csv.full name}}", "-m", "POST",
                                       expected=30)
        self.assertEqual("amount", outcome.own["stoppedBy"], outcome)
        self.assertEqual({f"/{user}": 3 for user in rows},
                         dict(collections.Counter(request.target for request in requests)))
        for request in requests:
            self.assertEqual(f"N, {request.target[1:]}".encode(), request.body)

    def test_once_ends_with_the_data(self):
        file = self.data("id\n" + "".join(f"{i}\n" for i in range(50)))
        outcome, requests = self.shoot("/{{csv.id}}", "--data", file, "--data-mode", "once",
                                       "-c", "3", "-w", "2", "-d", "20", expected=50)
        self.assertEqual({f"/{i}" for i in range(50)}, {request.target for request in requests})
        self.assertEqual("data", outcome.own["stoppedBy"], outcome)
        self.assertLess(outcome.seconds, 10, outcome)
        with Peer([serve()]) as peer:
            text = carronade.run(["--data", file, "--data-mode", "once", "-d", "20", "-c", "1",
                                  peer.origin() + "/{{csv.id}}"])
        self.assertIn("stopped by the end of its data", text.stdout, text)

    def test_shuffle_uses_every_row_once_a_round(self):
        file = self.data("id\n" + "".join(f"{i}\n" for i in range(40)))
        _, requests = self.shoot("/{{csv.id}}", "--data", file, "--data-mode", "shuffle",
                                 "--seed", "3", "-c", "1", "-a", "80", expected=80)
        targets = [request.target for request in requests]
        everything = {f"/{i}" for i in range(40)}
        self.assertEqual(everything, set(targets[:40]))
        self.assertEqual(everything, set(targets[40:]))
        self.assertNotEqual(targets[:40], targets[40:])

    def test_a_file_that_goes_bad_is_told(self):
        # More than one buffer of it, so that it is read while the run goes on.
        rows = "a,b\n" + "1234567890,1234567890\n" * 20_000
        file = self.data(rows)
        for mode in ("sequence", "shuffle"):
            with self.subTest(mode=mode), Peer([serve()]) as peer:
                Path(file).write_text(rows, encoding="utf-8")
                process = carronade.start(["-j", "--data", file, "--data-mode", mode, "-c", "2",
                                           "-d", "20", peer.origin() + "/{{csv.a}}"])
                wait_until(lambda: len(peer.requests) > 10, 10, "requests")
                Path(file).write_text('a,b\n1\n2,"', encoding="utf-8")
                outcome = carronade.read_report(carronade.finish(process))
                self.assertEqual("data", outcome.own["stoppedBy"], outcome)
                error, = outcome.errors()
                self.assertEqual(("data_file", "write", "this_machine", 1, 0),
                                 (error["kind"], error["phase"], error["side"], error["count"],
                                  error["requests"]), outcome)
                self.assertIn(f"data file {file}: it ends ", error["text"])
                self.assertIn("changed while the run went on", error["text"])

    def refused(self, args, *texts):
        outcome = carronade.run([*args, "http://127.0.0.1:1/{{csv.id}}"])
        self.assertEqual(1, outcome.code, outcome)
        self.assertEqual("", outcome.stdout, outcome)
        self.assertEqual(1, outcome.stderr.count("\n"), outcome)
        for text in texts:
            self.assertIn(text, outcome.stderr, outcome)

    def test_once_is_once(self):
        once = ["--data", self.data("id\n1\n"), "--data-mode", "once"]
        for more in (["-f"], ["-W", "[", "-a", "1", "]"], ["-W", "1"]):
            self.refused([*once, *more], "--data-mode once sends each row once")
        with Peer([serve()]) as peer:
            outcome = carronade.run_json([*once, "-W", "[", "--data", self.data("id\nw\n"), "]",
                                          "-c", "1", "-d", "20", peer.origin() + "/{{csv.id}}"])
            peer.stop()
        self.assertEqual(["/w", "/1"], [request.target for request in peer.requests], outcome)

    def test_errors_come_at_the_start(self):
        self.refused(["--template"], "csv.id", "--data FILE")
        self.refused(["--template", "-H", "X: {{uid}}", "--data", self.data("id\n1\n")], "uid")
        self.refused(["--data", self.data("name\nx\n")], "csv.id", "name")
        self.refused(["--data", self.data("id,a\n1,2\n3\n")], "3")
        self.refused(["--data", self.data("id\n")], ".csv")
        self.refused(["--data", "/nowhere.csv"], "/nowhere.csv", "No such file")


if __name__ == "__main__":
    carronade.main()
