"""What a build leaves, which files it opens, and damage to one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from tests.build.edits import shipped_game
from tests.builders.projects import Ran

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from tests.builders.projects import Game


OWN = ".lumpyard"
STATE, RECORD, PRINTS = f"{OWN}/state/ship/base.state", f"{OWN}/built/ship/base.rec", f"{OWN}/fingerprints"


def settled_game(folder: Path) -> Game:
    """A project that has been shipped, and looked at since.

    Folders that are listed while rules cook may be listed later than their files are read, so the run after a cook
    looks at them once more.
    """
    game = shipped_game(folder)
    assert game.ship() == Ran()
    return game


def opened(game: Game, patch: pytest.MonkeyPatch, *tasks: str) -> tuple[list[str], dict[str, Ran]]:
    """Files of the project that a run opens, seen from its folder, and what it did."""
    real, paths = os.open, []

    def watched(path: Any, flags: int, *rest: Any, **more: Any) -> int:
        paths.append(os.fsdecode(path))
        return real(path, flags, *rest, **more)

    with patch.context() as patched:
        patched.setattr(os, "open", watched)
        ran = game.run(*tasks)
    start = f"{game.folder}/"
    return sorted({path.removeprefix(start) for path in paths if path.startswith(start)}), ran


def flip(game: Game, path: str) -> None:
    data = bytearray(game.read(path))
    data[len(data) * 2 // 3] ^= 1
    game.write({path: bytes(data)})
