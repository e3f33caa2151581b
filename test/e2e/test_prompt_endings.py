"""A limit that is reached ends the run at once: not on the next sample, as autocannon does."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.scripted_peer import Peer, answer, read, send, serve, silent  # noqa: E402


class PromptEndingsTest(unittest.TestCase):
    def shoot(self, *args, scripts=([serve()],)):
        with Peer(*scripts) as peer:
            outcome = carronade.run_json(["-L", "10s", "-d", "60", "-t", "60", *args, peer.url()])
            peer.stop()
        self.assertLess(outcome.seconds, carronade.SLACK_S, outcome)
        return outcome

    def test_an_amount(self):
        for args in (["-a", "5", "-c", "2"], ["-a", "50", "-c", "3", "-p", "7"]):
            outcome = self.shoot(*args)
            self.assertEqual("amount", outcome.own["stoppedBy"], outcome)
            self.assertEqual(int(args[1]), outcome.answered, outcome)
            self.assertEqual(0, outcome.requests["inFlight"], outcome)

    def test_requests_per_connection(self):
        outcome = self.shoot("-M", "3", "-c", "2")
        self.assertEqual(6, outcome.answered, outcome)

    def test_a_bailout_with_requests_in_flight(self):
        broken = [read(), send(b"nonsense\r\n\r\n")]
        outcome = self.shoot("-B", "1", "-c", "3", scripts=([silent()], [silent()], broken))
        self.assertEqual("bailout", outcome.own["stoppedBy"], outcome)
        self.assertEqual(2, outcome.requests["inFlight"], outcome)

    def test_mismatches_with_requests_in_flight(self):
        outcome = self.shoot("-B", "2", "-E", "ok", "-c", "2",
                             scripts=([silent()], [serve(answer(b"no"))]))
        self.assertEqual("bailout", outcome.own["stoppedBy"], outcome)
        self.assertEqual(2, outcome.report["mismatches"], outcome)
        self.assertIn(outcome.requests["inFlight"], (1, 2), outcome)

    def test_the_strict_form(self):
        with Peer([serve()]) as peer:
            outcome = carronade.run(["autocannon", "-L", "10000", "-a", "5", "-c", "2", peer.url()])
            peer.stop()
        self.assertLess(outcome.seconds, carronade.SLACK_S, outcome)
        self.assertIn("5 requests in 0", outcome.stderr, outcome)


if __name__ == "__main__":
    carronade.main()
