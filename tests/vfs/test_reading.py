"""Bytes of the tree: read, viewed and opened; what is held in memory; and what goes wrong."""

from __future__ import annotations

import gc
import io
import os
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import mpq
from tests.builders.ewad import Written, build
from tests.builders.mounts import MAKERS, make_ewad, packed_lump, write_tree

from lumpyard.errors import DiskError, MalformedError, NotFoundError, UnsupportedError
from lumpyard.vfs import Reading, Vfs
from lumpyard.vfs.lru import ByteCache
from lumpyard.vfs.packed import ArchiveLayer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

RAW = bytes(range(256)) * 40
KINDS = ["folder", *MAKERS, "compressed EWAD", "compressed MPQ"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test runs in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(params=KINDS)
def vfs(request: pytest.FixtureRequest) -> Iterator[Vfs]:
    """A mount of each kind, with LUMP and EMPTY."""
    files = [("LUMP", RAW), ("EMPTY", b"")]
    kind = request.param.removeprefix("compressed ")
    with Vfs() as found:
        if kind == "folder":
            write_tree("loose", files)
            found.mount("loose")
        else:
            make: Callable[..., bytes] = MAKERS[kind]
            options = {"compressed" if kind == "EWAD" else "packed": True} if kind != request.param else {}
            Path("archive").write_bytes(make(files, **options))
            found.mount("archive", reading=Reading(kind))
        yield found


def test_all_ways_to_read_give_the_same_bytes(vfs: Vfs) -> None:
    for name, raw in (("LUMP", RAW), ("EMPTY", b"")):
        assert vfs.read(name) == raw
        assert type(vfs.read(name)) is bytes
        with vfs.view(name) as view:
            assert view.data == raw
            assert view.data.readonly
        with vfs.open(name) as file:
            assert file.read() == raw
        assert vfs.stat(name).size == len(raw)


@given(st.data())
def test_an_open_file_reads_and_seeks_as_one_of_pythons(data: st.DataObject) -> None:
    steps = data.draw(
        st.lists(
            st.one_of(
                st.tuples(st.just("read"), st.integers(-1, 12000)),
                st.tuples(st.just("seek"), st.integers(-5, 12000), st.integers(0, 2)),
                st.tuples(st.just("tell")),
                st.tuples(st.just("readline")),
            ),
            max_size=12,
        )
    )
    with Vfs() as vfs:
        vfs.mount_bytes(make_ewad([("a", RAW)]), "x")
        with vfs.open("a") as file, io.BytesIO(RAW) as twin:
            for name, *arguments in steps:
                outcomes = []
                for one in (file, twin):
                    try:
                        outcomes.append(getattr(one, str(name))(*arguments))
                    except ValueError:
                        outcomes.append("refused")
                    except OSError:
                        outcomes.append("refused")
                if name == "seek" and arguments[1] and outcomes[0] == "refused":
                    break  # BytesIO goes to the start where there is nothing to go to
                assert outcomes[0] == outcomes[1]


def test_an_open_file_cannot_be_written_and_knows_when_it_is_closed(vfs: Vfs) -> None:
    file = vfs.open("LUMP")
    assert (file.readable(), file.seekable(), file.writable()) == (True, True, False)
    with pytest.raises(io.UnsupportedOperation):
        file.write(b"x")
    with pytest.raises(ValueError, match="whence"):
        file.raw.seek(0, 7)  # type: ignore[attr-defined]
    file.close()
    with pytest.raises(ValueError, match="closed"):
        file.read()
    with pytest.raises(ValueError, match="is closed"):
        file.raw.tell()  # type: ignore[attr-defined]


def test_a_view_that_is_closed_says_so(vfs: Vfs) -> None:
    view = vfs.view("LUMP")
    data = view.data
    assert not view.closed
    view.close()
    view.close()
    assert view.closed
    with pytest.raises(ValueError, match=r"the view of 'LUMP' is closed; its bytes are only there before"):
        view.data  # noqa: B018
    with pytest.raises(ValueError, match="released"):
        data[0]


def test_what_was_sliced_from_a_view_outlives_it_and_the_mount(vfs: Vfs) -> None:
    with vfs.view("LUMP") as view:
        part = view.data[10:20]
    vfs.close()
    gc.collect()
    assert part == RAW[10:20]


def maps(path: str) -> int:
    return Path("/proc/self/maps").read_text().count(os.path.realpath(path))


def test_closing_a_view_of_a_loose_file_gives_its_map_back() -> None:
    write_tree("loose", [("a", RAW)])
    with Vfs() as vfs:
        vfs.mount("loose")
        with vfs.view("a"):
            assert maps("loose/a") == 1
        assert maps("loose/a") == 0


def test_an_archive_is_mapped_once_and_only_as_long_as_it_is_needed() -> None:
    Path("x.ewad").write_bytes(make_ewad([("a", RAW), ("b", RAW)]))
    with Vfs() as vfs:
        mounted = vfs.mount("x.ewad")
        with vfs.view("a") as one, vfs.view("b") as two:
            assert maps("x.ewad") == 1
            vfs.unmount(mounted)
            del mounted
            assert one.data == two.data == RAW
        gc.collect()
        assert maps("x.ewad") == 0


def test_a_lump_that_is_stored_raw_is_not_copied() -> None:
    data = make_ewad([("a", RAW)])
    with Vfs() as vfs:
        vfs.mount_bytes(data, "x")
        with vfs.view("a") as view:
            assert view.data.obj is data


def test_a_lump_is_decompressed_once_until_the_mounts_change() -> None:
    with Vfs() as vfs:
        vfs.mount_bytes(make_ewad([("a", RAW)], compressed=True), "x")
        first = vfs.read("a")
        assert vfs.read("a") is first
        with vfs.view("a") as view:
            assert view.data.obj is first
        vfs.mount_bytes(make_ewad([]), "empty")
        assert vfs.read("a") is not first


def test_what_is_held_decompressed_stays_within_the_budget() -> None:
    lumps = [packed_lump(b"%d" % number, b"%d" % number * 1000) for number in range(1, 10)]
    with Vfs(cache_size=3500) as vfs:
        vfs.mount_bytes(build(lumps), "x")
        held = {name: vfs.read(name) for name in "1234"}
        assert vfs.read("4") is held["4"]
        assert vfs.read("3") is held["3"]
        assert vfs.read("1") is not held["1"]
    with Vfs(cache_size=0) as vfs:
        vfs.mount_bytes(build(lumps), "x")
        assert vfs.read("1") is not vfs.read("1")


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5), st.integers(0, 60)), max_size=60))
def test_the_cache_holds_what_was_asked_for_last(steps: list[tuple[bool, int, int]]) -> None:
    cache = ByteCache(100)
    model: dict[int, bytes] = {}  # the latest last
    for is_put, key, size in steps:
        if is_put:
            data = bytes(size * 2)
            held = cache.put(key, data)
            if len(data) > 100:
                assert held is data
                continue
            assert held is model.get(key, data)
            model[key] = model.pop(key, data)
            while sum(map(len, model.values())) > 100:
                del model[next(iter(model))]
        else:
            assert cache.get(key) is model.get(key)
            if key in model:
                model[key] = model.pop(key)
        assert cache.size == sum(map(len, model.values())) <= 100


