"""Far offsets, great sizes and absurd counts, as sparse files: sums are exact, nothing is read in vain."""

from __future__ import annotations

import mmap
import struct
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from tests.builders import ewad
from tests.builders.ewad import Written

from lumpyard.archives.ewad.layout import head_size, order_names, place
from lumpyard.archives.ewad.reader import view
from lumpyard.archives.ewad.verify import load, verify
from lumpyard.archives.ewad.writer import encode_head
from lumpyard.errors import MalformedError, UnsupportedError
from lumpyard.hashing import content_hash

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

GIB = 1 << 30
HASHES_OF_ZEROS = {size: content_hash(bytes(size)) for size in (1, 3, 5, 7, 10)} | {
    4 * GIB + 1: 0xC80072E34BB87D3B
}


@contextmanager
def sparse(path: Path, size: int, **pieces: bytes) -> Iterator[mmap.mmap]:
    """A map of a file of some size that is all holes but for a few pieces, `at_4096=b"..."`."""
    with path.open("w+b") as file:
        file.truncate(size)
        for at, data in pieces.items():
            file.seek(int(at.removeprefix("at_")))
            file.write(data)
        file.flush()
        # Left to the collector: views of it may still be alive in a failed test's report.
        yield mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def written(sizes: dict[bytes, int], alignment: int) -> tuple[int, dict[str, bytes]]:
    """Size and pieces of an archive whose lumps are holes, by the writer's own functions."""
    names = list(sizes)
    ordering = order_names(names)
    ordered = [sizes[names[index]] for index in ordering.order]
    offsets, end = place(ordered, [alignment] * len(names), head_size(names, named=True))
    columns = {field: [0] * len(names) for field in ("content_hashes", "fourccs", "schemas", "flags")}
    head = encode_head(
        ordering,
        names,
        offsets=offsets,
        stored_sizes=ordered,
        raw_sizes=ordered,
        alignment=alignment,
        named=True,
        **columns | {"content_hashes": [HASHES_OF_ZEROS[size] for size in ordered]},
    )
    return end, {"at_0": head}


@contextmanager
def anonymous(size: int, head: bytes) -> Iterator[mmap.mmap]:
    """The same without a file: all holes of private memory are one page of zeros, free to read."""
    mapped = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    mapped[: len(head)] = head
    yield mapped


def test_an_alignment_of_a_gibibyte_works(tmp_path: Path) -> None:
    end, pieces = written({b"a": 3, b"b": 1, b"c": 5}, GIB)
    with sparse(tmp_path / "align.ewad", end, **pieces) as data:
        archive = view(data)
        assert [lump.offset for lump in archive.lumps] == [GIB, 2 * GIB, 3 * GIB]
        assert archive.alignment == GIB
        assert verify(archive) == []
        assert sorted(lump.name for lump in load(data)) == [b"a", b"b", b"c"]
    assert (tmp_path / "align.ewad").stat().st_blocks * 512 < 1 << 20


HUGE = {b"small": 10, b"huge": 4 * GIB + 1, b"tail": 7}


def test_an_archive_and_a_lump_over_four_gibibytes_are_viewed_but_not_loaded(tmp_path: Path) -> None:
    end, pieces = written(HUGE, 16)
    assert end > 4 * GIB
    with sparse(tmp_path / "huge.ewad", end, **pieces) as data:
        archive = view(data)
        assert {lump.name: lump.stored_size for lump in archive.lumps} == HUGE
        huge, tail = archive.find(b"huge"), archive.find(b"tail")
        assert huge is not None
        assert tail is not None
        assert len(archive.stored(huge)) == 4 * GIB + 1
        assert archive.read(tail) == bytes(7)
        with pytest.raises(UnsupportedError) as caught:
            load(data)
        assert (caught.value.code, caught.value.entry) == ("size", huge)


def test_a_lump_over_four_gibibytes_is_verified() -> None:
    end, pieces = written(HUGE, 16)
    with anonymous(end, pieces["at_0"]) as data:
        assert verify(view(data)) == []
        data[end - 20] ^= 1
        assert [finding.code for finding in verify(view(data))] == ["content-hash"]


@pytest.mark.parametrize(("size", "error"), [(2**32 - 1, MalformedError), (2**32, UnsupportedError)])
def test_only_a_lump_above_the_last_u32_is_refused(size: int, error: type[Exception]) -> None:
    """ "A lump larger than UINT32_MAX": a smaller one goes on to the next check, its content hash."""
    head = ewad.with_entry(ewad.build([Written(b"a")]), 0, stored_size=size, raw_size=size)
    with anonymous(5 * GIB, head) as data, pytest.raises(error):
        load(data)


def test_lumps_far_away_in_a_sparse_file_of_100_gibibytes_are_read(tmp_path: Path) -> None:
    end = 100 * GIB
    head = ewad.with_entry(ewad.build([Written(b"far", b"data")]), 0, offset=end - 16)
    with sparse(tmp_path / "far.ewad", end, at_0=head[: 64 + 56 + 4], **{f"at_{end - 16}": b"data"}) as data:
        archive = view(data)
        assert archive.read(0) == b"data"
        assert archive.lumps[0].offset == end - 16


def test_four_billion_lumps_of_zeros_are_malformed_at_once(tmp_path: Path) -> None:
    head = struct.pack("<4sIIIQQQQQQ", b"EWAD", 2, 2**32 - 1, 16, 0, 64, 64, 0, 0, 0)
    with (
        sparse(tmp_path / "many.ewad", 300 * GIB, at_0=head) as data,
        pytest.raises(MalformedError) as caught,
    ):
        view(data)
    assert (caught.value.code, caught.value.entry) == ("order", 1)


def test_a_string_table_of_200_gibibytes_is_refused_at_once(tmp_path: Path) -> None:
    """Malformed where an entry is broken whatever the hash; else it may be legal, but is not read here."""
    named = struct.pack("<QQQQQIIHHI", content_hash(b"a"), 0, 0, 0, 0, 0, 200, 0, 0, 0)
    for name, error in ((b"a", UnsupportedError), (b"", MalformedError)):
        head = struct.pack("<4sIIIQQQQQQ", b"EWAD", 2, 1, 16, 0, 64, 64, 200 * GIB, 0, 0)
        file = tmp_path / f"table-{error.__name__}.ewad"
        with sparse(file, 201 * GIB, at_0=head + named, at_264=name) as data, pytest.raises(error) as caught:
            view(data)
        assert caught.value.code == ("limit" if name else "name")
