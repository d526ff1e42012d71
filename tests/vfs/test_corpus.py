"""MPQs that StormLib made, mounted: in archives of our own, and without a list of names."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
from tests.builders import mpq
from tests.builders.mpq_corpus import archive_named, manifest, raw_name

from lumpyard.vfs import Reading, Vfs

INNER = "v1_names.mpq"
WITHOUT_LIST = "v1_nolist.mpq"


def members(name: str) -> dict[str, tuple[int, str]]:
    """Size and digest of each member of an archive, by its path."""
    (found,) = (one for one in manifest()["archives"] if one["archive"] == name)
    return {
        raw_name(member).replace(b"\\", b"/").decode("utf-8", "surrogateescape"): (size, digest)
        for member, size, digest in found["members"]
    }


@pytest.mark.parametrize("flags", [0, mpq.COMPRESS, mpq.COMPRESS | mpq.ENCRYPTED | mpq.FIX_KEY])
def test_an_mpq_in_an_mpq_is_mounted_from_memory(
    flags: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ "The MPQ layer holds a const BYTE * into that buffer" (SC2 Map Loading)."""
    monkeypatch.chdir(tmp_path)
    files = [mpq.Written(b"Maps\\inner.mpq", archive_named(INNER), flags)]
    Path("outer.mpq").write_bytes(mpq.build([*files, mpq.listfile(files)]))
    with Vfs() as vfs:
        vfs.mount("outer.mpq!maps/INNER.mpq", "in")
        assert set(vfs) == {f"in/{name}" for name in members(INNER)}
        for name, (size, digest) in members(INNER).items():
            data = vfs.read(f"in/{name}")
            assert (len(data), sha256(data).hexdigest()) == (size, digest)


def test_an_mpq_without_a_list_is_read_by_name_and_listed_by_names_that_are_given() -> None:
    data = archive_named(WITHOUT_LIST)
    names = members(WITHOUT_LIST)
    with Vfs() as vfs:
        vfs.mount_bytes(data, "a")
        for name, (size, _) in names.items():
            assert vfs.stat(name.upper()).size == size
    with Vfs() as vfs:
        vfs.mount_bytes(data, "a", reading=Reading(names=[name.encode() for name in names]))
        assert set(vfs) == set(names)
        assert sha256(vfs.read("TEXT.TXT")).hexdigest() == names["text.txt"][1]
