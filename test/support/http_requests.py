"""A strict parser for HTTP/1.1 requests, written for the tests: what the peer really received."""

MAX_HEAD = 1 << 20


class MalformedRequest(Exception):
    """Bytes that are not a request that a strict server would take."""


class Request:
    """One request as it was on the wire."""

    def __init__(self, raw, body, method, target, version, headers, connection):
        self.raw = raw
        self.body = body
        self.method = method
        self.target = target
        self.version = version
        self.headers = headers  # [(name, value)] in order, case kept
        self.connection = connection  # index of the connection it came on

    def values(self, name):
        return [value for key, value in self.headers if key.lower() == name.lower()]

    def header(self, name):
        values = self.values(name)
        return values[0] if values else None


def _parse_head(head):
    lines = head.decode("latin-1").split("\r\n")
    if any("\n" in line or "\r" in line for line in lines):
        raise MalformedRequest(f"bare CR or LF in {head!r}")
    parts = lines[0].split(" ")
    if len(parts) != 3 or not parts[0] or not parts[1] or parts[2] not in ("HTTP/1.1", "HTTP/1.0"):
        raise MalformedRequest(f"request line {lines[0]!r}")
    headers = []
    for line in lines[1:]:
        name, colon, value = line.partition(":")
        if not colon or not name or name != name.strip() or " " in name:
            raise MalformedRequest(f"header line {line!r}")
        headers.append((name, value[1:] if value.startswith(" ") else value))
    return parts[0], parts[1], parts[2], headers


class RequestParser:
    """Bytes in, whole requests out; keeps what is not yet whole."""

    def __init__(self, connection=0):
        self.pending = bytearray()
        self.connection = connection

    def feed(self, data):
        """Returns the requests that `data` completes."""
        self.pending += data
        found = []
        while True:
            request = self._next()
            if request is None:
                return found
            found.append(request)

    def _next(self):
        end = self.pending.find(b"\r\n\r\n")
        if end < 0:
            if len(self.pending) > MAX_HEAD:
                raise MalformedRequest("a head without an end")
            return None
        method, target, version, headers = _parse_head(bytes(self.pending[:end]))
        start = end + 4
        lengths = [v for k, v in headers if k.lower() == "content-length"]
        if any(k.lower() == "transfer-encoding" for k, _ in headers):
            raise MalformedRequest("carronade sends no chunked requests, but this one is")
        if len(lengths) > 1 or (lengths and not lengths[0].isdigit()):
            raise MalformedRequest(f"Content-Length {lengths}")
        stop = start + int(lengths[0] if lengths else 0)
        if len(self.pending) < stop:
            return None
        raw = bytes(self.pending[:stop])
        del self.pending[:stop]
        return Request(raw, raw[start:], method, target, version, headers, self.connection)
