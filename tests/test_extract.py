"""Extraction writes new whole files strictly below its folder, under names that can be named back, or nothing."""

from __future__ import annotations

import errno
import itertools
import os
import signal
import stat
import threading
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders.faults import Fault, failing

from lumpyard import disk
from lumpyard.disk import below
from lumpyard.errors import DiskError, MalformedError, UnsupportedError
from lumpyard.extract import Target, Wanted, escape_part, extract, plan_extraction, safe_join, unescape_part

if TYPE_CHECKING:
    from pathlib import Path

REFUSED = [
    "../evil.cfg",
    "a/../../b",
    "..",
    "a/..",
    "../out2/x",
    "..\\..\\x",
    "a\\..\\x",
    "a/..\\x",
    "/etc/x",
    "/",
    "//srv/share/x",
    "\\x",
    "\\\\srv\\x",
    "\\\\?\\C:\\x",
    "\\\\.\\pipe\\x",
    "C:\\x",
    "C:/x",
    "c:/x",
    "C:",
    "z:",
    "C:\\..\\x",
    "x" * 256,
    "é" * 128,
    "a/" + "x" * 256 + "/b",
    "\udcff" * 86,
    ":" * 86,
    "N" + "U" * 253 + "L.",
]
ESCAPED = {
    # plain ones stay as they are
    "a": "a",
    "maps/e1m1.bsp": "maps/e1m1.bsp",
    "MAP01": "MAP01",
    ".hidden": ".hidden",
    "..a": "..a",
    "a..b": "a..b",
    "-rf": "-rf",
    "~": "~",
    "$HOME": "$HOME",
    " a": " a",
    "a b": "a b",
    "é": "é",
    "e\u0301": "e\u0301",
    "日本語/字": "日本語/字",
    "\U0001f600": "\U0001f600",
    "x" * 255: "x" * 255,
    "é" * 127: "é" * 127,
    "my;'`&#{}[]~name!": "my;'`&#{}[]~name!",
    # a backslash separates
    "models\\e2\\a.dkm": "models/e2/a.dkm",
    "a\\b/c": "a/b/c",
    # characters that Windows does not allow, and the escape itself
    "C:D": "C%3AD",
    "a:b": "a%3Ab",
    "a/C:/x": "a/C%3A/x",
    "file::$DATA": "file%3A%3A$DATA",
    "E?": "E%3F",
    "*": "%2A",
    '"q"': "%22q%22",
    "<a>": "%3Ca%3E",
    "a|b": "a%7Cb",
    "100%": "100%25",
    "%41": "%2541",
    "%2e%2e/x": "%252e%252e/x",
    "%": "%25",
    # a last dot or space, which Windows drops
    "A.": "A%2E",
    "B ": "B%20",
    "a/b./c": "a/b%2E/c",
    ".": "%2E",
    "./a": "%2E/a",
    "a/./b": "a/%2E/b",
    "...": "..%2E",
    ".. ": "..%20",
    ". .": ". %2E",
    "a. .": "a. %2E",
    # empty parts
    "": "%",
    "a//b": "a/%/b",
    "maps/": "maps/%",
    "a\\\\b": "a/%/b",
    # devices of Windows
    "CON": "%43ON",
    "con": "%63on",
    "PRN": "%50RN",
    "AUX": "%41UX",
    "NUL": "%4EUL",
    "NUL.TXT": "%4EUL.TXT",
    "NUL.tar.gz": "%4EUL.tar.gz",
    "nul .txt": "%6Eul .txt",
    "a/aux/b": "a/%61ux/b",
    "COM1": "%43OM1",
    "COM1.log": "%43OM1.log",
    "COM0": "%43OM0",
    "COM¹": "%43OM¹",
    "com².x": "%63om².x",
    "LPT9": "%4CPT9",
    "LPT³": "%4CPT³",
    "CONIN$": "%43ONIN$",
    "CONOUT$.x": "%43ONOUT$.x",
    "CLOCK$": "%43LOCK$",
    "CON.": "%43ON%2E",
    "CONSOLE": "CONSOLE",
    "COM10": "COM10",
    "XCON": "XCON",
    "COM": "COM",
    # what a tool that finds it would run
    ".git/config": "%2Egit/config",
    "a/.GIT": "a/%2EGIT",
    "git~1/hooks": "%67it~1/hooks",
    ".gitignore": ".gitignore",
    # what would trick whoever lists the folder
    "\x1b[31mred": "%1B[31mred",
    "a\nb": "a%0Ab",
    "a\rb": "a%0Db",
    "\x00": "%00",
    "\x7f": "%7F",
    "\x9b31m": "%C2%9B31m",
    "\x85": "%C2%85",
    "exe.\u202efdp": "exe.%E2%80%AEfdp",
    "\u2066a\u2069": "%E2%81%A6a%E2%81%A9",
    "\u200f": "%E2%80%8F",
    "a\u2028b": "a%E2%80%A8b",
    # bytes that are not UTF-8
    "\udcff": "%FF",
    "a\udc80b/\udcfe": "a%80b/%FE",
}

