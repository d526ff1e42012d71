"""Several lumps of one name: those of equal content are the same ones, whatever their numbers are now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st
from tests.builders.plain import pak, wad
from tests.report.archives import inventory
from tests.report.test_diff_laws import check_sums

from lumpyard.report.diff import compare_archives

if TYPE_CHECKING:
    from collections.abc import Callable

    Make = Callable[[list[tuple[bytes, bytes]]], bytes]

RAWS = st.lists(st.sampled_from([b"", b"one", b"two", b"three!"]), max_size=6)


def told(old: list[bytes], new: list[bytes]) -> list[tuple[str, str, str]]:
    """Status, name and old name of each change between WADs of nothing but lumps `T`."""
    diff = compare_archives(
        inventory(wad([(b"T", raw) for raw in old])), inventory(wad([(b"T", raw) for raw in new]))
    )
    return [
        (change.status, change.name, change.old_name) for change in diff.changes if change.status != "moved"
    ]


def test_two_that_change_places_are_two_renames_since_another_one_is_found_now() -> None:
    assert told([b"a", b"b"], [b"b", b"a"]) == [("renamed", "T", "T~1"), ("renamed", "T~1", "T")]
    old, new = (inventory(wad([(b"T", raw) for raw in raws])) for raws in ([b"a", b"b"], [b"b", b"a"]))
    assert compare_archives(old, new).content_only().differs()


def test_the_first_of_three_that_goes_is_the_one_that_is_told() -> None:
    assert told([b"aa", b"b", b"c"], [b"b", b"c"]) == [("removed", "T~1", ""), ("renamed", "T~1", "T~2")]


def test_one_that_comes_in_front_is_the_one_that_is_told() -> None:
    assert told([b"b", b"c"], [b"aa", b"b", b"c"]) == [("added", "T~1", ""), ("renamed", "T~2", "T~1")]


def test_what_has_no_equal_has_changed_as_it_stands() -> None:
    assert told([b"a", b"b"], [b"c", b"b"]) == [("changed", "T~1", "")]
    assert told([b"a", b"b", b"c"], [b"b", b"a", b"d"]) == [
        ("changed", "T", ""),
        ("renamed", "T~1", "T~2"),
        ("renamed", "T~2", "T~1"),
    ]


def test_lumps_of_other_names_are_no_twins() -> None:
    old = inventory(wad([(b"T", b"a"), (b"T", b"b"), (b"U", b"c")]))
    new = inventory(wad([(b"T", b"c"), (b"T", b"b"), (b"U", b"a")]))
    assert {(one.status, one.name) for one in compare_archives(old, new).changes} == {
        ("changed", "T~1"),
        ("changed", "U"),
    }


def test_a_lump_whose_name_is_the_path_of_another_does_not_part_that_from_its_own() -> None:
    """`T~1` is a name, too: where one of that name comes, the first `T` is `T~2` from then on."""
    old = [(b"T", b"a"), (b"T", b"b")]
    new = [(b"T", b"a"), (b"T~1", b"other"), (b"T", b"b")]
    for ours, theirs, expected in (
        (old, new, [("added", "T~1", ""), ("renamed", "T~2", "T~1")]),
        (new, old, [("removed", "T~1", ""), ("renamed", "T~1", "T~2")]),
    ):
        changes = compare_archives(inventory(wad(ours)), inventory(wad(theirs))).changes
        assert [(one.status, one.name, one.old_name) for one in changes if one.status != "moved"] == expected


@given(RAWS, RAWS, st.sampled_from([wad, pak]))
def test_contents_differ_where_the_lists_do_and_sizes_add_up(
    ours: list[bytes], theirs: list[bytes], make: Make
) -> None:
    old, new = (inventory(make([(b"T", raw) for raw in raws])) for raws in (ours, theirs))
    diff, back = compare_archives(old, new), compare_archives(new, old)
    check_sums(diff)
    check_sums(back)
    assert diff.differs(by_content=True) == back.differs(by_content=True) == (ours != theirs)
    assert len(diff.changes) == len(back.changes)
