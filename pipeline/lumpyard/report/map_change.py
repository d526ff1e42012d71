"""What a diff says of one map."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lumpyard.maps.diff import MapDiff
    from lumpyard.maps.model import DoomMap


class MapChange(NamedTuple):
    """One map whose lumps are among the changes."""

    name: str  # bytes that are not UTF-8 as surrogate escapes
    status: str  # added, removed or changed
    lumps: tuple[str, ...] = ()  # names of those that changed
    diff: MapDiff | None = None  # of what changed; false where nothing that the map means did
    old: DoomMap | None = None
    new: DoomMap | None = None

    @property
    def is_meant(self) -> bool:
        """Whether more changed than a node builder changes."""
        return self.diff is None or bool(self.diff)
