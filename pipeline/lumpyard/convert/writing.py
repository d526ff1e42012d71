"""The bytes of a conversion, lump by lump, into a new file; one raw lump is in memory at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives.ewad.layout import Ordering, head_size, order_names
from lumpyard.archives.ewad.records import FLAG_LZ4
from lumpyard.archives.ewad.writer import encode_head
from lumpyard.archives.writing import NewLump
from lumpyard.convert.coding import Coder
from lumpyard.convert.model import ORIGIN_NAME, ORIGIN_SCHEMA, ORIGIN_TYPE
from lumpyard.convert.writers import writer_of
from lumpyard.errors import DiskError
from lumpyard.hashing import content_hash, digest

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Buffer

    from lumpyard.convert.model import Layout, Plan, Stored
    from lumpyard.disk import NewFile

DEFAULT_ALIGNMENT = 16


class Misfit(Exception):  # noqa: N818 - no error: everything is then laid out anew
    """The original's layout does not hold what is written into it."""


class Written(NamedTuple):
    """A lump in the new file."""

    name: bytes  # as stored
    offset: int
    stored_size: int
    raw_size: int
    raw_digest: bytes  # BLAKE3
    compressed: bool
    content_hash: int  # XXH64 of the stored bytes
    fourcc: int = 0
    schema: int = 0
    kind: int = 0
    key: int | None = None


def write_archive(
    file: NewFile, plan: Plan, layout: Layout | None, done: Callable[[int], None] | None = None
) -> list[Written]:
    """Write all of an archive; what was written, in the order of its directory.

    With a layout everything goes where it was; Misfit where it does not fit there. `done` is told the raw size of
    each lump once it is written. ArchiveError and DiskError where a lump cannot be read.
    """
    job = _Job(file, plan, layout, Coder(plan), done or _nobody)
    return _write_ewad(job) if plan.format == "EWAD" else _write_flat(job)


class _Job(NamedTuple):
    """What all parts of the work need."""

    file: NewFile
    plan: Plan
    layout: Layout | None
    coder: Coder
    done: Callable[[int], None]


def _nobody(_size: int) -> None:
    """Nobody wants to be told."""


def _write_flat(job: _Job) -> list[Written]:
    """Header, lumps back to back in the given order, directory; or each of them where it was."""
    layout, writer = job.layout, writer_of(job.plan.format, large=job.plan.options.large)
    end = writer.header_size
    written: list[Written] = []
    for index in range(len(job.plan.names)):
        done = _write_lump(job, index, end)
        written.append(done)
        end = done.offset + done.stored_size
    lumps = [
        NewLump(done.name, done.stored_size, done.raw_size, done.compressed, done.kind) for done in written
    ]
    directory = writer.directory(lumps, [done.offset for done in written])
    start = end if layout is None else layout.directory_offset
    if layout is not None and start + len(directory) > layout.size:
        raise Misfit
    _finish(
        job.file, [(0, writer.header(len(lumps), start)), (start, directory)], layout, start + len(directory)
    )
    return written


def _write_ewad(job: _Job) -> list[Written]:
    """The lumps in the order of their keys, each at the next multiple of the alignment; then what is before them."""
    plan = job.plan
    alignment = plan.options.alignment or plan.source.alignment or DEFAULT_ALIGNMENT
    original = plan.source.layout
    was_stripped = plan.source.format == "EWAD" and original is not None and original.stripped
    named = not (plan.keyed or plan.options.strip or was_stripped)
    ordering, names = _ordered(plan)
    end = head_size(names, named=named)
    written: list[Written] = []
    for position in ordering.order:
        at = -(-end // alignment) * alignment
        is_origin = position == len(plan.names)
        done = _write_origin(job, at) if is_origin else _write_lump(job, position, at)
        written.append(done)
        end = done.offset + done.stored_size
    head = encode_head(
        ordering,
        names,
        offsets=[done.offset for done in written],
        stored_sizes=[done.stored_size for done in written],
        raw_sizes=[done.raw_size for done in written],
        content_hashes=[done.content_hash for done in written],
        fourccs=[done.fourcc for done in written],
        schemas=[done.schema for done in written],
        flags=[FLAG_LZ4 if done.compressed else 0 for done in written],
        alignment=alignment,
        named=named,
    )
    _finish(job.file, [(0, head)], job.layout, max(end, len(head)))
    return [done._replace(key=key) for done, key in zip(written, ordering.keys, strict=True)]


def _ordered(plan: Plan) -> tuple[Ordering, list[bytes]]:
    """The order of an EWAD's lumps, the origin lump behind the source's, and their names."""
    names = [*plan.names, *([] if plan.origin is None else [ORIGIN_NAME.encode()])]
    if not plan.keyed:
        return order_names(names, plan.source.seed), names
    keys = [lump.key or 0 for lump in plan.source.lumps]
    order = sorted(range(len(keys)), key=keys.__getitem__)
    return Ordering(plan.source.seed, [keys[index] for index in order], order), names


def _write_lump(job: _Job, index: int, at: int) -> Written:
    """One lump of the source, at an offset or where the layout has it."""
    plan = job.plan
    lump = plan.source.lumps[index]
    raw = plan.source.read(index)
    if memoryview(raw).nbytes != lump.raw_size:
        raise DiskError(f"{lump.label} changed while it was read")
    stored = job.coder.store(index, plan.names[index], raw)
    if job.layout is not None:
        assert lump.recorded is not None, "a layout is only for lumps that all have their places"
        if memoryview(stored.data).nbytes != lump.recorded.stored_size:
            raise Misfit
        at = lump.recorded.offset
    done = _put(job.file, plan.names[index], raw, stored, at)
    job.done(done.raw_size)
    if plan.format == "EWAD":
        return done._replace(fourcc=lump.fourcc, schema=lump.schema)
    return done._replace(kind=lump.kind or 0) if plan.format in {"WAD2", "WAD3"} else done


def _write_origin(job: _Job, at: int) -> Written:
    document = job.plan.origin
    assert document is not None, "its place in the order says so"
    done = _put(job.file, ORIGIN_NAME.encode(), document, job.coder.store_new(document), at)
    return done._replace(fourcc=ORIGIN_TYPE, schema=ORIGIN_SCHEMA)


def _put(file: NewFile, name: bytes, raw: Buffer, stored: Stored, at: int) -> Written:
    size, raw_size = memoryview(stored.data).nbytes, memoryview(raw).nbytes
    if size:
        file.write_at(at, [stored.data])
    return Written(name, at, size, raw_size, digest(raw), stored.compressed, content_hash(stored.data))


def _finish(file: NewFile, parts: list[tuple[int, bytes]], layout: Layout | None, end: int) -> None:
    """Write what is not lumps, and give the file its size."""
    if layout is not None:
        if end > layout.size:
            raise Misfit
        end = layout.size
    for offset, part in parts:
        file.write_at(offset, [part])
    file.truncate(end)