def broken_lump() -> bytes:
    """An EWAD with a lump `a` whose bytes don't match its hash, and a sound `b`."""
    data = bytearray(make_ewad([("a", b"damaged here"), ("b", b"sound")]))
    data[data.index(b"damaged")] ^= 1
    return bytes(data)


def test_a_damaged_lump_is_an_error_and_no_reason_to_look_below() -> None:
    """ "Not found, unsupported and corrupt are three errors, and the VFS falls through only on the first." """
    write_tree("loose", [("a", b"loose"), ("b", b"loose"), ("c", b"loose")])
    with Vfs() as vfs:
        vfs.mount("loose")
        vfs.mount_bytes(broken_lump(), "bad.ewad")
        for way in (vfs.read, vfs.view, vfs.open):
            with pytest.raises(
                MalformedError, match=r"^bad\.ewad: entry \d \('a'\): the content hash is"
            ) as caught:
                way("a")
            assert caught.value.code == "content-hash"
            assert caught.value.entry is not None
        assert vfs.exists("a")
        assert (vfs.read("b"), vfs.read("c")) == (b"sound", b"loose")


def test_a_lump_that_cannot_be_decoded_is_an_error_and_no_reason_to_look_below() -> None:
    write_tree("loose", [("a", b"loose")])
    sector = b"\x02" + b"no deflate"
    data = mpq.build([mpq.Written(b"a", bytes(100), mpq.COMPRESS, sectors=(sector,))])
    unknown = mpq.build([mpq.Written(b"a", bytes(100), mpq.COMPRESS, sectors=(b"\x04" + bytes(9),))])
    for archive, kind in ((data, MalformedError), (unknown, (UnsupportedError, MalformedError))):
        with Vfs() as vfs:
            vfs.mount("loose")
            vfs.mount_bytes(archive, "bad.mpq")
            with pytest.raises(kind, match=r"^bad\.mpq: entry 0"):
                vfs.read("a")


