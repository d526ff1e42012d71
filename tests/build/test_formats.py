"""Archives of the old formats: laid out as the manifest says, built and rebuilt as an EWAD is (design.md, section 5).

The bytes that are expected come from tests/builders/plain.py.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.builders import plain
from tests.builders.daikatana import decode
from tests.builders.documents import told_of
from tests.builders.projects import Game, Ran, clean_build
from tests.builders.wad import lumps
from xxhash import xxh64_intdigest

from lumpyard.archives.daikatana.encoder import VERSION, encode
from lumpyard.build.release.verifying import verify_built
from lumpyard.errors import CookError, ProblemsError
from lumpyard.ledger import parse_ledger

if TYPE_CHECKING:
    from collections.abc import Callable


WRITERS: dict[str, Callable[[list[tuple[bytes, bytes]]], bytes]] = {
    "IWAD": lambda found: plain.wad(found, b"IWAD"),
    "PWAD": plain.wad,
    "PACK": lambda found: plain.wad(found, b"PACK"),
    "WAD2": lambda found: plain.wad2(found, b"WAD2", 0),
    "WAD3": lambda found: plain.wad2(found, b"WAD3", 0),
    "PAK": plain.pak,
    "DAIKATANA": lambda found: plain.daikatana([(*lump, None) for lump in found]),
}
FORMATS = sorted(WRITERS)
SUFFIXES = {"PACK": "pak", "PAK": "pak", "DAIKATANA": "pak"}
FILES = {
    "b/Z": b"zed " * 300,
    "b/M.lmp": b"",
    "a/B.lmp": b"bee",
    "a/A.lmp": b"ay" * 100,
    "c/S_END": b"",
}
MANIFEST: dict[str, Any] = {
    "sets": {
        "one": {"files": ["b/*", "a/*"], "name": "{stem}"},
        "two": {"files": "c/*", "name": "{path}"},
    },
    "archives": {"base": {"sets": ["two", "one"], "format": "PWAD"}},
}
LUMPS = [  # sets as the archive lists them, then patterns, then bytes of the paths
    (b"c/S_END", b""),
    (b"M", b""),
    (b"Z", b"zed " * 300),
    (b"A", b"ay" * 100),
    (b"B", b"bee"),
]


def a_manifest(form: str, **sets: dict[str, Any]) -> dict[str, Any]:
    manifest = json.loads(json.dumps(MANIFEST))
    manifest["archives"]["base"]["format"] = form
    if sets:
        manifest["sets"] = sets
        manifest["archives"]["base"]["sets"] = list(sets)
    return dict(manifest)


def a_game(folder: Path, form: str, **sets: dict[str, Any]) -> Game:
    game = Game(folder, a_manifest(form, **sets))
    game.write(FILES)
    return game


def built(game: Game, form: str, folder: str = "dist") -> bytes:
    return game.read(f"{folder}/base.{SUFFIXES.get(form, 'wad')}")


def problems_of(game: Game) -> list[str]:
    """Code and message of all that is wrong."""
    with pytest.raises(ProblemsError) as caught:
        game.ship()
    return [f"{problem.code} {problem.message}" for problem in caught.value.problems if problem.is_error]


@pytest.mark.parametrize("form", FORMATS)
def test_an_archive_is_laid_out_by_its_format_in_the_manifests_order(tmp_path: Path, form: str) -> None:
    game = a_game(tmp_path / "game", form)
    game.ship()
    game.pack()
    assert built(game, form) == WRITERS[form](LUMPS)
    assert built(game, form, "build") == WRITERS[form](LUMPS)
    assert (game.ship(), game.pack()) == (Ran(), Ran())
    assert verify_built(game.open(), "base")[1] == []


@pytest.mark.parametrize("form", ["PWAD", "WAD3", "DAIKATANA"])
@pytest.mark.parametrize("workers", ["serial", "threads:3", "fork:3"])
def test_workers_of_any_kind_write_the_same_bytes(tmp_path: Path, form: str, workers: str) -> None:
    files = {f"x/{number}.lmp": bytes([number]) * (number * 40_000) for number in range(40)}
    game = Game(tmp_path / "game", a_manifest(form, one={"files": "x/*", "name": "{stem}", "rule": "raw"}))
    game.write(files)
    game.ship(LUMPYARD_WORKERS=workers)
    names = sorted(files, key=lambda path: path.encode())
    assert built(game, form) == WRITERS[form]([(name[2:-4].encode(), files[name]) for name in names])


@pytest.mark.parametrize("form", FORMATS)
def test_after_an_edit_the_bytes_are_those_of_a_clean_build(tmp_path: Path, form: str) -> None:
    game = a_game(tmp_path / "game", form)
    game.ship()
    game.write({"a/B.lmp": b"another bee"})
    ran = game.ship()
    assert (ran.reasons, ran.copied) == (("B changed",), 4)
    assert game.outputs() == clean_build(game.folder, tmp_path / "clean", "ship:base")
    assert game.ship() == Ran()


@pytest.mark.parametrize("form", FORMATS)
def test_a_damaged_archive_is_built_anew(tmp_path: Path, form: str) -> None:
    game = a_game(tmp_path / "game", form)
    game.ship()
    good = built(game, form)
    path = f"dist/base.{SUFFIXES.get(form, 'wad')}"
    for place in (3, 5, 13, len(good) - 1):
        game.write({path: good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :]})
        ran = game.ship()
        assert ran.reasons == (f"{path} was damaged, or changed by something else",)
        assert built(game, form) == good
    game.write({path: good})  # a new stat alone is no damage
    assert game.ship() == Ran()
    game.write({path: good[:-1]})
    assert game.ship().changed
    assert built(game, form) == good


def test_order_is_data_so_another_order_of_sets_is_another_archive(tmp_path: Path) -> None:
    game = a_game(tmp_path / "game", "PWAD")
    game.ship()
    manifest = a_manifest("PWAD")
    manifest["archives"]["base"]["sets"] = ["one", "two"]
    game.set_manifest(manifest)
    assert game.ship().changed
    assert built(game, "PWAD") == plain.wad([*LUMPS[1:], LUMPS[0]])


def test_an_archive_may_change_its_format_to_and_fro(tmp_path: Path) -> None:
    game = a_game(tmp_path / "game", "PWAD")
    for form in ("PWAD", "WAD2", "EWAD", "PAK", "DAIKATANA", "EWAD", "PWAD"):
        manifest = a_manifest(form)
        manifest["archives"]["base"]["path"] = "base.dat"
        game.set_manifest(manifest)
        assert game.ship().changed
        clean = clean_build(game.folder, tmp_path / f"clean {form}", "ship:base")
        assert game.read("dist/base.dat") == clean["dist/base.dat"]


def test_the_archive_hash_is_that_of_the_whole_file_and_symbols_name_every_lump(tmp_path: Path) -> None:
    game = a_game(tmp_path / "game", "PAK")
    game.ship()
    game.pack()
    whole = f"{xxh64_intdigest(built(game, 'PAK')):016x}"
    (info,) = json.loads(game.read("build/archives.json"))
    block = json.loads(game.read("archives.lock"))["archives"]["base"]
    ledger = parse_ledger(game.read("symbols/base.ewsym"))
    assert (info["archive_hash"], block["archive_hash"], ledger.header["archive-hash"]) == (whole,) * 3
    assert (info["format"], block["format"], ledger.header["format"]) == ("PAK",) * 3
    assert not info.keys() & {"seed", "alignment", "stripped"}
    assert (block["seed"], block["alignment"]) == (0, 1)
    assert [lump.name.encode() for lump in ledger.lumps] == [name for name, _ in LUMPS]
    assert [lump.key for lump in ledger.lumps] == [xxh64_intdigest(name) for name, _ in LUMPS]
    ewad = a_game(tmp_path / "ewad", "EWAD")
    ewad.ship()
    assert json.loads(ewad.read("archives.lock"))["archives"]["base"]["content_id"] == block["content_id"]


def test_all_names_that_do_not_fit_are_told_at_once_before_anything_is_read(tmp_path: Path) -> None:
    game = Game(tmp_path / "game", a_manifest("PWAD", one={"files": "x/*"}))
    game.write({"x/LONG.lmp": b"", "x/LONGER.lmp": b"", "x/A": b""})
    with pytest.raises(ProblemsError) as caught:
        game.ship()
    assert [(problem.message, problem.hint) for problem in caught.value.problems if problem.is_error] == [
        (
            f"lump name '{name}' of {name} doesn't fit PWAD: its name has {len(name)} bytes; the most is 8",
            '`name: "{stem}"` takes the file\'s name alone, without folder and suffix',
        )
        for name in ("x/LONG.lmp", "x/LONGER.lmp")
    ]


@pytest.mark.parametrize(("form", "most"), [("WAD2", 15), ("WAD3", 15), ("PAK", 55), ("DAIKATANA", 55)])
def test_the_longest_name_fits_and_one_byte_more_does_not(tmp_path: Path, form: str, most: int) -> None:
    game = Game(tmp_path / "game", a_manifest(form, one={"files": "*.q", "name": "{stem}"}))
    game.write({f"{'N' * most}.q": b"1"})
    game.ship()
    game.write({f"{'M' * (most + 1)}.q": b"1"})
    (problem,) = problems_of(game)
    assert problem.startswith("E0225")
    assert f"{most + 1} bytes" in problem


def test_a_name_twice_is_an_error_with_both_sources(tmp_path: Path) -> None:
    for form in FORMATS:
        game = Game(tmp_path / form, a_manifest(form, one={"files": "*/X", "name": "{stem}"}))
        game.write({"a/X": b"1", "b/X": b"2"})
        assert problems_of(game) == [
            "E0223 two sources for lump 'X': a/X and b/X, both of set 'one' (assets.yaml:4:3)"
        ]


MAP = ["THINGS", "LINEDEFS", "SIDEDEFS", "VERTEXES", "SECTORS"]


def test_lumps_of_two_maps_and_of_two_namespaces_may_share_their_names(tmp_path: Path) -> None:
    names = ["MAP01", *MAP, "MAP02", *MAP, "S_START", "SAME", "S_END", "F_START", "SAME", "F_END", "SAME"]
    files = {f"all/{number:02}/{name}": name.encode() for number, name in enumerate(names)}
    game = Game(tmp_path / "game", a_manifest("PWAD", one={"files": "all/**", "name": "{stem}"}))
    game.write(files)
    game.ship()
    assert built(game, "PWAD") == plain.wad([(name.encode(), name.encode()) for name in names])
    game.write({"all/07/THINGS": b"other things"})
    assert game.ship().reasons == ("THINGS (2) changed",)
    assert game.outputs() == clean_build(game.folder, tmp_path / "clean", "ship:base")
    game.write({"all/30/MAP01": b""})
    assert problems_of(game) == [
        "E0223 two sources for lump 'MAP01': all/00/MAP01 and all/30/MAP01, both of set 'one' (assets.yaml:4:3)"
    ]


@pytest.mark.parametrize("form", ["WAD2", "WAD3"])
def test_the_type_byte_is_the_sets_kind(tmp_path: Path, form: str) -> None:
    sets: dict[str, dict[str, Any]] = {
        "one": {"files": "a/*", "name": "{stem}", "kind": 0x42},
        "two": {"files": "b/*", "name": "{stem}", "overrides": [{"match": "b/Z", "kind": 67}]},
    }
    game = a_game(tmp_path / "game", form, **sets)
    game.ship()
    data = built(game, form)
    start = int.from_bytes(data[8:12], "little")
    assert [data[at + 12] for at in range(start, len(data), 32)] == [0x42, 0x42, 0, 67]
    sets["one"]["kind"] = 0x43
    game.set_manifest(a_manifest(form, **sets))
    assert game.ship().changed
    assert game.outputs() == clean_build(game.folder, tmp_path / "clean", "ship:base")


def test_daikatana_compresses_the_files_that_the_game_reads_so_and_only_where_it_saves(
    tmp_path: Path,
) -> None:
    sets: dict[str, dict[str, Any]] = {"one": {"files": "x/*", "rule": "raw"}}
    game = Game(tmp_path / "game", a_manifest("DAIKATANA", **sets))
    noise = bytes(range(256))
    game.write({"x/a.TGA": bytes(900), "x/b.bsp": noise, "x/c.wav": bytes(900), "x/d.wal": b""})
    ran = game.ship()
    assert (ran.cooked, ran.encoded) == (0, 2)
    data = built(game, "DAIKATANA")
    start, size = int.from_bytes(data[4:8], "little"), int.from_bytes(data[8:12], "little")
    stored = data[12 : start - 256 - 900]
    assert decode(stored)[0] == bytes(900)
    wanted: list[tuple[bytes, bytes, int | None]] = [
        (b"x/a.TGA", stored, 900),
        (b"x/b.bsp", noise, None),
        (b"x/c.wav", bytes(900), None),
        (b"x/d.wal", b"", None),
    ]
    assert (data, size) == (plain.daikatana(wanted), 4 * 72)
    game.write({"x/c.wav": b"other"})
    assert game.ship().work == (0, 0)
    game.set_manifest(a_manifest("DAIKATANA", one={**sets["one"], "compress": "none"}))
    game.ship()
    raw = [(b"x/a.TGA", bytes(900), None), wanted[1], (b"x/c.wav", b"other", None), wanted[3]]
    assert built(game, "DAIKATANA") == plain.daikatana(raw)
    game.set_manifest(a_manifest("DAIKATANA", **sets))
    assert game.ship().work == (
        0,
        0,
    )  # what the codec made is in the store, and that it made nothing of the noise


def test_what_daikatana_s_encoder_makes_is_what_builds_have_kept() -> None:
    """Raise `VERSION` in archives/daikatana/encoder.py when this changes, or builds keep the old bytes."""
    text = b"".join(bytes([number % 7, 0, 0]) * (number % 50) + b"%d" % number for number in range(3000))
    assert (VERSION, f"{xxh64_intdigest(encode(text)):016x}") == (1, "ac22e8b60dadd43d")


def test_ship_compress_is_for_ewads(tmp_path: Path) -> None:
    manifest = {**a_manifest("PWAD"), "ship": {"compress": "lz4hc"}}
    game = Game(tmp_path / "game", manifest)
    game.write(FILES)
    game.ship()
    assert built(game, "PWAD") == plain.wad(LUMPS)


def test_an_archive_that_turns_out_too_large_is_never_finished(tmp_path: Path) -> None:
    game = Game(tmp_path / "game", a_manifest("PAK", one={"files": "*.big"}))
    game.write({"a.big": b"", "b.big": b""})
    for name in ("a.big", "b.big"):
        with (game.folder / name).open("r+b") as file:
            file.truncate(1 << 30)
    with pytest.raises(CookError, match="archive base can't be PAK") as caught:
        game.ship()
    assert [problem.code for problem in caught.value.problems] == ["E0613"]
    assert not (game.folder / "dist/base.pak").exists()


def test_a_manifest_may_say_compress_auto_or_none_for_any_format() -> None:
    for compress in ("auto", "none"):
        sets = f"sets: {{a: {{files: b, compress: {compress}}}}}"
        assert (
            told_of({"assets.yaml": f"version: 1\n{sets}\narchives: {{x: {{sets: a, format: PAK}}}}\n"}) == []
        )


def test_the_recipe_of_a_pwad_makes_one(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs/recipes.md").read_text("utf-8")
    recipe = page.split("## A PWAD with maps")[1].split("\n## ")[0]
    paths, manifest = re.findall(r"```\w*\n(.*?)```", recipe, re.DOTALL)
    files = {path: b"" if "markers" in path else path.encode() for path in paths.split()}
    for number in (1, 2):
        level = [(f"MAP0{number}".encode(), b""), *((name.encode(), name.encode() * number) for name in MAP)]
        files[f"maps/map0{number}.wad"] = plain.wad(level)
    game = Game(tmp_path / "game", manifest)
    game.write(files)
    assert game.ship(archive="mod").warnings == ()
    names = ["PLAYPAL", "MAP01", *MAP, "MAP02", *MAP, "S_START", "TROOA1", "TROOB1", "S_END"]
    assert [name.decode() for name, _ in lumps(game.read("dist/mod.wad"))] == names


SPLIT = """
from lumpyard.rule import Product, Rule

