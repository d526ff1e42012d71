"""What a build leaves, which files it opens, and damage to one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest
    from tests.builders.projects import Game, Ran


OWN = ".lumpyard"
STATE, RECORD, PRINTS = f"{OWN}/state/ship/base.state", f"{OWN}/built/ship/base.rec", f"{OWN}/fingerprints"


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
