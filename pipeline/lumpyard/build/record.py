"""What was built last, lump by lump, and what of it can serve again (design.md, section 7).

An archive that we wrote is a store: a lump whose raw digest and codec are wanted again is copied from it. One record
is kept for each archive and profile, in `.lumpyard/built/PROFILE/ARCHIVE.rec`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.build.encode import NOT_TRIED, RAW, codec_label, is_worth_it
from lumpyard.build.statefile import load_state, save_state

if TYPE_CHECKING:
    from collections.abc import Iterable

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

    @property
    def facts(self) -> Facts:
        """All but the name, where it came from and where it lies."""
        return Facts._make(self[4:])


class Record(NamedTuple):
    """What is known of an archive that we wrote."""

    path: str  # from the project folder
    stat: tuple[int, int, int, int]  # of the file when it was done: size, mtime_ns, ctime_ns, inode
    encoder: str
    archive_hash: int
    content_id: str
    seed: int
    alignment: int
    inputs: bytes  # digest of all that decides the bytes (build.inputs)
    sets: dict[str, str]  # set -> content id of its lumps
    rows: tuple[LumpRow, ...]  # in directory order


def load_record(path: str) -> Record | None:
    """The record kept at `path`, or None."""
    value = load_state(path, MAGIC)
    if value is None:
        return None
    record = Record(*value)
    return record._replace(rows=tuple(map(LumpRow._make, record.rows)))


def save_record(path: str, record: Record) -> None:
    """Keep a record."""
    save_state(path, MAGIC, (*record[:-1], tuple(map(tuple, record.rows))))


class Kept(NamedTuple):
    """Stored bytes that an archive of ours holds."""

    archive: int  # which of the archives that were given
    row: LumpRow


class Reuse:
    """Finds what earlier archives can give: cooked products by request, stored bytes by raw digest and policy."""

    def __init__(self, records: Iterable[tuple[int, Record]], encoder: str) -> None:
        self._kept: dict[tuple[bytes, str], Kept] = {}
        self._sizes: dict[tuple[bytes, str], int] = {}
        self.cooked: dict[bytes, list[LumpRow]] = {}  # request digest -> lumps that came of it
        for number, record in records:
            same_encoder = record.encoder == encoder
            for row in record.rows:
                compressed = row.flags & 1
                if not compressed:
                    self._kept.setdefault((row.raw_digest, RAW), Kept(number, row))
                if row.codec_size != NOT_TRIED and same_encoder:
                    key = (row.raw_digest, row.codec)
                    self._sizes.setdefault(key, row.codec_size)
                    if compressed:
                        self._kept.setdefault(key, Kept(number, row))
                if row.request:
                    self.cooked.setdefault(row.request, []).append(row)

    def stored(self, raw_digest: bytes, raw_size: int, encoding: Encoding) -> tuple[Kept, str, int] | None:
        """Stored bytes that the policy would give this raw content, with the codec tried and its size; None is a miss."""
        label = codec_label(encoding, raw_size)
        size = NOT_TRIED
        if label != RAW:
            size = self._sizes.get((raw_digest, label), NOT_TRIED)
            if size == NOT_TRIED:
                return None
        wanted = label if label != RAW and is_worth_it(encoding, raw_size, size) else RAW
        kept = self._kept.get((raw_digest, wanted))
        return None if kept is None else (kept, label, size)

    def codec_size(self, raw_digest: bytes, label: str) -> int:
        """What a codec is known to make of this content; NOT_TRIED where that is not known."""
        return self._sizes.get((raw_digest, label), NOT_TRIED)
