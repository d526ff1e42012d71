"""`lumpyard diff`: 0 where nothing differs and 1 where anything does, as text, JSON, Markdown and a page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from tests.builders import ewad, plain
from tests.builders.doom_maps import lump_bytes, rooms, wad_of
from tests.builders.projects import Game
from tests.report.archives import written

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

OLD = [
    written("gone", b"gone"),
    written("changed", b"one"),
    written("old name", b"the same content"),
    written("typed", b"t", fourcc=0x41414141),
    written("versioned", b"v", schema=1),
    written("packed", b"p" * 500),
    written("kept", b"k"),
]
NEW = [
    written("come", b"come!"),
    written("changed", b"two"),
    written("new name", b"the same content"),
    written("typed", b"t", fourcc=0x42424242),
    written("versioned", b"v", schema=2),
    written("packed", b"p" * 500, packed=True),
    written("kept", b"k"),
]


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    paths = tmp_path / "old.ewad", tmp_path / "new.ewad"
    for path, lumps in zip(paths, (OLD, NEW), strict=True):
        path.write_bytes(ewad.build(lumps))
    return paths


def test_an_archive_is_equal_to_itself(run: Run, pair: tuple[Path, Path]) -> None:
    ran = run("diff", pair[0], pair[0])
    size = pair[0].stat().st_size
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == f"{pair[0]} -> {pair[0]}\n  equal: 7 lumps, {size:,} bytes\n"
    assert run("diff", "--json", pair[0], pair[0]).json["lumps"] == []


def test_every_kind_of_change_is_told(run: Run, pair: tuple[Path, Path]) -> None:
    ran = run("diff", *pair)
    assert (ran.status, ran.err) == (1, "")
    lines = [re.sub(" +", " ", line).strip() for line in ran.out.splitlines()]
    for line in (
        "+ come +5 B 5 B raw",
        "- gone -4 B 4 B raw",
        "! changed 0 B 3 B raw, other bytes",
        "> new name 0 B was old name",
        "! typed 0 B type AAAA -> BBBB",
        "! versioned 0 B schema 1 -> 2",
    ):
        assert line in lines
    assert any(re.fullmatch(r"! packed -\d+ B 500 B -> \d+ B stored", line) for line in lines)
    sizes = [path.stat().st_size for path in pair]
    assert lines[1].startswith(f"{sizes[1] - sizes[0]:,} bytes")


def test_the_rows_of_the_table_add_up(run: Run, pair: tuple[Path, Path]) -> None:
    """As a reader would add them: the numbers of the last three columns."""
    rows = []
    for line in run("diff", *pair).out.splitlines():
        found = re.fullmatch(r"  \S.*?  +(?:[\d,]+ +)?([\d,]+) +([\d,]+) +([+-]?[\d,]+)", line)
        if found:
            rows.append([int(cell.replace(",", "")) for cell in found.groups()])
    *parts, whole = rows
    assert [sum(column) for column in zip(*parts, strict=True)] == whole
    assert whole[:2] == [path.stat().st_size for path in pair]


def test_json_has_all_of_it(run: Run, pair: tuple[Path, Path]) -> None:
    data = run("diff", "--json", *pair).json
    assert data["differs"] is data["content_differs"] is True
    assert (
        sum(total["change"] for total in data["totals"])
        == data["size_change"]
        == data["new"]["size"] - data["old"]["size"]
    )
    by_status = {lump["status"]: lump["name"] for lump in data["lumps"] if lump["status"] != "moved"}
    assert by_status == {
        "added": "come",
        "removed": "gone",
        "changed": "changed",
        "renamed": "new name",
        "retyped": "typed",
        "reschemed": "versioned",
        "reencoded": "packed",
    }
    changed = next(lump for lump in data["lumps"] if lump["status"] == "changed")
    assert changed["old"]["content_hash"] != changed["new"]["content_hash"]
    assert set(changed["new"]) == {
        "entry", "offset", "stored_size", "raw_size", "bytes", "type", "schema", "content_hash",
    }  # fmt: skip


def test_markdown_keeps_names_from_meaning_anything(run: Run, tmp_path: Path) -> None:
    names = ["a|b", "`code`", "<b>@someone", "``", "\x1b[31m", "[x](http://y)", "# head", "\u202eback"]
    old, new = tmp_path / "a.ewad", tmp_path / "b.ewad"
    old.write_bytes(ewad.build([]))
    new.write_bytes(ewad.build([written(name, b"x") for name in names]))
    ran = run("diff", "--markdown", old, new)
    assert ran.status == 1
    rows = [line for line in ran.out.splitlines() if line.startswith("| `")]
    assert len(rows) == len(names)
    for row in rows:
        outside = re.sub(r"(`+) ?.*?(?<!`)\1(?!`)", "", row)
        assert re.fullmatch(r"\|  \| \+1 \| 1 B raw \|", outside), row
    assert "\x1b" not in ran.out
    assert "\u202e" not in ran.out
    assert r"| `a\|b` |" in ran.out


def test_a_page_is_written_and_nothing_printed_beside_it(
    run: Run, pair: tuple[Path, Path], tmp_path: Path
) -> None:
    ran = run("diff", "--html", tmp_path / "d.html", *pair)
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith(f"{tmp_path}/d.html, ")
    page = (tmp_path / "d.html").read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert "<script" not in page
    assert run("diff", "--html", tmp_path / "d.html", "--json", *pair).json["differs"]


def test_a_page_replaces_pages_alone(run: Run, pair: tuple[Path, Path]) -> None:
    before = pair[0].read_bytes()
    ran = run("diff", "--html", pair[0], *pair)
    assert (ran.status, ran.out) == (5, "")
    assert "it is there, and is no page" in ran.err
    assert pair[0].read_bytes() == before


def test_two_documents_do_not_fit_on_one_output(run: Run, pair: tuple[Path, Path]) -> None:
    ran = run("diff", "--json", "--markdown", *pair)
    assert (ran.status, ran.out) == (2, "")
    assert "choose one" in ran.err


def test_content_alone_is_compared_where_that_is_asked(run: Run, tmp_path: Path) -> None:
    lumps = [("A", b"a" * 300), ("B", b"b")]
    paths = [tmp_path / name for name in ("a.pak", "b.ewad", "c.ewad")]
    paths[0].write_bytes(plain.pak([(name.encode(), raw) for name, raw in lumps]))
    paths[1].write_bytes(ewad.build([written(name, raw, packed=len(raw) > 9) for name, raw in lumps]))
    paths[2].write_bytes(ewad.build([written(name, raw, fourcc=7) for name, raw in lumps]))
    assert run("diff", paths[0], paths[1]).status == 1
    assert run("diff", "--content", paths[0], paths[1]).status == 0
    assert run("diff", "--content", paths[0], paths[2]).status == 0  # a PAK has no types to differ in
    assert run("diff", "--content", paths[1], paths[2]).status == 1
    assert "format: PAK -> EWAD" in run("diff", paths[0], paths[1]).out


def test_what_convert_notes_down_is_no_content(run: Run, tmp_path: Path) -> None:
    old, new, other = tmp_path / "a.wad", tmp_path / "a.ewad", tmp_path / "b.ewad"
    old.write_bytes(plain.wad([(b"ONE", b"1" * 99), (b"TWO", b"22")]))
    assert run("convert", old, new).status == 0
    assert "added" in run("diff", old, new).out
    for pair in ((old, new), (new, old)):
        ran = run("diff", "--content", *pair)
        assert (ran.status, ran.out) == (0, f"{pair[0]} -> {pair[1]}\n  equal in content: 2 lumps\n")
    data = run("diff", "--content", "--json", old, new).json
    assert (data["differs"], data["lumps"]) == (False, [])
    assert sum(total["change"] for total in data["totals"]) == data["size_change"]
    other.write_bytes(ewad.build([written("ONE", b"1" * 99), written("TWO", b"22"), written("x", b"1")]))
    assert run("diff", "--content", new, other).status == 1
    other.write_bytes(
        ewad.build([written("ONE", b"1" * 99), written("TWO", b"22"), written(".lumpyard/origin", b"1")])
    )
    assert run("diff", "--content", old, other).status == 1  # a lump of that name that is none


def test_what_moved_is_counted_and_listed_only_on_demand(run: Run, tmp_path: Path) -> None:
    old, new = tmp_path / "a.wad", tmp_path / "b.wad"
    old.write_bytes(plain.wad([(b"ONE", b"1"), (b"TWO", b"22")]))
    new.write_bytes(plain.wad([(b"ONE", b"1"), (b"NEW", b"333"), (b"TWO", b"22")]))
    ran = run("diff", old, new)
    assert "1 added, 1 only moved" in ran.out
    assert "only moved (1)" not in ran.out
    assert "only moved (1)" in run("diff", "--all", old, new).out


def test_a_release_is_compared_by_its_ledger_and_named_by_it(run: Run, tmp_path: Path) -> None:
    made = Game(
        tmp_path,
        {"sets": {"all": {"files": "a/**", "rule": "raw"}}, "archives": {"base": {"sets": "all"}}},
        **{"a/one": b"1", "a/two": b"22"},
    )
    made.ship()
    shipped, symbols = tmp_path / "dist/base.ewad", tmp_path / "symbols/base.ewsym"
    assert run("diff", symbols, shipped).status == 0
    assert run("diff", shipped, symbols).status == 0
    other = tmp_path / "other.ewad"
    other.write_bytes(ewad.build([written("x", b"x")], named=False))
    ran = run("diff", shipped, other)  # the symbols are found beside dist/
    assert "-  a/two" in ran.out
    symbols.rename(tmp_path / "elsewhere.ewsym")
    assert "a/two" not in run("diff", shipped, other).out
    assert "-  a/two" in run("diff", "--symbols-a", tmp_path / "elsewhere.ewsym", shipped, other).out
    ran = run("diff", "--symbols-b", tmp_path / "elsewhere.ewsym", shipped, other)
    assert (ran.status, ran.out) == (2, "")
    assert "belongs to another archive" in ran.err


def test_what_is_no_symbols_of_an_archive_is_said_with_its_own_path(run: Run, tmp_path: Path) -> None:
    made = Game(
        tmp_path,
        {"sets": {"all": {"files": "a/**", "rule": "raw"}}, "archives": {"base": {"sets": "all"}}},
        **{"a/one": b"1", "a/two": b"22"},
    )
    made.ship()
    shipped, symbols = tmp_path / "dist/base.ewad", tmp_path / "symbols/base.ewsym"
    old = tmp_path / "old.wad"
    old.write_bytes(plain.wad([]))
    for given, archive, status, says in (
        (shipped, shipped, 3, f"{shipped}:1: a ledger starts with 'EWSYM 1', this with 'EWAD"),
        (symbols, symbols, 2, f"{symbols} is a .ewsym and names its lumps itself; {symbols} is not needed"),
        (symbols, old, 2, f"{symbols} is for naming the lumps of a stripped EWAD; {old} is a PWAD"),
    ):
        ran = run("diff", "--symbols-a", given, archive, shipped)
        assert (ran.status, ran.out) == (status, "")
        assert ran.err.startswith(f"lumpyard: error: {says}")
    ran = run("ls", "--symbols", shipped, shipped)
    assert ran.err.startswith(
        f"lumpyard: error: {shipped}:1: a ledger starts with 'EWSYM 1', this with 'EWAD"
    )


def test_what_cannot_be_read_is_said_with_its_path(run: Run, pair: tuple[Path, Path], tmp_path: Path) -> None:
    broken = tmp_path / "broken.ewad"
    broken.write_bytes(pair[0].read_bytes()[:70])
    ran = run("diff", pair[0], broken)
    assert (ran.status, ran.out) == (3, "")
    assert f"lumpyard: error: {broken}: " in ran.err
    assert run("diff", pair[0], tmp_path / "nothing").status == 5
    (tmp_path / "bad.ewsym").write_bytes(b"EWSYM 1\nno colon\n")
    assert run("diff", pair[0], tmp_path / "bad.ewsym").status == 3
    assert run("diff", pair[0]).status == 2


def test_a_lump_that_does_not_decode_is_compared_as_it_is_stored(run: Run, tmp_path: Path) -> None:
    broken = ewad.Written(b"a", b"\xff\xff\xff\xff", 300)
    old, new = tmp_path / "a.ewad", tmp_path / "b.ewad"
    old.write_bytes(ewad.build([broken]))
    new.write_bytes(ewad.build([broken._replace(stored=b"\xff\xff\xff\xfe")]))
    assert run("diff", old, old).status == 0
    ran = run("diff", old, new)
    assert (ran.status, ran.err) == (1, "")
    assert "1 changed" in ran.out


def test_maps_are_compared_by_what_they_mean(run: Run, tmp_path: Path) -> None:
    level = rooms(2, 1)
    thing = level.things[0]
    moved = level._replace(things=[thing._replace(x=thing.x + 16), *level.things[1:]])
    old, new, built = tmp_path / "a.wad", tmp_path / "b.wad", tmp_path / "c.wad"
    lumps = lump_bytes(level)
    old.write_bytes(wad_of("MAP01", lumps))
    new.write_bytes(wad_of("MAP01", lump_bytes(moved)))
    built.write_bytes(wad_of("MAP01", lumps | {"NODES": b"\0" * 28}))
    text = run("diff", old, new).out
    assert "MAP01: 1 thing moved" in text
    assert "moved: place" in text
    assert "```diff" in run("diff", "--markdown", old, new).out
    (told,) = run("diff", "--json", old, new).json["maps"]
    assert (told["name"], told["status"], told["meaning_differs"], told["lumps"]) == (
        "MAP01",
        "changed",
        True,
        ["THINGS"],
    )
    assert len(told["changes"]["things"]["moved"]) == 1
    ran = run("diff", old, built)
    assert ran.status == 1
    assert "MAP01: nothing that the map means has changed; only NODES, which a node builder makes" in ran.out
    (told,) = run("diff", "--json", old, built).json["maps"]
    assert told["meaning_differs"] is False
