"""Names: 1 to 255 bytes of anything but NUL."""

from __future__ import annotations

import pytest
from tests.builders import ewad
from tests.builders.ewad import Written

from lumpyard.archives.ewad.layout import order_names
from lumpyard.archives.ewad.reader import view
from lumpyard.archives.ewad.records import StoredLump
from lumpyard.archives.ewad.verify import verify
from lumpyard.archives.ewad.writer import write_ewad
from lumpyard.errors import UsageError

ODD = [
    b"x" * 255,
    b"\xff",
    b"\xff\xfe\x80",
    b"\n\t\x1b[2J",
    b"/abs/../x",
    b"a//b/",
    b" ",
    "é/ü.png".encode(),
    b"\x01",
]


@pytest.mark.parametrize("name", ODD, ids=range(len(ODD)))
def test_any_bytes_but_nul_are_a_name(name: bytes) -> None:
    """ "Names are 1 to 255 bytes and may hold any byte except NUL"; "spitwad enforces none of that"."""
    archive = view(write_ewad([StoredLump(name, b"data", 4), StoredLump(b"other", b"", 0)]))
    index = archive.find(name)
    assert index is not None
    assert (archive.name(index), archive.lumps[index].name, archive.read(index)) == (name, name, b"data")
    assert verify(archive) == []


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ([b""], "lump name '' has 0 bytes; a name has 1 to 255"),
        ([b"a", b"x" * 256], "has 256 bytes; a name has 1 to 255"),
        ([b"a", b"b\0c"], r"lump name 'b\\x00c' has a NUL byte"),
        ([b"a", b"b", b"a"], "two lumps have the name 'a'"),
    ],
)
def test_names_that_cannot_be_written_are_named(names: list[bytes], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        order_names(names)


def test_no_message_shows_a_control_character_of_a_name() -> None:
    data = ewad.with_header(ewad.build([Written(b"\x1b[2J\xc2\x9b" + b"y" * 200)]), seed=9)
    with pytest.raises(Exception, match="its key") as caught:
        view(data)
    assert str(caught.value).isascii()
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 200


def test_a_big_string_table_full_of_other_bytes_is_read() -> None:
    """No rule limits the string table: it may hold far more than the names."""
    lumps = [Written(b"%d" % number, b"data") for number in range(50)]
    data = ewad.build(lumps, junk=bytes(range(1, 256)) * 40)
    assert [lump.name for lump in view(data).lumps] == [lump.name for lump in view(ewad.build(lumps)).lumps]
    data = ewad.build(lumps, junk=bytes(100_000))
    assert verify(view(data)) == []


def test_names_may_share_bytes_of_the_table() -> None:
    """A name offset may point into another name: only what stands there counts."""
    data = bytearray(ewad.build([Written(b"long/name"), Written(b"name")]))
    archive = view(bytes(data))
    short, long = archive.find(b"name"), archive.find(b"long/name")
    assert short is not None
    assert long is not None
    shared = ewad.with_entry(bytes(data), short, name_offset=ewad.entry(data, long, "name_offset") + 5)
    assert view(shared).find(b"name") == short


def test_a_name_that_has_the_key_of_another_is_not_found() -> None:
    from tests.builders import collide

    other = collide.twin(b"sound/door.wav", 0)
    assert view(ewad.build([Written(b"sound/door.wav")])).find(other) is None
    assert view(ewad.build([Written(b"sound/door.wav")], named=False)).find(other) == 0
