"""Laws of the merged tree, against a model that is as plain as can be; then the cases that people meet."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.mounts import make_ewad, make_mpq, make_wad, write_tree

from lumpyard.errors import DiskError, NotFoundError, UsageError
from lumpyard.globs import parse_glob
from lumpyard.vfs import Vfs

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test runs in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Layer(NamedTuple):
    """A mount of the model."""

    kind: str  # "folder" or "EWAD", both of which compare names exactly
    at: str
    files: dict[str, bytes]

    def full(self) -> dict[str, bytes]:
        return {f"{self.at}/{path}" if self.at else path: raw for path, raw in self.files.items()}

    def folders(self) -> set[str]:
        paths = [*self.full(), *([f"{self.at}/x"] if self.at else [])]
        return {path[:end] for path in paths for end in range(len(path)) if path[end] == "/"}


def parents(path: str) -> list[str]:
    return [path[:end] for end in range(len(path)) if path[end] == "/"]


def expected(layers: list[Layer], path: str) -> bytes | None:
    """What a path of the model leads to; the last layer is the uppermost."""
    for layer in reversed(layers):
        full, folders = layer.full(), layer.folders()
        if path in full:
            return full[path]
        if path in folders or any(above in full and above not in folders for above in parents(path)):
            return None
    return None


PATHS = st.lists(st.sampled_from(["a", "b", "c.x"]), min_size=1, max_size=3).map("/".join)


@st.composite
def layers(draw: st.DrawFn) -> list[Layer]:
    found = []
    for number in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(["folder", "EWAD"]))
        paths = draw(st.sets(PATHS, max_size=5))
        if kind == "folder":  # which can't hold a file and a folder of one name
            paths = {path for path in paths if not any(above in paths for above in parents(path))}
        at = draw(st.sampled_from(["", "", "a", "b/a"]))
        found.append(Layer(kind, at, {path: f"{number} {path}".encode() for path in paths}))
    return found


def mount(layer: Layer, number: int, vfs: Vfs) -> None:
    if layer.kind == "folder":
        write_tree(f"loose{number}", layer.files.items())
        vfs.mount(f"loose{number}", layer.at)
    else:
        vfs.mount_bytes(make_ewad(layer.files.items()), f"{number}.ewad", layer.at)


def probes(model: list[Layer]) -> list[str]:
    """All names of the model, the folders on the way, and names that are nowhere."""
    paths = {path for layer in model for path in layer.full()}
    paths |= {above for path in paths for above in parents(path)} | {layer.at for layer in model if layer.at}
    return sorted(paths | {f"{path}/a" for path in paths} | {"a", "b/a", "c"})


@given(layers())
@settings(max_examples=60)
def test_a_name_leads_to_the_uppermost_mount_that_has_it(model: list[Layer]) -> None:
    with TemporaryDirectory() as scratch:
        os.chdir(scratch)
        with Vfs() as vfs:
            for number, layer in enumerate(model):
                mount(layer, number, vfs)
            paths = probes(model)
            seen = {path: raw for path in paths if (raw := expected(model, path)) is not None}
            for path in paths:
                assert vfs.exists(path) == (path in seen)
            assert {path: vfs.read(path) for path in vfs} == seen
            assert list(vfs) == sorted(seen)
            for path, raw in seen.items():
                explanation = vfs.explain(path)
                assert explanation.winner is not None
                assert explanation.winner.size == len(raw) == vfs.stat(path).size
                holders = [layer for layer in reversed(model) if path in layer.full()]
                files = [one for one in explanation.shadowed if one.size is not None]
                assert len(files) == len(holders) - 1
            for pattern in ("**", "*", "a/*", "**/*.x", "?/a/**", "b/a/c.x"):
                glob = parse_glob(pattern)
                assert vfs.glob(pattern) == [path for path in sorted(seen) if glob.matches(path)]
        os.chdir("/")


def test_a_later_mount_lies_above_an_earlier_one() -> None:
    """Case 154: "written precedence; every shadowed input listed"."""
    write_tree("loose", [("patch.txt", b"loose")])
    with Vfs() as vfs:
        vfs.mount_bytes(make_ewad([("patch.txt", b"first")]), "first.ewad")
        vfs.mount("loose")
        vfs.mount_bytes(make_ewad([("patch.txt", b"second")]), "second.ewad")
        assert vfs.read("patch.txt") == b"second"
        found = vfs.explain("patch.txt")
        assert found.winner is not None
        assert found.winner.source == "second.ewad!patch.txt"
        assert [one.source for one in found.shadowed] == ["loose/patch.txt", "first.ewad!patch.txt"]
        assert found.rule == vfs.rule == "of all mounts that have a name, the latest is taken"


def test_all_files_that_hide_others_are_told() -> None:
    """Cases 94 and 115: "mount order decides, conflicts listed"."""
    write_tree("loose", [("dir/a", b""), ("dir/b", b""), ("units/c.txt", b"")])
    with Vfs() as vfs:
        vfs.mount("loose")
        vfs.mount_bytes(make_wad([("WALL", b"one"), ("ONLY", b"")]), "one.wad")
        vfs.mount_bytes(make_wad([("wall", b"two"), ("TWICE", b"1"), ("TWICE", b"2")]), "two.wad")
        vfs.mount_bytes(make_mpq([("Units/C.txt", b"mpq")]), "units.mpq")
        vfs.mount_bytes(make_ewad([("ONLY/x", b""), ("dir", b"no folder")]), "three.ewad")
        assert [
            (one.name, one.winner.source if one.winner else None, [other.source for other in one.shadowed])
            for one in vfs.conflicts()
        ] == [
            ("ONLY", None, ["three.ewad!ONLY", "one.wad!ONLY"]),
            ("Units/C.txt", "units.mpq!Units/C.txt", ["loose/units/c.txt"]),
            ("dir/a", None, ["three.ewad!dir/a", "loose/dir/a"]),
            ("dir/b", None, ["three.ewad!dir/b", "loose/dir/b"]),
            ("wall", "two.wad!wall", ["one.wad!WALL"]),
        ]
        for name in ("Units/C.txt", "units/c.txt", "UNITS/C.TXT"):
            assert [one.source for one in vfs.explain(name).shadowed] == ["loose/units/c.txt"]
        assert vfs.explain("dir/a").winner is None
        told = {one.name: one for one in vfs.conflicts() if one.winner is None}
        assert list(told) == ["ONLY", "dir/a", "dir/b"]
        assert all(one == vfs.explain(name) for name, one in told.items())


@pytest.mark.parametrize("folder_first", [True, False])
def test_archives_first_and_then_loose_files_whatever_was_mounted_first(folder_first: bool) -> None:
    """Case 115: "VFS precedence is explicit in config"; "tries MPQ archives first, then falls back"."""
    write_tree("loose", [("a", b"loose"), ("b", b"only loose")])
    write_tree("older", [("a", b"older"), ("b", b"older")])
    with Vfs("archives first") as vfs:
        mounts: list[Callable[[], object]] = [
            lambda: vfs.mount_bytes(make_ewad([("a", b"archive")]), "x.ewad"),
            lambda: [vfs.mount("older"), vfs.mount("loose")],
        ]
        for mount_it in reversed(mounts) if folder_first else mounts:
            mount_it()
        assert (vfs.read("a"), vfs.read("b")) == (b"archive", b"only loose")
        assert "archive" in vfs.explain("a").rule
        assert [mounted.layer.label for mounted in vfs.mounts] == ["x.ewad", "loose", "older"]


def test_the_classic_order_is_one_call() -> None:
    write_tree("share", [("a", b"loose"), ("b", b"loose")])
    Path("one.wad").write_bytes(make_wad([("A", b"one"), ("C", b"one")]))
    Path("two.wad").write_bytes(make_wad([("A", b"two")]))
    with Vfs.classic(["one.wad", "two.wad"], ["share"]) as vfs:
        assert [vfs.read(name) for name in ("a", "b", "c")] == [b"two", b"loose", b"one"]


def test_a_mount_that_fails_changes_nothing() -> None:
    """Case 172: "validate whole directory at mount"."""
    write_tree("loose", [("a", b"1")])
    whole = make_ewad([("a", b"archive")])
    Path("cut.ewad").write_bytes(whole[:100])
    with Vfs() as vfs:
        vfs.mount("loose")
        for bad, message in (
            ("cut.ewad", "cut.ewad: "),
            ("gone.ewad", "cannot mount gone.ewad: there is no file or folder gone.ewad"),
            ("loose/a", "loose/a: not an archive"),
            ("cut.ewad!x", "cut.ewad: "),
        ):
            with pytest.raises(Exception, match=message):
                vfs.mount(bad)
        assert len(vfs.mounts) == 1
        assert vfs.read("a") == b"1"


@pytest.mark.parametrize("at", ["/", "a//b", "../x", "a/", "."])
def test_a_mount_has_a_place_in_the_tree(at: str) -> None:
    with Vfs() as vfs, pytest.raises(UsageError, match="no place to mount at"):
        vfs.mount_bytes(make_ewad([]), "x", at)


def test_every_cut_of_an_archive_is_refused_when_it_is_mounted() -> None:
    """Case 172: "mount succeeds on a corrupt archive, listing fails later"."""
    for whole in (make_ewad([("a", b"x")]), make_wad([("A", b"x")]), make_mpq([("a", b"x")])):
        with Vfs() as vfs:
            for end in range(0, len(whole), 7):
                with pytest.raises(Exception, match=r"^cut: "):
                    vfs.mount_bytes(whole[:end], "cut")
            assert vfs.mounts == ()


def test_archives_of_a_folder_are_mounted_in_the_order_of_their_names() -> None:
    """Case 170: "load order of WADs in a folder must be alphabetical, was disk order"."""
    for name in ("b.wad", "a.WAD", "c.pak", "notes.txt", "B.wad"):
        Path("mods").mkdir(exist_ok=True)
        data = make_wad([("LUMP", name.encode())]) if name != "c.pak" else make_wad([], b"IWAD")
        (Path("mods") / name).write_bytes(data if name != "notes.txt" else b"no archive")
    with Vfs() as vfs:
        mounted = vfs.mount_archives("mods")
        assert [one.layer.label for one in mounted] == [
            "mods/B.wad",
            "mods/a.WAD",
            "mods/b.wad",
            "mods/c.pak",
        ]
        assert vfs.read("LUMP") == b"b.wad"


def test_of_a_folder_all_archives_are_mounted_or_none() -> None:
    write_tree("mods", [("a.wad", make_wad([("A", b"x")])), ("b.wad", b"PWAD")])
    with Vfs() as vfs:
        with pytest.raises(Exception, match=r"^mods/b\.wad: "):
            vfs.mount_archives("mods")
        assert vfs.mounts == ()
        with pytest.raises(DiskError, match="there is no such folder"):
            vfs.mount_archives("nowhere")


def test_what_is_unmounted_no_longer_hides_what_it_hid() -> None:
    with Vfs() as vfs:
        vfs.mount_bytes(make_ewad([("a", b"lower")]), "lower")
        upper = vfs.mount_bytes(make_ewad([("a", b"upper"), ("b", b"gone")]), "upper")
        assert (vfs.read("a"), vfs.exists("b")) == (b"upper", True)
        vfs.unmount(upper)
        assert (vfs.read("a"), vfs.exists("b")) == (b"lower", False)
        with pytest.raises(ValueError, match="upper is not mounted"):
            vfs.unmount(upper)


def test_a_closed_file_system_says_so() -> None:
    vfs = Vfs()
    vfs.mount_bytes(make_ewad([("a", b"x")]), "x")
    vfs.close()
    vfs.close()
    with pytest.raises(ValueError, match="the file system is closed"):
        vfs.read("a")


def test_a_missing_name_is_remembered_until_the_mounts_change() -> None:
    """ "Missing names are remembered as missing": engines probe for the same names frame by frame."""
    write_tree("loose", [("a", b"1")])
    asked: list[str] = []
    with Vfs() as vfs:
        vfs.mount("loose")
        layer = vfs.mounts[0].layer
        look = layer.look

        def logged(path: str) -> object:
            asked.append(path)
            return look(path)

        layer.look = logged  # type: ignore[method-assign, assignment]
        for _ in range(3):
            assert not vfs.exists("late")
            assert vfs.exists("a")
        assert asked == ["late", "a"]
        write_tree("loose", [("late", b"2"), ("a", b"changed")])
        assert not vfs.exists("late")
        vfs.mount_bytes(make_ewad([]), "empty")
        assert vfs.read("late") == b"2"
        write_tree("loose", [("later", b"3")])
        vfs.refresh()
        assert vfs.read("later") == b"3"


def test_names_never_leave_a_mounted_folder() -> None:
    write_tree(".", [("secret", b"x"), ("loose/a", b"y"), ("loose/sub/b", b"z")])
    Path("loose/link").symlink_to("../secret")
    Path("loose/inside").symlink_to("a")
    with Vfs() as vfs:
        vfs.mount("loose")
        for name in ("../secret", "sub/../a", "./a", "/a", "a/", "sub//b", "", "sub", "\ud800", "a\0"):
            assert not vfs.exists(name), name
        assert vfs.read("inside") == b"y"
        with pytest.raises(DiskError, match="loose/link: it is a link that leaves the project, not a file"):
            vfs.read("link")
        assert list(vfs) == ["a", "inside", "sub/b"]


def test_what_cannot_be_read_hides_what_lies_below_and_is_an_error() -> None:
    write_tree("upper", [])
    os.mkfifo("upper/a")
    with Vfs() as vfs:
        vfs.mount_bytes(make_ewad([("a", b"lower")]), "lower")
        vfs.mount("upper")
        with pytest.raises(DiskError, match="upper/a: it is a FIFO, not a file"):
            vfs.read("a")
        assert not vfs.exists("a")
        assert list(vfs) == []
        found = vfs.explain("a")
        assert found.winner is None
        assert [one.note for one in found.shadowed] == ["is a FIFO", ""]


def test_a_folder_is_no_file() -> None:
    write_tree("loose", [("maps/e1m1", b"x")])
    with Vfs() as vfs:
        vfs.mount("loose", "id1")
        for name in ("id1", "id1/maps"):
            assert vfs.is_folder(name)
            with pytest.raises(NotFoundError, match=f"no file '{name}': in loose it is a folder"):
                vfs.read(name)
        with pytest.raises(NotFoundError, match="below the file 'maps/e1m1'"):
            vfs.read("id1/maps/e1m1/x")
        with pytest.raises(NotFoundError, match="no file 'id2' in any mount"):
            vfs.read("id2")
        with pytest.raises(NotFoundError, match="no folder 'id2' in any mount"):
            vfs.list_folder("id2")


def test_names_that_are_left_out_are_not_seen_at_the_top_alone() -> None:
    write_tree("project", [("build/a", b"1"), ("src/build/b", b"2"), ("archives.lock", b"3")])
    with Vfs() as vfs:
        vfs.mount("project", skip={"build", "archives.lock"})
        vfs.refresh()
        assert list(vfs) == ["src/build/b"]
        assert not vfs.exists("build/a")


def test_names_that_are_not_utf_8_are_surrogate_escapes() -> None:
    Path("loose").mkdir()
    Path(os.fsdecode(b"loose/\xff")).write_bytes(b"x")
    with Vfs() as vfs:
        vfs.mount("loose")
        vfs.mount_bytes(
            make_wad([("", b"")]) and b"PWAD\1\0\0\0\x0c\0\0\0" + b"\x0c\0\0\0\0\0\0\0\xfe\0\0\0\0\0\0\0", "w"
        )
        assert list(vfs) == ["\udcfe", "\udcff"]
        assert vfs.read("\udcff") == b"x"
        assert vfs.read("\udcfe") == b""
