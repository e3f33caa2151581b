"""Faults of the surroundings: refused, unresolvable, out of descriptors or ports, Ctrl-C."""

import re
import signal
import socket
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade, rooms  # noqa: E402
from support.scripted_peer import Peer, answer, close, read, send, serve  # noqa: E402
from support.serve_process import ServeProcess  # noqa: E402


class ClosedPort:
    """A port that is taken but where nobody listens: every connection is refused."""

    def __enter__(self):
        self.sock = socket.socket()
        self.sock.bind(("127.0.0.1", 0))
        self.port = self.sock.getsockname()[1]
        return self

    def __exit__(self, *_):
        self.sock.close()


def leaves(value):
    """Every number in a JSON value."""
    if isinstance(value, dict):
        return [leaf for inner in value.values() for leaf in leaves(inner)]
    if isinstance(value, list):
        return [leaf for inner in value for leaf in leaves(inner)]
    return [value]


class ConnectTest(unittest.TestCase):
    def test_refused_has_its_reason_and_backs_off(self):
        with ClosedPort() as closed:
            outcome = carronade.run_json(["-d", "2", "-c", "5", f"http://127.0.0.1:{closed.port}/"])
        self.assertEqual(2, outcome.code, outcome)
        self.assertEqual(["connect_refused"], [e["kind"] for e in outcome.errors()], outcome)
        error = outcome.errors()[0]
        self.assertEqual("connect", error["phase"], outcome)
        self.assertEqual(f"connect 127.0.0.1:{closed.port}: Connection refused", error["text"])
        self.assertGreaterEqual(error["count"], 5, outcome)
        # A busy loop makes some ten thousands of attempts a second.
        self.assertLessEqual(error["count"], 5 * 2 * 200, outcome)
        self.assertEqual(0, outcome.requests["sent"], outcome)
        self.assertEqual([f"127.0.0.1:{closed.port}"], outcome.own["addresses"], outcome)

    def test_refused_in_the_text_report(self):
        with ClosedPort() as closed:
            outcome = carronade.run(["-d", "1", "-c", "2", f"http://127.0.0.1:{closed.port}/"])
        self.assertEqual(2, outcome.code, outcome)
        self.assertIn(f"connect 127.0.0.1:{closed.port}: Connection refused", outcome.stdout,
                      outcome)
        self.assertNotIn("nan", outcome.stdout.lower(), outcome)

    def test_refused_with_an_amount_is_ended_by_bailout(self):
        with ClosedPort() as closed:
            outcome = carronade.run_json(["-a", "5", "-B", "4", "-d", "20",
                                          f"http://127.0.0.1:{closed.port}/"])
        self.assertEqual("bailout", outcome.own["stoppedBy"], outcome)
        self.assertGreaterEqual(outcome.report["errors"], 4, outcome)
        self.assertEqual(5, outcome.requests["dropped"], outcome)

    def test_refused_with_nothing_but_an_amount_ends(self):
        with ClosedPort() as closed:
            outcome = carronade.run_json(["-a", "5", "-c", "2", f"http://127.0.0.1:{closed.port}/"])
        self.assertEqual("amount", outcome.own["stoppedBy"], outcome)
        self.assertEqual(5, outcome.requests["dropped"], outcome)
        self.assertEqual(5, outcome.error_count("connect_refused"), outcome)

    def test_refused_unix_socket(self):
        outcome = carronade.run_json(["-d", "1", "-S", "/nonexistent/carronade.sock",
                                      "http://localhost/"])
        self.assertIn("/nonexistent/carronade.sock: No such file", outcome.error_texts(), outcome)
        self.assertEqual(2, outcome.code, outcome)

    def localhost_on(self, host):
        prefix = rooms.with_dual_stack_localhost()
        with Peer([serve()], host=host) as peer:
            outcome = carronade.run_json(["-a", "20", "-c", "4",
                                          f"http://localhost:{peer.port}/"], prefix=prefix)
            peer.stop()
        self.assertEqual(0, outcome.report["errors"], outcome)
        self.assertEqual(20, outcome.answered, outcome)
        self.assertEqual(20, peer.request_count, outcome)
        self.assertEqual({f"localhost:{peer.port}"}, {r.header("Host") for r in peer.requests})

    def test_localhost_where_only_ipv6_listens(self):
        self.localhost_on("::1")

    def test_localhost_where_only_ipv4_listens(self):
        self.localhost_on("127.0.0.1")

    def test_localhost_where_nobody_listens_names_an_address(self):
        prefix = rooms.with_dual_stack_localhost()
        with ClosedPort() as closed:
            outcome = carronade.run_json(["-d", "1", f"http://localhost:{closed.port}/"],
                                         prefix=prefix)
        self.assertRegex(outcome.error_texts(), rf"connect (127\.0\.0\.1|\[::1\]):{closed.port}: "
                         "Connection refused", outcome)
        self.assertEqual({f"127.0.0.1:{closed.port}", f"[::1]:{closed.port}"},
                         set(outcome.own["addresses"]), outcome)

    def test_unknown_host(self):
        outcome = carronade.run_json(["-d", "1", "-c", "2", "http://no-such-host.invalid/"], 60)
        self.assertEqual({"resolve_failed"}, {e["kind"] for e in outcome.errors()}, outcome)
        self.assertEqual({"resolve"}, {e["phase"] for e in outcome.errors()}, outcome)
        self.assertIn("no-such-host.invalid", outcome.error_texts(), outcome)
        self.assertEqual(2, outcome.code, outcome)
        self.assertEqual([], outcome.own["addresses"], outcome)


