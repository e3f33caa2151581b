"""`carronade vegeta plot`: the page, its script run by Node, and by a Chromium where one is."""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402

PEER = carronade.SOURCE / "test" / "data" / "vegeta" / "plot_page_peer.js"
START_NS = 1_700_000_000 * 10**9
MILLION = 1_100_000


def csv_line(number, latency_us, error="", name="", step_ns=10_000_000, after_ns=0):
    code = 500 if error else 200
    at_ns = START_NS + after_ns + number * step_ns
    return f"{at_ns},{code},{latency_us * 1000},0,0,{error},,{name},{number},GET,http://h/,\n"


class Plot(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="carronade-plot-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, lines):
        path = self.folder / name
        path.write_text("".join(lines), "utf-8")
        return path

    def plot(self, *args, **options):
        page = self.folder / "page.html"
        outcome = carronade.run(["vegeta", "plot", "-output", str(page), *map(str, args)],
                                timeout=90, **options)
        self.assertEqual((0, "", ""), (outcome.code, outcome.stdout, outcome.stderr), outcome)
        return page

    def two_runs(self, *args):
        slow = [csv_line(i, 5_000 + i, "500 Oops" if i % 100 == 9 else "", "slow")
                for i in range(1000)]
        fast = [csv_line(i, 1_000, "", "fast", after_ns=10**12) for i in range(1000)]
        return self.plot(*args, self.write("slow.csv", slow), self.write("fast.csv", fast))

    def in_node(self, page):
        if shutil.which("node") is None:
            self.skipTest("no node: the script of the page is not run")
        done = subprocess.run(["node", PEER, page], capture_output=True, timeout=60, check=False)
        self.assertEqual(0, done.returncode, done.stderr.decode())
        return json.loads(done.stdout)

    def test_the_page_needs_no_network(self):
        page = self.two_runs("-title", "1 < 2 & \"so on\"").read_text("utf-8")
        self.assertIn("<title>1 &lt; 2 &amp; &quot;so on&quot;</title>", page)
        self.assertEqual([], re.findall(r"https?:|src=|href=|@import|url\(|fetch\(", page))
        self.assertTrue(page.startswith("<!doctype html>") and page.endswith("</html>\n"))

    def test_the_script_draws_and_zooms(self):
        seen = self.in_node(self.two_runs())
        self.assertEqual(["slow: OK (990)", "slow: ERROR (10)", "fast: OK (1000)"], seen["labels"])
        self.assertEqual({"from": 0, "to": 9.99}, seen["first"])
        self.assertAlmostEqual(2, seen["zoomed"]["from"], delta=1e-6)
        self.assertAlmostEqual(4, seen["zoomed"]["to"], delta=1e-6)
        self.assertEqual(seen["zoomed"], seen["clicked"], "a click is no zoom")
        self.assertEqual(seen["first"], seen["reset"])
        self.assertEqual("linear scale", seen["scale"])
        self.assertRegex(seen["hint"], r"\Afast: OK: 1 ms at \d")
        self.assertEqual([False, True, True], seen["hidden"])
        self.assertGreater(seen["calls"]["lineTo"], 1000)
        self.assertGreater(seen["calls"]["fillRect"], 10)
        errors = [one for one in seen["series"] if one["error"]]
        red, green, blue = (int(errors[0]["colour"][i:i + 2], 16) for i in (1, 3, 5))
        self.assertTrue(red > 150 and red > 2 * green and red > 2 * blue, errors[0]["colour"])
        self.assertIn(errors[0]["colour"], seen["colours"])
        # Both begin at 0, though one ran much later.
        self.assertEqual([0, 0], [one["x"][0] for one in seen["series"] if not one["error"]])

    def test_nothing_and_one_point(self):
        seen = self.in_node(self.plot(self.write("one.csv", [csv_line(0, 3)])))
        self.assertEqual({"from": -0.5, "to": 0.5}, seen["first"])

    def test_more_than_a_million_keep_their_peaks_in_constant_memory(self):
        prefix = ("prlimit", f"--as={100 << 20}")
        if carronade.run(["--version"], prefix=prefix).code != 0:
            self.skipTest("a sanitizer wants terabytes of address space for itself")
        peaks = {123_456: 700_001, 777_777: 800_002, 1_000_000: 900_003}
        path = self.folder / "many.csv"
        with open(path, "w", encoding="utf-8") as out:
            for begin in range(0, MILLION, 1000):
                out.write("".join(csv_line(i, peaks.get(i, 500 + i % 97), step_ns=10_000)
                                  for i in range(begin, begin + 1000)))
        page = self.plot(path, prefix=prefix)
        self.assertLess(page.stat().st_size, 300_000)
        data = json.loads(re.search(r'id="data">(.*?)</script>', page.read_text("utf-8"),
                                    re.DOTALL)[1])
        series = data["series"][0]
        self.assertEqual(MILLION, series["count"])
        self.assertLessEqual(len(series["x"]), 4000)
        self.assertGreater(len(series["x"]), 2000)
        self.assertEqual(sorted(series["x"]), series["x"])
        points = dict(zip(series["x"], series["y"]))
        for number, latency_us in peaks.items():
            self.assertEqual(latency_us / 1000, points.get(number / 100_000), number)
        few = self.plot("-threshold=100", path).read_text("utf-8")
        series = json.loads(re.search(r'id="data">(.*?)</script>', few, re.DOTALL)[1])["series"][0]
        self.assertLessEqual(len(series["x"]), 100)
        self.assertEqual(900.003, max(series["y"]))

    def test_errors(self):
        path = self.write("bad.csv", [csv_line(0, 1), "no result\n"])
        outcome = carronade.run(["vegeta", "plot", str(path)])
        self.assertEqual(1, outcome.code, outcome)
        self.assertIn('"count":1', outcome.stdout)
        self.assertRegex(outcome.stderr, r"bad\.csv: line 2: 1 of the 12 columns\n\Z")
        outcome = carronade.run(["vegeta", "plot", "-output", "/dev/full", str(path)])
        self.assertIn("write to /dev/full: No space left on device", outcome.stderr)
        for args, code in ((["-threshold", "-1"], 1), (["-threshold", "x"], 2), (["-y"], 2)):
            self.assertEqual(code, carronade.run(["vegeta", "plot", *args, str(path)]).code)

    def test_in_a_browser(self):
        browser = shutil.which("chromium") or shutil.which("google-chrome")
        if browser is None:
            self.skipTest("no Chromium: the page is looked at through Node alone")
        page = self.two_runs()
        done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu",
                               "--dump-dom", page.as_uri()], capture_output=True, timeout=60,
                              check=False)
        dom = done.stdout.decode("utf-8", "replace")
        self.assertIn("slow: ERROR (10)", re.sub(r"<script.*?</script>", "", dom, flags=re.DOTALL))


if __name__ == "__main__":
    carronade.main()
