"""What the shell is told, and the one line that goes with it."""

import socket
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.serve_process import ServeProcess  # noqa: E402


def closed_port():
    """A port of loopback that nobody listens on: bound, but not listening, while it is held."""
    holder = socket.socket()
    holder.bind(("127.0.0.1", 0))
    return holder, holder.getsockname()[1]


class ExitCodesTest(unittest.TestCase):
    def refused(self, args, text, code=1):
        outcome = carronade.run(args)
        self.assertEqual(code, outcome.code, outcome)
        self.assertEqual("", outcome.stdout, outcome)
        self.assertEqual(1, outcome.stderr.count("\n"), outcome)
        name = "carronade serve: " if args[0] == "serve" else "carronade: "
        self.assertTrue(outcome.stderr.startswith(name), outcome)
        self.assertIn(text, outcome.stderr, outcome)

    def test_a_response_is_success(self):
        with ServeProcess() as server:
            self.assertEqual(0, carronade.run(["-a", "3", "-c", "1", server.url]).code)
            # Any response: what it says is the report's business.
            self.assertEqual(
                0, carronade.run(["-a", "1", "-c", "1", server.url + "/status/503"]).code)

    def test_no_response_is_2(self):
        holder, port = closed_port()
        with holder:
            outcome = carronade.run(["-d", "500ms", f"http://127.0.0.1:{port}/"])
        self.assertEqual(2, outcome.code, outcome)
        self.assertIn("Connection refused", outcome.stdout, outcome)

    def test_unknown_options_name_the_nearest(self):
        self.refused(["--conections", "5", "http://127.0.0.1:1"],
                     "unknown option --conections; did you mean --connections?")
        self.refused(["-rps", "5", "http://127.0.0.1:1"], "-r: ")
        self.refused(["-latency", "http://127.0.0.1:1"], "did you mean --latency?")

    def test_bad_usage(self):
        url = "http://127.0.0.1:1"
        self.refused(["-c"], "-c needs a value")
        self.refused(["-c", "many", url], "-c: ")
        self.refused(["-c", "0", url], "connections can not be less than 1")
        self.refused(["-d", "5 parsecs", url], "-d: ")
        self.refused(["-H", "nothing", url], "not correctly formatted: nothing")
        self.refused(["--har", "x.har", url], "--har: open x.har: No such file or directory")
        self.refused(["-c", "1"], "no URL given")
        self.refused([""], 'URL "": there is no host')
        self.refused(["-S", "", url], "-S: the path is empty")
        self.refused(["-i", "", url], "-i: the path is empty")
        self.refused(["-j", "--dry-run", url], "--dry-run prints requests and -j a result")
        self.refused(["--", url], f"-- {url}: starting a command needs --on-port")
        self.refused(["help"], "did you mean carronade --help?")
        self.refused(["-a", "3", "serve"], "carronade serve [options]")
        self.refused(["ftp://127.0.0.1"], "ftp")
        self.refused(["/path"], "environment variable PORT")
        self.refused(["-i", "/nowhere/body", url], "/nowhere/body: No such file or directory")

    def test_what_was_typed_cannot_write_to_the_terminal(self):
        self.refused(["--a\x1b[31mb\n"], "unknown option --a\\x1b[31mb\\x0a")
        self.refused(["-b", "-\x1b", "http://x"], "-b=-\\x1b")
        self.refused(["--", "\x1b\xfc"], "-- \\x1b\xfc: starting")
        outcome = carronade.run(["autocannon", "--a\x1b[31mb"])
        self.assertEqual("unknown option --a\\x1b[31mb\n", outcome.stderr, outcome)

    def test_options_of_serve_that_would_have_no_effect(self):
        for args, text in ((["--unix", ""], "--unix: the path is empty"),
                           (["--unix", "/tmp/x", "--port", "0"], "beside --unix"),
                           (["--percent", "5"], "--percent has no effect without --error"),
                           (["--seed", "5", "--error", "503"], "--seed has no effect without"),
                           (["--error", "0"], "error must be a status"),
                           (["--close-after", "0"], "close-after must be 1 or more")):
            self.refused(["serve", *args], text)

    def test_dry_run_without_an_address(self):
        outcome = carronade.run(["--dry-run", "http://no-such-host.invalid/"])
        self.assertEqual(1, outcome.code, outcome)
        self.assertIn("GET / HTTP/1.1", outcome.stdout, outcome)
        self.assertIn("no address was found for any URL", outcome.stderr, outcome)
        both = carronade.run(["--dry-run", "http://no-such-host.invalid/", "http://127.0.0.1:1/"])
        self.assertEqual(0, both.code, both)

    def test_bad_certificates(self):
        self.refused(["--cert", "/nowhere.pem", "https://127.0.0.1:1"],
                     "Failed to load cert file: ")
        self.refused(["--ca", __file__, "https://127.0.0.1:1"], __file__)

    def test_no_arguments_show_the_help(self):
        outcome = carronade.run([])
        self.assertEqual(1, outcome.code, outcome)
        self.assertEqual("", outcome.stdout, outcome)
        self.assertIn("Usage: carronade", outcome.stderr, outcome)

    def test_help_and_version(self):
        for args in (["-h"], ["--help"], ["http://x", "-h"]):
            outcome = carronade.run(args)
            self.assertEqual(0, outcome.code, outcome)
            self.assertIn("-c, --connections N", outcome.stdout, outcome)
            self.assertEqual("", outcome.stderr, outcome)
        for args in (["-v"], ["--version"]):
            outcome = carronade.run(args)
            self.assertEqual(0, outcome.code, outcome)
            self.assertRegex(outcome.stdout, r"\Acarronade \d+\.\d+\.\d+\nfeatures: .*OpenSSL 3")


if __name__ == "__main__":
    carronade.main()