class ThisMachineTest(unittest.TestCase):
    def test_too_few_descriptors(self):
        with Peer([serve()]) as peer:
            outcome = carronade.run_json(["-d", "1", "-c", "200", peer.url()],
                                         prefix=rooms.with_descriptors(64))
            peer.stop()
        self.assertGreater(outcome.answered, 0, outcome)
        self.assertEqual(0, outcome.code, outcome)
        warnings = [line for line in outcome.stderr.splitlines() if "descriptor" in line]
        self.assertEqual(1, len(warnings), outcome)
        numbers = [int(number) for number in re.findall(r"\d+", warnings[0])]
        self.assertIn(64, numbers, outcome)
        self.assertGreaterEqual(max(numbers), 200, outcome)
        self.assertLess(outcome.own["connections"]["peak"], 64, outcome)
        self.assertEqual({"out_of_descriptors"}, {e["kind"] for e in outcome.errors()}, outcome)
        self.assertLessEqual(outcome.report["errors"], 200 * 200, outcome)

    def test_workers_have_as_many_descriptors_each(self):
        # What wakes the other workers at the beginning and the end must reach nobody else.
        for ends in (["-a", "1000"], ["-d", "1"], ["-d", "1", "-R", "2000"],
                     ["-d", "9", "-B", "1", "-E", "another body"]):
            with self.subTest(ends), ServeProcess() as server:
                outcome = carronade.run_json([*ends, "-c", "200", "-w", "4", server.url],
                                             prefix=rooms.with_descriptors(64))
                self.assertEqual(0, server.stats()["requests"]["malformed"], outcome)
                if "-a" in ends or "-R" in ends:
                    self.assertEqual(server.request_count, outcome.requests["sent"], outcome)
                self.assertEqual([], outcome.errors(), outcome)
                self.assertNotIn("descriptor", outcome.stderr, outcome)
                self.assertLessEqual(outcome.own["health"]["host"]["descriptors"], 64, outcome)
                if "-B" not in ends:
                    self.assertEqual(200, outcome.own["connections"]["peak"], outcome)

    def test_too_few_descriptors_for_the_workers_asked_for(self):
        with Peer([serve()]) as peer:
            outcome = carronade.run_json(["-d", "1", "-c", "200", "-w", "2", peer.url()],
                                         prefix=rooms.with_descriptors(64))
            peer.stop()
        self.assertIn("110 file descriptors needed by each worker, 64 available: some connections "
                      "will fail (use more workers, -w, or raise the hard limit: ulimit -Hn)",
                      outcome.stderr, outcome)
        self.assertEqual({"out_of_descriptors"}, {e["kind"] for e in outcome.errors()}, outcome)
        self.assertGreater(outcome.own["connections"]["peak"], 64, outcome)

    def test_threads_of_the_server_have_as_many_descriptors_each(self):
        # The kernel spreads them by a hash: 30 to a thread, give or take five.
        server = ServeProcess("--threads", "4", prefix=rooms.with_descriptors(64))
        try:
            outcome = carronade.run_json(["-a", "1200", "-c", "120", server.url])
        finally:
            server.stop()
        self.assertEqual(1200, outcome.answered, outcome)
        self.assertEqual(0, outcome.report["errors"], outcome)
        self.assertEqual(120, outcome.own["connections"]["peak"], outcome)

    def test_soft_limit_of_descriptors_is_raised(self):
        soft = ["/bin/sh", "-c", 'ulimit -Sn 32; exec "$@"', "sh"]
        with Peer([serve()]) as peer:
            outcome = carronade.run_json(["-a", "500", "-c", "100", peer.url()], prefix=soft)
        self.assertEqual(500, outcome.answered, outcome)
        self.assertEqual(0, outcome.report["errors"], outcome)
        self.assertNotIn("descriptor", outcome.stderr, outcome)

    def test_local_ports_run_out(self):
        rooms.in_network_namespace(self.local_ports_run_out)

    def local_ports_run_out(self):
        with Peer([serve()]) as peer:
            rooms.narrow_local_ports(20000, 20009)
            outcome = carronade.run_json(["-d", "1", "-c", "50", peer.url()])
            peer.stop()
        self.assertGreater(outcome.answered, 0, outcome)
        self.assertEqual({"out_of_ports"}, {e["kind"] for e in outcome.errors()}, outcome)
        self.assertIn(f"connect 127.0.0.1:{peer.port}: ", outcome.error_texts(), outcome)
        self.assertEqual(10, outcome.own["connections"]["peak"], outcome)
        self.assertGreaterEqual(peer.request_count, outcome.answered, outcome)
        self.assertLessEqual(peer.request_count, outcome.requests["sent"], outcome)
        self.assertLessEqual(outcome.report["errors"], 50 * 200, outcome)

    def test_local_ports_in_the_text_report_are_no_fault_of_the_server(self):
        def shoot():
            with Peer([serve()]) as peer:
                rooms.narrow_local_ports(20000, 20009)
                outcome = carronade.run(["-d", "1", "-c", "50", peer.url()])
            self.assertRegex(outcome.stdout.lower(), "this machine", outcome)
        rooms.in_network_namespace(shoot)


