"""Certificates made on the spot with the openssl command: nothing secret lies in the repo."""

import atexit
import functools
import shutil
import ssl
import subprocess
import tempfile
from pathlib import Path


class Certificates:
    """PEM files in a temporary folder, and the contexts that Python servers need.

    ca.pem signs server.pem (localhost, 127.0.0.1, ::1), other.pem (other.example only) and
    client.pem; NAME.key is the key of each.
    """

    def __init__(self, folder):
        self.folder = Path(folder)
        self._make_ca()
        self._sign("server", "DNS:localhost,IP:127.0.0.1,IP:::1", "serverAuth")
        self._sign("other", "DNS:other.example", "serverAuth")
        self._sign("client", "DNS:client.example", "clientAuth")

    def path(self, name):
        return str(self.folder / name)

    def _openssl(self, *args):
        subprocess.run(["openssl", *args], cwd=self.folder, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def _make_ca(self):
        self._openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                      "-nodes", "-keyout", "ca.key", "-out", "ca.pem", "-days", "30",
                      "-subj", "/CN=carronade test CA")

    def _sign(self, name, alternatives, usage):
        self._openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                      "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}")
        (self.folder / f"{name}.ext").write_text(
            f"subjectAltName={alternatives}\nextendedKeyUsage={usage}\n", encoding="ascii")
        self._openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key",
                      "-CAcreateserial", "-days", "30", "-extfile", f"{name}.ext",
                      "-out", f"{name}.pem")

    def server_context(self, name="server", client_required=False, tls12=False):
        """A fresh context for a scripted peer, with ALPN http/1.1."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.path(f"{name}.pem"), self.path(f"{name}.key"))
        context.set_alpn_protocols(["h2", "http/1.1"])
        if tls12:
            context.maximum_version = ssl.TLSVersion.TLSv1_2
        if client_required:
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(self.path("ca.pem"))
        return context


@functools.lru_cache(maxsize=1)
def certificates():
    """The certificates of this process, made at the first call."""
    folder = tempfile.mkdtemp(prefix="carronade-certificates-")
    atexit.register(shutil.rmtree, folder, True)
    Path(folder).chmod(0o755)
    return Certificates(folder)
