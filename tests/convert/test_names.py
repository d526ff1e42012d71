"""Names that are made to fit: short enough, unlike each other, and the same every time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lumpyard.convert.mapping import render_map
from lumpyard.convert.model import FLAT_FORMATS, LOOSE, Renamed, Source, SourceLump
from lumpyard.convert.names import NAME_SIZES, shortened, target_names

names = st.binary(max_size=90).filter(lambda name: 0 not in name)
formats = st.sampled_from(sorted(NAME_SIZES))


def loose(found: list[bytes]) -> Source:
    lumps = tuple(SourceLump("", name, name.decode("utf-8", "surrogateescape"), 0) for name in found)
    return Source(LOOSE, b"", lumps, lambda _: b"")


@given(st.lists(names, unique=True, max_size=12), formats)
def test_truncated_names_fit_and_differ(found: list[bytes], format_name: str) -> None:
    made, renamed = target_names(loose(found), format_name, {"truncate"})
    assert max(map(len, made), default=0) <= NAME_SIZES[format_name]
    kept = [name for name in made if name in found]
    assert len(set(made)) == len(made)
    assert {item.lump for item in renamed} == {at for at, name in enumerate(found) if made[at] != name}
    assert all(made)
    assert len(kept) <= len(made)


@given(st.lists(names, max_size=6), formats)
def test_names_that_fit_stay_and_the_same_names_give_the_same(found: list[bytes], format_name: str) -> None:
    first = target_names(loose(found), format_name, {"truncate"})
    assert first == target_names(loose(found), format_name, {"truncate"})
    flat = format_name in FLAT_FORMATS
    for at, (old, new) in enumerate(zip(found, first[0], strict=True)):
        if 0 < len(old) <= NAME_SIZES[format_name] and b"\\" not in b"".join(found):
            assert new == old or (not flat and old in found[:at])


@given(st.lists(st.sampled_from([b"a/b", b"a\\b", b"a/b~2", b"x", b""]), max_size=8), formats)
def test_no_two_paths_are_alike_once_they_are_truncated(found: list[bytes], format_name: str) -> None:
    made = target_names(loose(found), format_name, {"truncate"})[0]
    assert format_name in FLAT_FORMATS or len(set(made)) == len(made)
    assert all(made)


@given(st.lists(names, max_size=6), formats)
def test_refuse_and_upper_change_no_length(found: list[bytes], format_name: str) -> None:
    plain = [name.replace(b"\\", b"/") if format_name in {"PAK", "DAIKATANA"} else name for name in found]
    assert target_names(loose(found), format_name, ())[0] == plain
    assert target_names(loose(found), format_name, {"upper"})[0] == [name.upper() for name in plain]


@pytest.mark.parametrize(
    ("name", "format_name", "end", "expected"),
    [
        (b"textures/red-brick.png", "PWAD", b"", b"red-bric"),
        (b"textures/red-brick.png", "PWAD", b"~12", b"red-b~12"),
        (b"folder/.hidden-name", "PWAD", b"", b".hidden-"),
        (b"a-very-long-folder/", "PWAD", b"", b"a-very-l"),
        (b"a/" + b"b" * 60 + b".tga", "PAK", b"~2", b"a/" + b"b" * 47 + b"~2.tga"),
        (b"f" * 60 + b"/x.tga", "PAK", b"", b"f" * 55),
        (b"x" * 300, "EWAD", b"~2", b"x" * 253 + b"~2"),
    ],
)
def test_what_is_left_of_a_name(name: bytes, format_name: str, end: bytes, expected: bytes) -> None:
    assert shortened(name, format_name, end) == expected


def test_a_map_has_a_line_for_each_changed_name() -> None:
    assert render_map([Renamed(0, b"a\tb\n", b"A"), Renamed(4, b"\xff\\", "é".encode())]) == (
        b"new\told\nA\ta\\tb\\n\n" + "é\t\\xff\\\\\n".encode()
    )
