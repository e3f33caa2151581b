"""`carronade ab` and Debian's ab against the same server: same lines, same places, same counts."""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.ab_reports import fields, is_verdict, lines_of, shape  # noqa: E402
from support.certificates import certificates  # noqa: E402
from support.scripted_peer import Peer, answer, close, read, reset, send  # noqa: E402
from support.servers import Nginx  # noqa: E402

AB = shutil.which("ab")
# These must be equal.
COUNTS = ("Server Port", "Document Length", "Concurrency Level", "Complete requests",
          "Failed requests", "Keep-Alive requests", "Non-2xx responses", "Total transferred",
          "Total body sent", "HTML transferred")
# These are figures of a busy machine: how far they may be apart, and how often that is looked at
# anew before it is a fault.
FIGURES = ("Requests per second", "Time per request", "Transfer rate", "Total", "50%")
NOISE = 8.0
TRIES = 4


@unittest.skipUnless(AB, "ab is not installed: apt-get install apache2-utils")
class BesideAbTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.nginx = Nginx()
        cls.secure = Nginx(tls=True)
        cls.folder = Path(tempfile.mkdtemp(prefix="carronade-ab-"))
        cls.task = cls.folder / "task.json"
        cls.task.write_text('{"title": "one"}')

    @classmethod
    def tearDownClass(cls):
        cls.nginx.stop()
        cls.secure.stop()
        shutil.rmtree(cls.folder, True)

    def both(self, *args, code=0):
        """Runs both with the same arguments; returns (real stdout, ours) after the basics."""
        real = subprocess.run([AB, *args], capture_output=True, text=True, timeout=30)
        ours = carronade.run(["ab", *args])
        self.assertEqual(code, real.returncode, real.stdout + real.stderr)
        self.assertEqual(code, ours.code, ours)
        return real, ours

    def same_report(self, *args):
        real, ours = self.both(*args)
        self.assertEqual([shape(line) for line in lines_of(real.stdout) if not is_verdict(line)],
                         [shape(line) for line in lines_of(ours.stdout) if not is_verdict(line)])
        self.assertEqual(real.stderr, ours.stderr)
        expected, found = fields(real.stdout), fields(ours.stdout)
        self.assertEqual(list(expected), list(found))
        for label, numbers in expected.items():
            self.assertEqual(len(numbers), len(found[label]), label)
            if label in COUNTS:
                self.assertEqual(numbers, found[label], label)
        return real, ours

    def same_figures(self, *args):
        """The same, and what was measured is of one size."""
        apart = []
        for _ in range(TRIES):
            real, ours = self.same_report(*args)
            apart.append(self.far_apart(fields(real.stdout), fields(ours.stdout)))
            if not apart[-1]:
                return
        self.fail(f"in {TRIES} tries: {apart}")

    def far_apart(self, expected, found):
        """{label: both} of the figures that are not within the noise; ms below 2 are all alike."""
        apart = {}
        for label in FIGURES:
            one, other = expected[label], found[label]
            if label == "Total":  # mean and median; the least and the longest are one request's
                one, other = one[1::2], other[1::2]
            pairs = [(max(pair[0], 2), max(pair[1], 2)) for pair in zip(one, other)]
            if any(max(pair) > NOISE * min(pair) for pair in pairs):
                apart[label] = (one, other)
        return apart

    def test_one_request(self):
        self.same_report(self.nginx.url())

    def test_amount_and_concurrency(self):
        self.same_figures("-n", "500", "-c", "10", self.nginx.url())

    def test_keep_alive(self):
        self.same_figures("-k", "-n", "1000", "-c", "7", self.nginx.url())

    def test_head(self):
        self.same_report("-i", "-k", "-n", "20", self.nginx.url())

    def test_post_and_put(self):
        self.same_figures("-p", str(self.task), "-T", "application/json", "-n", "100", "-c", "5",
                          self.nginx.url("/upload"))
        self.same_report("-u", str(self.task), "-k", "-n", "20", self.nginx.url())

    def test_not_found_and_another_method(self):
        self.same_report("-n", "20", self.nginx.url("/none"))
        self.same_report("-m", "DELETE", "-n", "20", "-l", self.nginx.url())

    def test_tables_that_are_left_out(self):
        self.same_report("-d", "-n", "20", self.nginx.url())
        self.same_report("-S", "-n", "20", self.nginx.url())
        self.same_report("-q", "-n", "200", self.nginx.url())

    def test_through_a_proxy(self):
        self.same_report("-X", self.nginx.url("")[7:], "-n", "5", "http://far.example/index.html")

    def test_tls_lines(self):
        self.same_figures("-n", "50", "-c", "2", self.secure.url())
        name = self.secure.url().replace("127.0.0.1", "localhost")
        real, ours = self.same_report("-n", "5", "-f", "TLS1.2", name)
        for label in ("SSL/TLS Protocol:", "Server Temp Key:", "TLS Server Name:"):
            line = [line for line in real.stdout.split("\n") if line.startswith(label)]
            self.assertEqual(1, len(line), real.stdout)
            self.assertIn(line[0], ours.stdout.split("\n"))
        self.same_report("-n", "2", "-I", name)
        self.same_report("-n", "2", "-Z", "ECDHE-ECDSA-AES128-GCM-SHA256", name)

    def test_client_certificate(self):
        pems = certificates()
        both = self.folder / "client.pem"
        both.write_bytes(Path(pems.path("client.pem")).read_bytes()
                         + Path(pems.path("client.key")).read_bytes())
        self.same_report("-n", "2", "-E", str(both), self.secure.url())

    def test_html(self):
        args = ["-w", "-x", "border=1", "-y", "class=r", "-z", "class=d", "-n", "20", "-k"]
        for more in ([], ["-p", str(self.task)]):
            real, ours = self.both(*args, *more, self.nginx.url("/none"))
            skipped = 4  # the lines of the banner
            self.assertEqual([shape(line) for line in real.stdout.split("\n")[skipped:]],
                             [shape(line) for line in ours.stdout.split("\n")[skipped:]])

    def test_csv_and_gnuplot(self):
        lines = {}
        for which in ("real", "ours"):
            csv, tsv = self.folder / f"{which}.csv", self.folder / f"{which}.tsv"
            args = ["-n", "50", "-c", "5", "-e", str(csv), "-g", str(tsv), self.nginx.url()]
            if which == "real":
                subprocess.run([AB, *args], capture_output=True, timeout=30, check=True)
            else:
                self.assertEqual(0, carronade.run(["ab", *args]).code)
            lines[which] = (csv.read_text().split("\n"), tsv.read_text().split("\n"))
        for real, ours in zip(*lines.values()):
            self.assertEqual(len(real), len(ours))
            self.assertEqual(real[0], ours[0])
            for one, other in zip(real[1:], ours[1:]):
                self.assertEqual(shape(one[24:] if "\t" in one else one),
                                 shape(other[24:] if "\t" in other else other))
        csv, tsv = lines["ours"]
        self.assertEqual([str(i) for i in range(101)], [row.split(",")[0] for row in csv[1:-1]])
        rising = [float(row.split(",")[1]) for row in csv[1:-1]]
        self.assertEqual(sorted(rising), rising)
        rows = [row.split("\t") for row in tsv[1:-1]]
        self.assertEqual(50, len(rows))
        for row in rows:
            self.assertRegex(row[0], r"^[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d \d{4}$")
        totals = [int(row[4]) for row in rows]
        self.assertEqual(sorted(totals), totals)

    def test_requests_on_the_wire(self):
        args = ["-k", "-C", "a=1", "-A", "user:pass", "-P", "proxy:pass", "-H", "X-One: 1",
                "-H", "Accept: text/plain", "-p", str(self.task), "-T", "application/json"]
        for options in (["-n", "1"], ["-n", "1", "-i", "-k"], ["-n", "1", *args],
                        ["-n", "1", "-m", "PATCH"], ["-n", "1", "-H", "Host: other"]):
            sent = []
            with Peer([read(), send(answer(b"x", headers=["Connection: close"])), close()]) as peer:
                for command in ([AB], [carronade.BINARY, "ab"]):
                    subprocess.run([*command, *options, peer.url("/a?b=1#c")],
                                   capture_output=True, timeout=30, check=True)
                peer.stop()
                sent = [request.raw for request in peer.requests]
            self.assertEqual(2, len(sent))
            self.assertEqual(sent[0], sent[1])

    def test_fatal_exits(self):
        for args, code in ((["http://127.0.0.1:1/"], 111), (["http://nohost.invalid/"], 50),
                           (["http://localhost"], 22), ([], 22), (["-n", "0", "http://h/"], 1),
                           (["-c", "5", "http://h/"], 22), (["-i", "-p", "x", "http://h/"], 1),
                           (["-p", "/no/such", "http://h/"], 1), (["-n"], 22),
                           (["-c", "0", "http://127.0.0.1:1/"], 22)):
            real, ours = self.both(*args, code=code)
            first = [line.replace(AB, "ab") for line in real.stderr.split("\n") if line]
            if args[:1] != ["-c"]:
                self.assertEqual(first[0], ours.stderr.lstrip("\n").split("\n")[0], args)

    def test_a_reset_ends_the_run(self):
        with Peer([read(), reset()]) as peer:
            real, ours = self.both("-n", "5", peer.url(), code=104)
        self.assertEqual(real.stderr, ours.stderr)
        self.assertEqual(lines_of(real.stdout), lines_of(ours.stdout))


if __name__ == "__main__":
    carronade.main()
