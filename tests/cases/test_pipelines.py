"""Pipelines that misbuilt: half-written outputs, unknown winners. Each docstring says where that was reported."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.builders import crashes, ewad, judges, plain, wad
from tests.builders.doits import Repo
from tests.cases.test_wad_files import MAP

from lumpyard.archives.opening import open_archive
from lumpyard.archives.writing import WRITERS
from lumpyard.cli.main import main
from lumpyard.errors import MalformedError
from lumpyard.vfs import Vfs

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

OLD = plain.wad([(b"OLD", b"old")])
NEW = plain.wad([*MAP, *((b"LUMP%d" % number, bytes([number]) * 3000) for number in range(40))])


def convert(folder: Path) -> int:
    return main(["convert", str(folder / "new.pk"), str(folder / "out" / "game.wad"), "--format", "PWAD"])


@pytest.fixture
def outputs(tmp_path: Path) -> Path:
    """A folder with an old output, and what is to replace it: another archive of NEW's lumps."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "game.wad").write_bytes(OLD)
    (tmp_path / "new.pk").write_bytes(b"IWAD" + NEW[4:])
    return tmp_path


def changes(folder: Path) -> int:
    """How many calls of a conversion change something; the output is put back."""
    with crashes.watching(crashes.Watch()) as watch:
        assert convert(folder) == 0
    assert (folder / "out" / "game.wad").read_bytes() == NEW
    (folder / "out" / "game.wad").write_bytes(OLD)
    return len(watch.calls)


