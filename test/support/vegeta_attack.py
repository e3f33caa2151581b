"""What the tests of `carronade vegeta attack` share: runs of it, and what its results say."""

import json
import tempfile
import unittest
from pathlib import Path

from support import carronade
from support.scripted_peer import answer

DATED = r"\A\d{4}/\d\d/\d\d \d\d:\d\d:\d\d "
CLEAN = {name: "" for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy",
                               "NO_PROXY", "no_proxy")}


def attack(targets, *args, env=None, **options):
    """Runs it to its end on these targets, a text."""
    return carronade.run(["vegeta", "attack", *map(str, args)], feed=targets.encode(),
                         env={**CLEAN, **(env or {})}, **options)


def results(outcome, code=0):
    """The results on its standard output, in the order of their numbers."""
    assert outcome.code == code, str(outcome)
    encoded = carronade.run(["vegeta", "encode"], feed=outcome.stdout_bytes)
    assert encoded.code == 0, str(encoded)
    found = [json.loads(line) for line in encoded.stdout.splitlines()]
    return sorted(found, key=lambda result: result["seq"])


def once(targets, *args, **options):
    """Each target once, quickly."""
    return attack(targets, "-lazy", "-rate", "100", *args, **options)


def redirect(to, status="302 Found"):
    return answer(b"", status, [("Location", to)])


class AttackTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="carronade-attack-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, content):
        path = self.folder / name
        path.write_text(content)
        return path

    def fails(self, outcome, pattern, code=1):
        """One dated line on standard error, and no result."""
        self.assertEqual((code, b""), (outcome.code, outcome.stdout_bytes), outcome)
        self.assertRegex(outcome.stderr, DATED + pattern + r"\n\Z", outcome)
