"""Programs and data that nobody here wrote, and what to say when one is not there.

All of them are packages of Debian and Ubuntu. In CI a judge that is not there is a failure: what no one else reads is
not known to be right. Elsewhere its tests are skipped, and the last line of the run says what to install for them.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest
from tests.builders import demos

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

GAMES = "/usr/games"  # where Debian keeps some of these programs, and not on everyone's PATH
WADS = {  # file -> Debian's package
    "freedoom1": (Path("/usr/share/games/doom/freedoom1.wad"), "freedoom"),
    "freedoom2": (Path("/usr/share/games/doom/freedoom2.wad"), "freedoom"),
    "freedm": (Path("/usr/share/games/doom/freedm.wad"), "freedm"),
}
QUAKE_PAK = (Path("/usr/share/games/quake/quakespasm.pak"), "quakespasm")
PHYSFS = Path(__file__).with_name("physfs.py")


def demand(there: object, what: str, package: str) -> None:
    """Where something is not there, `do_without` it, in one line that says what to install."""
    if not there:
        do_without(f"{what} is not there: apt install {package}")


def do_without(why: str) -> NoReturn:
    """Fail in CI, which has all there is; skip the test elsewhere."""
    if os.environ.get("CI"):
        pytest.fail(why, pytrace=False)
    pytest.skip(why)


def data_of(path: Path, package: str) -> bytes:
    """The bytes of a file that a Debian package brings."""
    demand(path.exists(), str(path), package)
    return path.read_bytes()


def game(name: str) -> bytes:
    """The bytes of a WAD in `WADS`."""
    return data_of(*WADS[name])


def program(name: str, package: str) -> str:
    """The path of a program."""
    found = shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), GAMES]))
    demand(found, name, package)
    assert found
    return found


def run(
    command: Sequence[str], folder: Path, *, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """A judge, run in a folder that is its home too, without screen, sound and input."""
    quiet = {"HOME": str(folder), "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
    return subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **quiet, **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=120,
    )


def ghost(iwad: Path, map_name: str, folder: Path, *, pwad: Path | None = None) -> bytes:
    """What dsda-doom's player saw of a map: 36 bytes a tic; empty where the map does not run.

    `folder` is for this run alone.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "walk.lmp").write_bytes(demos.demo(map_name))
    command = [program("dsda-doom", "dsda-doom"), "-iwad", str(iwad)]
    if pwad:
        command += ["-file", str(pwad)]
    command += ["-fastdemo", "walk", "-nodraw", "-nosound", "-nomusic", "-export_ghost", "walk"]
    done = run(command, folder)
    return (folder / "walk.gst").read_bytes() if done.returncode == 0 else b""


def dissected(wad: Path, folder: Path) -> dict[str, bytes]:
    """The files that `deutex -xtract` makes of a WAD, by path; empty where deutex refuses it.

    It is told of paths below its own folder alone: it cannot take long ones.
    """
    (folder / "game").mkdir(parents=True)
    (folder / "out").mkdir()
    iwad = WADS["freedoom2"]
    demand(iwad[0].exists(), str(iwad[0]), iwad[1])
    (folder / "game" / "doom2.wad").symlink_to(iwad[0])  # it looks for its IWAD by the old name
    (folder / "it.wad").symlink_to(wad)
    deutex = program("deutex", "deutex")
    done = run([deutex, "-doom2", "game", "-dir", "out", "-xtract", "it.wad"], folder)
    return files_below(folder / "out") if done.returncode == 0 else {}


def files_below(folder: Path) -> dict[str, bytes]:
    """The bytes of each file, by its path below a folder."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def rebuilt(wad: Path, folder: Path) -> tuple[int, bytes]:
    """The status of `zdbsp` on a WAD, 0 where it can read it, and the WAD that it writes.

    It prunes nothing and makes REJECT empty: asked for the first alone, version 1.19 crashes on maps whose REJECT is
    empty already.
    """
    out = folder / "rebuilt.wad"
    done = run([program("zdbsp", "zdbsp"), "-q", "-r", "-t", "-o", str(out), str(wad)], folder)
    return done.returncode, out.read_bytes() if out.exists() else b""


def mounted(archive: Path) -> list[tuple[str, int, str]] | None:
    """Path, size and SHA-256 of all that PhysFS finds in an archive, by path; None where it refuses it."""
    demand(has_physfs(), "libphysfs.so.1", "libphysfs1")
    done = run([sys.executable, str(PHYSFS), str(archive)], archive.parent)
    if done.returncode == 1:
        return None
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return sorted((path, size, digest) for path, size, digest in json.loads(done.stdout))


@cache
def has_physfs() -> bool:
    """Whether the library can be loaded."""
    try:
        ctypes.CDLL("libphysfs.so.1")
    except OSError:
        return False
    return True


def served(pak: bytes, commands: Sequence[str], folder: Path) -> list[str]:
    """The lines that a DarkPlaces server says with a PAK as its game, after commands of its console."""
    (folder / "game" / "id1").mkdir(parents=True)
    (folder / "game" / "id1" / "pak0.pak").write_bytes(pak)
    where = ["-basedir", str(folder / "game"), "-userdir", str(folder / "home")]
    server = program("darkplaces-server", "darkplaces-server")
    done = run([server, *where, *(f"+{command}" for command in [*commands, "quit"])], folder)
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return done.stdout.decode(errors="replace").splitlines()
