"""The maps among the changes of a diff, compared by what they mean (maps.compare)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.errors import ArchiveError
from lumpyard.report.changes import ADDED, CHANGED, MOVED, REENCODED, REMOVED
from lumpyard.report.map_change import MapChange
from lumpyard.report.wad_changes import wad_changes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lumpyard.maps.finding import MapPlace
    from lumpyard.report.changes import ArchiveDiff
    from lumpyard.report.inventory import Inventory

__all__ = ["MapChange", "find_map_changes"]

_MARKED = frozenset({"IWAD", "PWAD"})  # in others a map is a folder
_SURE = ("/LINEDEFS", "/linedefs", "/TEXTMAP", "/textmap")  # a lump that a map has, in either case
MOST_MAPS = 100  # compared; a map takes up to a second
_LAYOUT = frozenset((MOVED, REENCODED))


def _ignore(_name: str) -> None:
    """Where progress goes that nobody looks at."""


def find_map_changes(diff: ArchiveDiff, progress: Callable[[str], None] = _ignore) -> list[MapChange]:
    """The maps that were added, removed or changed, by name; [] where an archive has none, or is not at hand."""
    if None in (diff.old.archive, diff.new.archive):
        return []
    by_folder = _MARKED.isdisjoint({diff.old.format, diff.new.format})
    ours, theirs = (_maps(each, by_folder=by_folder) for each in (diff.old, diff.new))
    inner = wad_changes(diff, progress, MOST_MAPS) if by_folder else []
    if not ours and not theirs:
        return inner
    found = [MapChange(name, REMOVED) for name in sorted({*ours} - {*theirs})]
    found += [MapChange(name, ADDED) for name in sorted({*theirs} - {*ours})]
    changed = list(_changed(diff, ours, theirs, progress))
    if len(changed) > MOST_MAPS:
        diff.notes.append(f"{len(changed)} maps changed; the first {MOST_MAPS} of them were compared")
    return [*found, *changed[:MOST_MAPS], *inner]


def _maps(inventory: Inventory, *, by_folder: bool) -> dict[str, MapPlace]:
    """The maps by name, or by the paths of their folders."""
    if inventory.format in _MARKED:
        from lumpyard.maps.finding import find_maps  # noqa: PLC0415 - of archives with maps only

        assert inventory.archive is not None
        return {place.name: place for place in find_maps(inventory.archive)}
    if not any(name.endswith(_SURE) for name in inventory.names):
        return {}
    from lumpyard.maps.opening import find_in_folders  # noqa: PLC0415

    return {folder if by_folder else place.name: place for folder, place in find_in_folders(inventory.names)}


def _changed(
    diff: ArchiveDiff,
    ours: dict[str, MapPlace],
    theirs: dict[str, MapPlace],
    progress: Callable[[str], None],
) -> Iterator[MapChange]:
    from lumpyard.maps.compare import compare  # noqa: PLC0415 - of archives with maps only
    from lumpyard.maps.reading import read_map  # noqa: PLC0415

    assert diff.old.archive is not None
    assert diff.new.archive is not None
    told = [change for change in diff.changes if change.status not in _LAYOUT]
    before = {change.old: change.name for change in told if change.old is not None}
    after = {change.new: change.name for change in told if change.new is not None}
    compared = 0
    for name in sorted({*ours} & {*theirs}):
        lumps = {_last(before[at]) for at in _entries(ours[name]) if at in before}
        lumps |= {_last(after[at]) for at in _entries(theirs[name]) if at in after}
        if not lumps:
            continue
        compared += 1
        if compared > MOST_MAPS:
            yield MapChange(name, CHANGED, tuple(sorted(lumps)))
            continue
        progress(name)
        try:
            old = read_map(ours[name], diff.old.archive.read)
            new = read_map(theirs[name], diff.new.archive.read)
        except ArchiveError as error:
            diff.notes.append(f"map {name} was not compared: {error}")
            continue
        yield MapChange(name, CHANGED, tuple(sorted(lumps)), compare(old, new), old, new)


def _entries(place: MapPlace) -> list[int]:
    more = [] if place.gl_marker is None else [place.gl_marker]
    return [
        *([] if place.in_folder else [place.marker]),
        *place.lumps.values(),
        *(entry for _, entry in place.repeated),
        *more,
        *place.gl.values(),
    ]


def _last(name: str) -> str:
    return name.rpartition("/")[2]
