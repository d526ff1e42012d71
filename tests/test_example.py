"""example-project/: it ships, twice the same; its lock is current; its pictures and sounds come from its script."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from lumpyard.archives.ewad.reader import EwadView, view

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "example-project"
MADE = shutil.ignore_patterns(".lumpyard", "build", "dist", "symbols", "__pycache__")
ARCHIVES = ("base", "dlc-winter")
LANTERN = b"textures/items/lantern.png"


def run(folder: Path, *argv: str, lock: str = "") -> subprocess.CompletedProcess[str]:
    """A Python command line in a folder, with plain lines and no other settings of whoever runs the tests."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("LUMPYARD_")}
    environ |= {"LUMPYARD_LOCK": lock, "LUMPYARD_PROGRESS": "plain", "PYTHONUTF8": "1"}
    return subprocess.run(
        [sys.executable, *argv],
        cwd=folder,
        env=environ,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


def lumpyard(folder: Path, *argv: str, lock: str = "") -> subprocess.CompletedProcess[str]:
    return run(folder, "-m", "lumpyard.cli.main", *argv, lock=lock)


def clone(to: Path) -> Path:
    """The example as in a fresh clone."""
    shutil.copytree(EXAMPLE, to, ignore=MADE)
    return to


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone that was shipped, held against the lock that is in git."""
    project = clone(tmp_path_factory.mktemp("example") / "game")
    ran = lumpyard(project, "ship", lock="check")
    assert (ran.returncode, ran.stderr) == (0, "")
    return project


def archive_of(project: Path, name: str, folder: str = "dist") -> EwadView:
    return view((project / folder / f"{name}.ewad").read_bytes())


def test_the_committed_lock_is_of_these_archives(shipped: Path) -> None:
    """The fixture ships under LUMPYARD_LOCK=check; what the lock says is in the files, too."""
    assert (shipped / "archives.lock").read_bytes() == (EXAMPLE / "archives.lock").read_bytes()
    blocks = json.loads((EXAMPLE / "archives.lock").read_bytes())["archives"]
    hashes = {name: f"{archive_of(shipped, name).archive_hash:016x}" for name in ARCHIVES}
    assert hashes == {
        "base": blocks["base"]["archive_hash"],
        "dlc-winter": blocks["winter"]["archive_hash"],
    }


def test_two_clones_ship_the_same_bytes(shipped: Path, tmp_path: Path) -> None:
    other = clone(tmp_path / "elsewhere")
    assert lumpyard(other, "ship").returncode == 0
    for name in ARCHIVES:
        assert (other / f"dist/{name}.ewad").read_bytes() == (shipped / f"dist/{name}.ewad").read_bytes()
        assert (other / f"symbols/{name}.ewsym").read_bytes() == (
            shipped / f"symbols/{name}.ewsym"
        ).read_bytes()


def test_a_second_ship_writes_nothing(shipped: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in (shipped / "dist").iterdir()}
    ran = lumpyard(shipped, "ship", lock="check")
    assert (ran.returncode, ran.stdout.split()) == (0, ["--", "ship:base", "--", "ship:winter"])
    assert {path: path.stat().st_mtime_ns for path in (shipped / "dist").iterdir()} == before


def test_what_is_shipped_verifies_and_lists(shipped: Path) -> None:
    paths = [f"dist/{name}.ewad" for name in ARCHIVES]
    ran = lumpyard(shipped, "verify", *paths)
    assert (ran.returncode, ran.stderr) == (0, "")
    ran = lumpyard(shipped, "ls", "--symbols", "symbols/base.ewsym", "dist/base.ewad")
    names = ran.stdout.splitlines()
    assert ran.returncode == 0
    assert LANTERN.decode() in names
    assert len(names) == len(archive_of(shipped, "base").lumps)


def test_nothing_is_wrong_with_it() -> None:
    ran = lumpyard(EXAMPLE, "check")
    assert (ran.returncode, ran.stderr) == (0, "")


def test_it_shows_what_its_manifest_says(shipped: Path) -> None:
    base, winter = (archive_of(shipped, name) for name in ARCHIVES)
    assert base.stripped
    at = base.find(LANTERN)
    assert at is not None
    lantern = base.entry(at)
    assert (lantern.fourcc.to_bytes(4, "little"), lantern.schema, lantern.offset % 64) == (b"TEXR", 2, 0)
    assert base.read(at) == (EXAMPLE / "assets" / LANTERN.decode()).read_bytes()
    font = base.entry(base.find(b"ui/font.png") or 0)
    assert (font.fourcc.to_bytes(4, "little"), font.schema, font.flags) == (b"FONT", 1, 0)
    song = winter.entry(winter.find(b"music/winter.wav") or 0)
    assert (song.offset % 4096, song.flags, winter.alignment) == (0, 0, 16)
    for absent in (
        b"textures/player/birthday.wip.png",
        b"levels/99-sandbox.level",
        b"scripts/strings_test.lua",
        b"scripts/strings_test",
        b"scripts/main.lua",
    ):
        assert base.find(absent) is None, absent
    assert base.find(b"scripts/main") is not None


def test_a_level_is_cooked_by_the_rule_of_the_project(shipped: Path) -> None:
    base = archive_of(shipped, "base")
    at = base.find(b"levels/02-cave.level")
    assert at is not None
    data = bytes(base.read(at))
    text = (EXAMPLE / "assets/levels/02-cave.level").read_text("utf-8")
    rows = text.partition("\n\n")[2].splitlines()
    width, height = struct.unpack_from("<HH", data)
    assert (width, height) == (len(rows[0]), len(rows))
    tiles = data[4 : 4 + width * height]
    assert [".#=~^Hi"[tile] for tile in tiles] == [c if c in "#=~^Hi" else "." for c in "".join(rows)]
    (many,) = struct.unpack_from("<H", data, 4 + width * height)
    things = list(struct.iter_unpack("<HHB", data[6 + width * height :][: 5 * many]))
    drawn = [(x, y, ord(c)) for y, row in enumerate(rows) for x, c in enumerate(row) if c not in ".#=~^Hi"]
    assert things == drawn
    assert data[6 + width * height + 5 * many :] == b"level_cave\0levels/01-meadow.level\0backgrounds/dusk\0"


def test_mistakes_in_a_level_are_told_at_their_place(tmp_path: Path) -> None:
    project = clone(tmp_path / "game")
    level = project / "assets/levels/02-cave.level"
    lines = level.read_text("utf-8").splitlines()
    lines[3] = "background backgrounds/dawn"
    lines[9] = lines[9].replace("H", "!")
    level.write_text("\n".join(lines), "utf-8")
    ran = lumpyard(project, "ship")
    assert ran.returncode == 6
    found = ran.stdout + ran.stderr
    assert "assets/levels/02-cave.level:4:12: error[" in found
    assert "there is no picture 'backgrounds/dawn'" in found
    assert f"assets/levels/02-cave.level:10:{lines[9].index('!') + 1}: error[" in found
    assert not (project / "dist/base.ewad").exists()
    assert (project / "dist/dlc-winter.ewad").exists()  # the other archive has no mistake


def test_the_script_makes_the_pictures_and_sounds_that_are_in_git(tmp_path: Path) -> None:
    ran = run(tmp_path, "-B", str(EXAMPLE / "tools" / "make_assets.py"), str(tmp_path / "made"))
    assert (ran.returncode, ran.stderr) == (0, "")
    assert digests(tmp_path / "made") == digests(EXAMPLE)


def digests(folder: Path) -> dict[str, str]:
    """A digest of each picture and sound below a folder's sources."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for root in ("assets", "winter")
        for path in sorted((folder / root).rglob("*"))
        if path.suffix in {".png", ".wav"}
    }


def test_the_repository_ships_it_from_its_top(tmp_path: Path) -> None:
    """`doit ship` where the README's first line runs it, and `doit list` for who looks around."""
    shutil.copy(ROOT / "dodo.py", tmp_path)
    clone(tmp_path / "example-project")
    ran = run(tmp_path, "-m", "doit", "ship", lock="check")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert {path.name for path in (tmp_path / "example-project/dist").iterdir()} == {
        f"{name}.ewad" for name in ARCHIVES
    }
    assert "example-project/dist/base.ewad" in ran.stdout
    listed = run(tmp_path, "-m", "doit", "list").stdout.split("\n")
    assert {line.split()[0] for line in listed if line} == {
        "check", "format", "imports", "lint", "pack", "report", "ship", "test", "types", "verify",
    }  # fmt: skip
