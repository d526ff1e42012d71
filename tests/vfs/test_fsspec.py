"""Lumps through fsspec, as tools that know nothing of Lumpyard read them."""

from __future__ import annotations

import errno
import pickle
import zipfile
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

import fsspec
import pytest
from tests.builders.mounts import make_ewad, make_mpq, make_pak, make_wad, write_tree

from lumpyard.vfs.fsspec import EwadFileSystem, LumpFileSystem

if TYPE_CHECKING:
    from collections.abc import Callable

FILES = [("textures/a.png", b"picture"), ("textures/deep/b.png", b"other"), ("readme.txt", b"line\r\nline\n")]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test runs in a folder of its own, which has base.ewad."""
    monkeypatch.chdir(tmp_path)
    Path("base.ewad").write_bytes(make_ewad(FILES, compressed=True))
    return tmp_path


@pytest.fixture
def lumps() -> Any:
    return fsspec.filesystem("lump", fo="base.ewad")


def opened(url: str, mode: str = "rb") -> Any:
    """What fsspec opens, whatever it says of its types."""
    return fsspec.open(url, mode)


def test_the_protocols_are_known_to_fsspec_by_entry_points() -> None:
    found = {
        point.name: point.load()
        for point in entry_points(group="fsspec.specs")
        if point.module.startswith("lumpyard")
    }
    assert found == {"lump": LumpFileSystem, "ewad": EwadFileSystem}
    assert fsspec.get_filesystem_class("lump") is LumpFileSystem


@pytest.mark.parametrize(
    "url",
    [
        "ewad://textures/a.png::file://{here}/base.ewad",
        "ewad://textures/a.png::base.ewad",
        "ewad://base.ewad!/textures/a.png",
        "lump://base.ewad!/textures/a.png",
        "lump://{here}/base.ewad!/textures/a.png",
        "lump:///textures/a.png::local://{here}/base.ewad",
        "simplecache::lump://textures/a.png::base.ewad",
    ],
)
def test_a_lump_is_opened_by_its_url(url: str, folder: Path) -> None:
    with opened(url.format(here=folder)) as file:
        assert file.read() == b"picture"


def test_an_archive_on_any_other_file_system_is_read_whole() -> None:
    with opened("memory://store/base.ewad", "wb") as file:
        file.write(Path("base.ewad").read_bytes())
    with zipfile.ZipFile("all.zip", "w") as archive:
        archive.write("base.ewad", "in/base.ewad")
    for chain in ("memory://store/base.ewad", "zip://in/base.ewad::file://all.zip"):
        with opened(f"lump://textures/a.png::{chain}") as file:
            assert file.read() == b"picture"
    with Path("base.ewad").open("rb") as file:
        for fo in ("memory://store/base.ewad", file, fsspec.open("base.ewad")):
            assert fsspec.filesystem("lump", fo=fo).cat("textures/a.png") == b"picture"


def test_an_archive_in_an_archive_is_chained_or_named() -> None:
    Path("outer.mpq").write_bytes(make_mpq([("in/inner.ewad", make_ewad(FILES))]))
    for url in (
        "lump://textures/a.png::lump://in/inner.ewad::file://outer.mpq",
        "lump://outer.mpq!in/inner.ewad!/textures/a.png",
        "lump://textures/a.png::lump://outer.mpq!/in/inner.ewad",
    ):
        with opened(url) as file:
            assert file.read() == b"picture", url


def test_lumps_are_listed_found_and_globbed(lumps: Any) -> None:
    names = ["readme.txt", "textures/a.png", "textures/deep/b.png"]
    assert lumps.find("") == names
    assert lumps.find("textures", maxdepth=1) == ["textures/a.png"]
    assert lumps.ls("", detail=False) == ["readme.txt", "textures"]
    assert lumps.ls("textures/", detail=False) == ["textures/a.png", "textures/deep"]
    assert lumps.ls("readme.txt", detail=False) == ["readme.txt"]
    assert lumps.glob("**/*.png") == names[1:]
    assert [(path, sorted(folders), sorted(files)) for path, folders, files in lumps.walk("")] == [
        ("", ["textures"], ["readme.txt"]),
        ("textures", ["deep"], ["a.png"]),
        ("textures/deep", [], ["b.png"]),
    ]
    assert lumps.du("") == sum(len(raw) for _, raw in FILES)
    assert [lumps.isdir(name) for name in ("", "textures", "readme.txt", "x")] == [True, True, False, False]
    assert [lumps.isfile(name) for name in ("", "textures", "readme.txt", "x")] == [False, False, True, False]
    assert [lumps.exists(name) for name in ("textures", "readme.txt", "x")] == [True, True, False]


def test_info_says_where_a_lump_is(lumps: Any) -> None:
    info = lumps.info("readme.txt")
    assert (info["name"], info["size"], info["type"]) == ("readme.txt", 11, "file")
    assert info["source"] == "base.ewad!readme.txt"
    assert info["stored_size"] == 12
    assert lumps.info("textures") == {"name": "textures", "size": 0, "type": "directory"}
    assert lumps.ls("")[0] == info
    assert lumps.size("readme.txt") == 11


def test_bytes_are_read_whole_in_ranges_as_text_and_to_files(lumps: Any) -> None:
    assert lumps.cat("readme.txt") == b"line\r\nline\n"
    assert lumps.cat(["readme.txt", "textures/a.png"]) == {
        "readme.txt": FILES[2][1],
        "textures/a.png": b"picture",
    }
    assert [
        lumps.cat_file("textures/a.png", *span) for span in ((1, 3), (-3, None), (None, -3), (5, 2), (50, 60))
    ] == [
        b"ic",
        b"ure",
        b"pict",
        b"",
        b"",
    ]
    assert lumps.cat_ranges(["textures/a.png"], [1], [3]) == [b"ic"]
    assert lumps.head("textures/a.png", 3) == b"pic"
    with lumps.open("readme.txt", "r", newline="") as file:
        assert file.read() == "line\r\nline\n"
    lumps.get("", "out", recursive=True)
    assert sorted(str(path.relative_to("out")) for path in Path("out").rglob("*.*")) == [
        "readme.txt",
        "textures/a.png",
        "textures/deep/b.png",
    ]


def test_many_files_are_opened_by_one_pattern() -> None:
    files = fsspec.open_files("lump://**/*.png::base.ewad")
    assert [file.path for file in files] == ["textures/a.png", "textures/deep/b.png"]
    with files as found:
        assert [file.read() for file in found] == [b"picture", b"other"]


def test_the_rules_of_the_mount_hold_for_names() -> None:
    Path("x.mpq").write_bytes(make_mpq([("Units/A.TXT", b"x")]))
    lumps = fsspec.filesystem("lump", fo="x.mpq")
    assert lumps.cat(r"units\a.txt") == b"x"
    Path("x.wad").write_bytes(make_wad([("A", b"1"), ("A", b"2")]))
    lumps = fsspec.filesystem("lump", fo="x.wad")
    assert {name: lumps.cat(name) for name in lumps.find("")} == {"A": b"2", "A~1": b"1"}


def test_names_that_would_leave_a_folder_are_not_listed() -> None:
    Path("evil.ewad").write_bytes(make_ewad([("../evil", b"x"), ("/abs", b"x"), ("ok", b"y")]))
    lumps = fsspec.filesystem("lump", fo="evil.ewad")
    assert lumps.find("") == ["ok"]
    lumps.get("", "down/here", recursive=True)
    assert sorted(str(path) for path in Path("down").rglob("*")) == ["down/here", "down/here/ok"]


def test_a_file_and_a_folder_of_one_name_are_both_reached() -> None:
    Path("both.ewad").write_bytes(make_ewad([("maps", b"file"), ("maps/e1m1", b"below")]))
    lumps = fsspec.filesystem("lump", fo="both.ewad")
    assert {name: lumps.cat_file(name) for name in lumps.find("")} == {"maps": b"file", "maps/e1m1": b"below"}


def test_a_file_system_is_pickled_by_what_it_was_opened_with(lumps: Any) -> None:
    again = pickle.loads(pickle.dumps(lumps))
    assert again.cat("textures/a.png") == b"picture"


def test_a_new_file_system_sees_an_archive_that_was_built_anew(lumps: Any) -> None:
    Path("new").write_bytes(make_ewad([("other", b"x")]))
    Path("new").replace("base.ewad")
    assert "other" not in lumps.find("")
    assert fsspec.filesystem("lump", fo="base.ewad").find("") == ["other"]


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda fs: fs.open("nope"), FileNotFoundError),
        (lambda fs: fs.cat_file("nope"), FileNotFoundError),
        (lambda fs: fs.info("nope"), FileNotFoundError),
        (lambda fs: fs.ls("nope"), FileNotFoundError),
        (lambda fs: fs.ls("readme.txt/x"), FileNotFoundError),
        (lambda fs: fs.open("textures"), IsADirectoryError),
    ],
)
def test_errors_are_those_of_python(
    lumps: Any, call: Callable[[Any], object], error: type[Exception]
) -> None:
    with pytest.raises(error):
        call(lumps)


@pytest.mark.parametrize(
    "call",
    [
        lambda fs: fs.open("x", "wb"),
        lambda fs: fs.open("readme.txt", "ab"),
        lambda fs: fs.pipe("x", b""),
        lambda fs: fs.touch("x"),
        lambda fs: fs.rm("readme.txt"),
        lambda fs: fs.rm_file("readme.txt"),
        lambda fs: fs.mv("readme.txt", "x"),
        lambda fs: fs.cp("readme.txt", "x"),
        lambda fs: fs.mkdir("x"),
        lambda fs: fs.makedirs("x/y"),
        lambda fs: fs.rmdir("textures"),
        lambda fs: fs.put("base.ewad", "x"),
    ],
)
def test_nothing_can_be_written(lumps: Any, call: Callable[[Any], object]) -> None:
    with pytest.raises(OSError, match="archives are mounted read-only") as caught:
        call(lumps)
    assert caught.value.errno == errno.EROFS


def test_archives_that_cannot_be_opened_say_why() -> None:
    write_tree(".", [("text.txt", b"no archive"), ("x.pak", make_pak([("a", b"")])), ("dir/a", b"")])
    with pytest.raises(FileNotFoundError):
        fsspec.filesystem("lump", fo="gone.ewad")
    with pytest.raises(IsADirectoryError):
        fsspec.filesystem("lump", fo="dir")
    with pytest.raises(OSError, match=r"text\.txt: not an archive: it starts with 'no a'"):
        fsspec.filesystem("lump", fo="text.txt")
    with pytest.raises(OSError, match=r"x\.pak: not an EWAD"):
        fsspec.filesystem("ewad", fo="x.pak")
    with pytest.raises(ValueError, match="unknown archive format 'ZIP'"):
        fsspec.filesystem("lump", fo="base.ewad", format="ZIP")
    with pytest.raises(ValueError, match="no archive is named"):
        fsspec.open("lump://a.png")


def test_a_damaged_lump_is_an_oserror() -> None:
    data = bytearray(make_ewad([("a", b"damaged here"), ("b", b"sound")]))
    data[data.index(b"damaged")] ^= 1
    Path("bad.ewad").write_bytes(data)
    lumps = fsspec.filesystem("lump", fo="bad.ewad")
    with pytest.raises(OSError, match="the content hash is") as caught:
        lumps.cat("a")
    assert caught.value.errno == errno.EIO
    assert lumps.cat("b") == b"sound"


def test_a_closed_file_system_gives_its_archive_back(lumps: Any) -> None:
    lumps.close()
    with pytest.raises(ValueError, match="closed"):
        lumps.cat("readme.txt")
