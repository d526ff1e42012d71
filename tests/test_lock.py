"""archives.lock: what is written is read back, what people and merges do to it is said with its line."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lumpyard.errors import Place, ProblemsError
from lumpyard.lock import (
    Block,
    Inputs,
    Lock,
    causes_of,
    compare_block,
    drop_blocks,
    explain_differences,
    fails_check,
    merge_block,
    parse_lock,
    render_lock,
)

if TYPE_CHECKING:
    from lumpyard.errors import Problem

BASE = Block(
    format="EWAD",
    archive_hash="0123456789abcdef",
    content_id="aa" * 32,
    lumps=3,
    raw_size=100,
    stored_size=90,
    size=400,
    seed=0,
    alignment=16,
    sets={"textures": "bb" * 32, "sounds": "cc" * 32},
    inputs=Inputs(
        manifest="dd" * 32, rules={"raw": "ee" * 32}, tools={"toktx": "ff" * 32}, codec="lz4 1.9.4"
    ),
    ledger="11" * 32,
)
OTHER = replace(BASE, archive_hash="fedcba9876543210", sets={})
TEXT = """\
{
  "archives": {
    "base": {
      "alignment": 16,
      "archive_hash": "0123456789abcdef",
      "content_id": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
      "format": "EWAD",
      "inputs": {
        "codec": "lz4 1.9.4",
        "manifest": "dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd",
        "rules": {
          "raw": "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
        },
        "tools": {
          "toktx": "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
        }
      },
      "ledger": "1111111111111111111111111111111111111111111111111111111111111111",
      "lumps": 3,
      "raw_size": 100,
      "seed": 0,
      "sets": {
        "sounds": "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc",
        "textures": "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
      },
      "size": 400,
      "stored_size": 90
    }
  },
  "version": 1
}
"""


def problem_of(text: str | bytes) -> Problem:
    """The one problem that a lock has."""
    with pytest.raises(ProblemsError) as caught:
        parse_lock(text if isinstance(text, bytes) else text.encode(), "archives.lock")
    (problem,) = caught.value.problems
    assert "\n" not in problem.message
    return problem


words = st.text(max_size=8)
numbers = st.integers(0, 2**64 - 1)
tables = st.dictionaries(words, words, max_size=3)
blocks = st.builds(
    Block,
    **dict.fromkeys(("format", "archive_hash", "content_id", "ledger"), words),
    **dict.fromkeys(("lumps", "raw_size", "stored_size", "size", "seed", "alignment"), numbers),
    sets=tables,
    inputs=st.builds(Inputs, manifest=words, rules=tables, tools=tables, codec=words),
)


@given(st.dictionaries(words, blocks, max_size=3))
def test_what_is_rendered_is_parsed_again(archives: dict[str, Block]) -> None:
    lock = Lock(archives)
    assert parse_lock(render_lock(lock), "archives.lock") == lock


def test_the_text_is_sorted_indented_by_two_and_ends_its_lines_with_lf() -> None:
    """ "JSON, sorted keys, two-space indent, LF, one block per archive"."""
    assert render_lock(Lock({"base": BASE})) == TEXT.encode()


def test_the_order_of_blocks_makes_no_difference() -> None:
    assert render_lock(Lock({"b": BASE, "a": OTHER})) == render_lock(Lock({"a": OTHER, "b": BASE}))


def test_an_empty_lock_is_a_lock() -> None:
    assert render_lock(Lock()) == b'{\n  "archives": {},\n  "version": 1\n}\n'
    assert parse_lock(render_lock(Lock()), "archives.lock") == Lock()


def test_every_truncation_is_a_problem_with_a_line() -> None:
    for cut in range(len(TEXT) - 2):
        problem = problem_of(TEXT[:cut])
        assert problem.code == "E0502"
        assert problem.place.line == TEXT[:cut].count("\n") + 1


def test_crlf_and_a_byte_order_mark_are_read() -> None:
    assert parse_lock(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode(), "l") == Lock({"base": BASE})


def test_keys_that_are_not_known_are_passed_over() -> None:
    value = json.loads(TEXT)
    value["archives"]["base"]["later"] = value["later"] = {"x": 1}
    assert parse_lock(json.dumps(value).encode(), "archives.lock") == Lock({"base": BASE})


@pytest.mark.parametrize("mark", ["<<<<<<< HEAD", "=======", ">>>>>>> topic", "||||||| base"])
def test_a_merge_conflict_is_named_with_its_line(mark: str) -> None:
    lines = TEXT.split("\n")
    problem = problem_of("\n".join([*lines[:4], mark, *lines[4:]]))
    assert problem.place == Place("archives.lock", 5)
    assert problem.code == "E0501"
    assert "merge conflict" in problem.message
    assert "doit ship" in problem.hint


def test_a_merge_that_keeps_both_blocks_is_a_problem() -> None:
    block = TEXT[TEXT.index('    "base"') : TEXT.index("\n  },")]
    problem = problem_of(TEXT.replace(block, f"{block},\n{block}"))
    assert problem.code == "E0502"
    assert problem.message == "'base' is there twice"
    assert problem.place.line > TEXT.count("\n", 0, TEXT.index("\n  },"))


def test_a_newer_version_is_a_problem_that_says_so() -> None:
    problem = problem_of(TEXT.replace('"version": 1', '"version": 2'))
    assert problem.code == "E0504"
    assert problem.place.line == TEXT.count("\n") - 1
    assert "version 2 is newer than 1" in problem.message


def test_a_newer_version_is_said_before_what_else_it_changed() -> None:
    assert problem_of('{"version": 9, "archives": []}').code == "E0504"


@pytest.mark.parametrize(
    ("old", "new", "key", "message"),
    [
        ('"lumps": 3,', '"lumps": "3",', '"lumps"', "archives.base.lumps must be a whole number; it is text"),
        (
            '"lumps": 3,',
            '"lumps": true,',
            '"lumps"',
            "archives.base.lumps must be a whole number; it is true or false",
        ),
        ('"lumps": 3,', '"lumps": -3,', '"lumps"', "archives.base.lumps must be a whole number; it is -3"),
        ('"lumps": 3,', '"lumps": 3.5,', '"lumps"', "archives.base.lumps must be a whole number; it is 3.5"),
        ('      "lumps": 3,\n', "", '"base"', "archives.base.lumps must be a whole number; it is missing"),
        ('"EWAD"', "[]", '"format"', "archives.base.format must be text; it is a list"),
        ('"lz4 1.9.4"', "5", '"codec"', "archives.base.inputs.codec must be text; it is 5"),
        (
            '"' + "e" * 64 + '"',
            "5",
            '"rules"',
            "archives.base.inputs.rules must be an object of text; it is an object",
        ),
        ('"version": 1', '"version": 0', '"version"', "version must be 1; it is 0"),
        ('"version": 1', '"version": "1"', '"version"', "version must be a whole number; it is text"),
    ],
)
def test_a_wrong_value_is_named_with_its_line(old: str, new: str, key: str, message: str) -> None:
    assert old in TEXT
    problem = problem_of(TEXT.replace(old, new))
    assert (problem.code, problem.message) == ("E0503", message)
    assert problem.place == Place("archives.lock", TEXT.count("\n", 0, TEXT.index(key)) + 1)


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("", "E0502", "this is not JSON: Expecting value"),
        ("[]", "E0503", "the file must be an object; it is a list"),
        ("5", "E0503", "the file must be an object; it is 5"),
        ("null", "E0503", "the file must be an object; it is null"),
        ("nonsense", "E0502", "this is not JSON: Expecting value"),
        ('{"a": 1', "E0502", "this is not JSON: Expecting ',' delimiter"),
        ("\0", "E0502", "this is not JSON: Expecting value"),
        ("[" * 100_000, "E0502", "this is not JSON that is read here: it nests too deep"),
        (
            f'{{"version": {"9" * 5000}}}',
            "E0502",
            "this is not JSON that is read here: a number is too long",
        ),
        ('{"version": 1}', "E0503", "archives must be an object; it is missing"),
        ("{}", "E0503", "version must be a whole number; it is missing"),
    ],
    ids=range(11),
)
def test_what_is_no_lock_is_one_problem(text: str, code: str, message: str) -> None:
    problem = problem_of(text)
    assert (problem.code, problem.message) == (code, message)


def test_bytes_that_are_not_text_are_one_problem() -> None:
    assert problem_of(b"\xff\xfe\x00").code == "E0502"


def test_every_flipped_byte_is_a_lock_or_one_problem() -> None:
    for at in range(len(TEXT)):
        data = bytearray(TEXT.encode())
        data[at] ^= 0x10
        try:
            parse_lock(bytes(data), "archives.lock")
        except ProblemsError:
            problem_of(bytes(data))


def test_merging_a_block_leaves_the_others_alone() -> None:
    """ "A ship of one archive touches only its block"."""
    lock = Lock({"base": BASE, "extra": OTHER})
    merged = merge_block(lock, "extra", BASE)
    assert merged.archives == {"base": BASE, "extra": BASE}
    assert merge_block(merged, "new", OTHER).archives["new"] == OTHER
    assert lock.archives["extra"] == OTHER


def test_blocks_of_archives_that_are_gone_are_dropped() -> None:
    assert drop_blocks(Lock({"base": BASE, "old": OTHER}), {"base"}) == Lock({"base": BASE})


def test_equal_blocks_do_not_differ() -> None:
    assert compare_block(BASE, replace(BASE)) == ()
    assert compare_block(None, None) == ()


INPUTS = BASE.inputs
NEW_SETS: dict[str, Any] = {
    "archive_hash": "f" * 16,
    "content_id": "99" * 32,
    "sets": {**BASE.sets, "textures": "99" * 32},
}


@pytest.mark.parametrize(
    ("made", "causes"),
    [
        (replace(BASE, **NEW_SETS), ("source",)),
        (replace(BASE, **NEW_SETS, inputs=replace(INPUTS, rules={"raw": "00" * 32})), ("rule",)),
        (replace(BASE, **NEW_SETS, inputs=replace(INPUTS, tools={"toktx": "00" * 32})), ("tool",)),
        (replace(BASE, **NEW_SETS, inputs=replace(INPUTS, manifest="00" * 32)), ("option",)),
        (replace(BASE, archive_hash="f" * 16, inputs=replace(INPUTS, codec="lz4 1.10.0")), ("codec",)),
        (replace(BASE, **NEW_SETS, inputs=replace(INPUTS, codec="lz4 1.10.0")), ("source", "codec")),
        (replace(BASE, archive_hash="f" * 16), ()),
    ],
)
def test_the_kind_of_cause_is_named(made: Block, causes: tuple[str, ...]) -> None:
    """ "names the sets and the kind of cause: source, rule, tool, option, codec"."""
    differences = compare_block(BASE, made)
    assert causes_of(differences) == causes
    assert fails_check(differences)
    text = explain_differences("base", differences)
    cause = f"cause: {', '.join(causes)}" if causes else "nothing that the lock records explains it"
    assert f"{cause}; archive hash is ffffffffffffffff, not 0123456789abcdef" in text
    assert text.startswith("base: sets that differ: textures;") == (made.sets != BASE.sets)


def test_tool_versions_alone_never_fail_a_check() -> None:
    made = replace(
        BASE, inputs=replace(INPUTS, tools={"toktx": "00" * 32}, codec="other", rules={}), ledger=""
    )
    differences = compare_block(BASE, made)
    assert {one.what for one in differences} == {"ledger", "rule", "tool", "codec"}
    assert not fails_check(differences)


@pytest.mark.parametrize("field", ["archive_hash", "content_id", "format", "seed", "alignment"])
def test_what_was_released_fails_a_check(field: str) -> None:
    """ "fails … when archive hash, content id, format, seed or alignment differ"."""
    changed: Any = {field: 5 if isinstance(getattr(BASE, field), int) else "5"}
    made = replace(BASE, **changed)
    (difference,) = compare_block(BASE, made)
    assert difference == (field, "", str(getattr(BASE, field)), "5")
    assert fails_check([difference])


def test_an_archive_that_is_not_locked_yet_fails_a_check() -> None:
    differences = compare_block(None, BASE)
    assert fails_check(differences)
    assert explain_differences("base", differences) == "base: the lock has no block of it"


def test_what_to_look_at_comes_before_the_digests() -> None:
    made = replace(BASE, content_id="ab" * 32, sets={**BASE.sets, "textures": "99" * 32})
    assert explain_differences("base", compare_block(BASE, made), ["t1", "t2"]) == (
        "base: sets that differ: textures; lumps: t1, t2; cause: source; content id is abababababab…, not aaaaaaaaaaaa…"
    )


def test_sets_and_rules_that_came_or_went_are_named() -> None:
    made = replace(BASE, sets={"textures": "bb" * 32, "maps": "77" * 32}, inputs=replace(INPUTS, rules={}))
    assert [(one.what, one.name, one.locked[:2], one.made[:2]) for one in compare_block(BASE, made)] == [
        ("set", "maps", "", "77"),
        ("set", "sounds", "cc", ""),
        ("rule", "raw", "ee", ""),
    ]
