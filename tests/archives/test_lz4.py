"""The codec: exactly the raw size or an error, whatever the block; and blocks that stay the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import ewad
from tests.builders.ewad import Written
from xxhash import xxh64_digest, xxh64_intdigest

from lumpyard import lz4
from lumpyard.archives.ewad.reader import view
from lumpyard.archives.ewad.verify import verify
from lumpyard.errors import ArchiveError, MalformedError, UnsupportedError

ENCODERS = [("lz4", 0), *(("lz4hc", level) for level in range(3, 13))]
GOLDEN = (  # raw bytes, encoder, XXH64 of the block by python-lz4 4.4.5 with lz4 1.9.4
    (900, ("lz4", 0), 0x5DE93AEFF7CDAAD8),
    (70_000, ("lz4", 0), 0x56D0C3577F7713A0),  # above 64 KiB a 32-bit library makes other blocks
    (9_000, ("lz4hc", 3), 0x0C688270B9CD67BB),
    (9_000, ("lz4hc", 9), 0x1A86ABEEA5722D90),
    (900, ("lz4hc", 12), 0x76A53E7378BE94AD),
)
TEN_A = bytes.fromhex("1f 61 0100 0f  50 6161616161")  # 40 bytes "a", see test_golden


@given(st.one_of(st.binary(max_size=300), st.integers(0, 100_000).map(bytes)), st.sampled_from(ENCODERS))
def test_what_is_compressed_is_decompressed(raw: bytes, encoder: tuple[str, int]) -> None:
    block = lz4.compress(raw, *encoder)
    assert lz4.decompress(block, len(raw)) == raw
    assert lz4.decompress(memoryview(b"x" + block)[1:], len(raw)) == raw


@pytest.mark.parametrize(
    "size", [0, 1, 39, 41, 80, 255 * 11, 255 * 11 + 1, 2**31 - 1, 2**31, 2**32, 2**63, 2**64 - 1]
)
def test_any_other_raw_size_is_malformed(size: int) -> None:
    with pytest.raises(MalformedError) as caught:
        lz4.decompress(TEN_A, size)
    assert caught.value.code == "lz4"


def test_an_absurd_raw_size_is_refused_before_memory_is_taken() -> None:
    """A byte of a block stands for at most 255 raw bytes, so 20 bytes never hold 2^63."""
    for size in (20 * 255 + 1, 2**40, 2**63):
        with pytest.raises(MalformedError, match="cannot hold"):
            lz4.decompress(bytes(20), size)


def test_the_densest_blocks_are_not_taken_for_absurd() -> None:
    for size in (100, 10_000, 3_000_000):
        block = lz4.compress(bytes(size), "lz4hc", 12)
        assert len(lz4.decompress(block, size)) == size


def test_more_than_the_binding_can_hold_is_unsupported() -> None:
    with pytest.raises(UnsupportedError) as caught:
        lz4.decompress(bytes(2**31 // 255 + 1), 2**31)
    assert caught.value.code == "lz4"


@given(st.binary(max_size=40), st.integers(0, 2**64 - 1) | st.integers(0, 200))
def test_nothing_but_the_documented_errors_leaves_the_decoder(block: bytes, size: int) -> None:
    try:
        raw = lz4.decompress(block, size)
    except ArchiveError:
        return
    assert len(raw) == size


def test_an_empty_lump_may_be_compressed_but_has_a_block_of_one_byte() -> None:
    assert lz4.compress(b"", "lz4") == b"\0"
    assert lz4.decompress(b"\0", 0) == b""
    with pytest.raises(MalformedError):
        lz4.decompress(b"", 0)


def test_an_archive_with_a_broken_block_is_viewed_and_its_other_lumps_read() -> None:
    data = ewad.build(
        [Written(b"bad", TEN_A, 41), Written(b"good", TEN_A, 40), Written(b"bomb", TEN_A, 2**63)]
    )
    archive = view(data)
    bad, good, bomb = (archive.find(name) for name in (b"bad", b"good", b"bomb"))
    assert good is not None
    assert archive.read(good) == b"a" * 40
    for index in (bad, bomb):
        assert index is not None
        with pytest.raises(MalformedError, match=f"entry {index}") as caught:
            archive.read(index)
        assert (caught.value.code, caught.value.entry) == ("lz4", index)
    assert [(finding.code, finding.entry) for finding in verify(archive)] == sorted(
        [("lz4", bad), ("lz4", bomb)], key=lambda found: found[1] or 0
    )


@pytest.mark.parametrize(
    ("codec", "level"), [("lz4hc", 2), ("lz4hc", 13), ("lz4hc", 0), ("zstd", 3), ("none", 0)]
)
def test_other_encoders_are_refused(codec: str, level: int) -> None:
    with pytest.raises(ValueError, match="levels 3 to 12"):
        lz4.compress(b"data", codec, level)


def test_the_library_makes_the_expected_blocks() -> None:
    data = golden_input()
    made = [xxh64_intdigest(lz4.compress(data[:size], *encoder)) for size, encoder, _ in GOLDEN]
    assert made == [block_hash for _, _, block_hash in GOLDEN]


def golden_input() -> bytes:
    """81,920 bytes with repeats near and far: 20-byte pieces of a pool, picked by its own bytes."""
    pool = b"".join(xxh64_digest(bytes([number])) for number in range(128))
    return b"".join([pool[pick * 3 : pick * 3 + 20] for pick in pool * 4])


def test_the_encoder_says_which_binding_and_library_it_is() -> None:
    import importlib.metadata

    assert lz4.encoder_id().startswith(f"python-lz4 {importlib.metadata.version('lz4')}, lz4 1.")


def test_levels_make_a_difference() -> None:
    data = b"".join(b"%d %d," % (number * number, number) for number in range(3000))
    sizes = [len(lz4.compress(data, *encoder)) for encoder in ENCODERS]
    assert sizes[0] > sizes[1] > sizes[-1]
