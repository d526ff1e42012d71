"""Incremental behaviour: after any edit the same bytes as a clean build, and only what the edit reaches is redone."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from tests.builders.ewad import field_of
from tests.builders.local_rules import INCLUDES, PARTS, SLOW, WORDING
from tests.builders.projects import Game, Listener, Ran, clean_build, leftovers, stored

from lumpyard.build.task import ArchiveTask

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WORDS = b"one word and another word and one word more, "
MANIFEST: dict[str, Any] = {
    "rules": ["tools/slow.py", "tools/shader.py", "tools/parts.py"],
    "sets": {
        "plain": {"files": "art/*.bin"},
        "packed": {"files": "hc/*.bin", "compress": "lz4hc"},
        "text": {"files": "text/*.txt"},
        "slow": {"files": "slow/*.slow", "rule": "slow"},
        "shaders": {"files": "shaders/*.shader"},
        "parts": {"files": "parts/*.parts", "optional": True},
    },
    "archives": {"base": {"sets": ["plain", "packed", "text", "slow", "shaders", "parts"]}},
}
FILES = {
    "art/a.bin": WORDS * 3,
    "art/b.bin": WORDS * 5,
    "art/c.bin": bytes(range(256)),  # nothing to save
    "art/empty.bin": b"",
    "hc/x.bin": WORDS * 40,
    "hc/y.bin": bytes(range(255)),
    "text/t.txt": WORDS * 2 + b"\n",
    "text/u.txt": WORDS * 4 + b"\n",
    "slow/s.slow": WORDS * 6,
    "slow/t.slow": WORDS * 7,
    "shaders/one.shader": b"include noise.h\n" + WORDS,
    "shaders/two.shader": b"include light.h\ninclude noise.h\n" + WORDS * 2,
    "inc/second/light.h": b"include noise.h\nlight " * 20 + b"\n",
    "inc/second/noise.h": b"noise " * 20 + b"\n",
    "tools/slow.py": SLOW.encode(),
    "tools/wording.py": WORDING.encode(),
    "tools/shader.py": INCLUDES.encode(),
    "tools/parts.py": PARTS.encode(),
}
COOKS = 6  # of a clean build: two texts, two slow ones, two shaders
ENCODES = 11  # all but the empty file
# What is gone with an archive: the two texts, and the LZ4 blocks. Costly cooks and HC blocks are in the store, and of
# what does not compress the size is known.
LOST = (2, 8)


@pytest.fixture
def game(tmp_path: Path) -> Game:
    """A project that has been shipped."""
    game = Game(tmp_path / "game", MANIFEST)
    game.write(FILES)
    assert game.ship().work == (COOKS, ENCODES)
    return game


def manifest_with(path: str, value: Any) -> dict[str, Any]:
    """The manifest with one key set: `sets.plain.schema`."""
    changed: dict[str, Any] = json.loads(json.dumps(MANIFEST))
    at = changed
    *above, last = path.split(".")
    for key in above:
        at = at.setdefault(key, {})
    at[last] = value
    return changed


def says(path: str, value: Any) -> Callable[[Game], None]:
    """An edit of the manifest."""
    return lambda game: game.set_manifest(manifest_with(path, value))


def writes(path: str, data: bytes) -> Callable[[Game], None]:
    """An edit of a file."""
    return lambda game: game.write({path: data})


def in_place(path: str, data: bytes) -> Callable[[Game], None]:
    """An edit that keeps size, mtime and inode."""

    def edit(game: Game) -> None:
        target = game.folder / path
        before = target.stat()
        assert len(data) == before.st_size
        with target.open("r+b") as file:
            file.write(data)
        os.utime(target, ns=(before.st_atime_ns, before.st_mtime_ns))
        after = target.stat()
        assert (after.st_size, after.st_mtime_ns, after.st_ino) == (
            before.st_size,
            before.st_mtime_ns,
            before.st_ino,
        )

    return edit


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


def removed(*paths: str) -> Callable[[Game], None]:
    def edit(game: Game) -> None:
        for path in paths:
            (game.folder / path).unlink()

    return edit


def renamed(path: str, to: str) -> Callable[[Game], None]:
    def edit(game: Game) -> None:
        (game.folder / path).rename(game.folder / to)

    return edit


def relinked(path: str, to: str) -> Callable[[Game], None]:
    """A file that becomes a link to another."""

    def edit(game: Game) -> None:
        (game.folder / path).unlink()
        (game.folder / path).symlink_to(to)

    return edit


def flipped(path: str, at: int = -3) -> Callable[[Game], None]:
    """One byte of a file turned over, its size and mtime as they were."""

    def edit(game: Game) -> None:
        data = bytearray(game.read(path))
        data[at] ^= 0x55
        in_place(path, bytes(data))(game)

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


def touched(game: Game) -> None:
    for path in FILES:
        os.utime(game.folder / path)


def rewritten(game: Game) -> None:
    for path in FILES:
        (game.folder / path).unlink()
    game.write(FILES)


NOTHING: dict[str, Callable[[Game], None]] = {
    "nothing": lambda game: None,
    "a comment in the manifest": lambda game: game.set_manifest(
        "# hello\n" + (game.folder / "assets.yaml").read_text() + "\n# bye\n"
    ),
    "the manifest written in another style": lambda game: game.set_manifest(
        json.dumps({"version": 1, **MANIFEST})
    ),
    "touched": touched,
    "rewritten with the same bytes": rewritten,
    "a file that no set takes": writes("art/notes.md", b"notes"),
    "a folder that no set takes": writes("other/file.bin", b"x"),
    "an ignored file": writes("art/.hidden.bin", b"x"),
    "a file beside an include": writes("inc/first/unused.h", b"x"),
    "the archive touched": lambda game: os.utime(game.folder / "dist/base.ewad"),
    "the symbols touched": lambda game: os.utime(game.folder / "symbols/base.ewsym"),
    "the lock with other line ends": lambda game: game.write(
        {"archives.lock": game.read("archives.lock").replace(b"\n", b"\r\n")}
    ),
    "modes": lambda game: (game.folder / "art/a.bin").chmod(0o600),
}


@pytest.mark.parametrize("name", NOTHING)
def test_what_changes_nothing_rebuilds_nothing(game: Game, name: str) -> None:
    before = game.outputs()
    NOTHING[name](game)
    inodes = [(game.folder / path).stat().st_ino for path in ("dist/base.ewad", "symbols/base.ewsym")]
    assert game.ship() == Ran()
    assert game.ship() == Ran()
    made = game.outputs()
    assert made | {"archives.lock": before["archives.lock"]} == before
    assert inodes == [(game.folder / path).stat().st_ino for path in ("dist/base.ewad", "symbols/base.ewsym")]


def test_a_stray_byte_in_a_wide_gap_is_seen(game: Game, tmp_path: Path) -> None:
    game.set_manifest(manifest_with("archives.base.alignment", 1 << 18))
    game.ship()
    flipped("dist/base.ewad", 3 << 17)(game)
    assert game.ship().changed
    assert game.outputs() == clean_build(game.folder, tmp_path / "clean", "ship:base")


def test_a_set_that_no_archive_uses_changes_the_lock_and_the_symbols_alone(
    game: Game, tmp_path: Path
) -> None:
    """They hold the digest of the manifest."""
    game.set_manifest(manifest_with("sets.unused", {"files": "none/*", "optional": True}))
    ran = game.ship()
    assert (ran.work, ran.changed) == ((0, 0), False)
    assert game.outputs() == clean_build(game.folder, tmp_path / "clean", "ship:base")


def test_a_file_that_changes_between_two_builds_of_one_process_is_seen(game: Game, tmp_path: Path) -> None:
    project = game.open()
    task = ArchiveTask(project, "base", "ship")
    game.write({"slow/s.slow": b"first"})
    assert not task.is_fresh(game.stamps["ship:base"])
    game.write({"slow/s.slow": b"then another"})  # after the look that the build goes on from
    result = task.build(Listener())
    assert result.outcome.cooked >= 1
    game.stamps["ship:base"] = result.stamp
    game.ship()
    assert game.outputs() == clean_build(game.folder, tmp_path / "clean", "ship:base")


LINKED: dict[str, Any] = {
    "mounts": [{"path": "../shared", "at": "shared"}],
    "sets": {
        "art": {"files": "art/*", "rule": "raw"},
        "shared": {"root": "shared", "files": "**/*.bin", "rule": "raw"},
    },
    "archives": {"base": {"sets": ["art", "shared"]}},
}


@pytest.fixture
def linked(tmp_path: Path) -> Game:
    """A project with a link, a linked folder and a mounted folder, that has been shipped."""
    game = Game(tmp_path / "game", LINKED)
    game.write({"data/one": b"1" * 50, "data/two": b"2" * 50, "art/real": b"real " * 20})
    game.write({"../shared/deep/s.bin": b"shared " * 20, "../shared/t.bin": b"t" * 60})
    (game.folder / "art/link").symlink_to("../data/one")
    assert game.ship().encoded == 4
    assert game.ship() == Ran()
    return game


@pytest.mark.parametrize(
    ("edit", "work", "reason"),
    [
        (relinked("art/link", "../data/two"), (0, 1), "art/link changed"),
        (in_place("data/one", b"3" * 50), (0, 1), "art/link changed"),
        (in_place("../shared/deep/s.bin", b"SHARED " * 20), (0, 1), "deep/s.bin changed"),
        (writes("../shared/new.bin", b"n" * 60), (0, 1), "new.bin is added"),
        (removed("../shared/t.bin"), (0, 0), "t.bin is gone"),
        (renamed("art/real", "art/other"), (0, 0), "art/other is added"),
    ],
)
def test_links_and_mounted_folders_are_looked_at_like_others(
    linked: Game, edit: Callable[[Game], None], work: tuple[int, int], reason: str
) -> None:
    edit(linked)
    ran = linked.ship()
    assert ran.work == work
    assert reason in ran.reasons
    clean = clean_build(linked.folder, linked.folder.with_name("clean"), "ship:base")
    assert linked.outputs() == clean
    assert linked.ship() == Ran()
