"""Names of another format: which name a lump has there, and what is done with one that does not fit.

`refuse` changes none. `truncate` shortens those that are too long, calls those that are empty by their place, and makes
both unlike all others; where names are paths it numbers those that come again, too. `upper` turns ASCII letters to
upper case. Both may be asked for. A lump that nothing names, in a stripped EWAD, gets no name of any of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.convert.model import FLAT_FORMATS, Renamed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from lumpyard.convert.model import Source, SourceLump

NAME_SIZES = {
    "IWAD": 8,
    "PWAD": 8,
    "PACK": 8,
    "WAD2": 15,
    "WAD3": 15,
    "PAK": 55,
    "DAIKATANA": 55,
    "EWAD": 255,
}
CHOICES = ("refuse", "truncate", "upper")


def target_names(
    source: Source, format_name: str, choices: Collection[str]
) -> tuple[list[bytes], list[Renamed]]:
    """The name of each lump in the target, and which of them are not the ones that it would have had.

    Formats with short names keep the names as stored, those with paths get the paths of `naming.entry_paths`.
    """
    wanted = [_wanted(source, lump, format_name) for lump in source.lumps]
    names = wanted
    if format_name in {"PAK", "DAIKATANA"}:
        names = [name.replace(b"\\", b"/") for name in names]
    if "upper" in choices:
        names = [name.upper() for name in names]
    if "truncate" in choices:
        unnamed = {at for at, lump in enumerate(source.lumps) if lump.path is None}
        names = _truncated(names, unnamed, format_name)
    renamed = [
        Renamed(index, old, new)
        for index, (old, new) in enumerate(zip(wanted, names, strict=True))
        if old != new
    ]
    return names, renamed


def _wanted(source: Source, lump: SourceLump, format_name: str) -> bytes:
    """What a lump is called in a format, if it has room for any name."""
    stored = lump.name
    if stored is not None and source.format == format_name:
        return stored  # with what follows a NUL
    if stored is not None and source.format in FLAT_FORMATS and format_name in FLAT_FORMATS:
        return stored.partition(b"\0")[0]
    return (lump.path or "").encode("utf-8", "surrogateescape")


def _truncated(names: Sequence[bytes], unnamed: Collection[int], format_name: str) -> list[bytes]:
    """The names, those that do not fit made into what fits and what no other has."""
    fits = list(_fit(names, unnamed, format_name))
    taken = {_visible(name) for name, fit in zip(names, fits, strict=True) if fit}
    numbers: dict[bytes, int] = {}  # how far the numbers of names that are cut to this have come
    found = []
    for index, (name, fit) in enumerate(zip(names, fits, strict=True)):
        new = name
        if not fit:
            long = _visible(name) or b"F%07d" % index
            first = new = shortened(long, format_name)
            number = numbers.get(first, 1)
            while new in taken:
                number += 1
                new = shortened(long, format_name, b"~%d" % number)
            numbers[first] = number
            taken.add(new)
        found.append(new)
    return found


def _fit(names: Sequence[bytes], unnamed: Collection[int], format_name: str) -> Iterator[bool]:
    """Whether each name may stay: it is neither empty nor too long, and where names are paths it is the first such."""
    seen: set[bytes] = set()
    for index, name in enumerate(map(_visible, names)):
        again = format_name not in FLAT_FORMATS and name in seen
        seen.add(name)
        yield index in unnamed or (0 < len(name) <= NAME_SIZES[format_name] and not again)


def _visible(name: bytes) -> bytes:
    """What readers take for the name: what is before a NUL."""
    return name.partition(b"\0")[0]


def shortened(name: bytes, format_name: str, end: bytes = b"") -> bytes:
    """A name cut to what a format holds, with `end` at the end of what is left of it.

    Where names are short, what counts is the last part of a path without its suffix. Where they are paths, folder
    and suffix stay as long as there is room for one more byte.
    """
    most = NAME_SIZES[format_name]
    folder, slash, last = name.rpartition(b"/")
    stem, dot, suffix = last.rpartition(b".")
    if not stem:
        stem, dot, suffix = last, b"", b""
    if format_name in FLAT_FORMATS:
        return (stem or name)[: most - len(end)] + end
    before, after = folder + slash, end + dot + suffix
    room = most - len(before) - len(after)
    if room < 1:
        return name[: most - len(end)] + end
    return before + stem[:room] + after
