"""A new archive is read back before it takes its name: whoever shares the work, no flipped byte gets by."""

from __future__ import annotations

from contextlib import nullcontext
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.projects import Game

from lumpyard.archives.ewad.reader import view
from lumpyard.archives.ewad.records import StoredLump
from lumpyard.archives.ewad.writer import write_ewad
from lumpyard.build.earlier.record import LumpRow, Rows, pack_columns
from lumpyard.build.packing import checking, read_back
from lumpyard.build.packing.read_back import check_metadata, check_part
from lumpyard.disk.reading import Mapping
from lumpyard.errors import DiskError

if TYPE_CHECKING:
    from pathlib import Path


class InMemory:
    """What reading back needs of a new file."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def map(self) -> Any:
        return nullcontext(Mapping(memoryview(self.data), (0, 0, 0, 0)))  # type: ignore[arg-type]  # nobody looks

    def read_at(self, offset: int, length: int) -> bytes:
        return self.data[offset : offset + length]


def written(data: bytes) -> Any:
    """What a build knows of an archive that it wrote, as far as it matters here."""
    archive = view(data)
    nothing = {**dict.fromkeys(LumpRow._fields, 0), "name": "", "raw_digest": b"", "cook_digest": b""}
    nothing |= {"set_id": "", "codec": "", "terms": "", "sources": ("",)}
    lumps = [
        {**nothing, "offset": lump.offset, "stored_size": lump.stored_size, "content_hash": lump.content_hash}
        for lump in archive.lumps
    ]
    columns = [[lump[field] for lump in lumps] for field in LumpRow._fields]
    return SimpleNamespace(
        rows=Rows(pack_columns(LumpRow._fields, columns)),
        size=len(data),
        start=archive.header.table_offset + archive.header.table_size,
        archive_hash=archive.archive_hash,
        made=[],
    )


@settings(max_examples=120, deadline=None)
@given(
    st.lists(st.integers(0, 90), min_size=1, max_size=12),
    st.integers(1, 5),
    st.sampled_from([1, 40, 100, 1 << 20]),
    st.data(),
)
def test_whoever_shares_it_every_flipped_byte_is_found(
    sizes: list[int], parts: int, window: int, draw: st.DataObject
) -> None:
    """Whatever is read at once, too: one lump, some, all, or less than one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checking, "_WINDOW", window)
        look_for_a_flipped_byte(sizes, parts, draw)


def look_for_a_flipped_byte(sizes: list[int], parts: int, draw: st.DataObject) -> None:
    lumps = [
        StoredLump(b"%d" % number, bytes([number + 1]) * size, size) for number, size in enumerate(sizes)
    ]
    data = write_ewad(lumps, alignment=16)
    known = written(data)

    def problems(found: bytes) -> list[str]:
        file: Any = InMemory(found)
        return [
            check_metadata(file, known.rows, known, "EWAD"),
            *[check_part(file, known, whole=True, share=(part, parts)) for part in range(parts)],
        ]

    assert problems(data) == ["", *[""] * parts]
    damaged = bytearray(data)
    damaged[draw.draw(st.integers(0, len(data) - 1))] ^= 1
    assert any(problems(bytes(damaged)))


@pytest.mark.parametrize("workers", ["fork:3", "threads:2", "serial"])
def test_a_large_archive_is_read_back_by_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: str
) -> None:
    """Here one byte counts as large."""
    game = Game(
        tmp_path / "game", {"sets": {"art": {"files": "art/*"}}, "archives": {"base": {"sets": ["art"]}}}
    )
    game.write({f"art/{number}": bytes([number]) * 999 for number in range(40)})
    monkeypatch.setattr(read_back, "_WORTH_SHARING", 1)
    monkeypatch.setattr(read_back, "WORTH_A_CREW", 1)
    asked: list[tuple[int, int]] = []

    def no_answer(*_args: Any, **named: Any) -> str:
        asked.append(named["share"])
        return "it is not as it should be" if named["share"] == (2, 3) else ""

    monkeypatch.setattr(read_back, "check_part", no_answer)
    if workers == "fork:3":  # what other processes do is seen by what they answer alone
        with pytest.raises(DiskError, match="it is not as it should be"):
            game.ship(LUMPYARD_WORKERS=workers)
    else:
        game.ship(LUMPYARD_WORKERS=workers)
        assert asked == [(0, 1)]
