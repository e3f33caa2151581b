"""The machine and the versions that a measurement belongs to."""

import datetime
import json
import os
import platform
import re
import subprocess
from pathlib import Path

from packages import find_command, node_script

VERSION_OPTIONS = {  # command -> how it tells its version
    "nginx": "-v", "wrk": "--version", "wrk2": "--version", "ab": "-V", "h2load": "--version",
    "siege": "--version", "node": "--version",
}


def _first_line(argv):
    try:
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=10, check=False, text=True,
                              errors="replace")
    except (OSError, subprocess.TimeoutExpired):
        return ""
    lines = [line.strip() for line in done.stdout.splitlines() if line.strip()]
    return lines[0] if lines else ""


def _cpu_model():
    for line in Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def _system():
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except OSError:
        return platform.system()


def _commit(root):
    """The commit, with a mark when the tree differs from it."""
    sha = _first_line(["git", "-C", str(root), "rev-parse", "--short", "HEAD"])
    if not re.fullmatch(r"[0-9a-f]+", sha):
        return "unknown"
    return sha + (" with changes" if _first_line(["git", "-C", str(root), "status",
                                                  "--porcelain", "-uno"]) else "")


def _debian_version(package):
    line = _first_line(["dpkg-query", "-W", "-f", "${Version}", package])
    return line if line and " " not in line else ""


def tool_versions(carronade, build):
    """(name, version) of all that took part."""
    found = [("carronade", _first_line([str(carronade), "--version"]).removeprefix("carronade "))]
    for command, option in VERSION_OPTIONS.items():
        if find_command(command):
            line = _first_line([find_command(command), option])
            match = re.search(r"v?(\d+(?:\.\d+)+)", line)
            found.append((command, match[1] if match else line))
    if find_command("hey"):
        found.append(("hey", _debian_version("hey") or "unknown"))
    for name in ("autocannon", "loadtest"):
        if node_script(build, name):
            manifest = build / "npm/node_modules" / name / "package.json"
            found.append((name, json.loads(manifest.read_text(encoding="utf-8"))["version"]))
    return found


def describe(root, carronade, build):
    """(name, value) lines that head a report."""
    load = os.getloadavg()[0]
    versions = ", ".join(" ".join(pair) for pair in tool_versions(carronade, build))
    return [
        ("date", datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")),
        ("machine", f"{os.cpu_count()} × {_cpu_model()}, {_system()}, Linux {platform.release()}"),
        ("load before", f"{load:.2f} (one-minute average; above 0.5 something else was running)"),
        ("commit", _commit(root)),
        ("versions", versions),
    ]
