"""Games of a few files, and the archives that the tests' own writer makes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.builders.projects import Game

if TYPE_CHECKING:
    from pathlib import Path

TEXT = b"the same words, the same words, the same words again " * 8
NOISE = bytes(range(256)) * 2  # compresses by less than half


def a_game(folder: Path, archive: dict[str, Any] | None = None, /, **lump_set: Any) -> Game:
    """A project of one set with everything below `art/`."""
    lump_set = {"root": "art", "files": "**", "rule": "raw", **lump_set}
    return Game(
        folder, {"sets": {"art": lump_set}, "archives": {"base": {"sets": ["art"], **(archive or {})}}}
    )


def shipped(game: Game) -> bytes:
    game.ship()
    return game.read("dist/base.ewad")


def packed(game: Game) -> bytes:
    game.pack()
    return game.read("build/base.ewad")
