"""nginx, apache2 and Node as the tests start them: own folder, own log, free port of loopback.

Each server's `requests()` is its own count, to be read after `stop()`.
"""

import atexit
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from support.certificates import certificates

PAGE = b"<!doctype html><title>carronade</title><p>ahoy" + b" ahoy" * 40 + b"\n"
START_TRIES = 5


def free_port(host="127.0.0.1"):
    """A port that was free a moment ago; who binds it must be ready to try another."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.bind((host, 0))
        return probe.getsockname()[1]


def wait_until(holds, timeout, what):
    end = time.monotonic() + timeout
    while not holds():
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not happen within {timeout} s")
        time.sleep(0.02)


class Server:
    """A server process in a folder of its own."""

    program = ""
    stop_signal = signal.SIGQUIT

    def __init__(self, tls=False):
        self.tls = tls
        self.host = "127.0.0.1"
        self.folder = Path(tempfile.mkdtemp(prefix=f"carronade-{self.program}-"))
        self.folder.chmod(0o755)
        atexit.register(shutil.rmtree, self.folder, True)
        (self.folder / "html").mkdir()
        (self.folder / "html" / "index.html").write_bytes(PAGE)
        self.access_log = self.folder / "access.log"
        self.error_log = self.folder / "error.log"
        self.process = None
        for _ in range(START_TRIES):
            self.port = free_port()
            if self._start():
                return
        raise AssertionError(f"{self.program} does not start: {self._complaints()}")

    def command(self):
        """Writes the configuration for self.port and returns the command line."""
        raise NotImplementedError

    def origin(self):
        return f"{'https' if self.tls else 'http'}://{self.host}:{self.port}"

    def url(self, path="/"):
        return self.origin() + path

    def _start(self):
        with open(self.folder / "output", "wb") as output:
            self.process = subprocess.Popen(self.command(), cwd=self.folder, stdout=output,
                                            stderr=output, stdin=subprocess.DEVNULL)
        end = time.monotonic() + 20
        while time.monotonic() < end and self.process.poll() is None:
            try:
                socket.create_connection((self.host, self.port), timeout=1).close()
                return self.process.poll() is None
            except OSError:
                time.sleep(0.02)
        self.stop()
        return False

    def _complaints(self):
        texts = [path.read_text("utf-8", "replace")[-2000:]
                 for path in (self.folder / "output", self.error_log) if path.exists()]
        return "\n".join(texts)

    def stop(self):
        """Gracefully, so that every request is in the log afterwards."""
        process, self.process = self.process, None
        if process is None:
            return
        process.send_signal(self.stop_signal)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.terminate()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def log(self):
        """The lines of the access log as lists: connection, status, method, path."""
        lines = self.access_log.read_text("utf-8").splitlines()
        return [line.split(" ") for line in lines]

    def requests(self):
        """Requests served; a half request cut off by a client's end is none."""
        return sum(1 for line in self.log() if line[1] != "400" and line[2] not in ("", "-"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Nginx(Server):
    """One worker; plain and, when asked, TLS on the port, and a Unix socket beside it.

    POST /upload keeps each body it gets as a file, see bodies().
    """

    program = "nginx"

    def __init__(self, tls=False, keepalive_requests=1000):
        self.keepalive_requests = keepalive_requests
        super().__init__(tls)

    @property
    def unix(self):
        return str(self.folder / "nginx.sock")

    def command(self):
        config = self.folder / "nginx.conf"
        secure = ""
        if self.tls:
            pems = certificates()
            secure = (f"ssl_certificate {pems.path('server.pem')}; "
                      f"ssl_certificate_key {pems.path('server.key')};")
        bodies = self.folder / "bodies"
        bodies.mkdir(exist_ok=True)
        Path(self.unix).unlink(missing_ok=True)
        user = "user root;" if os.geteuid() == 0 else ""
        config.write_text(f"""
{user}
daemon off; worker_processes 1; pid {self.folder}/nginx.pid; error_log {self.error_log};
events {{ worker_connections 1024; }}
http {{
  log_format counted '$connection $status $request_method $uri';
  access_log {self.access_log} counted;
  client_body_temp_path {bodies}; proxy_temp_path {self.folder}/proxy;
  fastcgi_temp_path {self.folder}/f; uwsgi_temp_path {self.folder}/u;
  scgi_temp_path {self.folder}/s;
  keepalive_requests {self.keepalive_requests}; client_max_body_size 64m;
  server {{
    listen {self.host}:{self.port} {'ssl' if self.tls else ''} backlog=1024;
    listen unix:{self.unix};
    {secure}
    root {self.folder}/html;
    location /upload {{
      client_body_in_file_only on;
      proxy_pass http://unix:{self.folder}/sink.sock:/;
    }}
  }}
  server {{
    listen unix:{self.folder}/sink.sock;
    access_log off;
    location / {{ return 200 "kept"; }}
  }}
}}
""", encoding="ascii")
        (self.folder / "sink.sock").unlink(missing_ok=True)
        return ["nginx", "-p", str(self.folder), "-c", str(config), "-e", str(self.error_log)]

    def bodies(self):
        return [path.read_bytes() for path in (self.folder / "bodies").iterdir()]


class Apache(Server):
    """mpm_event; closes a connection after `keepalive_requests` answers, at once with 0."""

    program = "apache2"
    stop_signal = signal.SIGWINCH

    def __init__(self, tls=False, keepalive_requests=100):
        self.keepalive_requests = keepalive_requests
        super().__init__(tls)

    def command(self):
        config = self.folder / "apache2.conf"
        modules = ["mpm_event", "authz_core", "dir"] + (["ssl"] if self.tls else [])
        loads = "\n".join(f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so"
                          for name in modules)
        secure = ""
        if self.tls:
            pems = certificates()
            secure = (f"SSLEngine on\nSSLCertificateFile {pems.path('server.pem')}\n"
                      f"SSLCertificateKeyFile {pems.path('server.key')}")
        user = "User www-data\nGroup www-data" if os.geteuid() == 0 else ""
        config.write_text(f"""
ServerRoot {self.folder}
DefaultRuntimeDir {self.folder}
Mutex pthread
PidFile {self.folder}/apache.pid
ErrorLog {self.error_log}
ServerName localhost
{loads}
{user}
Listen {self.host}:{self.port}
StartServers 1
ServerLimit 1
ThreadsPerChild 64
MaxRequestWorkers 64
ListenBacklog 1024
KeepAlive {'On' if self.keepalive_requests else 'Off'}
MaxKeepAliveRequests {self.keepalive_requests}
GracefulShutdownTimeout 5
LogFormat "%{{remote}}p %>s %m %U" counted
CustomLog {self.access_log} counted
DocumentRoot {self.folder}/html
DirectoryIndex index.html
{secure}
""", encoding="ascii")
        return ["apache2", "-f", str(config), "-DFOREGROUND"]


class Node(Server):
    """test/support/node_server.js: its count comes from its own output when it stops."""

    program = "node"
    stop_signal = signal.SIGTERM

    def __init__(self, tls=False, port=None):
        self.fixed_port = port
        super().__init__(tls)

    def command(self):
        if self.fixed_port is not None:
            self.port = self.fixed_port
        command = ["node", str(Path(__file__).with_name("node_server.js")), self.host,
                   str(self.port), str(self.access_log)]
        if self.tls:
            pems = certificates()
            command += [pems.path("server.pem"), pems.path("server.key")]
        return command

    def requests(self):
        return int(self.access_log.read_text("ascii").split()[0])

    def connections(self):
        return int(self.access_log.read_text("ascii").split()[1])
