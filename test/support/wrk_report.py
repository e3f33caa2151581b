"""wrk's report as a pattern, written from its documented format."""

import re

TIME = r"[ \d]*\d\.\d\d(us|ms|s |m )"
COUNT = r"[ \d]*\d\.\d\d([kMGT] |  )"
PERCENT = r" *\d+\.\d\d%"
ROW = "{}{}{}{}" + PERCENT
REPORT = re.compile(
    r"Running (\d+)(s|m) test @ \S+\n"
    r"  \d+ threads and \d+ connections\n"
    r"  Thread Stats   Avg      Stdev     Max   \+/- Stdev\n"
    + ROW.format("    Latency   ", TIME, TIME, TIME) + r"\n"
    + ROW.format("    Req/Sec   ", COUNT, COUNT, COUNT) + r"\n"
    r"(  Latency Distribution\n( +(50|75|90|99)%" + TIME + r"\n){4})?"
    r"  (?P<requests>\d+) requests in \d+\.\d\d(us|ms|s|m), (?P<bytes>\d+\.\d\d[KMGT]?)B read\n"
    r"(  Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)\n)?"
    r"(  Non-2xx or 3xx responses: \d+\n)?"
    r"Requests/sec: +(?P<rate>\d+\.\d\d)\n"
    r"Transfer/sec: +\d+\.\d\d[KMGT]?B\n")

# Of a figure, in seconds or as a plain number.
UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "": 1.0, "k": 1e3, "M": 1e6}


def value(text):
    """The number that "0.85ms" or "1.50k" stands for."""
    number, unit = re.fullmatch(r"([\d.]+)([a-zA-Z]*)", text).groups()
    return float(number) * UNITS[unit]
