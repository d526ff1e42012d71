"""The law of source archives over any edits: after each the bytes of a clean build, and no cook that was not needed."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import plain
from tests.builders.projects import Game, Lump, Ran, clean_build, expected

NAMES = ("t/a.txt", "t/b.txt", "t/c/d.txt", "u.txt")
TEXTS = (b"one\n", b"two\n", b"six\n", b"a longer text\n")  # three of one size
FAST = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
PLACES = ("low.pak", "high.pak", "")  # two archives, and the project's own files

edits = st.lists(
    st.one_of(
        st.tuples(
            st.sampled_from(PLACES), st.sampled_from(NAMES), st.one_of(st.none(), st.sampled_from(TEXTS))
        ),
        st.tuples(st.just("mounts"), st.permutations(["low.pak", "high.pak"]), st.sampled_from(["", "t"])),
        st.tuples(st.just("touch"), st.sampled_from(["low.pak", "high.pak"]), st.just("")),
    ),
    min_size=1,
    max_size=6,
)


def manifest(order: list[str], at: str) -> dict[str, Any]:
    mounts: list[Any] = [order[0], {"path": order[1], "at": at} if at else order[1]]
    return {
        "mounts": mounts,
        "sets": {
            "texts": {"files": ["**/*.txt"], "rule": "text"},
            "high": {
                "files": "high.pak",
                "rule": "archive",
                "options": {"rule": "text"},
                "name": "high/{path}",
            },
        },
        "archives": {"base": {"sets": ["texts", "high"]}},
    }


class World:
    """The project, and what is in each place."""

    def __init__(self, folder: Path) -> None:
        self.files: dict[str, dict[str, bytes]] = {
            "low.pak": {"t/a.txt": b"one\n", "u.txt": b"one\n"},
            "high.pak": {"t/a.txt": b"two\n"},
            "": {"t/b.txt": b"six\n"},
        }
        self.order, self.at = ["low.pak", "high.pak"], ""
        self.game = Game(folder, manifest(["low.pak", "high.pak"], ""))
        for place in PLACES:
            self.write(place)

    def write(self, place: str) -> None:
        """In place, with the mtime as it was where the size allows: as the worst of tools."""
        if not place:
            shutil.rmtree(self.game.folder / "t", ignore_errors=True)
            (self.game.folder / "u.txt").unlink(missing_ok=True)
            self.game.write(self.files[""])
            return
        data = plain.pak([(name.encode(), raw) for name, raw in self.files[place].items()])
        path = self.game.folder / place
        before = path.stat() if path.exists() else None
        with path.open("r+b" if before else "wb") as file:
            file.write(data)
            file.truncate()
        if before and before.st_size == len(data):
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    def edit(self, edit: tuple[Any, ...]) -> None:
        what, subject, value = edit
        if what == "mounts":
            self.order, self.at = subject, value
            self.game.set_manifest(manifest(subject, value))
        elif what == "touch":
            os.utime(self.game.folder / subject, (1_000_000_000, 1_000_000_000))
        else:
            lumps = self.files[what]
            if value is None:
                if len(lumps) > 1:
                    lumps.pop(subject, None)
            else:
                lumps[subject] = value
            self.write(what)

    def lumps(self) -> dict[str, bytes]:
        """What must come of it: "later ones above earlier ones", all above the project."""
        seen = dict(self.files[""])
        for place in self.order:
            prefix = f"{self.at}/" if self.at and place == self.order[1] else ""
            seen.update({prefix + name: raw for name, raw in self.files[place].items()})
        return {**seen, **{f"high/{name}": raw for name, raw in self.files["high.pak"].items()}}

    def wanted(self) -> bytes:
        return expected([Lump(name, raw, fourcc="TEXT", schema=1) for name, raw in self.lumps().items()])


@settings(max_examples=20, deadline=None)
@given(edits)
def test_after_any_edits_the_bytes_are_right_and_nothing_is_cooked_twice(
    steps: list[tuple[Any, ...]],
) -> None:
    with tempfile.TemporaryDirectory(dir=FAST) as top:
        world = World(Path(top) / "game")
        world.game.ship()
        for step in steps:
            before = set(world.lumps().values())
            world.edit(step)
            fresh = [raw for raw in world.lumps().values() if raw not in before]
            assert world.game.ship().cooked <= len(fresh)
            assert world.game.read("dist/base.ewad") == world.wanted()
            assert world.game.ship() == Ran()
        assert world.game.outputs() == clean_build(world.game.folder, Path(top) / "clean", "ship:base")
