#!/usr/bin/env python3
"""Checks the rules of the house (docs/architecture.md) over the tree, without a compiler.

    tools/tidy.py [--root DIR]

Prints `path:line: rule: what to do` for each breach and exits with 1 when there is one. The
table of layers is read from docs/architecture.md, so that the page and the check cannot differ.
"""

import argparse
import ast
import os
import re
import sys
from collections import namedtuple
from pathlib import Path, PurePosixPath

sys.path.insert(0, str(Path(__file__).resolve().parent))
from tidy_layers import check_layers, check_links, read_layers  # noqa: E402
from tidy_source import Source  # noqa: E402

Finding = namedtuple("Finding", "path line rule text")

FILE_LINES, HEADER_LINES, FUNCTION_LINES, COLUMNS = 400, 120, 70, 100
SKIPPED_FOLDERS = {".git", ".cache", "__pycache__", "node_modules", "build"}
CODE = (".cc", ".h", ".py", ".sh", ".cmake", ".js")
# Data, not code: as long as it needs to be, under the names it needs.
DATA = re.compile(r"^(test/(golden|transcripts|data)|fuzz/corpus)/|_flags\.cc$")
# The edge of the program: main(), the shared end of a run (src/cli), CHECK, and what is no product.
MAY_PRINT = re.compile(
    r"^(apps|test|fuzz|bench|tools|src/cli)/|^src/base/check\.h$"
    r"|_(test|bench)\.cc$|_test_\w+\.(h|cc)$"
)
NO_SHARED_PTR = re.compile(r"^src/(load|net|http|stats)/(?!.*_test\.cc$)")

BANNED = {
    r"\b(?:s?rand|random_shuffle)\s*\(": "use base/random with a seed",
    r"\b(?:strcpy|strcat|stpcpy|gets|strtok)\s*\(": "use std::string or std::string_view",
    r"\bv?sprintf\s*\(": "use fmt::format_to_n or std::snprintf",
    r"(?<![\w.:>])(?:std::|::)?(?:system|popen)\s*\(": "nothing here starts a shell",
    r"\b(?:atoi|atol|atoll|atof)\s*\(": "use std::from_chars or base/units, which see errors",
    r"\b(?:strtol|strtoul|strtoll|strtoull|strtod)\s*\(": "use std::from_chars",
    r"\b(?:gethostbyname|inet_addr|inet_ntoa)\s*\(": "use net/resolve and net/address",
    r"\b(?:localtime|gmtime|asctime|ctime)\s*\(": "use the _r form: others run beside you",
    r"(?<![\w.:>])(?:std::|::)?strerror\s*\(": "use base::errno_text, which is thread-safe",
    r"\b(?:alloca|setjmp|longjmp)\s*\(": "not in this house",
    r"\busing\s+namespace\s+(?!std::(?:literals|chrono_literals)|\w+_literals)": "write the name",
    r"\.detach\s*\(\s*\)": "join the thread; net/resolve.cc alone may leave one behind",
    r"\bstd::endl\b": r"write '\n'",
}
BANNED_EXCEPT = {r"\.detach\s*\(\s*\)": "src/net/resolve.cc"}

HOT_BANNED = {
    r"\bstd::(?:move_only_)?function\b": "call through a template or a virtual once per batch",
    r"\bthrow\b|\btry\b|\bcatch\b": "errors are values",
    r"\bstd::(?:\w*mutex|lock_guard|unique_lock|scoped_lock|condition_variable)\b": "no lock",
    r"\bpthread_mutex\w*": "no lock",
    r"\bstd::(?:unordered_)?(?:multi)?(?:map|set)\b": "it allocates a node each: use a vector",
    r"\bstd::(?:list|forward_list|deque|regex|any)\b": "it allocates: use a vector",
    r"\bstd::(?:shared_ptr|make_shared|async)\b": "values and unique_ptr",
    r"\bv?(?:f|s|sn)?printf\s*\(|\bfmt::print": "no logging",
    r"\bstd::(?:[io]?stringstream|cout|cerr|clog|to_string)\b|<iostream>": "no streams",
    r"\bdynamic_cast\b": "decide once at the start",
}

PRINTING = {
    r"\b(?:v?printf|puts|putchar|perror)\s*\(": "return the text",
    r"\b(?:stdout|stderr|STDOUT_FILENO|STDERR_FILENO)\b": "take the stream from the caller",
    r"\bstd::(?:cout|cerr|clog)\b": "return the text",
    r'\bfmt::print\s*\(\s*"': "return the text",
    r"(?<![\w.>])(?:std::|::)?(?:_?exit|_Exit|quick_exit|abort|terminate)\s*\(": "return an error",
}


def files_of(root):
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if f not in SKIPPED_FOLDERS)
        for name in sorted(names):
            path = PurePosixPath(os.path.relpath(os.path.join(folder, name), root))
            found.append(str(path))
    return found


