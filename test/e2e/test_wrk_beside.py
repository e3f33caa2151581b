"""`carronade wrk` beside Debian's wrk: the same fields in the same places, the same figures."""

import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.scripted_peer import Peer, answer, serve  # noqa: E402
from support.serve_process import ServeProcess  # noqa: E402
from support.wrk_report import REPORT, value  # noqa: E402

SCRIPTS = Path(__file__).resolve().parents[1] / "data" / "wrk"

TRIES = 4
NOISE = 0.25


class BesideWrkTest(unittest.TestCase):
    def real(self):
        found = shutil.which("wrk")
        if found is None:
            self.skipTest("no wrk is installed (Debian: apt-get install wrk)")
        return found

    def both(self, *args):
        real = self.real()
        reports = []
        for command in ([real], [carronade.BINARY, "wrk"]):
            done = subprocess.run([*command, *map(str, args)], capture_output=True, text=True,
                                  timeout=30, check=False)
            self.assertEqual(0, done.returncode, done)
            reports.append(done.stdout)
        return reports

    def test_same_fields_in_the_same_places(self):
        with ServeProcess() as server:
            reports = self.both("-t2", "-c8", "-d2", "--latency", server.url + "/delay/20ms")
        # What is not a figure is the same, line by line; figures end in the same columns.
        figure = re.compile(r"[\d.]+(us|ms|s|k|M|KB|MB|B)?( *)(?=\s|%|,|$)")
        shapes = [figure.sub("#", report).replace(" ", "") for report in reports]
        self.assertEqual(shapes[0], shapes[1], reports)
        for theirs, ours in zip(*(report.splitlines() for report in reports)):
            if theirs.startswith("    ") or "/sec:" in theirs:
                self.assertEqual(theirs.rindex("."), ours.rindex("."), reports)

    def figures(self, report):
        match = REPORT.fullmatch(report)
        self.assertTrue(match, report)
        rows = dict(re.findall(r"^ {4}(Latency|Req/Sec) +(\S+)", report, re.M))
        percentiles = dict(re.findall(r"^ +(\d\d)% +(\S+)", report, re.M))
        return {"rate": float(match["rate"]), "mean": value(rows["Latency"]),
                "per thread": value(rows["Req/Sec"]), "p50": value(percentiles["50"]),
                "p90": value(percentiles["90"]), "requests": int(match["requests"])}

    def test_same_figures(self):
        # Each answer takes 20 ms, so both have the same to tell; a machine that is busy with
        # something else in one of the two runs gets another chance.
        for _ in range(TRIES):
            with ServeProcess() as server:
                reports = self.both("-t2", "-c8", "-d2", "--latency", server.url + "/delay/20ms")
            theirs, ours = map(self.figures, reports)
            off = {name: ours[name] / theirs[name] - 1 for name in theirs}
            if all(abs(share) < NOISE for share in off.values()):
                return
        self.fail(f"{off} {reports}")

    def test_same_report_of_a_script(self):
        with ServeProcess() as server:
            reports = self.both("-t1", "-c1", "-d1", "-s", SCRIPTS / "report.lua", server.url + "/")
        tails = [re.sub(r",\d+", ",#", report.split("Transfer/sec")[1].split("\n", 1)[1])
                 for report in reports]
        self.assertEqual(tails[0], tails[1], reports)

    def test_scripts_put_the_same_on_the_wire(self):
        real = self.real()
        for name in ("auth", "counter", "pipeline", "post"):
            seen = []
            for command in ([real], [carronade.BINARY, "wrk"]):
                with Peer([serve(answer(headers=["X-Token: abc"]))]) as peer:
                    script = str(SCRIPTS / f"{name}.lua")
                    subprocess.run([*command, "-t1", "-c1", "-d1", "-s", script, peer.url("/p")],
                                   capture_output=True, timeout=30, check=True)
                    peer.stop()
                    host = f"127.0.0.1:{peer.port}"
                    seen.append([(r.method, r.target, sorted((k, v.replace(host, "HOST"))
                                                             for k, v in r.headers), r.body)
                                 for r in peer.requests[:20]])
            self.assertEqual(seen[0], seen[1], name)


if __name__ == "__main__":
    carronade.main()