class SignalsTest(unittest.TestCase):
    def test_ctrl_c_gives_the_report(self):
        with Peer([serve()]) as peer:
            process = carronade.start(["-j", "-d", "60", "-c", "2", peer.url()])
            peer.wait_for_requests(10)
            process.send_signal(signal.SIGINT)
            outcome = carronade.read_report(carronade.finish(process, 20))
        self.assertEqual("user", outcome.own["stoppedBy"], outcome)
        self.assertGreaterEqual(outcome.answered, 5, outcome)
        self.assertEqual(0, outcome.code, outcome)

    def test_ctrl_c_with_a_silent_server_ends_in_time(self):
        with Peer([]) as peer:
            process = carronade.start(["-j", "-d", "60", "-c", "2", "-t", "2", peer.url()])
            peer.wait_for_requests(2)
            before = time.monotonic()
            process.send_signal(signal.SIGINT)
            outcome = carronade.read_report(carronade.finish(process, 20))
        self.assertLess(time.monotonic() - before, 2 + 1 + carronade.SLACK_S, outcome)
        self.assertEqual("user", outcome.own["stoppedBy"], outcome)

    def test_ctrl_c_while_connections_are_refused(self):
        with ClosedPort() as closed:
            process = carronade.start(["-j", "-d", "60", f"http://127.0.0.1:{closed.port}/"])
            carronade.wait_until_it_hears(process)
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            outcome = carronade.read_report(carronade.finish(process, 20))
        self.assertEqual("user", outcome.own["stoppedBy"], outcome)

    def test_second_ctrl_c_quits_at_once(self):
        with Peer([]) as peer:
            process = carronade.start(["-d", "60", "-c", "2", "-t", "30", peer.url()])
            peer.wait_for_requests(2)
            process.send_signal(signal.SIGINT)
            carronade.wait_until_it_took(process)
            process.send_signal(signal.SIGINT)
            outcome = carronade.finish(process, 5)
        self.assertIn(outcome.code, (130, -signal.SIGINT, 2), outcome)


