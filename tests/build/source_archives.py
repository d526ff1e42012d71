"""A game whose texts are lumps of an archive, through `mounts` and by rule `archive`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest
from tests.builders import plain
from tests.builders.projects import Game, Lump, expected

from lumpyard.errors import ProblemsError
from lumpyard.ledger import parse_ledger

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = {
    b"text/a.txt": b"the first text\n",
    b"text/b.txt": b"the second text\n",
    b"text/sub/c.txt": b"the third text\n",
    b"art/x.dat": b"some bytes " * 20,
}
ARCHIVE = "vendor/base.pak"


def a_pak(changes: dict[bytes, bytes | None] | None = None) -> bytes:
    """The archive, with some lumps other, added, or (None) left out."""
    lumps = {**TEXTS, **(changes or {})}
    return plain.pak([(name, raw) for name, raw in lumps.items() if raw is not None])


MOUNTED: dict[str, Any] = {
    "mounts": [ARCHIVE],
    "sets": {"texts": {"files": "text/**/*.txt", "rule": "text"}, "art": {"files": "art/*.dat"}},
    "archives": {"base": {"sets": ["texts", "art"]}},
}
EXPANDED: dict[str, Any] = {
    "sets": {
        "texts": {"files": ARCHIVE, "rule": "archive", "options": {"only": "text/**", "rule": "text"}},
        "art": {"files": ARCHIVE, "rule": "archive", "options": {"only": "art/**"}},
    },
    "archives": {"base": {"sets": ["texts", "art"]}},
}
WAYS = pytest.mark.parametrize("way", [MOUNTED, EXPANDED], ids=["mount", "rule"])


def a_game(folder: Path, way: dict[str, Any], archive: bytes | None = None) -> Game:
    game = Game(folder, way)
    game.write({ARCHIVE: a_pak() if archive is None else archive})
    return game


def shipped(lumps: dict[str, bytes]) -> bytes:
    """The archive that the tests' own writer makes of them; `.txt` is of type TEXT."""
    return expected(
        [
            Lump(name, raw, fourcc="TEXT" if name.endswith(".txt") else "", schema=int(name.endswith(".txt")))
            for name, raw in lumps.items()
        ]
    )


def sources_of(game: Game) -> dict[str, str]:
    """Source of each lump, by its name, as the symbols have it."""
    return {lump.name: lump.source for lump in parse_ledger(game.read("symbols/base.ewsym")).lumps}


def problems_of(game: Game) -> list[str]:
    with pytest.raises(ProblemsError) as caught:
        game.ship()
    return [f"{problem.place} {problem.code} {problem.message}" for problem in caught.value.problems]


SEEN = {name.decode(): raw for name, raw in TEXTS.items()}


def rewrite(game: Game, data: bytes) -> None:
    """Other bytes in place, as tools write; where the size is the same the mtime stays too."""
    path = game.folder / ARCHIVE
    before = path.stat()
    with path.open("r+b") as file:
        file.write(data)
        file.truncate()
    if len(data) == before.st_size:
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
