"""--on-port: a program that is started for the run, found by its sockets, and always ended."""

import os
import re
import signal
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.serve_process import ServeProcess  # noqa: E402
from support.servers import wait_until  # noqa: E402

PYTHON = "/usr/bin/python3"
NODE_SERVER = """
const server = require('http').createServer((request, response) => {
  response.end(`${request.url} ${process.env.CARRONADE_MARK ? '' : 'no '}mark`);
});
server.listen(0, '127.0.0.1', () => console.log('node is up'));
process.on('SIGINT', () => { console.error('node is told to end'); process.exit(0); });
"""
PYTHON_SERVER = """
import http.server, signal, sys
# A shell starts what it puts in the background with SIGINT ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def do_GET(self):
        self.send_response(200)
        self.send_header('Content-Length', '3')
        self.end_headers()
        self.wfile.write(b'hi\\n')
    def log_message(self, *_):
        pass
server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
try:
    server.serve_forever()
except KeyboardInterrupt:
    sys.exit(0)
"""
STUBBORN_SERVER = PYTHON_SERVER.replace("signal.default_int_handler", "signal.SIG_IGN")


def on_request(statement):
    """PYTHON_SERVER with a statement for each request, before its answer."""
    answer = "self.send_response(200)"
    return PYTHON_SERVER.replace(answer, f"{statement}\n        {answer}")


def marked_processes(mark):
    """The processes that have CARRONADE_MARK=mark in their environment, zombies excepted."""
    wanted = f"CARRONADE_MARK={mark}".encode()
    found = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                found.append((int(folder.name), (folder / "cmdline").read_bytes()))
        except OSError:
            pass  # not ours, or gone
    return found