class ExitsTest(unittest.TestCase):
    def test_dry_run_sends_nothing(self):
        with Peer([serve()]) as peer:
            outcome = carronade.run(["--dry-run", "-m", "POST", "-b", "ahoy", "-H", "X-A=b",
                                     peer.url("/path?q=1")])
            peer.stop()
        self.assertEqual(0, outcome.code, outcome)
        self.assertEqual(0, peer.connection_count, outcome)
        self.assertIn(f"127.0.0.1:{peer.port}", outcome.stdout, outcome)
        exact = (f"POST /path?q=1 HTTP/1.1\r\nHost: 127.0.0.1:{peer.port}\r\n"
                 "Connection: keep-alive\r\nX-A: b\r\nContent-Length: 4\r\n\r\nahoy")
        self.assertIn(exact.encode(), outcome.stdout_bytes, outcome)

    def test_dry_run_shows_what_is_sent(self):
        args = ["-m", "PUT", "-b", "body", "-H", "X-A=b"]
        with Peer([serve()]) as peer:
            shown = carronade.run(["--dry-run", *args, peer.url("/x")])
            carronade.run_json([*args, "-a", "1", peer.url("/x")])
            peer.stop()
        self.assertEqual(1, peer.request_count)
        self.assertIn(peer.requests[0].raw, shown.stdout_bytes, shown)

    def test_bailout(self):
        with Peer([read(), close()]) as peer:
            outcome = carronade.run_json(["-B", "5", "-c", "2", "-d", "20", peer.url()])
            peer.stop()
        self.assertEqual("bailout", outcome.own["stoppedBy"], outcome)
        self.assertGreaterEqual(outcome.report["errors"], 5, outcome)
        self.assertLessEqual(outcome.report["errors"], 5 + 2, outcome)
        self.assertLess(outcome.seconds, 15, outcome)
        self.assertEqual(2, outcome.code, outcome)

    def test_exit_code_0_for_any_answer(self):
        with Peer([serve(answer(b"no", "500 Internal Server Error"))]) as peer:
            outcome = carronade.run_json(["-a", "5", "-c", "1", peer.url()])
        self.assertEqual(0, outcome.code, outcome)
        self.assertEqual(5, outcome.report["non2xx"], outcome)

    def test_exit_code_0_for_one_answer_among_errors(self):
        with Peer([read(), send(answer()), read(), send(b"junk\r\n\r\n")],
                  [read(), close()]) as peer:
            outcome = carronade.run_json(["-a", "4", "-c", "1", peer.url()])
        self.assertEqual(1, outcome.answered, outcome)
        self.assertEqual(3, outcome.requests["failed"], outcome)
        self.assertEqual(0, outcome.code, outcome)

    def test_exit_code_1_for_bad_usage(self):
        for args, says in ((["--conections", "5", "http://127.0.0.1:9/"], "--connections"),
                           (["-c", "none", "http://127.0.0.1:9/"], "none"),
                           (["-i", "/nonexistent/body", "http://127.0.0.1:9/"],
                            "/nonexistent/body"),
                           (["-H", "no-separator", "http://127.0.0.1:9/"], "no-separator"),
                           (["http://127.0.0.1:99999/"], "99999")):
            with self.subTest(args=args):
                outcome = carronade.run(args)
                self.assertEqual(1, outcome.code, outcome)
                self.assertIn(says, outcome.stderr, outcome)
                self.assertEqual("", outcome.stdout, outcome)

    def nothing_measured(self, outcome):
        """autocannon's keys are 0, carronade's own null; no sentinel anywhere."""
        self.assertEqual("", outcome.stderr, outcome)
        for part in ("latency", "requests", "throughput"):
            numbers = {key: value for key, value in outcome.report[part].items() if key != "sent"}
            self.assertEqual({0}, set(numbers.values()), f"{part}{outcome}")
        for name in ("latency", "firstByte"):
            histogram = dict(outcome.own[name] or {"count": 0})
            self.assertEqual(0, histogram.pop("count"), outcome)
            histogram.pop("n", None)
            self.assertEqual(set(), {n for n in leaves(histogram) if n is not None}, outcome)
        numbers = [n for n in leaves(outcome.report) if isinstance(n, (int, float))]
        self.assertTrue(all(0 <= n < 1 << 53 for n in numbers), outcome)

    def test_json_of_refused_connections(self):
        with ClosedPort() as closed:
            outcome = carronade.run_json(["-d", "1", f"http://127.0.0.1:{closed.port}/"])
        self.nothing_measured(outcome)
        self.assertEqual(0, outcome.report["requests"]["sent"], outcome)
        self.assertIsNone((outcome.own["connect"] or {"min": None})["min"], outcome)

    def test_json_of_a_server_that_never_answers(self):
        with Peer([]) as peer:
            outcome = carronade.run_json(["-d", "2", "-t", "1", "-c", "2", peer.url()])
        self.nothing_measured(outcome)
        self.assertGreater(outcome.report["timeouts"], 0, outcome)


if __name__ == "__main__":
    carronade.main()
