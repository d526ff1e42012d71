"""What is compared with what: for each work its commands, how each round is prepared, and what must come of it.

The commands of a work take turns, A B C A B C, on the same data. Before each run of one that must begin with nothing,
the outputs of all of them are removed and the disk is left to settle.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import make_data
from measure import CommandError, Values, run
from projects import IMAGE, ZIP, Changes, Project

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SQUASH = "mksquashfs lz4"
SQUASH_HIGH = "mksquashfs lz4 -Xhc"
SHIP = "doit ship"


class Target(NamedTuple):
    """The most that ours may be: so many times theirs, an absolute value, or the larger of both."""

    times: float | None = None
    most: float | None = None

    def limit(self, theirs: float | None) -> float | None:
        """In the unit of the values; None where there is nothing to hold it against."""
        if self.times is None or theirs is None:
            return self.most
        return max(self.times * theirs, self.most or 0.0)


class Row(NamedTuple):
    """A line of the table."""

    title: str
    ours: str  # name of a side
    theirs: str  # name of a side, or ""
    target: Target = Target()  # none: for information
    value: str = "wall"


def nothing(_round: int) -> None:
    """No preparation."""


def no_values(_printed: str) -> Values:
    """Nothing to see in what a command printed."""
    return {}


@dataclass(frozen=True, slots=True)
class Side:
    """A command that takes its turn."""

    name: str
    command: Sequence[str]
    folder: str
    prepare: Callable[[int], None] = nothing
    read: Callable[[str], Values] = no_values  # checks what was printed, and may add values
    program: str = ""  # that must be installed, where that isn't the command's first word


@dataclass(frozen=True, slots=True)
class Work:
    """Commands to be compared, and what to say of them."""

    name: str
    sides: Sequence[Side]
    rows: Sequence[Row]
    set_up: Callable[[], None]
    finish: Callable[[], None] = lambda: None
    warm_up: bool = True  # one more round that isn't counted; slow ones only have their sources read


class Suite:
    """The works over the data in a folder."""

    def __init__(self, data: str, sizes: make_data.Sizes) -> None:
        self._data = data
        self._sizes = sizes
        self._projects: dict[str, Project] = {}
        small = f"{sizes.small_files:,} files of 1 to 16 KiB"
        large = f"{sizes.large_files} files of {sizes.large_size / 1e6:.0f} MB"
        self._titles = {"S": small, "M": "Freedoom's lumps", "L": large}
        self._small = f"{sizes.small_files:,} files"
        self.makers: dict[str, Callable[[], Work]] = {
            "cold-S": lambda: self._cold("S", 1.0),
            "change": self._change,
            "nothing": self._nothing,
            "cold-M": lambda: self._cold("M", 1.3),
            "cold-L": lambda: self._cold("L", 1.05),
            "hc-S": lambda: self._high("S"),
            "hc-M": lambda: self._high("M"),
            "memory": self._memory,
            "open": self._open,
            "hc-L": lambda: self._high("L"),  # minutes
        }
        if not make_data.has_wads(sizes):
            del self.makers["cold-M"], self.makers["hc-M"]
        if sizes is not make_data.FULL:
            del self.makers["hc-L"]

    def _project(self, name: str) -> Project:
        if name not in self._projects:
            self._projects[name] = Project(os.path.dirname(self._made(name)))
        return self._projects[name]

    def _made(self, name: str) -> str:
        """The folder with the files of a set. Another process makes them: see measure.py on memory."""
        quick = ["--quick"] if self._sizes is make_data.QUICK else []
        program = [sys.executable, os.path.join(make_data.HERE, "make_data.py")]
        if subprocess.run([*program, name, "--data", self._data, *quick], check=False).returncode:
            raise CommandError(f"set {name} could not be made in {self._data}")
        return os.path.join(self._data, name, "files")

    def _cold(self, name: str, times: float) -> Work:
        project, title = self._project(name), f"cold ship, {self._titles[name]}"
        sides = [cold(project), squash(SQUASH, project, "")]
        rows = [Row(title, SHIP, SQUASH, Target(times))]
        if name == "L":
            rows.append(Row(f"peak memory, {self._titles[name]}", SHIP, SQUASH, Target(None, 280e6), "rss"))
        else:
            command = f"zip -1 -r -q {ZIP} files && sync {ZIP}"
            sides.append(Side("zip -1", shell(command), project.folder, wiping(project), program="zip"))
            rows.append(Row(title, SHIP, "zip -1"))
        return Work(f"cold-{name}", sides, rows, project.set_up)

    def _high(self, name: str) -> Work:
        project = self._project(name)
        title = f"the same with LZ4 HC 9, {self._titles[name]}"
        return Work(
            f"hc-{name}",
            [cold(project), squash(SQUASH_HIGH, project, "-Xhc")],
            [Row(title, SHIP, SQUASH_HIGH, Target(0.5))],
            lambda: (project.set_up(high=True), project.warm())[0],
            warm_up=False,
        )

    def _memory(self) -> Work:
        project, sizes = self._project("P"), self._sizes
        title = f"peak memory, {sizes.huge_size >> 20} MiB raw and {sizes.limit_size >> 20} MiB lumps"
        return Work(
            "memory",
            [cold(project), squash(SQUASH, project, "")],
            [Row(title, SHIP, SQUASH, Target(None, 280e6), "rss")],
            project.set_up,
            warm_up=False,
        )

    def _change(self) -> Work:
        project = self._project("S")
        changes, ninja = Changes(project), project.write_ninja()

        def set_up() -> None:
            project.set_up()
            ninja_until_fresh(ninja)

        one = Side("one changed", doit("ship"), project.folder, changes.change, made_anew(project, 1))
        edge = Side("ninja, one edge", ["ninja", "-j2"], ninja, read=says(r"\[1/1\]"))
        title = f"one of {self._small} changed"
        return Work(
            "change",
            [cold(project), one, edge],
            [
                Row(f"{title}; theirs: cold", "one changed", SHIP, Target(0.5)),
                Row(title, "one changed", edge.name),
            ],
            set_up,
            changes.undo,
        )

    def _nothing(self) -> Work:
        project = self._project("S")
        ninja = project.write_ninja()

        def set_up() -> None:
            project.set_up()
            for _ in range(2):  # what was changed a moment ago is looked at once more
                run(doit("ship"), project.folder)
                time.sleep(0.05)
            ninja_until_fresh(ninja)

        return Work(
            "nothing",
            [
                Side("nothing to do", doit("ship"), project.folder, read=says("-- ship:base")),
                Side("ninja, no-op", ["ninja", "-j2"], ninja, read=says("no work to do")),
            ],
            [Row(f"nothing to do, {self._small}", "nothing to do", "ninja, no-op", Target(2.0, 0.25))],
            set_up,
        )

    def _open(self) -> Work:
        folder = self._made("E")
        lumps = f"an EWAD of {self._sizes.lumps:,} named lumps"
        program = os.path.join(make_data.HERE, "open_archive.py")
        sides = [
            Side(name, [sys.executable, program, f"lumps.{suffix}"], folder, read=json.loads)
            for name, suffix in (("view", "ewad"), ("zipfile", "zip"))
        ]
        rows = [
            Row(f"open and validate {lumps}", "view", "zipfile", Target(None, 0.15), "open"),
            Row("lookup in it by name", "view", "zipfile", Target(None, 3e-6), "lookup"),
        ]
        return Work("open", sides, rows, lambda: None)


def doit(*arguments: str) -> list[str]:
    """doit of the environment that this program runs in."""
    script = os.path.join(os.path.dirname(sys.executable), "doit")
    return [script, *arguments] if os.path.exists(script) else [sys.executable, "-m", "doit", *arguments]


def shell(command: str) -> list[str]:
    """A command line."""
    return ["sh", "-c", command]


def cold(project: Project) -> Side:
    """`doit ship` where nothing was ever built."""
    return Side(SHIP, doit("ship"), project.folder, wiping(project), made_anew(project))


def squash(name: str, project: Project, options: str) -> Side:
    """mksquashfs of the same files, its image brought to the device as a shipped archive is."""
    command = f"mksquashfs files {IMAGE} -comp lz4 {options} -processors 2 -noappend && sync {IMAGE}"
    return Side(name, shell(command), project.folder, wiping(project), program="mksquashfs")


def wiping(project: Project) -> Callable[[int], None]:
    """Removes what any command made."""
    return lambda _round: project.wipe()


def made_anew(project: Project, lumps: int | None = None) -> Callable[[str], Values]:
    """Sees that so many of the project's lumps were made anew, and no other; default all.

    Of lumps with equal contents one may be enough: what is costly to make is found in the store by the others.
    """
    most = len(project.sources()) if lumps is None else lumps

    @cache
    def least() -> int:
        return project.contents() if lumps is None else lumps

    def read(printed: str) -> Values:
        told = [
            int(number.replace(",", "")) for number in re.findall(r"([\d,]+)(?: lumps?)? made anew", printed)
        ]
        if len(told) != 1 or told[0] > most or (told[0] < most and told[0] < least()):
            raise CommandError(f"{most} lumps should be made anew, but:\n{printed[-2000:]}")
        return {}

    return read


def says(pattern: str) -> Callable[[str], Values]:
    """Sees that what was printed has a line like this."""

    def read(printed: str) -> Values:
        if not re.search(pattern, printed):
            raise CommandError(f"there is no {pattern!r} in what was printed:\n{printed[-2000:]}")
        return {}

    return read


def ninja_until_fresh(folder: str) -> None:
    """Make what ninja has to make; the first time, that is every file."""
    if shutil.which("ninja"):
        run(["ninja", "-j2", "--quiet"], folder)
