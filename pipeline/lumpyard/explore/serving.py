"""The page over HTTP, to programs of this machine that know where: 127.0.0.1, a free port, a path nobody can guess.

| path below the token | gives |
|---|---|
| `/` | the page |
| `/lump/ROW?from=A&size=B` | bytes of a lump, as `application/octet-stream` |
| `/map/N` | a drawing, as `text/plain`: opened by itself it is no document that could do anything |

A request whose `Host` is not this server's own is refused, so that a name that some other page has pointed at 127.0.0.1
leads nowhere; and so is one that a browser says another site has caused.
"""

from __future__ import annotations

from hmac import compare_digest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import token_urlsafe
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qs, urlsplit

from lumpyard.errors import ArchiveError
from lumpyard.explore.page import make_served_page
from lumpyard.explore.places import draw_map, places_of
from lumpyard.explore.subject import locate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.explore.subject import Subject

PIECE = 4 * 1024 * 1024  # bytes that one answer holds at most
_TEXT = "text/plain; charset=utf-8"
_BYTES = "application/octet-stream"


class Answer(NamedTuple):
    """What the server says."""

    status: int
    kind: str
    body: bytes
    policy: str = "default-src 'none'; sandbox"


class Site:
    """All answers, without a network."""

    def __init__(self, subjects: Sequence[Subject]) -> None:
        self.subjects = subjects
        self.token = token_urlsafe(24)
        page = make_served_page(subjects)
        self._page = Answer(
            200, "text/html; charset=utf-8", page.html, f"{page.policy}; frame-ancestors 'none'"
        )
        self._maps = [(subject, place) for subject in subjects for place in places_of(subject.archive).maps]
        self._lock = Lock()  # one lump is decoded at a time, and the last one is kept
        self._last: tuple[int, bytes | memoryview] | None = None

    def answer(self, target: str) -> Answer:
        """What is at a path with its query."""
        parts = urlsplit(target)
        words = parts.path.split("/")
        if len(words) < 3 or not compare_digest(words[1].encode(), self.token.encode()):
            return Answer(404, _TEXT, b"there is nothing here\n")
        match words[2:]:
            case [""]:
                return self._page
            case ["lump", row] if _is_number(row):
                query = parse_qs(parts.query)
                return self._lump(int(row), _number(query, "from", 0), _number(query, "size", PIECE))
            case ["map", number] if _is_number(number) and int(number) < len(self._maps):
                return self._map(int(number))
        return Answer(404, _TEXT, b"there is nothing here\n")

    def _lump(self, row: int, start: int, size: int) -> Answer:
        located = locate(self.subjects, row)
        if located is None:
            return Answer(404, _TEXT, b"there is no such lump\n")
        if located.subject.has_changed():
            return _changed(located.subject)
        with self._lock:
            if self._last is None or self._last[0] != row:
                self._last = None
                try:
                    self._last = (row, located.subject.archive.read(located.entry))
                except ArchiveError as error:
                    return Answer(422, _TEXT, str(error).encode("utf-8", "backslashreplace"))
            return Answer(200, _BYTES, bytes(self._last[1][start : start + min(size, PIECE)]))

    def _map(self, number: int) -> Answer:
        subject, place = self._maps[number]
        if subject.has_changed():
            return _changed(subject)
        with self._lock:
            return Answer(200, _TEXT, draw_map(subject.archive, place).encode("utf-8", "backslashreplace"))

    def forget(self) -> None:
        """Let go of the lump that is kept: it may be a view of a file that is about to be closed."""
        with self._lock:
            self._last = None


def _changed(subject: Subject) -> Answer:
    said = f"{subject.path} has changed since it was opened; end `lumpyard explore` and start it again"
    return Answer(410, _TEXT, said.encode("utf-8", "backslashreplace"))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 16


def _number(query: dict[str, list[str]], name: str, default: int) -> int:
    text = query.get(name, [""])[-1]
    return int(text) if _is_number(text) else default


class Server(ThreadingHTTPServer):
    """A site on a free port of 127.0.0.1."""

    daemon_threads = True

    def __init__(self, site: Site) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.site = site

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://127.0.0.1:{self.server_port}/{self.site.token}/"

    def is_own_host(self, host: str | None) -> bool:
        """Whether a request was meant for this server."""
        return host in {f"127.0.0.1:{self.server_port}", f"localhost:{self.server_port}"}

    def server_bind(self) -> None:
        """Bind, and ask no name server what this machine is called."""
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = "127.0.0.1", self.server_address[1]

    def handle_error(self, request: object, client_address: object) -> None:
        """Nothing: a browser that hangs up has seen enough."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "lumpyard"
    sys_version = ""
    timeout = 60  # seconds that a connection may say nothing

    def do_GET(self) -> None:
        self._send(self._answer())

    def do_HEAD(self) -> None:
        self._send(self._answer(), body=False)

    def _answer(self) -> Answer:
        server = self.server
        assert isinstance(server, Server)
        if not server.is_own_host(self.headers.get("Host")):
            return Answer(421, _TEXT, b"this server answers for 127.0.0.1 alone\n")
        if self.headers.get("Sec-Fetch-Site", "none") not in {"none", "same-origin"}:
            return Answer(403, _TEXT, b"another site may not ask here\n")
        return server.site.answer(self.path)

    def _send(self, answer: Answer, *, body: bool = True) -> None:
        self.send_response(answer.status)
        for name, value in (
            ("Content-Type", answer.kind),
            ("Content-Length", str(len(answer.body))),
            ("Content-Security-Policy", answer.policy),
            ("X-Content-Type-Options", "nosniff"),
            ("X-Frame-Options", "DENY"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Referrer-Policy", "no-referrer"),
            ("Cache-Control", "no-store"),
        ):
            self.send_header(name, value)
        self.end_headers()
        if body:
            self.wfile.write(answer.body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Nothing: whoever looks at a page does not want a line for each lump."""
