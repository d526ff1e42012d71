"""A game that was built once; when something is wrong, it is told, and the old archive stays."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from tests.builders.local_rules import MOODY
from tests.builders.projects import Game, Ran, clean_build, leftovers

from lumpyard.errors import Error

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WORDS = b"one word and another word and one word more, "
LARGE = WORDS * 110_000  # above 4 MiB, which go through in pieces where they stay raw
MANIFEST: dict[str, Any] = {
    "rules": ["tools/moody.py"],
    "sets": {
        "art": {"files": "art/*"},
        "moody": {"files": "moody/*", "rule": "moody"},
        "large": {"files": "large/*", "compress": "none"},
    },
    "archives": {"base": {"sets": ["art", "moody", "large"]}},
}
FILES = {
    "art/a.bin": WORDS,
    "art/b.bin": WORDS * 2,
    "art/c.bin": WORDS * 3,
    "moody/m": b"good",
    "large/l.bin": LARGE,
    "tools/moody.py": MOODY.encode(),
}


def shipped_game(folder: Path) -> Game:
    """A project that has been shipped."""
    game = Game(folder / "game", MANIFEST)
    game.write(FILES)
    game.ship()
    return game


@contextmanager
def refused(game: Game, status: int, *says: str) -> Iterator[None]:
    """A ship in the block fails with this status and these lines, and leaves all as it was."""
    before = game.outputs()
    with pytest.raises(Error) as caught:
        yield
    lines = str(caught.value).splitlines()
    assert (caught.value.exit_status, lines) == (status, list(says))
    assert game.outputs() == before
    assert leftovers(game.folder) == []


def mended(game: Game) -> None:
    """With everything as it was, the next ship is right."""
    game.set_manifest(MANIFEST)
    game.write(FILES)
    game.ship()
    assert (
        game.outputs().items()
        >= clean_build(game.folder, game.folder.with_name("clean"), "ship:base").items()
    )
    assert game.ship() == Ran()


def with_set(name: str, /, **said: Any) -> dict[str, Any]:
    """The manifest with another set."""
    return {**MANIFEST, "sets": {**MANIFEST["sets"], name: said}}
