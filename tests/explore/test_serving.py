"""The served page: to this machine alone, to who knows the path, and nothing that another site could use."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager
from http.client import HTTPConnection
from typing import TYPE_CHECKING

import pytest
from tests.builders import doom_maps, ewad, plain
from tests.explore.conftest import open_lump, subject_of

from lumpyard.disk.mapped import MappedFile
from lumpyard.explore.serving import PIECE, Server, Site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.builders.browser import Browser

DATA = plain.wad([(b"ONE", b"first"), (b"TWO", b"second lump")])


@contextmanager
def serving(data: bytes) -> Iterator[Server]:
    with Server(Site([subject_of(data)])) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def ask(
    server: Server, path: str, *, method: str = "GET", token: str | None = None, **headers: str
) -> tuple[int, dict[str, str], bytes]:
    connection = HTTPConnection("127.0.0.1", server.server_port, timeout=20)
    fields = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, f"/{server.site.token if token is None else token}{path}", headers=fields)
    answer = connection.getresponse()
    found = answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    connection.close()
    return found


def test_it_listens_on_this_machine_alone() -> None:
    with serving(DATA) as server:
        assert server.socket.getsockname()[0] == "127.0.0.1"
        assert server.address == f"http://127.0.0.1:{server.server_port}/{server.site.token}/"


def test_lumps_come_as_bytes_and_in_pieces() -> None:
    with serving(DATA) as server:
        status, fields, body = ask(server, "/lump/1")
        assert (status, body, fields["content-type"]) == (200, b"second lump", "application/octet-stream")
        assert ask(server, "/lump/1?from=7&size=3")[2] == b"lum"
        assert ask(server, "/lump/1?from=99")[2] == b""
        assert ask(server, "/lump/1?from=-1&size=x")[2] == b"second lump"


def test_an_archive_that_was_cut_short_is_told_of_and_not_looked_at(tmp_path: Path) -> None:
    """A look past the new end of a file that is mapped would kill the server, and with it all open pages."""
    path = tmp_path / "x.wad"
    path.write_bytes(plain.wad([(b"ONE", bytes(1 << 20))]))
    with MappedFile(str(path)) as file:
        subject = subject_of(file.data, "x.wad")._replace(has_changed=file.has_changed)  # type: ignore[arg-type]
        site = Site([subject])
        target = f"/{site.token}/lump/0"
        assert site.answer(target).status == 200
        os.truncate(path, 100)
        answer = site.answer(target)
        site.forget()
    said = b"x.wad has changed since it was opened; end `lumpyard explore` and start it again"
    assert (answer.status, answer.body) == (410, said)


def test_no_answer_is_larger_than_a_piece() -> None:
    site = Site([subject_of(plain.pak([(b"a", bytes(PIECE + 5))]))])
    assert len(site.answer(f"/{site.token}/lump/0?size=99999999").body) == PIECE
    assert len(site.answer(f"/{site.token}/lump/0?from={PIECE}").body) == 5


@pytest.mark.parametrize(
    "path",
    [
        "/lump/2",
        "/lump/-1",
        "/lump/x",
        "/lump/",
        "/map/0",
        "/map/1e9",
        "/../",
        "/lump/0/0",
        "/favicon.ico",
        "",
    ],
)
def test_what_is_not_there_is_not_found(path: str) -> None:
    with serving(DATA) as server:
        assert ask(server, path)[0] == 404


def test_without_the_token_there_is_nothing() -> None:
    with serving(DATA) as server:
        for token in ("", "x", server.site.token[:-1], server.site.token + "x", "%00"):
            assert ask(server, "/lump/0", token=token)[0] == 404
        assert len(server.site.token) >= 32
        assert server.site.token != Site([subject_of(DATA)]).token


def test_another_host_is_refused() -> None:
    """So that a name which someone has pointed at 127.0.0.1 leads nowhere."""
    with serving(DATA) as server:
        port = server.server_port
        for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}", ""):
            assert ask(server, "/lump/0", Host=host)[0] == 421, host
        assert ask(server, "/lump/0", Host=f"localhost:{port}")[0] == 200


def test_what_another_site_caused_is_refused() -> None:
    with serving(DATA) as server:
        assert ask(server, "/lump/0", Sec_Fetch_Site="cross-site")[0] == 403
        assert ask(server, "/lump/0", Sec_Fetch_Site="same-site")[0] == 403
        assert ask(server, "/lump/0", Sec_Fetch_Site="same-origin")[0] == 200


def test_nothing_is_kept_sniffed_framed_or_told_on() -> None:
    with serving(DATA) as server:
        for path in ("/", "/lump/0", "/nothing"):
            _, fields, _ = ask(server, path)
            assert fields["x-content-type-options"] == "nosniff"
            assert fields["cache-control"] == "no-store"
            assert fields["referrer-policy"] == "no-referrer"
            assert fields["cross-origin-resource-policy"] == "same-origin"
            assert "default-src 'none'" in fields["content-security-policy"]
        assert "frame-ancestors 'none'" in ask(server, "/")[1]["content-security-policy"]
        assert ask(server, "/lump/0", method="POST")[0] == 501
        head = ask(server, "/lump/0", method="HEAD")
        assert (head[0], head[1]["content-length"], head[2]) == (200, "5", b"")


def test_a_lump_that_does_not_decode_says_why() -> None:
    data = ewad.build([ewad.Written(b"broken", b"\xff\xff", 100)])
    with serving(data) as server:
        status, _, body = ask(server, "/lump/0")
        assert status == 422
        assert b"broken" in body


def test_a_drawing_is_no_document_that_could_do_anything() -> None:
    with serving(doom_maps.wad_of("MAP01", doom_maps.lump_bytes(doom_maps.square()))) as server:
        status, fields, body = ask(server, "/map/0")
        assert (status, fields["content-type"]) == (200, "text/plain; charset=utf-8")
        assert b"<svg" in body
        assert "sandbox" in fields["content-security-policy"]


def test_noise_does_not_stop_it() -> None:
    with serving(DATA) as server:
        for noise in (b"\0\xff\r\n\r\n", b"GET\r\n\r\n", b"GET " + b"/" * 70000 + b" HTTP/1.1\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", server.server_port), timeout=20) as raw:
                raw.sendall(noise)
                raw.shutdown(socket.SHUT_WR)
                while raw.recv(4096):
                    pass
        assert ask(server, "/lump/0")[0] == 200


def test_the_served_page_shows_lumps_and_asks_only_here(browser: Browser) -> None:
    lumps = doom_maps.lump_bytes(doom_maps.square())
    with serving(doom_maps.wad_of("MAP01", {**lumps, "BEHAVIOR": b"ACS\0" + bytes(12)})) as server:
        page = browser.page()
        page.open(server.address)
        open_lump(page, "MAP01/LINEDEFS", "map")
        page.wait("document.querySelector('#panel img')?.naturalWidth > 100")
        open_lump(page, "MAP01/SECTORS", "hex")
        page.wait("document.querySelector('.hex .letters')?.textContent")
        assert page.complaints() == []
        assert all(one.startswith(server.address) for one in page.requests())
        page.close()


def test_the_command_serves_until_ctrl_c(tmp_path: Path) -> None:
    (tmp_path / "a.wad").write_bytes(DATA)
    command = [sys.executable, "-m", "lumpyard.cli.main", "explore", "--serve", "a.wad"]
    env = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, text=True
    ) as process:
        assert process.stdout
        assert process.stderr
        address = process.stdout.readline().strip()
        port, token = address.removeprefix("http://127.0.0.1:").rstrip("/").split("/")
        connection = HTTPConnection("127.0.0.1", int(port), timeout=20)
        connection.request("GET", f"/{token}/lump/0")
        assert connection.getresponse().read() == b"first"
        connection.close()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 0
        assert process.stderr.read() == ""
