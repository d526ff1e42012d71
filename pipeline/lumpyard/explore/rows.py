"""The directories of all archives as columns, in blocks of so many rows that none takes a page long to read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from lumpyard.archives.model import type_text
from lumpyard.explore.kinds import HEAD, KINDS, is_plain, kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from lumpyard.archives.model import Archive, Lump
    from lumpyard.explore.embedding import Embedded
    from lumpyard.explore.places import Places
    from lumpyard.explore.subject import Subject

BLOCK = 4096  # rows
_WAD2_TYPES = {
    0x40: "palette",
    0x41: "colour map",
    0x42: "picture",
    0x43: "texture",
    0x44: "texture",
    0x46: "font",
}


class Table(NamedTuple):
    """All rows. What a row holds of `types` and `codecs` is an index there; of kinds, one of KINDS."""

    types: Sequence[str]
    codecs: Sequence[str]
    blocks: Sequence[dict[str, Any]]  # column by name; one that nothing in the block has is not there


def table_of(subjects: Sequence[Subject], places: Sequence[Places], embedded: Embedded) -> Table:
    """The rows of all archives in their order."""
    types: dict[str, int] = {"": 0}
    codecs: dict[str, int] = {"": 0}
    rows: list[dict[str, Any]] = []
    for subject, found in zip(subjects, places, strict=True):
        rows += _rows_of(subject, found, types, codecs, _heads_from(embedded.heads, len(rows)))
    paths = [row["path"] for row in rows]
    for rank, at in enumerate(sorted(range(len(paths)), key=paths.__getitem__)):
        rows[at]["rank"] = rank
    for row, offset in zip(rows, embedded.offsets, strict=True):
        row["place"] = offset
    blocks = [_columns(rows[start : start + BLOCK]) for start in range(0, len(rows), BLOCK)]
    return Table(list(types), list(codecs), blocks)


def _heads_from(heads: Mapping[int, bytes], first: int) -> Callable[[int], bytes]:
    """The first bytes of the lumps of the archive whose rows begin at `first`, by entry; empty where not known."""
    return lambda entry: heads.get(first + entry, b"")


def _columns(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    return {name: column for name, column in columns.items() if any(value is not None for value in column)}


def _rows_of(
    subject: Subject,
    places: Places,
    types: dict[str, int],
    codecs: dict[str, int],
    decoded: Callable[[int], bytes],
) -> Iterator[dict[str, Any]]:
    in_maps = {part.entry for part in places.parts}
    archive = subject.archive
    for entry, (lump, path) in enumerate(zip(archive.lumps, subject.paths, strict=True)):
        name = subject.names[entry]
        head = bytes(archive.stored(entry)[:HEAD]) if is_plain(archive, entry) else decoded(entry)
        kind = "map" if entry in in_maps else kind_of(archive, lump, path, head)
        yield {
            "path": path,
            "offset": lump.offset,
            "stored": lump.stored_size,
            "raw": lump.raw_size,
            "type": types.setdefault(_type_of(archive, lump, path), len(types)),
            "kind": KINDS.index(kind),
            "codec": codecs.setdefault(_codec(archive, lump), len(codecs)),
            "name": name if name != path else None,
            "key": _hex(lump.key),
            "hash": _hex(lump.content_hash),
            "schema": lump.schema,
            "flags": lump.flags,
            "kindbyte": lump.kind,
        }


def _hex(number: int | None) -> str | None:
    return None if number is None else f"{number:016x}"


def _type_of(archive: Archive, lump: Lump, path: str) -> str:
    """What the format says a lump is, else the suffix of its name."""
    if lump.fourcc is not None:
        return type_text(lump.fourcc)
    if lump.kind is not None and archive.format in {"WAD2", "WAD3"}:
        return _WAD2_TYPES.get(lump.kind, f"0x{lump.kind:02x}")
    name = path.rpartition("/")[2]
    suffix = name.rpartition(".")[2].lower() if "." in name.lstrip(".") else ""
    return f".{suffix}" if suffix.isalnum() and len(suffix) <= 8 and suffix.isascii() else ""


def _codec(archive: Archive, lump: Lump) -> str:
    """What a lump is compressed with, as far as its entry tells."""
    if archive.format == "EWAD":
        return "LZ4" if lump.flags else ""
    if archive.format == "DAIKATANA":
        return "Daikatana" if lump.flags else ""
    return "compressed" if lump.stored_size < lump.raw_size else ""
