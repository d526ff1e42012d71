"""Law: what is known of a file stays known for as long as its size, times and inode stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.build.sources.fingerprints import Fingerprints
from lumpyard.build.sources.tree import ScannedTree

if TYPE_CHECKING:
    from pathlib import Path

LATER = 1 << 62  # a stamp after every time of a file
DIGEST = bytes(range(32))


def scanned(root: Path) -> ScannedTree:
    tree = ScannedTree(str(root))
    tree.scan("pictures")
    return tree


def test_a_build_that_only_asked_whether_a_file_is_there_forgets_no_digest(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "sky.png").write_bytes(b"sky")
    state = str(tmp_path / "state")
    Fingerprints(state).save(scanned(tmp_path), LATER, {"pictures/sky.png": DIGEST}, ())

    Fingerprints(state).save(scanned(tmp_path), LATER, {}, ())

    assert Fingerprints(state).known(scanned(tmp_path)) == {"pictures/sky.png": DIGEST}


def test_a_changed_file_is_unknown_again(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "sky.png").write_bytes(b"sky")
    state = str(tmp_path / "state")
    Fingerprints(state).save(scanned(tmp_path), LATER, {"pictures/sky.png": DIGEST}, ())

    (tmp_path / "pictures" / "sky.png").write_bytes(b"sky and more")
    Fingerprints(state).save(scanned(tmp_path), LATER, {}, ())

    assert Fingerprints(state).known(scanned(tmp_path)) == {}


def test_a_file_that_changed_while_it_was_read_stays_unknown(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "sky.png").write_bytes(b"sky")
    state = str(tmp_path / "state")

    Fingerprints(state).save(scanned(tmp_path), LATER, {"pictures/sky.png": DIGEST}, {"pictures/sky.png"})

    assert Fingerprints(state).known(scanned(tmp_path)) == {}
