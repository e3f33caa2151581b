"""carronade's gob streams against Go's own encoding/gob (test/data/vegeta/gob_peer.go)."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402

DATA = carronade.SOURCE / "test" / "data" / "vegeta"
THREE = DATA / "three_results.json"


def vegeta(*args, feed=None):
    outcome = carronade.run(["vegeta", *map(str, args)], feed=feed)
    if outcome.code != 0 or outcome.stderr:
        raise AssertionError(str(outcome))
    return outcome.stdout_bytes


class GobAgainstGo(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if shutil.which("go") is None:
            raise unittest.SkipTest("no go (Debian: golang-go): its own gob is not compared with")
        cls.folder = tempfile.TemporaryDirectory(prefix="carronade-gob-")
        cls.peer = Path(cls.folder.name) / "gob_peer"
        environment = {**os.environ, "GO111MODULE": "off", "GOFLAGS": "-mod=mod",
                       "GOCACHE": str(Path(cls.folder.name) / "cache"), "GOPROXY": "off"}
        subprocess.run(["go", "build", "-o", cls.peer, DATA / "gob_peer.go"], check=True,
                       env=environment, timeout=110)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def go(self, word, feed=b""):
        done = subprocess.run([self.peer, word], input=feed, capture_output=True, timeout=30,
                              check=False)
        self.assertEqual((0, b""), (done.returncode, done.stderr))
        return done.stdout

    def test_go_writes_what_we_write(self):
        lines = THREE.read_bytes()
        self.assertEqual(self.go("encode", lines), vegeta("encode", "-to", "gob", THREE))

    def test_go_reads_what_we_write(self):
        gob = vegeta("encode", "-to", "gob", THREE)
        self.assertEqual(vegeta("encode", feed=gob), self.go("decode", gob))

    def test_we_read_what_go_writes(self):
        gob = self.go("encode", THREE.read_bytes())
        self.assertEqual(self.go("decode", gob), vegeta("encode", "-to", "json", feed=gob))

    def test_many_results_both_ways(self):
        lines = []
        for number in range(3000):
            lines.append({
                "attack": "a" * (number % 200), "seq": number * 2**53 // 7,
                "code": number * 21 % 65536, "latency": number**5 - 10**9,
                "timestamp": f"2024-01-31T10:{number % 60:02}:00.{number:09}+0{number % 10}:30",
                "bytes_out": number, "bytes_in": 2**64 - 1 - number, "error": "\u00e9\u2028<>" * 3,
                "body": "AAEC" * (number % 100), "method": "GET",
                "url": "http://h/?" + "x" * number,
                "headers": {f"Name-{number % 3}": ["v"] * (number % 5 + 1)}})
        feed = "".join(json.dumps(line) + "\n" for line in lines).encode()
        gob = self.go("encode", feed)
        self.assertEqual(gob, vegeta("encode", "-to", "gob", feed=gob))
        self.assertEqual(self.go("decode", gob), vegeta("encode", "-to", "json", feed=gob))
        self.assertEqual(gob, vegeta("encode", "-to", "gob", feed=self.go("decode", gob)))

    def test_unknown_fields_of_every_kind(self):
        gob = self.go("foreign")
        ours = [json.loads(line) for line in vegeta("encode", feed=gob).splitlines()]
        theirs = [json.loads(line) for line in self.go("decode", gob).splitlines()]
        self.assertEqual(theirs, ours)
        self.assertEqual([0, 1, 2], [line["seq"] for line in ours])


if __name__ == "__main__":
    carronade.main()
