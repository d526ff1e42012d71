"""Small archives to convert."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.builders import ewad
from tests.builders.arranged import Entry, entries_of

if TYPE_CHECKING:
    from pathlib import Path


MAP = [
    Entry(b"MAP01"),
    *(Entry(name, b"12345") for name in (b"THINGS", b"LINEDEFS", b"SIDEDEFS", b"VERTEXES", b"SECTORS")),
]


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def ewad_of(path: Path, *lumps: tuple[bytes, bytes]) -> Path:
    return write(path, ewad.build([ewad.Written(name, data) for name, data in lumps]))


def names_of(path: Path, format_name: str) -> list[bytes]:
    return [entry.name for entry in entries_of(format_name, path.read_bytes())]
