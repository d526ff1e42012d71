"""What was built last, lump by lump, and what of it can serve again (design.md, section 7).

An archive that we wrote is a store: a lump whose raw digest and codec are wanted again is copied from it. One record
is kept for each archive and profile, in `.lumpyard/built/PROFILE/ARCHIVE.rec`.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, NamedTuple

from lumpyard.build.encode import NOT_TRIED, RAW, codec_label, is_worth_it
from lumpyard.build.statefile import load_state, save_state

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lumpyard.plan.model import Encoding

MAGIC = b"lumpyard record 1\n"


class Facts(NamedTuple):
    """What became of one lump; plain values, which cross from a worker to the build and into the record."""

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
    request: bytes
    codec: str
    codec_size: int
    own_fourcc: int | None
    own_schema: int | None
    asks: tuple[tuple[str, str, str], ...]


_FACTS_FROM = len(LumpRow._fields) - len(Facts._fields)  # name, set, sources and offset come before


class Rows:
    """The lumps of an archive, column by column, in directory order; rows are made when they are asked for."""

    def __init__(self, columns: Sequence[Sequence[Any]]) -> None:
        self.columns = columns
        self.names, self.set_ids, self.sources, self.offsets = columns[:4]
        self.stored_sizes, self.raw_sizes, self.content_hashes, self.fourccs = columns[4:8]
        self.schemas, self.flags, self.raw_digests, self.cook_digests = columns[8:12]
        self.requests, self.codecs, self.codec_sizes = columns[12:15]

        self._facts: list[tuple[Any, ...]] | None = None

    @property
    def facts(self) -> list[tuple[Any, ...]]:
        """The Facts of each lump as a plain tuple."""
        if self._facts is None:
            self._facts = list(zip(*self.columns[_FACTS_FROM:], strict=True))
        return self._facts

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, index: int) -> LumpRow:
        return LumpRow._make([column[index] for column in self.columns])

    def __iter__(self) -> Iterator[LumpRow]:
        return map(LumpRow._make, zip(*self.columns, strict=True))


class Record(NamedTuple):
    """What is known of an archive that we wrote."""

    path: str  # from the project folder
    stat: tuple[int, ...]  # of the file when it was done: size, mtime_ns, ctime_ns, inode
    encoder: str
    archive_hash: int
    content_id: str
    seed: int
    alignment: int
    inputs: bytes  # digest of all that decides the bytes (build.look)
    sets: dict[str, str]  # set -> content id of its lumps
    ledger: str  # hex BLAKE3 of the `.ewsym` that goes with it; "" for development archives
    rows: Rows


_NUMBERS = frozenset({"offset", "stored_size", "raw_size", "content_hash"})
_DIGESTS = frozenset({"raw_digest", "cook_digest"})


def load_record(path: str) -> Record | None:
    """The record kept at `path`, or None."""
    value = load_state(path, MAGIC)
    if value is None:
        return None
    columns = [_unpacked(field, kept) for field, kept in zip(LumpRow._fields, value[-1], strict=True)]
    return Record._make((*value[:-1], Rows(columns)))


def save_record(path: str, record: Record) -> None:
    """Keep a record."""
    columns = [
        _packed(field, column) for field, column in zip(LumpRow._fields, record.rows.columns, strict=True)
    ]
    save_state(path, MAGIC, (*record[:-1], columns))


def _packed(field: str, column: Sequence[Any]) -> object:
    """A column as few values: the state of 20,000 lumps is written and read in a few milliseconds."""
    if field in _NUMBERS:
        return array("Q", column).tobytes()
    if field in _DIGESTS:
        return b"".join(column)
    return tuple(column)


def _unpacked(field: str, kept: Any) -> Sequence[Any]:
    if field in _NUMBERS:
        numbers = array("Q")
        numbers.frombytes(kept)
        return numbers
    if field in _DIGESTS:
        return [kept[at : at + 32] for at in range(0, len(kept), 32)]
    columns: Sequence[Any] = kept
    return columns


class Reuse:
    """Finds what earlier archives can give: cooked products by request, stored bytes by raw digest and policy."""

    def __init__(self, records: Iterable[tuple[int, Record]], encoder: str) -> None:
        given = list(records)
        self._rows = {number: record.rows for number, record in given}
        self._kept: dict[tuple[bytes, str], tuple[int, int]] = {}  # archive, index
        self._sizes: dict[tuple[bytes, str], int] = {}
        self.cooked: dict[bytes, list[LumpRow]] = {}  # request digest -> lumps that came of it
        for number, record in reversed(given):  # the first archives have their say last
            rows, same_encoder = record.rows, record.encoder == encoder
            columns = (rows.raw_digests, rows.flags, rows.codecs, rows.codec_sizes, rows.requests)
            for index, (raw_digest, flags, codec, codec_size, request) in enumerate(
                zip(*columns, strict=True)
            ):
                if codec_size != NOT_TRIED and same_encoder:
                    self._sizes[raw_digest, codec] = codec_size
                    if flags:
                        self._kept[raw_digest, codec] = (number, index)
                if not flags:
                    self._kept[raw_digest, RAW] = (number, index)
                if request:
                    self.cooked.setdefault(request, []).append(rows[index])

    def __bool__(self) -> bool:
        return bool(self._kept)

    def stored(
        self, raw_digest: bytes, raw_size: int, encoding: Encoding
    ) -> tuple[int, int, str, int] | None:
        """Stored bytes that the policy would give this content: archive, index, codec tried, its size; or None."""
        label = codec_label(encoding, raw_size)
        size = NOT_TRIED
        if label != RAW:
            size = self._sizes.get((raw_digest, label), NOT_TRIED)
            if size == NOT_TRIED:
                return None
        wanted = label if label != RAW and is_worth_it(encoding, raw_size, size) else RAW
        kept = self._kept.get((raw_digest, wanted))
        return None if kept is None else (*kept, label, size)

    def rows(self, number: int) -> Rows:
        """The lumps of an archive."""
        return self._rows[number]

    def codec_size(self, raw_digest: bytes, label: str) -> int:
        """What a codec is known to make of this content; NOT_TRIED where that is not known."""
        return self._sizes.get((raw_digest, label), NOT_TRIED)
