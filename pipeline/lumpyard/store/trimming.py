"""Making a store smaller, so that a kill at any moment loses nothing that is to stay.

Segments are never changed. What stays of one is copied to a new segment of the same age, which is made durable; only
then is the old one unlinked. Killed in between, both are there, and say the same. Segments that another process is
writing are left alone: whoever holds a segment's lock may append to it, and nobody else may append or unlink.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.disk import appending
from lumpyard.errors import DiskError
from lumpyard.hashing import digest_parts
from lumpyard.store.reading import holds, iter_payload
from lumpyard.store.segment import (
    SEGMENT_HEADER_SIZE,
    Found,
    Kind,
    encode_segment_header,
    rebind_record_header,
    sequence_of,
)
from lumpyard.store.survey import Survey, index_size, live, survey
from lumpyard.store.writer import create_segment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from lumpyard.store.catalog import Catalog
    from lumpyard.store.segment import Read

LOCK_NAME = "trim.lock"
INDEX_ROW = 54  # bytes of the index file that a record accounts for


class TrimResult(NamedTuple):
    """What a trim did."""

    size_before: int  # bytes of all files of the store
    size_after: int
    dropped: int  # records
    kept: int  # records
    busy: int  # segments that were left alone, since another process writes them


def trim(catalog: Catalog, max_size: int, keep: Callable[[Kind, bytes], bool]) -> TrimResult:
    """Drop dead bytes, then records until the store fits: first what `keep` does not want, the oldest first."""
    try:
        if not appending.folder_stamp(catalog.folder):
            return TrimResult(0, 0, 0, 0, 0)
        with appending.exclusive(catalog.path(LOCK_NAME)):
            return _trim(catalog, max_size, keep)
    except OSError as error:
        raise DiskError(f"{catalog.folder}: the store cannot be trimmed: {error.strerror}") from error


def _trim(catalog: Catalog, max_size: int, keep: Callable[[Kind, bytes], bool]) -> TrimResult:
    catalog.refresh()
    before = sum(segment.size for segment in catalog.segments.values()) + index_size(catalog)
    owned = _own(catalog)
    try:
        surveys = list(survey(catalog))  # after the locks: nothing is appended to what we own from here on
        records = live(surveys).values()
        staying = _choose(surveys, owned, records, max_size, keep)
        _rewrite(catalog, [item for item in surveys if item.name in owned], staying)
    finally:
        for appender in owned.values():
            appender.close()
    catalog.refresh()
    catalog.save()
    after = sum(segment.size for segment in catalog.segments.values()) + index_size(catalog)
    return TrimResult(before, after, len(records) - len(staying), len(staying), len(surveys) - len(owned))


def _own(catalog: Catalog) -> dict[str, appending.Appender]:
    """Segments that nobody is writing, now locked by us."""
    owned = {}
    for name in catalog.segments:
        try:
            appender = appending.reopen_appender(catalog.path(name))
        except FileNotFoundError:
            continue
        if appender is not None:
            owned[name] = appender
    return owned


def _choose(
    surveys: Iterable[Survey],
    owned: dict[str, appending.Appender],
    records: Iterable[tuple[str, Found]],
    max_size: int,
    keep: Callable[[Kind, bytes], bool],
) -> set[tuple[str, int]]:
    """(segment, offset) of the records that stay."""
    staying = {(name, found.offset) for name, found in records}
    size = sum(item.size for item in surveys if item.name not in owned)
    size += sum(_cost(found) for name, found in records if name in owned) + SEGMENT_HEADER_SIZE * len(owned)
    free = [(name, found) for name, found in records if name in owned]
    wanted = [keep(Kind(found.kind), found.key) for _, found in free]
    unwanted_first = sorted(
        range(len(free)), key=lambda number: (wanted[number], free[number][0], free[number][1].offset)
    )
    for number in unwanted_first:
        if size <= max_size:
            break
        name, found = free[number]
        staying.remove((name, found.offset))
        size -= _cost(found)
    return staying


def _cost(found: Found) -> int:
    return found.end - found.offset + INDEX_ROW


def _rewrite(catalog: Catalog, surveys: Iterable[Survey], staying: set[tuple[str, int]]) -> None:
    """Replace each segment that holds more than what stays."""
    for item in surveys:
        records = [found for found in item.records if (item.name, found.offset) in staying]
        if len(records) == len(item.records) and not item.gaps and item.sound:
            continue
        if records:
            _copy(catalog, item.name, records)
        appending.unlink(catalog.path(item.name))


def _copy(catalog: Catalog, name: str, records: Iterable[Found]) -> None:
    """Copy records to a new segment of the same age, and make it durable."""
    segment, appender = create_segment(catalog, sequence_of(name) or 0)
    mark = segment.mark or b""
    try:
        appender.append([encode_segment_header(mark)])
        for found in records:
            start = appender.size
            appender.append([rebind_record_header(mark, found)])
            if not holds(found, digest_parts(_copied(catalog.reader(name).read, found, appender))):
                appender.cut(start)
        appender.sync()
        appending.sync_folder(catalog.folder)
    finally:
        appender.close()


def _copied(read: Read, found: Found, appender: appending.Appender) -> Iterator[bytes]:
    """The pieces of a payload, each appended."""
    for piece in iter_payload(read, found):
        appender.append([piece])
        yield piece
