"""What is known of all lumps of one archive, column by column, from the archive itself or from its ledger.

Column by column, because two archives of 100,000 lumps are to be compared in a second.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, starmap
from typing import TYPE_CHECKING, Any, cast

from lumpyard.archives.model import Lump
from lumpyard.archives.naming import entry_paths
from lumpyard.archives.structure import Region, Shares, regions_of, regions_written, share_out
from lumpyard.archives.writing import WRITERS
from lumpyard.errors import ArchiveError, MalformedError
from lumpyard.extract import fill_paths
from lumpyard.hashing import digest, name_keys

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lumpyard.archives.model import Archive
    from lumpyard.ledger import Ledger

_HOLDS_ALL = "EWAD"


@dataclass(frozen=True, slots=True)
class Inventory:
    """One archive; every column is in directory order. None is what the format, or the ledger, does not say."""

    path: str  # as given
    format: str
    size: int  # bytes of the file
    names: list[str]  # no two alike; what nothing names is called by its key, else by its place
    is_named: list[bool]
    lumps: list[Lump]
    shares: Shares
    seed: int | None = None
    alignment: int | None = None
    archive_hash: int | None = None
    stripped: bool | None = None  # None where the format always has names, or it is not known
    content_id: str = ""
    digests: Sequence[bytes] = ()  # BLAKE3 of the raw bytes of each lump, or none at all
    sets: Sequence[str] = ()  # of each lump, or none at all
    archive: Archive | None = None

    def content(self, index: int) -> memoryview | bytes | None:
        """The raw bytes of a lump; None where they are not at hand, or do not decode."""
        if self.archive is None:
            return None
        try:
            return self.archive.read(index)
        except ArchiveError:
            return None

    def digest(self, index: int) -> bytes | None:
        """The digest of the raw bytes of a lump, where that can be known."""
        if self.digests:
            return self.digests[index] or None
        raw = self.content(index)
        return None if raw is None else digest(raw)

    def renamed(self, names: Mapping[int, str]) -> Inventory:
        """The same where names by key are known for lumps that nothing else names."""
        if all(self.is_named) or not names:
            return self
        found = [
            name if is_named else names.get(lump.key or 0)
            for name, is_named, lump in zip(self.names, self.is_named, self.lumps, strict=True)
        ]
        filled = fill_paths(found, [lump.key for lump in self.lumps])
        named = [name is not None for name in found]
        return _replace(self, names=filled, is_named=named)


def _replace(inventory: Inventory, *, names: list[str], is_named: list[bool]) -> Inventory:
    from dataclasses import replace  # noqa: PLC0415 - of the few stripped archives

    return replace(inventory, names=names, is_named=is_named)


def of_archive(path: str, archive: Archive, names: Mapping[int, str] | None = None) -> Inventory:
    """The inventory of an open archive; `names` by key are for a stripped one."""
    lumps, paths = _entries(archive)
    columns = [lump.offset for lump in lumps], [lump.stored_size for lump in lumps]
    inventory = Inventory(
        path,
        archive.format,
        archive.size,
        *_filled(paths, lumps),
        lumps,
        share_out(archive.size, regions_of(archive), *columns),
        archive.seed,
        archive.alignment,
        archive.archive_hash,
        archive.stripped and bool(lumps) if archive.format == _HOLDS_ALL else None,
        archive=archive,
    )
    return inventory.renamed(names or {})


def _filled(paths: Sequence[str | None], lumps: Sequence[Lump]) -> tuple[list[str], list[bool]]:
    """What each lump is called, and whether that is its name."""
    if None not in paths:
        return [path or "" for path in paths], [True] * len(paths)
    return fill_paths(paths, [lump.key for lump in lumps]), [path is not None for path in paths]


def _entries(archive: Archive) -> tuple[list[Lump], Sequence[str | None]]:
    """All entries and their paths; those of an EWAD column by column, in a third of the time."""
    from lumpyard.archives.ewad.reader import EwadView  # noqa: PLC0415 - one of the formats

    if not isinstance(archive, EwadView) or not archive.header.lumps:
        return list(archive.lumps), entry_paths(archive)
    from lumpyard.archives.ewad.records import EwadEntry  # noqa: PLC0415
    from lumpyard.records import layout  # noqa: PLC0415

    columns = EwadEntry._make(zip(*layout(EwadEntry).iter_unpack(archive.directory), strict=True))
    names = _names(archive.table, cast("Sequence[int]", columns.name_offset))
    fields = (names, columns.offset, columns.stored_size, columns.raw_size, columns.key, columns.fourcc)
    more = (columns.schema, columns.flags, columns.content_hash)
    lumps = list(starmap(Lump, zip(*cast("Any", fields), *cast("Any", more), strict=True)))
    return lumps, [None if name is None else name.decode("utf-8", "surrogateescape") for name in names]


def _names(table: memoryview, offsets: Sequence[int]) -> list[bytes | None]:
    """The names that stand at these offsets of a string table that was checked."""
    if not table:
        return [None] * len(offsets)
    text = bytes(table)
    names = text.split(b"\0")[:-1]
    starts = accumulate([len(name) + 1 for name in names], initial=0)
    by_offset = dict(zip(starts, names, strict=False))
    return [by_offset[at] if at in by_offset else text[at : text.index(b"\0", at)] for at in offsets]


def of_ledger(path: str, ledger: Ledger) -> Inventory:
    """The inventory of the archive that a ledger is of, as it was written.

    MalformedError where it can't be one that we wrote.
    """
    header = ledger.header
    format_name = header.get("format", _HOLDS_ALL)
    if format_name != _HOLDS_ALL and format_name not in WRITERS:
        message = f"{path}: format is {format_name[:40]!r}, not one of {', '.join((*WRITERS, _HOLDS_ALL))}"
        raise MalformedError(message, "ledger")
    alignment = _number(path, header, "alignment", 1)
    seed = _number(path, header, "seed", 0)
    archive_hash = _number(path, header, "archive-hash", 0, 16)
    holds_all = format_name == _HOLDS_ALL
    lumps = [
        Lump(
            one.name.encode("utf-8", "surrogateescape"),
            one.offset,
            one.stored_size,
            one.raw_size,
            one.key,
            one.fourcc if holds_all else None,
            one.schema if holds_all else None,
            one.flags,
            one.content_hash,
        )
        for one in ledger.lumps
    ]
    columns = [lump.offset for lump in lumps], [lump.stored_size for lump in lumps]
    names = [lump.name or b"" for lump in lumps]
    named = header.get("names") == "kept"
    size, regions = regions_written(format_name, names, *columns, max(alignment, 1), named=named)
    return Inventory(
        path,
        format_name,
        size,
        listed_names(format_name, lumps),
        [True] * len(lumps),
        lumps,
        share_out(size, regions, *columns),
        seed if holds_all else None,
        alignment if holds_all else None,
        archive_hash if holds_all else None,
        _is_stripped(regions) if holds_all and lumps else None,
        header.get("content-id", ""),
        [one.raw_digest for one in ledger.lumps],
        [one.set for one in ledger.lumps],
    )


def _is_stripped(regions: Sequence[Region]) -> bool:
    return all(region.part != "names" for region in regions)


def _number(path: str, header: Mapping[str, str], key: str, default: int, base: int = 10) -> int:
    text = header.get(key, "")
    try:
        return int(text, base) if text else default
    except ValueError:
        raise MalformedError(f"{path}: {key} is {text[:40]!r}, not a number", "ledger") from None


class _Listed:
    """What finding paths needs of an archive."""

    def __init__(self, format_name: str, lumps: Sequence[Lump]) -> None:
        self.format = format_name
        self.lumps = lumps
        self._places: dict[bytes | None, int] | None = None

    def find(self, name: bytes) -> int | None:
        """The last lump of that name."""
        if self._places is None:
            self._places = {lump.name: at for at, lump in enumerate(self.lumps)}
        return self._places.get(name)


def listed_names(format_name: str, lumps: Sequence[Lump]) -> list[str]:
    """What the lumps of an archive are called of which only a list is at hand."""
    paths = entry_paths(_Listed(format_name, lumps))  # type: ignore[arg-type]
    return fill_paths(paths, [lump.key for lump in lumps])


def name_each_other(old: Inventory, new: Inventory) -> tuple[Inventory, Inventory]:
    """Both, with the names that one has for lumps of the other that has lost them."""
    return _named_by(old, new), _named_by(new, old)


def _named_by(stripped: Inventory, other: Inventory) -> Inventory:
    if all(stripped.is_named) or stripped.seed is None or not any(other.is_named):
        return stripped
    known = [name for name, is_named in zip(other.names, other.is_named, strict=True) if is_named]
    keys = name_keys([name.encode("utf-8", "surrogateescape") for name in known], stripped.seed)
    return stripped.renamed(dict(zip(keys, known, strict=True)))
