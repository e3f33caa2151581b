"""The commands of docs/compat/seven_dialects.md run as they stand there, for a second each instead
of ten, under the tools' own names, against a server that counts what it is asked."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.rest_server import RestServer  # noqa: E402

PAGE = (carronade.SOURCE / "docs" / "compat" / "seven_dialects.md").read_text(encoding="utf-8")
TOKEN = "abc123"
TOOLS = ("ab", "autocannon", "carronade", "gobench", "loadtest", "siege", "vegeta",
         "wrk")


def blocks(kind):
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


class SevenDialectsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = Path(folder.name)
        for tool in TOOLS:
            (self.home / tool).symlink_to(Path(carronade.BINARY).resolve())
        (self.home / "task.json").write_text('{"title": "load"}\n')
        (script,) = blocks("lua")
        (self.home / "post.lua").write_text(script)

    def run_line(self, line):
        """(exit code, stdout, stderr) of one line of the page, in a second."""
        environment = {**os.environ, "HOME": str(self.home),
                       "PATH": f"{self.home}:{os.environ['PATH']}"}
        environment.pop("PORT", None)
        process = subprocess.Popen(
            ["bash", "-o", "pipefail", "-c", line], cwd=self.home, env=environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            start_new_session=True)
        try:
            stdout, stderr = process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise AssertionError(f"did not end within 30 s: {line}") from None
        return process.returncode, stdout.decode(), stderr.decode()

    def check(self, lines, answered):
        self.assertEqual(len(TOOLS), len(lines))
        for line in lines:
            short = re.sub(r"(-d|-t|-duration) 10(s?) ", r"\1 1\2 ", line, count=1)
            self.assertNotEqual(line, short)
            with self.subTest(line), RestServer(token=TOKEN) as server:
                code, stdout, stderr = self.run_line(
                    short.replace("127.0.0.1:7357", f"127.0.0.1:{server.port}"))
                told = f"\n{short}\nexit {code}\n{stdout[-3000:]}\n{stderr[-3000:]}"
                self.assertEqual(0, code, told)
                self.assertEqual([answered], list(server.counts()), told)
                self.assertGreater(server.counts()[answered], 50, told)

    def test_get(self):
        self.check(blocks("sh")[0].splitlines(), "GET 200")

    def test_post_of_a_file(self):
        self.check(blocks("sh")[1].splitlines(), "POST 201")


if __name__ == "__main__":
    carronade.main()
