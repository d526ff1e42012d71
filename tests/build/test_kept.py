"""What is costly is kept in the store, and the store can change speed only: laws of section 7 through whole builds."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from tests.build.edits import COOKS, ENCODES, FILES, MANIFEST, shipped_game
from tests.builders.programs import shell
from tests.builders.projects import Game, Lump, Ran, copy_sources, expected, leftovers, stored
from tests.builders.segments import BLOCK, NAME, segment, segment_header

from lumpyard.errors import CookError, UnsupportedError
from lumpyard.hashing import digest
from lumpyard.lz4 import encoder_id
from lumpyard.store import encode_digest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OWN = ".lumpyard"
COSTLY, HC = 4, 2  # cooks and encodes that are kept
SHIP = [sys.executable, "-m", "lumpyard.cli.main", "ship"]


@pytest.fixture
def game(tmp_path: Path) -> Game:
    """A project that has been shipped."""
    return shipped_game(tmp_path)


def lose(game: Game, *keep: str) -> None:
    """Have only the store, and what else is to be kept, of all that was built."""
    for name in ("dist", "symbols", f"{OWN}/built", f"{OWN}/state", f"{OWN}/fingerprints"):
        path = game.folder / name
        if name not in keep:
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def segments(game: Game, store: str = f"{OWN}/store") -> list[Path]:
    return sorted((game.folder / store).glob("*.seg"))


def test_the_store_alone_gives_costly_cooks_and_hc_blocks(game: Game) -> None:
    before = game.outputs()
    lose(game)
    assert game.ship().work == (COOKS - COSTLY, ENCODES - HC)
    assert game.outputs() == before


def test_cheap_results_are_not_kept(game: Game) -> None:
    """Twenty thousand small lumps never become twenty thousand files."""
    kept = b"".join(path.read_bytes() for path in segments(game))
    assert len(segments(game)) == 1
    assert FILES["text/t.txt"] not in kept
    assert b"slowly: " in kept


def test_clones_share_a_store_of_their_own(game: Game, tmp_path: Path) -> None:
    store = str(tmp_path / "shared")
    clones = [Game(tmp_path / name, MANIFEST) for name in ("one", "two")]
    work = []
    for clone in clones:
        copy_sources(game.folder, clone.folder)
        work.append(clone.ship(LUMPYARD_STORE=store).work)
        assert clone.outputs() == game.outputs()
        assert not (clone.folder / OWN / "store").exists()
    assert work == [(COOKS, ENCODES), (COOKS - COSTLY, ENCODES - HC)]


def test_clones_that_build_at_once_with_one_store_are_both_right(game: Game, tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "two", "three")]
    for folder in folders:
        copy_sources(game.folder, folder)
    environ = {**os.environ, "LUMPYARD_STORE": str(tmp_path / "shared")}
    running = [subprocess.Popen(SHIP, cwd=folder, env=environ, stderr=subprocess.PIPE) for folder in folders]
    for process in running:
        _, said = process.communicate(timeout=100)
        assert (process.returncode, said) == (0, b"")
    for folder in folders:
        assert Game(folder, MANIFEST).outputs() == game.outputs()
        assert leftovers(folder) == []


@pytest.mark.parametrize("every", [1, 7, 1000])
def test_a_damaged_record_is_a_miss_and_said_once(game: Game, every: int) -> None:
    before = game.outputs()
    lose(game)
    for path in segments(game):
        data = bytearray(path.read_bytes())
        for at in range(len(segment_header()), len(data), every * 64):
            data[at] ^= 0x10
        path.write_bytes(data)
    ran = game.ship()
    assert game.outputs() == before
    assert len(ran.warnings) == len(set(ran.warnings))
    assert all("damaged" in text for text in ran.warnings)
    lose(game)
    assert game.ship().work == (COOKS - COSTLY, ENCODES - HC), "what was made again is kept again"


@pytest.mark.parametrize("how", ["garbage", "empty", "gone"])
def test_a_segment_that_is_no_segment_is_nothing(game: Game, how: str) -> None:
    before = game.outputs()
    lose(game)
    for path in segments(game):
        if how == "gone":
            path.unlink()
        else:
            path.write_bytes(b"garbage" * 1000 if how == "garbage" else b"")
    assert game.ship().work == (COOKS, ENCODES)
    assert game.outputs() == before


@pytest.mark.parametrize("store", ["a file", "below a file", "nowhere"])
def test_a_store_that_cannot_be_used_is_one_warning_and_a_right_build(
    game: Game, tmp_path: Path, store: str
) -> None:
    (tmp_path / "file").write_bytes(b"x")
    path = {"a file": tmp_path / "file", "below a file": tmp_path / "file/store", "nowhere": "/proc/none"}[
        store
    ]
    other = Game(tmp_path / "other", MANIFEST)
    copy_sources(game.folder, other.folder)
    ran = other.ship(LUMPYARD_STORE=str(path))
    assert ran.work == (COOKS, ENCODES)
    assert len(ran.warnings) == 1, ran.warnings
    assert "the store cannot be" in ran.warnings[0]
    assert "\n" not in ran.warnings[0]
    assert other.outputs() == game.outputs()


def test_a_store_of_a_newer_version_stops_the_build_and_the_old_archive_stays(game: Game) -> None:
    before = game.outputs()
    newer = game.folder / OWN / "store" / "00000009-0123456789abcdef.seg"
    newer.write_bytes(segment_header(version=2))
    game.write({"slow/s.slow": b"new"})
    with pytest.raises(UnsupportedError) as caught:
        game.ship()
    assert caught.value.exit_status == 4
    assert newer.name in str(caught.value)
    assert "\n" not in str(caught.value)
    assert game.outputs() == before
    assert leftovers(game.folder) == []
    newer.unlink()
    assert game.ship().work == (1, 1)


POISONS: dict[str, Callable[[bytes], bytes]] = {
    "other bytes": lambda good: stored(b"evil" * 200, "lz4hc", 9, 0)[0],
    "no block": lambda good: b"\xff" * len(good),
    "a part": lambda good: good[:-5],
    "more": lambda good: good + b"\0",
}


@pytest.mark.parametrize("how", POISONS)
def test_a_block_that_somebody_put_there_is_taken_only_for_what_it_holds(tmp_path: Path, how: str) -> None:
    """A record with a right hash of its own and wrong bytes: what it holds is decoded and compared."""
    raw = b"one word and another word, " * 30
    game = Game(
        tmp_path,
        {
            "sets": {"art": {"files": "art/*", "rule": "raw", "compress": "lz4hc"}},
            "archives": {"base": {"sets": ["art"]}},
        },
    )
    game.write({"art/a": raw})
    good = stored(raw, "lz4hc", 9, 0)[0]
    key = encode_digest(digest(raw), "lz4hc", 9, encoder_id())
    game.write({f"{OWN}/store/{NAME}": segment([(BLOCK, key, POISONS[how](good))])})
    assert game.ship().encoded == 1
    assert game.read("dist/base.ewad") == expected([Lump("art/a", raw, "lz4hc", min_saving=0)])


def test_many_records_get_an_index(tmp_path: Path) -> None:
    game = Game(
        tmp_path,
        {
            "sets": {"art": {"files": "art/*", "compress": "lz4hc"}},
            "archives": {"base": {"sets": ["art"]}},
        },
    )
    game.write({f"art/{number}": b"word %d " % number * 20 for number in range(100)})
    assert game.ship().encoded == 100
    assert (tmp_path / OWN / "store" / "index-1").exists()


DYING = """
import os, signal
from lumpyard.rule import Product, Rule

