"""The one segment that this process appends to.

A segment that another process left whole and small is gone on with, so that a thousand builds leave a few files and not
a thousand. What was left torn or damaged is never appended to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.disk import appending
from lumpyard.hashing import digest
from lumpyard.store.catalog import Segment
from lumpyard.store.segment import (
    MARK_SIZE,
    SEGMENT_HEADER_SIZE,
    Kind,
    encode_record_header,
    encode_segment_header,
    segment_name,
    sequence_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typing_extensions import Buffer

    from lumpyard.store.catalog import Catalog

SEGMENT_LIMIT = 256 * 1024 * 1024  # bytes after which a new segment is begun: `trim` rewrites whole segments
TRIED = 8  # segments, youngest first, that are tried before a new one is made


class Writer:
    """Appends records. Methods raise OSError; after one the writer must be closed."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._segment, self._appender = _take(catalog)
        self._new = not self._appender.size
        self._dirty = False

    @property
    def full(self) -> bool:
        """Whether the next record belongs into another segment."""
        return self._appender.size >= SEGMENT_LIMIT

    @property
    def name(self) -> str:
        """File name of the segment."""
        return self._segment.name

    def append(self, kind: Kind, key: bytes, payload: Buffer, payload_digest: bytes | None = None) -> None:
        """Write a record and list it in the catalog."""
        mark = self._segment.mark
        assert mark is not None
        size = len(memoryview(payload).cast("B"))
        header = encode_record_header(mark, kind, key, size, payload_digest or digest(payload))
        start = self._appender.size
        first = b"" if start else encode_segment_header(mark)
        self._dirty = True
        try:
            self._appender.append((first, header, payload))
        except BaseException:
            self._appender.cut(start)  # what stands there is no record, and may be large
            raise
        self._catalog.add(self._segment, kind, key, start + len(first), size)
        self._segment.size = self._appender.size

    def sync(self) -> None:
        """Make all that was appended durable, and the file's name with it."""
        if self._dirty:
            self._appender.sync()
            if self._new:
                appending.sync_folder(self._catalog.folder)
            self._dirty = self._new = False

    def close(self) -> None:
        """Leave the segment to others."""
        self._appender.close()


def create_segment(catalog: Catalog, sequence: int) -> tuple[Segment, appending.Appender]:
    """A new, empty segment of this age, listed in the catalog."""
    while True:
        mark = appending.random_name()[:MARK_SIZE]
        name = segment_name(sequence, mark)
        try:
            appender = appending.create_appender(catalog.path(name))
        except FileExistsError:
            continue
        segment = Segment(name)
        segment.mark, segment.end = mark, SEGMENT_HEADER_SIZE
        catalog.segments[name] = segment
        return segment, appender


def next_sequence(catalog: Catalog) -> int:
    """The age of a segment that is younger than all others."""
    return max((sequence_of(name) or 0 for name in catalog.segments), default=0) + 1


def _take(catalog: Catalog) -> tuple[Segment, appending.Appender]:
    """A segment to write to: one that was left, or a new one."""
    appending.make_folder(catalog.folder)
    for segment in _left(catalog):
        appender = _reopen(catalog, segment)
        if appender is not None:
            return segment, appender
    return create_segment(catalog, next_sequence(catalog))


def _left(catalog: Catalog) -> Iterator[Segment]:
    """Segments that may be gone on with, youngest first."""
    whole = (
        segment
        for segment in catalog.segments.values()
        if segment.mark is not None and segment.end == segment.size
    )
    fitting = [segment for segment in whole if segment.size < SEGMENT_LIMIT]
    yield from reversed(fitting[-TRIED:])


def _reopen(catalog: Catalog, segment: Segment) -> appending.Appender | None:
    """The segment to append to, if nobody else does and it still is whole."""
    try:
        appender = appending.reopen_appender(catalog.path(segment.name))
        if appender is None:
            return None
        catalog.catch_up(segment.name)
    except OSError:
        return None
    if segment.end == segment.size == appender.size:
        return appender
    appender.close()
    return None