def check_size(path, lines):
    if not DATA.search(path):
        limit = HEADER_LINES if path.endswith(".h") else FILE_LINES
        count = len(lines) - (lines[-1] == "")
        if count > limit:
            yield Finding(path, limit + 1, "file-size", f"{count} lines, at most {limit}: split it")
    for number, line in enumerate(lines, 1):
        if len(line) > COLUMNS and not path.startswith(("test/golden/", "test/transcripts/")):
            yield Finding(path, number, "line-length", f"{len(line)} columns, at most {COLUMNS}")


def check_words(path, lines):
    words = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X|HA" + r"CK)\b")
    for number, line in enumerate(lines, 1):
        match = words.search(line)
        if match:
            text = f"{match[1]}: do it, or open an issue and say what holds today"
            yield Finding(path, number, "no-notes", text)


def check_name(path):
    name = PurePosixPath(path).name
    if name != "__init__.py" and not re.fullmatch(r"[a-z][a-z0-9_]*(\.[a-z0-9]+)+", name):
        yield Finding(path, 1, "file-name", "snake_case, please")


def check_unique_names(paths):
    seen = {}
    for path in paths:
        name = PurePosixPath(path).name
        if not path.endswith(CODE) or DATA.search(path) or name == "__init__.py":
            continue
        if name in seen:
            text = f"{seen[name]} has this name already: file names are unique in the repo"
            yield Finding(path, 1, "unique-name", text)
        seen.setdefault(name, path)


def _matches(source, patterns):
    for number, line in enumerate(source.code_lines, 1):
        for pattern, advice in patterns.items():
            match = re.search(pattern, line)
            if match:
                yield number, pattern, match.group().strip(), advice


def check_calls(path, source):
    for number, pattern, found, advice in _matches(source, BANNED):
        if BANNED_EXCEPT.get(pattern) != path:
            yield Finding(path, number, "banned", f"`{found}`: {advice}")
    if not MAY_PRINT.search(path):
        for number, _, found, advice in _matches(source, PRINTING):
            text = f"`{found}`: only apps/ prints or exits; {advice}"
            yield Finding(path, number, "prints", text)
    if NO_SHARED_PTR.search(path):
        for number, _, found, _ in _matches(source, {r"\bstd::(shared_ptr|make_shared)\b": ""}):
            text = f"`{found}`: ownership here is a value or a unique_ptr"
            yield Finding(path, number, "shared-ptr", text)


def is_hot(source):
    return source.lines[0].startswith("// HOT.")


def check_hot(path, source, texts):
    if not is_hot(source):
        return
    for number, _, found, advice in _matches(source, HOT_BANNED):
        yield Finding(path, number, "hot", f"`{found}` in a hot file: {advice}")
    folder, stem = PurePosixPath(path).parent, PurePosixPath(path).stem
    # The code of a public header, and so its benchmark, lies in one of the folders of src/.
    anywhere = path.startswith("include/")
    benches = [
        p
        for p in texts
        if p.endswith("_bench.cc") and (anywhere or PurePosixPath(p).parent == folder)
    ]
    named = re.compile(rf"(?<![a-z0-9]){re.escape(stem)}(?![a-z0-9])")
    if not any(named.search(PurePosixPath(p).name + "\n" + texts[p]) for p in benches):
        text = f"no *_bench.cc beside it includes or names {stem}: hot files are measured"
        yield Finding(path, 1, "hot-bench", text)


def check_functions(path, source):
    if DATA.search(path):
        return
    for name, first, last in source.functions:
        if last - first + 1 > FUNCTION_LINES:
            text = f"{name} has {last - first + 1} lines, at most {FUNCTION_LINES}: split it"
            yield Finding(path, first, "function-size", text)


