"""`carronade siege` beside Debian's siege 4.0.7: the same fields in the same places, the same
figures, the same bytes on the wire."""

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
from support.scripted_peer import Peer, answer, serve  # noqa: E402
from support.serve_process import ServeProcess  # noqa: E402

RC = """verbose = true
color = on
protocol = HTTP/1.1
parser = true
accept-encoding = gzip, deflate
user-agent = the same
"""
FIGURES_ALIKE = ("transaction_rate", "response_time", "concurrency")
FIGURE = re.compile(r"(?P<label>[A-Z][a-z ]+): *\t* *(?P<figure>[\d.]+)(?P<unit>.*)")


class BesideSiegeTest(unittest.TestCase):
    def setUp(self):
        self.real = shutil.which("siege")
        if self.real is None:
            self.skipTest("no siege is installed (Debian: apt-get install siege)")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = Path(folder.name)
        # Else siege talks about the template that it writes there.
        (self.home / ".siege").mkdir()
        (self.home / ".siege" / "siege.conf").write_text(RC)

    def both(self, *args, rc="", ours=()):
        """The two finished processes, siege's first."""
        path = self.home / "rc"
        path.write_text(RC + rc)
        done = []
        for command in ([self.real], [carronade.BINARY, "siege", *ours]):
            done.append(subprocess.run(
                [*command, "-R", str(path), *map(str, args)], capture_output=True, text=True,
                timeout=40, check=True,
                env={"HOME": str(self.home), "PATH": "/usr/bin:/bin", "TZ": "UTC"}))
        return done

    def seen(self, reply, *args, rc=""):
        """What a peer received from each: [[(request line, fields, body)]], `args` of its URL."""
        path = self.home / "rc"
        path.write_text(RC + rc)
        seen = []
        for command in ([self.real], [carronade.BINARY, "siege"]):
            with Peer([serve(reply)]) as peer:
                subprocess.run(
                    [*command, "-R", str(path), *(a(peer) if callable(a) else a for a in args)],
                    capture_output=True, timeout=30, check=True,
                    env={"HOME": str(self.home), "PATH": "/usr/bin:/bin"})
                peer.stop()
                host = f"127.0.0.1:{peer.port}"
                seen.append([(r.method, r.target, r.version,
                              [(k, v.replace(host, "HOST")) for k, v in r.headers], r.body)
                             for r in peer.requests])
        return seen

    def test_same_fields_in_the_same_places(self):
        with ServeProcess() as server:
            theirs, ours = self.both("-c4", "-r5", server.url + "/delay/20ms",
                                     ours=["--old-report"])
        for line, other in zip(theirs.stderr.splitlines(), ours.stderr.splitlines(), strict=True):
            if line.startswith("** SIEGE"):
                continue
            self.assertEqual(re.sub(r"[\d.]+", "#", line).replace(" ", ""),
                             re.sub(r"[\d.]+", "#", other).replace(" ", ""))
            if FIGURE.match(line):
                self.assertEqual(len(line), len(other), (line, other))

    def test_same_lines_of_hits(self):
        for rc in ("", "color = off\n", "csv = true\n", "fullurl = true\n"):
            with self.subTest(rc), ServeProcess() as server:
                theirs, ours = self.both("-c1", "-r2", server.url + "/status/404", rc=rc)
                shapes = [re.sub(r"\d+\.\d\d|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "#", run.stdout)
                          for run in (theirs, ours)]
                self.assertEqual(*shapes)

    def test_same_figures(self):
        # A machine that is busy may slow one of the two down: once of three times they must agree.
        for left in (2, 1, 0):
            with ServeProcess() as server:
                runs = self.both("-c10", "-t3S", "-b", "-j", server.url + "/delay/20ms")
            theirs, ours = (json.loads(run.stdout) for run in runs)
            self.assertEqual(list(theirs), list(ours))
            for found in (theirs, ours):
                self.assertEqual(100, found["availability"])
                self.assertEqual(0, found["failed_transactions"])
                self.assertEqual(found["transactions"], found["successful_transactions"])
            off = {name: ours[name] / theirs[name] for name in FIGURES_ALIKE
                   if abs(ours[name] / theirs[name] - 1) >= 0.35}
            if not off:
                return
            self.assertGreater(left, 0, (off, theirs, ours))

    def test_same_counts(self):
        # Status: transactions, successful, failed.
        for status in (200, 404, 408, 500):
            with self.subTest(status), ServeProcess() as server:
                runs = self.both("-c2", "-r5", "-j", f"{server.url}/status/{status}")
                theirs, ours = (json.loads(run.stdout) for run in runs)
                for name in ("transactions", "successful_transactions", "failed_transactions",
                             "availability"):
                    self.assertEqual(theirs[name], ours[name], (name, theirs, ours))

    def test_same_log(self):
        with ServeProcess() as server:
            log = self.home / "log"
            self.both("-c1", "-r2", "-m", "a mark", f"-l{log}", server.url + "/delay/20ms")
        lines = log.read_text().splitlines()
        self.assertEqual(5, len(lines), lines)
        self.assertEqual(lines[1], lines[3])
        self.assertEqual(*(re.sub(r"\d", "0", lines[at].replace(" ", "")[19:28])
                           for at in (2, 4)), lines)
        self.assertEqual(len(lines[2]), len(lines[4]), lines)

    def test_same_requests(self):
        for words in ("", " POST a=b c", " PUT x", " PATCH x", " DELETE", " OPTIONS"):
            theirs, ours = self.seen(answer(), "-c1", "-r2", "-H", "X-One: 1", "-H", "B: 2",
                                     lambda peer, words=words: peer.url("/x?y=1") + words)
            self.assertEqual(theirs, ours, words)

    def test_same_requests_in_the_other_modes(self):
        for rc, args in (("connection = keep-alive\n", ["-c1", "-r3"]),
                         ("protocol = HTTP/1.0\n", ["-r2"]), ("", ["-p"]),
                         ("", ["-r1", "-A", "me", "-T", "text/x"])):
            theirs, ours = self.seen(answer(), "-c1", *args, lambda peer: peer.url("/x"), rc=rc)
            self.assertEqual(theirs, ours, (rc, args))

    def test_same_way_through_redirects_and_pages(self):
        def reply(request):
            if request.target == "/x":
                return answer(b"", "302 Found", [("Location", "/dir/page")])
            if request.target == "/dir/page":
                return answer(b"<html><body><img src='a.png'><script src=\"/b.js\"></script>"
                              b"<link rel='stylesheet' href='/c.css'></body></html>",
                              headers=[("Content-Type", "text/html")])
            return answer()
        theirs, ours = self.seen(reply, "-c1", "-r1", lambda peer: peer.url("/x"))
        self.assertEqual(theirs[:2], ours[:2])
        # siege takes the resources from the end of the page.
        self.assertEqual(sorted(theirs[2:], key=lambda r: r[1]),
                         sorted(ours[2:], key=lambda r: r[1]))

    def test_same_login(self):
        def reply(request):
            if request.header("Authorization") is None:
                return answer(b"no", "401 No", [("WWW-Authenticate", 'Basic realm="x"')])
            return answer()
        theirs, ours = self.seen(reply, "-c1", "-r3", lambda peer: peer.url("/x"),
                                 rc="login = u:p\n")
        self.assertEqual(theirs, ours)

    def test_same_list(self):
        def urls(peer):
            at = peer.origin()
            lines = ["# comment", "", f"HOST=127.0.0.1:{peer.port}", "http://$(HOST)/1",
                     "http://${HOST}/2 # trailing", f"{at}/4?a=b c#frag", f"{at}/%41%2f{{}}|^~`",
                     f"{at}/6 POST a=\"b c\"", f"{at}/7 PUT   x", f"{at}/11 GET a=1", at,
                     f"HTTP://127.0.0.1:{peer.port}/last"]
            path = self.home / "urls"
            path.write_text("\n".join(lines) + "\n")
            return f"-f{path}"
        theirs, ours = self.seen(answer(), "-c1", "-r", "once", urls)
        self.assertEqual(theirs, ours)


if __name__ == "__main__":
    carronade.main()
