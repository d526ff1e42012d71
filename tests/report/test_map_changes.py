"""Maps among the changes of a diff, where a map is a folder of the archive: as the rule `doom-map` makes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.builders.doom_maps import lump_bytes, rooms, wad_of
from tests.report.archives import an_ewad, inventory, written

from lumpyard.report.diff import compare_archives
from lumpyard.report.map_changes import find_map_changes

if TYPE_CHECKING:
    from lumpyard.maps.model import DoomMap
    from lumpyard.report.inventory import Inventory

DMAP = int.from_bytes(b"DMAP", "little")
LEVEL = rooms(2, 2)
THING = LEVEL.things[0]
MOVED = LEVEL._replace(things=[THING._replace(x=THING.x + 32), *LEVEL.things[1:]])


def folders(**maps: DoomMap) -> Inventory:
    lumps = [
        written(f"maps/{folder}/{name}", data)
        for folder, level in maps.items()
        for name, data in lump_bytes(level).items()
    ]
    return an_ewad(*lumps, written("docs/THINGS", b"a list of things"))


def test_a_thing_that_moved_is_told_of_a_map_that_is_a_folder() -> None:
    (change,) = find_map_changes(compare_archives(folders(MAP01=LEVEL), folders(MAP01=MOVED)))
    assert (change.name, change.status, change.lumps) == ("maps/MAP01", "changed", ("THINGS",))
    assert change.diff is not None
    assert len(change.diff.things.moved) == 1


def test_folders_that_came_and_went_are_maps() -> None:
    found = find_map_changes(compare_archives(folders(MAP01=LEVEL, A=LEVEL), folders(MAP01=LEVEL, B=LEVEL)))
    assert [(each.name, each.status) for each in found] == [("maps/A", "removed"), ("maps/B", "added")]


def test_a_map_of_a_wad_is_compared_with_its_folder_by_its_name() -> None:
    source = inventory(wad_of("MAP01", lump_bytes(LEVEL)), "a.wad")
    for level, differs in ((LEVEL, False), (MOVED, True)):
        (change,) = find_map_changes(compare_archives(source, folders(MAP01=level)))
        assert (change.name, bool(change.diff)) == ("MAP01", differs)


def test_archives_without_maps_have_no_changes_of_maps() -> None:
    assert find_map_changes(compare_archives(folders(), an_ewad(written("a", b"1")))) == []


def wads(**maps: DoomMap) -> Inventory:
    return an_ewad(
        *(
            written(f"maps/{name}", wad_of(name, lump_bytes(level)), fourcc=DMAP)
            for name, level in maps.items()
        ),
        written("a.wad", wad_of("MAP09", lump_bytes(maps.get("MAP01", LEVEL)))),
        written("b.wad", b"PWAD, or not"),
    )


def test_maps_are_compared_that_are_a_wad_each() -> None:
    """ "one lump per map" """
    found = find_map_changes(compare_archives(wads(MAP01=LEVEL, A=LEVEL), wads(MAP01=MOVED, B=LEVEL)))
    assert [(each.name, each.status, each.lumps) for each in found] == [
        ("a.wad: MAP09", "changed", ("THINGS",)),
        ("maps/A", "removed", ()),
        ("maps/B", "added", ()),
        ("maps/MAP01", "changed", ("THINGS",)),
    ]
    assert [len(each.diff.things.moved) for each in found if each.diff is not None] == [1, 1]


def test_a_wad_in_an_archive_that_is_broken_is_a_note() -> None:
    new = an_ewad(written("a.wad", b"PWAD\1\0\0\0\xff\0\0\0"))
    diff = compare_archives(wads(MAP01=LEVEL), new)
    assert [each.name for each in find_map_changes(diff)] == ["maps/MAP01"]
    (note,) = [note for note in diff.notes if "a.wad" in note]
    assert note.startswith("maps of a.wad were not compared: the directory reaches past the end")
