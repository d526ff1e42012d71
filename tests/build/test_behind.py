"""What was written goes to the device meanwhile: every byte once, from the front on, and none that is not written."""

from __future__ import annotations

import ctypes
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lumpyard.build.packing import behind
from lumpyard.build.packing.behind import ChunksBehind
from lumpyard.disk import NewFile, flushing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

START = 64
STEP = behind._STEP


class Watched:
    """What `ChunksBehind` needs of a new file."""

    def __init__(self) -> None:
        self.sent: list[tuple[int, int]] = []

    def write_behind(self, offset: int, length: int) -> None:
        self.sent.append((offset, offset + length))


@given(st.lists(st.integers(1, 2 * STEP), min_size=1, max_size=8), st.randoms(use_true_random=False))
def test_chunks_are_sent_from_the_front_on_in_whatever_order_they_are_written(
    sizes: list[int], random: Any
) -> None:
    file: Any = Watched()
    sending = ChunksBehind(file, START)
    starts = [START + sum(sizes[:number]) for number in range(len(sizes) + 1)]
    order = list(range(len(sizes)))
    random.shuffle(order)
    written: set[int] = set()
    for number in order:
        written.add(number)
        # The offset of its last lump: what is behind that counts as not written.
        sending.written(number, starts[number].to_bytes(8, "little"))
        front = next((at for at in range(len(sizes)) if at not in written), len(sizes))
        assert all(end <= starts[front] for _, end in file.sent)
    large = bool(file.sent)
    sending.finish(starts[-1])
    ends = [START, *(end for _, end in file.sent)]
    assert [start for start, _ in file.sent] == ends[:-1]
    assert ends[-1] == (starts[-1] if large else START)


@pytest.fixture(autouse=True)
def anew() -> Iterator[None]:
    """The system's call is looked up again in each test."""
    flushing._sync_file_range.cache_clear()
    yield
    flushing._sync_file_range.cache_clear()


def test_the_system_is_asked_for_the_range_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, ...]] = []

    def sync_file_range(*arguments: int) -> int:
        asked.append(arguments)
        return -1  # it may refuse, as on some file systems

    monkeypatch.setattr(ctypes, "CDLL", lambda _: SimpleNamespace(sync_file_range=sync_file_range))
    with NewFile(str(tmp_path / "new")) as file:
        file.write_behind(STEP, 5 << 30)
        assert asked == [(file.fd, STEP, 5 << 30, 2)]


def test_where_there_is_no_such_call_nothing_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda _: SimpleNamespace())
    with NewFile(str(tmp_path / "new")) as file:
        file.write_at(0, [b"whole"])
        file.write_behind(0, 5)
        file.commit(durable=True)
    assert (tmp_path / "new").read_bytes() == b"whole"


def test_linux_takes_the_call_and_what_was_sent_stays_in_the_file(tmp_path: Path) -> None:
    call = flushing._sync_file_range()
    assert (call is not None) == (sys.platform == "linux")
    with NewFile(str(tmp_path / "new")) as file:
        file.write_at(0, [b"x" * 4096])
        file.write_behind(0, 4096)
        assert call is None or call(file.fd, 0, 4096, flushing._SYNC_FILE_RANGE_WRITE) == 0
        assert file.read_at(0, 8192) == b"x" * 4096