def test_an_archive_that_changes_under_its_mount_is_refused() -> None:
    """A map of a file that is cut kills who reads past its end; so each read looks at size and time first."""
    whole = make_ewad([("a", RAW)])
    Path("x.ewad").write_bytes(whole)
    with Vfs() as vfs:
        vfs.mount("x.ewad")
        with vfs.open("a") as file:
            assert file.read(10) == RAW[:10]
            os.truncate("x.ewad", 64)
            message = r"cannot read x\.ewad: it has changed since it was mounted; mount it again"
            with pytest.raises(DiskError, match=message):
                file.read()
        for way in (vfs.read, vfs.view, vfs.open):
            with pytest.raises(DiskError, match=message):
                way("a")
        assert vfs.exists("a")
        Path("x.ewad").write_bytes(whole)
        with pytest.raises(DiskError, match=message):
            vfs.read("a")


def test_a_look_up_that_reads_the_directory_looks_at_the_file_first() -> None:
    Path("x.ewad").write_bytes(build([Written(b"a", RAW)], named=False))
    with Vfs() as vfs:
        vfs.mount("x.ewad")
        os.truncate("x.ewad", 0)
        with pytest.raises(DiskError, match="it has changed"):
            vfs.exists("a")


def test_a_nested_archive_is_refused_when_the_outer_file_changes() -> None:
    Path("x.ewad").write_bytes(make_ewad([("in", make_ewad([("a", RAW)]))]))
    with Vfs() as vfs:
        vfs.mount("x.ewad!in")
        os.truncate("x.ewad", 64)
        with pytest.raises(DiskError, match="it has changed"):
            vfs.read("a")


def test_an_archive_that_is_replaced_stays_as_it_was_mounted() -> None:
    Path("x.ewad").write_bytes(make_ewad([("a", b"old")]))
    Path("new").write_bytes(make_ewad([("a", b"newer")]))
    with Vfs() as vfs:
        mounted = vfs.mount("x.ewad")
        Path("new").replace("x.ewad")
        assert vfs.read("a") == b"old"
        vfs.unmount(mounted)
        vfs.mount("x.ewad")
        assert vfs.read("a") == b"newer"


def test_a_loose_file_that_is_gone_since_its_folder_was_listed_is_an_error() -> None:
    write_tree("loose", [("a", b"1")])
    with Vfs() as vfs:
        vfs.mount_bytes(make_ewad([("a", b"below")]), "below")
        vfs.mount("loose")
        assert vfs.read("a") == b"1"
        Path("loose/a").unlink()
        for way in (vfs.read, vfs.view, vfs.open):
            with pytest.raises(DiskError, match=r"loose/a: No such file"):
                way("a")
        vfs.refresh()
        assert vfs.read("a") == b"below"


def test_every_flipped_byte_of_an_archive_is_an_error_or_the_right_bytes() -> None:
    whole = make_ewad([("a", b"abc"), ("b/c", b"defg")], compressed=True)
    for at in range(len(whole)):
        data = bytearray(whole)
        data[at] ^= 0x55
        with Vfs() as vfs:
            try:
                vfs.mount_bytes(bytes(data), "x")
                for name in vfs:
                    vfs.read(name)
                vfs.read("a")
            except (MalformedError, UnsupportedError, NotFoundError):
                continue


def test_deep_names_are_listed_without_a_look_at_each_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of 300 kB can have a hundred thousand folders; half a minute went into them."""
    names = [f"{number:02x}/{'a/' * 100}b" for number in range(100)]
    calls: list[str] = []
    look = ArchiveLayer.look

    def logged(self: ArchiveLayer, path: str) -> object:
        calls.append(path)
        return look(self, path)

    monkeypatch.setattr(ArchiveLayer, "look", logged)
    with Vfs() as vfs:
        vfs.mount_bytes(make_ewad([(name, b"") for name in names]), "deep")
        vfs.mount_bytes(make_ewad([("c", b"")]), "flat")
        assert len(list(vfs)) == 101
        assert vfs.glob("**/b") == names
        assert len(calls) <= 4 * len(names) + 4


def test_deep_names_take_no_more_memory_than_they_are_long() -> None:
    """A table of folders would hold 126 for each of these; a small file must not fill the memory."""
    names = [f"{number:03x}/{'/'.join(f'{number:03x}' * 41)}" for number in range(1000)]
    data = make_ewad([(name, b"") for name in names])
    tracemalloc.start()
    try:
        with Vfs() as vfs:
            vfs.mount_bytes(data, "deep")
            assert vfs.exists(names[7])
            assert vfs.is_folder(names[7].rpartition("/")[0])
            assert len(vfs.list_folder().folders) == 1000
            assert tracemalloc.get_traced_memory()[1] < 20 * len(data)
    finally:
        tracemalloc.stop()
