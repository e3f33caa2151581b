"""Whether a run says of itself that it cannot be believed, in both reports and in the exit code."""

import os
import socket
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.serve_process import ServeProcess  # noqa: E402

# Reasons that other programs on the machine can give to any run.
BUSY_MACHINE = {"generator_late", "rate_missed", "gaps_off", "run_queue", "own_stall", "steal",
                "not_steady", "throttled"}


def codes(outcome):
    return [reason["code"] for reason in outcome.own["verdict"]["reasons"]]


def state(outcome):
    return outcome.own["verdict"]["state"]


class Hog:
    """A process that never leaves the core that it is bound to."""

    def __init__(self, core):
        self.core = core

    def __enter__(self):
        self.process = subprocess.Popen(
            [sys.executable, "-c", f"import os; os.sched_setaffinity(0, {{{self.core}}})\n"
                                   "print('up', flush=True)\nwhile True: pass"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        self.process.stdout.readline()
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()


class StarvedTest(unittest.TestCase):
    """Beside a busy program on the same core a run is flagged, time and again."""

    RUNS = 6

    def setUp(self):
        self.core, *others = sorted(os.sched_getaffinity(0))
        away = ["taskset", "-c", str(others[0])] if others else []
        server = ServeProcess(prefix=away)
        self.addCleanup(server.stop)
        self.url = server.url

    def run_beside_the_hog(self, *args):
        outcome = carronade.run_json([*args, self.url],
                                     prefix=["taskset", "-c", str(self.core)])
        self.assertNotEqual("valid", state(outcome), outcome)
        self.assertTrue({"generator_late", "run_queue"} & set(codes(outcome)), outcome)
        return outcome

    def test_open_loop(self):
        with Hog(self.core):
            for _ in range(self.RUNS):
                outcome = self.run_beside_the_hog("--strict", "-R", "500", "-d", "1")
                self.assertEqual(3 if state(outcome) == "invalid" else 0, outcome.code, outcome)

    def test_open_loop_that_spins(self):
        with Hog(self.core):
            for _ in range(self.RUNS // 2):
                self.run_beside_the_hog("-R", "500", "-d", "1", "--pace", "spin")

    def test_closed_loop(self):
        with Hog(self.core):
            for _ in range(self.RUNS // 2):
                self.run_beside_the_hog("-c", "4", "-d", "1")


class CalmTest(unittest.TestCase):
    TRIES = 6

    def test_a_calm_run_is_valid(self):
        """Where it is not, only the machine may be the reason: bench/truth counts how often."""
        with ServeProcess() as server:
            for _ in range(self.TRIES):
                outcome = carronade.run_json(["-R", "400", "-d", "1", server.url])
                if state(outcome) == "valid":
                    break
                self.assertEqual(set(), set(codes(outcome)) - BUSY_MACHINE, outcome)
        if state(outcome) != "valid":
            self.skipTest(f"the machine was never calm: {sorted(codes(outcome))}")


class ReasonsTest(unittest.TestCase):
    def both_reports(self, args):
        """The JSON outcome and the text outcome of the same command."""
        return carronade.run_json(args), carronade.run(args)

    def check_text(self, text, verdict_state, sentence):
        lines = text.stdout.splitlines()
        line, = (line for line in lines if line.startswith("verdict: "))
        self.assertTrue(line.startswith(f"verdict: {verdict_state}"), text)
        told = lines[lines.index(line):]
        self.assertTrue(any(sentence in each for each in told), text)

    def test_nobody_answers(self):
        with socket.socket() as holder:
            holder.bind(("127.0.0.1", 0))  # bound, but nobody listens
            url = f"http://127.0.0.1:{holder.getsockname()[1]}/"
            for args in (["-c", "2", "-d", "500ms", url],
                         ["-R", "50", "-d", "500ms", "-t", "500ms", url]):
                outcome, text = self.both_reports(args)
                self.assertEqual("invalid", state(outcome), outcome)
                self.assertIn("nothing_measured", codes(outcome), outcome)
                self.assertEqual(2, outcome.code, outcome)
                reason, = (r["text"] for r in outcome.own["verdict"]["reasons"]
                           if r["code"] == "nothing_measured")
                self.check_text(text, "invalid", reason)
                self.assertEqual(3, carronade.run(["--strict", *args]).code)
                self.assertEqual(3, carronade.run(["--strict", "-j", *args]).code)

    def test_too_few_samples(self):
        with ServeProcess() as server:
            outcome, text = self.both_reports(["-a", "50", "-c", "2", "--strict", server.url])
            enough = carronade.run_json(["-a", "400", "-c", "2", server.url])
        self.assertIn("too_few_samples", codes(outcome), outcome)
        self.assertNotIn("too_few_samples", codes(enough), enough)
        reason, = (r["text"] for r in outcome.own["verdict"]["reasons"]
                   if r["code"] == "too_few_samples")
        self.assertIn("50 answers", reason)
        self.assertIn(reason, text.stdout, text)
        # Few samples are no fault of the run: it is not invalid for it.
        for each in (outcome, text):
            self.assertEqual(0, each.code, each)

    def test_answers_that_are_mostly_errors(self):
        with ServeProcess() as server:
            outcome = carronade.run_json(["-a", "400", "-c", "2", server.url + "/status/503"])
        self.assertIn("errors_mostly", codes(outcome), outcome)

    def test_a_server_that_cannot_keep_up_is_not_the_generators_fault(self):
        with ServeProcess("--capacity", "100/s") as server:
            outcome = carronade.run_json(["-R", "500", "-c", "2", "-d", "1", server.url])
            truth = server.stats()
        self.assertEqual(500, truth["requests"]["received"], outcome)
        self.assertIn("no_connection_free", codes(outcome), outcome)
        self.assertNotIn("rate_missed", codes(outcome), outcome)
        rate = outcome.own["rate"]
        self.assertLess(rate["achieved"], 0.9 * rate["planned"], outcome)


if __name__ == "__main__":
    carronade.main()
