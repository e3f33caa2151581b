"""The clients: how each is told to do a job, and how its own report is read."""

import json
import re
from dataclasses import dataclass

from child import BenchError
from packages import find_command, find_floor, node_script

# Requests per second of h2load's run where it cannot be told a time: about what a core makes.
CLOSING_TLS_RATE, CLOSING_PLAIN_RATE = 1000, 10_000
SECONDS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}

# wrk has no pipelining option: its script sends a batch as one request, and wrk counts the answers.
WRK_PIPELINE = """\
init = function(args)
  local one, all = wrk.format(), {}
  for i = 1, tonumber(args[1]) do all[i] = one end
  batch = table.concat(all)
end
request = function() return batch end
"""
SIEGE_RC = """\
verbose = false
quiet = true
json_output = true
logging = false
parser = false
protocol = HTTP/1.1
connection = keep-alive
limit = 1000
cache = false
"""


@dataclass
class Job:
    """What one client does in one run. It fires for whole `seconds` from one thread."""

    host: str
    port: int
    path: str
    seconds: int
    connections: int = 50
    depth: int = 1          # requests in flight on each connection
    tls: bool = False
    close: bool = False     # ask for the end of the connection with each request
    threads: int = 1
    drain: str = ""         # epoll_floor only: what to do with large bodies

    @property
    def url(self):
        return f"http{'s' * self.tls}://{self.host}:{self.port}{self.path}"


@dataclass
class Report:
    """What a client said: requests answered, in how many seconds, and how many went wrong."""

    answers: int
    seconds: float
    errors: int = 0


def numbers(pattern, text, tool):
    match = re.search(pattern, text)
    if not match:
        last = (text.strip().splitlines() or ["nothing"])[-1]
        raise BenchError(f"cannot read {tool}'s report, it ends with: {last[:200]}")
    return match.groups()


class Carronade:
    name = "carronade"

    def __init__(self, tools):
        self.program = tools.carronade

    def argv(self, job):
        argv = [self.program, "-j", "-n", "-c", job.connections, "-d", job.seconds,
                "-p", job.depth, "-w", job.threads]
        if job.close:
            argv += ["-H", "Connection=close"]
        if job.tls:
            argv += ["--no-resume"]
        return [*argv, job.url]

    def read(self, out, err):
        result = json.loads(out)
        requests = result["carronade"]["requests"]
        errors = result["errors"] + result["non2xx"] + requests["timedOut"]
        return Report(requests["answered"], result["duration"], errors)


class Floor:
    name = "epoll_floor"

    def __init__(self, tools):
        self.program = find_floor(tools.root, tools.build)

    def argv(self, job):
        drain = ["--drain", job.drain] if job.drain else []
        return [self.program, *drain, job.host, job.port, job.connections, job.depth,
                job.seconds, job.path]

    def read(self, out, err):
        answers, seconds = numbers(r"(\d+) answers in ([\d.]+) s", out + err, self.name)
        return Report(int(answers), float(seconds))


class UringFloor(Floor):
    """The same on a ring; only where the build found liburing."""

    name = "uring_floor"

    def __init__(self, tools):
        built = tools.build / self.name
        self.program = built if built.exists() else None


class Wrk:
    name = "wrk"

    def __init__(self, tools):
        self.program = find_command("wrk")
        self.script = tools.folder / "pipeline.lua"
        self.script.write_text(WRK_PIPELINE, encoding="ascii")

    def argv(self, job):
        argv = [self.program, "-t", job.threads, "-c", job.connections, "-d", f"{job.seconds}s"]
        if job.close:
            argv += ["-H", "Connection: close"]
        if job.depth > 1:
            return [*argv, "-s", self.script, job.url, "--", job.depth]
        return [*argv, job.url]

    def read(self, out, err):
        answers, seconds, unit = numbers(r"(\d+) requests in ([\d.]+)(us|ms|s|m|h)", out + err,
                                          self.name)
        errors = 0
        sockets = re.search(r"Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)",
                            out)
        if sockets:
            errors += sum(int(n) for n in sockets.groups())
        statuses = re.search(r"Non-2xx or 3xx responses: (\d+)", out)
        if statuses:
            errors += int(statuses[1])
        return Report(int(answers), float(seconds) * SECONDS[unit], errors)


