"""A link that is named after a tool speaks as that tool does, and install-links makes them."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402

SCRIPT = carronade.SOURCE / "tools" / "install_links.sh"
# What each tool answers to a question that no other answers so.
PROBES = {
    "ab": (["-Y"], "ab: illegal option -- Y"),
    "autocannon": (["--version"], "autocannon v"),
    "gobench": (["-no-such"], "Usage of gobench:"),
    "loadtest": (["-V"], "Loadtest version: "),
    "siege": (["--no-such"], "siege: unrecognized option '--no-such'"),
    "testserver-loadtest": (["--port", "x"], "Invalid port"),
    "vegeta": (["-no-such"], "flag provided but not defined: -no-such"),
    "wrk": (["--no-such"], "unrecognized option '--no-such'"),
    "wrk2": (["--no-such"], "unrecognized option '--no-such'"),
}


def speak(command, home):
    done = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=30, check=False, env={**os.environ, "HOME": str(home)})
    return done.returncode, done.stdout.decode(), done.stderr.decode()


class LinksTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = Path(folder.name)
        self.links = self.home / "bin"

    def install(self, folder=None, binaries=(carronade.BINARY,)):
        return speak([SCRIPT, self.links if folder is None else folder, *binaries], self.home)

    def test_a_link_speaks_as_the_tool_it_is_named_after(self):
        code, told, errors = self.install()
        self.assertEqual((0, ""), (code, errors), told)
        self.assertEqual(sorted(PROBES), sorted(p.name for p in self.links.iterdir()))
        for tool, (words, answer) in PROBES.items():
            with self.subTest(tool):
                self.assertIn(str(self.links / tool), told)
                by_word = speak([carronade.BINARY, tool, *words], self.home)
                if by_word[2].startswith("carronade: "):
                    self.skipTest(f"{tool} is not built into this binary")
                by_name = speak([self.links / tool, *words], self.home)
                self.assertIn(answer, by_name[1] + by_name[2])
                self.assertEqual(by_word, by_name)

    def test_a_second_time_changes_nothing(self):
        self.install()
        code, _, errors = self.install()
        self.assertEqual((0, ""), (code, errors))
        target = Path(carronade.BINARY).resolve()
        self.assertEqual([target] * len(PROBES), [p.resolve() for p in self.links.iterdir()])

    def test_what_is_no_link_to_carronade_stays(self):
        self.links.mkdir()
        (self.links / "ab").write_text("another ab")
        (self.links / "wrk").symlink_to("/bin/true")
        (self.links / "siege").symlink_to("/nowhere/carronade")  # of a build that is gone
        code, _, errors = self.install()
        self.assertEqual(1, code)
        self.assertEqual(2, errors.count("left alone"), errors)
        self.assertEqual("another ab", (self.links / "ab").read_text())
        self.assertEqual("/bin/true", os.readlink(self.links / "wrk"))
        self.assertEqual(Path(carronade.BINARY).resolve(), (self.links / "siege").resolve())
        self.assertTrue((self.links / "gobench").is_symlink())

    def test_what_cannot_be_done_is_told(self):
        self.assertIn("DIR=", self.install(folder="")[2])
        code, told, errors = self.install(binaries=["/nowhere/carronade"])
        self.assertEqual((1, ""), (code, told))
        self.assertEqual("install-links: /nowhere/carronade is not there: run make first\n", errors)
        code, told, errors = self.install(binaries=["/nowhere/a", "/nowhere/b"])
        self.assertEqual((1, ""), (code, told))
        self.assertEqual("install-links: neither /nowhere/a nor /nowhere/b is there: "
                         "run make first\n", errors)
        self.assertFalse(self.links.exists())


if __name__ == "__main__":
    carronade.main()
