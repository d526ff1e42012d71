"""Maps that people and their tools made, read whole: other programs' nodes, UDMF and Hexen's format.

zdbsp and glbsp build nodes of all forms, and leave each map what it is: the fingerprint says so. oblige, vizdoom and
comrad-bench bring maps with extended nodes, of UDMF, and in Hexen's format.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from tests.builders import doom_map, judges, packages, wad

from lumpyard.archives.opening import open_archive
from lumpyard.maps import nodes, udmf
from lumpyard.maps.finding import find_maps
from lumpyard.maps.fingerprint import fingerprint
from lumpyard.maps.reading import read_map
from lumpyard.maps.tree import check_tree
from lumpyard.maps.writing import encode_lumps

if TYPE_CHECKING:
    from pathlib import Path

    from lumpyard.maps.model import DoomMap

GAMES = ["freedoom1", "freedoom2", "freedm"]
FORMS = {  # zdbsp's options -> the forms of nodes and GL nodes
    "": ("vanilla", "none"),
    "-X": ("xnod", "none"),
    "-z": ("znod", "none"),
    "-g": ("vanilla", "v2"),
    "-x": ("none", "v2"),
    "-g -X": ("xnod", "xgln"),
    "-g -z": ("znod", "zgln"),
    "-x -X": ("xgln", "none"),
    "-x -z": ("zgln", "none"),
}


def maps(data: bytes) -> list[DoomMap]:
    archive = open_archive(data)
    return [read_map(place, archive.read) for place in find_maps(archive)]


def maps_alone(game: str, *names: str) -> bytes:
    """A WAD of some of a game's maps, or all, and nothing else."""
    found = doom_map.maps_of(judges.game(game))
    return wad.build([entry for name in names or found for entry in doom_map.set_of(found[name], name)])


def built(program: str, data: bytes, options: str, folder: Path) -> bytes:
    """The WAD that a node builder makes of another."""
    before, after = folder / "before.wad", folder / "after.wad"
    before.write_bytes(data)
    done = judges.run(
        [judges.program(program, program), *options.split(), str(before), "-o", str(after)], folder
    )
    assert done.returncode == 0, done.stderr
    return after.read_bytes()


def faults(found: DoomMap) -> list[str]:
    """All that is odd about a map and its nodes."""
    trees = [tree for tree in (nodes.decode(found), nodes.decode_gl(found)) if tree.kind != "none"]
    told = [*found.damage, *(damage for tree in trees for damage in tree.damage)]
    told += [damage for tree in trees for damage in check_tree(tree, len(found.lines))]
    return [f"{found.name}: {damage.lump}: {damage.message}" for damage in told]


@pytest.mark.parametrize("options", FORMS)
def test_nodes_of_each_form_that_zdbsp_builds_are_one_sound_tree(options: str, tmp_path: Path) -> None:
    """Each subsector is in the tree once; the map is the same as before, by its fingerprint."""
    data = maps_alone("freedoom2", "MAP01", "MAP07", "MAP20", "MAP30")
    after = maps(built("zdbsp", data, f"-t -R {options}", tmp_path))
    assert {(found.nodes, found.gl_nodes) for found in after} == {FORMS[options]}
    assert [fault for found in after for fault in faults(found)] == []
    assert [fingerprint(found) for found in after] == [fingerprint(found) for found in maps(data)]
    assert all(nodes.decode(found).segs or nodes.decode_gl(found).segs for found in after)


def test_version_5_as_zdbsp_writes_it_is_told_to_be_broken(tmp_path: Path) -> None:
    """ZDBSP 1.19 writes segs of 20 bytes, and bytes of nothing behind the nodes, where engines look for the root."""
    (found,) = maps(built("zdbsp", maps_alone("freedm", "MAP01"), "-t -R -g -5", tmp_path))
    assert (found.nodes, found.gl_nodes, check_tree(nodes.decode(found), len(found.lines))) == (
        "vanilla",
        "v5",
        [],
    )
    assert {fault.split(": ")[1] for fault in faults(found)} >= {"SEGS", "NODES"}


