"""What the tests of `carronade siege` share: a home of their own, a configuration, a peer."""

import tempfile
import unittest
from pathlib import Path

from support import carronade
from support.scripted_peer import Peer
from support.siege_report import figures

PLAIN = "color = off\nverbose = true\nprotocol = HTTP/1.1\nparser = true\n"


class SiegeCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = Path(folder.name)

    def file(self, name, text):
        path = self.home / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return str(path)

    def environment(self):
        return {"HOME": str(self.home), "SIEGERC": "", "TZ": "UTC"}

    def siege(self, *args, code=0, rc=PLAIN, **options):
        """(outcome, the figures of its text report or None)."""
        if rc is not None:
            args = ("-R", self.file("rc", rc), *args)
        outcome = carronade.run(["siege", *map(str, args)], env=self.environment(), **options)
        self.assertEqual(code, outcome.code, outcome)
        return outcome, figures(outcome.stderr)

    def against(self, script, *args, path="/", rc=PLAIN):
        """Runs against a peer; (outcome, figures, the stopped peer)."""
        with Peer(*script) as peer:
            outcome, report = self.siege(*args, peer.url(path), rc=rc)
            peer.stop()
        self.assertEqual([], peer.faults, outcome)
        return outcome, report, peer
