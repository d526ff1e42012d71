"""The maps of files of any kind."""

from __future__ import annotations

import pytest
from tests.builders import doom_map, plain
from tests.builders.map_wads import SMALL, map_wad

from lumpyard.errors import MalformedError
from lumpyard.maps.opening import is_map_text, open_maps

TEXT = b'// Written by hand\n/* namespace is next */ namespace = "doom";\nthing { x = 1; y = 2; type = 1; }\n'


def test_the_maps_of_a_wad_are_in_its_order() -> None:
    found = open_maps(map_wad(MAP02=SMALL, MAP01=SMALL), "x")
    assert [each.level.name for each in found.maps] == ["MAP02", "MAP01"]
    assert [each.path for each in found.maps] == ["", ""]
    assert found.archive is not None


def test_a_text_is_one_map_with_the_files_name() -> None:
    found = open_maps(TEXT, "INN")
    assert found.archive is None
    ((level, place, _),) = found.maps
    assert (level.name, level.namespace, place) == ("INN", "doom", None)
    assert level.things[0].type == 1


def test_folders_of_an_archive_are_maps_and_so_are_wads_in_it() -> None:
    lumps = [(f"maps/MAP07/{name}".encode(), data) for name, data in doom_map.DOOM.items()]
    lumps += [(b"maps/E1M1.wad", map_wad(E1M1=SMALL)), (b"maps/broken.wad", b"PWAD\xff\xff\xff\xff\0\0\0\0")]
    lumps += [(b"docs/THINGS", b"a list of things")]
    found = open_maps(plain.pak(lumps), "x")
    assert [(each.path, each.level.name, len(each.level.lines)) for each in found.maps] == [
        ("maps/E1M1.wad", "E1M1", 7),
        ("maps/MAP07", "MAP07", 7),
    ]
    assert [damage.lump for damage in found.damage] == ["maps/broken.wad"]


def test_the_order_of_lumps_in_a_folder_means_nothing() -> None:
    """An EWAD has its lumps in the order of their keys."""
    lumps = [(f"maps/MAP07/{name}".encode(), data) for name, data in doom_map.DOOM.items()]
    for shuffled in (lumps[::-1], lumps[3:] + lumps[:3]):
        ((level, _, _),) = open_maps(plain.pak(shuffled), "x").maps
        assert (level.damage, list(level.lumps)) == ([], list(doom_map.DOOM))


def test_a_text_in_a_folder_needs_no_endmap() -> None:
    ((level, _, _),) = open_maps(plain.pak([(b"maps/INN/TEXTMAP", TEXT)]), "x").maps
    assert (level.name, level.damage) == ("INN", [])


def test_what_is_neither_text_nor_archive_is_malformed() -> None:
    with pytest.raises(MalformedError):
        open_maps(b"nothing of the kind", "x")


@pytest.mark.parametrize(
    ("data", "answer"),
    [
        (TEXT, True),
        (b'NameSpace="a";', True),
        (b'\xef\xbb\xbfnamespace="a";', True),
        (b"namespaces", False),
        (b"", False),
        (b"/* namespace", False),
        (b"/**/" * 5000 + b"x", False),
        (b"// namespace", False),
    ],
)
def test_a_text_starts_with_its_namespace(data: bytes, answer: bool) -> None:
    assert is_map_text(data) is answer
