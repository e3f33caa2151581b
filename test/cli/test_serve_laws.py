"""`carronade serve` with known laws: what it refuses, and the truth that it tells."""

import json
import sys
import time
import unittest
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support import carronade  # noqa: E402
from support.serve_process import ServeProcess  # noqa: E402


def get(url):
    with urllib.request.urlopen(url, timeout=10) as answer:
        return answer.read()


class Laws(unittest.TestCase):
    def test_what_cannot_be_is_refused_in_one_line(self):
        fixed = ["--service", "fixed 1ms"]
        for args, text in ((["--service", "gamma 1ms"], "service 'gamma 1ms': no such law"),
                           (["--service", "exp"], "service 'exp': a time is missing"),
                           (["--service", "bimodal 90% 1ms, 5% 2ms"], "do not add up to 100%"),
                           (["--queue", "1"], "--queue has no effect without --service"),
                           ([*fixed, "--queue", "0"], "--queue must be 1 or more"),
                           ([*fixed, "--seed", "2"], "--seed has no effect without"),
                           ([*fixed, "--delay", "1ms"], "give one"),
                           (["--capacity", "0/s"], "capacity '0/s' must be above 0"),
                           (["--capacity", "fast"], "is not a rate"),
                           (["--record-arrivals", "0"], "--record-arrivals must be 1 or more"),
                           (["--record-arrivals", "200001"], "200001 is more than 200000")):
            outcome = carronade.run(["serve", "--port", "0", *args])
            self.assertEqual(1, outcome.stderr.count("\n"), outcome)
            self.assertTrue(outcome.stderr.startswith("carronade serve: "), outcome)
            self.assertIn(text, outcome.stderr)
            self.assertEqual("", outcome.stdout)
            self.assertNotEqual(0, outcome.code)

    def test_the_truth_is_told(self):
        options = ["--service", "bimodal 50% 1ms, 50% 4ms", "--queue", "2", "--capacity", "1000/s",
                   "--stall", "1ms every 10s", "--seed", "4", "--record-arrivals", "10"]
        with ServeProcess(*options) as server:
            start = time.monotonic()
            for _ in range(30):
                get(server.url + "/")
            took_ns = (time.monotonic() - start) * 1e9
            stats = json.loads(get(server.url + "/stats"))
            arrivals = json.loads(get(server.url + "/stats/arrivals"))
        self.assertEqual("bimodal 50% 1ms, 50% 4ms, queue 2, capacity 1000/s, "
                         "stall 1ms every 10s, seed 4", stats["law"])
        self.assertEqual(30, stats["requests"]["received"])
        self.assertEqual(30, sum(stats["arrivals"]))
        service, delay = stats["serviceNs"], stats["delayNs"]
        self.assertEqual((30, 1_000_000, 4_000_000),
                         (service["count"], service["min"], service["max"]))
        self.assertGreaterEqual(delay["mean"], service["mean"])
        self.assertLess(30 * delay["mean"], took_ns)
        self.assertEqual(30, stats["latenessNs"]["count"])
        self.assertEqual((10, 10), (arrivals["recorded"], len(arrivals["ns"])))
        self.assertEqual(sorted(arrivals["ns"]), arrivals["ns"])


if __name__ == "__main__":
    carronade.main()
