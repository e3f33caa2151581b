"""Small rooms for one process: few descriptors, few local ports, another /etc/hosts."""

import atexit
import ctypes
import functools
import os
import socket
import subprocess
import tempfile
import threading
import unittest

CLONE_NEWNET = 0x40000000


def with_descriptors(count):
    """Command prefix: hard and soft RLIMIT_NOFILE are `count`."""
    return ["/bin/sh", "-c", f'ulimit -n {count}; exec "$@"', "sh"]


def with_dual_stack_localhost():
    """Command prefix: localhost is ::1 and 127.0.0.1; skips the test where that cannot be had."""
    if not _has_ipv6():
        raise unittest.SkipTest("no ::1 on this machine")
    families = {info[0] for info in socket.getaddrinfo("localhost", 80, 0, socket.SOCK_STREAM)}
    if {socket.AF_INET, socket.AF_INET6} <= families:
        return []
    prefix = ["unshare", "-m", "/bin/sh", "-c",
              f'mount --bind {_hosts_file()} /etc/hosts && exec "$@"', "sh"]
    if subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode != 0:
        raise unittest.SkipTest("localhost has one address here and may not be given two")
    return prefix


@functools.lru_cache(maxsize=1)
def _hosts_file():
    with tempfile.NamedTemporaryFile("w", prefix="carronade-hosts-", delete=False) as file:
        file.write("127.0.0.1 localhost\n::1 localhost\n")
    os.chmod(file.name, 0o644)
    atexit.register(os.unlink, file.name)
    return file.name


def _has_ipv6():
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as sock:
            sock.bind(("::1", 0))
        return True
    except OSError:
        return False


def require_ipv6():
    if not _has_ipv6():
        raise unittest.SkipTest("no ::1 on this machine")


def in_network_namespace(function):
    """Calls `function` on a thread with a network of its own, where only loopback exists.

    Sockets made and processes started by that thread live in there. Skips the test where this
    is not allowed.
    """
    outcome = {}

    def body():
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.unshare(CLONE_NEWNET) != 0:
            outcome["error"] = unittest.SkipTest(
                f"no network namespace: {os.strerror(ctypes.get_errno())}")
            return
        try:
            subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
            function()
        except BaseException as fault:  # handed to the test's own thread
            outcome["error"] = fault

    thread = threading.Thread(target=body)
    thread.start()
    thread.join()
    if "error" in outcome:
        raise outcome["error"]


def narrow_local_ports(first, last):
    """Within in_network_namespace: connections get a local port of that range only."""
    try:
        with open("/proc/sys/net/ipv4/ip_local_port_range", "w", encoding="ascii") as file:
            file.write(f"{first} {last}")
    except OSError as fault:
        raise unittest.SkipTest(f"the range of local ports cannot be changed: {fault}") from None
