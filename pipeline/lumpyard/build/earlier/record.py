"""What was built last, lump by lump (design.md, section 7).

An archive that we wrote is a store: a lump whose raw digest and codec are wanted again is copied from it
(build/earlier/reuse.py). One record is kept for each archive and profile, in `.lumpyard/built/PROFILE/ARCHIVE.rec`.
"""

from __future__ import annotations

from array import array
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from lumpyard.build.statefile import load_state, save_state

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MAGIC = b"lumpyard record 2\n"
DIGEST_SIZE = 32


class LumpRow(NamedTuple):
    """One lump as it was written; plain values only."""

    name: str
    set_id: str
    sources: tuple[str, ...]
    offset: int  # from the start of the archive
    stored_size: int
    raw_size: int
    content_hash: int
    fourcc: int
    schema: int
    flags: int
    raw_digest: bytes
    cook_digest: bytes
    request: bytes  # request digest of the cook; empty for verbatim lumps, which nothing looks up
    codec: str  # what it was tried with ("lz4 0", "lz4hc 9"), or RAW
    codec_size: int  # bytes that the codec made of it, kept or not; NOT_TRIED
    own_fourcc: int | None  # what the product said of itself, before the manifest had its say
    own_schema: int | None
    asks: tuple[tuple[str, str, str], ...]  # kind, subject, answer
    terms: (
        str  # what tells the terms of a verbatim lump from others (terms.Terms.mark); "" for what was cooked
    )


FACTS_FROM = LumpRow._fields.index("stored_size")
FACTS = LumpRow._fields[FACTS_FROM:]  # what a worker tells of a lump; in short, its facts
_NUMBERS = {
    "offset": "Q",
    "stored_size": "Q",
    "raw_size": "Q",
    "content_hash": "Q",
    "fourcc": "I",
    "schema": "H",
    "flags": "H",
    "codec_size": "q",
}
_DIGESTS = frozenset({"raw_digest", "cook_digest"})
_TEXTS = frozenset({"name", "set_id", "codec", "terms"})


def pack_columns(fields: Iterable[str], columns: Iterable[Sequence[Any]]) -> list[Any]:
    """Columns as few plain values: 20,000 lumps cross from a worker, or to disk, in a few milliseconds."""
    return [_packed(field, column) for field, column in zip(fields, columns, strict=True)]


def _packed(field: str, column: Sequence[Any]) -> Any:
    if field in _NUMBERS:
        return array(_NUMBERS[field], column).tobytes()
    if field in _DIGESTS:
        return b"".join(column)
    if column and column.count(column[0]) == len(column):
        return [column[0], len(column)]  # the same for all
    if field in _TEXTS and column:
        joined = "\0".join(column)
        return joined if joined.count("\0") == len(column) - 1 else tuple(column)
    if field == "sources" and column and max(map(len, column)) == 1:
        return "\0".join(map(itemgetter(0), column))  # no path has a NUL
    return tuple(column)


def join_columns(fields: Iterable[str], parts: Sequence[Sequence[Any]]) -> list[Any]:
    """Packed columns of lumps that follow each other, as one."""
    return [_joined(field, column) for field, column in zip(fields, zip(*parts, strict=True), strict=True)]


def _joined(field: str, parts: Sequence[Any]) -> Any:
    if field in _NUMBERS or field in _DIGESTS:
        return b"".join(parts)
    first = parts[0]
    if isinstance(first, list) and all(isinstance(part, list) and part[0] == first[0] for part in parts):
        return [first[0], sum(part[1] for part in parts)]
    return _packed(field, tuple(chain.from_iterable(_unpacked(field, part) for part in parts)))


def _unpacked(field: str, packed: Any) -> Sequence[Any]:
    if field in _NUMBERS:
        numbers = array(_NUMBERS[field])
        numbers.frombytes(packed)
        return numbers
    if field in _DIGESTS:
        return [packed[at : at + DIGEST_SIZE] for at in range(0, len(packed), DIGEST_SIZE)]
    if isinstance(packed, list):
        value, times = packed
        return (value,) * int(times)
    if isinstance(packed, str):
        texts = packed.split("\0")
        return tuple(zip(texts)) if field == "sources" else tuple(texts)
    column: Sequence[Any] = packed
    return column


class Rows:
    """The lumps of an archive, column by column, in directory order; columns are unpacked when they are asked for."""

    def __init__(self, packed: Sequence[Any]) -> None:
        self.packed = packed  # in the order of LumpRow
        self._columns: dict[str, Sequence[Any]] = {}

    def column(self, field: str) -> Sequence[Any]:
        """All values of a field of LumpRow."""
        if field not in self._columns:
            self._columns[field] = _unpacked(field, self.packed[LumpRow._fields.index(field)])
        return self._columns[field]

    def packed_column(self, field: str) -> Any:
        """A field as it is packed."""
        return self.packed[LumpRow._fields.index(field)]

    def at(self, index: int, fields: Sequence[str]) -> tuple[Any, ...]:
        """Some values of one lump."""
        columns = self._columns
        return tuple([(columns.get(field) or self.column(field))[index] for field in fields])

    @property
    def names(self) -> Sequence[str]:
        """Names, in directory order."""
        return self.column("name")

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, index: int) -> LumpRow:
        return LumpRow._make([self.column(field)[index] for field in LumpRow._fields])

    def __iter__(self) -> Iterator[LumpRow]:
        return map(LumpRow._make, zip(*map(self.column, LumpRow._fields), strict=True))


class Record(NamedTuple):
    """What is known of an archive that we wrote."""

    path: str  # from the project folder
    stat: tuple[int, ...]  # of the file when it was done: size, mtime_ns, ctime_ns, inode
    encoder: str
    archive_hash: int
    content_id: str
    seed: int
    alignment: int
    inputs: bytes  # digest of all that decides the bytes (lumps.look)
    sets: dict[str, str]  # set -> content id of its lumps
    settings: dict[str, str]  # what else decides it, by name (causes.settings_of)
    ledger: str  # hex BLAKE3 of the `.ewsym` that goes with it; "" for development archives
    rows: Rows


def load_record(path: str) -> Record | None:
    """The record kept at `path`, or None."""
    value = load_state(path, MAGIC, len(Record._fields))
    if value is None or value[-1][0] != LumpRow._fields:  # of another version
        return None
    return Record._make((*value[:-1], Rows(value[-1][1])))


def save_record(path: str, record: Record) -> None:
    """Keep a record."""
    save_state(path, MAGIC, (*record[:-1], (LumpRow._fields, list(record.rows.packed))))
