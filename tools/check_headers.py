#!/usr/bin/env python3
"""Every header compiles alone.

A header that some .cc includes first is proven by the build itself (tidy.py keeps it first);
the others are compiled here, each as a file of its own.

    tools/check_headers.py BUILD_DIR      (BUILD_DIR has compile_commands.json)
"""

import json
import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from tidy_source import Source  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent


def find_flags(commands):
    """The compiler and its flags, without input and output, of any file of src/."""
    for command in commands:
        if command["file"].startswith(f"{ROOT}/src/"):
            words = shlex.split(command["command"])
            if "ccache" in Path(words[0]).name:
                words = words[1:]
            words = words[: words.index("-o")]
            return [word for word in words if word not in ("-c", "-g")]
    raise SystemExit("check_headers: no file of src/ in compile_commands.json: build first")


def unproven(commands):
    proven = set()
    for command in commands:
        path = Path(command["file"])
        if path.is_relative_to(ROOT / "src") and path.is_file():
            includes = Source(path.read_text(encoding="utf-8")).includes
            proven.update(target for _, target, quoted in includes[:1] if quoted)
    for room in ("include", "src"):
        for header in sorted((ROOT / room).rglob("*.h")):
            name = header.relative_to(ROOT / room).as_posix()
            if name not in proven:
                yield name


def compile_alone(flags, name):
    # -fsyntax-only of a one-line file: what a stranger's first include would be.
    result = subprocess.run(
        [*flags, "-Werror", "-fsyntax-only", "-x", "c++", "-"],
        input=f'#include "{name}"\n', capture_output=True, text=True, check=False,
    )
    return name, result.returncode == 0, result.stderr.strip()


def main():
    commands = json.loads(Path(sys.argv[1], "compile_commands.json").read_text(encoding="utf-8"))
    flags, names = find_flags(commands), list(unproven(commands))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda name: compile_alone(flags, name), names))
    bad = [(name, text) for name, good, text in results if not good]
    for name, text in bad:
        print(f"{name}: does not compile alone: include what it uses\n{text}")
    print(f"check_headers: {len(names)} headers compiled alone, {len(bad)} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