class H2load:
    name = "h2load"

    def __init__(self, tools):
        self.program = find_command("h2load")

    def argv(self, job):
        argv = [self.program, "--h1", "-t", job.threads, "-c", job.connections, "-m", job.depth]
        if job.close:
            # With -D and closing answers h2load 1.52 never ends, so it gets a number of requests.
            number = job.seconds * (CLOSING_TLS_RATE if job.tls else CLOSING_PLAIN_RATE)
            return [*argv, "-n", number, "-H", "Connection: close", job.url]
        return [*argv, "-D", job.seconds, job.url]

    def read(self, out, err):
        seconds, unit = numbers(r"finished in ([\d.]+)(us|ms|s|m|h)", out + err, self.name)
        answers, failed = numbers(r"requests: .*?(\d+) succeeded, (\d+) failed", out, self.name)
        return Report(int(answers), float(seconds) * SECONDS[unit], int(failed))


class Ab:
    name = "ab"

    def __init__(self, tools):
        self.program = find_command("ab")

    def argv(self, job):
        # -t alone stops at 50,000 requests, and the numbers of -n cost memory: enough, not endless.
        argv = [self.program, "-q", "-t", job.seconds, "-n", 200_000 * job.seconds,
                "-c", job.connections]
        return [*argv, job.url] if job.close else [*argv, "-k", job.url]

    def read(self, out, err):
        (answers,) = numbers(r"Complete requests:\s+(\d+)", out + err, self.name)
        (seconds,) = numbers(r"Time taken for tests:\s+([\d.]+) s", out, self.name)
        (failed,) = numbers(r"Failed requests:\s+(\d+)", out, self.name)
        return Report(int(answers), float(seconds), int(failed))


class Hey:
    name = "hey"

    def __init__(self, tools):
        self.program = find_command("hey")

    def argv(self, job):
        argv = [self.program, "-z", f"{job.seconds}s", "-c", job.connections, "-cpus", job.threads]
        return [*argv, "-disable-keepalive", job.url] if job.close else [*argv, job.url]

    def read(self, out, err):
        (seconds,) = numbers(r"Total:\s+([\d.]+) secs", out + err, self.name)
        (rate,) = numbers(r"Requests/sec:\s+([\d.]+)", out, self.name)
        failed = 0
        if "Error distribution:" in out:
            lines = out.split("Error distribution:")[1]
            failed = sum(int(n) for n in re.findall(r"^\s+\[(\d+)\]", lines, re.MULTILINE))
        return Report(round(float(rate) * float(seconds)), float(seconds), failed)


class Siege:
    name = "siege"

    def __init__(self, tools):
        self.program = find_command("siege")
        self.settings = tools.folder / "siege.conf"
        self.settings.write_text(SIEGE_RC, encoding="ascii")

    def argv(self, job):
        return [self.program, "-R", self.settings, "-b", "-t", f"{job.seconds}S",
                "-c", job.connections, job.url]

    def read(self, out, err):
        text = out + err
        (answers,) = numbers(r'"transactions":\s*(\d+)', text, self.name)
        (seconds,) = numbers(r'"elapsed_time":\s*([\d.]+)', text, self.name)
        (failed,) = numbers(r'"failed_transactions":\s*(\d+)', text, self.name)
        return Report(int(answers), float(seconds), int(failed))


class Autocannon:
    name = "autocannon"

    def __init__(self, tools):
        self.program, self.script = find_command("node"), node_script(tools.build, self.name)

    def argv(self, job):
        argv = [self.program, self.script, "-j", "-n", "-c", job.connections, "-p", job.depth,
                "-d", job.seconds]
        if job.close:
            argv += ["-H", "Connection=close"]
        return [*argv, job.url]

    def read(self, out, err):
        result = json.loads(out)
        errors = result["errors"] + result["non2xx"] + result["timeouts"]
        return Report(result["requests"]["total"], result["duration"], errors)


class Loadtest:
    name = "loadtest"

    def __init__(self, tools):
        self.program, self.script = find_command("node"), node_script(tools.build, self.name)

    def argv(self, job):
        keep = [] if job.close else ["-k"]
        return [self.program, self.script, "-t", job.seconds, "-c", job.connections, *keep,
                "--cores", 1, job.url]

    def read(self, out, err):
        (answers,) = numbers(r"Completed requests:\s+(\d+)", out + err, self.name)
        (failed,) = numbers(r"Total errors:\s+(\d+)", out, self.name)
        (seconds,) = numbers(r"Total time:\s+([\d.]+) s", out, self.name)
        return Report(int(answers), float(seconds), int(failed))


KINDS = [Carronade, Floor, UringFloor, Wrk, H2load, Ab, Hey, Siege, Autocannon, Loadtest]


def find_peers(tools, say):
    """The peers that are here, by name."""
    peers = {}
    for kind in KINDS:
        peer = kind(tools)
        if peer.program and getattr(peer, "script", True):
            peers[peer.name] = peer
        else:
            say(f"{peer.name} is not installed and is left out")
    return peers
