"""How many samples of an HdrHistogram interval log (--hdr) lie above a value.

Written from the format alone: lines `[Tag=…,]start,length,max,base64`, of a cookie, a length and
zlib's bytes; in these a head of 40 bytes and the counts of the buckets, each as a ZigZag LEB128
number, where a negative one stands for so many empty buckets.
"""

import base64
import struct
import zlib
from pathlib import Path

HEAD_BYTES = 40
SUB_BUCKETS = 2048  # of 3 significant digits, from 1 on


def samples_above(path, limit_ns):
    """Of all lines together; a sample counts by the lowest value of its bucket."""
    return sum(count for value, count in samples(path) if value > limit_ns)


def samples(path):
    """(lowest value of the bucket in ns, count), line by line."""
    for line in Path(path).read_text("utf-8").splitlines():
        if line and line[0] not in '#"':
            yield from _buckets(base64.b64decode(line.rsplit(",", 1)[1]))


def _buckets(data):
    _, size = struct.unpack(">ii", data[:8])
    plain = zlib.decompress(data[8:8 + size])
    _, _, offset, digits, lowest, _, _ = struct.unpack(">iiiiqqd", plain[:HEAD_BYTES])
    if (offset, digits, lowest) != (0, 3, 1):
        raise AssertionError(f"offset {offset}, {digits} digits, from {lowest} ns on")
    index = 0
    for number in _numbers(plain[HEAD_BYTES:]):
        if number > 0:
            yield _lowest_value(index), number
        index += max(1, -number)


def _numbers(data):
    number, shift = 0, 0
    for position, byte in enumerate(data):
        # The ninth byte of a number is its last one and whole.
        last = shift == 56 or byte < 0x80
        number |= (byte if shift == 56 else byte & 0x7f) << shift
        shift += 7
        if last:
            yield (number >> 1) ^ -(number & 1)
            number, shift = 0, 0
        elif position == len(data) - 1:
            raise AssertionError("the counts end in the middle of one")


def _lowest_value(index):
    half = SUB_BUCKETS // 2
    if index < SUB_BUCKETS:
        return index
    bucket = index // half - 1
    return (index % half + half) << bucket