@pytest.mark.parametrize("game", GAMES)
def test_zdbsp_does_not_change_a_fingerprint(game: str, tmp_path: Path) -> None:
    data = maps_alone(game)
    before, after = maps(data), maps(built("zdbsp", data, "-t -R", tmp_path))
    assert [found.lumps["LINEDEFS"] for found in after] != [found.lumps["LINEDEFS"] for found in before]
    assert [fingerprint(found) for found in after] == [fingerprint(found) for found in before]


@pytest.mark.parametrize(
    ("version", "game", "names"),
    [
        ("v2", "freedoom1", ["E1M1", "E1M8", "E3M6"]),
        ("v2", "freedoom2", ["MAP20"]),
        ("v5", "freedm", ["MAP01", "MAP32"]),
    ],
)
def test_glbsp_does_not_change_a_fingerprint(
    version: str, game: str, names: list[str], tmp_path: Path
) -> None:
    """Its GL nodes are sound too. E3M6 has two lines that are the same."""
    data = maps_alone(game, *names)
    after = maps(built("glbsp", data, f"-q -xp -{version}", tmp_path))
    assert {(found.nodes, found.gl_nodes) for found in after} == {("vanilla", version)}
    assert [fault for found in after for fault in faults(found)] == []
    assert [fingerprint(found) for found in after] == [fingerprint(found) for found in maps(data)]


KINDS = {  # format, nodes, GL nodes -> maps
    "oblige": {
        ("doom", "xnod", "none"): 198,
        ("doom", "none", "none"): 176,
        ("doom", "vanilla", "v2"): 3,
        ("doom", "vanilla", "none"): 15,
    },
    "vizdoom": {
        ("doom", "vanilla", "none"): 68,
        ("udmf", "xgln", "none"): 22,
        ("udmf", "none", "none"): 1,
    },
    "comrad-bench": {("hexen", "vanilla", "none"): 116, ("hexen", "none", "none"): 1},
}
ODD = {"vizdoom": ["DIALOGUE", "BEHAVIOR", "BEHAVIOR"]}  # lumps that are in a map twice


@pytest.mark.parametrize("name", KINDS)
def test_every_map_of_a_set_is_read_whole_and_comes_back_to_the_bit(
    name: str, fetched: dict[str, Path]
) -> None:
    kinds: Counter[tuple[str, str, str]] = Counter()
    odd = []
    for path, data in packages.wads(fetched[name]).items():
        for found in maps(data):
            kinds[found.format, found.nodes, found.gl_nodes] += 1
            odd += [damage.lump for damage in found.damage if damage.code == "repeated"]
            whole = found._replace(damage=[damage for damage in found.damage if damage.code != "repeated"])
            assert faults(whole) == [], path
            assert found.things or found.lines, path
            if found.format == "udmf":
                document = udmf.parse(found.lumps["TEXTMAP"])
                back = udmf.to_map(found.name, udmf.parse(udmf.render(document)), found.lumps)
                assert fingerprint(back) == fingerprint(found), path
            else:
                assert list(encode_lumps(found).items()) == list(found.lumps.items()), path
    assert kinds == KINDS[name]
    assert odd == ODD.get(name, [])


def test_zdbsp_does_not_change_the_fingerprint_of_udmf(fetched: dict[str, Path], tmp_path: Path) -> None:
    """It writes TEXTMAP anew, without comments and in its own order."""
    for number, (path, data) in enumerate(packages.wads(fetched["vizdoom"]).items()):
        before = [found for found in maps(data) if found.format == "udmf"]
        if not before:
            continue
        folder = tmp_path / str(number)
        folder.mkdir()
        after = [found for found in maps(built("zdbsp", data, "-z", folder)) if found.format == "udmf"]
        assert {found.nodes for found in after} == {"zgln"}, path
        assert [fault for found in after for fault in faults(found) if "second" not in fault] == []
        assert [fingerprint(found) for found in after] == [fingerprint(found) for found in before], path
