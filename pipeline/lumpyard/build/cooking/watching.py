"""What the answers to a cook's asks hang on, so that a no-op can see, without reading, that they still hold.

A cook may have run in another process, whose world scanned folders that this one never saw: after a build all asks go
through here once, in the process that keeps the state.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from lumpyard.build.asks import list_inputs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lumpyard.build.asks import World
    from lumpyard.store import Ask


def look_for(asks: Iterable[Ask], world: World) -> None:
    """Have the world look for every file, and list every folder, that the answers hang on; no file is read."""
    for kind, subject in {(ask[0], ask[1]) for ask in asks}:
        if look := _LOOKS.get(kind):
            look(subject, world)


def asked(asks: Iterable[Ask], kind: str) -> dict[str, str]:
    """Subjects and answers of one kind (`env`, `tool`), sorted."""
    return dict(sorted((ask[1], ask[2]) for ask in asks if ask[0] == kind))


_LOOKS: dict[str, Callable[[str, World], object]] = {
    "read": lambda subject, world: world.exists(subject),
    "exists": lambda subject, world: world.exists(subject),
    "glob": lambda subject, world: world.glob(subject),
    "files": lambda subject, world: list_inputs(json.loads(subject), world),
    "namesakes": lambda subject, world: list_inputs(json.loads(subject)[0], world),
}
