"""Runs one program to its end and says what it cost."""

import os
import resource
import select
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass

POLL_S = 0.05
KIB = 1024


class BenchError(Exception):
    """Something that ends the benchmark: one line that says what and what to do."""


@dataclass
class Cost:
    """What a child used: CPU seconds of it and its children, and its highest resident set."""

    user_s: float
    system_s: float
    rss_bytes: int

    @property
    def cpu_s(self):
        return self.user_s + self.system_s


@dataclass
class Finished:
    code: int
    out: str
    err: str
    wall_s: float
    cost: Cost


def raise_open_files(wanted):
    """Raises this process's limit of open files, which children inherit. Returns the new one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft >= wanted:
        return soft
    for limits in ((wanted, max(hard, wanted)), (min(wanted, hard), hard)):
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, limits)
            break
        except (ValueError, OSError):  # only root raises the hard limit
            continue
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def pinned(core, argv):
    """`argv` on that core alone, or anywhere when `core` is None."""
    return list(argv) if core is None else ["taskset", "-c", str(core), *argv]


def high_water_bytes(pid):
    """The highest resident set of a live process; 0 once it is gone.

    wait4's ru_maxrss will not do: it starts from what this Python held when it forked."""
    return status_bytes(pid, "VmHWM")


def status_bytes(pid, field):
    try:
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as status:
            for line in status:
                if line.startswith(field + ":"):
                    return int(line.split()[1]) * KIB
    except OSError:
        pass
    return 0


def cpu_seconds(pid):
    """User and system seconds of a live process, without its children."""
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    tick = os.sysconf("SC_CLK_TCK")
    return int(fields[11]) / tick, int(fields[12]) / tick


def stop(process, timeout_s=5):
    """Ends a child and what it started: first asked, then killed."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is not None:
            return
        try:
            os.killpg(process.pid, number)
            process.wait(timeout_s)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue


def run(argv, timeout_s, core=None, cwd=None, poll_s=POLL_S):
    """Runs a program that ends by itself. Past `timeout_s` it is killed: BenchError. Looking after
    it every `poll_s` takes processor time from what is measured; the highest resident set is known
    that much worse."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.monotonic()
        process = subprocess.Popen(
            pinned(core, argv), stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=cwd,
            start_new_session=True)
        try:
            rss, status, usage = _wait(process, start + timeout_s, poll_s)
        finally:
            stop(process)
        if status is None:
            raise BenchError(f"{argv[0]} did not end within {timeout_s} s and was killed")
        wall = time.monotonic() - start
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode("utf-8", "replace"))
    cost = Cost(usage.ru_utime, usage.ru_stime, rss)
    return Finished(os.waitstatus_to_exitcode(status), texts[0], texts[1], wall, cost)


def _wait(process, deadline, poll_s):
    rss = 0
    with Ending(process.pid) as ending:
        while time.monotonic() < deadline:
            rss = max(rss, high_water_bytes(process.pid))
            if not ending.within(poll_s):
                continue
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            return rss, status, usage
    return rss, None, None


class Ending:
    """The end of a child, told in the moment it comes. Popen.wait with a timeout is not: it looks
    after 0.5, 1.5, 3.5, 7.5, 15.5 … ms, and what it times is one of these."""

    def __init__(self, pid):
        self.descriptor = os.pidfd_open(pid)
        self.poll = select.poll()
        self.poll.register(self.descriptor, select.POLLIN)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.descriptor)

    def within(self, timeout_s):
        """Whether it came. The child has still to be waited for."""
        return bool(self.poll.poll(timeout_s * 1000))
