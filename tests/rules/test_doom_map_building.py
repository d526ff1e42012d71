"""Rule `doom-map`: what a map lacks is made, and what is right or recorded is kept."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import pytest
from tests.builders import doom_map, judges
from tests.builders.doom_map_rule import by_name, cook, sound, with_line
from tests.builders.map_wads import SMALL, map_wad
from tests.builders.source import FakeSource

from lumpyard.maps.building import Built
from lumpyard.maps.limits import BuildProblem
from lumpyard.maps.reading import read_lumps
from lumpyard.maps.recording import record, render
from lumpyard_rules.doom_map import RULE, Ignored, making

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


TEXT = doom_map.udmf_text()


def test_what_a_map_lacks_is_made() -> None:
    """A map with only the five edited lumps is a map without nodes."""
    source, products = cook(map_wad(MAP01=doom_map.EDITED))
    assert source.errors == []
    made = by_name(products)
    assert list(made) == [f"maps/MAP01/{name}" for name in doom_map.ORDER if name in SMALL]
    assert len(made["maps/MAP01/SSECTORS"]) == 8
    assert len(made["maps/MAP01/REJECT"]) == 1
    assert made["maps/MAP01/BLOCKMAP"]


def test_nodes_that_are_right_are_kept_unless_they_are_to_be_built() -> None:
    assert by_name(cook(map_wad(MAP01=SMALL))[1])["maps/MAP01/NODES"] == SMALL["NODES"]
    built = by_name(cook(map_wad(MAP01=SMALL), nodes="build", extended="always")[1])
    assert built["maps/MAP01/NODES"][:4] == b"XNOD"
    assert built["maps/MAP01/SEGS"] == b""
    none = by_name(cook(map_wad(MAP01=SMALL), nodes="none", blockmap="none", reject="none")[1])
    assert {none[f"maps/MAP01/{name}"] for name in ("NODES", "SEGS", "SSECTORS", "BLOCKMAP", "REJECT")} == {
        b""
    }


def test_nodes_that_cannot_be_made_are_an_error() -> None:
    source, _ = cook(TEXT, "levels/inn.udmf", nodes="build", fail="never")
    assert [each.rpartition(" ")[2] for each in source.errors] == ["[nodes-udmf]"]


class ToolSource(FakeSource):
    """A source whose tool is the real zdbsp."""

    def run(self, tool: str, args: Sequence[str], **rest: Any) -> Mapping[str, bytes]:
        import tempfile
        from pathlib import Path

        self.asked.append(f"run {tool} {' '.join(args)}")
        with tempfile.TemporaryDirectory() as folder:
            for path, data in rest["files"].items():
                (Path(folder) / path).parent.mkdir(parents=True, exist_ok=True)
                (Path(folder) / path).write_bytes(data)
            judges.run([judges.program("zdbsp", "zdbsp"), *args], Path(folder))
            return {path: (Path(folder) / path).read_bytes() for path in rest["outputs"]}


@pytest.mark.parametrize(
    ("lumps", "extended", "lump", "start"),
    [
        (SMALL, "never", "NODES", struct.pack("<h", 256)),
        (SMALL, "always", "NODES", b"XNOD"),
        (doom_map.HEXEN_MAP, "never", "BEHAVIOR", b"ACS\0"),
        ({"TEXTMAP": TEXT, "ENDMAP": b""}, "never", "ZNODES", b"XGLN"),
    ],
)
def test_zdbsp_is_a_tool_of_the_manifest(
    lumps: Mapping[str, bytes], extended: str, lump: str, start: bytes
) -> None:
    source = ToolSource("levels/castle.wad", map_wad(MAP01=lumps))
    options = RULE.options(nodes="zdbsp", extended=extended, tool="builder", args=("-p", "32"), fail="never")
    products = by_name(list(RULE.cook([source], options)))
    assert source.errors == []
    assert source.asked[1].startswith("run builder ")
    assert source.asked[1].endswith("-p 32 -o lumpyard-map/out.wad lumpyard-map/in.wad")
    assert products[f"maps/MAP01/{lump}"].startswith(start)


def test_zdbsp_is_not_given_what_it_would_crash_on() -> None:
    source, _ = cook(map_wad(MAP01=with_line((60000, 0, 1, 0, 0, 0, 0xFFFF))), nodes="zdbsp")
    assert any("[zdbsp-map]" in each for each in source.errors)


def test_nodes_that_are_too_many_for_the_first_engines_have_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    """ "Overflow: switch to XNOD only when the port allows, else error"."""
    problem = BuildProblem("nodes-too-many-segs", "segs: 40000, at most 32767 are possible")
    monkeypatch.setattr(making, "build_map", lambda *_: Built(SMALL, problems=[problem]))
    source, _ = cook(map_wad(MAP01=SMALL))
    (found,) = [each for each in source.reported if "segs" in each.message]
    assert found.message == "MAP01: segs: 40000, at most 32767 are possible [nodes-too-many-segs]"
    assert found.hint.startswith("`extended: auto` makes ")


def recorded(lumps: Mapping[str, bytes]) -> bytes:
    return render({"MAP01": [record(read_lumps("MAP01", lumps))]}).encode()


def test_what_is_built_is_kept_while_the_fingerprint_is_the_recorded_one() -> None:
    """ "Keep is right only while the map's fingerprint (coordinates and contents, no numbering) is unchanged" """
    lumps = {**sound(), "REJECT": b"\x0f"}  # which hides all from all: monsters are to be blind
    files = {"levels/castle.fingerprints": recorded(lumps)}
    ignore = (Ignored("reject-hides", "blind"), Ignored("teleport-without-destination", "it is small"))
    source, products = cook(map_wad(MAP01=lumps), files=files, ignore=ignore)
    assert (source.errors, source.warnings) == ([], [])
    assert {name: by_name(products)[f"maps/MAP01/{name}"] for name in lumps} == lumps
    things = doom_map.table("THINGS", [*doom_map.THINGS, (100, 100, 0, 2011, 7)])
    source, products = cook(map_wad(MAP01={**lumps, "THINGS": things}), files=files)
    assert source.errors == []
    assert [each for each in source.warnings if "[record-changed]" in each] == [
        (
            "MAP01: the map was changed since its fingerprint was recorded; so what was built for it is not kept, "
            "until `lumpyard map FILE --record` records it as it is [record-changed]"
        )
    ]
    assert by_name(products)["maps/MAP01/REJECT"] == b"\0"


def test_a_map_that_is_not_in_the_file_of_fingerprints_is_built_and_told() -> None:
    lumps = {**sound(), "REJECT": b"\x0f"}
    files = {"levels/castle.fingerprints": render({}).encode()}
    source, products = cook(map_wad(MAP01=lumps), files=files)
    assert any("[record-missing]" in each for each in source.warnings)
    assert by_name(products)["maps/MAP01/REJECT"] == b"\0"
    source, _ = cook(map_wad(MAP01=lumps), files=files, nodes="build", blockmap="build", reject="islands")
    assert not any("record" in each for each in source.warnings)  # nothing is to be kept


def test_a_broken_file_of_fingerprints_is_an_error_with_its_line() -> None:
    source, _ = cook(
        map_wad(MAP01=sound()), files={"levels/castle.fingerprints": b"lumpyard fingerprints 1\nx\n"}
    )
    assert source.errors == [
        "levels/castle.fingerprints: line 2 is 'x', not two digests of 64 digits and a map's name"
    ]
    assert source.warnings == cook(map_wad(MAP01=sound()))[0].warnings  # nothing is said of what is recorded
    assert [each.hint for each in source.reported if not each.warning] == [
        "`lumpyard map levels/castle.wad --record` writes it anew"
    ]


def test_a_file_of_fingerprints_that_a_set_takes_for_a_map_says_how_to_leave_it_out() -> None:
    source, products = cook(render({}).encode(), "levels/castle.fingerprints")
    assert products == []
    (problem,) = source.reported
    assert problem.hint == "a set's `files` leave such out by `!**/*.fingerprints`"


def test_a_reject_of_another_map_is_replaced_and_told_without_any_record() -> None:
    source, products = cook(map_wad(MAP01={**sound(), "REJECT": b"\x06"}))
    assert source.errors == []
    assert any("[reject-stale]" in each for each in source.warnings)
    assert by_name(products)["maps/MAP01/REJECT"] == b"\0"
