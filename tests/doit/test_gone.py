"""What earlier ships left of archives that the manifest has no more is told of, since `dist/` is what players get."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.builders.doits import MANIFEST, TWO_LINES

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.builders.doits import Repo

    Make = Callable[..., Repo]

WITHOUT_DLC = MANIFEST.replace("  dlc: {sets: [blobs]}\n", "").replace(
    "base: {sets: [texts]}", "base: {sets: [texts, blobs]}"
)
LEFT = (
    "dist/dlc.ewad: warning[W0504]: the manifest has no archive dlc any more, but what it made is still there"
)


def shipped(make: Make) -> Repo:
    repo = make(dodo=TWO_LINES)
    repo.doit("ship").ok()
    return repo


def test_an_archive_that_is_gone_from_the_manifest_is_told_of_until_its_file_is_gone(make: Make) -> None:
    repo = shipped(make)
    repo.write({"assets.yaml": WITHOUT_DLC.encode()})
    assert LEFT in repo.doit("ship").out
    again = repo.doit("ship")
    assert (again.status, LEFT in again.out) == (0, True), again
    (repo.folder / "dist/dlc.ewad").unlink()
    assert repo.doit("ship").ok().lines == ["-- ship:base"]


def test_a_file_that_somebody_else_put_there_is_nobodys_business(make: Make) -> None:
    repo = shipped(make)
    repo.write({"assets.yaml": WITHOUT_DLC.encode(), "dist/dlc.ewad": b"mine"})
    assert "W0504" not in repo.doit("ship").out


def test_a_ship_of_one_archive_says_nothing_of_others(make: Make) -> None:
    repo = shipped(make)
    manifest = MANIFEST.replace("dlc: {sets: [blobs]}", "more: {sets: [blobs]}")
    repo.write({"assets.yaml": manifest.encode()})
    assert "W0504" not in repo.doit("ship:base").out
    assert LEFT in repo.doit("ship").out


def moved_to(path: str) -> dict[str, bytes]:
    manifest = MANIFEST.replace("dlc: {sets: [blobs]}", f"dlc: {{sets: [blobs], path: {path}}}")
    return {"assets.yaml": manifest.encode()}


def test_an_archive_with_another_path_is_told_of_until_its_old_file_is_gone(make: Make) -> None:
    repo = shipped(make)
    repo.write(moved_to("more/dlc.ewad"))
    line = (
        "dist/dlc.ewad: warning[W0504]: archive dlc is now written to dist/more/dlc.ewad, but what it was is"
    )
    for command in ("ship", "ship", "ship:dlc", "ship"):
        ran = repo.doit(command)
        assert (ran.status, ran.out.count(line)) == (0, 1), ran
    assert "W0504" not in repo.doit("ship:base").out
    (repo.folder / "dist/dlc.ewad").unlink()
    assert repo.doit("ship").ok().lines == ["-- ship:base", "-- ship:dlc"]


def test_an_archive_that_moves_twice_is_told_of_at_both_places_and_back_at_none(make: Make) -> None:
    repo = shipped(make)
    for path in ("b.ewad", "c.ewad"):
        repo.write(moved_to(path))
        repo.doit("ship")
    ran = repo.doit("ship")
    assert [line.partition(":")[0] for line in ran.lines if "W0504" in line] == [
        "dist/dlc.ewad",
        "dist/b.ewad",
    ]
    repo.write(moved_to("dlc.ewad"))
    ran = repo.doit("ship")
    assert [line.partition(":")[0] for line in ran.lines if "W0504" in line] == ["dist/b.ewad", "dist/c.ewad"]
    repo.write({"assets.yaml": WITHOUT_DLC.encode()})
    ran = repo.doit("ship")
    assert sum("W0504" in line and "no archive dlc any more" in line for line in ran.lines) == 3


def test_a_lock_that_is_only_checked_is_told_of_when_it_has_too_many(make: Make) -> None:
    repo = shipped(make)
    repo.write({"assets.yaml": WITHOUT_DLC.replace(", blobs]", "]").encode()})
    (repo.folder / "dist/dlc.ewad").unlink()
    ran = repo.doit("ship", LUMPYARD_LOCK="check")
    assert ran.status == 0, ran
    assert "archives.lock: warning[W0505]: still has archive dlc, which the manifest does not" in ran.out, ran
