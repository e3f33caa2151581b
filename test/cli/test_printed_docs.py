"""The man page and the compatibility page in docs are those that the binary prints."""

import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402

DOCS = carronade.SOURCE / "docs"


class PrintedDocsTest(unittest.TestCase):
    def same(self, option, path):
        printed = carronade.run([option])
        self.assertEqual(0, printed.code, printed)
        self.assertEqual(printed.stdout_bytes, path.read_bytes(),
                         f"{path} lags behind the flag table: make docs")

    def test_man_page(self):
        self.same("--print-man", DOCS / "carronade.1")

    def test_compatibility_page(self):
        self.same("--print-compat", DOCS / "compat" / "autocannon.md")

    def test_every_option_of_the_help_is_in_the_man_page(self):
        man = (DOCS / "carronade.1").read_text(encoding="utf-8").replace("\\-", "-")
        for line in carronade.run(["--help"]).stdout.splitlines():
            if line.startswith(("  -", "      --")):
                name = next(word for word in line.replace(",", " ").split() if word[0] == "-")
                self.assertIn(name, man)

    def test_man_page_has_no_roff_faults(self):
        try:
            found = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l",
                                    str(DOCS / "carronade.1")], capture_output=True, timeout=30,
                                   check=False, env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"})
        except FileNotFoundError:
            self.skipTest("no man here")
        self.assertEqual(b"", found.stderr)


if __name__ == "__main__":
    carronade.main()