parts = (
    st.binary(max_size=20)
    .map(lambda data: data.decode("utf-8", "surrogateescape"))
    .filter(lambda part: not {"/", "\\"} & {*part})
)
names = st.lists(parts, min_size=1, max_size=4).map("/".join)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test runs in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(params=["from open folders", "by whole paths"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways of going down to a file: POSIX's and the one for systems without it."""
    monkeypatch.setattr(below, "FROM_OPEN_FOLDERS", request.param == "from open folders")


both_ways = pytest.mark.usefixtures("way")


def plan(*names: str) -> list[Target]:
    """Where the lumps of these names go."""
    return plan_extraction([Wanted(entry, name) for entry, name in enumerate(names)])


def unpack(*names: str, overwrite: bool = False) -> list[int]:
    """Extract lumps whose bytes are their numbers to "out"; the entries that failed."""
    failures = extract(plan(*names), lambda entry: b"%d" % entry, "out", overwrite=overwrite)
    return [failure.entry for failure in failures]


def tree(folder: str = ".") -> dict[str, bytes | str]:
    """Every file below a folder with its bytes, and what else is there."""
    found: dict[str, bytes | str] = {}
    for top, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(top, name)
            mode = os.lstat(path).st_mode
            if stat.S_ISREG(mode):
                found[os.path.relpath(path, folder)] = disk.read_file(path)
            elif not stat.S_ISDIR(mode):
                found[os.path.relpath(path, folder)] = "odd"
    return found


@given(parts.filter(lambda part: part != ".."))
def test_every_part_can_be_named_back(part: str) -> None:
    escaped = escape_part(part)
    assert unescape_part(escaped) == part
    assert escaped not in {"", ".", ".."}
    assert not {"/", "\\", ":", "\0"} & {*escaped}
    escaped.encode()  # it is UTF-8 as it stands


@given(parts, parts)
def test_no_two_parts_become_one(one: str, other: str) -> None:
    assert (escape_part(one) == escape_part(other)) == (one == other)


@given(names)
def test_every_name_is_refused_or_strictly_below_the_folder(name: str) -> None:
    try:
        path = safe_join(name)
    except ValueError:
        return
    assert os.path.normpath(f"/top/out/{path}") == f"/top/out/{path}"
    assert "/".join(map(unescape_part, path.split("/"))) == name.replace("\\", "/")


@pytest.mark.parametrize("name", REFUSED)
def test_a_name_that_leads_out_or_cannot_be_held_is_refused(name: str) -> None:
    with pytest.raises(UnsupportedError) as caught:
        plan("good", name)
    assert caught.value.code == "unsafe-name"
    assert caught.value.entry == 1
    assert str(caught.value).startswith(f"entry 1: {name!r} cannot be extracted: ")


@pytest.mark.parametrize(("name", "path"), ESCAPED.items(), ids=map(ascii, ESCAPED))
def test_every_other_name_gets_one_path_on_every_platform(name: str, path: str) -> None:
    assert plan(name) == [Target(0, path)]
    assert "/".join(map(unescape_part, path.split("/"))) == name.replace("\\", "/")


def test_there_are_enough_names() -> None:
    assert len(REFUSED) + len(ESCAPED) >= 100


@both_ways
def test_all_names_that_are_not_refused_are_written_below_the_folder_and_nowhere_else() -> None:
    os.mkdir("beside")
    disk.write_file("beside/file", b"untouched")
    paths: dict[str, str] = {}
    for name, path in ESCAPED.items():  # those that one folder can hold together
        try:
            plan(*paths, name)
        except UnsupportedError:
            continue
        paths[name] = path
    assert len(paths) > 70
    assert unpack(*paths) == []
    expected = {f"out/{path}": b"%d" % entry for entry, path in enumerate(paths.values())}
    assert tree() == {**expected, "beside/file": b"untouched"}


def test_a_lump_without_a_name_gets_its_key() -> None:
    """ "named by their 16-digit keys where nothing names them"."""
    wanted = [Wanted(0, None, 0xAB), Wanted(1, "a"), Wanted(2, None, 2**64 - 1)]
    assert [target.path for target in plan_extraction(wanted)] == ["00000000000000ab", "a", "f" * 16]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("A.TXT", "a.txt"),
        ("a", "a"),
        ("dir/É", "DIR/é"),
        ("\u00e9", "e\u0301"),
        ("\u212b", "\u00e5"),
        ("straße", "STRASSE"),
        ("a/b", "a\\b"),
        ("ﬁ", "FI"),
        ("maps", "maps/e1m1"),
        ("maps/e1m1", "maps"),
        ("MAPS", "maps/e1m1"),
        ("a/b/c", "A/B"),
        ("00000000000000ab", None),
    ],
)
def test_names_that_one_folder_cannot_hold_are_refused_by_both_names(first: str, second: str | None) -> None:
    wanted = [Wanted(5, "other"), Wanted(7, first), Wanted(9, second, 0xAB)]
    with pytest.raises(UnsupportedError) as caught:
        plan_extraction(wanted)
    assert caught.value.code == "clashing-names"
    message = str(caught.value)
    assert "\n" not in message
    for lump in wanted[1:]:
        assert str(lump.entry) in message
        path = "00000000000000ab" if lump.name is None else safe_join(lump.name)
        assert repr(path) in message


