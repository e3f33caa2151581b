#!/usr/bin/python3
"""Writes the seeds of the response, chunked and WebSocket fuzz targets from test/transcripts.

Run it from the repository after changing transcripts. Long cases (limits.txt) are left out. The
bytes after the text are the numbers that the targets take from the end of their input.
"""

import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
TRANSCRIPTS = HERE.parent / "test" / "transcripts"
CASE = re.compile(r"^== .*?\n(.*?)^<<<\n(.*?)^>>>( eof)?$", re.S | re.M)
ESCAPE = re.compile(r"\\(x[0-9A-Fa-f]{2}|[rnt0\\])")
# The rest of a folder was found by fuzzing, and stays.
WRITTEN = re.compile(r"_\d\d+$")
SIMPLE = {"r": "\r", "n": "\n", "t": "\t", "0": "\0", "\\": "\\"}


def unescape(line: str) -> str:
    def byte(match: re.Match) -> str:
        kind = match[1]
        return chr(int(kind[1:], 16)) if kind[0] == "x" else SIMPLE[kind]

    return ESCAPE.sub(byte, line)


def fresh_folder(target: str) -> pathlib.Path:
    folder = HERE / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    for seed in folder.iterdir():
        if WRITTEN.search(seed.name):
            seed.unlink()
    return folder


def text_of(case: re.Match) -> bytes:
    return "".join(map(unescape, case[2].split("\n"))).encode("latin-1")


def write_websocket() -> None:
    session = fresh_folder("ws_session_fuzz")
    differential = fresh_folder("ws_differential_fuzz")
    for path in sorted((TRANSCRIPTS / "websocket").glob("*.txt")):
        for number, case in enumerate(CASE.finditer(path.read_text()), 1):
            if "\\repeat" in case[2]:
                continue
            name = f"{path.stem}_{number:02}"
            (session / name).write_bytes(text_of(case) + b"\x07")
            (differential / name).write_bytes(text_of(case))


def main() -> None:
    write_websocket()
    response = fresh_folder("response_fuzz")
    differential = fresh_folder("response_differential_fuzz")
    chunked = fresh_folder("chunked_fuzz")
    for path in sorted(TRANSCRIPTS.glob("*.txt")):
        if path.stem == "limits":
            continue
        for number, case in enumerate(CASE.finditer(path.read_text()), 1):
            text = text_of(case)
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
