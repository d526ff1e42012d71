"""A game of every kind of lump, and edits of it."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from tests.builders.local_rules import INCLUDES, PARTS, SLOW, WORDING
from tests.builders.projects import Game

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WORDS = b"one word and another word and one word more, "
MANIFEST: dict[str, Any] = {
    "rules": ["tools/slow.py", "tools/shader.py", "tools/parts.py"],
    "sets": {
        "plain": {"files": "art/*.bin"},
        "packed": {"files": "hc/*.bin", "compress": "lz4hc"},
        "text": {"files": "text/*.txt"},
        "slow": {"files": "slow/*.slow", "rule": "slow"},
        "shaders": {"files": "shaders/*.shader"},
        "parts": {"files": "parts/*.parts", "optional": True},
    },
    "archives": {"base": {"sets": ["plain", "packed", "text", "slow", "shaders", "parts"]}},
}
FILES = {
    "art/a.bin": WORDS * 3,
    "art/b.bin": WORDS * 5,
    "art/c.bin": bytes(range(256)),  # nothing to save
    "art/empty.bin": b"",
    "hc/x.bin": WORDS * 40,
    "hc/y.bin": bytes(range(255)),
    "text/t.txt": WORDS * 2 + b"\n",
    "text/u.txt": WORDS * 4 + b"\n",
    "slow/s.slow": WORDS * 6,
    "slow/t.slow": WORDS * 7,
    "shaders/one.shader": b"include noise.h\n" + WORDS,
    "shaders/two.shader": b"include light.h\ninclude noise.h\n" + WORDS * 2,
    "inc/second/light.h": b"include noise.h\nlight " * 20 + b"\n",
    "inc/second/noise.h": b"noise " * 20 + b"\n",
    "tools/slow.py": SLOW.encode(),
    "tools/wording.py": WORDING.encode(),
    "tools/shader.py": INCLUDES.encode(),
    "tools/parts.py": PARTS.encode(),
}
COOKS = 6  # of a clean build: two texts, two slow ones, two shaders
ENCODES = 11  # all but the empty file
# What is gone with an archive: the two texts, and the LZ4 blocks. Costly cooks and HC blocks are in the store, and of
# what does not compress the size is known.
LOST = (2, 8)


def shipped_game(folder: Path) -> Game:
    """A project that has been shipped."""
    game = Game(folder / "game", MANIFEST)
    game.write(FILES)
    assert game.ship().work == (COOKS, ENCODES)
    return game


def manifest_with(path: str, value: Any) -> dict[str, Any]:
    """The manifest with one key set: `sets.plain.schema`."""
    return with_key(MANIFEST, path, value)


def with_key(manifest: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """The same of any manifest."""
    changed: dict[str, Any] = json.loads(json.dumps(manifest))
    at = changed
    *above, last = path.split(".")
    for key in above:
        at = at.setdefault(key, {})
    at[last] = value
    return changed


def writes(path: str, data: bytes) -> Callable[[Game], None]:
    """An edit of a file."""
    return lambda game: game.write({path: data})


def in_place(path: str, data: bytes) -> Callable[[Game], None]:
    """An edit that keeps size, mtime and inode."""

    def edit(game: Game) -> None:
        target = game.folder / path
        before = target.stat()
        assert len(data) == before.st_size
        with target.open("r+b") as file:
            file.write(data)
        os.utime(target, ns=(before.st_atime_ns, before.st_mtime_ns))
        after = target.stat()
        assert (after.st_size, after.st_mtime_ns, after.st_ino) == (
            before.st_size,
            before.st_mtime_ns,
            before.st_ino,
        )

    return edit


def removed(*paths: str) -> Callable[[Game], None]:
    def edit(game: Game) -> None:
        for path in paths:
            (game.folder / path).unlink()

    return edit


def renamed(path: str, to: str) -> Callable[[Game], None]:
    def edit(game: Game) -> None:
        (game.folder / path).rename(game.folder / to)

    return edit


def relinked(path: str, to: str) -> Callable[[Game], None]:
    """A file that becomes a link to another."""

    def edit(game: Game) -> None:
        (game.folder / path).unlink()
        (game.folder / path).symlink_to(to)

    return edit


def flipped(path: str, at: int = -3) -> Callable[[Game], None]:
    """One byte of a file turned over, its size and mtime as they were."""

    def edit(game: Game) -> None:
        data = bytearray(game.read(path))
        data[at] ^= 0x55
        in_place(path, bytes(data))(game)

    return edit
