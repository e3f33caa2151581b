#!/usr/bin/python3
"""Writes the seeds of the response and chunked fuzz targets from test/transcripts.

Run it from the repository after changing transcripts. Long cases (limits.txt) are left out. The
bytes after the text are the numbers that the targets take from the end of their input.
"""

import pathlib
import re
import shutil

HERE = pathlib.Path(__file__).resolve().parent
TRANSCRIPTS = HERE.parent / "test" / "transcripts"
CASE = re.compile(r"^== .*?\n(.*?)^<<<\n(.*?)^>>>( eof)?$", re.S | re.M)
ESCAPE = re.compile(r"\\(x[0-9A-Fa-f]{2}|[rnt0\\])")
SIMPLE = {"r": "\r", "n": "\n", "t": "\t", "0": "\0", "\\": "\\"}


def unescape(line: str) -> str:
    def byte(match: re.Match) -> str:
        kind = match[1]
        return chr(int(kind[1:], 16)) if kind[0] == "x" else SIMPLE[kind]

    return ESCAPE.sub(byte, line)


def fresh_folder(target: str) -> pathlib.Path:
    folder = HERE / "corpus" / target
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def main() -> None:
    response = fresh_folder("response_fuzz")
    differential = fresh_folder("response_differential_fuzz")
    chunked = fresh_folder("chunked_fuzz")
    for path in sorted(TRANSCRIPTS.glob("*.txt")):
        if path.stem == "limits":
            continue
        for number, case in enumerate(CASE.finditer(path.read_text()), 1):
            text = "".join(map(unescape, case[2].split("\n"))).encode("latin-1")
            name = f"{path.stem}_{number:02}"
            head = " head" in case[1]
            eof = case[3] is not None
            scenario = eof | 2 | (136 if head else 0)
            (response / name).write_bytes(text + bytes([7, scenario]))
            (differential / name).write_bytes(text + bytes([head | 2 * eof]))
            body = text.partition(b"\r\n\r\n")[2]
            if path.stem == "chunked" and body:
                (chunked / name).write_bytes(body + b"\x07\x05")


if __name__ == "__main__":
    main()
