"""Chunks that are taken whole from an earlier archive: whatever was edited, the bytes are those of a clean build.

Chunks are made tiny here, so that most of an archive is spliced and the rest is not.
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest
from tests.builders.projects import Game, Lump, clean_build, expected

from lumpyard.build.packing import job
from lumpyard.build.packing.splice import Splice

if TYPE_CHECKING:
    from pathlib import Path

WORDS = b"one word and another word and one word more, "
SETS: dict[str, dict[str, Any]] = {
    "art": {"files": "art/*", "type": "ARTS", "schema": 2},
    "raw": {"files": "raw/*", "compress": "none", "overrides": [{"match": "raw/1?", "compress": "lz4"}]},
    "text": {"files": "text/*.txt", "rule": "text"},
}
MANIFEST: dict[str, Any] = {"sets": SETS, "archives": {"base": {"sets": [*SETS], "alignment": 16}}}
FILES = {
    **{f"art/{number:02}": WORDS * number for number in range(20)},
    **{f"raw/{number:02}": bytes([number]) * (50 + number) for number in range(20)},
    **{f"text/{number:02}.txt": b"line\n" * number for number in range(5)},
}


@pytest.fixture(params=[1, 3])
def spliced(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many lumps each chunk had that was taken whole."""
    monkeypatch.setattr(job, "CHUNK_LUMPS", request.param)
    taken: list[int] = []
    take = Splice.take

    def spy(self: Splice, chunk: range) -> Any:
        found = take(self, chunk)
        taken.extend([len(chunk)] if found else [])
        return found

    monkeypatch.setattr(Splice, "take", spy)
    return taken


@pytest.fixture
def game(tmp_path: Path) -> Game:
    game = Game(tmp_path / "game", MANIFEST)
    game.write(FILES)
    game.run("pack:base", "ship:base")
    return game


def edits() -> dict[str, Any]:
    """What people do to a project, by what it is called."""

    def remove(game: Game) -> None:
        (game.folder / "art/07").unlink()

    def say(**changed: Any) -> Any:
        def change(game: Game) -> None:
            game.set_manifest({"sets": SETS, "archives": {"base": MANIFEST["archives"]["base"] | changed}})

        return change

    def say_of_art(**changed: Any) -> Any:
        def change(game: Game) -> None:
            sets = SETS | {"art": SETS["art"] | changed}
            game.set_manifest({**MANIFEST, "sets": sets})

        return change

    return {
        "a byte": lambda game: game.write({"art/05": b"x" + FILES["art/05"][1:]}),
        "a longer file": lambda game: game.write({"raw/05": b"longer by much" * 10}),
        "an empty file": lambda game: game.write({"raw/05": b""}),
        "a new file": lambda game: game.write({"raw/new": b"new"}),
        "a file less": remove,
        "a cooked file": lambda game: game.write({"text/03.txt": b"other\r\n"}),
        "two files swapped": lambda game: game.write({"raw/03": FILES["raw/04"], "raw/04": FILES["raw/03"]}),
        "a larger alignment": say(alignment=64),
        "a smaller alignment": say(alignment=1),
        "a huge alignment": say(alignment=1 << 17),
        "dedupe": say(dedupe=True),
        "a seed": lambda game: game.set_manifest({**MANIFEST, "seed": 7}),
        "a type": say_of_art(type="ART2"),
        "a schema": say_of_art(schema=3),
        "a codec": say_of_art(compress="lz4hc"),
        "a saving": say_of_art(compress={"codec": "lz4", "min_saving": "60%"}),
        "an alignment of a set": say_of_art(alignment=128),
        "an override": say_of_art(overrides=[{"match": "art/0*", "schema": 9}]),
    }


@pytest.mark.parametrize("what", edits())
def test_after_any_edit_the_bytes_are_those_of_a_clean_build(
    game: Game, spliced: list[int], what: str
) -> None:
    edits()[what](game)
    game.ship()
    assert shipped(game.outputs()) == clean_build(game.folder, game.folder.parent / "clean", "ship:base")
    if what in ("a byte", "a longer file", "an empty file", "a cooked file"):
        assert sum(spliced) >= 15, "most of what was not touched is taken whole"


@pytest.mark.parametrize("workers", ["fork:2", "threads:2"])
def test_whoever_works_the_bytes_are_the_same(game: Game, spliced: list[int], workers: str) -> None:
    edits()["a longer file"](game)
    game.ship(LUMPYARD_WORKERS=workers)
    assert shipped(game.outputs()) == clean_build(game.folder, game.folder.parent / "clean", "ship:base")
    assert workers.startswith("fork") or spliced  # what is taken in other processes is not seen here


def shipped(outputs: dict[str, bytes]) -> dict[str, bytes]:
    """Without what a development build wrote."""
    return {name: data for name, data in outputs.items() if not name.startswith("build/")}


def test_what_is_spliced_is_what_the_plain_writer_makes(game: Game, spliced: list[int]) -> None:
    """The bytes of a clean build come from the engine too; these do not."""
    game.set_manifest(
        {"sets": {"art": SETS["art"]}, "archives": {"base": {"sets": ["art"], "alignment": 16}}}
    )
    game.pack()
    game.write({"art/05": b"shorter"})
    game.pack()
    files = {name: data for name, data in FILES.items() if name.startswith("art/")} | {"art/05": b"shorter"}
    lumps = [Lump(name, data, fourcc="ARTS", schema=2) for name, data in files.items()]
    assert game.read("build/base.ewad") == expected(lumps, named=True)
    assert spliced


def test_a_damaged_old_archive_gives_nothing_away(game: Game, spliced: list[int]) -> None:
    """What was changed behind the build's back is not spliced: its times tell."""
    path = game.folder / "dist/base.ewad"
    data = bytearray(path.read_bytes())
    shutil.rmtree(game.folder / "build")  # the other place where the bytes would be
    for at in range(len(data) - 400, len(data), 40):
        data[at] ^= 1
    with path.open("r+b") as file:
        file.write(data)
    game.write({"art/05": b"other"})
    game.ship()
    assert shipped(game.outputs()) == clean_build(game.folder, game.folder.parent / "clean", "ship:base")
    assert not spliced
