"""Law: a depfile gives names, or one clear error; whatever is in it, nothing else."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lumpyard.build.tools.depfiles import DepfileError, parse_depfile


def make(text: str) -> list[str]:
    return parse_depfile(text.encode("utf-8", "surrogateescape"), is_json=False)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a.o: a.c b.h\n", ["a.c", "b.h"]),
        ("a.o: a.c", ["a.c"]),
        ("a.o :a.c", ["a.c"]),
        ("a.o:a.c b.h", ["a.c", "b.h"]),
        ("a.o b.o c.o: a.c\n", ["a.c"]),
        ("a.o: a.c \\\n  b.h \\\n\tc.h\n", ["a.c", "b.h", "c.h"]),
        ("a.o: a.c \\\r\n  b.h\r\n", ["a.c", "b.h"]),
        ("a.o: a.c\\\nb.h", ["a.c", "b.h"]),
        (r"a.o: my\ file.h dir\ x/a\ b.h", ["my file.h", "dir x/a b.h"]),
        ("a.o: c$$.h $$$$", ["c$.h", "$$"]),
        (r"a.o: \#a.h a#b.h # b.h", ["#a.h", "a#b.h"]),
        ("# all of it\n\n# is said below\na.o: b.h", ["b.h"]),
        ("a.o: b.h\n\na.o: c.h b.h\n", ["b.h", "c.h"]),
        ("a.o: b.h\nb.h:\n\nc.h :\n", ["b.h"]),
        ("a.o:: b.h", ["b.h"]),
        ("a.o: x | order.h", ["x", "order.h"]),
        ("a.o:", []),
        (r"C:\out\a.o: C:\src\a.c D:/inc/x.h", [r"C:\src\a.c", "D:/inc/x.h"]),
        (r"a.o C:\b.o : x.h", ["x.h"]),
        (r"out.o:C:\a.h", [r"C:\a.h"]),
        ("c:d", ["d"]),
        (r"a\:b.o: c\:d.h", ["c:d.h"]),
        (r"a.o: dir\file.h .\x.h", [r"dir\file.h", r".\x.h"]),
        ("a.o: é.h \udcff.h \u2028.h \x0b.h", ["é.h", "\udcff.h", "\u2028.h", "\x0b.h"]),
    ],
)
def test_make_syntax(text: str, names: list[str]) -> None:
    assert make(text) == names


PLAIN = st.text(st.characters(exclude_characters="\r\n\\$#: \t|\0", exclude_categories=["Cs"]), min_size=1)


def escaped(name: str) -> str:
    return name.replace("$", "$$").replace(" ", "\\ ").replace("#", "\\#")


@given(
    st.lists(st.lists(PLAIN, min_size=1, max_size=3).map(" #$".join), max_size=6, unique=True),
    st.sampled_from([" ", " \\\n ", "\t"]),
)
def test_what_a_compiler_escapes_comes_back(names: list[str], gap: str) -> None:
    assert make("target.o:" + "".join(gap + escaped(name) for name in names) + "\n") == names


@pytest.mark.parametrize("text", ["", "\n", "# nothing\n", "a.h b.h\n", "a.o: b.h\nstray\n", "\0"])
def test_what_is_no_rule_is_an_error(text: str) -> None:
    with pytest.raises(DepfileError):
        make(text)


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ([], []),
        (["a.h", "b c.h", "a.h"], ["a.h", "b c.h"]),
        ({"dependencies": ["a.h"]}, ["a.h"]),
        ({"version": 1, "dependencies": [], "target": {"x": None}}, []),
    ],
)
def test_json(value: object, names: list[str]) -> None:
    assert parse_depfile(json.dumps(value).encode(), is_json=True) == names


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"{}",
        b"null",
        b"7",
        b'"a.h"',
        b"[1]",
        b'{"dependencies": "a.h"}',
        b'{"dependencies": [null]}',
        b"[" * 100_000,
        b"[" + b"9" * 5000 + b"]",
        b"\xff",
    ],
)
def test_json_of_another_shape_is_an_error(data: bytes) -> None:
    with pytest.raises(DepfileError):
        parse_depfile(data, is_json=True)


@given(st.binary() | st.text(r"ab:\ $#|" + "\r\n\t/C", max_size=40).map(str.encode), st.booleans())
@example(b"[" * 50_000, True)
@example(b"\\" * 200_000 + b"\n", False)
@example(b"a:" * 100_000, False)
@example(b"\\:" * 100_000, False)
def test_whatever_is_in_a_depfile_it_gives_names_or_one_error(data: bytes, is_json: bool) -> None:
    with contextlib.suppress(DepfileError):
        names = parse_depfile(data, is_json=is_json)
        assert all(isinstance(name, str) for name in names)
        assert len(set(names)) == len(names)
