"""Reads the report that loadtest and `carronade loadtest` print."""

import re

REPORT = re.compile(
    r"\n"
    r"Target URL:          (?P<url>.+)\n"
    r"(?:Max requests:        (?P<max_requests>\d+)\n"
    r"|Max time \(s\):        (?P<max_time>[\d.]+)\n)"
    r"(?:Target rps:          (?P<target_rps>[\d.]+)\n)?"
    r"Concurrent clients:  (?P<clients>\d+)\n"
    r"(?:Running on cores:    (?P<cores>\d+)\n)?"
    r"Agent:               (?P<agent>none|keepalive|tcp)\n"
    r"\n"
    r"Completed requests:  (?P<completed>\d+)\n"
    r"Total errors:        (?P<errors>\d+)\n"
    r"Total time:          (?P<time>[\d.]+) s\n"
    r"Mean latency:        (?P<mean>n/a|NaN ms|[\d.]+ ms)\n"
    r"Effective rps:       (?P<rps>n/a|[\d.]+)\n"
    r"\n"
    r"Percentage of requests served within a certain time\n"
    r"  50%      (?P<p50>\S+(?: ms)?)\n"
    r"  90%      (?P<p90>\S+(?: ms)?)\n"
    r"  95%      (?P<p95>\S+(?: ms)?)\n"
    r"  99%      (?P<p99>\S+(?: ms)?)\n"
    r" 100%      (?P<longest>\S+(?: ms)?) \(longest request\)\n"
    r"(?P<codes>(?:\n(?: +\S+:   \d+ errors\n)+)?)")
CODE = re.compile(r"^ +(\S+):   (\d+) errors$", re.MULTILINE)


class LoadtestReport:
    """The figures of a report; `progress` is what was printed before it."""

    def __init__(self, text):
        found = REPORT.search(text)
        if not found or found.end() != len(text):
            raise AssertionError(f"not loadtest's report:\n{text}")
        self.progress = text[:found.start()]
        self.fields = found.groupdict()
        self.completed = int(found["completed"])
        self.errors = int(found["errors"])
        self.clients = int(found["clients"])
        self.seconds = float(found["time"])
        self.codes = {code: int(count) for code, count in CODE.findall(found["codes"])}
        if sum(self.codes.values()) != self.errors:
            raise AssertionError(f"the errors do not add up:\n{text}")
        times = [self.milliseconds(name) for name in ("p50", "p90", "p95", "p99", "longest")]
        if None not in times and times != sorted(times):
            raise AssertionError(f"the percentiles do not rise:\n{text}")

    def milliseconds(self, name):
        """A time of the report, None when it has none."""
        text = self.fields[name].removesuffix(" ms")
        return None if text in ("n/a", "NaN", "false") else float(text)

    @property
    def shape(self):
        """Which lines there are: the labels in their order."""
        return [name for name, value in self.fields.items()
                if value is not None and name != "codes"] + list(self.codes)
