"""An engine in C, written from the specification alone, agrees with Lumpyard on every archive."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import ewad, vectors
from tests.builders.engine import Engine, verdicts_of, write_list
from tests.builders.ewad import Written

from lumpyard import lz4
from lumpyard.archives.ewad.reader import view
from lumpyard.archives.ewad.records import StoredLump
from lumpyard.archives.ewad.writer import write_ewad
from lumpyard.errors import MalformedError, UnsupportedError

if TYPE_CHECKING:
    from pathlib import Path

SHARED = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
NAMES = st.binary(min_size=1, max_size=40).map(lambda name: name.replace(b"\0", b"\\"))
RAW = st.one_of(
    st.binary(max_size=200),
    st.integers(0, 5000).map(bytes),
    st.binary(max_size=9).map(lambda part: part * 500),
)
LUMPS = st.dictionaries(NAMES, st.tuples(RAW, st.sampled_from(["none", "lz4", "lz4hc"])), max_size=8)
LAYOUTS = st.tuples(st.sampled_from([1, 2, 16, 4096]), st.integers(0, 2**64 - 1), st.booleans())
ODD = [
    Written(b"maps/e1.map", b"map data", None, 1, 2),
    Written(b"empty"),
    Written(b"wall.png", bytes.fromhex("1f6101000f506161616161"), 40, 3, 4),
    Written(b"\xff\xfe", b"same"),
    Written(b"same", b"same"),
]


def our_verdict(data: bytes) -> str:
    try:
        view(data)
    except MalformedError:
        return "malformed"
    except UnsupportedError:
        return "unsupported"
    return "ok"


def test_both_give_every_vector_the_same_verdict(engine: Engine) -> None:
    names = vectors.names("ewad")
    found = engine.check(*(vectors.FOLDER / f"{name}.bin" for name in names))
    for name, verdict in zip(names, found, strict=True):
        assert verdict.partition(":")[0] == our_verdict(vectors.read(name)), name


@pytest.mark.parametrize("named", [True, False], ids=["named", "stripped"])
def test_both_give_every_flipped_bit_the_same_verdict(engine: Engine, tmp_path: Path, named: bool) -> None:
    """With the header hash made to fit, so that the entries' own rules are what decides."""
    data = ewad.build(ODD, seed=3, named=named)
    end = 64 + 56 * len(ODD) + ewad.header(data, "table_size")
    flipped = [ewad.rehashed(ewad.flipped(data, bit)) for bit in range(end * 8)]
    assert verdicts_of(engine, tmp_path, flipped) == [our_verdict(each) for each in flipped]


@given(st.data())
@SHARED
def test_both_give_broken_fields_the_same_verdict(
    engine: Engine, tmp_path: Path, data: st.DataObject
) -> None:
    """Extremes in up to three fields at once, with a fitting header hash."""
    named = data.draw(st.booleans())
    archive = ewad.build(ODD, named=named, arrangement=data.draw(st.sampled_from(["dsl", "lds", "sld"])))
    sizes = {"I": 4, "Q": 8, "H": 2}
    for _ in range(data.draw(st.integers(1, 3))):
        record = data.draw(st.sampled_from([ewad.HEADER, ewad.ENTRY]))
        field = data.draw(st.sampled_from(sorted(set(record) - {"signature", "header_hash"})))
        extremes = [
            0,
            1,
            2,
            16,
            48,
            63,
            64,
            120,
            255,
            2**31,
            2**32 - 1,
            2**63,
            2**64 - 1,
            len(archive),
            len(archive) // 2,
        ]
        value = data.draw(st.sampled_from(extremes)) % (1 << 8 * sizes[record[field][1][1]])
        if record is ewad.HEADER:
            archive = ewad.with_header(archive, **{field: value})  # type: ignore[arg-type]
        elif ewad.header(archive, "directory_offset") + 56 * 2 <= len(archive):
            archive = ewad.with_entry(archive, data.draw(st.integers(0, 1)), **{field: value})  # type: ignore[arg-type]
    assert verdicts_of(engine, tmp_path, [archive]) == [our_verdict(archive)]


