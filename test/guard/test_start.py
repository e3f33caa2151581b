"""A guard against a slow start that does not depend on how fast the machine is: page faults, which
are what a start consists of. Each is 0.5 to 20 µs, by the machine; those of `true` are among them.
Only of the program as one file: shared libraries and sanitizers make hundreds of their own.
"""

import os
import signal
import socket
import subprocess
import unittest

BINARY = os.environ.get("CARRONADE", "build/release/carronade")
ONE_FILE = os.environ.get("CARRONADE_ONE_FILE", "ON")
# Measured on Debian 12: 144 and 190. At an address that is not fixed it was 110 more, with shared
# libraries 205; with histograms that touch all of their pages 670 more by the first request.
HELP_FAULTS = 200
FIRST_REQUEST_FAULTS = 260


def faults_until(process, ended):
    """The page faults of a process that is stopped when `ended` returns."""
    try:
        ended()
    finally:
        os.kill(process.pid, signal.SIGKILL)  # Popen.kill would wait for one that has ended
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_minflt


@unittest.skipUnless(ONE_FILE == "ON", "counted where the program contains its libraries")
class Start(unittest.TestCase):
    def test_help(self):
        process = subprocess.Popen([BINARY, "--help"], stdout=subprocess.PIPE)
        with process.stdout as out:
            text = []
            faults = faults_until(process, lambda: text.append(out.read()))
        self.assertIn(b"--connections", text[0])
        self.assertLess(faults, HELP_FAULTS)

    def test_first_request(self):
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            listener.listen(1)
            listener.settimeout(30)
            url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
            process = subprocess.Popen([BINARY, "-j", "-c", "1", "-d", "30", url],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            first = []

            def request():
                with listener.accept()[0] as connection:
                    connection.settimeout(30)
                    first.append(connection.recv(3))

            faults = faults_until(process, request)
        self.assertEqual([b"GET"], first)
        self.assertLess(faults, FIRST_REQUEST_FAULTS)


if __name__ == "__main__":
    unittest.main()
