"""Project folders in which a real `doit` runs, as a process of its own with all warnings as errors."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.builders.programs import python

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PROGRAMS = Path(sys.executable).parent
LOADER = '[tool.doit]\nloader = "lumpyard"\n'
TWO_LINES = """\
from lumpyard.doit_plugin import asset_tasks
globals().update(asset_tasks("assets.yaml"))
"""
MANIFEST = """\
version: 1
sets:
  texts: {root: assets, files: "texts/*.txt", rule: text, type: TEXT, schema: 2}
  blobs: {root: assets, files: "blobs/*.bin"}
archives:
  base: {sets: [texts]}
  dlc: {sets: [blobs]}
"""
FILES = {
    "assets/texts/a.txt": b"alpha\r\n" * 20,
    "assets/texts/b.txt": b"beta\n" * 20,
    "assets/blobs/x.bin": bytes(range(256)) * 3,
}
UNWANTED = ("LUMPYARD_", "PYTHON", "CI", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "GITHUB_", "COV")
# doit itself leaves the pipes of shell actions to the garbage collector, and its database where it only looks, of
# which Python speaks since 3.13.
_PIPES = ",".join(f"ignore::ResourceWarning:doit.{module}" for module in ("task", "action", "runner"))
WARNINGS = f"error,{_PIPES},ignore:unclosed database:ResourceWarning"
PATIENCE = 120.0  # seconds, for machines that are busy


class Ran(NamedTuple):
    """What came of one run; the signal that ended it is its negative status."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """What stands on standard output, without empty lines."""
        return [line for line in self.out.splitlines() if line.strip()]

    def ok(self) -> Ran:
        """This run, which went well and told of nothing else."""
        assert (self.status, self.err) == (0, ""), self
        return self


class Repo:
    """A game repository."""

    def __init__(
        self,
        folder: Path,
        *,
        dodo: str = "",
        pyproject: str | None = None,
        manifest: str = MANIFEST,
        files: Mapping[str, bytes] = FILES,
    ) -> None:
        self.folder = folder
        self.write({"assets.yaml": manifest.encode(), **files})
        if dodo:
            self.write({"dodo.py": dodo.encode()})
        if not dodo or pyproject is not None:
            self.write({"pyproject.toml": (LOADER if pyproject is None else pyproject).encode()})

    def write(self, files: Mapping[str, bytes]) -> None:
        for path, data in files.items():
            target = self.folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)

    def read(self, path: str) -> bytes:
        return (self.folder / path).read_bytes()

    def exists(self, path: str) -> bool:
        return (self.folder / path).exists()

    def json(self, path: str) -> Any:
        return json.loads(self.read(path))

    def start(
        self, program: str, *args: str, below: str = "", before: Sequence[str] = (), **environ: str
    ) -> Running:
        """A process that runs a program, itself started by the words `before`."""
        return Running(self.folder / below, [*before, str(PROGRAMS / program), *args], environ)

    def doit(self, *args: str, below: str = "", **environ: str) -> Ran:
        return self.start("doit", *args, below=below, **environ).wait()

    def lumpyard(self, *args: str, **environ: str) -> Ran:
        return self.start("lumpyard", *args, **environ).wait()

    def states(self) -> dict[str, str]:
        """What `doit list` says of each task: R (to run) or U (up to date)."""
        listed = self.doit("list", "--all", "--status").ok()
        return {line.split()[1]: line.split()[0] for line in listed.lines}

    def leftovers(self) -> list[str]:
        """Files that are not whole yet."""
        return [str(path) for path in self.folder.rglob("*.lumpyard-tmp")]


def environment(more: Mapping[str, str]) -> dict[str, str]:
    """The variables of a process: nothing of a CI or of this test run, and all warnings are errors."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(UNWANTED)}
    return {**kept, "PYTHONWARNINGS": WARNINGS, **more}


class Running:
    """A process that runs."""

    def __init__(self, folder: Path, command: Sequence[str], environ: Mapping[str, str]) -> None:
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment(environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def wait(self) -> Ran:
        """What comes of it; nothing that it started may still hold its output."""
        try:
            out, err = self.process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            raise
        return Ran(self.process.returncode, out.decode(errors="replace"), err.decode(errors="replace"))

    def first_line(self) -> str:
        """Its next line on standard output, as soon as it is there."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().decode().rstrip("\n")

    def signal(self, number: int, *, group: bool = False) -> None:
        """Send a signal, to the process alone or, as a terminal does, to its group."""
        (os.killpg if group else os.kill)(self.process.pid, number)


class SlowTool:
    """A tool that says that it runs, and does not end while it is to be slow."""

    def __init__(self, folder: Path) -> None:
        self.started = folder / "started"
        self._slow = folder / "slow"
        folder.mkdir(parents=True, exist_ok=True)
        self._slow.touch()
        self.program = python(
            folder / "cooker", _TOOL.format(started=str(self.started), slow=str(self._slow))
        )

    def wait_until_it_runs(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while not self.started.exists():
            assert time.monotonic() < deadline
            time.sleep(0.01)

    def let_go(self) -> None:
        self._slow.unlink()

    def manifest(self, rest: str = "") -> str:
        """A manifest whose archive `slow` needs the tool, and `quick` does not."""
        return f"""\
version: 1
tools:
  cooker: {{program: "{self.program}", identity: version, version: ["--version"]}}
sets:
  quick: {{root: assets, files: "blobs/*.bin"}}
  slow:
    root: assets
    files: "texts/*.txt"
    rule: command
    options: {{tool: cooker, args: ["{{in}}", "{{out}}"], outputs: ["{{stem}}.out"]}}
archives:
  quick: {{sets: [quick]}}
  slow: {{sets: [slow]}}
{rest}"""


_TOOL = """\
import pathlib, sys, time
if sys.argv[1] == "--version":
    print("cooker 1")
    raise SystemExit
source, target = map(pathlib.Path, sys.argv[1:])
pathlib.Path({started!r}).touch()
while pathlib.Path({slow!r}).exists():
    time.sleep(0.01)
target.write_bytes(source.read_bytes().upper())
"""
