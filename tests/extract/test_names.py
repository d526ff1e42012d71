"""Names that are extracted: one path each below the folder, on every platform, that can be named back, or a refusal."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from tests.builders.extractions import both_ways, names, parts, plan, tree, unpack

from lumpyard import disk
from lumpyard.errors import UnsupportedError
from lumpyard.extract import Target, Wanted, escape_part, plan_extraction, safe_join, unescape_part

REFUSED = [
    "../evil.cfg",
    "a/../../b",
    "..",
    "a/..",
    "../out2/x",
    "..\\..\\x",
    "a\\..\\x",
    "a/..\\x",
    "/etc/x",
    "/",
    "//srv/share/x",
    "\\x",
    "\\\\srv\\x",
    "\\\\?\\C:\\x",
    "\\\\.\\pipe\\x",
    "C:\\x",
    "C:/x",
    "c:/x",
    "C:",
    "z:",
    "C:\\..\\x",
    "x" * 256,
    "é" * 128,
    "a/" + "x" * 256 + "/b",
    "\udcff" * 86,
    ":" * 86,
    "N" + "U" * 253 + "L.",
]
ESCAPED = {
    # plain ones stay as they are
    "a": "a",
    "maps/e1m1.bsp": "maps/e1m1.bsp",
    "MAP01": "MAP01",
    ".hidden": ".hidden",
    "..a": "..a",
    "a..b": "a..b",
    "-rf": "-rf",
    "~": "~",
    "$HOME": "$HOME",
    " a": " a",
    "a b": "a b",
    "é": "é",
    "e\u0301": "e\u0301",
    "日本語/字": "日本語/字",
    "\U0001f600": "\U0001f600",
    "x" * 255: "x" * 255,
    "é" * 127: "é" * 127,
    "my;'`&#{}[]~name!": "my;'`&#{}[]~name!",
    # a backslash separates
    "models\\e2\\a.dkm": "models/e2/a.dkm",
    "a\\b/c": "a/b/c",
    # characters that Windows does not allow, and the escape itself
    "C:D": "C%3AD",
    "a:b": "a%3Ab",
    "a/C:/x": "a/C%3A/x",
    "file::$DATA": "file%3A%3A$DATA",
    "E?": "E%3F",
    "*": "%2A",
    '"q"': "%22q%22",
    "<a>": "%3Ca%3E",
    "a|b": "a%7Cb",
    "100%": "100%25",
    "%41": "%2541",
    "%2e%2e/x": "%252e%252e/x",
    "%": "%25",
    # a last dot or space, which Windows drops
    "A.": "A%2E",
    "B ": "B%20",
    "a/b./c": "a/b%2E/c",
    ".": "%2E",
    "./a": "%2E/a",
    "a/./b": "a/%2E/b",
    "...": "..%2E",
    ".. ": "..%20",
    ". .": ". %2E",
    "a. .": "a. %2E",
    # empty parts
    "": "%",
    "a//b": "a/%/b",
    "maps/": "maps/%",
    "a\\\\b": "a/%/b",
    # devices of Windows
    "CON": "%43ON",
    "con": "%63on",
    "PRN": "%50RN",
    "AUX": "%41UX",
    "NUL": "%4EUL",
    "NUL.TXT": "%4EUL.TXT",
    "NUL.tar.gz": "%4EUL.tar.gz",
    "nul .txt": "%6Eul .txt",
    "a/aux/b": "a/%61ux/b",
    "COM1": "%43OM1",
    "COM1.log": "%43OM1.log",
    "COM0": "%43OM0",
    "COM¹": "%43OM¹",
    "com².x": "%63om².x",
    "LPT9": "%4CPT9",
    "LPT³": "%4CPT³",
    "CONIN$": "%43ONIN$",
    "CONOUT$.x": "%43ONOUT$.x",
    "CLOCK$": "%43LOCK$",
    "CON.": "%43ON%2E",
    "CONSOLE": "CONSOLE",
    "COM10": "COM10",
    "XCON": "XCON",
    "COM": "COM",
    # what a tool that finds it would run
    ".git/config": "%2Egit/config",
    "a/.GIT": "a/%2EGIT",
    "git~1/hooks": "%67it~1/hooks",
    ".gitignore": ".gitignore",
    # what would trick whoever lists the folder
    "\x1b[31mred": "%1B[31mred",
    "a\nb": "a%0Ab",
    "a\rb": "a%0Db",
    "\x00": "%00",
    "\x7f": "%7F",
    "\x9b31m": "%C2%9B31m",
    "\x85": "%C2%85",
    "exe.\u202efdp": "exe.%E2%80%AEfdp",
    "\u2066a\u2069": "%E2%81%A6a%E2%81%A9",
    "\u200f": "%E2%80%8F",
    "a\u2028b": "a%E2%80%A8b",
    # bytes that are not UTF-8
    "\udcff": "%FF",
    "a\udc80b/\udcfe": "a%80b/%FE",
}


@given(parts.filter(lambda part: part != ".."))
def test_every_part_can_be_named_back(part: str) -> None:
    escaped = escape_part(part)
    assert unescape_part(escaped) == part
    assert escaped not in {"", ".", ".."}
    assert not {"/", "\\", ":", "\0"} & {*escaped}
    escaped.encode()  # it is UTF-8 as it stands


@given(parts, parts)
def test_no_two_parts_become_one(one: str, other: str) -> None:
    assert (escape_part(one) == escape_part(other)) == (one == other)


@given(names)
def test_every_name_is_refused_or_strictly_below_the_folder(name: str) -> None:
    try:
        path = safe_join(name)
    except ValueError:
        return
    assert os.path.normpath(f"/top/out/{path}") == f"/top/out/{path}"
    assert "/".join(map(unescape_part, path.split("/"))) == name.replace("\\", "/")


@pytest.mark.parametrize("name", REFUSED)
def test_a_name_that_leads_out_or_cannot_be_held_is_refused(name: str) -> None:
    with pytest.raises(UnsupportedError) as caught:
        plan("good", name)
    assert caught.value.code == "unsafe-name"
    assert caught.value.entry == 1
    assert str(caught.value).startswith(f"entry 1: {name!r} cannot be extracted: ")


@pytest.mark.parametrize(("name", "path"), ESCAPED.items(), ids=map(ascii, ESCAPED))
def test_every_other_name_gets_one_path_on_every_platform(name: str, path: str) -> None:
    assert plan(name) == [Target(0, path)]
    assert "/".join(map(unescape_part, path.split("/"))) == name.replace("\\", "/")


def test_there_are_enough_names() -> None:
    assert len(REFUSED) + len(ESCAPED) >= 100


@both_ways
def test_all_names_that_are_not_refused_are_written_below_the_folder_and_nowhere_else() -> None:
    os.mkdir("beside")
    disk.write_file("beside/file", b"untouched")
    paths: dict[str, str] = {}
    for name, path in ESCAPED.items():  # those that one folder can hold together
        try:
            plan(*paths, name)
        except UnsupportedError:
            continue
        paths[name] = path
    assert len(paths) > 70
    assert unpack(*paths) == []
    expected = {f"out/{path}": b"%d" % entry for entry, path in enumerate(paths.values())}
    assert tree() == {**expected, "beside/file": b"untouched"}


def test_a_lump_without_a_name_gets_its_key() -> None:
    """ "named by their 16-digit keys where nothing names them"."""
    wanted = [Wanted(0, None, 0xAB), Wanted(1, "a"), Wanted(2, None, 2**64 - 1)]
    assert [target.path for target in plan_extraction(wanted)] == ["00000000000000ab", "a", "f" * 16]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("A.TXT", "a.txt"),
        ("a", "a"),
        ("dir/É", "DIR/é"),
        ("\u00e9", "e\u0301"),
        ("\u212b", "\u00e5"),
        ("straße", "STRASSE"),
        ("a/b", "a\\b"),
        ("ﬁ", "FI"),
        ("maps", "maps/e1m1"),
        ("maps/e1m1", "maps"),
        ("MAPS", "maps/e1m1"),
        ("a/b/c", "A/B"),
        ("00000000000000ab", None),
    ],
)
def test_names_that_one_folder_cannot_hold_are_refused_by_both_names(first: str, second: str | None) -> None:
    wanted = [Wanted(5, "other"), Wanted(7, first), Wanted(9, second, 0xAB)]
    with pytest.raises(UnsupportedError) as caught:
        plan_extraction(wanted)
    assert caught.value.code == "clashing-names"
    message = str(caught.value)
    assert "\n" not in message
    for lump in wanted[1:]:
        assert str(lump.entry) in message
        path = "00000000000000ab" if lump.name is None else safe_join(lump.name)
        assert repr(path) in message


def test_folders_may_be_written_in_two_ways() -> None:
    """Old archives mix case in folders freely; no file is lost by it."""
    assert len(plan("Data/a", "data/b")) == 2


@pytest.mark.parametrize("name", REFUSED)
def test_a_refusal_comes_before_the_first_byte(name: str) -> None:
    with pytest.raises(UnsupportedError):
        unpack("good", name)
    assert tree() == {}
    assert not os.path.exists("out")
