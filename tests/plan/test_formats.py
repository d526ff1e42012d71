"""Plans of archives that are no EWADs: order is data, names must fit, some have type bytes (design.md, section 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.builders.manifests import a_manifest, a_set, a_table, an_archive, override
from tests.builders.plans import a_plan, problems_of, warnings_of
from tests.builders.tree import MemoryTree

from lumpyard.manifest.formats import FORMATS
from lumpyard.manifest.model import AUTO, Compression
from lumpyard.plan import plan_all
from lumpyard.plan.formats import repeated
from lumpyard.plan.model import Encoding
from lumpyard_rules.archive import RULE as ARCHIVE

if TYPE_CHECKING:
    from lumpyard.manifest.model import LumpSet, Manifest

OTHERS = [name for name, target in FORMATS.items() if not target.holds_all]


def an_archive_of(form: str, *sets: LumpSet, order: tuple[str, ...] = ()) -> Manifest:
    """A manifest with one archive of a format, whose sets are listed in an order of their own."""
    listed = order or tuple(one.id for one in sets)
    return a_manifest(*sets, an_archive("base", *listed, format=form, alignment=1, strip=False))


@pytest.mark.parametrize("form", OTHERS)
def test_lumps_stand_in_the_order_of_sets_then_patterns_then_bytes(form: str) -> None:
    tree = MemoryTree("b/2", "b/1", "a/9", "a/B", "a/a", "z")
    manifest = an_archive_of(
        form, a_set("one", ["b/*", "a/*"], name="{stem}"), a_set("two", "z"), order=("two", "one")
    )
    assert [lump.name for lump in a_plan(manifest, tree).lumps] == ["z", "1", "2", "9", "B", "a"]


def test_in_an_ewad_lumps_are_sorted_as_ever() -> None:
    tree = MemoryTree("b/2", "a/9")
    manifest = a_manifest(a_set("one", ["b/*", "a/*"], name="{stem}"))
    assert [lump.name for lump in a_plan(manifest, tree).lumps] == ["2", "9"]


def test_a_file_that_two_patterns_match_stands_where_the_first_puts_it() -> None:
    tree = MemoryTree("a", "b", "c")
    manifest = an_archive_of("PWAD", a_set("one", ["c", "*", "!b"]))
    assert [lump.name for lump in a_plan(manifest, tree).lumps] == ["c", "a"]


def test_an_override_does_not_move_a_lump() -> None:
    tree = MemoryTree("a", "b", "c")
    manifest = an_archive_of(
        "PAK", a_set("one", "*", overrides=[override("b", 50, compress=Compression("none"))])
    )
    assert [lump.name for lump in a_plan(manifest, tree).lumps] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("form", "compress", "encoding"),
    [
        ("PAK", None, Encoding("none")),
        ("PAK", AUTO, Encoding("none")),
        ("WAD3", Compression("none"), Encoding("none")),
        ("DAIKATANA", None, Encoding("daikatana")),
        ("DAIKATANA", Compression("none"), Encoding("none")),
    ],
)
def test_auto_is_what_the_format_has(form: str, compress: Compression | None, encoding: Encoding) -> None:
    manifest = an_archive_of(form, a_set("one", compress=compress))
    manifest = manifest._replace(ship_compress=Compression("lz4hc", 9))
    (lump,) = a_plan(manifest, MemoryTree("A.TGA")).lumps
    assert lump.recipe.encoding == encoding


def test_every_name_that_does_not_fit_is_told_with_what_to_do() -> None:
    tree = MemoryTree("gfx/logo.png", "ABCDEFGH", "ABCDEFGHI", "A.TOOLONG")
    manifest = an_archive_of("PWAD", a_set("one", "**"))
    errors = [text for text in problems_of(manifest, tree) if " error" in text]
    start = "assets.yaml:10:3: error[E0225]: lump name"
    assert [error.removeprefix(start) for error in errors] == [
        f" '{name}' of {name} doesn't fit PWAD: its name has {len(name)} bytes; the most is 8 ({hint})"
        for name, hint in (
            ("A.TOOLONG", '`name: "{stem}"` leaves the suffix out'),
            ("ABCDEFGHI", "give the file a shorter name"),
            ("gfx/logo.png", '`name: "{stem}"` takes the file\'s name alone, without folder and suffix'),
        )
    ]


def test_where_the_set_has_a_name_that_is_the_place() -> None:
    manifest = an_archive_of("WAD2", a_set("one", "**", name="{path}-sixteen-bytes"))
    (error,) = problems_of(manifest, MemoryTree("ab"))
    assert error.startswith(
        "assets.yaml:18:12: error[E0225]: lump name 'ab-sixteen-bytes' of ab doesn't fit WAD2: "
    )


def test_names_of_wads_are_no_paths_and_those_of_paks_are() -> None:
    tree = MemoryTree("A\\B")
    assert [lump.name for lump in a_plan(an_archive_of("PWAD", a_set("one", "**")), tree).lumps] == ["A\\B"]
    (error,) = problems_of(an_archive_of("PAK", a_set("one", "**")), tree)
    assert "E0222" in error


def test_lower_case_in_a_wad_is_a_warning_and_capitals_are_easily_had() -> None:
    tree = MemoryTree("title.lmp")
    (warning,) = warnings_of(an_archive_of("IWAD", a_set("one", "*", name="{stem}")), tree)
    assert warning.startswith(
        "assets.yaml:18:12: warning[W0207]: lump name 'title' of title.lmp is odd in IWAD: "
    )
    assert warning.endswith('(`name: "{STEM}"` has the file\'s name in capitals)')
    plan = a_plan(an_archive_of("IWAD", a_set("one", "*", name="{STEM}")), tree)
    assert ([lump.name for lump in plan.lumps], plan.warnings) == (["TITLE"], ())


@pytest.mark.parametrize("form", ["WAD2", "WAD3"])
def test_a_kind_is_the_overrides_then_the_sets_then_the_sources_then_0(form: str) -> None:
    tree = MemoryTree("a", "b", "in.wad")
    tree.archives = {"in.wad": {"X": 0x44, "Y": 0x40}}
    table = a_table(ARCHIVE)
    sets = [
        a_set("set", "a", kind=7, overrides=[override("a", 50, kind=8)]),
        a_set("plain", "b"),
        a_set("taken", "in.wad", rule="archive"),
    ]
    assert {lump.name: lump.kind for lump in a_plan(an_archive_of(form, *sets), tree, table).lumps} == {
        "a": 8, "b": 0, "X": 0x44, "Y": 0x40,
    }  # fmt: skip
    given = a_set("taken", "in.wad", rule="archive", kind=3)
    assert [lump.kind for lump in a_plan(an_archive_of(form, given), tree, table).lumps] == [3, 3]


@pytest.mark.parametrize("form", FORMATS)
def test_names_repeat_where_all_that_is_alike_is_told(form: str) -> None:
    assert repeated(["A", "B", "C"], form) == []
    assert repeated(["A", "B", "A", "A"], form) == [(0, 2), (0, 3)]


MAP = ["THINGS", "LINEDEFS", "SIDEDEFS", "VERTEXES", "SECTORS"]


@pytest.mark.parametrize("form", ["IWAD", "PWAD"])
def test_what_maps_and_namespaces_keep_apart_may_repeat(form: str) -> None:
    names = ["MAP01", *MAP, "MAP02", *MAP, "F_START", "X", "F_END", "S_START", "X", "S_END", "X"]
    assert repeated(names, form) == []
    assert repeated([*names, "X"], form) == [(len(names) - 1, len(names))]
    assert repeated([*names, "MAP01", *MAP], form) == [(0, len(names))]
    blocks = ["F_START", "X", "F_END", "F_START", "Y", "F_END"]
    assert repeated(blocks, form) == []
    assert repeated(["X" if name == "Y" else name for name in blocks], form) == [(1, 4)]
    assert repeated(names, "WAD2") != []


def test_formats_of_one_manifest_do_not_mix() -> None:
    tree = MemoryTree("b", "a")
    manifest = a_manifest(
        a_set("s", ["b", "a"]),
        an_archive("wad", "s", format="PWAD", alignment=1),
        an_archive("ewad", "s"),
    )
    plans = plan_all(manifest, "ship", a_table(), tree)
    assert [[lump.name for lump in plan.lumps] for plan in plans] == [["b", "a"], ["a", "b"]]
