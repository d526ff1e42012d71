"""After any edit the same bytes as a clean build, and only what the edit reaches is redone."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from tests.build.edits import (
    FILES,
    LOST,
    WORDS,
    flipped,
    in_place,
    manifest_with,
    relinked,
    removed,
    renamed,
    shipped_game,
    writes,
)
from tests.builders.ewad import field_of
from tests.builders.local_rules import SLOW, WORDING
from tests.builders.projects import Game, Ran, clean_build, leftovers, stored

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def game(tmp_path: Path) -> Game:
    """A project that has been shipped."""
    return shipped_game(tmp_path)


def says(path: str, value: Any) -> Callable[[Game], None]:
    """An edit of the manifest."""
    return lambda game: game.set_manifest(manifest_with(path, value))


def replaced(path: str, data: bytes) -> Callable[[Game], None]:
    """A file renamed over another, with its mtime, as `cp -p` or an unpacked archive leaves it."""

    def edit(game: Game) -> None:
        target = game.folder / path
        before = target.stat()
        new = target.with_name("new file")
        new.write_bytes(data)
        os.utime(new, ns=(before.st_atime_ns, before.st_mtime_ns))
        new.replace(target)

    return edit


def with_mtime(path: str, data: bytes, seconds: int) -> Callable[[Game], None]:
    """An edit whose mtime lies in the past or the future."""

    def edit(game: Game) -> None:
        game.write({path: data})
        os.utime(game.folder / path, (seconds, seconds))

    return edit


def damaged(raw: bytes) -> Callable[[Game], None]:
    """One byte of a lump's block turned over in the archive, given its raw bytes."""
    block = stored(raw, "lz4", 0, 0)[0]
    return lambda game: flipped("dist/base.ewad", game.read("dist/base.ewad").index(block))(game)


def stray(game: Game) -> None:
    """A byte of padding that is not zero; no hash covers it."""
    data = game.read("dist/base.ewad")
    flipped("dist/base.ewad", next(at for at in range(64, len(data)) if field_of(data, at) == "padding"))(
        game
    )


def edited(path: str, old: bytes, new: bytes) -> Callable[[Game], None]:
    def edit(game: Game) -> None:
        assert old in game.read(path)
        game.write({path: game.read(path).replace(old, new)})

    return edit


def resized(path: str, by: int) -> Callable[[Game], None]:
    """A file that is some bytes longer or shorter."""
    return lambda game: os.truncate(game.folder / path, len(game.read(path)) + by)


def cut(path: str, size: int) -> Callable[[Game], None]:
    return lambda game: os.truncate(game.folder / path, size)


class Case(NamedTuple):
    """An edit, and what must be redone: cooks and encodes. The reason contains `why`."""

    edit: Callable[[Game], None]
    work: tuple[int, int]
    why: str
    rewrites: bool = True  # whether the archive is written


