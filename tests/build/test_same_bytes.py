"""Same inputs, same bytes: whoever works, in whatever order, place, locale and time (design.md, "Promises")."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from tests.builders.local_rules import LINES, PARTS
from tests.builders.projects import Game, leftovers, outputs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MANIFEST = {
    "rules": ["tools/parts.py", "tools/lines.py"],
    "sets": {
        "plain": {"files": "art/**"},
        "packed": {"files": "hc/*", "compress": "lz4hc", "alignment": 64},
        "large": {"files": "large/*", "compress": "none", "rule": "raw"},
        "parts": {"files": "cooked/*.parts"},
        "lines": {"files": "cooked/*.lines"},
    },
    "archives": {
        "base": {"sets": ["plain", "packed", "large", "parts"], "dedupe": True},
        "late": {"sets": ["lines", "packed"], "alignment": 1},
    },
}


def sources() -> dict[str, bytes]:
    """Files enough for several chunks of work, and some for every way that bytes take through the engine."""
    rng = random.Random(4)
    words = [b"lump", b"yard", b"wall", b"floor", b"sky", b"\0\0\0\0", b"imp", b"door "]
    files = {
        f"art/{number % 7}/file-{number}.bin": b"".join(rng.choices(words, k=rng.randrange(400)))
        for number in range(300)
    }
    files |= {f"art/same/{number}.txt": b"the same\r\ntext\r\n" * 20 for number in range(40)}
    files |= {f"hc/{number}.dat": b"".join(rng.choices(words, k=2000)) for number in range(12)}
    files |= {f"large/{number}.dat": rng.randbytes(1 << 16) * 70 for number in range(2)}
    files |= {
        "large/same.dat": files["large/0.dat"],
        "art/é ü.txt": "ümlaut\n".encode(),
        "art/empty.bin": b"",
    }
    files |= {f"cooked/{number}.parts": b"head\n" + rng.randbytes(50) * number for number in range(9)}
    files |= {f"cooked/{number}.lines": b"\n".join([b"line %d" % number] * 5) for number in range(9)}
    return files | {"tools/parts.py": PARTS.encode(), "tools/lines.py": LINES.encode()}


@pytest.fixture(scope="module")
def reference(module_path: Path) -> tuple[Path, dict[str, bytes]]:
    """The folder of a project, and what it ships."""
    game = Game(module_path / "reference", MANIFEST)
    game.write(sources())
    game.run("ship:base", "ship:late")
    return game.folder, game.outputs()


def copy_sources(start: Path, folder: Path, *, seed: int = 0) -> None:
    """The project in another folder, its files made in another order."""
    names = [*sources(), "assets.yaml"]
    random.Random(seed).shuffle(names)
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(start / name, folder / name)


CELLS: dict[str, dict[str, Any]] = {
    "serial": {"LUMPYARD_WORKERS": "serial", "PYTHONHASHSEED": "1"},
    "fork:2": {"LUMPYARD_WORKERS": "fork:2", "TZ": "Asia/Kathmandu"},
    "fork:3": {"LUMPYARD_WORKERS": "fork:3", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "fork:7": {"LUMPYARD_WORKERS": "fork:7", "PYTHONHASHSEED": "4242", "umask": "077"},
    "threads:2": {"LUMPYARD_WORKERS": "threads:2", "LC_ALL": "tr_TR.UTF-8", "umask": "0"},
    "threads:5": {"LUMPYARD_WORKERS": "threads:5", "PYTHONOPTIMIZE": "2", "TZ": "EST5EDT"},
    "old": {"mtime": 0, "folder": "a b/ä/日本/deep/deeper", "LC_ALL": "C.UTF-8"},
    "new": {"mtime": 2_145_000_000, "mode": 0o444, "folder": "x" * 200},
}


@pytest.mark.parametrize("cell", CELLS)
def test_nothing_around_a_build_changes_its_bytes(
    reference: tuple[Path, dict[str, bytes]], tmp_path: Path, cell: str
) -> None:
    start, wanted = reference
    settings = dict(CELLS[cell])
    folder = tmp_path / settings.pop("folder", "game")
    copy_sources(start, folder, seed=len(cell))
    umask, mtime, mode = (
        settings.pop("umask", "022"),
        settings.pop("mtime", None),
        settings.pop("mode", 0o755),
    )
    for name in sources():
        (folder / name).chmod(mode)
        if mtime is not None:
            os.utime(folder / name, (mtime, mtime))
    command = ["sh", "-c", f'umask {umask}; exec "$0" -m lumpyard.cli.main ship', sys.executable]
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    ran = subprocess.run(
        command, cwd=folder, env=kept | settings, capture_output=True, check=False, timeout=100
    )
    assert (ran.returncode, ran.stderr) == (0, b"")
    made = outputs(folder)
    assert made.keys() == wanted.keys()
    assert [name for name in made if made[name] != wanted[name]] == []
    assert leftovers(folder) == []


@contextmanager
def shuffled_folders(seed: int) -> Iterator[None]:
    """Folders that list their entries in another order."""
    real = os.scandir
    rng = random.Random(seed)

    class Shuffled:
        def __init__(self, path: Any) -> None:
            with real(path) as entries:
                self.entries = list(entries)
            rng.shuffle(self.entries)

        def __enter__(self) -> Iterator[Any]:
            return iter(self.entries)

        def __iter__(self) -> Iterator[Any]:
            return iter(self.entries)

        def __exit__(self, *_: object) -> None:
            pass

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "scandir", Shuffled)
        yield


@pytest.mark.parametrize("seed", [1, 2])
def test_the_order_in_which_folders_are_listed_changes_nothing(
    reference: tuple[Path, dict[str, bytes]], tmp_path: Path, seed: int
) -> None:
    start, wanted = reference
    copy_sources(start, tmp_path)
    game = Game(tmp_path, MANIFEST)
    with shuffled_folders(seed):
        game.run("ship:base", "ship:late")
        assert game.outputs() == wanted
        ran = game.run("ship:base", "ship:late")
    assert [one.reasons for one in ran.values()] == [(), ()], "and what is listed otherwise is no change"


def test_the_order_of_tasks_and_profiles_changes_nothing(
    reference: tuple[Path, dict[str, bytes]], tmp_path: Path
) -> None:
    start, wanted = reference
    copy_sources(start, tmp_path)
    game = Game(tmp_path, MANIFEST)
    for task in ("pack:late", "ship:late", "pack:base", "ship:base"):
        game.run(task)
    made = game.outputs()
    assert {name: made[name] for name in wanted} == wanted
    packed = {name: data for name, data in made.items() if name not in wanted}
    assert sorted(packed) == ["build/archives.json", "build/base.ewad", "build/late.ewad"]
    other = Game(tmp_path / "other", MANIFEST)
    copy_sources(start, other.folder)
    other.run("pack:base", "pack:late", LUMPYARD_WORKERS="threads:2")
    assert other.outputs() == packed


def test_the_manifest_may_list_files_and_sets_in_any_order(
    reference: tuple[Path, dict[str, bytes]], tmp_path: Path
) -> None:
    start, wanted = reference
    copy_sources(start, tmp_path)
    turned = {key: dict(reversed(MANIFEST[key].items())) for key in ("archives", "sets")}  # type: ignore[attr-defined]
    turned["archives"]["base"] = {"dedupe": True, "sets": MANIFEST["archives"]["base"]["sets"][::-1]}  # type: ignore[index]
    game = Game(tmp_path, {**turned, "rules": MANIFEST["rules"][::-1]})  # type: ignore[index]
    game.run("ship:base", "ship:late")
    made = game.outputs()
    assert [name for name in made if name.startswith("dist/") and made[name] != wanted[name]] == []


@pytest.mark.parametrize("workers", ["serial", "fork:3", "threads:3"])
@pytest.mark.parametrize(
    "limits",
    [
        {"job.CHUNK_LUMPS": 1, "worker.HELD_LIMIT": 0},
        {"job.CHUNK_SIZE": 1000, "job.STREAM_FROM": 100, "worker.HELD_LIMIT": 500},
        {"job.CHUNK_LUMPS": 1, "worker.MEMORY_LIMIT": 0},
        {"job.CHUNK_SIZE": 1000, "job.STREAM_FROM": 100, "worker.MEMORY_LIMIT": 2000},
        {"job.STREAM_FROM": 1, "writing_chunks.HOLE": 32},
    ],
    ids=["one lump a chunk", "small chunks", "nothing held", "little held", "all in pieces"],
)
def test_where_work_is_cut_changes_nothing(
    reference: tuple[Path, dict[str, bytes]], tmp_path: Path, workers: str, limits: dict[str, int]
) -> None:
    """Chunks, what a worker may hold, what goes through in pieces, what is left as a hole: all at their edges."""
    start, wanted = reference
    copy_sources(start, tmp_path)
    game = Game(tmp_path, MANIFEST)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in limits.items():
            patch.setattr(f"lumpyard.build.packing.{name}", value)
        game.run("ship:base", "ship:late", LUMPYARD_WORKERS=workers)
        made = game.outputs()
        assert [name for name in made if made[name] != wanted[name]] == []
        for name in ("art/0/file-0.bin", "cooked/1.parts"):
            os.utime(tmp_path / name)
        game.write({"art/0/file-7.bin": b"new"})
        ran = game.ship(LUMPYARD_WORKERS=workers)
    assert ran.work == (0, 1)
    game.write({"art/0/file-7.bin": sources()["art/0/file-7.bin"]})
    game.ship()
    assert game.outputs() == wanted