def cook(sources, options):
    if sources[0].data.startswith(b"deadly") and os.path.exists(%r):
        os.kill(os.getpid(), signal.SIGKILL)
    return [Product(b"made of " + sources[0].data)]

RULE = Rule(kind="dying", version=1, suffixes={".x"}, cook=cook, costly=True)
"""


@pytest.mark.parametrize("workers", ["serial", "fork:2"])
def test_what_was_cooked_before_a_build_was_killed_is_not_cooked_again(tmp_path: Path, workers: str) -> None:
    flag = tmp_path / "armed"
    flag.touch()
    game = Game(
        tmp_path / "game",
        {
            "rules": ["tools/dying.py"],
            "sets": {"art": {"files": "art/*"}},
            "archives": {"base": {"sets": ["art"]}},
        },
    )
    # The longest are cooked first.
    game.write({f"art/{number}.x": b"long" * (100 - number) for number in range(5)})
    game.write({"art/9.x": b"deadly", "tools/dying.py": DYING % str(flag)})
    environ = {**os.environ, "LUMPYARD_WORKERS": workers}
    killed = subprocess.run(
        SHIP, cwd=game.folder, env=environ, capture_output=True, text=True, check=False, timeout=100
    )
    if workers == "serial":
        assert killed.returncode == -9
    else:
        assert killed.returncode == 5
        assert "ended by signal 9" in killed.stdout + killed.stderr
        assert "Traceback" not in killed.stdout + killed.stderr
    assert not (game.folder / "dist/base.ewad").exists()
    flag.unlink()
    # The other worker may have been in the middle of one.
    assert game.ship().cooked in ((1,) if workers == "serial" else (1, 2))
    lumps = [Lump(f"art/{number}.x", b"made of " + b"long" * (100 - number)) for number in range(5)]
    assert game.read("dist/base.ewad") == expected([*lumps, Lump("art/9.x", b"made of deadly")])
    assert leftovers(game.folder) == []


class ToolGame(Game):
    """A project with a tool that logs its runs and writes its source twice, under a word of its own."""

    def __init__(self, folder: Path, log: Path, word: str = "twice") -> None:
        self.log = log
        self.manifest: dict[str, Any] = {
            "tools": {
                "doubler": {"program": "tools/doubler.sh", "version": ["--version"], "expect": "doubler"}
            },
            "sets": {
                "art": {
                    "files": "art/*.src",
                    "rule": "command",
                    "options": {"tool": "doubler", "args": ["{in}", "{out}"], "outputs": ["{stem}.out"]},
                }
            },
            "archives": {"base": {"sets": ["art"]}},
        }
        super().__init__(folder, self.manifest)
        self.set_tool(word)

    def set_tool(self, word: str) -> None:
        shell(
            self.folder / "tools/doubler.sh",
            f'if [ "$1" = --version ]; then echo doubler 1; exit; fi\n'
            f'echo "$1" >> {self.log}\n(echo {word}; cat "$1" "$1") > "$2"',
        )

    def runs(self) -> int:
        """How often the tool has run since the last time."""
        count = len(self.log.read_text().splitlines()) if self.log.exists() else 0
        self.log.write_text("")
        return count


def test_own_folder_alone_ships_without_running_a_tool(tmp_path: Path) -> None:
    game = ToolGame(tmp_path / "game", tmp_path / "log")
    game.write({f"art/{number}.src": b"source %d\n" % number * 9 for number in range(4)})
    assert game.ship().cooked == game.runs() == 4
    lumps = [Lump(f"art/{number}.src", b"twice\n" + b"source %d\n" % number * 18) for number in range(4)]
    assert game.read("dist/base.ewad") == expected(lumps)
    assert game.ship() == Ran()
    clone = ToolGame(tmp_path / "clone", tmp_path / "log")
    copy_sources(game.folder, clone.folder)
    clone.set_tool("twice")
    shutil.copytree(game.folder / OWN, clone.folder / OWN, copy_function=shutil.copyfile)
    assert clone.ship().cooked == clone.runs() == 0
    assert clone.outputs() == game.outputs()
    assert clone.ship() == Ran()
    clone.write({"art/1.src": b"new\n"})
    assert clone.ship().cooked == clone.runs() == 1


def test_another_tool_runs_again_and_what_it_makes_alike_is_not_encoded_again(tmp_path: Path) -> None:
    game = ToolGame(tmp_path / "game", tmp_path / "log")
    game.write({f"art/{number}.src": b"source %d\n" % number * 9 for number in range(3)})
    assert game.ship().work == (3, 3)
    game.set_tool("twice ")  # another program, which does the same
    assert game.ship().work == (3, 0)
    game.set_tool("again")
    assert game.ship().work == (3, 3)
    game.set_tool("twice")
    game.runs()
    assert game.ship().cooked == game.runs() == 0, "what the first made is still at hand"


def test_a_variable_that_a_tool_sees_is_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = ToolGame(tmp_path / "game", tmp_path / "log")
    game.manifest["sets"]["art"]["options"]["env"] = ["FLAVOUR"]
    game.set_manifest(game.manifest)
    game.set_tool("$FLAVOUR")
    game.write({"art/a.src": b"source\n"})
    for flavour, runs in (("sweet", 1), ("sour", 1), ("sweet", 0), (None, 1)):
        if flavour is None:
            monkeypatch.delenv("FLAVOUR")
        else:
            monkeypatch.setenv("FLAVOUR", flavour)
        assert game.ship().cooked == game.runs() == runs
        said = (flavour or "").encode()
        assert game.read("dist/base.ewad") == expected([Lump("art/a.src", said + b"\nsource\nsource\n")])
        assert game.ship() == Ran()


def test_a_tool_that_is_gone_or_not_the_expected_one_stops_before_anything_is_cooked(tmp_path: Path) -> None:
    game = ToolGame(tmp_path / "game", tmp_path / "log")
    game.write({"art/a.src": b"source"})
    game.ship()
    before = game.outputs()
    game.write({"art/a.src": b"new"})
    for tool, code in (("echo halver 1", "E0622"), ("exit 3", "E0621")):
        shell(game.folder / "tools/doubler.sh", tool)
        with pytest.raises(CookError) as caught:
            game.ship()
        assert [problem.code for problem in caught.value.problems] == [code]
        assert caught.value.exit_status == 6
    (game.folder / "tools/doubler.sh").unlink()
    with pytest.raises(CookError, match="there is no program"):
        game.ship()
    assert game.outputs() == before
    assert leftovers(game.folder) == []
