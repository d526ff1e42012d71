"""`lumpyard explore`: what it writes, says and refuses."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING

import pytest
from tests.builders import doom_maps, ewad, plain
from tests.explore.test_making import block_of, facts_of

from lumpyard.cli.main import main
from lumpyard.explore.embedding import CHUNK

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_page_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.wad").write_bytes(plain.wad([(b"ONE", b"first")]))
    assert main(["explore", "a.wad", "-o", "sub/page.html"]) == 0
    html = (tmp_path / "sub/page.html").read_bytes()
    assert html.startswith(b"<!doctype html>")
    assert block_of(html, "bytes0") == b"first"
    assert capsys.readouterr().out.startswith("sub/page.html: 1 lump, ")


def test_lumps_without_room_are_told_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    noise = Random(1).randbytes(CHUNK * 2)
    (tmp_path / "a.pak").write_bytes(plain.pak([(b"one", noise), (b"two", b"2")]))
    assert main(["explore", "a.pak", "-o", "page.html", "--embed", "1k"]) == 0
    assert (
        "the bytes of 1 lump had no room; --embed SIZE gives more, and --serve shows all"
        in capsys.readouterr().out
    )
    assert main(["explore", "a.pak", "-o", "page.html", "--embed", "0"]) == 0
    assert facts_of((tmp_path / "page.html").read_bytes())["leftOut"] == 2


def test_symbols_name_the_lumps_of_a_stripped_archive(tmp_path: Path) -> None:
    stripped = ewad.build([ewad.Written(b"textures/hand.png", b"x")], named=False)
    key = f"{ewad.entry(stripped, 0, 'key'):016x}"
    (tmp_path / "a.ewad").write_bytes(stripped)
    head = f"EWSYM 1\narchive: a\narchive-hash: {ewad.header(stripped, 'header_hash'):016x}\n"
    row = f"{key}\ttextures/hand.png\tTEXR\t0\n"
    (tmp_path / "a.ewsym").write_text(f"{head}\nkey\tname\tfourcc\tschema\n{row}")
    for more, expected in (([], key), (["--symbols", "a.ewsym"], "textures/hand.png")):
        assert main(["explore", *more, "a.ewad", "-o", "page.html"]) == 0
        html = (tmp_path / "page.html").read_bytes()
        assert json.loads(block_of(html, "columns0"))["path"] == [expected]


def stripped_with_symbols(folder: Path, name: str) -> str:
    """A stripped archive `NAME.ewad` of one lump, `NAME.ewsym` beside it; the lump's name."""
    lump = f"textures/{name}.png"
    stripped = ewad.build([ewad.Written(lump.encode(), name.encode())], named=False)
    (folder / f"{name}.ewad").write_bytes(stripped)
    head = f"EWSYM 1\narchive: {name}\narchive-hash: {ewad.header(stripped, 'header_hash'):016x}\n"
    row = f"{ewad.entry(stripped, 0, 'key'):016x}\t{lump}\tTEXR\t0\n"
    (folder / f"{name}.ewsym").write_text(f"{head}\nkey\tname\tfourcc\tschema\n{row}")
    return lump


def test_each_stripped_archive_takes_the_symbols_that_are_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [stripped_with_symbols(tmp_path, name) for name in ("a", "b", "c")]
    both = ["--symbols", "b.ewsym", "--symbols", "a.ewsym"]
    assert main(["explore", *both, "a.ewad", "b.ewad", "-o", "page.html"]) == 0
    html = (tmp_path / "page.html").read_bytes()
    assert json.loads(block_of(html, "columns0"))["path"] == names[:2]
    assert main(["explore", *both, "--symbols", "c.ewsym", "a.ewad", "b.ewad", "-o", "page.html"]) == 2
    assert "c.ewsym belongs to another archive: its archive hash is " in capsys.readouterr().err


@pytest.mark.parametrize("words", [["a.wad"], ["a.wad", "--serve", "-o", "x.html"], ["-o", "x.html"]])
def test_it_needs_one_of_a_file_and_serving(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explore", *words]) == 2
    assert capsys.readouterr().err.startswith("lumpyard: error:")


def test_a_page_replaces_pages_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archive, page = tmp_path / "a.wad", tmp_path / "page.html"
    archive.write_bytes(plain.wad([(b"ONE", b"first")]))
    before = archive.read_bytes()
    assert main(["explore", "a.wad", "-o", "a.wad"]) == 5
    assert archive.read_bytes() == before
    assert "it is there, and is no page" in capsys.readouterr().err
    page.write_bytes(b"")
    assert main(["explore", "a.wad", "-o", "page.html"]) == 0  # over an empty file
    assert main(["explore", "a.wad", "-o", "page.html"]) == 0  # over a page


def test_what_is_no_archive_leaves_no_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.wad").write_bytes(b"nothing of the kind")
    assert main(["explore", "a.wad", "-o", "page.html"]) == 3
    assert not (tmp_path / "page.html").exists()
    assert capsys.readouterr().err.startswith("lumpyard: error: a.wad: not an archive")


@pytest.mark.parametrize(
    "order", [["good.wad", "bad.wad"], ["bad.wad", "good.wad"], ["good.wad", "bad.wad", "good.wad"]]
)
def test_of_several_archives_the_one_that_cannot_be_read_is_named_and_no_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], order: list[str]
) -> None:
    (tmp_path / "good.wad").write_bytes(plain.wad([(b"ONE", b"first")]))
    (tmp_path / "bad.wad").write_bytes(b"PWADshort")
    assert main(["explore", *order, "-o", "page.html"]) == 3
    assert (
        capsys.readouterr().err == "lumpyard: error: bad.wad: the file has 9 bytes; the header alone has 12\n"
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], []),
        (["--maps", "all"], []),
        (["--maps", "1"], ["1 of 2 maps is drawn; --maps all draws all, and --serve each that is looked at"]),
        (
            ["--maps", "0"],
            ["0 of 2 maps are drawn; --maps all draws all, and --serve each that is looked at"],
        ),
        (
            ["--embed", "0"],
            ["the bytes of 10 lumps had no room; --embed SIZE gives more, and --serve shows all"],
        ),
        (
            ["--embed", "1500"],
            ["0 of 2 maps are drawn; --embed SIZE draws more, and --serve each that is looked at"],
        ),
    ],
)
def test_it_tells_how_many_maps_are_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], said: list[str]
) -> None:
    (tmp_path / "a.wad").write_bytes(doom_maps.wad_of_many(2))
    assert main(["explore", "a.wad", "-o", "page.html", *options]) == 0
    assert [line.strip() for line in capsys.readouterr().out.splitlines()[1:]] == said


def test_how_many_maps_are_drawn_is_a_number_or_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explore", "a.wad", "-o", "page.html", "--maps", "many"]) == 2
    assert "argument --maps: 'many' is not a number from 0 on, nor `all`" in capsys.readouterr().err
