"""Laws of a diff: nothing of oneself, the sizes add up, and the other way round it is the same with signs turned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import ewad
from tests.builders.plain import pak, wad, wad2
from tests.builders.small_archives import small_archives
from tests.report.archives import inventory, written

from lumpyard.report.changes import ADDED, REMOVED, RENAMED, STATUSES
from lumpyard.report.diff import compare_archives

if TYPE_CHECKING:
    from pathlib import Path

    from lumpyard.report.changes import ArchiveDiff
    from lumpyard.report.inventory import Inventory

NAMES = ("A", "B", "C/D", "C/E", "F")
RAWS = (b"", b"one", b"two" * 50, b"one" * 60)
LUMP = st.tuples(st.sampled_from(RAWS), st.booleans(), st.sampled_from([0, 1, 0x41424344]), st.integers(0, 2))
CONTENTS = st.dictionaries(st.sampled_from(NAMES), LUMP, max_size=5)
FORMATS = st.sampled_from(["ewad", "stripped", "dedupe", "pak", "wad", "wad2"])


def made(contents: dict[str, tuple[bytes, bool, int, int]], kind: str) -> Inventory:
    """The same lumps in an archive of one of the kinds."""
    plain = [(name.encode(), raw) for name, (raw, *_) in contents.items()]
    if kind == "pak":
        return inventory(pak(plain))
    if kind == "wad":
        return inventory(wad(plain))
    if kind == "wad2":
        return inventory(wad2(plain))
    lumps = [
        written(name, raw, packed=packed and bool(raw), fourcc=fourcc, schema=schema)
        for name, (raw, packed, fourcc, schema) in contents.items()
    ]
    return inventory(ewad.build(lumps, named=kind != "stripped", dedupe=kind == "dedupe"))


def check_sums(diff: ArchiveDiff) -> None:
    """All totals are the size difference, and what is told of lumps is what the totals say."""
    assert sum(total.delta for total in diff.totals) == diff.delta == diff.new.size - diff.old.size
    assert sum(total.old_bytes for total in diff.totals) == diff.old.size
    assert sum(total.new_bytes for total in diff.totals) == diff.new.size
    totals = {total.what: total for total in diff.totals}
    for status in STATUSES[:-1]:
        told = [change for change in diff.changes if change.status == status]
        assert (len(told), sum(change.delta for change in told)) == (
            totals[status].lumps,
            totals[status].delta,
        )
    lumps = sum(total.lumps for total in diff.totals)
    assert lumps - totals[ADDED].lumps == len(diff.old.lumps)
    assert lumps - totals[REMOVED].lumps == len(diff.new.lumps)


@given(CONTENTS, FORMATS, CONTENTS, FORMATS)
@settings(max_examples=300)
def test_the_sizes_of_a_diff_add_up_across_formats(
    ours: dict[str, tuple[bytes, bool, int, int]],
    kind: str,
    theirs: dict[str, tuple[bytes, bool, int, int]],
    other: str,
) -> None:
    old, new = made(ours, kind), made(theirs, other)
    there, back = compare_archives(old, new), compare_archives(new, old)
    check_sums(there)
    check_sums(back)
    turned = {ADDED: REMOVED, REMOVED: ADDED}
    assert {
        (
            turned.get(change.status, change.status),
            change.new,
            change.old,
            -change.delta,
            frozenset(change.also),
        )
        for change in there.changes
    } == {
        (change.status, change.old, change.new, change.delta, frozenset(change.also))
        for change in back.changes
    }
    assert {
        (fact.what, fact.new, fact.old) for fact in there.facts if fact.what not in {"order", "bytes"}
    } == {fact[:] for fact in back.facts if fact.what not in {"order", "bytes"}}


@given(CONTENTS, FORMATS)
def test_nothing_differs_from_itself(contents: dict[str, tuple[bytes, bool, int, int]], kind: str) -> None:
    diff = compare_archives(made(contents, kind), made(contents, kind))
    check_sums(diff)
    assert (diff.changes, diff.facts, diff.notes, diff.differs()) == ([], [], [], False)


@given(CONTENTS, CONTENTS)
def test_what_names_and_contents_say_is_what_is_told(
    ours: dict[str, tuple[bytes, bool, int, int]], theirs: dict[str, tuple[bytes, bool, int, int]]
) -> None:
    """Against two dictionaries: a lump changed where its raw bytes did, and only there."""
    diff = compare_archives(made(ours, "ewad"), made(theirs, "ewad"))
    told = {change.name: change for change in diff.changes if change.status == "changed"}
    assert set(told) == {name for name in {*ours} & {*theirs} if ours[name][0] != theirs[name][0]}
    renamed = [change for change in diff.changes if change.status == RENAMED]
    for change in renamed:
        assert ours[change.old_name][0] == theirs[change.name][0] != b""
        assert change.old_name not in theirs
        assert change.name not in ours
    gone = {change.name for change in diff.changes if change.status == REMOVED}
    come = {change.name for change in diff.changes if change.status == ADDED}
    assert gone | {change.old_name for change in renamed} == {*ours} - {*theirs}
    assert come | {change.name for change in renamed} == {*theirs} - {*ours}
    assert not {ours[name][0] for name in gone} & {theirs[name][0] for name in come} - {b""}


def test_archives_of_all_formats_are_like_themselves_and_differ_from_others(tmp_path: Path) -> None:
    found = [inventory_of(data) for archives in small_archives(tmp_path).values() for data in archives]
    for old in found:
        same = compare_archives(old, old)
        check_sums(same)
        assert not same.differs(), old.format
        for new in found:
            check_sums(compare_archives(old, new))


def inventory_of(data: bytes) -> Inventory:
    from lumpyard.archives.opening import open_archive
    from lumpyard.report.inventory import of_archive

    return of_archive("a", open_archive(data, lenient=True))
