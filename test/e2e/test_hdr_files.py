"""The files of --hdr and --hgrm, read back with HdrHistogram's own code (hdr-histogram-js, which
tools/bootstrap.sh installs) and compared with the JSON of the same run."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.servers import Node  # noqa: E402

PACKAGES = carronade.SOURCE / "build" / "npm" / "node_modules"
READER = carronade.SOURCE / "test" / "support" / "read_hdr.js"


def read_log(path):
    """{lines: […], tags: {tag: facts}} as hdr-histogram-js finds them."""
    if not (PACKAGES / "hdr-histogram-js" / "package.json").exists():
        raise unittest.SkipTest("no hdr-histogram-js: run tools/bootstrap.sh test, with npm")
    reader = subprocess.run(["node", str(READER), str(path)], capture_output=True, timeout=30,
                            env={**os.environ, "NODE_PATH": str(PACKAGES)}, check=False)
    if reader.returncode != 0:
        raise AssertionError(f"{READER.name} failed on {path.read_text()[:2000]}\n"
                             + reader.stderr.decode("utf-8", "replace"))
    return json.loads(reader.stdout)


def table_rows(text):
    """[(ms, percentile, count)] of a percentile table."""
    rows = []
    for line in text.splitlines():
        if re.match(r"\s*[0-9]", line):
            value, percentile, count = line.split()[:3]
            rows.append((float(value), float(percentile), int(count)))
    return rows


class HdrFiles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="carronade-hdr-")
        self.addCleanup(folder.cleanup)
        self.log = Path(folder.name) / "run.hlog"
        self.table = Path(folder.name) / "run.hgrm"

    def run_against_node(self, *args):
        with Node() as server:
            outcome = carronade.run_json(["--hdr", str(self.log), "--hgrm", str(self.table), *args,
                                          server.url("/")])
        self.assertEqual(0, outcome.code, outcome)
        return outcome

    def check_same(self, ours, theirs):
        """The histogram of the JSON against what the library read: equal, but that its values
        are ends of buckets and ours never lie beyond the exact maximum."""
        self.assertEqual(ours["count"], theirs["count"])
        self.assertGreaterEqual(theirs["max"], ours["max"])
        self.assertLess(theirs["max"], ours["max"] * 1.001)
        for key in ("p50", "p99", "p99_9"):
            self.assertEqual(ours[key], min(theirs[key], ours["max"]), key)

    def check_table(self, ours, theirs):
        """Our percentile table against the library's of the same samples."""
        rows, wanted = table_rows(self.table.read_text("utf-8")), table_rows(theirs["table"])
        self.assertGreater(len(rows), 10)
        self.assertEqual([count for *_, count in wanted], [count for *_, count in rows])
        for (value, percentile, _), (their_value, their_percentile, _) in zip(rows, wanted):
            self.assertAlmostEqual(their_percentile, percentile, delta=2e-12)
            self.assertAlmostEqual(min(their_value, ours["max"] / 1e6), value, delta=0.0011)

    def test_a_closed_loop(self):
        outcome = self.run_against_node("-c", "4", "-d", "3")
        found = read_log(self.log)
        self.assertEqual([""], list(found["tags"]))
        self.check_same(outcome.own["latency"], found["tags"][""])
        self.check_table(outcome.own["latency"], found["tags"][""])
        lines = found["lines"]
        self.assertIn(len(lines), (3, 4))
        for line, second in zip(lines, outcome.own["series"]):
            self.assertEqual(line["count"], second["answered"])
            if line["count"] == 0:  # the rest of a second that the end of the run cut short
                continue
            self.assertLessEqual(second["p50"], line["p50"])
            self.assertGreater(second["p50"] * 1.001, line["p50"])
        for line, following in zip(lines, lines[1:]):
            self.assertAlmostEqual(1000, line["end"] - line["start"], delta=1.5)
            self.assertAlmostEqual(line["end"], following["start"], delta=1.5)

    def test_a_warmup_and_stages_have_tags(self):
        outcome = self.run_against_node("-c", "4", "-W", "[", "-c", "2", "-d", "1", "]",
                                        "--stages", "1s:100, 1s:300")
        tags = read_log(self.log)["tags"]
        self.assertEqual(["warmup", "1:", "2:"], [re.sub(r"(?<=:).*", "", tag) for tag in tags])
        warmup = outcome.report["warmup"]["carronade"]["latency"]
        self.check_same(warmup, tags["warmup"])
        counts = [facts["count"] for tag, facts in tags.items() if tag != "warmup"]
        self.assertEqual(outcome.own["latency"]["count"], sum(counts))
        self.assertAlmostEqual(100, counts[0], delta=10)
        self.assertAlmostEqual(300, counts[1], delta=10)
        # The table is that of the measured phase alone.
        self.assertEqual(sum(counts), table_rows(self.table.read_text("utf-8"))[-1][2])


if __name__ == "__main__":
    carronade.main()
