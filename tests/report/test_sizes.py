"""Sizes of what a project built: every table adds up to the file, and what is said of savings comes true."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders.projects import Game

from lumpyard.errors import DiskError, NotFoundError, ProblemsError
from lumpyard.report.measure import SizeReport, measure
from lumpyard.report.size_data import size_data
from lumpyard.report.sizes import folder_of

if TYPE_CHECKING:
    from pathlib import Path

SETS = {
    "texts": {"files": "texts/**", "rule": "raw", "type": "TEXT"},
    "data": {"files": "data/**", "compress": "none", "alignment": 64},
}
FILES = {
    "texts/a.txt": b"some text " * 90,
    "texts/ui/b.txt": b"other text " * 90,
    "texts/empty.txt": b"",
    "data/c.bin": bytes(range(256)) * 3,
    "data/deep/er/d.bin": bytes(range(256)) * 3,
    "data/deep/e.bin": b"e" * 10,
}


def manifest(**archive: Any) -> dict[str, Any]:
    return {"sets": SETS, "archives": {"base": {"sets": ["texts", "data"], **archive}}}


def game(folder: Path, **archive: Any) -> Game:
    return Game(folder, manifest(**archive), **FILES)


def sizes(made: Game, **options: Any) -> SizeReport:
    return measure(made.open(), **options)


def check_sums(report: SizeReport, folder: Path) -> None:
    """Each table of each archive adds up to its file."""
    for archive in report.archives:
        assert archive.size == (folder / archive.path).stat().st_size
        assert archive.lump_bytes + sum(archive.parts.values()) == archive.size
        for groups in (archive.sets, archive.types, archive.folders):
            assert sum(group.bytes for group in groups) == archive.lump_bytes
            assert sum(group.lumps for group in groups) == archive.lumps
            assert sum(group.raw_size for group in groups) == archive.raw_size
            assert sum(group.stored_size for group in groups) == archive.stored_size
            assert sum(group.padding for group in groups) <= archive.parts["padding"]
        assert archive.stored_size == archive.raw_size - archive.saved == archive.lump_bytes + archive.shared
    for archive in size_data(report)["archives"]:
        assert sum(row["bytes"] for row in archive["rows"]) == archive["size"]
        assert sum(group["bytes"] for group in archive["sets"]) == archive["rows"][0]["bytes"]


@given(
    st.dictionaries(
        st.sampled_from(["texts/a", "texts/ui/b", "data/c", "data/x/y/d", "data/e"]),
        st.sampled_from([b"", b"x", b"text " * 200, bytes(range(256))]),
        min_size=1,
    ),
    st.sampled_from([1, 16, 4096]),
    st.booleans(),
    st.booleans(),
    st.sampled_from(["pack", "ship"]),
)
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_every_table_adds_up_to_the_file(
    tmp_path: Path, files: dict[str, bytes], alignment: int, dedupe: bool, strip: bool, profile: str
) -> None:
    shutil.rmtree(tmp_path)
    sets = {
        name: {"files": f"{name}/**", "rule": "raw", "optional": True, **more}
        for name, more in (("texts", {"type": "TEXT"}), ("data", {"alignment": 4096}))
    }
    archive = {"sets": ["texts", "data"], "alignment": alignment, "dedupe": dedupe, "strip": strip}
    made = Game(tmp_path, {"sets": sets, "archives": {"base": archive}}, **files)
    made.run(f"{profile}:base")
    report = sizes(made)
    check_sums(report, tmp_path)
    (found,) = report.archives
    assert (found.parts["names"] > 0) == (profile == "pack" or not strip)


@pytest.mark.parametrize("form", ["PWAD", "PAK", "WAD2", "DAIKATANA"])
def test_archives_of_other_formats_add_up_too(tmp_path: Path, form: str) -> None:
    sets = {
        "texts": {"files": "texts/**", "rule": "raw", "name": "{stem}"},
        "data": {"files": "data/**", "name": "{stem}"},
    }
    made = Game(
        tmp_path,
        {"sets": sets, "archives": {"base": {"sets": ["texts", "data"], "format": form, "path": "a"}}},
        **FILES,
    )
    made.ship()
    report = sizes(made)
    check_sums(report, tmp_path)
    assert report.archives[0].parts["padding"] == 0


def test_what_was_shipped_counts_and_else_what_was_packed(tmp_path: Path) -> None:
    made = game(tmp_path)
    with pytest.raises(NotFoundError, match="nothing was built yet of base"):
        sizes(made)
    made.pack()
    assert sizes(made).archives[0].path.endswith("build/base.ewad")
    made.ship()
    assert sizes(made).archives[0].path.endswith("dist/base.ewad")
    (tmp_path / "dist/base.ewad").unlink()
    assert sizes(made).archives[0].path.endswith("build/base.ewad")


def test_a_release_that_was_brought_here_is_measured_by_its_symbols(tmp_path: Path) -> None:
    made = game(tmp_path)
    made.ship()
    known = sizes(made)
    shutil.rmtree(tmp_path / ".lumpyard")
    assert size_data(sizes(made)) == size_data(known)
    (tmp_path / "dist/base.ewad").write_bytes(made.read("dist/base.ewad")[:-1])
    with pytest.raises(NotFoundError):
        sizes(made)


def test_one_archive_of_several_may_be_missing(tmp_path: Path) -> None:
    both = manifest()
    both["archives"]["more"] = {"sets": "texts"}
    made = Game(tmp_path, both, **FILES)
    made.ship()
    report = sizes(made)
    assert ([archive.id for archive in report.archives], report.missing) == (["base"], ("more",))


def test_what_dedupe_would_save_is_what_it_saves(tmp_path: Path) -> None:
    """Twenty equal lumps: a place serves sixteen."""
    files = {f"data/{number:02}.bin": b"equal" * 50 for number in range(20)} | FILES
    made = Game(tmp_path, manifest(), **files)
    made.ship()
    before = sizes(made).archives[0]
    made.set_manifest(manifest(dedupe=True))
    made.ship()
    after = sizes(made).archives[0]
    assert before.dedupe_saves == before.lump_bytes - after.lump_bytes == 18 * 250 + 768
    assert (after.dedupe_saves, after.shared) == (0, before.dedupe_saves)


def test_duplicates_cost_what_is_in_the_files_more_than_once(tmp_path: Path) -> None:
    both = manifest()
    both["archives"]["more"] = {"sets": "data"}
    made = Game(tmp_path, both, **FILES)
    made.run("ship:base", "ship:more")
    first, second = sizes(made).duplicates
    names = ("data/c.bin", "data/deep/er/d.bin")
    assert first.lumps == tuple((archive, name) for archive in ("base", "more") for name in names)
    assert (first.raw_size, first.bytes, first.cost) == (768, 4 * 768, 3 * 768)
    assert (second.lumps, second.cost) == ((("base", "data/deep/e.bin"), ("more", "data/deep/e.bin")), 10)


def test_a_release_is_compared_with_the_lock_and_its_symbols(tmp_path: Path) -> None:
    made = game(tmp_path / "game")
    made.ship()
    release = sizes(made).archives[0].release
    assert release is not None
    assert (release.is_same, release.size) == (True, len(made.read("dist/base.ewad")))
    shutil.copytree(made.folder, tmp_path / "released")
    made.write({"data/new.bin": b"n" * 100, "data/deep/e.bin": b"e" * 14})
    (made.folder / "texts/a.txt").unlink()
    made.ship()
    (found,) = sizes(made, since=str(tmp_path / "released")).archives
    assert found.release is not None
    assert (found.release.is_same, found.release.size) == (False, release.size)
    old = found.grown[-1]
    assert [(lump.name, lump.growth) for lump in found.grown[:-1]] == [
        ("data/new.bin", 100),
        ("data/deep/e.bin", 4),
    ]
    assert (old.name, old.bytes, old.growth) == ("texts/a.txt", 0, -old.released)
    by_set = {group.name: group.bytes - (group.released or 0) for group in found.sets}
    assert by_set == {"data": 104, "texts": old.growth}
    parts = found.release.parts
    assert parts is not None
    growth = sum(lump.growth for lump in found.grown) + sum(found.parts[part] - parts[part] for part in parts)
    assert growth == found.size - release.size
    lock = tmp_path / "released/archives.lock"
    assert sizes(made, since=str(lock)).archives[0].grown == found.grown
    (tmp_path / "released/symbols/base.ewsym").unlink()
    (alone,) = sizes(made, since=str(lock)).archives
    assert alone.release is not None
    assert (alone.release.size, alone.release.parts, alone.grown) == (release.size, None, ())


def test_a_release_to_compare_with_must_be_there_and_whole(tmp_path: Path) -> None:
    made = game(tmp_path)
    made.ship()
    with pytest.raises(DiskError, match=r"nowhere/archives\.lock: there is no such file"):
        sizes(made, since=f"{tmp_path}/nowhere")
    (tmp_path / "archives.lock").write_bytes(b"<<<<<<< ours\n")
    with pytest.raises(ProblemsError, match="merge conflict"):
        sizes(made)


@pytest.mark.parametrize(
    ("name", "folder"), [("a", "."), ("a/b", "a"), ("a/b/c", "a/b"), ("a/b/c/d", "a/b"), ("", ".")]
)
def test_a_folder_is_the_first_two_parts_of_the_path(name: str, folder: str) -> None:
    assert folder_of(name) == folder