def cook(sources, options):
    return [Product(name.lower(), name=name.decode()) for name in sources[0].data.split()]

RULE = Rule(kind="split", version=1, cook=cook, products=lambda name, options: None)
"""


def test_names_that_are_known_after_cooking_must_fit_too(tmp_path: Path) -> None:
    sets = {"one": {"files": "*.split", "rule": "split"}}
    game = Game(tmp_path / "game", {**a_manifest("PWAD", **sets), "rules": ["tools/split.py"]})
    game.write({"tools/split.py": SPLIT, "b.split": b"Z A", "a.split": b"MAP01 THINGS LINEDEFS"})
    game.ship()
    names = [b"MAP01", b"THINGS", b"LINEDEFS", b"Z", b"A"]
    assert built(game, "PWAD") == plain.wad([(name, name.lower()) for name in names])
    assert game.ship() == Ran()
    game.write({"b.split": b"Z MAP02 THINGS LINEDEFS"})
    game.ship()
    assert lumps(built(game, "PWAD"))[-3:] == [
        (name, name.lower()) for name in (b"MAP02", b"THINGS", b"LINEDEFS")
    ]
    for text, code in ((b"TOO-LONG-BY-FAR", "E0613"), (b"Z Y Z", "E0612"), (b"MAP01", "E0612")):
        game.write({"b.split": text})
        with pytest.raises(ProblemsError) as caught:
            game.ship()
        assert [(problem.place.path, problem.code) for problem in caught.value.problems] == [
            ("b.split", code)
        ]
