"""A command line to try: `run("ls", path)` in this process, its status and both streams."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from tests.builders.map_wads import BARRED, SMALL, map_wad

from lumpyard.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path


class Ran(NamedTuple):
    """What came of one run."""

    status: int
    stdout: bytes
    stderr: bytes

    @property
    def out(self) -> str:
        return self.stdout.decode()

    @property
    def err(self) -> str:
        return self.stderr.decode()

    @property
    def json(self) -> Any:
        """The one document on standard output."""
        return json.loads(self.stdout)


Run = Callable[..., Ran]


@pytest.fixture
def run(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Run:
    for name in ("LUMPYARD_STORE", "LUMPYARD_LOCK", "LUMPYARD_PROGRESS", "LUMPYARD_TRACEBACK", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)

    def run_it(*argv: object) -> Ran:
        capsysbinary.readouterr()
        status = main([str(word) for word in argv])
        out, err = capsysbinary.readouterr()
        return Ran(status, out, err)

    return run_it


@pytest.fixture
def castle(tmp_path: Path) -> Path:
    """A WAD with a map that is sound and one that is not."""
    path = tmp_path / "castle.wad"
    path.write_bytes(map_wad({"MAP01": SMALL, "MAP02": BARRED}))
    return path