def test_a_writer_that_is_killed_leaves_the_old_file_or_the_new_one_whole(outputs: Path) -> None:
    """UltimateDoomBuilder/UltimateDoomBuilder#557: 486 KB after a save, and an empty directory."""
    target = outputs / "out" / "game.wad"
    for point in range(changes(outputs)):

        def die(point: int = point) -> None:
            with crashes.watching(crashes.dying_at(point)):
                convert(outputs)

        assert crashes.in_child(die) < 0
        assert target.read_bytes() in (OLD, NEW)
        assert convert(outputs) == 0
        assert target.read_bytes() == NEW
        target.write_bytes(OLD)


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EACCES])
def test_a_writer_that_is_refused_leaves_the_old_file_and_nothing_beside_it(
    error: int, outputs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """MTrop/DoomTools#171: an editor had locked the output, and the build stopped half way."""
    target = outputs / "out" / "game.wad"
    for point in range(changes(outputs)):
        with crashes.watching(crashes.refusing_at(point, error, lasting=False)):
            status = convert(outputs)
        assert (status, target.read_bytes()) in ((5, OLD), (5, NEW), (0, NEW)), point
        assert [path.name for path in target.parent.iterdir()] == ["game.wad"]
        if status:
            assert capsys.readouterr().err.startswith("lumpyard: error: ")
        target.write_bytes(OLD)


def test_a_folder_in_the_place_of_an_output_is_an_error_and_stays(run: Run, outputs: Path) -> None:
    (outputs / "out" / "game.wad").unlink()
    (outputs / "out" / "game.wad").mkdir()
    ran = run("convert", outputs / "new.pk", outputs / "out" / "game.wad", "--format", "PWAD")
    assert (ran.status, ran.stdout) == (5, b"")
    assert list((outputs / "out" / "game.wad").iterdir()) == []


SURROUNDINGS = [
    {"TZ": "UTC", "LC_ALL": "C", "PYTHONHASHSEED": "0"},
    {"TZ": "Pacific/Kiritimati", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "4711"},
]


@pytest.mark.parametrize("format_name", [*WRITERS, "EWAD"])
def test_nothing_around_a_conversion_changes_its_bytes(format_name: str, tmp_path: Path) -> None:
    """freedoom/freedoom#41: builds differed by date; samboy/ObHack#8: the order was that of a set."""
    (tmp_path / "in.wad").write_bytes(
        plain.wad([(b"LUMP%d" % number, bytes([number])) for number in range(50)])
    )
    made = set()
    for number, (surroundings, mask) in enumerate(zip(SURROUNDINGS, (0o022, 0o077), strict=True)):
        out = tmp_path / f"{number}" / "out.bin"
        out.parent.mkdir()
        subprocess.run(
            [
                sys.executable,
                "-m",
                "lumpyard.cli.main",
                "convert",
                str(tmp_path / "in.wad"),
                str(out),
                "--format",
                format_name,
            ],
            env={**os.environ, **surroundings},
            umask=mask,
            check=True,
            capture_output=True,
            timeout=60,
        )
        made.add(out.read_bytes())
    assert len(made) == 1


def test_of_three_sources_of_one_name_the_winner_is_stated_and_each_other_listed(
    run: Run, tmp_path: Path
) -> None:
    """MTrop/DoomTools#176: the same patch in four sources, and which one counted was written nowhere."""
    (tmp_path / "loose").mkdir()
    (tmp_path / "loose" / "WALL").write_bytes(b"loose")
    (tmp_path / "a.wad").write_bytes(plain.wad([(b"WALL", b"a")]))
    (tmp_path / "b.pak").write_bytes(plain.pak([(b"WALL", b"b")]))
    mounts = [f"--mount={tmp_path / name}" for name in ("a.wad", "loose", "b.pak")]
    ran = run("vfs", "explain", *mounts, "WALL", "--json")
    assert ran.status == 0
    assert ran.json["winner"]["source"] == f"{tmp_path}/b.pak!WALL"
    assert [other["source"] for other in ran.json["shadowed"]] == [
        f"{tmp_path}/loose/WALL",
        f"{tmp_path}/a.wad!WALL",
    ]
    assert ran.json["rule"] in run("vfs", "explain", *mounts, "WALL").out
    assert run("vfs", "cat", *mounts, "WALL").stdout == b"b"


MANIFEST = """\
version: 1
sets:
  maps: {root: lumps, files: "*", name: "{stem}"}
archives:
  mod: {sets: [maps], format: PWAD, path: mod.wad}
"""


def test_an_output_that_is_gone_is_made_again_and_no_other(tmp_path: Path) -> None:
    """odamex/odamex#1702: a WAD was not copied again for one of its targets."""
    files = {f"lumps/LUMP{number}.lmp": bytes([number]) * 100 for number in range(3)}
    repo = Repo(tmp_path / "game", manifest=MANIFEST, files=files)
    repo.doit("pack", "ship").ok()
    built, shipped = repo.read("build/mod.wad"), repo.read("dist/mod.wad")
    assert wad.lumps(built) == [(f"LUMP{number}".encode(), bytes([number]) * 100) for number in range(3)]
    assert shipped == built
    (repo.folder / "build" / "mod.wad").unlink()
    assert [line[:2] for line in repo.doit("pack", "ship").ok().lines if "ship:" in line] == ["--"]
    assert (repo.read("build/mod.wad"), repo.read("dist/mod.wad")) == (built, shipped)


def test_an_archive_that_is_cut_is_refused_when_it_is_mounted() -> None:
    """Warzone2100/warzone2100 PR1919: it was mounted, and listing it failed later."""
    data = plain.pak([(b"a", b"a"), (b"b", b"b")])
    with Vfs() as vfs:
        with pytest.raises(MalformedError):
            vfs.mount_bytes(data[:-1], "cut.pak")
        assert vfs.mounts == ()


def test_all_lumps_of_one_name_are_listed() -> None:
    """UltimateDoomBuilder/UltimateDoomBuilder#15: of several of one name in an archive only one was seen."""
    with Vfs() as vfs:
        vfs.mount_bytes(plain.pak([(b"x/a", b"1"), (b"x/a", b"2"), (b"x/a", b"3")]), "x.pak")
        vfs.mount_bytes(plain.wad([(b"A", b"4"), (b"A", b"5")]), "x.wad")
        assert vfs.glob("**") == ["A", "A~1", "x/a", "x/a~2", "x/a~3"]
        assert [vfs.read(name) for name in vfs.glob("**")] == [b"5", b"4", b"1", b"2", b"3"]


@pytest.mark.parametrize(("game", "maps"), [("freedoom1", 36), ("freedoom2", 32), ("freedm", 32)])
def test_the_lumps_of_every_map_of_a_game_have_paths_of_their_own(game: str, maps: int) -> None:
    """icculus/physfs PR57: a game as one flat folder has THINGS 32 times, and only the last can be reached."""
    data = judges.game(game)
    lumps = wad.lumps(data)
    with Vfs() as vfs:
        vfs.mount_bytes(data, game)
        things = vfs.glob("*/THINGS")
        assert len(things) == maps
        for path in things:
            marker = path.partition("/")[0]
            at = [name for name, _ in lumps].index(marker.encode())
            assert vfs.read(path) == lumps[at + 1][1]
            assert vfs.read(f"{marker}/BLOCKMAP") == lumps[at + 10][1]
        assert len(vfs.glob("**")) == len(lumps)


def test_an_mpq_is_never_written(run: Run, tmp_path: Path) -> None:
    """ladislav-zezula/StormLib#71: malformed archives are opened to be read only; here all are."""
    assert "MPQ" not in WRITERS
    (tmp_path / "in.wad").write_bytes(OLD)
    ran = run("convert", tmp_path / "in.wad", tmp_path / "out.mpq", "--format", "MPQ")
    assert ran.status == 2
    assert not (tmp_path / "out.mpq").exists()


@pytest.mark.parametrize("version", [0, 1, 3, 0xFFFFFFFF])
def test_an_ewad_of_another_version_is_refused_by_its_number(version: int) -> None:
    """GDRETools/gdsdecomp#236, GodotPckTool#40: tools read and wrote a version that they did not know."""
    with pytest.raises(MalformedError) as caught:
        open_archive(ewad.with_header(ewad.build([ewad.Written(b"a")]), version=version))
    assert (caught.value.code, caught.value.entry) == ("version", None)
    assert str(version) in str(caught.value)