class OnPort(unittest.TestCase):
    """A folder with servers, and the check that nothing of them is left."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="carronade-on-port-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.mark = f"{os.getpid()}-{self.id()}"
        self.node = self.file("server.js", NODE_SERVER)
        self.python = self.file("server.py", PYTHON_SERVER)

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return str(path)

    def start(self, args, **env):
        return carronade.start(args, env={"CARRONADE_MARK": self.mark, **env})

    def finish(self, process, timeout=30.0):
        outcome = carronade.finish(process, timeout)
        # Not later either: the table comes when the program has ended.
        self.assertEqual([], marked_processes(self.mark), outcome)
        return outcome

    def run_it(self, args, timeout=30.0, **env):
        return self.finish(self.start(args, **env), timeout)

    def refused(self, args, text, code=1):
        outcome = self.run_it(args)
        self.assertEqual(code, outcome.code, outcome)
        self.assertEqual("", outcome.stdout, outcome)
        self.assertIn(text, outcome.stderr, outcome)
        self.assertEqual(1, outcome.stderr.count("\n"), outcome)


class OnPortTest(OnPort):
    def test_node(self):
        # The word node asks for it by itself; PORT is not the port that it listens on.
        body = "/a mark"
        outcome = self.run_it(["-a", "40", "-c", "2", "-E", body, "/a", "--", "node", self.node],
                              PORT="1")
        self.assertEqual(0, outcome.code, outcome)
        self.assertIn("40 requests sent, 40 answered", outcome.stdout, outcome)
        self.assertTrue(outcome.stdout.startswith("node is up\n"), outcome)
        self.assertIn("node is told to end\n", outcome.stderr, outcome)
        self.assertNotIn("mismatch", outcome.stdout, outcome)

    def test_the_strict_form_stops_it_before_the_table(self):
        outcome = self.run_it(["autocannon", "-a", "20", "-c", "2", "/a", "--", "node", self.node])
        self.assertEqual(0, outcome.code, outcome)
        self.assertEqual("node is up\n", outcome.stdout, outcome)
        told = outcome.stderr.index("node is told to end\n")
        self.assertGreater(told, outcome.stderr.index("Running 20 requests test @ http://localh"))
        self.assertLess(told, outcome.stderr.index("Latency"), outcome)
        self.assertIn("20 requests in", outcome.stderr, outcome)

    def test_any_program(self):
        outcome = self.run_it(["--on-port", "-a", "20", "-c", "2", "/", "--", PYTHON, self.python])
        self.assertEqual(0, outcome.code, outcome)
        self.assertIn("20 requests sent, 20 answered", outcome.stdout, outcome)
        outcome = self.run_it(["--onPort", "-a", "20", "-c", "2", "/", "--", carronade.BINARY,
                               "serve", "--port", "0"])
        self.assertEqual(0, outcome.code, outcome)
        self.assertIn("20 requests sent, 20 answered", outcome.stdout, outcome)

    def test_a_grandchild_listens(self):
        for script in (f"{PYTHON} {self.python}; exit 3",
                       f"setsid {PYTHON} {self.python} & exit 0",
                       f"({PYTHON} {self.python} &) ; sleep 1000"):
            with self.subTest(script=script):
                outcome = self.run_it(
                    ["-j", "--on-port", "-a", "20", "-c", "2", "/", "--", "sh", "-c", script])
                self.assertEqual(0, outcome.code, outcome)
                self.assertEqual(20, carronade.read_report(outcome).answered)

    def test_a_whole_url_stays(self):
        with ServeProcess() as server:
            outcome = self.run_it(["--on-port", "-a", "20", "-c", "2", server.url, "--",
                                   PYTHON, self.python])
            self.assertEqual(0, outcome.code, outcome)
            self.assertEqual(20, server.request_count)

    def test_a_warm_up_and_a_dry_run_use_the_port(self):
        outcome = self.run_it(["-j", "--on-port", "-a", "20", "-c", "2", "-W", "[", "-a", "4", "]",
                               "/", "--", PYTHON, self.python])
        self.assertEqual(20, carronade.read_report(outcome).answered)
        self.assertEqual(4, outcome.report["warmup"]["requests"]["total"], outcome)
        outcome = self.run_it(["--dry-run", "--on-port", "/x", "--", PYTHON, self.python])
        self.assertEqual(0, outcome.code, outcome)
        self.assertRegex(outcome.stdout, r"GET /x HTTP/1.1\r\nHost: localhost:\d+\r\n")

    def test_programs_that_do_not_serve(self):
        start = ["--on-port", "-a", "5", "/", "--"]
        self.refused([*start, "/no/such/program"],
                     'carronade: cannot start "/no/such/program": No such file or directory')
        self.refused([*start, "sh", "-c", "exit 3"],
                     "sh -c exit 3 ended with exit code 3 before it listened on a TCP port")
        self.refused(["--on-port-timeout", "300ms", *start, "sleep", "1000"],
                     "sleep 1000 listens on no TCP port after 300ms: it was stopped")
        self.refused(["--on-port", "/"], "--on-port needs a command after --")
        self.refused(["/", "--", PYTHON, self.python], "starting a command needs --on-port")

    def test_other_faults_are_told_before_it_starts(self):
        trace = self.folder / "trace"
        command = ["--", "sh", "-c", f"echo ran >{trace}"]
        self.refused(["--on-port", "-c", "0", "/", *command], "connections can not be less than 1")
        self.refused(["--on-port", "-i", "/no/such/body", "/", *command], "/no/such/body: No such")
        self.refused(["--on-port", *command], "no URL given")
        outcome = self.run_it(["autocannon", "--on-port", *command])
        self.assertEqual(0, outcome.code, outcome)
        self.assertIn("Usage", outcome.stderr, outcome)
        self.assertFalse(trace.exists())

    def test_the_body_is_read_once(self):
        process = carronade.start(
            ["--dry-run", "--on-port", "-m", "POST", "-i", "-", "/", "--", PYTHON, self.python],
            stdin=-1, env={"CARRONADE_MARK": self.mark})
        outcome = carronade.finish(process, feed=b"all of it")
        self.assertEqual(0, outcome.code, outcome)
        self.assertTrue(outcome.stdout.endswith("\r\n\r\nall of it\n"), outcome)
        self.assertEqual([], marked_processes(self.mark), outcome)

    def brief(self, seconds):
        """A server that ends so many seconds after its first request."""
        return self.file("brief.py", "import os, threading\n"
                         f"end = threading.Timer({seconds}, os._exit, [4])\n" + on_request(
                             "end.is_alive() or end.start()"))

    def test_the_end_of_the_program_during_the_run(self):
        brief = self.brief(0.5)
        outcome = self.run_it(["--on-port", "-d", "1500ms", "-c", "1", "/", "--", PYTHON, brief])
        self.assertIn("Connection refused", outcome.stdout, outcome)
        self.assertIn(f"warning: {PYTHON} {brief} had ended with exit code 4 before the run was "
                      "over\n", outcome.stderr, outcome)

    def test_the_end_of_the_program_ends_the_rounds(self):
        brief = self.brief(1.2)
        for form in ([], ["autocannon"]):
            with self.subTest(form=form):
                outcome = self.run_it([*form, "--on-port", "-f", "-d", "1", "-c", "1", "/", "--",
                                       PYTHON, brief])
                self.assertEqual(0, outcome.code, outcome)
                report = outcome.stderr if form else outcome.stdout
                self.assertIn(len(re.findall("requests in", report)), (1, 2, 3), outcome)
                self.assertEqual(1, outcome.stderr.count(
                    f"warning: {PYTHON} {brief} had ended with exit code 4 before the run was "
                    "over: there is no further round\n"), outcome)

    def test_what_ignores_sigint_is_killed(self):
        stubborn = self.file("stubborn.py", STUBBORN_SERVER)
        outcome = self.run_it(["--on-port", "-a", "5", "-c", "1", "/", "--", PYTHON, stubborn])
        self.assertEqual(0, outcome.code, outcome)
        self.assertIn("did not end on SIGINT and was killed\n", outcome.stderr, outcome)
        self.assertGreater(outcome.seconds, 5, outcome)


class InterruptedTest(OnPort):
    """The signals come while it waits, and while it runs."""

    def wait_for_program(self, word):
        wait_until(lambda: any(word in command for _, command in marked_processes(self.mark)
                               if carronade.BINARY.encode() not in command), 20, "the start")

    def test_while_it_waits(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start(["--on-port", "/", "--", "sh", "-c", "sleep 1000; :"])
            self.wait_for_program(b"sleep\x001000")
            process.send_signal(number)
            outcome = self.finish(process)
            self.assertEqual(128 + number, outcome.code, outcome)
            self.assertEqual("", outcome.stdout, outcome)
            self.assertIn("before sh -c sleep 1000; : listened on a TCP port: nothing was measured",
                          outcome.stderr, outcome)
            self.assertLess(outcome.seconds, 20, outcome)

    def run_until_served(self, *options):
        served = self.folder / "served"
        server = self.file("noting.py", on_request(f"open({str(served)!r}, 'a').write('.')"))
        process = self.start([*options, "-d", "60", "-c", "1", "--on-port", "/", "--",
                              "sh", "-c", f"{PYTHON} {server}; :"])
        wait_until(lambda: served.exists() and served.stat().st_size > 2, 20, "three requests")
        return process

    def test_while_it_runs(self):
        process = self.run_until_served("-j")
        process.send_signal(signal.SIGINT)
        outcome = carronade.read_report(self.finish(process))
        self.assertEqual(0, outcome.code, outcome)
        self.assertEqual("user", outcome.own["stoppedBy"], outcome)
        self.assertGreater(outcome.answered, 0, outcome)

    def test_nothing_outlives_a_violent_end(self):
        process = self.run_until_served()
        process.kill()
        process.communicate()
        wait_until(lambda: not marked_processes(self.mark), 10, "the end of the program")

    def test_a_signal_during_its_stop_shortens_that(self):
        served, told = self.folder / "served", self.folder / "told"
        noting = on_request(f"open({str(served)!r}, 'a').write('.')")
        stubborn = self.file("stubborn.py", noting.replace(
            "signal.default_int_handler", f"lambda *_: open({str(told)!r}, 'w').close()"))
        for form, code in (([], 0), (["autocannon"], 130)):
            for load in (["-a", "5"], ["-d", "60"]):
                with self.subTest(form=form, load=load):
                    served.unlink(missing_ok=True)
                    told.unlink(missing_ok=True)
                    process = self.start([*form, "--on-port", *load, "-c", "1", "/", "--",
                                          PYTHON, stubborn])
                    if load[0] == "-d":
                        # Noted before it is answered: without an answer the exit code is 2.
                        wait_until(lambda: served.exists() and served.stat().st_size > 2, 20,
                                   "three requests")
                        process.send_signal(signal.SIGINT)
                    wait_until(told.exists, 20, "the stop")
                    begun = time.monotonic()
                    process.send_signal(signal.SIGINT)
                    outcome = self.finish(process)
                    self.assertLess(time.monotonic() - begun, 4)
                    self.assertEqual(code, outcome.code, outcome)
                    self.assertRegex(outcome.stderr if form else outcome.stdout, "Latency")
                    if not form:
                        self.assertIn("was killed at once, as a signal asked for the end",
                                      outcome.stderr, outcome)


if __name__ == "__main__":
    carronade.main()
