"""siege's text report, as lines that a test can hold figures against."""

import re

# Of siege 4.1.7; the old form has other widths and units.
REPORT = re.compile(
    r"Transactions:\t\t *(?P<transactions>\d+)    hits\n"
    r"Availability:\t\t *(?P<availability>[\d.]+) %\n"
    r"Elapsed time:\t\t *(?P<elapsed>[\d.]+) secs\n"
    r"Data transferred:\t *(?P<megabytes>[\d.]+) MB\n"
    r"Response time:\t\t *(?P<response>[\d.]+) ms\n"
    r"Transaction rate:\t *(?P<rate>[\d.]+) trans/sec\n"
    r"Throughput:\t\t *(?P<throughput>[\d.]+) MB/sec\n"
    r"Concurrency:\t\t *(?P<concurrency>[\d.]+)\n"
    r"Successful transactions: *(?P<successful>\d+)\n"
    r"Failed transactions:\t *(?P<failed>\d+)\n"
    r"Longest transaction:\t *(?P<longest>[\d.]+) ms\n"
    r"Shortest transaction:\t *(?P<shortest>[\d.]+) ms\n"
    r" \n")


def figures(stderr):
    """{name: number} of the one report in the text; None when there is none."""
    found = REPORT.search(stderr)
    return None if found is None else {k: float(v) for k, v in found.groupdict().items()}
