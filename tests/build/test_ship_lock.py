"""What ship does with archives.lock, as LUMPYARD_LOCK says (design.md, section 9)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from blake3 import blake3
from tests.build.edits import with_key
from tests.builders.local_rules import SLOW, WORDING
from tests.builders.programs import shell
from tests.builders.projects import Game, Listener, Ran, clean_build, leftovers

from lumpyard.build.task import ArchiveTask
from lumpyard.errors import LockDiffersError, ProblemsError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WORDS = b"one word and another word and one word more, "
MANIFEST: dict[str, Any] = {
    "rules": ["tools/slow.py"],
    "sets": {
        "plain": {"files": "art/*"},
        "slow": {"files": "slow/*", "rule": "slow"},
        "more": {"files": "more/*"},
    },
    "archives": {"base": {"sets": ["plain", "slow"]}, "extra": {"sets": ["more"]}},
}
FILES = {
    "art/a.bin": WORDS,
    "art/b.bin": WORDS * 2,
    "slow/s": WORDS * 3,
    "more/m.bin": WORDS * 4,
    "tools/slow.py": SLOW.encode(),
    "tools/wording.py": WORDING.encode(),
}


@pytest.fixture
def game(tmp_path: Path) -> Game:
    """A project of two archives that has been shipped."""
    game = Game(tmp_path / "game", MANIFEST)
    game.write(FILES)
    game.run("ship:base", "ship:extra")
    return game


def blocks(game: Game) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(game.read("archives.lock"))["archives"]
    return found


def test_the_lock_is_sorted_json_of_what_was_shipped(game: Game) -> None:
    text = game.read("archives.lock").decode("ascii")
    assert text == json.dumps(json.loads(text), indent=2, sort_keys=True) + "\n"
    base = blocks(game)["base"]
    archive = game.read("dist/base.ewad")
    assert base["archive_hash"] == f"{int.from_bytes(archive[48:56], 'little'):016x}"
    assert (base["size"], base["lumps"], base["format"]) == (len(archive), 3, "EWAD")
    assert base["raw_size"] == len(WORDS) * 6 + len(b"slowly: ")
    assert sorted(base["sets"]) == ["plain", "slow"]
    assert sorted(base["inputs"]["rules"]) == ["raw", "slow"]
    assert base["ledger"] == blake3(game.read("symbols/base.ewsym")).hexdigest()


def test_a_ship_of_one_archive_touches_only_its_block(game: Game, tmp_path: Path) -> None:
    before = blocks(game)
    game.write({"art/a.bin": b"new", "more/m.bin": b"new too"})
    game.run("ship:base")
    after = blocks(game)
    assert after["extra"] == before["extra"]
    assert after["base"] != before["base"]
    game.run("ship:extra")
    assert game.outputs() == clean_build(game.folder, tmp_path / "clean", "ship:base", "ship:extra")


def test_blocks_of_archives_that_are_gone_leave_with_the_next_full_ship_and_not_before(game: Game) -> None:
    manifest = with_key(
        MANIFEST, "archives", {"base": {"sets": ["plain", "slow"]}, "new": {"sets": ["more"]}}
    )
    game.set_manifest(manifest)
    game.run("ship:base")
    assert sorted(blocks(game)) == ["base", "extra"]
    game.run("ship:new")
    assert sorted(blocks(game)) == ["base", "extra", "new"], "each alone is no full ship"
    ran = game.run("ship:base", "ship:new")
    assert sorted(blocks(game)) == ["base", "new"]
    assert [one.work for one in ran.values()] == [(0, 0), (0, 0)]
    assert game.run("ship:base", "ship:new") == {"ship:base": Ran(), "ship:new": Ran()}


def test_where_nothing_changes_the_lock_is_not_written(game: Game) -> None:
    before = (game.folder / "archives.lock").stat()
    game.write({"art/unused/deeper": b""})
    game.stamps.clear()
    game.run("ship:base", "ship:extra")
    after = (game.folder / "archives.lock").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def source(game: Game) -> None:
    game.write({"art/a.bin": b"new"})


def rule(game: Game) -> None:
    game.write({"tools/wording.py": WORDING.replace("slowly", "quickly")})


def option(game: Game) -> None:
    game.set_manifest(with_key(MANIFEST, "sets.slow.options", {"loud": True}))


def alignment(game: Game) -> None:
    game.set_manifest(with_key(MANIFEST, "archives.base.alignment", 64))


def seed(game: Game) -> None:
    game.set_manifest(with_key(MANIFEST, "seed", 3))


def schema(game: Game) -> None:
    game.set_manifest(with_key(MANIFEST, "sets.plain.schema", 4))


def nothing_but_names(game: Game) -> None:
    (game.folder / "art/a.bin").rename(game.folder / "art/c.bin")


# What differs: an edit; the facts, sets, cause and lumps that the message must name.
DIFFERENCES: dict[str, tuple[Callable[[Game], None], tuple[str, ...]]] = {
    "source": (source, ("archive hash is", "content id is", "plain;", "cause: source;", "lumps: art/a.bin")),
    "rule": (rule, ("sets that differ: slow;", "cause: rule;", "lumps: slow/s")),
    "option": (option, ("sets that differ: slow;", "cause: option;", "lumps: slow/s")),
    "alignment": (alignment, ("alignment is 64, not 16", "cause: option")),
    "seed": (seed, ("seed is 3, not 0", "cause: option")),
    "schema": (schema, ("sets that differ: plain;", "cause: option;", "lumps: art/a.bin, art/b.bin")),
    "names": (nothing_but_names, ("sets that differ: plain;", "cause: source;", "lumps: art/a.bin, art/c.bin")),
}  # fmt: skip


@pytest.mark.parametrize("name", DIFFERENCES)
def test_check_fails_where_what_was_released_differs_and_writes_nothing(game: Game, name: str) -> None:
    before = game.outputs()
    edit, says = DIFFERENCES[name]
    edit(game)
    for _ in range(2):  # it fails until it is right
        with pytest.raises(LockDiffersError) as caught:
            game.ship(LUMPYARD_LOCK="check")
        assert caught.value.exit_status == 7
        text = str(caught.value)
        assert text.startswith("archives.lock differs: base: ")
        assert [part for part in says if part not in text] == [], text
        assert "\n" not in text
        assert game.outputs() == before
        assert leftovers(game.folder) == []
    if name != "seed":  # which is every archive's
        assert not game.ship("extra", LUMPYARD_LOCK="check").changed
    assert game.ship().changed, "and `write` makes it"
    assert game.ship(LUMPYARD_LOCK="check") == Ran()


def test_lumps_are_named_only_where_the_symbols_of_the_locked_release_are_at_hand(game: Game) -> None:
    source(game)
    game.write({"symbols/base.ewsym": game.read("symbols/base.ewsym") + b"\n"})
    with pytest.raises(LockDiffersError) as caught:
        game.ship(LUMPYARD_LOCK="check")
    assert "lumps:" not in str(caught.value)
    assert "sets that differ: plain" in str(caught.value)


def test_many_lumps_are_counted(game: Game) -> None:
    game.write({f"art/new-{number}": b"x" for number in range(9)})
    with pytest.raises(LockDiffersError, match=r"lumps: art/new-0, art/new-1, .*art/new-4 and 4 more"):
        game.ship(LUMPYARD_LOCK="check")


def test_check_passes_where_all_is_as_released_and_in_a_fresh_clone(game: Game, tmp_path: Path) -> None:
    before = game.read("archives.lock")
    assert game.run("ship:base", "ship:extra", LUMPYARD_LOCK="check") == {
        "ship:base": Ran(),
        "ship:extra": Ran(),
    }
    clone = Game(tmp_path / "clone", MANIFEST)
    clone.write({**FILES, "archives.lock": before})
    clone.run("ship:base", "ship:extra", LUMPYARD_LOCK="check")
    assert clone.outputs() == game.outputs()


def test_check_fails_a_fresh_clone_that_makes_other_bytes_and_writes_nothing(
    game: Game, tmp_path: Path
) -> None:
    clone = Game(tmp_path / "clone", MANIFEST)
    clone.write({**FILES, "archives.lock": game.read("archives.lock"), "art/a.bin": b"other"})
    with pytest.raises(LockDiffersError, match="cause: source"):
        clone.ship(LUMPYARD_LOCK="check")
    assert list(clone.outputs()) == ["archives.lock"]
    assert leftovers(clone.folder) == []


def test_check_without_a_lock_or_a_block_fails(game: Game) -> None:
    (game.folder / "archives.lock").unlink()
    before = game.outputs()
    with pytest.raises(LockDiffersError, match=r"base: the lock has no block of it; if it is meant"):
        game.ship(LUMPYARD_LOCK="check")
    assert game.outputs() == before


def test_inputs_alone_never_fail_a_check(game: Game) -> None:
    """Tool versions alone never fail a check; no more does a manifest that comes to the same archive."""
    game.set_manifest({**MANIFEST, "sets": {**MANIFEST["sets"], "unused": {"files": "x", "optional": True}}})
    before = game.read("archives.lock")
    game.ship(LUMPYARD_LOCK="check")
    assert game.read("archives.lock") == before


class ToolGame(Game):
    """A shipped project whose one lump a tool makes, which has a version of its own."""

    def __init__(self, folder: Path, version: int = 1, **environ: str) -> None:
        tool = {"program": "./cooker", "identity": "version", "version": ["--version"]}
        options = {"tool": "cooker", "args": ["{in}", "{out}"], "outputs": ["{stem}.out"]}
        art = {"files": "art/*", "rule": "command", "options": options}
        archives = {"base": {"sets": ["art"]}}
        super().__init__(folder, {"tools": {"cooker": tool}, "sets": {"art": art}, "archives": archives})
        self.environ |= environ
        self.write({"art/a": WORDS})
        self.upgrade(version)

    def upgrade(self, version: int) -> None:
        cooker = self.folder / "cooker"
        shell(cooker, f'if [ "$1" = --version ]; then echo {version}; exit; fi\ncp "$1" "$2"')


def check_that_lumps_are_named(game: Game) -> None:
    before = game.outputs()
    game.write({"art/a": b"other"})
    with pytest.raises(LockDiffersError, match="lumps: art/a"):
        game.ship(LUMPYARD_LOCK="check")
    assert game.outputs() == before


@pytest.mark.parametrize("mode", ["write", "report", "check"])
def test_symbols_stay_as_the_lock_has_them_where_another_tool_makes_the_same(
    tmp_path: Path, mode: str
) -> None:
    game = ToolGame(tmp_path / "game")
    game.ship()
    before = game.outputs()
    game.upgrade(2)
    assert game.ship(LUMPYARD_LOCK=mode).cooked == 1
    assert game.outputs() == before
    check_that_lumps_are_named(game)
    game.ship()
    assert blocks(game)["base"]["ledger"] == blake3(game.read("symbols/base.ewsym")).hexdigest()


def test_a_clone_with_another_tool_names_lumps_of_the_same_archive(tmp_path: Path) -> None:
    """Its symbols are not those that the lock names, but they are of the archive that it is about."""
    game = ToolGame(tmp_path / "game")
    game.ship()
    clone = ToolGame(tmp_path / "clone", 2)
    clone.write({"archives.lock": game.read("archives.lock")})
    clone.ship()
    assert clone.read("archives.lock") == game.read("archives.lock")
    assert clone.read("symbols/base.ewsym") != game.read("symbols/base.ewsym")
    check_that_lumps_are_named(clone)


def test_symbols_that_were_edited_name_no_lumps(tmp_path: Path) -> None:
    game = ToolGame(tmp_path / "game")
    game.ship()
    game.write({"symbols/base.ewsym": game.read("symbols/base.ewsym").replace(b"art/a", b"art/b")})
    game.write({"art/a": b"other"})
    with pytest.raises(LockDiffersError) as caught:
        game.ship(LUMPYARD_LOCK="check")
    assert "lumps:" not in str(caught.value)


def test_report_says_what_differs_each_time_and_writes_no_lock(game: Game) -> None:
    before = game.outputs()
    source(game)
    for number in range(2):
        ran = game.ship(LUMPYARD_LOCK="report")
        (warning,) = ran.warnings
        assert warning.startswith("archives.lock: warning[W0501]: base: sets that differ: plain; ")
        assert "cause: source" in warning
        assert ran.changed == (not number)
        assert game.read("archives.lock") == before["archives.lock"]
    assert game.read("dist/base.ewad") != before["dist/base.ewad"], "the archive is made all the same"
    assert game.ship().work == (0, 0)
    assert game.ship(LUMPYARD_LOCK="report") == Ran(), "and nothing is left to say"


WORDS_OF = {
    "LUMPYARD_LOCK": "write, report or check",
    "LUMPYARD_WAIT": "1 or 0",
    "LUMPYARD_PROGRESS": "auto, rich, plain, json or none",
    "LUMPYARD_WORKERS": "serial, fork or threads, and a number as in fork:4",
}


@pytest.mark.parametrize("name", WORDS_OF)
@pytest.mark.parametrize("task", ["pack:base", "ship:base"])
def test_another_word_is_a_usage_error_also_when_there_is_nothing_to_do(
    game: Game, name: str, task: str
) -> None:
    before = game.outputs()
    for word in ("chekc", "yes", " ", "\x1b"):
        with pytest.raises(UsageError) as caught:
            game.run(task, **{name: word})
        assert str(caught.value) == f"{name} is {word!r}; it takes {WORDS_OF[name]}"
    assert game.outputs() == before


@pytest.mark.parametrize("name", WORDS_OF)
def test_an_empty_variable_is_none(game: Game, name: str) -> None:
    assert game.ship(**{name: ""}) == Ran()


def conflict(text: bytes) -> bytes:
    lines = text.split(b"\n")
    return b"\n".join(
        [*lines[:4], b"<<<<<<< HEAD", lines[4], b"=======", lines[4], b">>>>>>> topic", *lines[5:]]
    )


BROKEN: dict[str, tuple[Callable[[bytes], bytes], str]] = {  # how, and what the error says
    "a merge conflict": (conflict, "archives.lock:5: error[E0501]: the merge conflict is not resolved"),
    "a newer version": (
        lambda text: text.replace(b'"version": 1', b'"version": 2'),
        "error[E0504]: version 2 is newer than 1, the newest that this lumpyard reads",
    ),
    "no JSON": (lambda text: text[:-9], "error[E0502]: this is not JSON"),
    "no lock": (lambda text: b"[]", "error[E0503]"),
    "a block without a field": (lambda text: text.replace(b'"seed"', b'"sede"', 1), "error[E0503]"),
}


@pytest.mark.parametrize("mode", ["write", "report", "check"])
@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_lock_is_a_clear_error_and_the_old_archive_stays(game: Game, how: str, mode: str) -> None:
    break_, says = BROKEN[how]
    good = game.read("archives.lock")
    game.write({"archives.lock": break_(good), "art/a.bin": b"new"})
    before = game.outputs()
    with pytest.raises(ProblemsError) as caught:
        game.ship(LUMPYARD_LOCK=mode)
    assert caught.value.exit_status == 2
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
    assert game.outputs() == before
    assert leftovers(game.folder) == []
    report = json.loads(game.read("build/ship.json"))
    assert (report["result"], report["exit_status"]) == ("failed", 2)
    game.write({"archives.lock": good})
    assert game.ship().changed


@pytest.mark.parametrize("mode", ["write", "nonsense"])
def test_what_is_wrong_with_the_lock_is_told_before_any_work(game: Game, mode: str) -> None:
    game.write(
        {"archives.lock": conflict(game.read("archives.lock")) if mode == "write" else b"", "slow/s": b""}
    )
    task, listener = ArchiveTask(game.open(LUMPYARD_LOCK=mode), "base", "ship"), Listener()
    assert not task.is_fresh("")
    with pytest.raises(ProblemsError if mode == "write" else UsageError):
        task.build(listener)
    assert listener.stages == []


def test_ship_json_says_what_became_of_each(game: Game) -> None:
    source(game)
    game.run("ship:base", "ship:extra")
    report = json.loads(game.read("build/ship.json"))
    assert (report["result"], report["exit_status"], report["problems"]) == ("ok", 0, [])
    base, extra = report["archives"]
    assert (base["id"], base["path"], base["changed"], base["reasons"]) == (
        "base",
        "dist/base.ewad",
        True,
        ["art/a.bin changed"],
    )
    assert base["archive_hash"] == blocks(game)["base"]["archive_hash"]
    assert (extra["id"], extra["changed"], extra["reasons"]) == ("extra", False, [])
    assert extra["content_id"] == blocks(game)["extra"]["content_id"]


def test_ship_json_after_a_failure(game: Game) -> None:
    source(game)
    with pytest.raises(LockDiffersError):
        game.ship(LUMPYARD_LOCK="check")
    report = json.loads(game.read("build/ship.json"))
    assert (report["result"], report["exit_status"], report["archives"]) == ("failed", 7, [])
    assert report["problems"][0]["message"].startswith("archives.lock differs")
