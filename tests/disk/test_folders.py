"""Folders are made with those above them, what is removed is gone, and a file is no folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lumpyard import disk
from lumpyard.errors import DiskError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, which holds a folder and a file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_bytes(b"")
    return tmp_path


def test_a_folder_is_made_once_or_twice_with_those_above_it(folder: Path) -> None:
    disk.make_folder("a/b/c")
    disk.make_folder("a/b/c")
    assert (folder / "a/b/c").is_dir()


def test_what_is_removed_is_gone_and_its_folder_stays(folder: Path) -> None:
    (folder / "folder/a").write_bytes(b"")
    assert disk.remove_file("folder/a")
    assert not disk.remove_file("folder/a")
    assert not disk.is_there("folder/a")
    assert disk.is_there("folder")


@pytest.mark.parametrize("path", ["missing", "missing/a", "file/a"])
def test_what_is_not_there_is_not_removed(path: str) -> None:
    assert not disk.remove_file(path)


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda: disk.remove_file("folder"), "cannot remove folder: Is a directory"),
        (lambda: disk.make_folder("file"), "cannot make folder file: Not a directory"),
        (lambda: disk.make_folder("file/a"), "cannot make folder file/a: Not a directory"),
    ],
)
def test_a_file_is_no_folder_and_a_folder_no_file(act: Callable[[], object], message: str) -> None:
    with pytest.raises(DiskError) as caught:
        act()
    assert str(caught.value) == message
