"""The folders that the commands run in: a project for doit, and the same files for ninja."""

from __future__ import annotations

import hashlib
import os
import shutil
from typing import NamedTuple

MANIFEST = """version: 1
sets:
  all: {root: files, files: "**/*", type: DATA, schema: 1}
archives:
  base: {sets: [all]}
"""
HIGH = "ship:\n  compress: {codec: lz4hc, level: 9}\n"
SETTINGS = '[tool.doit]\nloader = "lumpyard"\n'
IMAGE, ZIP = "image.squashfs", "image.zip"
MADE = (".lumpyard", "build", "dist", "symbols", "archives.lock", IMAGE, ZIP)


class Project(NamedTuple):
    """A folder with sources in `files`, shipped as one archive of one lump set."""

    folder: str

    def set_up(self, *, high: bool = False) -> None:
        """Write manifest and settings; with `high`, release archives are compressed with LZ4 HC 9."""
        self.wipe()
        _write(os.path.join(self.folder, "assets.yaml"), MANIFEST + (HIGH if high else ""))
        _write(os.path.join(self.folder, "pyproject.toml"), SETTINGS)

    def wipe(self) -> None:
        """Remove all that any command made, and let the disk finish with it: nobody pays for the one before."""
        for name in MADE:
            path = os.path.join(self.folder, name)
            if os.path.isdir(path):
                shutil.rmtree(path)
            elif os.path.exists(path):
                os.remove(path)
        os.sync()

    def sources(self) -> list[str]:
        """Paths of the files, from the project's folder, sorted."""
        top = os.path.join(self.folder, "files")
        return sorted(
            os.path.relpath(os.path.join(parent, name), self.folder)
            for parent, _, names in os.walk(top)
            for name in names
        )

    def contents(self) -> int:
        """How many of the files differ."""
        found = set()
        for path in self.sources():
            with open(os.path.join(self.folder, path), "rb") as file:
                found.add(hashlib.file_digest(file, "sha256").digest())
        return len(found)

    def warm(self) -> None:
        """Read every file once."""
        for path in self.sources():
            with open(os.path.join(self.folder, path), "rb") as file:
                while file.read(1 << 20):
                    pass

    def write_ninja(self) -> str:
        """The folder of a ninja project that copies each file, an edge for each."""
        folder = os.path.join(self.folder, "ninja")
        os.makedirs(folder, exist_ok=True)
        edges = [f"build out/{path}: copy ../{path}\n" for path in self.sources()]
        _write(os.path.join(folder, "build.ninja"), f"rule copy\n  command = cp $in $out\n{''.join(edges)}")
        return folder


class Changes:
    """Files that are changed, each by one byte, and at the end are as they were."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._paths = project.sources()
        self._kept: dict[str, bytes] = {}

    def change(self, number: int) -> None:
        """Change one file; another one for each number."""
        path = os.path.join(self._project.folder, self._paths[number * 7919 % len(self._paths)])
        with open(path, "r+b") as file:
            data = file.read()
            self._kept.setdefault(path, data)
            file.seek(0)
            file.write(bytes([data[0] ^ 0xFF]))

    def undo(self) -> None:
        """Give all files their bytes back."""
        for path, data in self._kept.items():
            _write(path, data)
        self._kept.clear()


def _write(path: str, data: str | bytes) -> None:
    """Write a file unless it already is so, for its time counts."""
    data = data.encode() if isinstance(data, str) else data
    if os.path.exists(path):
        with open(path, "rb") as file:
            if file.read() == data:
                return
    with open(path, "wb") as file:
        file.write(data)
