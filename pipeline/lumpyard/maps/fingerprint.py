"""A map's fingerprint: the same for two maps that differ in numbers and nodes alone.

It is made of things, and of lines with the coordinates of their ends and the contents of their sides and sectors; a
sector is also the lines that it is beside. Numbers are not in it: node builders number vertices anew and add some, drop
those that no line uses, and sides and sectors with them, and drop lines without length. So do editors.

Also not in it: lumps other than those of the records (scripts, dialogues, REJECT), what is behind the NUL of a name,
and whether two lines share one side or have two that are the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.hashing import digest_parts
from lumpyard.maps.model import NO_EXTRA

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lumpyard.maps.model import DoomMap, Extra, Line, Thing

_VERSION = "1"  # to be raised when the same map gets another fingerprint


def fingerprint(found: DoomMap) -> str:
    """64 hexadecimal digits; never an error, whatever numbers lead nowhere.

    The same plan in two formats has two fingerprints.
    """
    lines = _lines(found)
    parts = [
        *(_VERSION, found.format, ascii(found.namespace), ascii(_extra(found.extra))),
        *("things", *sorted(map(_thing, found.things))),
        *("lines", *sorted(text for _, text in lines)),
        *("sectors", *sorted(text for _, text in _sectors(found, lines))),
    ]
    return digest_parts(part.encode("ascii") + b"\n" for part in parts).hex()


def sector_names(found: DoomMap) -> list[str]:
    """For each sector, by its number, what tells it from others: its contents and the lines that it is beside."""
    texts = _sector_texts(found)
    beside = dict(_sectors(found, _lines(found)))
    return [beside.get(number, text) for number, text in enumerate(texts)]


def _thing(thing: Thing) -> str:
    return ascii((*_plain(*thing[:8]), thing.args, _extra(thing.extra)))


def _lines(found: DoomMap) -> list[tuple[Line, str]]:
    """Each line that is longer than nothing, and all that it is, in the words of the map and not in numbers."""
    vertices = [
        ascii((*_plain(*vertex), _extra(found.vertex_extra.get(number, NO_EXTRA))))
        for number, vertex in enumerate(found.vertices)
    ]
    sectors = _sector_texts(found)
    sides = [
        ascii((*_plain(*side[:5]), _extra(side.extra))) + _at(sectors, side.sector) for side in found.sides
    ]
    texts = []
    for line in found.lines:
        start, end = _at(vertices, line.v1), _at(vertices, line.v2)
        if start == end and line.v1 < len(vertices):
            continue
        acts = ascii((*line[2:5], line.args, _extra(line.extra)))
        texts.append((line, f"{start}{end}{acts}{_at(sides, line.front)}{_at(sides, line.back)}"))
    return texts


def _sector_texts(found: DoomMap) -> list[str]:
    return [ascii((*sector[:7], _extra(sector.extra))) for sector in found.sectors]


def _sectors(found: DoomMap, lines: Sequence[tuple[Line, str]]) -> Iterator[tuple[int, str]]:
    """For each sector beside a line, its number, and its contents and the lines that it is beside.

    Two sectors that say the same are told apart by that, and a sector that was split or joined is another.
    """
    ranks = {text: rank for rank, text in enumerate(sorted({text for _, text in lines}))}
    beside: dict[int, list[tuple[int, int]]] = {}
    for line, text in lines:
        for which, number in enumerate((line.front, line.back)):
            if number is not None and number < len(found.sides):
                beside.setdefault(found.sides[number].sector, []).append((ranks[text], which))
    sectors = _sector_texts(found)
    for number, places in beside.items():
        yield number, f"{_at(sectors, number)}{sorted(places)}"


def _at(texts: Sequence[str], number: int | None) -> str:
    """The text of a record; in its place words that no record has, where there is none."""
    if number is None:
        return "none"
    return texts[number] if number < len(texts) else "nowhere"


def _extra(extra: Extra) -> object:
    return (
        tuple(zip(sorted(extra), _plain(*(extra[name] for name in sorted(extra))), strict=True))
        if extra
        else ()
    )


def _plain(*values: object) -> Iterable[object]:
    """64 for 64.0, which are one number in two spellings."""
    return [int(value) if type(value) is float and value.is_integer() else value for value in values]