@given(LUMPS, LAYOUTS)
@SHARED
def test_the_engine_finds_each_lump_and_decodes_it_to_its_bytes(
    engine: Engine, tmp_path: Path, lumps: dict[bytes, tuple[bytes, str]], layout: tuple[int, int, bool]
) -> None:
    alignment, seed, named = layout
    archive = tmp_path / "made.ewad"
    archive.write_bytes(write_ewad([*map(stored, lumps.items())], alignment, seed, named=named))
    files = {}
    for number, (name, (raw, _)) in enumerate(lumps.items()):
        files[name] = tmp_path / f"raw {number}\t"
        files[name].write_bytes(raw)
    assert engine.compare(archive, write_list(tmp_path / "list", files)) == ""


def stored(item: tuple[bytes, tuple[bytes, str]]) -> StoredLump:
    name, (raw, codec) = item
    if codec == "none":
        return StoredLump(name, raw, len(raw))
    return StoredLump(name, lz4.compress(raw, codec, 9 if codec == "lz4hc" else 0), len(raw), flags=1)


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "odd.ewad"
    path.write_bytes(ewad.build(ODD))
    return path


def test_cat_writes_the_raw_bytes_and_nothing_for_what_is_not_there(engine: Engine, archive: Path) -> None:
    assert engine.cat(archive, b"wall.png") == b"a" * 40
    assert engine.cat(archive, b"empty") == b""
    assert engine.cat(archive, b"\xff\xfe") == b"same"
    assert engine.cat(archive, b"Same") is None


def test_compare_tells_wrong_bytes_and_lumps_too_many_or_too_few(
    engine: Engine, archive: Path, tmp_path: Path
) -> None:
    contents = {lump.name: lump.stored if lump.raw_size is None else b"a" * 40 for lump in ODD}
    files = {}
    for number, (name, raw) in enumerate(contents.items()):
        files[name] = tmp_path / str(number)
        files[name].write_bytes(raw)
    listed = tmp_path / "list"
    assert engine.compare(archive, write_list(listed, files)) == ""
    assert "5 lumps, but 4 are listed" in engine.compare(
        archive, write_list(listed, dict(list(files.items())[:4]))
    )
    assert "no lump other" in engine.compare(archive, write_list(listed, {**files, b"other": tmp_path / "0"}))
    write_list(listed, files)
    listed.write_bytes(listed.read_bytes() + listed.read_bytes().splitlines(keepends=True)[0])
    assert "lump maps/e1.map is listed twice" in engine.compare(archive, listed)
    files[b"wall.png"].write_bytes(b"a" * 39 + b"b")
    assert "lump wall.png is not the file" in engine.compare(archive, write_list(listed, files))
    files[b"wall.png"].write_bytes(b"a" * 41)
    assert "lump wall.png is not the file" in engine.compare(archive, write_list(listed, files))


def test_a_damaged_lump_is_refused(engine: Engine, tmp_path: Path) -> None:
    data = ewad.build([Written(b"wall.png", bytes.fromhex("1f6101000f506161616161"), 40)])
    at = ewad.entry(data, 0, "offset")
    damaged = tmp_path / "damaged.ewad"
    damaged.write_bytes(ewad.flipped(data, at * 8))
    assert engine.cat(damaged, b"wall.png") is None


@given(st.binary(max_size=30), st.integers(0, 200) | st.sampled_from([2**31, 2**63, 2**64 - 1]))
@SHARED
def test_any_block_of_any_raw_size_is_decoded_or_refused(
    engine: Engine, tmp_path: Path, block: bytes, raw_size: int
) -> None:
    """The engine's decoder never leaves its buffers (the sanitizers watch), and agrees on what decodes."""
    path = tmp_path / "block.ewad"
    path.write_bytes(ewad.build([Written(b"block", block, raw_size)]))
    try:
        ours = lz4.decompress(block, raw_size)
    except (MalformedError, UnsupportedError):
        ours = None
    theirs = engine.cat(path, b"block")
    assert theirs is None or len(theirs) == raw_size
    if ours is not None:
        assert theirs == ours
