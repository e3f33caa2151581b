"""-F: a form as a server's own multipart parser reads it."""

import email.parser
import email.policy
import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.scripted_peer import Peer, serve  # noqa: E402


def parts_of(request):
    """[(name, file name, type, content)] of a multipart/form-data request."""
    head = f"Content-Type: {request.header('content-type')}\r\n\r\n".encode()
    message = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + request.body)
    assert message.is_multipart(), request.raw
    found = []
    for part in message.iter_parts():
        assert part.get_content_disposition() == "form-data"
        name = part.get_param("name", header="content-disposition")
        typed = part.get_content_type() if part["content-type"] else None
        found.append((name, part.get_filename(), typed, part.get_payload(decode=True)))
    return found


class FormTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.picture = bytes(range(256)) * 3
        (self.folder / "me.png").write_bytes(self.picture)
        self.form = {"name": {"type": "text", "value": "J. D\u00f6"},
                     "photo": {"type": "file", "path": str(self.folder / "me.png")},
                     "doc": {"type": "file", "path": str(self.folder / "me.png"),
                             "options": {"filename": "d.bin", "contentType": "x/y"}}}
        self.expected = [("name", None, None, "J. D\u00f6".encode()),
                         ("photo", "me.png", "image/png", self.picture),
                         ("doc", "d.bin", "x/y", self.picture)]

    def shoot(self, *args, prefix=()):
        with Peer([serve()]) as peer:
            outcome = carronade.run([*prefix, "-c", "1", "-a", "3", *args, peer.url()])
            peer.stop()
        self.assertEqual(0, outcome.code, outcome)
        self.assertEqual([], peer.faults, outcome)
        self.assertEqual(3, len(peer.requests), outcome)
        return peer.requests

    def test_posts_the_parts(self):
        for request in self.shoot("-F", json.dumps(self.form)):
            self.assertEqual("POST", request.method)
            self.assertEqual(self.expected, parts_of(request))
            self.assertEqual(str(len(request.body)), request.header("content-length"))

    def test_from_a_file_with_another_method(self):
        description = self.folder / "form.json"
        description.write_text(json.dumps(self.form), encoding="utf-8")
        for request in self.shoot("-F", str(description), "-m", "PUT"):
            self.assertEqual("PUT", request.method)
            self.assertEqual(self.expected, parts_of(request))

    def test_the_strict_form_stays_with_get(self):
        for request in self.shoot("-F", json.dumps(self.form), prefix=["autocannon"]):
            self.assertEqual("GET", request.method)
            self.assertEqual(self.expected, parts_of(request))

    def test_strict_errors_exit_0(self):
        outcome = carronade.run(["autocannon", "-F", '{"k": {"type": "file"}}',
                                 "http://127.0.0.1:1"])
        self.assertEqual((0, "Missing key 'path' in form object for key 'k'\n"),
                         (outcome.code, outcome.stderr), outcome)


if __name__ == "__main__":
    carronade.main()
