"""Runs the binary under test, reads its JSON and checks what must hold of every report."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("CARRONADE") or str(SOURCE / "build" / "release" / "carronade")
# A run that the engine itself must bound (duration + timeout + 1 s) gets this much more on a
# loaded machine before a test says that it did not end.
SLACK_S = 8.0


class Outcome:
    """One finished process. `report` and `own` exist only after run_json."""

    def __init__(self, command, code, stdout, stderr, seconds):
        self.command = command
        self.code = code
        self.stdout_bytes = stdout
        self.stdout = stdout.decode("utf-8", "replace")
        self.stderr = stderr.decode("utf-8", "replace")
        self.seconds = seconds
        self.report = None
        self.own = None

    def __str__(self):
        return (f"\n$ {' '.join(map(str, self.command))}\nexit {self.code} after "
                f"{self.seconds:.2f} s\nstdout: {self.stdout[:6000]}\nstderr: {self.stderr[:3000]}")

    @property
    def requests(self):
        return self.own["requests"]

    @property
    def answered(self):
        return self.own["requests"]["answered"]

    def errors(self, kind=None):
        """The entries of the error list, or those of one kind."""
        return [e for e in self.own["errors"] if kind is None or e["kind"] == kind]

    def error_count(self, kind=None):
        return sum(e["count"] for e in self.errors(kind))

    def error_texts(self, kind=None):
        return " | ".join(e["text"] for e in self.errors(kind))

    def statuses(self):
        """{status: count} as integers."""
        stats = self.report["statusCodeStats"]
        return {int(code): entry["count"] for code, entry in stats.items()}


def start(args, prefix=(), stdin=None, env=None, cwd=None):
    """Starts carronade and returns the Popen; for tests that signal it or that act meanwhile."""
    command = [*map(str, prefix), BINARY, *args]
    full_env = {k: v for k, v in os.environ.items() if k not in ("PORT", "COLUMNS")}
    full_env.update(env or {})
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL if stdin is None else stdin,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=full_env, cwd=cwd)
    process.started = time.monotonic()
    process.command = command
    return process


def wait_until_it_hears(process, number=signal.SIGINT, timeout=20.0):
    """Until the program has blocked the signal and reads it: one that comes before ends it."""
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline and process.poll() is None:
        if _in_signal_set(process, "SigBlk", number):
            return
        time.sleep(0.01)
    raise AssertionError(f"the program does not watch for signal {number}")


def wait_until_it_took(process, number=signal.SIGINT, timeout=20.0):
    """Until it has read a signal that was sent, or has ended: a second one of the same number
    before that would be lost."""
    deadline = time.monotonic() + timeout
    while process.poll() is None and _in_signal_set(process, "ShdPnd", number):
        if time.monotonic() > deadline:
            raise AssertionError(f"the program does not read signal {number}")
        time.sleep(0.01)


def _in_signal_set(process, name, number):
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    signals = int(re.search(rf"^{name}:\s*(\w+)$", status, re.MULTILINE)[1], 16)
    return bool(signals >> (number - 1) & 1)


def finish(process, timeout=30.0, feed=None):
    """Waits for a process from start(); fails loudly when it does not end in time."""
    try:
        stdout, stderr = process.communicate(feed, timeout=timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        stdout, stderr = process.communicate()
        raise AssertionError(f"carronade did not end within {timeout} s" + str(
            Outcome(process.command, None, stdout, stderr, timeout))) from None
    seconds = time.monotonic() - process.started
    return Outcome(process.command, process.returncode, stdout, stderr, seconds)


def run(args, timeout=30.0, feed=None, **options):
    """Runs carronade to its end. `feed`: bytes for its standard input."""
    if feed is not None:
        options["stdin"] = subprocess.PIPE
    return finish(start(args, **options), timeout, feed)


def run_json(args, timeout=30.0, feed=None, **options):
    """Runs `carronade -j ARGS`, reads its document and checks the accounts in it."""
    return read_report(run(["-j", *args], timeout, feed, **options))


def read_report(outcome):
    """Parses the JSON on stdout (nothing else may be there) and checks the accounts."""
    def refuse(constant):
        raise AssertionError(f"{constant} in the JSON" + str(outcome))

    try:
        outcome.report = json.loads(outcome.stdout_bytes, parse_constant=refuse)
    except ValueError as fault:
        raise AssertionError(f"stdout is not one JSON document: {fault}" + str(outcome)) from None
    outcome.own = outcome.report["carronade"]
    try:
        check_accounts(outcome)
    except AssertionError as fault:
        raise AssertionError(f"{fault}" + str(outcome)) from None
    return outcome


def check_accounts(outcome):
    """What holds of every report, whatever the run met."""
    report, own = outcome.report, outcome.own
    requests = own["requests"]
    for name, value in requests.items():
        whole = isinstance(value, int) and 0 <= value < 1 << 62
        _expect(whole or (name == "planned" and value is None), f"requests.{name} is {value}")
    ended = requests["answered"] + requests["failed"] + requests["timedOut"]
    _expect(requests["sent"] == ended + requests["inFlight"],
            "sent is not answered + failed + timedOut + inFlight")
    if requests["planned"] is not None:
        _expect(requests["planned"] == requests["sent"] + requests["dropped"],
                "planned is not sent + dropped")
    _expect(report["requests"]["sent"] == requests["sent"], "the two counts of sent differ")
    _expect(report["requests"]["total"] == requests["answered"], "requests.total is not answered")

    statuses = outcome.statuses()
    # The messages of WebSockets have none.
    with_status = requests["answered"] if own["websocket"] is None else 0
    _expect(sum(statuses.values()) == with_status, "the statuses do not add up")
    for hundreds in range(1, 6):
        in_class = sum(n for code, n in statuses.items() if code // 100 == hundreds)
        _expect(report[f"{hundreds}xx"] == in_class, f"{hundreds}xx is not the sum of its codes")
    _expect(report["non2xx"] == with_status - report["2xx"], "non2xx is wrong")
    if own["websocket"] is not None:
        _check_websocket(own)

    timeouts = outcome.error_count("timeout")
    _expect(timeouts == requests["timedOut"], "the timeouts listed are not those counted")
    _expect(outcome.error_count() == report["errors"], "the errors listed do not add up")
    lost = sum(e["requests"] for e in own["errors"])
    _expect(lost == requests["failed"] + requests["timedOut"], "lost requests do not add up")
    _expect(requests["failed"] <= report["errors"] - timeouts, "more failures than errors")
    _expect(all(e["count"] > 0 and e["text"] and e["phase"] for e in own["errors"]),
            "an error without a count, a text or a phase")
    _expect(report["timeouts"] <= report["errors"], "more timeouts than errors")

    _expect(own["bytes"]["body"] <= own["bytes"]["received"], "more body than bytes received")
    connections = own["connections"]
    # An open loop may open more on demand, under --max-connections.
    most = connections["opened"] if own["rate"] else connections["asked"]
    _expect(connections["peak"] <= min(most, connections["opened"])
            or connections["opened"] == 0, "more connections at once than asked for")
    _expect(connections["reconnects"] <= connections["opened"], "more reconnects than opened")
    # What the resolver says comes before the first second of the run.
    early = sum(e["count"] for e in own["errors"] if e["phase"] == "resolve")
    wholes = {**requests, "errors": report["errors"] - early}
    for name in ("sent", "answered", "errors"):
        in_series = sum(window[name] for window in own["series"])
        _expect(in_series == wholes[name],
                f"the series adds up to {in_series} {name}, not {wholes[name]}")
    for name in ("latency", "serviceTime", "firstByte", "connect", "tlsHandshake"):
        _check_histogram(name, own[name])
    _check_verdict(own["verdict"])
    _expect((own["rate"] is not None) == (own["loop"] == "open"), "a rate without an open loop")
    if own["rate"] is None:
        _expect(own["lateness"] is None and own["stages"] is None, "a schedule in a closed loop")
        _expect(own["serviceTime"] == {key: own["latency"][key] for key in own["serviceTime"]},
                "service time is not latency in a closed loop")
    else:
        _check_open_loop(own)


def _check_verdict(verdict):
    _expect(all(reason["code"] and reason["text"] for reason in verdict["reasons"]),
            "a reason without a code or a text")
    _expect((verdict["state"] == "valid") == (not verdict["reasons"]),
            f"{verdict['state']} with {len(verdict['reasons'])} reasons")


def _check_websocket(own):
    """What holds beside of every report of round trips."""
    found = own["websocket"]
    handshakes, messages = found["handshakes"], found["messages"]
    refused = sum(handshakes["refused"].values())
    faults = sum(e["count"] for e in own["errors"] if e["phase"] == "upgrade")
    _expect(own["protocol"] == "WebSocket", "round trips of another protocol")
    _expect(refused <= faults, "more refused handshakes than faults of handshakes")
    _expect(handshakes["opened"] + faults <= handshakes["tried"], "the handshakes do not add up")
    _expect(handshakes["opened"] == own["connections"]["opened"],
            "a connection without its handshake counts as opened")
    received = messages["text"] + messages["binary"]
    _expect(messages["unasked"] <= received, "more unasked messages than came")
    _expect(own["requests"]["answered"] == received - messages["unasked"],
            "the answers are not the messages that were asked for")


def _check_open_loop(own):
    """What holds beside of every report of a load by a schedule."""
    requests, rate = own["requests"], own["rate"]
    due = rate["requests"]
    # Without an arrival there is no plan to speak of: the key is null, as without a rate.
    planned = requests["planned"] or 0
    _expect(due["planned"] == planned, "the two counts of planned differ")
    _expect(due["refused"] + due["unsent"] == requests["dropped"],
            "dropped is not refused + unsent")
    _expect(due["sentInTime"] <= requests["sent"], "more sent in time than sent")
    for name, lateness in own["lateness"].items():
        _check_histogram(name, lateness, least=0)
        _expect(lateness["count"] == requests["sent"], f"{name} has not a sample for each sent")
    _expect(sum(window["planned"] for window in own["series"]) == planned,
            "the series does not add up to what was planned")
    _expect(sum(window["dropped"] for window in own["series"]) == due["refused"],
            "the series does not add up to what was refused")
    _expect(own["serviceTime"]["count"] == own["latency"]["count"],
            "service time and response time are not of the same answers")
    if own["latency"]["count"]:
        # Each request is due before it is sent, so every rank is at least as long; a percentile
        # may be 0.1 % above its sample.
        for key in ("min", "mean", "p50", "p99", "max"):
            _expect(own["latency"][key] * 1.001 >= own["serviceTime"][key],
                    f"{key} of the response time is below that of the service time")
    if own["stages"]:
        _check_stages(own)


def _check_stages(own):
    wholes = {**own["requests"], "failed": own["requests"]["failed"] + own["requests"]["timedOut"],
              "planned": own["requests"]["planned"] or 0}
    for name in ("planned", "sent", "answered", "failed", "dropped"):
        in_stages = sum(stage[name] for stage in own["stages"])
        _expect(in_stages == wholes[name],
                f"the stages add up to {in_stages} {name}, not {wholes[name]}")
    for name in ("latency", "serviceTime"):
        for stage in own["stages"]:
            _check_histogram(f"{name} of {stage['name']}", stage[name])
        counts = sum(stage[name]["count"] for stage in own["stages"])
        _expect(counts == own[name]["count"], f"the stages have {counts} samples of {name}")
    end = 0
    for stage in own["stages"]:
        _expect(stage["name"] and stage["width"] >= 0, "a stage without a name or a width")
        _expect(stage["start"] == end or stage["width"] == 0, f"{stage['name']} starts elsewhere")
        end = stage["start"] + stage["width"]
        in_flight = stage["sent"] - stage["answered"] - stage["failed"]
        _expect(stage["planned"] == stage["sent"] + stage["dropped"] and in_flight >= 0,
                f"{stage['name']} does not balance")


def _check_histogram(name, histogram, least=1):
    if histogram is None:
        return
    if histogram["count"] == 0:
        sentinels = {k: v for k, v in histogram.items()
                     if k not in ("count", "n") and not isinstance(v, dict) and v is not None}
        _expect(not sentinels, f"{name} of nothing has {sentinels}")
        return
    percentiles = sorted((float(key[1:].replace("_", ".")), value)
                         for key, value in histogram.items() if re.fullmatch(r"p\d+(_\d+)?", key))
    values = [histogram["min"], *(value for _, value in percentiles), histogram["max"]]
    _expect(values == sorted(values), f"the percentiles of {name} do not rise: {values}")
    _expect(histogram["min"] >= least, f"{name} has a minimum of {histogram['min']} ns")


def _expect(holds, message):
    if not holds:
        raise AssertionError(message)


def main():
    """What every test file ends with: a binary that is not there is a failure, not a skip."""
    if not os.access(BINARY, os.X_OK):
        sys.exit(f"{BINARY} does not exist; build it or set CARRONADE")
    unittest.main(verbosity=2)
