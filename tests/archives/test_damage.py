"""What a changed bit does: found by the header hash or a content hash; and which bits are free."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.builders import ewad
from tests.builders.ewad import Written

from lumpyard.archives.ewad.reader import view
from lumpyard.archives.ewad.verify import load, verify
from lumpyard.errors import ArchiveError, MalformedError, UnsupportedError

LUMPS = [
    Written(b"maps/e1.map", b"map data", None, 1, 2),
    Written(b"empty"),
    Written(b"textures/wall.png", bytes.fromhex("1f6101000f506161616161"), 40, 3, 4),
    Written(b"a", b"0123456789abcdefghi", None, 0xFFFFFFFF, 0xFFFF),
    Written(b"\xff\xfe", b"same"),
    Written(b"same", b"same"),
]
NAMED = ewad.build(LUMPS, seed=3)
STRIPPED = ewad.build(LUMPS, seed=3, named=False)
BOTH = pytest.mark.parametrize("data", [NAMED, STRIPPED], ids=["named", "stripped"])


def verdict_of(data: bytes) -> str:
    """The verdict of `view`, with its code where there is one."""
    try:
        view(data)
    except MalformedError as error:
        return f"malformed {error.code}"
    except UnsupportedError as error:
        return f"unsupported {error.code}"
    return "ok"


@BOTH
def test_every_flipped_bit_of_the_metadata_is_malformed(data: bytes) -> None:
    end = 64 + 56 * len(LUMPS) + ewad.header(data, "table_size")
    for bit in range(end * 8):
        with pytest.raises(MalformedError):
            view(ewad.flipped(data, bit))


@BOTH
def test_every_flipped_bit_of_the_data_is_found_and_padding_is_no_data(data: bytes) -> None:
    """ "Padding belongs to no field and is covered by no hash, so it is never read." """
    found: Counter[tuple[str, str]] = Counter()
    for bit in range((64 + 56 * len(LUMPS) + ewad.header(data, "table_size")) * 8, len(data) * 8):
        archive = view(ewad.flipped(data, bit))
        codes = [finding.code for finding in verify(archive)]
        found[ewad.field_of(data, bit // 8), " ".join(codes)] += 1
    assert {place for place, _ in found} == {"data", "padding"}
    assert all(codes == ("content-hash" if place == "data" else "") for place, codes in found)


def test_load_refuses_every_flipped_bit_of_the_data() -> None:
    for bit in range(len(NAMED) * 8):
        if ewad.field_of(NAMED, bit // 8) != "padding":
            with pytest.raises(ArchiveError):
                load(ewad.flipped(NAMED, bit))


@BOTH
def test_a_damaged_lump_is_not_read_and_the_others_are(data: bytes) -> None:
    for index in range(len(LUMPS)):
        size = ewad.entry(data, index, "stored_size")
        if size:
            archive = view(ewad.flipped(data, ewad.entry(data, index, "offset") * 8))
            with pytest.raises(MalformedError, match="content hash") as caught:
                archive.read(index)
            assert (caught.value.code, caught.value.entry) == ("content-hash", index)
            assert [bytes(archive.read(other)) for other in range(len(LUMPS)) if other != index]


def flips(data: bytes) -> dict[str, dict[str, int]]:
    """For each field, how many flipped bits lead to which verdict when the header hash is made to fit."""
    found: dict[str, Counter[str]] = {}
    end = 64 + 56 * len(LUMPS) + ewad.header(data, "table_size")
    for bit in range(end * 8):
        changed = ewad.rehashed(ewad.flipped(data, bit))
        found.setdefault(ewad.field_of(data, bit // 8), Counter())[verdict_of(changed)] += 1
    return {field: dict(sorted(verdicts.items())) for field, verdicts in found.items()}


# What is decided by a field's own rule, and what is the application's to choose (fourcc, schema), or is left
# to those who read the data (content hash, LZ4 sizes), or has no name to be checked against (keys and seed of
# a stripped one).
FLIPS_OF_BOTH = {
    "signature": {"malformed signature": 32},
    "version": {"malformed version": 32},
    "alignment": {"malformed alignment": 32},
    "header_hash": {"ok": 64},  # which is what made to fit means
    "reserved": {"malformed reserved": 64},
    "lumps": {"malformed directory": 29, "malformed reserved": 1, "ok": 2},  # 6 entries may become 4 or 2
    "entry.stored_size": {"malformed range": 356, "malformed raw": 22, "ok": 6},
    "entry.raw_size": {"malformed raw": 320, "ok": 64},  # all bits of the one compressed lump's
    "entry.content_hash": {"ok": 384},
    "entry.fourcc": {"ok": 192},
    "entry.schema": {"ok": 96},
    "entry.flags": {"malformed raw": 1, "ok": 5, "unsupported flags": 90},
    "entry.reserved": {"malformed reserved": 192},
}
FLIPS_OF_NAMED = FLIPS_OF_BOTH | {
    "seed": {"malformed key": 64},
    "directory_offset": {"malformed directory": 57, "malformed reserved": 7},
    "table_offset": {"malformed name": 9, "malformed table": 55},
    "table_size": {
        "malformed name": 4,
        "malformed table": 57,
        "ok": 3,
    },  # a longer one may hold more than names
    "entry.key": {"malformed key": 368, "malformed order": 16},
    "entry.offset": {"malformed offset": 25, "malformed range": 336, "ok": 23},
    "entry.name_offset": {"malformed key": 27, "malformed name": 165},
    "table": {"malformed key": 360, "malformed name": 8},
}
FLIPS_OF_STRIPPED = FLIPS_OF_BOTH | {
    "seed": {"ok": 64},
    "directory_offset": {"malformed directory": 58, "malformed order": 2, "malformed reserved": 4},
    "table_offset": {"malformed table": 55, "ok": 9},
    "table_size": {"malformed name": 7, "malformed table": 57},
    "entry.key": {"malformed order": 16, "ok": 368},
    "entry.offset": {"malformed offset": 24, "malformed range": 335, "ok": 25},
    "entry.name_offset": {"malformed name": 192},
}


def test_which_bits_of_an_archive_with_names_are_free() -> None:
    assert flips(NAMED) == FLIPS_OF_NAMED


def test_which_bits_of_a_stripped_archive_are_free() -> None:
    assert flips(STRIPPED) == FLIPS_OF_STRIPPED


def test_an_archive_of_one_fewer_lump_keeps_the_longer_table() -> None:
    """The string table may hold names that no entry has."""
    fewer = ewad.with_header(NAMED, lumps=4)
    assert [lump.name for lump in view(fewer).lumps] == [lump.name for lump in view(NAMED).lumps[:4]]
    assert verify(view(fewer)) == []
