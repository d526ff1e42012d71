"""Whatever is edited, damaged, deleted and built in whatever order: an archive is what the plain writer makes.

The model is a dict of files and a few settings; what must come of them is worked out here, from the rules' texts in
tests/builders/local_rules.py, and not by the engine.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule
from tests.builders.local_rules import PARTS, SLOW, WORDING
from tests.builders.projects import Game, Lump, Ran, expected, leftovers

WORDS = b"one word and another word and one word more, "
CONTENTS = [b"", b"x", WORDS, WORDS * 5, WORDS + b"\n" + WORDS * 2, bytes(range(200)), b"x" * len(WORDS)]
NAMES = ["art/a", "art/b", "art/c", "slow/a", "slow/b", "parts/a", "parts/b"]
FOLDERS = ("art", "slow", "parts")
POLICIES: dict[str, dict[str, Any]] = {
    "none": {"codec": "none"},
    "lz4": {"codec": "lz4", "min_saving": 0},
    "lz4hc": {"codec": "lz4hc", "min_saving": 0},
    "auto": {"codec": "lz4", "min_saving": 5},
}
STATE = [
    ".lumpyard/built/pack/base.rec",
    ".lumpyard/built/ship/base.rec",
    ".lumpyard/state/pack/base.state",
    ".lumpyard/state/ship/base.state",
    ".lumpyard/fingerprints",
    "build/base.ewad",
    "build/archives.json",
    "dist/base.ewad",
    "symbols/base.ewsym",
    "archives.lock",
]


class Builds(RuleBasedStateMachine):
    """One project under many hands."""

    def __init__(self) -> None:
        super().__init__()
        self.top = Path(tempfile.mkdtemp(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None))
        self.game = Game(self.top, {})
        self.files: dict[str, bytes] = {}
        self.compress: dict[str, str] = dict.fromkeys(FOLDERS, "auto")
        self.archive: dict[str, Any] = {"alignment": 16, "dedupe": False}
        self.said: dict[str, Any] = {}
        self.word = b"slowly"

    def teardown(self) -> None:
        shutil.rmtree(self.top)

    @initialize()
    def start(self) -> None:
        self.game.write({"tools/parts.py": PARTS, "tools/slow.py": SLOW, "tools/wording.py": WORDING})
        self._say()

    def _say(self) -> None:
        sets = {
            folder: {
                "files": f"{folder}/*",
                "optional": True,
                "rule": rule,
                "compress": self.compress[folder],
            }
            for folder, rule in zip(FOLDERS, ("raw", "slow", "parts"), strict=True)
        }
        sets["art"] |= self.said
        self.game.set_manifest(
            {
                "rules": ["tools/parts.py", "tools/slow.py"],
                "sets": sets,
                "archives": {
                    "base": {"sets": list(FOLDERS), **self.archive},
                    "some": {"sets": ["art", "parts"], "only": ["**/head", "art/a"]},
                },
            }
        )

    @rule(name=st.sampled_from(NAMES), data=st.sampled_from(CONTENTS))
    def write(self, name: str, data: bytes) -> None:
        self.files[name] = data
        self.game.write({name: data})

    @rule(name=st.sampled_from(NAMES), data=st.sampled_from(CONTENTS))
    def write_and_keep_the_mtime(self, name: str, data: bytes) -> None:
        if name in self.files:
            before = (self.top / name).stat()
            self.write(name, data)
            os.utime(self.top / name, ns=(before.st_atime_ns, before.st_mtime_ns))

    @rule(name=st.sampled_from(NAMES))
    def delete(self, name: str) -> None:
        if self.files.pop(name, None) is not None:
            (self.top / name).unlink()

    @rule(name=st.sampled_from(NAMES), to=st.sampled_from(NAMES))
    def rename(self, name: str, to: str) -> None:
        if name in self.files:
            (self.top / to).parent.mkdir(exist_ok=True)
            (self.top / name).replace(self.top / to)
            self.files[to] = self.files.pop(name)

    @rule(folder=st.sampled_from(FOLDERS), policy=st.sampled_from(sorted(POLICIES)))
    def compress_otherwise(self, folder: str, policy: str) -> None:
        self.compress[folder] = policy
        self._say()

    @rule(alignment=st.sampled_from([1, 16, 64]), dedupe=st.booleans())
    def lay_out_otherwise(self, alignment: int, dedupe: bool) -> None:
        self.archive = {"alignment": alignment, "dedupe": dedupe}
        self._say()

    @rule(said=st.sampled_from([{}, {"type": "ABCD"}, {"schema": 5}, {"alignment": 128}]))
    def say_otherwise(self, said: dict[str, Any]) -> None:
        self.said = said
        self._say()

    @rule(word=st.sampled_from([b"slowly", b"slower"]))
    def change_the_rule(self, word: bytes) -> None:
        self.word = word
        self.game.write({"tools/wording.py": WORDING.encode().replace(b"slowly", word)})

    @rule(path=st.sampled_from(STATE), size=st.integers(0, 400), at=st.integers(0, 2000))
    def damage(self, path: str, size: int, at: int) -> None:
        """Cut, turn a byte over, or delete: the size says which. A damaged lock is an error, so it is deleted."""
        target = self.top / path
        if not target.exists():
            return
        data = bytearray(target.read_bytes())
        if size > 300 or not data or path == "archives.lock":
            target.unlink()
        elif size > 150:
            target.write_bytes(data[:at])
        else:
            data[at % len(data)] ^= 1 << at % 8
            target.write_bytes(data)

    @rule(at=st.integers(0, 4000))
    def damage_the_store(self, at: int) -> None:
        for path in (self.top / ".lumpyard/store").glob("*.seg"):
            data = bytearray(path.read_bytes())
            if at < len(data):
                data[at] ^= 0x40
                path.write_bytes(data)

    @rule(path=st.sampled_from(["store", "built", "state", ""]))
    def delete_a_folder_of_ours(self, path: str) -> None:
        shutil.rmtree(self.top / ".lumpyard" / path, ignore_errors=True)

    @rule()
    def forget(self) -> None:
        self.game.stamps.clear()

    @rule()
    def ship(self) -> None:
        self._check("ship:base", "dist/base.ewad", self._lumps(), **self.archive)

    @rule()
    def pack(self) -> None:
        self._check("pack:base", "build/base.ewad", self._lumps(), **self.archive)

    @rule()
    def ship_some(self) -> None:
        lumps = [lump for lump in self._lumps() if lump.name == "art/a" or lump.name.endswith("/head")]
        self._check("ship:some", "dist/some.ewad", lumps)

    @rule()
    def build_both(self) -> None:
        self.pack()
        self.ship()

    def _check(self, task: str, path: str, lumps: list[Lump], **archive: Any) -> None:
        self.game.run(task)
        assert self.game.read(path) == expected(lumps, named=task.startswith("pack"), **archive)
        assert self.game.run(task) == {task: Ran()}
        assert leftovers(self.top) == []

    def _lumps(self) -> list[Lump]:
        lumps = []
        for name, data in self.files.items():
            folder = name.partition("/")[0]
            policy = POLICIES[self.compress[folder]]
            if folder == "art":
                said = {"fourcc" if key == "type" else key: value for key, value in self.said.items()}
                lumps.append(Lump(name, data, **policy, **said))
            elif folder == "slow":
                lumps.append(Lump(name, self.word + b": " + data, **policy, fourcc="SLOW"))
            else:
                head, _, tail = data.partition(b"\n")
                lumps.append(Lump(f"{name}/head", head, **policy, fourcc="HEAD", schema=7))
                lumps.append(Lump(f"{name}/tail", tail, **policy, fourcc="TAIL", schema=2))
        return lumps


TestBuilds = Builds.TestCase
TestBuilds.settings = settings(max_examples=25, stateful_step_count=25)
