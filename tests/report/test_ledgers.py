"""An archive and the ledger of its release say the same, whichever of them a diff is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.builders.projects import Game

from lumpyard.archives.opening import open_archive
from lumpyard.errors import MalformedError
from lumpyard.ledger import Ledger, parse_ledger
from lumpyard.report.diff import compare_archives
from lumpyard.report.inventory import Inventory, of_archive, of_ledger

if TYPE_CHECKING:
    from pathlib import Path

FILES = {
    "a/one.txt": b"text " * 100,
    "a/two.txt": b"text " * 101,
    "b/raw.bin": bytes(range(256)),
    "b/empty.bin": b"",
    "b/same.bin": bytes(range(256)),
}


def game(folder: Path, form: str, **more: object) -> Game:
    files = {"files": "**/*.*", "rule": "raw"}
    if form in {"PWAD", "WAD2"}:
        files["name"] = "{stem}"
    archive = {"sets": "all", "format": form, "path": "base.dat", **more}
    return Game(
        folder,
        {"ignore": ["*.yaml", "*.lock"], "sets": {"all": files}, "archives": {"base": archive}},
        **FILES,
    )


def both(made: Game) -> tuple[Inventory, Inventory]:
    archive = of_archive("a", open_archive(made.read("dist/base.dat")))
    return archive, of_ledger("s", parse_ledger(made.read("symbols/base.ewsym")))


@pytest.mark.parametrize("form", ["EWAD", "PWAD", "WAD2", "PAK", "DAIKATANA"])
def test_an_archive_does_not_differ_from_its_ledger(tmp_path: Path, form: str) -> None:
    made = game(tmp_path, form)
    made.ship()
    archive, ledger = both(made)
    assert ledger.size == archive.size
    assert ledger.shares == archive.shares
    for old, new in ((archive, ledger), (ledger, archive), (ledger, ledger)):
        diff = compare_archives(old, new)
        assert (diff.changes, diff.facts, diff.delta) == ([], [], 0)


@pytest.mark.parametrize(
    "more",
    [
        {"dedupe": True},
        {"strip": False},
        {"alignment": 4096},
        {"alignment": 4096, "strip": False},
        {"alignment": 1, "strip": False},
    ],
)
def test_nor_does_one_of_any_layout(tmp_path: Path, more: dict[str, object]) -> None:
    made = game(tmp_path, "EWAD", **more)
    made.ship()
    archive, ledger = both(made)
    assert ledger.shares == archive.shares
    assert not compare_archives(archive, ledger).differs()


def test_the_names_of_a_development_archive_are_all_that_it_has_more(tmp_path: Path) -> None:
    made = game(tmp_path, "EWAD")
    made.ship()
    made.pack()
    shipped, ledger = both(made)
    packed = of_archive("b", open_archive(made.read("build/base.dat")))
    for released in (shipped, ledger):
        diff = compare_archives(released, packed)
        assert {change.status for change in diff.changes} == {"moved"}
        assert [tuple(fact) for fact in diff.facts] == [("names", "stripped", "in the archive")]
        assert not diff.content_only().differs()


def test_a_changed_lump_is_told_by_digest_alone(tmp_path: Path) -> None:
    """One side has only the ledger, and the lump is compressed in another way besides."""
    made = game(tmp_path, "EWAD")
    made.ship()
    _, ledger = both(made)
    made.write({"a/one.txt": b"texT " * 100})
    made.ship()
    archive, _ = both(made)
    (change,) = [change for change in compare_archives(ledger, archive).changes if change.status != "moved"]
    assert (change.status, change.name) == ("changed", "a/one.txt")


def test_a_lump_that_is_only_compressed_in_another_way_is_no_other(tmp_path: Path) -> None:
    made = game(tmp_path / "one", "EWAD")
    made.ship()
    _, ledger = both(made)
    other = game(tmp_path / "two", "PAK")
    other.ship()
    archive, other_ledger = both(other)
    for new in (archive, other_ledger):
        diff = compare_archives(ledger, new)
        assert {change.status for change in diff.changes} <= {"reencoded", "moved"}
        assert not diff.content_only().differs()
        assert diff.differs()


def test_headers_that_no_ledger_of_ours_has_are_malformed() -> None:
    for key, value in (("seed", "x"), ("alignment", "-"), ("archive-hash", "xyz"), ("format", "MPQ")):
        with pytest.raises(MalformedError, match=f"s: {key} is"):
            of_ledger("s", Ledger({key: value}))


def test_numbers_of_a_hostile_ledger_are_taken_as_they_are() -> None:
    """Offsets and sizes near 2^64 neither overflow nor cost anything."""
    text = "EWSYM 1\nalignment: 0\n\nkey\tname\toffset\tstored_size\n"
    text += f"{1:016x}\ta\t{(1 << 64) - 1}\t{(1 << 64) - 1}\n{2:016x}\tb\t5\t0\n"
    found = of_ledger("s", parse_ledger(text.encode()))
    assert found.size == found.shares.size == 2 * (1 << 64) - 2
