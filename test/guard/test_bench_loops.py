"""The bare clients and the engine's loops that the benchmarks measure, where they were built: each
is answered, and ends by itself. What they cost is measured by bench/ alone.
"""

import os
import re
import subprocess
import unittest
from pathlib import Path

from support.serve_process import ServeProcess

BUILD = Path(os.environ.get("CARRONADE_BUILD", "build/bench"))
LOOPS = ("measured_loop", "unmeasured_loop", "epoll_floor")


class BenchLoops(unittest.TestCase):
    def test_each_is_answered_and_ends(self):
        built = [BUILD / name for name in LOOPS if (BUILD / name).exists()]
        if not built:
            self.skipTest(f"{BUILD} has no benchmarks")
        with ServeProcess() as server:
            for loop in built:
                for depth in (1, 100):
                    with self.subTest(loop=loop.name, depth=depth):
                        run = subprocess.run(
                            [loop, "127.0.0.1", str(server.port), "2", str(depth), "1"],
                            capture_output=True, text=True, timeout=60, check=True)
                        answers = re.match(r"(\d+) answers in [\d.]+ s, ", run.stdout)
                        self.assertTrue(answers, run)
                        self.assertGreater(int(answers[1]), 0)


if __name__ == "__main__":
    unittest.main()
