"""Pieces of a new file: small calls, carried on where they are short, and copies of ranges."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders.faults import Fault, failing
from tests.disk.files import NEW, OLD, names

from lumpyard import disk
from lumpyard.errors import DiskError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test runs in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_sparse_file_takes_no_room() -> None:
    with disk.NewFile("a") as new:
        new.write_at(1 << 32, [b"x"])
        new.truncate(1 << 33)
        new.commit(durable=False)
    found = os.stat("a")
    assert (found.st_size, found.st_blocks < 100) == (1 << 33, True)


@given(st.lists(st.integers(0, 300_000), max_size=6), st.integers(0, 5))
def test_pieces_are_written_one_after_the_other_in_small_calls(sizes: list[int], offset: int) -> None:
    pieces = [bytes([number + 1]) * size for number, size in enumerate(sizes)]
    fault = Fault(-1, 0)
    with disk.NewFile("a") as new:
        with failing(fault):
            new.write_at(offset, [memoryview(piece) if len(piece) % 2 else piece for piece in pieces])
        with new.map() as mapping:
            assert bytes(mapping.data) == (bytes(offset) + b"".join(pieces) if any(sizes) else b"")
    assert len(fault.calls) <= len(sizes) + sum(sizes) // disk.PIECE + 1


def test_no_call_writes_more_than_a_piece_or_too_many_buffers(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[int, int]] = []
    real = os.pwritev

    def spy(fd: int, pieces: list[bytes], offset: int) -> int:
        calls.append((len(pieces), sum(map(len, pieces))))
        return real(fd, pieces, offset)

    monkeypatch.setattr(os, "pwritev", spy)
    disk.write_file("a", NEW)
    with disk.NewFile("b") as new:
        new.write_at(0, [b"x"] * 5000)
        new.commit(durable=False)
    assert max(buffers for buffers, _ in calls) == disk.IOV_MAX
    assert max(size for _, size in calls) == disk.PIECE == 128 << 10
    assert disk.read_file("b") == b"x" * 5000


@pytest.mark.parametrize("most", [1, 7, 1000])
def test_short_writes_are_carried_on(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.pwritev
    monkeypatch.setattr(os, "pwritev", lambda fd, pieces, at: real(fd, [b"".join(pieces)[:most]], at))
    data = bytes(range(256)) * 3
    with disk.NewFile("a") as new:
        new.write_at(1, [data[:5], b"", data[5:]])
        new.commit(durable=False)
    assert disk.read_file("a") == b"\0" + data


def test_a_write_that_gets_nowhere_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "pwritev", lambda *_: 0)
    with pytest.raises(DiskError, match=r"^cannot write a: the system writes no more"):
        disk.write_file("a", OLD)
    assert names() == []


@pytest.mark.parametrize("missing", [["pwritev"], ["pwritev", "pwrite"], ["pwritev", "pwrite", "pread"]])
def test_where_calls_are_missing_the_same_bytes_are_written(
    missing: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    disk.write_file("source", NEW)
    for name in [*missing, "copy_file_range"]:
        monkeypatch.delattr(os, name)
    with disk.OpenFile("source") as source, disk.NewFile("a") as new:
        new.write_at(10, [OLD, NEW])
        new.copy_from(source.fd, 5, 0, 10)
        new.commit(durable=False)
        assert source.read_at(3, 200_000) == NEW[3:200_003]
    assert disk.read_file("a") == NEW[5:15] + OLD + NEW


@pytest.mark.parametrize("error", [errno.EXDEV, errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP])
def test_a_range_is_copied_by_reading_where_the_kernel_cannot(
    error: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise OSError(error, os.strerror(error))

    monkeypatch.setattr(os, "copy_file_range", refuse)
    disk.write_file("source", NEW)
    with disk.OpenFile("source") as source, disk.NewFile("a") as new:
        new.copy_from(source.fd, 1, 2, len(NEW) - 1)
        new.commit(durable=False)
    assert disk.read_file("a") == b"\0\0" + NEW[1:]


def test_a_range_that_ends_too_early_is_an_error() -> None:
    disk.write_file("source", OLD)
    with (
        disk.OpenFile("source") as source,
        disk.NewFile("a") as new,
        pytest.raises(DiskError, match=r"^cannot write a: what is copied ends too early$"),
    ):
        new.copy_from(source.fd, 1, 0, len(OLD) + 1)


def test_a_short_copy_is_carried_on(monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.copy_file_range
    monkeypatch.setattr(
        os, "copy_file_range", lambda a, b, size, at, to: real(a, b, min(size, 99_999), at, to)
    )
    disk.write_file("source", NEW)
    with disk.OpenFile("source") as source, disk.NewFile("a") as new:
        new.copy_from(source.fd, 0, 0, len(NEW))
        new.commit(durable=False)
    assert disk.read_file("a") == NEW
