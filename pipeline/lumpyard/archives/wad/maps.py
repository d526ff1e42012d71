"""Maps in a WAD: a marker, by any name, and the lumps behind it that by their names make a map.

- doom: `THINGS` `LINEDEFS` `SIDEDEFS` `VERTEXES` `SEGS` `SSECTORS` `NODES` `SECTORS` `REJECT` `BLOCKMAP`; at the least
  two of the five that nothing can rebuild
- hexen: those with `BEHAVIOR`, and perhaps `SCRIPTS`
- udmf: `TEXTMAP`, anything, `ENDMAP`
- gl: `GL_VERT` `GL_SEGS` `GL_SSECT` `GL_NODES` `GL_PVS` behind a marker of their own, as glBSP writes them into a file
  apart; directly behind a map of that name they belong to it

Nothing is read but names. Whether the lumps fit together is not decided here.

Source: docs/formats.md, section Namespaces and maps; the specification has no maps.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives.model import Finding, shown
from lumpyard.archives.wad import map_lumps

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


def _names(names: Iterable[str]) -> frozenset[bytes]:
    return frozenset(name.encode() for name in names)


_EDITED, _BINARY, _GL = _names(map_lumps.EDITED), _names(map_lumps.OWN), _names(map_lumps.GL)
_FIRST = frozenset({b"THINGS", b"LINEDEFS"})  # what a map starts with
_TEXT = _names(map_lumps.TEXT)
_INSIDE = _TEXT - {b"TEXTMAP", b"ENDMAP"}
_ALL = _BINARY | _TEXT | _GL
_MARKER = re.compile(rb"[A-Z0-9]{1,2}_(?:START|END)")
# Of names that start so an engine may take only the first part: `MAP01 L` is MAP01 in vanilla Doom.
_NEAR_MISS = re.compile(rb"(MAP\d\d|E\dM\d)[^A-Z0-9_]")
_MOST_FOREIGN = 2  # lumps inside a map that are none of its own, as a picture before BLOCKMAP


class MapSet(NamedTuple):
    """One map."""

    marker: int  # its entry
    lumps: tuple[int, ...]  # entries of its lumps, ascending; without the marker
    form: str  # doom, hexen, udmf or gl


class Maps(NamedTuple):
    """All maps of a WAD in directory order, and what is odd about them (verdict `ok`)."""

    maps: list[MapSet]
    findings: list[Finding]


def find_maps(names: Sequence[bytes]) -> Maps:
    """The maps of a WAD from its entries' names, in upper or lower case."""
    folded = [name.upper() for name in names]
    maps: list[MapSet] = []
    findings: list[Finding] = []
    after = 0  # the entry behind the map before
    for first in (entry for entry, name in enumerate(folded) if name in _ALL):
        marker = first - 1
        if marker < after or not _may_head(folded[marker]):
            continue
        found = _udmf(folded, marker) or _binary(folded, marker) or _gl(folded, marker)
        if found:
            maps.append(found)
            after = found.lumps[-1] + 1
            findings.extend(_odd(names, folded, found))
    return Maps(maps, [*findings, *_twice(names, folded, maps)])


def _may_head(name: bytes) -> bool:
    return name != b"" and name not in _ALL and not _MARKER.fullmatch(name)


def _udmf(folded: Sequence[bytes], marker: int) -> MapSet | None:
    """All from TEXTMAP to ENDMAP; without an ENDMAP, as many as are known to be of a map."""
    if folded[marker + 1] != b"TEXTMAP":
        return None
    known = marker + 2
    while known < len(folded) and folded[known] in _INSIDE:
        known += 1
    for entry in range(known, len(folded)):
        if folded[entry] == b"ENDMAP":
            return MapSet(marker, tuple(range(marker + 1, entry + 1)), "udmf")
        if folded[entry] in {b"TEXTMAP", b"THINGS"}:  # another map's
            break
    return MapSet(marker, tuple(range(marker + 1, known)), "udmf")


def _binary(folded: Sequence[bytes], marker: int) -> MapSet | None:
    """The lumps of a Doom or Hexen map and the GL lumps behind them, passing over few that are neither."""
    lumps: list[int] = []
    met: set[bytes] = set()
    entry: int | None = marker + 1
    while entry is not None and entry < len(folded):
        if folded[entry] in _BINARY:
            lumps.append(entry)
            met.add(folded[entry])
            entry += 1
        else:
            entry = _over_foreign(folded, entry, met)
    if len(met & _EDITED) < 2:
        return None
    gl = _gl(folded, lumps[-1] + 1)
    if gl and folded[gl.marker] in {b"GL_" + folded[marker][:5], b"GL_LEVEL"}:
        lumps += [gl.marker, *gl.lumps]
    return MapSet(marker, tuple(lumps), "hexen" if b"BEHAVIOR" in met else "doom")


def _over_foreign(folded: Sequence[bytes], entry: int, met: set[bytes]) -> int | None:
    """The next lump of the map behind some that are none of its own; None where the map ends."""
    for follower in range(entry + 1, min(entry + 1 + _MOST_FOREIGN, len(folded))):
        if not _may_head(folded[follower - 1]):
            return None
        name = folded[follower]
        if name in _BINARY:
            return follower if name not in met and name not in _FIRST else None
    return None


def _gl(folded: Sequence[bytes], marker: int) -> MapSet | None:
    """The GL lumps behind a marker of their own."""
    end = marker + 1
    while end < len(folded) and folded[end] in _GL:
        end += 1
    if end == marker + 1 or not folded[marker].startswith(b"GL_"):
        return None
    return MapSet(marker, tuple(range(marker + 1, end)), "gl")


def _odd(names: Sequence[bytes], folded: Sequence[bytes], found: MapSet) -> Iterator[Finding]:
    """What is odd about one map."""
    head = _label(names, found.marker)
    near = _NEAR_MISS.match(folded[found.marker])
    if near:
        what = f"it starts like {shown(near[1])}, which is what some engines take it for"
        yield Finding(
            "map-name", f"{head}: {what}; to all others it is a map of another name", found.marker, "ok"
        )
    if found.form == "udmf" and folded[found.lumps[-1]] != b"ENDMAP":
        yield Finding("map-unclosed", f"{head}: the map has TEXTMAP, but no ENDMAP", found.marker, "ok")
    own = _TEXT if found.form == "udmf" else _ALL
    met: set[bytes] = set()
    for entry in range(found.marker + 1, found.lumps[-1] + 1):
        name = folded[entry]
        if name in met:
            yield Finding("map-repeat", f"{_label(names, entry)}: {head} has this lump twice", entry, "ok")
        elif name not in own and not name.startswith(b"GL_"):
            yield Finding(
                "map-foreign", f"{_label(names, entry)}: it stands inside the map of {head}", entry, "ok"
            )
        met.add(name)


def _twice(names: Sequence[bytes], folded: Sequence[bytes], maps: Sequence[MapSet]) -> Iterator[Finding]:
    """A warning for each map that has the name of one before."""
    first: dict[bytes, int] = {}
    for found in maps:
        entry = first.setdefault(folded[found.marker], found.marker)
        if entry != found.marker:
            message = f"{_label(names, found.marker)}: {_label(names, entry)} starts a map of the same name"
            yield Finding("map-twice", f"{message}; engines take the last", found.marker, "ok")


def _label(names: Sequence[bytes], entry: int) -> str:
    return f"entry {entry} ({shown(names[entry])})"
