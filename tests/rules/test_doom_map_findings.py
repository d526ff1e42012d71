"""Rule `doom-map`: what is found in maps fails, warns, or is ignored with a reason."""

from __future__ import annotations

import struct

import pytest
from tests.builders import doom_map, plain, wad
from tests.builders.doom_map_rule import by_name, cook, sound, with_line
from tests.builders.map_wads import SMALL, map_wad

from lumpyard.errors import ProblemsError
from lumpyard_rules.doom_map import Ignored

TEXT = doom_map.udmf_text()
BASE = plain.wad(
    [
        (b"F_START", b""),
        *((name, b"x") for name in (b"FLOOR4_8", b"CEIL3_5", b"NUKAGE1", b"F_SKY1")),
        (b"F_END", b""),
        (b"PNAMES", struct.pack("<I", 0)),
        (
            b"TEXTURE1",
            struct.pack("<5I", 4, 20, 42, 64, 86)
            + b"".join(
                struct.pack("<8s4xhh4xH", name, 64, 128, 0)
                for name in (b"STONE2", b"BROWN1", b"STEP1", b"STEP2")
            ),
        ),
    ],
    b"IWAD",
)


def test_damage_of_a_text_has_its_line() -> None:
    source, _ = cook(b'namespace = "doom";\n\nthing { x = ; }\n', "inn.udmf")
    (found,) = [each for each in source.reported if "[textmap-syntax]" in each.message]
    assert (found.line, found.warning) == (3, False)


def test_errors_fail_warnings_warn_and_infos_are_silent() -> None:
    bad = with_line((0, 0, 1, 0, 0, 0, 0xFFFF))
    source, products = cook(map_wad(MAP01=bad))
    (message,) = [each for each in source.errors if "[line-zero-length]" in each]
    assert message.startswith("MAP01: line 0 ")
    assert ", at (0, 256) [" in message
    assert products
    assert cook(map_wad(MAP01=bad), fail="never")[0].errors == []
    odd = with_line((*doom_map.LINES[0][:3], 60, *doom_map.LINES[0][4:]))  # a special that needs a tag
    source, _ = cook(map_wad(MAP01=odd))
    assert source.errors == []
    assert any("[tag-missing]" in each for each in source.warnings)
    source, _ = cook(map_wad(MAP01=odd), fail="warning")
    assert any("[tag-missing]" in each for each in source.errors)
    assert len(cook(map_wad(MAP01=odd), fail="info")[0].errors) >= len(source.errors)


def test_a_finding_is_ignored_with_a_reason() -> None:
    bad = map_wad(MAP01=with_line((0, 0, 1, 0, 0, 0, 0xFFFF)), MAP02=SMALL)
    wanted = Ignored("line-zero-length", "a camera needs it", 0.0, 256.0, "MAP01")
    closed = Ignored("sector-unclosed", "the line is gone")
    source, _ = cook(bad, ignore=(wanted, closed))
    assert not any("line-zero-length" in each for each in source.errors)
    source, _ = cook(map_wad(MAP01=SMALL), ignore=(wanted,))
    assert any("[ignore-unused]" in each for each in source.warnings)


def test_textures_are_looked_up_in_base_archives_through_the_source() -> None:
    source, _ = cook(map_wad(MAP01=SMALL), base=("iwad/base.wad",), files={"iwad/base.wad": BASE})
    assert source.asked == ["exists levels/castle.fingerprints", "read iwad/base.wad"]
    assert source.errors == []
    other = plain.wad([(b"F_START", b""), (b"F_END", b"")])
    source, _ = cook(map_wad(MAP01=SMALL), base=("iwad/base.wad",), files={"iwad/base.wad": other})
    assert any("[flat-unknown]" in each for each in source.errors)
    source, _ = cook(map_wad(MAP01=SMALL), base=("iwad/base.wad",), files={"iwad/base.wad": b"?"})
    assert any("`base` names iwad/base.wad, which cannot be read" in each for each in source.errors)
    with pytest.raises(ProblemsError):
        cook(map_wad(MAP01=SMALL), base=("iwad/base.wad",))


def test_two_maps_of_one_name_are_an_error() -> None:
    raw = plain.wad([*wad.lumps(map_wad(MAP01=SMALL)), *wad.lumps(map_wad(MAP01=SMALL))])
    assert any("[map-repeated]" in each for each in cook(raw)[0].errors)
    source, _ = cook(raw, ignore=(Ignored("map-repeated", "the first is left over"),))
    assert source.errors == []


def test_what_a_build_says_of_reject_is_ignored_and_fails_as_other_findings_do() -> None:
    stale = map_wad(MAP01={**sound(), "REJECT": b"\x06"})
    of_map = (Ignored("teleport-without-destination", "it is small"),)
    source, _ = cook(stale, ignore=of_map, fail="warning")
    (message,) = source.errors
    assert message.startswith("MAP01: REJECT is not of this map, and is made anew: ")
    x, y = (float(part) for part in message.rpartition(", at (")[2].partition(")")[0].split(", "))
    for known in (
        Ignored("reject-stale", "the editor numbers sectors anew"),
        Ignored("reject-stale", "the editor numbers sectors anew", x, y, "map01"),
    ):
        source, products = cook(stale, ignore=(*of_map, known), fail="warning")
        assert (source.errors, source.warnings) == ([], [])
        assert by_name(products)["maps/MAP01/REJECT"] == b"\0"
    elsewhere = Ignored("reject-stale", "the editor numbers sectors anew", 1, 2)
    source, _ = cook(map_wad(MAP01=sound()), ignore=(*of_map, elsewhere))
    assert source.warnings == [
        (
            "nothing to ignore: no reject-stale is found there (the editor numbers sectors anew), "
            "at (1, 2) [ignore-unused]"
        )
    ]


def test_a_reject_that_is_wrong_or_unfinished_says_what_to_do() -> None:
    source, _ = cook(map_wad(MAP01={**sound(), "REJECT": b"\x06"}))
    hints = [each.hint for each in source.reported if "[reject-stale]" in each.message]
    assert hints == ["what is meant to be so is recorded by `lumpyard map FILE --record`"]


def test_an_ignore_by_id_alone_is_for_all_maps_and_never_told() -> None:
    bad = map_wad(MAP01=with_line((0, 0, 1, 0, 0, 0, 0xFFFF)), MAP02=SMALL, MAP03=SMALL)
    of_all = tuple(
        Ignored(id_, "it is small") for id_ in ("teleport-without-destination", "line-zero-length")
    )
    of_one = Ignored("sector-unclosed", "it has no length", map="map01")
    source, _ = cook(bad, ignore=(*of_all, of_one))
    assert (source.errors, source.warnings) == ([], [])


def test_what_is_wrong_with_a_lump_that_is_made_anew_fails_nothing() -> None:
    """Nodes and a BLOCKMAP of an earlier save are no mistake of the map's."""
    stale = {**sound(), "BLOCKMAP": sound()["BLOCKMAP"][:-2], "NODES": bytes(28)}
    source, products = cook(map_wad(MAP01=stale))
    assert source.errors == []
    assert by_name(products)["maps/MAP01/BLOCKMAP"] == sound()["BLOCKMAP"]
    source, _ = cook(map_wad(MAP01=stale), fail="info", ignore=(), nodes="build")
    assert not any("[blockmap-unended]" in each or "[node-tree]" in each for each in source.errors)