def check_python_functions(path, text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            count = node.end_lineno - node.lineno + 1
            if count > FUNCTION_LINES:
                advice = f"{node.name} has {count} lines, at most {FUNCTION_LINES}: split it"
                yield Finding(path, node.lineno, "function-size", advice)


def check_directives(path, source):
    inside = source.function_lines()
    for number, line in enumerate(source.code_lines, 1):
        if number in inside and re.match(r"\s*#\s*(if|ifdef|ifndef|elif)\b", line):
            text = "a condition in a body: make it a second .cc that CMake chooses"
            yield Finding(path, number, "ifdef", text)


_NOT_A_VARIABLE = re.compile(
    r"(__extension__\s+)?"
    r"(using|typedef|namespace|extern|template|friend|static_assert|class|struct|enum|union)\b"
)
_CONSTANT = re.compile(r"\b(const|constexpr|consteval)\b")


def is_mutable_variable(statement, kind):
    if _NOT_A_VARIABLE.match(statement) or _CONSTANT.search(statement):
        return False
    if kind == "type" and not re.match(r"(inline\s+|thread_local\s+)*static\b", statement):
        return False
    before_value = re.split(r"[={]", statement, maxsplit=1)[0]
    return "(" not in before_value and len(re.findall(r"\w+", before_value)) >= 2


def check_globals(path, source):
    text = "mutable global: several runs live in one process; put it into an object"
    for line, statement, kind in source.statements:
        if is_mutable_variable(statement, kind):
            yield Finding(path, line, "global", text)
    inside = source.function_lines()
    for number, line in enumerate(source.code_lines, 1):
        static = re.match(r"\s*(static|thread_local)\s+(?!.*\b(const|constexpr)\b)", line)
        if static and number in inside and "(" not in line.split("=")[0].split("{")[0]:
            yield Finding(path, number, "global", text)


def check_header(path, source):
    code = [line.strip() for line in source.code_lines if line.strip()]
    if not code or code[0] != "#pragma once":
        yield Finding(path, 1, "pragma-once", "#pragma once comes before anything but comments")


def check_namespace(path, source):
    parts = PurePosixPath(path).parts
    if parts[0] not in ("src", "include"):
        return
    name = "carronade" if parts[0] == "include" else f"carronade::{parts[1]}"
    if not re.search(rf"\bnamespace\s+{name}\b", source.code):
        implements_public = re.search(r"\bnamespace\s+carronade\s*\{", source.code)
        if path.endswith(".h") or not implements_public:
            yield Finding(path, 1, "namespace", f"one namespace per folder: {name}")


def check_built(path, lists):
    """A source that no CMakeLists.txt or .cmake file names is dead: never compiled, never run.
    `lists`: the text of those files, by folder."""
    name = PurePosixPath(path).name
    if path.startswith("fuzz/"):  # carronade_fuzz(NAME …) adds the .cc itself
        name = name.removesuffix(".cc")
    named = re.compile(rf"(?<!\w){re.escape(name)}\b")
    places = [lists.get(str(folder), "") for folder in PurePosixPath(path).parents]
    if path.startswith("test/"):  # test/support is compiled by those who use it
        places = lists.values()
    if any(named.search(text) for text in places):
        return
    yield Finding(path, 1, "dead-file", "no CMakeLists.txt here or above names it")


def check_own_header(path, source, texts):
    """First, so that compiling the .cc proves that the header compiles alone."""
    own = path.removesuffix(".cc") + ".h"
    if own in texts and (not source.includes or "src/" + source.includes[0][1] != own):
        yield Finding(path, 1, "own-header", f"include {own.removeprefix('src/')} first")


def check_dead_headers(texts, sources):
    included = {target for source in sources.values() for _, target, _ in source.includes}
    for path in texts:
        if path.startswith("src/") and path.endswith(".h"):
            if path.removeprefix("src/") not in included:
                yield Finding(path, 1, "dead-file", "nobody includes it")


def check_cpp(path, source, texts):
    yield from check_functions(path, source)
    yield from check_calls(path, source)
    yield from check_hot(path, source, texts)
    yield from check_directives(path, source)
    yield from check_globals(path, source)
    yield from check_namespace(path, source)
    if path.endswith(".h"):
        yield from check_header(path, source)
    elif path.startswith("src/"):
        yield from check_own_header(path, source, texts)


def check_tree(root):
    """All findings over the tree at `root`, in the order of the paths."""
    paths = files_of(root)
    code = [p for p in paths if p.endswith(CODE) or PurePosixPath(p).name == "CMakeLists.txt"]
    texts = {p: Path(root, p).read_text(encoding="utf-8") for p in code}
    sources = {p: Source(text) for p, text in texts.items() if p.endswith((".cc", ".h"))}
    lists = {}
    for path, text in texts.items():
        if path.endswith((".cmake", "CMakeLists.txt")):
            folder = str(PurePosixPath(path).parent)
            lists[folder] = lists.get(folder, "") + text
    layers = read_layers(Path(root, "docs/architecture.md"))
    findings = list(check_unique_names(paths))
    for path, text in texts.items():
        lines = text.split("\n")
        findings += check_size(path, lines)
        findings += check_words(path, lines)
        if path.endswith((".cc", ".h", ".py", ".sh")):
            findings += check_name(path)
        if path.endswith((".cc", "_test.py")):
            findings += check_built(path, lists)
        if path.endswith(".py"):
            findings += check_python_functions(path, text)
        if PurePosixPath(path).name == "CMakeLists.txt":
            findings += [Finding(*f) for f in check_links(path, text, layers)]
    for path, source in sources.items():
        findings += check_cpp(path, source, texts)
        findings += [Finding(*f) for f in check_layers(path, source.includes, layers, texts)]
    findings += check_dead_headers(texts, sources)
    return sorted(findings), len(texts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--root", default=Path(__file__).resolve().parent.parent)
    root = parser.parse_args().root
    findings, files = check_tree(root)
    for finding in findings:
        print(f"{finding.path}:{finding.line}: {finding.rule}: {finding.text}")
    print(f"tidy: {files} files, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
