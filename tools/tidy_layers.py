"""Who may include whom. The table of layers is read from docs/architecture.md; the rooms of the
third-party libraries (docs/dependencies.md) stand here."""

import re
from collections import namedtuple
from pathlib import PurePosixPath

# level: the number in the table; allowed: the folders a file in here may include.
Layer = namedtuple("Layer", "level allowed")

# A header of a library, and the only files that may name it.
_TEST = r"_(test|bench)\.cc$|_test_\w+\.(h|cc)$|^test/"
ROOMS = [
    (r"openssl/", r"^src/net/tls_\w+\.(h|cc)$|^src/base/digest|" + _TEST, "OpenSSL: net/tls_*"),
    (r"nlohmann/", r"^src/(report|cluster|dialects)/|" + _TEST, "JSON: report, cluster, dialects"),
    (r"tl/expected", r"^include/carronade/expected\.h$", 'include "carronade/expected.h" instead'),
    (r"idn2\.h$", r"^src/http/url\w*\.cc$", "libidn2: http/url"),
    (
        r"zlib\.h$",
        r"^src/report/hdr_\w+\.(h|cc)$|^src/base/inflate|" + _TEST,
        "zlib: report/hdr_*, base/inflate",
    ),
    (r"http_parser\.h$", r"^fuzz/", "http-parser: fuzz, as the other opinion"),
    (r"lua(jit|lib|xlib)?\.h(pp)?$", r"^src/script/", "LuaJIT: script"),
    (r"yaml-cpp/", r"^src/dialects/loadtest/", "yaml-cpp: dialects/loadtest"),
    (r"pcre2\.h$", r"^src/dialects/loadtest/", "PCRE2: dialects/loadtest"),
    (r"wslay/", r"^fuzz/|_bench\.cc$", "wslay: fuzz and bench, as the other opinion"),
    (r"liburing\.h$", r"^bench/", "liburing: the floor that bench/ measures"),
    (r"benchmark/", r"_bench\.cc$|^bench/", "Google Benchmark: *_bench.cc"),
    (r"g(test|mock)/", _TEST, "GoogleTest: *_test.cc"),
    (r"fmt/", r"^(src|apps|fuzz|test|bench|node/src|cmake)/", "the public headers need no fmt"),
    (r"(napi|node_api)\.h$", r"^node/src/", "Node-API: node"),
    (r"uv\.h$", r"^node/src/loop_driver\.(h|cc)$", "libuv: node's loop_driver"),
    (r"sys/epoll\.h$", r"^src/net/|^bench/|" + _TEST, "waiting is net/loop's"),
]
# The system: C++ (no dot, no slash), C and POSIX.
_C_HEADERS = set(
    "aio assert ctype dirent dlfcn errno fcntl fenv float ftw getopt glob grp iconv ifaddrs "
    "inttypes langinfo libgen limits link locale malloc math mqueue netdb paths poll pthread pwd "
    "sched semaphore setjmp signal spawn stdalign stdarg stdatomic stdbool stddef stdint stdio "
    "stdlib string strings syslog termios time uchar ucontext unistd utime wchar wctype".split()
)
_SYSTEM = re.compile(r"[a-z_]+$|(sys|netinet|arpa|net|linux|sanitizer)/\w+\.h$|cxxabi\.h$")


def read_layers(page):
    """{folder: Layer} from the rows `| level | `folder` … | `allowed` … |` of the page."""
    layers = {}
    for line in page.read_text(encoding="utf-8").split("\n"):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) < 3 or not re.fullmatch(r"\d+|–", cells[0]):
            continue
        level = int(cells[0]) if cells[0].isdigit() else None
        allowed = frozenset(re.findall(r"`([^`]+)`", cells[2]))
        for folder in re.findall(r"`([^`]+)`", cells[1]):
            layers[folder] = Layer(level, allowed)
    if not layers:
        raise SystemExit(f"{page}: no table of layers found: tidy reads who may include whom there")
    return layers


def folder_of(path):
    """The layer that a file of the repo belongs to."""
    parts = PurePosixPath(path).parts
    if parts[0] == "src":
        return "/".join(parts[:2])
    return "include/carronade" if parts[0] == "include" else parts[0]


def layer_of_target(path, target, texts):
    """The layer of the quoted include `target`, or None when it names no file of ours. Outside
    of src/ a neighbour goes by its bare name, and so do the helpers of tests."""
    prefixes = ["include/", "src/", "test/"]
    if "/" not in target:
        prefixes = [] if path.startswith("src/") else [f"{PurePosixPath(path).parent}/"]
        prefixes += ["test/support/"] if path.endswith("_test.cc") else []
    for prefix in prefixes:
        if prefix + target in texts:
            return folder_of(prefix + target)
    return None


def _dialect(path):
    match = re.match(r"(?:src/)?dialects/([^/]+)/", path)
    return match[1] if match else None


def _check_ours(path, line, target, layers, texts):
    folder, wanted = folder_of(path), layer_of_target(path, target, texts)
    if wanted is None:
        text = f'"{target}": no such file; write it from src/ or include/'
        return (path, line, "include-path", text)
    if folder not in layers:
        return (path, 1, "layer", f"{folder} is not in the table of docs/architecture.md")
    allowed = layers[folder].allowed
    if "everything" in allowed or wanted in (folder, "include/carronade"):
        if _dialect(path) and _dialect(target) not in (None, _dialect(path)):
            return (path, line, "layer", f'"{target}": a dialect includes no other dialect')
        return None
    if wanted == "test" and path.endswith(("_test.cc", "_bench.cc")):
        return None
    if wanted not in allowed:
        text = f'"{target}": {folder} may include {", ".join(sorted(allowed)) or "nothing of ours"}'
        return (path, line, "layer", text + "; calls go down, data comes back up")
    return None


def _check_theirs(path, line, target):
    for pattern, room, text in ROOMS:
        if re.match(pattern, target):
            if re.search(room, path):
                return None
            return (path, line, "room", f"<{target}> is out of its room ({text})")
    stem = target.removesuffix(".h")
    if _SYSTEM.match(target) or (target.endswith(".h") and stem in _C_HEADERS):
        return None
    return (path, line, "room", f"<{target}>: not a library of docs/dependencies.md")


def check_layers(path, includes, layers, texts):
    for line, target, quoted in includes:
        found = (
            _check_ours(path, line, target, layers, texts)
            if quoted
            else _check_theirs(path, line, target)
        )
        if found:
            yield found


def check_links(path, text, layers):
    """The link line repeats the table: a library never names one that stands above it."""
    folder = folder_of(path)
    if not path.startswith("src/") or folder not in layers:
        return
    for call in re.finditer(r"carronade_library\((.*?)\)", text, re.DOTALL):
        for name in re.finditer(r"\bcarronade_(\w+)", call[1]):
            layer = layers.get(f"src/{name[1]}")
            line = text.count("\n", 0, call.start(1) + name.start()) + 1
            if layer and f"src/{name[1]}" != folder and layer.level >= layers[folder].level:
                if f"src/{name[1]}" not in layers[folder].allowed:
                    advice = f"{folder} links carronade_{name[1]}, which is not below it"
                    yield (path, line, "link", advice)
