"""A guard against silent slowing that does not depend on the machine: instructions per request of
the engine's hot path, counted by valgrind over a server in memory. The figures hold for one
compiler and processor; elsewhere, and in builds that are not the release, the test is skipped.

    APPROVE=1 ctest --test-dir build/release -R guard     # records new figures; say why
"""

import json
import os
import platform
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

RECORD = Path(__file__).with_name("instructions.json")
PROBE = Path(os.environ.get("CARRONADE_BUILD", "build/release")) / "instruction_probe"
COMPILER = os.environ.get("CARRONADE_COMPILER", "")
BUILD = os.environ.get("CARRONADE_BUILD_TYPE", "")
TOLERANCE = 0.03
FEW, MANY = 20_000, 120_000  # the difference leaves out what starting costs


def collected(depth, requests):
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", str(PROBE),
             str(depth), str(requests)],
            capture_output=True, text=True, timeout=100, check=True)
    answered = int(run.stdout.split()[0])
    return answered, int(re.search(r"Collected : (\d+)", run.stderr)[1])


def per_request(depth):
    few, few_instructions = collected(depth, FEW)
    many, many_instructions = collected(depth, MANY)
    return (many_instructions - few_instructions) / (many - few)


class Instructions(unittest.TestCase):
    def setUp(self):
        self.record = json.loads(RECORD.read_text(encoding="utf-8"))
        if BUILD != "Release":
            self.skipTest("counted in the release build only")
        if COMPILER != self.record["compiler"] or platform.machine() != self.record["processor"]:
            self.skipTest(f"recorded for {self.record['compiler']} on {self.record['processor']}, "
                          f"this is {COMPILER} on {platform.machine()}")
        self.assertTrue(shutil.which("valgrind"), "valgrind is missing: tools/bootstrap.sh test")

    def test_a_request_costs_what_it_did(self):
        depths = self.record["per_request"]
        # A loaded machine makes the run longer, and each second that begins costs some more.
        measured = {depth: round(min(per_request(int(depth)) for _ in range(2)), 1)
                    for depth in depths}
        if os.environ.get("APPROVE") == "1":
            self.record["per_request"] = measured
            RECORD.write_text(json.dumps(self.record, indent=2) + "\n", encoding="utf-8")
        for depth, recorded in self.record["per_request"].items():
            self.assertAlmostEqual(
                measured[depth], recorded, delta=recorded * TOLERANCE,
                msg=f"instructions per request, {depth} deep: recorded {recorded}, now "
                    f"{measured[depth]}. Slower: find out why. Faster, or worth it: APPROVE=1.")


if __name__ == "__main__":
    unittest.main()
