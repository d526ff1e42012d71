"""What differs of archives as a whole: format, layout, order, and bytes that are in no lump."""

from __future__ import annotations

import pytest
from tests.builders import ewad, plain
from tests.report.archives import inventory, written

from lumpyard.report.diff import compare_archives

LUMPS = [written("a", b"1"), written("b", b"22")]


def facts(old: bytes, new: bytes) -> list[tuple[str, str, str]]:
    diff = compare_archives(inventory(old), inventory(new))
    assert diff.differs()
    assert not diff.content_only().differs()
    return [(fact.what, fact.old, fact.new) for fact in diff.facts]


@pytest.mark.parametrize(
    ("more", "fact"),
    [
        ({"alignment": 64}, ("alignment", "16", "64")),
        ({"seed": 5}, ("seed", "0", "5")),
        ({"named": False}, ("names", "in the archive", "stripped")),
    ],
)
def test_the_facts_of_an_ewad_are_compared(more: dict[str, int], fact: tuple[str, str, str]) -> None:
    assert fact in facts(ewad.build(LUMPS), ewad.build(LUMPS, **more))  # type: ignore[arg-type]


def test_another_format_is_told_and_what_only_one_has_is_not_compared() -> None:
    assert facts(plain.pak([(b"a", b"1"), (b"b", b"22")]), ewad.build(LUMPS)) == [("format", "PAK", "EWAD")]


def test_the_order_counts_where_a_format_keeps_one() -> None:
    """Empty lumps stand nowhere in the file, so nothing else tells of their order."""
    lumps = [(b"a", b""), (b"b", b"")]
    assert facts(plain.pak(lumps), plain.pak(lumps[::-1])) == [("order", "as it was", "other")]


def test_bytes_that_are_in_no_lump_make_another_file() -> None:
    old = plain.wad([(b"A", b"1")])
    moved = bytearray(old[:13] + b"\0\0\0" + old[13:])
    moved[8:12] = (16).to_bytes(4, "little")  # the directory, behind a gap
    other = bytearray(moved)
    other[14] = 7
    assert facts(bytes(moved), bytes(other)) == [("bytes", "as they were", "others from 13 to 16")]