def test_folders_may_be_written_in_two_ways() -> None:
    """Old archives mix case in folders freely; no file is lost by it."""
    assert len(plan("Data/a", "data/b")) == 2


@pytest.mark.parametrize("name", REFUSED)
def test_a_refusal_comes_before_the_first_byte(name: str) -> None:
    with pytest.raises(UnsupportedError):
        unpack("good", name)
    assert tree() == {}
    assert not os.path.exists("out")


@both_ways
def test_a_lump_that_does_not_read_prevents_no_other() -> None:
    def read(entry: int) -> bytes:
        if entry == 1:
            raise MalformedError("entry 1: its LZ4 block is broken", "lz4", 1)
        if entry == 2:
            raise UnsupportedError("entry 2: compressed in an unknown way", "codec", 2)
        return b"%d" % entry

    failures = extract(plan("a", "b", "c/d", "e"), read, "out")
    assert [(failure.entry, failure.error.code) for failure in failures] == [(1, "lz4"), (2, "codec")]
    assert tree("out") == {"a": b"0", "e": b"3"}


@both_ways
def test_what_is_there_is_not_replaced_unless_asked() -> None:
    disk.write_file("out/b/c", b"mine")
    with pytest.raises(DiskError, match=r"^cannot write out/b/c: File exists$"):
        unpack("a", "b/c")
    assert tree("out") == {"b/c": b"mine"}
    assert unpack("a", "b/c", overwrite=True) == []
    assert tree("out") == {"a": b"0", "b/c": b"1"}


@both_ways
def test_a_file_that_appears_meanwhile_is_not_replaced() -> None:
    def read(entry: int) -> bytes:
        disk.write_file("out/b", b"mine")
        return b"%d" % entry

    with pytest.raises(DiskError, match=r"^cannot write out/b: File exists$"):
        extract(plan("b"), read, "out")
    assert tree("out") == {"b": b"mine"}


def make_link(path: str, target: str) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    os.symlink(target, path)


@both_ways
@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize(("link", "name"), [("out/a", "a/x"), ("out/a/b", "a/b/x"), ("out/a", "a/b/c/x")])
def test_a_planted_link_to_a_folder_is_never_followed(
    link: str, name: str, overwrite: bool, folder: Path
) -> None:
    disk.make_folder("outside/b/c")
    make_link(link, str(folder / "outside"))
    with pytest.raises(DiskError, match=f"^cannot write out/{name}: a link is where a folder must be$"):
        unpack("first", name, overwrite=overwrite)
    assert os.listdir("outside") == ["b"]
    assert tree("outside") == {}
    assert not os.path.exists("out/first")


@both_ways
def test_a_planted_link_to_a_file_is_replaced_and_not_written_through() -> None:
    disk.write_file("outside", b"mine")
    make_link("out/a", "../outside")
    with pytest.raises(DiskError, match=r"^cannot write out/a: File exists$"):
        unpack("a")
    assert unpack("a", overwrite=True) == []
    assert tree() == {"out/a": b"0", "outside": b"mine"}


