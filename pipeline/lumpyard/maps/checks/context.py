"""What a map is checked against: a game, a target, the textures there are, and what is to be ignored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps.tables.games import VANILLA

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from lumpyard.maps.model import Number
    from lumpyard.maps.textures import Textures


class Ignore(NamedTuple):
    """Findings that are known and wanted."""

    id: str
    why: str  # for people; never empty
    x: Number | None = None  # of the finding; without x and y all of the id are meant
    y: Number | None = None
    map: str = ""  # name of the map; empty for any


@dataclass(frozen=True, slots=True)
class CheckContext:
    """What is known beside the map itself."""

    target: str = VANILLA  # of TARGETS
    game: str | None = None  # of GAMES; None to guess it from the map
    textures: Textures | None = None  # None where no base archive is mounted: names are not looked up
    ignores: Sequence[Ignore] = ()
    things: Collection[int] = ()  # numbers that the project's own scripts or patches add
    recorded: str = ""  # what `recording.judge` says of the map; "" where no file has fingerprints
