"""The engine of tests/engine/engine.c: compiled once a session, with all warnings and sanitizers, and called.

A missing compiler is a failure, not a skip: the archives that ship are worth nothing if no engine reads them.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SOURCE = Path(__file__).parent.parent / "engine" / "engine.c"
COMPILE = [
    *("cc", "-std=c11", "-g", "-O1", "-Wall", "-Wextra", "-Werror", "-Wconversion"),
    *("-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
]


class Engine(NamedTuple):
    """A compiled engine."""

    program: str

    def check(self, *archives: Path | str) -> list[str]:
        """The verdict on each archive: "ok", or "malformed" or "unsupported" with ": " and the reason."""
        if not archives:
            return []
        done = self._run("check", *map(str, archives))
        assert done.returncode in {0, 1}, done.stderr
        verdicts = done.stdout.decode().splitlines()
        assert len(verdicts) == len(archives), done.stderr
        assert (done.returncode == 0) == (set(verdicts) == {"ok"})
        return verdicts

    def cat(self, archive: Path | str, name: bytes) -> bytes | None:
        """The raw bytes of a lump; None when there is none or it is damaged."""
        done = self._run("cat", str(archive), name)
        assert done.returncode in {0, 1}, done.stderr
        return done.stdout if done.returncode == 0 else None

    def compare(self, archive: Path | str, expected: Path | str) -> str:
        """ "" when every lump is byte for byte the file that a list (`write_list`) says, else what is not."""
        done = self._run("compare", str(archive), str(expected))
        assert done.returncode in {0, 1}, done.stderr
        return "" if done.returncode == 0 else done.stderr.decode(errors="replace")

    def _run(self, *args: str | bytes) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([self.program, *args], capture_output=True, check=False, timeout=120)


def compiled(folder: Path) -> Engine:
    """An engine, its program in a folder (a session's `tmp_path_factory.mktemp("engine")`)."""
    program = folder / "engine"
    done = subprocess.run(
        [*COMPILE, "-o", str(program), str(SOURCE)], capture_output=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return Engine(str(program))


def write_list(path: Path, files: Mapping[bytes, Path | str]) -> Path:
    """A list for `compare`: the file that each lump, by name, must equal."""
    path.write_bytes(
        b"".join(
            _escaped(name) + b"\t" + _escaped(str(file).encode()) + b"\n" for name, file in files.items()
        )
    )
    return path


def _escaped(text: bytes) -> bytes:
    return b"".join(bytes([byte]) if 32 <= byte < 127 and byte != 92 else b"\\x%02x" % byte for byte in text)


def verdicts_of(engine: Engine, folder: Path, archives: Sequence[bytes]) -> list[str]:
    """The bare verdicts on archives in memory: "ok", "malformed", "unsupported"."""
    paths = [folder / f"{number}.ewad" for number in range(len(archives))]
    for path, data in zip(paths, archives, strict=True):
        path.write_bytes(data)
    return [verdict.partition(":")[0] for verdict in engine.check(*paths)]
