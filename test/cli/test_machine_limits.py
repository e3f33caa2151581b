"""A machine that refuses descriptors, threads or memory: one line or a report, never an abort."""

import resource
import signal
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402

URL = "http://127.0.0.1:1/"
# No thread gets a stack of this size within that address space.
NO_THREADS = ("prlimit", f"--stack={1 << 40}:{resource.RLIM_INFINITY}", f"--as={2 << 30}")


class MachineLimitsTest(unittest.TestCase):
    def needs(self, prefix):
        """A sanitizer wants terabytes of address space for itself."""
        if carronade.run(["--version"], prefix=prefix).code != 0:
            self.skipTest("this build does not start so")

    def refused(self, prefix, args, text):
        outcome = carronade.run(args, prefix=prefix)
        self.assertEqual(1, outcome.code, outcome)
        self.assertEqual("", outcome.stdout, outcome)
        last = outcome.stderr.splitlines()[-1]
        self.assertRegex(last, text, outcome)
        return outcome

    def test_serve_says_how_many_descriptors_it_needs(self):
        text = r"\Acarronade serve: \d+ file descriptors needed, \d+ available"
        for limit, args in ((8, []), (30, ["--threads", "20"])):
            outcome = self.refused(("prlimit", f"--nofile={limit}:{limit}"),
                                   ["serve", "--port", "0", *args], text)
            self.assertEqual(1, outcome.stderr.count("\n"), outcome)

    def test_serve_raises_the_limit_first(self):
        process = carronade.start(["serve", "--port", "0", "--threads", "20"],
                                  prefix=("prlimit", "--nofile=30:1000"))
        self.assertTrue(process.stdout.readline().startswith(b"listening on "))
        process.send_signal(signal.SIGINT)
        self.assertEqual(0, carronade.finish(process).code)

    def test_memory(self):
        prefix = ("prlimit", "--as=60000000")
        self.needs(prefix)
        self.refused(prefix, ["-c", "1M", "-d", "1", URL], r"\Acarronade: out of memory: ")

    def test_memory_with_many_threads(self):
        prefix = ("prlimit", "--as=300000000")
        self.needs(prefix)
        outcome = carronade.run(["-w", "500", "-c", "500", "-d", "1", URL], prefix=prefix)
        self.assertIn(outcome.code, (1, 2), outcome)
        self.assertNotIn("terminate called", outcome.stderr, outcome)

    def test_no_thread_at_all(self):
        self.needs(NO_THREADS)
        self.refused(NO_THREADS, ["serve", "--port", "0"],
                     r"\Acarronade serve: start thread 1 of 1: ")
        outcome = carronade.run(["-a", "3", "-c", "1", URL], prefix=NO_THREADS)
        self.assertEqual(2, outcome.code, outcome)
        self.assertIn("start worker thread 1 of 1", outcome.stdout, outcome)


if __name__ == "__main__":
    carronade.main()
