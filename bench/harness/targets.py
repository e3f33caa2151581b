"""The servers that are fired at. All listen on loopback, on ports that the kernel picks."""

import os
import re
import socket
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from child import BenchError, Cost, cpu_seconds, high_water_bytes, pinned, stop

START_TIMEOUT_S = 10
BIG_BYTES = 1024 * 1024
SMALL_BYTES = 13  # with the bundled server's header block: an answer of 78 bytes
# A client that opens a connection per request leaves its port to the last run's TIME_WAIT for a
# minute. Each run fires at an address of its own, and so has all ports to itself.
FRESH_ADDRESSES = [f"127.0.1.{n}" for n in range(1, 129)]

NGINX_CONF = """\
{user}
worker_processes 1;
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log error;
events {{ worker_connections 8192; multi_accept on; }}
http {{
  access_log off;
  server_tokens off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  keepalive_timeout 600s;
  open_file_cache max=16;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  ssl_certificate {folder}/cert.pem;
  ssl_certificate_key {folder}/key.pem;
  ssl_protocols TLSv1.3;
  ssl_session_cache off;
  ssl_session_tickets off;
  server {{
    {listen}
    default_type text/plain;
    location = / {{ return 200 "0123456789abc"; }}
    location = /big {{ root {folder}; }}
  }}
}}
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for_port(process, host, port, name):
    deadline = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < deadline and process.poll() is None:
        try:
            socket.create_connection((host, port), 1).close()
            return
        except OSError:
            time.sleep(0.02)
    raise BenchError(f"{name} did not listen on {host}:{port} within {START_TIMEOUT_S} s")


@dataclass
class Usage:
    """What a server has used so far, in the shape of a child's Cost."""

    pids: list = field(default_factory=list)

    def cost(self):
        user = system = 0.0
        for pid in self.pids:
            one_user, one_system = cpu_seconds(pid)
            user, system = user + one_user, system + one_system
        return Cost(user, system, sum(high_water_bytes(p) for p in self.pids))


class Nginx:
    """nginx with one worker: plain and TLS 1.3 on two ports, a 13-byte body and a 1 MiB file."""

    name = "nginx"

    def __init__(self, program, folder, core):
        self.plain_port, self.tls_port = free_port(), free_port()
        self._fresh = 0
        folder = Path(folder)
        (folder / "big").write_bytes(b"x" * BIG_BYTES)
        self._make_certificate(folder)
        listen = "".join(f"listen {host}:{self.plain_port} backlog=4096;\n    "
                         for host in ["127.0.0.1", *FRESH_ADDRESSES])
        listen += "".join(f"listen {host}:{self.tls_port} ssl backlog=4096;\n    "
                          for host in ["127.0.0.1", *FRESH_ADDRESSES])
        user = "user root;" if os.geteuid() == 0 else ""
        (folder / "nginx.conf").write_text(
            NGINX_CONF.format(user=user, folder=folder, listen=listen), encoding="ascii")
        self.process = subprocess.Popen(
            pinned(core, [program, "-p", folder, "-c", folder / "nginx.conf",
                          "-e", folder / "error.log"]),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True)
        try:
            wait_for_port(self.process, "127.0.0.1", self.plain_port, self.name)
            self.usage = Usage(self._worker_pids())
        except BenchError:
            self.stop()
            raise

    @staticmethod
    def _make_certificate(folder):
        # P-256 signs fastest of what all peers take: the server is to be the limit last.
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
             "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
             "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", folder / "key.pem",
             "-out", folder / "cert.pem"],
            check=True, timeout=30, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)

    def _worker_pids(self):
        pid = self.process.pid
        deadline = time.monotonic() + START_TIMEOUT_S
        while time.monotonic() < deadline:
            text = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
            if text.split():
                return [int(child) for child in text.split()]
            time.sleep(0.02)
        raise BenchError("nginx started no worker")

    def address(self, tls=False, fresh=False):
        """Host and port; a `fresh` host has not been used for a good while."""
        host = "127.0.0.1"
        if fresh:
            host = FRESH_ADDRESSES[self._fresh % len(FRESH_ADDRESSES)]
            self._fresh += 1
        return host, self.tls_port if tls else self.plain_port

    big_path = "/big"

    def stop(self):
        stop(self.process)


class Serve:
    """The bundled test server, one thread."""

    name = "carronade serve"

    def __init__(self, program, core, host="127.0.0.1", arguments=("--bytes", str(SMALL_BYTES))):
        self.host = host
        self.process = subprocess.Popen(
            pinned(core, [program, "serve", "-H", host, "-p", "0", *arguments]),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            start_new_session=True, text=True)
        line = self.process.stdout.readline()
        match = re.search(r":(\d+)\s*$", line)
        if not match:
            self.stop()
            raise BenchError(f"the bundled server did not say where it listens: {line.strip()!r}")
        self.port = int(match[1])
        self.usage = Usage([self.process.pid])

    def address(self, tls=False, fresh=False):
        if tls or fresh:
            raise BenchError("the bundled server is used plain and on one address here")
        return self.host, self.port

    big_path = f"/bytes/{BIG_BYTES}"

    def stop(self):
        stop(self.process)
        self.process.stdout.close()
