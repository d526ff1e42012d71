"""Rule `doom-map`: whatever the bytes, an answer; a sound map's lumps pass, and what is missing is made."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import doom_map, judges, plain, wad
from tests.builders.source import FakeSource

from lumpyard.errors import ProblemsError
from lumpyard.manifest import read_options
from lumpyard.manifest.syntax import parse_yaml
from lumpyard.maps.building import BuildOptions, Built, build_map
from lumpyard.maps.limits import BuildProblem
from lumpyard.maps.reading import read_lumps
from lumpyard.maps.recording import record, render
from lumpyard_rules.doom_map import RULE, Ignored, making

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lumpyard.rule import Product

SMALL = doom_map.DOOM
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


def a_wad(**maps: Mapping[str, bytes]) -> bytes:
    entries = [
        each
        for name, lumps in maps.items()
        for each in [(name.encode(), b""), *((lump.encode(), data) for lump, data in lumps.items())]
    ]
    return plain.wad(entries)


def cook(data: bytes, path: str = "levels/castle.wad", **options: Any) -> tuple[FakeSource, list[Product]]:
    files = options.pop("files", {})
    source = FakeSource(path, data, files=files)
    return source, list(RULE.cook([source], RULE.options(**options)))


def by_name(products: Sequence[Product]) -> dict[str | None, bytes]:
    return {product.name: product.data for product in products}


def with_line(row: tuple[int, ...], number: int = 0) -> dict[str, bytes]:
    lines: list[tuple[int, ...]] = list(doom_map.LINES)
    lines[number] = row
    return {**SMALL, "LINEDEFS": doom_map.table("LINEDEFS", lines)}


def test_a_sound_map_passes_lump_for_lump() -> None:
    source, products = cook(a_wad(MAP01=SMALL))
    assert source.errors == []
    made = by_name(products)
    assert list(made) == [f"maps/MAP01/{name}" for name in doom_map.ORDER if name in SMALL]
    kept = {name: data for name, data in SMALL.items() if name != "BLOCKMAP"}
    assert {name: made[f"maps/MAP01/{name}"] for name in kept} == kept
    assert {(product.fourcc or RULE.fourcc, product.schema) for product in products} == {("DMAP", 1)}


def test_each_format_has_its_schema() -> None:
    """ "type DMAP, schema 1 Doom, 2 Hexen, 3 UDMF"."""
    assert {product.schema for product in cook(a_wad(MAP01=doom_map.HEXEN_MAP), fail="never")[1]} == {2}
    assert {
        product.schema for product in cook(a_wad(MAP01={"TEXTMAP": TEXT, "ENDMAP": b""}), fail="never")[1]
    } == {3}


def test_a_lump_for_each_map_is_a_wad_of_it() -> None:
    _, products = cook(a_wad(MAP01=SMALL, MAP02=SMALL), layout="map", folder="")
    assert [product.name for product in products] == ["MAP01", "MAP02"]
    names = [name for name, _ in wad.lumps(products[1].data)]
    assert names == [b"MAP02", *(name.encode() for name in doom_map.ORDER if name in SMALL)]
    assert products[0].data.startswith(b"PWAD")


def test_maps_are_taken_by_name_and_what_is_not_there_is_told() -> None:
    source, products = cook(a_wad(MAP01=SMALL, MAP02=SMALL), maps=("map02", "MAP09"))
    assert {str(product.name).split("/")[1] for product in products} == {"MAP02"}
    assert source.errors == ["there is no map MAP09 in it; the option `maps` asks for it"]
    assert [each.hint for each in source.reported if not each.warning] == ["it has MAP01, MAP02"]


def test_names_are_announced_where_options_say_them() -> None:
    options = RULE.options(maps=("MAP01", "MAP02"), layout="map", folder="levels")
    assert RULE.products("x", options) == ("levels/MAP01", "levels/MAP02")
    assert RULE.products("x", RULE.options()) is None
    assert RULE.products("x", RULE.options(maps=("MAP01",))) is None


def test_a_text_is_a_map_called_by_its_file_or_by_the_options() -> None:
    source, products = cook(TEXT, "levels/inn.udmf", fail="never")
    assert [product.name for product in products] == ["maps/INN/TEXTMAP"]
    assert products[0].data == TEXT
    assert [product.name for product in cook(TEXT, "levels/inn.udmf", fail="never", maps=("MAP07",))[1]] == [
        "maps/MAP07/TEXTMAP"
    ]
    assert source.asked == []


def test_damage_of_a_text_has_its_line() -> None:
    source, _ = cook(b'namespace = "doom";\n\nthing { x = ; }\n', "inn.udmf")
    (found,) = [each for each in source.reported if "[textmap-syntax]" in each.message]
    assert (found.line, found.warning) == (3, False)


def test_errors_fail_warnings_warn_and_infos_are_silent() -> None:
    bad = with_line((0, 0, 1, 0, 0, 0, 0xFFFF))
    source, products = cook(a_wad(MAP01=bad))
    (message,) = [each for each in source.errors if "[line-zero-length]" in each]
    assert message.startswith("MAP01: line 0 ")
    assert ", at (0, 256) [" in message
    assert products
    assert cook(a_wad(MAP01=bad), fail="never")[0].errors == []
    odd = with_line((*doom_map.LINES[0][:3], 60, *doom_map.LINES[0][4:]))  # a special that needs a tag
    source, _ = cook(a_wad(MAP01=odd))
    assert source.errors == []
    assert any("[tag-missing]" in each for each in source.warnings)
    source, _ = cook(a_wad(MAP01=odd), fail="warning")
    assert any("[tag-missing]" in each for each in source.errors)
    assert len(cook(a_wad(MAP01=odd), fail="info")[0].errors) >= len(source.errors)


def test_a_finding_is_ignored_with_a_reason() -> None:
    bad = a_wad(MAP01=with_line((0, 0, 1, 0, 0, 0, 0xFFFF)), MAP02=SMALL)
    wanted = Ignored("line-zero-length", "a camera needs it", 0.0, 256.0, "MAP01")
    closed = Ignored("sector-unclosed", "the line is gone")
    source, _ = cook(bad, ignore=(wanted, closed))
    assert not any("line-zero-length" in each for each in source.errors)
    source, _ = cook(a_wad(MAP01=SMALL), ignore=(wanted,))
    assert any("[ignore-unused]" in each for each in source.warnings)


def test_textures_are_looked_up_in_base_archives_through_the_source() -> None:
    source, _ = cook(a_wad(MAP01=SMALL), base=("iwad/base.wad",), files={"iwad/base.wad": BASE})
    assert source.asked == ["exists levels/castle.fingerprints", "read iwad/base.wad"]
    assert source.errors == []
    other = plain.wad([(b"F_START", b""), (b"F_END", b"")])
    source, _ = cook(a_wad(MAP01=SMALL), base=("iwad/base.wad",), files={"iwad/base.wad": other})
    assert any("[flat-unknown]" in each for each in source.errors)
    source, _ = cook(a_wad(MAP01=SMALL), base=("iwad/base.wad",), files={"iwad/base.wad": b"?"})
    assert any("`base` names iwad/base.wad, which cannot be read" in each for each in source.errors)
    with pytest.raises(ProblemsError):
        cook(a_wad(MAP01=SMALL), base=("iwad/base.wad",))


def test_what_a_map_lacks_is_made() -> None:
    """A map with only the five edited lumps is a map without nodes."""
    source, products = cook(a_wad(MAP01=doom_map.EDITED))
    assert source.errors == []
    made = by_name(products)
    assert list(made) == [f"maps/MAP01/{name}" for name in doom_map.ORDER if name in SMALL]
    assert len(made["maps/MAP01/SSECTORS"]) == 8
    assert len(made["maps/MAP01/REJECT"]) == 1
    assert made["maps/MAP01/BLOCKMAP"]


def test_nodes_that_are_right_are_kept_unless_they_are_to_be_built() -> None:
    assert by_name(cook(a_wad(MAP01=SMALL))[1])["maps/MAP01/NODES"] == SMALL["NODES"]
    built = by_name(cook(a_wad(MAP01=SMALL), nodes="build", extended="always")[1])
    assert built["maps/MAP01/NODES"][:4] == b"XNOD"
    assert built["maps/MAP01/SEGS"] == b""
    none = by_name(cook(a_wad(MAP01=SMALL), nodes="none", blockmap="none", reject="none")[1])
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
    source = ToolSource("levels/castle.wad", a_wad(MAP01=lumps))
    options = RULE.options(nodes="zdbsp", extended=extended, tool="builder", args=("-p", "32"), fail="never")
    products = by_name(list(RULE.cook([source], options)))
    assert source.errors == []
    assert source.asked[1].startswith("run builder ")
    assert source.asked[1].endswith("-p 32 -o lumpyard-map/out.wad lumpyard-map/in.wad")
    assert products[f"maps/MAP01/{lump}"].startswith(start)


def test_zdbsp_is_not_given_what_it_would_crash_on() -> None:
    source, _ = cook(a_wad(MAP01=with_line((60000, 0, 1, 0, 0, 0, 0xFFFF))), nodes="zdbsp")
    assert any("[zdbsp-map]" in each for each in source.errors)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "neither a WAD nor the text of a UDMF map: "),
        (b"\x89PNG", "neither a WAD nor the text of a UDMF map: "),
        (plain.wad([(b"TITLEPIC", b"x")]), "there are no maps in it"),
        (a_wad(MAP01=SMALL) + b"", ""),
    ],
)
def test_what_is_no_map_is_one_clear_error(data: bytes, message: str) -> None:
    source, products = cook(data)
    assert all(each.startswith(message) for each in source.errors)
    assert bool(products) is not bool(source.errors)


@pytest.mark.parametrize("name", ["\x1b[1m", "A/B", "..", "\udcff", "A\\B"])
def test_names_that_no_lump_can_have_are_refused(name: str) -> None:
    raw = plain.wad(
        [
            (name.encode("utf-8", "surrogateescape"), b""),
            *((lump.encode(), data) for lump, data in SMALL.items()),
        ]
    )
    source, products = cook(raw)
    assert products == []
    assert any("of which no lump's name can be made" in each for each in source.errors)


def test_a_long_name_is_no_maps_in_a_wad() -> None:
    source, products = cook(TEXT, "a-long-name.udmf", layout="map", fail="never")
    assert products == []
    assert any("longer than the 8 characters" in each for each in source.errors)


def test_two_maps_of_one_name_are_an_error() -> None:
    raw = plain.wad([*wad.lumps(a_wad(MAP01=SMALL)), *wad.lumps(a_wad(MAP01=SMALL))])
    assert any("[map-repeated]" in each for each in cook(raw)[0].errors)
    source, _ = cook(raw, ignore=(Ignored("map-repeated", "the first is left over"),))
    assert source.errors == []


def test_one_file_at_a_time() -> None:
    sources = [FakeSource("a.wad", a_wad(MAP01=SMALL)), FakeSource("b.wad", a_wad(MAP02=SMALL))]
    list(RULE.cook(sources, RULE.options()))
    assert "this rule takes one file" in sources[1].errors[0]


def options_of(text: str) -> object:
    node, _ = parse_yaml("assets.yaml", text)
    return read_options(node, RULE.options, "assets.yaml")


def test_options_are_read_from_a_manifest() -> None:
    options: Any = options_of(
        "{ignore: [{id: line-zero-length, x: 64, y: -32, why: a camera}], maps: MAP01, game: doom2, things: [5000]}"
    )
    assert options.ignore == (Ignored("line-zero-length", "a camera", 64.0, -32.0),)
    assert (options.maps, options.game, options.things) == (("MAP01",), "doom2", (5000,))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{ignore: [{id: line-zero, why: a}]}", "`ignore` names 'line-zero', which is no check's id"),
        ("{ignore: [{id: line-zero-length, why: a, x: 1}]}", "needs both x and y, or neither"),
        ("{ignore: [{id: line-zero-length, why: ' '}]}", "says no reason in `why`"),
        ("{folder: ../x}", "`folder` '../x' is no plain relative path"),
        ("{folder: /x}", "`folder` '/x' is no plain relative path"),
        ("{timeout: 0}", "`timeout` is more than 0"),
        ("{args: -p}", "`args` are for `nodes: zdbsp`"),
    ],
)
def test_options_that_make_no_sense_say_why(text: str, message: str) -> None:
    with pytest.raises(ProblemsError) as caught:
        options_of(text)
    assert message in str(caught.value)


WHOLE = a_wad(MAP01=SMALL)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, len(WHOLE) - 1), st.integers(1, 255), st.sampled_from(["keep", "build", "none"]))
def test_every_flipped_byte_is_an_answer(at: int, by: int, nodes: str) -> None:
    data = bytearray(WHOLE)
    data[at] ^= by
    cook(bytes(data), nodes=nodes)


def test_every_truncation_is_an_answer() -> None:
    for end in range(0, len(WHOLE), 7):
        source, _ = cook(WHOLE[:end])
        assert source.errors


def test_nodes_that_are_too_many_for_the_first_engines_have_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    """ "Overflow: switch to XNOD only when the port allows, else error"."""
    problem = BuildProblem("nodes-too-many-segs", "segs: 40000, at most 32767 are possible")
    monkeypatch.setattr(making, "build_map", lambda *_: Built(SMALL, problems=[problem]))
    source, _ = cook(a_wad(MAP01=SMALL))
    (found,) = [each for each in source.reported if "segs" in each.message]
    assert found.message == "MAP01: segs: 40000, at most 32767 are possible [nodes-too-many-segs]"
    assert found.hint.startswith("`extended: auto` makes ")


def sound() -> dict[str, bytes]:
    """The small map with all that is built for it."""
    level = read_lumps("MAP01", doom_map.DOOM)
    return dict(build_map(level, BuildOptions("build", "never", "build", "islands")).lumps)


def recorded(lumps: Mapping[str, bytes]) -> bytes:
    return render({"MAP01": [record(read_lumps("MAP01", lumps))]}).encode()


def test_what_is_built_is_kept_while_the_fingerprint_is_the_recorded_one() -> None:
    """ "Keep is right only while the map's fingerprint (coordinates and contents, no numbering) is unchanged" """
    lumps = {**sound(), "REJECT": b"\x0f"}  # which hides all from all: monsters are to be blind
    files = {"levels/castle.fingerprints": recorded(lumps)}
    ignore = (Ignored("reject-hides", "blind"), Ignored("teleport-without-destination", "it is small"))
    source, products = cook(a_wad(MAP01=lumps), files=files, ignore=ignore)
    assert (source.errors, source.warnings) == ([], [])
    assert {name: by_name(products)[f"maps/MAP01/{name}"] for name in lumps} == lumps
    things = doom_map.table("THINGS", [*doom_map.THINGS, (100, 100, 0, 2011, 7)])
    source, products = cook(a_wad(MAP01={**lumps, "THINGS": things}), files=files)
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
    source, products = cook(a_wad(MAP01=lumps), files=files)
    assert any("[record-missing]" in each for each in source.warnings)
    assert by_name(products)["maps/MAP01/REJECT"] == b"\0"
    source, _ = cook(a_wad(MAP01=lumps), files=files, nodes="build", blockmap="build", reject="islands")
    assert not any("record" in each for each in source.warnings)  # nothing is to be kept


def test_a_broken_file_of_fingerprints_is_an_error_with_its_line() -> None:
    source, _ = cook(
        a_wad(MAP01=sound()), files={"levels/castle.fingerprints": b"lumpyard fingerprints 1\nx\n"}
    )
    assert source.errors == [
        "levels/castle.fingerprints: line 2 is 'x', not two digests of 64 digits and a map's name"
    ]
    assert source.warnings == cook(a_wad(MAP01=sound()))[0].warnings  # nothing is said of what is recorded
    assert [each.hint for each in source.reported if not each.warning] == [
        "`lumpyard map levels/castle.wad --record` writes it anew"
    ]


def test_a_file_of_fingerprints_that_a_set_takes_for_a_map_says_how_to_leave_it_out() -> None:
    source, products = cook(render({}).encode(), "levels/castle.fingerprints")
    assert products == []
    (problem,) = source.reported
    assert problem.hint == "a set's `files` leave such out by `!**/*.fingerprints`"


def test_a_reject_of_another_map_is_replaced_and_told_without_any_record() -> None:
    source, products = cook(a_wad(MAP01={**sound(), "REJECT": b"\x06"}))
    assert source.errors == []
    assert any("[reject-stale]" in each for each in source.warnings)
    assert by_name(products)["maps/MAP01/REJECT"] == b"\0"


def test_what_a_build_says_of_reject_is_ignored_and_fails_as_other_findings_do() -> None:
    stale = a_wad(MAP01={**sound(), "REJECT": b"\x06"})
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
    source, _ = cook(a_wad(MAP01=sound()), ignore=(*of_map, elsewhere))
    assert source.warnings == [
        (
            "nothing to ignore: no reject-stale is found there (the editor numbers sectors anew), "
            "at (1, 2) [ignore-unused]"
        )
    ]


def test_a_reject_that_is_wrong_or_unfinished_says_what_to_do() -> None:
    source, _ = cook(a_wad(MAP01={**sound(), "REJECT": b"\x06"}))
    hints = [each.hint for each in source.reported if "[reject-stale]" in each.message]
    assert hints == ["what is meant to be so is recorded by `lumpyard map FILE --record`"]


def test_an_ignore_by_id_alone_is_for_all_maps_and_never_told() -> None:
    bad = a_wad(MAP01=with_line((0, 0, 1, 0, 0, 0, 0xFFFF)), MAP02=SMALL, MAP03=SMALL)
    of_all = tuple(
        Ignored(id_, "it is small") for id_ in ("teleport-without-destination", "line-zero-length")
    )
    of_one = Ignored("sector-unclosed", "it has no length", map="map01")
    source, _ = cook(bad, ignore=(*of_all, of_one))
    assert (source.errors, source.warnings) == ([], [])


def test_what_is_wrong_with_a_lump_that_is_made_anew_fails_nothing() -> None:
    """Nodes and a BLOCKMAP of an earlier save are no mistake of the map's."""
    stale = {**sound(), "BLOCKMAP": sound()["BLOCKMAP"][:-2], "NODES": bytes(28)}
    source, products = cook(a_wad(MAP01=stale))
    assert source.errors == []
    assert by_name(products)["maps/MAP01/BLOCKMAP"] == sound()["BLOCKMAP"]
    source, _ = cook(a_wad(MAP01=stale), fail="info", ignore=(), nodes="build")
    assert not any("[blockmap-unended]" in each or "[node-tree]" in each for each in source.errors)
