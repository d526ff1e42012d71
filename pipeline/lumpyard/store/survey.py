"""What is in a store, and whether it holds: all segments looked through from their first byte, index or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.disk import appending
from lumpyard.errors import DiskError
from lumpyard.hashing import digest_parts
from lumpyard.store.catalog import INDEX_NAME
from lumpyard.store.cooked import decode_cooked
from lumpyard.store.reading import holds, iter_payload
from lumpyard.store.records import SEGMENT_HEADER_SIZE, Kind
from lumpyard.store.segment import Found, Gap, scan, sequence_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lumpyard.store.catalog import Catalog, Segment
    from lumpyard.store.segment import Read

KNOWN = frozenset(Kind)


class StoreInfo(NamedTuple):
    """What a store holds."""

    folder: str
    segments: int
    size: int  # bytes of segments and index
    records: dict[str, int]  # by kind, "cooked", "raw", "block", "size"; what is there twice counts once
    record_sizes: dict[str, int]  # bytes of their payloads
    dead_size: int  # bytes of segments that no look-up leads to: torn, damaged, there twice


class Survey(NamedTuple):
    """One segment, looked through; payloads are not checked."""

    name: str
    size: int  # of the file
    records: list[Found]
    gaps: list[Gap]  # all of the file where its header does not hold


def survey(catalog: Catalog) -> list[Survey]:
    """Each segment that is there, oldest first; DiskError when one cannot be read."""
    sizes = appending.file_sizes(catalog.folder)
    segments = [(segment, sizes.get(name)) for name, segment in catalog.segments.items()]
    return [_survey(catalog, segment, size) for segment, size in segments if size is not None]


def _survey(catalog: Catalog, segment: Segment, size: int) -> Survey:
    read = catalog.open(segment.name).read_at
    if not segment.mark:
        read(0, SEGMENT_HEADER_SIZE)  # one that cannot be read is not one that is damaged
        nothing = [Gap(0, size, torn=size < SEGMENT_HEADER_SIZE)] if size else []
        return Survey(segment.name, size, [], nothing)
    items = list(scan(read, segment.mark, SEGMENT_HEADER_SIZE, size))
    found = [item for item in items if isinstance(item, Found)]
    return Survey(segment.name, size, found, [item for item in items if isinstance(item, Gap)])


def live(catalog: Catalog, surveys: Iterable[Survey]) -> list[tuple[str, Found]]:
    """The records that look-ups lead to, with their segments: of those that say the same, the youngest that holds."""
    said: dict[tuple[object, ...], tuple[str, Found]] = {}
    for item in surveys:
        for found in item.records:
            if found.kind in KNOWN:
                what = _identity(found)
                if what not in said or _is_sound(catalog.open(item.name).read_at, found):
                    said[what] = (item.name, found)
    return list(said.values())


def _identity(found: Found) -> tuple[object, ...]:
    """What makes two records say the same; of one cook request there may be several sets of answers."""
    return (found.kind, found.key, found.bound if found.kind == Kind.COOKED else b"")


def inform(catalog: Catalog) -> StoreInfo:
    """What a store holds."""
    surveys = survey(catalog)
    records = {kind.name.lower(): 0 for kind in Kind}
    sizes = dict(records)
    heads = SEGMENT_HEADER_SIZE * sum(bool(item.records) for item in surveys)
    dead = sum(item.size for item in surveys) - heads
    for _, found in live(catalog, surveys):
        kind = Kind(found.kind).name.lower()
        records[kind] += 1
        sizes[kind] += found.size
        dead -= found.end - found.offset
    size = sum(item.size for item in surveys) + index_size(catalog)
    return StoreInfo(catalog.folder, len(surveys), size, records, sizes, dead)


def index_size(catalog: Catalog) -> int:
    """Bytes of the index file; 0 when there is none."""
    return appending.file_sizes(catalog.folder).get(INDEX_NAME) or 0


def verify(catalog: Catalog) -> list[str]:
    """What is wrong, a line each, after reading every record; those that do not hold are marked as bad."""
    sizes = appending.file_sizes(catalog.folder)
    problems = [
        f"{catalog.path(name)}: is named like a segment of the store, and is no file"
        for name, size in sorted(sizes.items())
        if size is None and sequence_of(name) is not None
    ]
    for name, segment in catalog.segments.items():
        size = sizes.get(name)
        if size is None:
            continue
        try:
            item = _survey(catalog, segment, size)
            problems += (f"{catalog.path(name)}: {text}" for text in _faults(catalog, item))
        except DiskError as error:
            problems.append(str(error))
    return problems


def _faults(catalog: Catalog, item: Survey) -> Iterator[str]:
    """What is wrong in one segment."""
    for found in item.records:
        if not _is_sound(catalog.open(item.name).read_at, found):
            catalog.bad.add((item.name, found.offset))
            what = Kind(found.kind).name if found.kind in KNOWN else f"kind {found.kind}"
            fault = "is damaged" if found.kind in KNOWN else "is of no kind that is known"
            yield f"the {what} record {found.key.hex()} at byte {found.offset} {fault}"
    for gap in item.gaps:
        what = "an incomplete record" if gap.torn else "no record"
        yield f"bytes {gap.offset} to {gap.end} are {what}; they are not used"


def _is_sound(read: Read, found: Found) -> bool:
    """Whether a record's payload is what was put, and in the form that its kind has."""
    if not holds(found, digest_parts(iter_payload(read, found))):
        return False
    if found.kind == Kind.COOKED:
        return decode_cooked(read(found.payload, found.size)) is not None
    return found.kind in KNOWN
