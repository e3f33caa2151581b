"""The clients at a given rate: how each is told it, and what its report says of latency. Where a
tool has no rate it runs as the closed loop that it is."""

import json
import re
from dataclasses import dataclass, field

from packages import find_command, node_script
from peers import SECONDS, numbers

# wrk prints no percentile beyond the 99th by itself, but gives its script the whole distribution.
WRK_REPORT = """\
done = function(summary, latency)
  io.write(string.format("report %f %f %f %f\\n", latency.mean, latency:percentile(50),
    latency:percentile(99), latency:percentile(99.9)))
end
"""
WRK2_CALIBRATION_S = 10  # it forgets what it measured until then


@dataclass
class Load:
    """What one client does in one run."""

    host: str
    port: int
    rate: float
    seconds: int
    connections: int
    clients: int                    # at most, where each has a rate of its own
    closed_connections: int = 1     # of a tool that has no rate
    arrivals: str = "even"          # where the tool has a choice

    @property
    def url(self):
        return f"http://{self.host}:{self.port}/"

    def shares(self):
        """(clients, rate of each): the most clients that divide the rate."""
        rate = round(self.rate)
        most = max(n for n in range(1, min(self.clients, rate) + 1) if rate % n == 0)
        return most, rate // most


@dataclass
class Said:
    """What a client reported; None for what it does not tell. Seconds."""

    mean_s: float = None
    quantiles: dict = field(default_factory=dict)   # percent -> seconds
    document: dict = None                           # carronade's own object, else None


class Carronade:
    has_rate = True

    def __init__(self, tools, name="carronade", options=()):
        self.name, self.program, self.options = name, tools.carronade, options

    def seconds(self, load):
        return load.seconds

    def argv(self, load):
        return [self.program, "-j", "-n", "-R", f"{load.rate:g}", "-c", load.connections, "-d",
                load.seconds, "--arrivals", load.arrivals, *self.options, load.url]

    def read(self, out, err):
        document = json.loads(out)["carronade"]
        latency = document["latency"]
        if not latency["count"]:
            return Said(document=document)
        quantiles = {50: latency["p50"], 99: latency["p99"], 99.9: latency["p99_9"]}
        return Said(latency["mean"] / 1e9, {p: ns / 1e9 for p, ns in quantiles.items()}, document)


class Wrk:
    name, has_rate = "wrk", False

    def __init__(self, tools):
        self.program = find_command("wrk")
        self.script = tools.folder / "report.lua"
        self.script.write_text(WRK_REPORT, encoding="ascii")

    def seconds(self, load):
        return load.seconds

    def argv(self, load):
        return [self.program, "-t", 1, "-c", load.closed_connections, "-d", f"{load.seconds}s",
                "-s", self.script, load.url]

    def read(self, out, err):
        found = numbers(r"(?m)^report ([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+)$", out + err, self.name)
        mean, p50, p99, p999 = (float(text) / 1e6 for text in found)
        return Said(mean, {50: p50, 99: p99, 99.9: p999})


class Wrk2:
    """wrk with a rate, by Gil Tene. Never packaged, so it is used only where it is."""

    name, has_rate = "wrk2", True

    def __init__(self, tools):
        self.program = find_command("wrk2")

    def seconds(self, load):
        return load.seconds + WRK2_CALIBRATION_S

    def argv(self, load):
        return [self.program, "-t", 1, "-c", load.connections, "-d", f"{self.seconds(load)}s",
                "-R", round(load.rate), "--latency", load.url]

    def read(self, out, err):
        if re.search(r"Latency\s+-?nan", out):     # nothing ended after the calibration
            return Said()
        mean, unit = numbers(r"Latency\s+([\d.]+)(us|ms|s|m|h)\s", out + err, self.name)
        quantiles = {}
        for percent in (50, 99, 99.9):
            time, its_unit = numbers(rf"(?m)^\s*{percent:.3f}%\s+([\d.]+)(us|ms|s|m|h)$", out,
                                     self.name)
            quantiles[percent] = float(time) * SECONDS[its_unit]
        return Said(float(mean) * SECONDS[unit], quantiles)


class H2load:
    """Prints no percentile, only the mean."""

    name, has_rate = "h2load", True

    def __init__(self, tools):
        self.program = find_command("h2load")

    def seconds(self, load):
        return load.seconds

    def argv(self, load):
        clients, each = load.shares()
        return [self.program, "--h1", "-t", 1, "-c", clients, "--rps", each, "-D", load.seconds,
                load.url]

    def read(self, out, err):
        time = r"\s+[\d.]+(?:us|ms|s|m|h)"
        mean, unit = numbers(rf"time for request:{time}{time}\s+([\d.]+)(us|ms|s|m|h)", out + err,
                             self.name)
        return Said(float(mean) * SECONDS[unit])


class Hey:
    name, has_rate = "hey", True

    def __init__(self, tools):
        self.program = find_command("hey")

    def seconds(self, load):
        return load.seconds

    def argv(self, load):
        clients, each = load.shares()
        return [self.program, "-z", f"{load.seconds}s", "-c", clients, "-q", each, "-cpus", 1,
                load.url]

    def read(self, out, err):
        (mean,) = numbers(r"Average:\s+([\d.]+) secs", out + err, self.name)
        found = {int(p): float(s) for p, s in re.findall(r"(\d+)% in ([\d.]+) secs", out)}
        return Said(float(mean), found)


class Autocannon:
    has_rate = True

    def __init__(self, tools, name="autocannon", options=()):
        self.name, self.options = name, options
        self.program = find_command("node")
        self.script = node_script(tools.build, "autocannon")

    def seconds(self, load):
        return load.seconds

    def argv(self, load):
        return [self.program, self.script, "-j", "-n", "-c",
                min(load.clients, round(load.rate)), "-R", round(load.rate), "-d", load.seconds,
                *self.options, load.url]

    def read(self, out, err):
        latency = json.loads(out)["latency"]
        quantiles = {50: latency["p50"], 99: latency["p99"], 99.9: latency["p99_9"]}
        return Said(latency["average"] / 1e3, {p: ms / 1e3 for p, ms in quantiles.items()})


class Loadtest:
    name, has_rate = "loadtest", True

    def __init__(self, tools):
        self.program, self.script = find_command("node"), node_script(tools.build, self.name)

    def seconds(self, load):
        return load.seconds

    def argv(self, load):
        return [self.program, self.script, "-t", load.seconds, "-c", load.connections, "-k",
                "--rps", round(load.rate), "--cores", 1, load.url]

    def read(self, out, err):
        (mean,) = numbers(r"Mean latency:\s+([\d.]+) ms", out + err, self.name)
        found = {int(p): float(ms) / 1e3 for p, ms in re.findall(r"(\d+)%\s+([\d.]+) ms", out)}
        return Said(float(mean) / 1e3, found)


def find_rate_peers(tools, say):
    """Those that are here, carronade first."""
    kinds = [Carronade(tools), Wrk(tools), Wrk2(tools), H2load(tools), Hey(tools),
             Autocannon(tools), Autocannon(tools, "autocannon -C", ("-C",)), Loadtest(tools)]
    peers = []
    for peer in kinds:
        if peer.program and getattr(peer, "script", True):
            peers.append(peer)
        else:
            say(f"{peer.name} is not installed and is left out")
    return peers