CASES = {
    # sources
    "same size and mtime, other bytes": Case(
        in_place("art/a.bin", WORDS[::-1] * 3), (0, 1), "art/a.bin changed"
    ),
    "renamed over, same size and mtime": Case(
        replaced("art/a.bin", WORDS[::-1] * 3), (0, 1), "art/a.bin changed"
    ),
    "mtime of 1970": Case(with_mtime("art/a.bin", b"new" * 9, 0), (0, 1), "art/a.bin changed"),
    "mtime of 2037": Case(with_mtime("art/a.bin", b"new" * 9, 2_145_000_000), (0, 1), "art/a.bin changed"),
    "a verbatim file": Case(writes("art/a.bin", WORDS * 9), (0, 1), "art/a.bin changed"),
    "a file that becomes empty": Case(writes("art/a.bin", b""), (0, 0), "art/a.bin changed"),
    "an empty file that gets bytes": Case(writes("art/empty.bin", b"x"), (0, 1), "art/empty.bin changed"),
    "a file that becomes another's twin": Case(writes("art/a.bin", WORDS * 5), (0, 0), "art/a.bin changed"),
    "a file for lz4hc": Case(writes("hc/x.bin", WORDS * 41), (0, 1), "hc/x.bin changed"),
    "a text": Case(writes("text/t.txt", WORDS), (1, 1), "text/t.txt changed"),
    "a text that cooks to the same bytes": Case(
        writes("text/t.txt", WORDS * 2 + b"\r\n"), (1, 0), "text/t.txt changed"
    ),
    "a costly source": Case(writes("slow/s.slow", WORDS), (1, 1), "slow/s.slow changed"),
    "an include of both": Case(writes("inc/second/noise.h", b"NOISE\n"), (2, 2), "2 lumps changed"),
    "an include of one": Case(writes("inc/second/light.h", b"LIGHT\n"), (1, 1), "shaders/two.shader changed"),
    "an include that now comes first": Case(
        writes("inc/first/light.h", b"FIRST\n"), (1, 1), "shaders/two.shader changed"
    ),
    "a first include with the same bytes": Case(
        writes("inc/first/light.h", FILES["inc/second/light.h"]), (1, 0), "shaders/two.shader changed"
    ),
    "several at once": Case(
        lambda game: game.write({"art/a.bin": b"1" * 50, "slow/s.slow": b"2" * 50, "hc/x.bin": b"3" * 50}),
        (1, 3),
        "3 lumps changed",
    ),
    "a file added": Case(writes("art/new.bin", WORDS * 8), (0, 1), "art/new.bin is added"),
    "a text added": Case(writes("text/new.txt", WORDS * 8), (1, 1), "text/new.txt is added"),
    "a file of several products added": Case(
        writes("parts/a.parts", WORDS + b"\n" + WORDS * 2), (1, 2), "2 lumps added"
    ),
    "a file deleted": Case(removed("art/a.bin"), (0, 0), "art/a.bin is gone"),
    "a file renamed": Case(renamed("art/a.bin", "art/z.bin"), (0, 0), "art/z.bin is added"),
    "a costly file renamed": Case(renamed("slow/s.slow", "slow/z.slow"), (0, 0), "slow/z.slow is added"),
    "a file renamed by case alone": Case(renamed("art/a.bin", "art/A.bin"), (0, 0), "art/A.bin is added"),
    "a file that becomes a link": Case(relinked("art/a.bin", "b.bin"), (0, 0), "art/a.bin changed"),
    # the manifest
    "schema": Case(says("sets.plain.schema", 7), (0, 0), "type or schema"),
    "type": Case(says("sets.plain.type", "BLOB"), (0, 0), "type or schema"),
    "alignment of a set": Case(says("sets.plain.alignment", 256), (0, 0), "alignment of set plain changed"),
    "alignment of the archive": Case(says("archives.base.alignment", 64), (0, 0), "alignment"),
    "dedupe": Case(says("archives.base.dedupe", True), (0, 0), "dedupe changed"),
    "names kept": Case(says("archives.base.strip", False), (0, 0), "strip changed"),
    "seed": Case(says("seed", 5), (0, 0), "seed changed"),
    "lz4 to lz4hc": Case(says("sets.plain.compress", "lz4hc"), (0, 3), "compression of set plain changed"),
    "lz4hc to lz4": Case(says("sets.packed.compress", "lz4"), (0, 2), "compression of set packed changed"),
    "level": Case(
        says("sets.packed.compress", {"codec": "lz4hc", "level": 12}),
        (0, 2),
        "compression of set packed changed",
    ),
    "auto to lz4": Case(says("sets.plain.compress", "lz4"), (0, 0), "compression of set plain changed"),
    "min_saving that all keep": Case(
        says("sets.packed.compress", {"codec": "lz4hc", "min_saving": "7%"}),
        (0, 0),
        "compression of set packed changed",
    ),
    "min_saving that none keeps": Case(
        says("sets.packed.compress", {"codec": "lz4hc", "min_saving": "99%"}),
        (0, 0),
        "compression of set packed changed",
    ),
    "ship.compress": Case(
        says("ship.compress", {"codec": "lz4hc", "level": 5}), (0, 9), "compression of set"
    ),
    "verbatim files stored raw": Case(
        says("sets.plain.compress", "none"), (0, 0), "compression of set plain changed"
    ),
    "cheap cooks stored raw": Case(
        says("sets.text.compress", "none"), (0, 0), "compression of set text changed"
    ),
    "costly cooks stored raw": Case(
        says("sets.slow.compress", "none"), (0, 0), "compression of set slow changed"
    ),
    "an option": Case(says("sets.slow.options", {"loud": True}), (2, 2), "options of set slow changed"),
    "another rule": Case(says("sets.text.rule", "raw"), (0, 0), "2 lumps changed"),
    "names": Case(says("sets.slow.name", "other/{stem}"), (0, 0), "2 lumps added"),
    "exclude": Case(says("archives.base.exclude", ["art/a*"]), (0, 0), "art/a.bin is gone"),
    "a set dropped": Case(says("archives.base.sets", ["plain", "packed"]), (0, 0), "6 lumps gone"),
    # rules
    "a rule's version": Case(
        writes("tools/slow.py", SLOW.replace("version=1", "version=2").encode()), (2, 0), "rule slow changed"
    ),
    "a rule's code": Case(
        writes("tools/slow.py", SLOW.replace('": "', '" - "').encode()), (2, 2), "rule slow changed"
    ),
    "a module of a rule": Case(
        in_place("tools/wording.py", WORDING.replace("slowly", "slyest").encode()),
        (2, 2),
        "rule slow changed",
    ),
    "a module that now comes first": Case(
        writes("tools/wording/__init__.py", b'WORD = b"quick"\n'), (2, 2), "rule slow changed"
    ),
    # what builds left
    "a lump damaged": Case(damaged(WORDS * 5), (0, 1), "damaged"),
    "the padding damaged": Case(stray, (0, 0), "damaged"),
    "the header damaged": Case(flipped("dist/base.ewad", 13), (0, 0), "damaged"),
    "the hash damaged": Case(flipped("dist/base.ewad", 50), (0, 0), "damaged"),
    "archive cut short": Case(resized("dist/base.ewad", -1), (0, 0), "damaged"),
    "archive cut in its directory": Case(cut("dist/base.ewad", 100), LOST, "damaged"),
    "archive emptied": Case(cut("dist/base.ewad", 0), LOST, "damaged"),
    "bytes after the archive": Case(resized("dist/base.ewad", 9), (0, 0), "damaged"),
    "archive deleted": Case(removed("dist/base.ewad"), LOST, "not there"),
    "symbols damaged": Case(
        flipped("symbols/base.ewsym"), (0, 0), "symbols/base.ewsym was changed", rewrites=False
    ),
    "symbols deleted": Case(
        removed("symbols/base.ewsym"), (0, 0), "symbols/base.ewsym is not there", rewrites=False
    ),
    "lock deleted": Case(removed("archives.lock"), (0, 0), "archives.lock has no base", rewrites=False),
    "lock edited": Case(
        edited("archives.lock", b'"lumps": 12', b'"lumps": 13'),
        (0, 0),
        "archives.lock has another base",
        rewrites=False,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_an_edit_redoes_what_it_reaches_and_comes_to_what_a_clean_build_makes(
    game: Game, tmp_path: Path, name: str
) -> None:
    case = CASES[name]
    before = (game.folder / "dist/base.ewad").stat()
    case.edit(game)
    ran = game.ship()
    assert any(case.why in reason for reason in ran.reasons), ran.reasons
    assert ran.work == case.work
    assert ran.changed == case.rewrites
    assert ran.warnings == ()
    if not case.rewrites:
        assert (game.folder / "dist/base.ewad").stat().st_mtime_ns == before.st_mtime_ns
    assert game.outputs() == clean_build(game.folder, tmp_path / "clean", "ship:base")
    assert game.ship() == Ran(), "nothing is left to do"
    assert leftovers(game.folder) == []
