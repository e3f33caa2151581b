"""tinyproxy as the tests start it: on a free port of loopback, with its own log as the witness."""

import re
import signal
import unittest

from support.certificates import certificates
from support.serve_process import ServeProcess
from support.servers import Server, wait_until


class TinyProxy(Server):
    """An HTTP proxy that also makes tunnels. `connect_ports`: the only ports that CONNECT may
    reach; none: all. `credentials`: the (user, password) that it wants."""

    program = "tinyproxy"
    stop_signal = signal.SIGTERM

    def __init__(self, connect_ports=(), credentials=None):
        self.connect_ports = connect_ports
        self.credentials = credentials
        super().__init__()

    def command(self):
        config = self.folder / "tinyproxy.conf"
        lines = [f"Port {self.port}", f"Listen {self.host}", "Timeout 30", "MaxClients 200",
                 f'LogFile "{self.access_log}"', "LogLevel Connect",
                 f'PidFile "{self.folder}/tinyproxy.pid"', "Allow 127.0.0.1",
                 *(f"ConnectPort {port}" for port in self.connect_ports)]
        if self.credentials:
            lines.append("BasicAuth {} {}".format(*self.credentials))
        config.write_text("\n".join(lines) + "\n", encoding="ascii")
        return ["tinyproxy", "-d", "-c", str(config)]

    def proxy_url(self, credentials=""):
        return f"http://{credentials + '@' if credentials else ''}{self.host}:{self.port}"

    def asked(self):
        """(method, target) of every request that it was asked for, refused ones included."""
        text = self.access_log.read_text("utf-8", "replace")
        return re.findall(r"Request \(file descriptor \d+\): (\S+) (\S+) HTTP/", text)

    def tunnels(self):
        return [target for method, target in self.asked() if method == "CONNECT"]

    def wait_for(self, count):
        """Its log is written behind the answers."""
        wait_until(lambda: len(self.asked()) >= count, 10, f"{count} lines in tinyproxy's log")


class ProxiedCase(unittest.TestCase):
    """A test with tinyproxy and bundled servers, which end with it."""

    def proxy(self, **options):
        proxy = TinyProxy(**options)
        self.addCleanup(proxy.stop)
        return proxy

    def serve(self, *args):
        server = ServeProcess(*args)
        self.addCleanup(server.stop)
        return server


def tls_args(name="server"):
    """Of `carronade serve`: TLS with a certificate of our own CA."""
    pems = certificates()
    return ("--tls", "--cert", pems.path(f"{name}.pem"), "--key", pems.path(f"{name}.key"))
