"""Finds the peers and installs those that this machine lacks, from Debian and npm."""

import os
import shutil
import subprocess
from pathlib import Path

from child import BenchError

APT_PACKAGES = {  # command -> Debian package
    "nginx": "nginx",
    "openssl": "openssl",
    "node": "nodejs",
    "wrk": "wrk",
    "ab": "apache2-utils",
    "h2load": "nghttp2-client",
    "hey": "hey",
    "siege": "siege",
}
NPM_PACKAGES = ["autocannon@9", "loadtest@8"]
INSTALL_TIMEOUT_S = 300
POLICY = Path("/usr/sbin/policy-rc.d")


def find_command(name):
    """Its path, or None. Servers live where a plain user's PATH does not look."""
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")


def _quietly(argv, **options):
    done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=INSTALL_TIMEOUT_S, check=False,
                          text=True, errors="replace", **options)
    return done.returncode, done.stdout


def _install_debian(packages):
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    forbidding = not POLICY.exists()
    if forbidding:  # nginx would take port 80 as soon as it is installed
        POLICY.write_text("#!/bin/sh\nexit 101\n", encoding="ascii")
        POLICY.chmod(0o755)
    try:
        apt = ["apt-get", "-qq", "-o", "DPkg::Lock::Timeout=120"]
        _quietly([*apt, "update"], env=environment)
        return _quietly([*apt, "install", "-y", "--no-install-recommends", *packages],
                        env=environment)
    finally:
        if forbidding:
            POLICY.unlink()


def install_missing(build, say):
    """Installs what lacks. A peer that cannot be had is said and left out, never an error."""
    packages = [p for command, p in APT_PACKAGES.items() if not find_command(command)]
    if packages:
        if os.geteuid() != 0 or not find_command("apt-get"):
            say(f"not installed and left out (apt and root are needed): {' '.join(packages)}")
        else:
            say(f"installing {' '.join(packages)}")
            code, text = _install_debian(packages)
            if code != 0:
                say(f"apt-get failed: {text.strip().splitlines()[-1:]}")
    if find_command("npm") and not all(node_script(build, n) for n in ("autocannon", "loadtest")):
        say(f"installing {' '.join(NPM_PACKAGES)} from npm")
        folder = build / "npm"
        folder.mkdir(parents=True, exist_ok=True)
        # Without a package.json of its own npm would look for one in the folders above.
        (folder / "package.json").write_text('{"private": true}\n', encoding="ascii")
        code, text = _quietly(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts",
                               *NPM_PACKAGES], cwd=folder)
        if code != 0:
            say(f"npm failed: {text.strip().splitlines()[-1:]}")


def node_script(build, name):
    """The program of an npm peer, or None."""
    folder = build / "npm/node_modules" / name
    for place in (folder / f"{name}.js", folder / f"bin/{name}.js"):
        if place.exists():
            return place
    return None


def find_carronade(root, given):
    """The binary to measure: the given one, or the release's; that of `make bench` where there is
    no release."""
    places = [Path(given)] if given else [root / "build" / b / "carronade" for b in
                                          ("release", "bench")]
    for place in places:
        if os.access(place, os.X_OK):
            return place.resolve()
    raise BenchError(f"no binary at {places[0]}: build it with `make`, or give --carronade PATH")


def find_floor(root, build):
    """build/bench/epoll_floor; compiled here when the build has not made it."""
    built, source = build / "epoll_floor", root / "bench/epoll_floor.cc"
    changed = max(p.stat().st_mtime for p in (source, *source.parent.glob("floor*.h")))
    if built.exists() and built.stat().st_mtime >= changed:
        return built
    compiler = find_command("g++") or find_command("clang++")
    if not compiler:
        raise BenchError(f"{built} is not there and neither is a C++ compiler: run `make bench`")
    build.mkdir(parents=True, exist_ok=True)
    own = build / "epoll_floor_by_compare"
    if not own.exists() or own.stat().st_mtime < changed:
        code, text = _quietly([compiler, "-std=c++20", "-O3", "-DNDEBUG", source, "-o", own])
        if code != 0:
            raise BenchError(f"cannot compile {source}: {text.strip().splitlines()[:1]}")
    return own
