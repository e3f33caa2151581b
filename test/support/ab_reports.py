"""Reads ab's text report as a list of lines with names, so that two can be compared."""

import re

NUMBER = re.compile(r"\d+(?:\.\d+)?")
BANNER_LINES = 4


def lines_of(stdout):
    """The report line by line, without the banner, whose words are each program's own."""
    return stdout.split("\n")[BANNER_LINES:]


def shape(line):
    """A line with every number replaced and runs of blanks in front of one made one."""
    return re.sub(r" +#", " #", NUMBER.sub("#", line))


def is_verdict(line):
    """The warnings about mean and median come and go with the figures."""
    return line.startswith(("WARNING: The", "ERROR: The", "        These", "       deviation"))


def fields(stdout):
    """{label: [numbers]}; lines that have the same label have #2 behind it."""
    found = {}
    for line in lines_of(stdout):
        if is_verdict(line):
            continue
        match = re.match(r" *([\w%/ -]+?)(?::| {2,})(?= *\(?[^ ])(.*)", line)
        if not match:
            continue
        label = match[1]
        while label in found:
            label += "#2"
        found[label] = [float(number) for number in NUMBER.findall(match[2])]
    return found