@both_ways
@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize(
    ("make", "name", "message"),
    [
        (os.mkfifo, "a", "cannot write out/a: a FIFO is in its place"),
        (os.mkfifo, "a/b", "cannot write out/a/b: a FIFO is where a folder must be"),
        (os.mkdir, "a", "cannot write out/a: a folder is in its place"),
        (os.mknod, "a/b", "cannot write out/a/b: a file is where a folder must be"),
    ],
)
def test_what_is_in_the_way_is_said(make: object, name: str, message: str, overwrite: bool) -> None:
    os.mkdir("out")
    assert callable(make)
    make("out/a")
    with pytest.raises(DiskError, match=f"^{message}$"):
        unpack("first", name, overwrite=overwrite)
    assert os.listdir("out") == ["a"]


@pytest.mark.parametrize("what", ["file", "fifo"])
def test_a_target_that_is_no_folder_is_refused(what: str) -> None:
    if what == "file":
        disk.write_file("out", b"mine")
    else:
        os.mkfifo("out")
    with pytest.raises(DiskError, match=r"^cannot write out/a: Not a directory$"):
        unpack("a")


@both_ways
def test_the_folder_itself_may_be_a_link() -> None:
    os.mkdir("real")
    os.symlink("real", "out")
    assert unpack("a/b") == []
    assert tree("real") == {"a/b": b"0"}


@both_ways
def test_files_get_plain_modes() -> None:
    unpack("a/b")
    umask = os.umask(0o022)
    os.umask(umask)
    assert stat.S_IMODE(os.stat("out/a/b").st_mode) == 0o666 & ~umask
    assert stat.S_IMODE(os.stat("out/a").st_mode) == 0o777 & ~umask
    assert os.stat("out/a/b").st_nlink == 1


@both_ways
def test_a_file_system_without_hard_links_works(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", refuse)
    assert unpack("a/b") == []
    assert tree("out") == {"a/b": b"0"}
    with pytest.raises(DiskError, match="File exists"):
        unpack("a/b")


@both_ways
@pytest.mark.parametrize("lasting", [False, True])
def test_a_fault_at_any_call_leaves_whole_files_only(lasting: bool) -> None:
    at = 0
    while True:
        disk.remove_folder_tree("out")
        fault = Fault(at, errno.ENOSPC, lasting=lasting)
        try:
            with failing(fault):
                unpack("a/b", "a/c", "d")
        except DiskError as refused:
            assert str(refused).endswith(": No space left on device")  # noqa: PT017
        else:
            break
        assert tree().items() <= {"out/a/b": b"0", "out/a/c": b"1", "out/d": b"2"}.items()
        at += 1
    assert at > 10


def test_a_killed_extraction_leaves_whole_files_under_final_names() -> None:
    data = os.urandom(1 << 20)
    pid = os.fork()
    if pid == 0:

        def read(entry: int) -> bytes:
            if entry == 2:
                os.kill(os.getpid(), signal.SIGKILL)
            return data

        extract(plan("a/b", "a/c", "d"), read, "out")
    assert os.WTERMSIG(os.waitpid(pid, 0)[1]) == signal.SIGKILL
    assert tree("out") == {"a/b": data, "a/c": data}


def test_folders_swapped_for_links_meanwhile_lead_nowhere(folder: Path) -> None:
    """Another program swaps a folder for a link to one outside, as fast as it can."""
    disk.make_folder("outside")
    disk.make_folder("out/a")
    os.symlink(str(folder / "outside"), "link")
    stop = threading.Event()
    junk = itertools.count()

    def put(path: str) -> None:
        while True:
            try:
                os.rename(path, "out/a")
            except OSError:  # the extraction has just made a folder there
                os.rename("out/a", f"junk{next(junk)}")
            else:
                break

    def swap() -> None:
        while not stop.is_set():
            os.rename("out/a", "kept")
            put("link")
            os.rename("out/a", "link")
            put("kept")

    swapper = threading.Thread(target=swap)
    swapper.start()
    try:
        for number in range(100):
            try:
                unpack(f"a/{number}")
            except DiskError:
                continue
    finally:
        stop.set()
        swapper.join()
    assert os.listdir("outside") == []


def test_no_folder_stays_open() -> None:
    before = os.listdir("/proc/self/fd")
    unpack("a/b/c/d", "a/b/e", "f/g", "h")
    with pytest.raises(DiskError):
        unpack("a/b/c/d")
    assert os.listdir("/proc/self/fd") == before


@given(st.binary(max_size=300_000))
def test_bytes_arrive_as_they_are(data: bytes) -> None:
    extract(plan("a"), lambda _: memoryview(data), "out", overwrite=True)
    assert disk.read_file("out/a") == data
