"""What a new file waits for to be durable, and what Windows and temporary files ask for."""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING

import pytest
from tests.builders.faults import Fault, failing
from tests.disk.files import NEW, OLD, names

from lumpyard import disk
from lumpyard.disk import temporaries
from lumpyard.errors import DiskError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test runs in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_failed_wait_for_the_device_is_not_tried_again() -> None:
    """A second fsync may succeed without the data being there."""
    fault = Fault(-1, errno.EIO)
    disk.write_file("a", OLD)
    with failing(fault):
        disk.write_file("other", NEW)
    at = fault.calls.index("fsync")
    again = Fault(at, errno.EIO)
    with failing(again), pytest.raises(DiskError):
        disk.write_file("a", NEW)
    assert again.calls.count("fsync") == 1
    assert disk.read_file("a") == OLD


def test_nothing_is_waited_for_unless_it_must_be_durable() -> None:
    fault = Fault(-1, 0)
    with failing(fault):
        disk.write_file("new/folder/a", OLD, durable=False)
    assert "fsync" not in fault.calls


def test_a_durable_write_waits_for_the_file_then_renames_then_waits_for_the_names() -> None:
    fault = Fault(-1, 0)
    with failing(fault):
        disk.write_file("new/folder/a", OLD)
    assert [call for call in fault.calls if call in {"fsync", "replace"}] == [
        "fsync",
        "replace",
        *["fsync"] * 3,
    ]


def test_a_file_system_that_cannot_flush_folders_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.fsync

    def fsync(fd: int) -> None:
        if stat.S_ISDIR(os.fstat(fd).st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        real(fd)

    monkeypatch.setattr(os, "fsync", fsync)
    disk.write_file("a", OLD)
    assert disk.read_file("a") == OLD


def on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have renames over a file refused, as Windows does where the file is mapped."""

    def replace(*_: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(os, "replace", replace)
    monkeypatch.setattr(os, "name", "nt")


def test_a_mapped_target_is_moved_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    """ "If a running game maps the target (Windows), the old file is moved aside and removed later"."""
    disk.write_file("a", OLD)
    on_windows(monkeypatch)
    real = os.unlink
    monkeypatch.setattr(os, "unlink", lambda *_: (_ for _ in ()).throw(PermissionError()))
    disk.write_file("a", NEW, durable=False)
    assert disk.read_file("a") == NEW
    (aside,) = set(names()) - {"a"}
    assert disk.read_file(aside) == OLD
    monkeypatch.setattr(os, "unlink", real)
    assert disk.sweep_temporaries("") == 1


def test_a_mapped_target_is_put_back_where_the_new_file_cannot_come(monkeypatch: pytest.MonkeyPatch) -> None:
    disk.write_file("a", OLD)
    on_windows(monkeypatch)
    real, calls = os.rename, []

    def rename(old: bytes, new: bytes) -> None:
        calls.append(new)
        if len(calls) == 2:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        real(old, new)

    monkeypatch.setattr(os, "rename", rename)
    with pytest.raises(DiskError, match=r"^cannot write a: Permission denied$"):
        disk.write_file("a", NEW, durable=False)
    assert disk.read_file("a") == OLD
    assert names() == ["a"]


def test_sweeping_takes_only_what_is_ours() -> None:
    keep = [
        ".base.ewad.lumpyard-tmp",
        "base.ewad.0123456789abcdef.lumpyard-tmp",
        ".base.ewad.0123456789ABCDEF.lumpyard-tmp",
        ".base.ewad.0123456789abcdef.lumpyard-tmp.txt",
    ]
    for name in [*keep, ".base\n.ewad.0123456789abcdef.lumpyard-tmp", "..0123456789abcdef.lumpyard-tmp"]:
        disk.write_file(name, b"")
    os.mkdir(".folder.0123456789abcdef.lumpyard-tmp")
    os.symlink("nowhere", ".link.0123456789abcdef.lumpyard-tmp")
    assert disk.sweep_temporaries("") == 2
    assert len(names()) == len(keep) + 2
    assert disk.sweep_temporaries("missing") == 0


def test_no_two_temporary_names_are_alike() -> None:
    assert len({temporaries.temporary_name(b"a") for _ in range(1000)}) == 1000
