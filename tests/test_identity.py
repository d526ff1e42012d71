"""The content id: laws, and the vector of docs/content-id.md."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from blake3 import blake3
from hypothesis import given
from hypothesis import strategies as st

from lumpyard.archives.identity import content_id

if TYPE_CHECKING:
    from random import Random

DOCUMENT = Path(__file__).parent.parent / "docs" / "content-id.md"
LUMPS = [
    (b"b/title.txt", 0x54584554, 2, 5, blake3(b"hello").digest()),  # TEXT, its first character lowest
    (b"empty", 0x4B52414D, 65535, 0, blake3(b"").digest()),  # MARK
    (b"a.bin", 0, 0, 3, blake3(b"\x00\x01\x02").digest()),
]
VECTOR = "c9fa438eff9d6f58bccd1f2c2254d533390865e0f331334941c05cb27486a737"

Entry = tuple[bytes, int, int, int, bytes]
lumps = st.tuples(
    st.binary(min_size=1, max_size=12),
    st.integers(0, 2**32 - 1),
    st.integers(0, 2**16 - 1),
    st.integers(0, 2**64 - 1),
    st.binary(min_size=32, max_size=32),
)


@given(st.lists(lumps, unique_by=lambda lump: lump[0]), st.randoms())
def test_the_order_of_lumps_makes_no_difference(some: list[Entry], random: Random) -> None:
    """ "over the lumps sorted by (name bytes, position among equal names)"."""
    shuffled = random.sample(some, len(some))
    assert content_id(some) == content_id(shuffled)


@given(st.lists(lumps, min_size=1, unique_by=lambda lump: lump[0]), st.data())
def test_every_field_of_every_lump_counts(some: list[Entry], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(some) - 1))
    field = data.draw(st.integers(0, 4))
    other = data.draw(lumps.filter(lambda lump: lump[field] != some[at][field]))
    changed: Any = (*some[at][:field], other[field], *some[at][field + 1 :])
    assert content_id(some) != content_id([*some[:at], changed, *some[at + 1 :]])


def test_lumps_of_equal_names_keep_their_order() -> None:
    first, second = (b"THINGS", 0, 0, 1, bytes(32)), (b"THINGS", 0, 0, 2, bytes(32))
    assert content_id([first, second]) != content_id([second, first])


def test_names_are_not_run_together() -> None:
    """ "per lump: u32 length of the name, the name"."""
    digest = bytes(32)
    assert content_id([(b"ab", 0, 0, 0, digest)]) != content_id([(b"a", 0x62, 0, 0, digest)])


def test_the_message_is_what_the_design_says() -> None:
    """ "per lump: u32 length of the name, the name, the fourcc's four bytes, u16 schema version,
    u64 raw size, BLAKE3-256 of the raw bytes; integers little-endian; the whole preceded by the ASCII bytes
    `lumpyard content id 1` and a NUL".
    """
    message = (
        b"lumpyard content id 1\x00"
        + (b"\x05\x00\x00\x00" + b"a.bin" + b"\x00\x00\x00\x00" + b"\x00\x00" + b"\x03" + bytes(7))
        + blake3(b"\x00\x01\x02").digest()
        + (b"\x0b\x00\x00\x00" + b"b/title.txt" + b"TEXT" + b"\x02\x00" + b"\x05" + bytes(7))
        + blake3(b"hello").digest()
        + (b"\x05\x00\x00\x00" + b"empty" + b"MARK" + b"\xff\xff" + bytes(8))
        + blake3(b"").digest()
    )
    assert content_id(LUMPS) == blake3(message).hexdigest() == VECTOR


def test_the_documented_bytes_hash_to_the_documented_id() -> None:
    text = DOCUMENT.read_text("utf-8")
    block = text.split("```")[1]
    pairs = [re.match(r"(?:[0-9a-f]{2} )*[0-9a-f]{2}", line) for line in block.splitlines()]
    message = bytes.fromhex(" ".join(pair[0] for pair in pairs if pair))
    assert f"these {len(message)} bytes" in text
    assert blake3(message).hexdigest() == VECTOR
    assert f"    {VECTOR}\n" in text
    assert f"    {content_id([])}\n" in text
