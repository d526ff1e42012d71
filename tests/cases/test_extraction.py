"""Names that would leave the folder, or that a file system cannot hold. Each docstring says where that was reported."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.builders import ewad, judges, mpq, plain

from lumpyard.archives.writing import WRITERS, NewLump

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Run


def made_mpq(lumps: list[tuple[bytes, bytes]]) -> bytes:
    files = [mpq.Written(name, raw) for name, raw in lumps]
    return mpq.build([*files, mpq.listfile(files)])


MADE: dict[str, Callable[[list[tuple[bytes, bytes]]], bytes]] = {  # by formats whose names are paths
    "PAK": plain.pak,
    "DAIKATANA": lambda lumps: plain.daikatana([(name, raw, None) for name, raw in lumps]),
    "EWAD": lambda lumps: ewad.build([ewad.Written(name, raw) for name, raw in lumps]),
    "MPQ": made_mpq,
}
EVERY = pytest.mark.parametrize("format_name", MADE)
GOOD = (b"good.txt", b"good")


@EVERY
@pytest.mark.parametrize(
    "name",
    [
        b"../evil.cfg",
        b"a/../../b",
        b"a/..",
        b"..",
        b"C:\\x",
        b"c:/x",
        b"\\\\srv\\x",
        b"/etc/x",
        b"\\x",
        b"../out2/x",
        b"..\\..\\x",
        b"a\\..\\..\\x",
        b"a/..\\..\\x",
    ],
)
def test_a_name_that_leads_out_of_the_folder_is_refused_and_nothing_is_written(
    format_name: str, name: bytes, run: Run, tmp_path: Path
) -> None:
    """yquake2/pakextract wrote it outside; byrongamatos/slopsmith PR382: absolute names, and with backslashes.

    ZJONSSON/node-unzipper#357: `../out2/x` has the root `out` in front; Ne-Lexa/php-zip#100: no split at backslashes.
    """
    out = tmp_path / "deep" / "out"
    (tmp_path / "x.pak").write_bytes(MADE[format_name]([GOOD, (name, b"evil")]))
    before = judges.files_below(tmp_path)
    ran = run("extract", "--format", format_name, tmp_path / "x.pak", "-C", out)
    assert (ran.status, ran.stdout) == (4, b"")
    assert "cannot be extracted" in ran.err
    assert ran.err.count("\n") == 1
    assert judges.files_below(tmp_path) == before


@EVERY
@pytest.mark.parametrize(
    ("name", "path"),
    [
        (b"AUX", "%41UX"),
        (b"con", "%63on"),
        (b"COM1", "%43OM1"),
        (b"LPT9.log", "%4CPT9.log"),
        (b"NUL.tar.gz", "%4EUL.tar.gz"),
        (b"A.", "A%2E"),
        (b"B /x", "B%20/x"),
        (b"C:D", "C%3AD"),
        (b'E?*"<>|', "E%3F%2A%22%3C%3E%7C"),
        (b"50%", "50%25"),
        (b"a/aux/b. /c", "a/%61ux/b.%20/c"),
    ],
)
def test_names_that_windows_loses_are_escaped_and_named_back(
    format_name: str, name: bytes, path: str, run: Run, tmp_path: Path
) -> None:
    """abrignoni/VLEAPP PR242, madrobby/zaru PR21, sindresorhus/filenamify PR46: devices, with suffixes too.

    JuliaIO/Tar.jl PR146: a last dot or space, and characters that Windows does not have.
    """
    (tmp_path / "x.pak").write_bytes(MADE[format_name]([GOOD, (name, b"odd")]))
    ran = run("extract", "--format", format_name, tmp_path / "x.pak", "-C", tmp_path / "out", "--no-sidecar")
    assert (ran.status, ran.err) == (0, "")
    found = judges.files_below(tmp_path / "out")
    found.pop("(listfile)", None)
    assert found == {"good.txt": b"good", path: b"odd"}
    ran = run("pack", tmp_path / "out", tmp_path / "again.ewad", "--format", "EWAD")
    assert (ran.status, ran.err) == (0, "")
    assert run("cat", tmp_path / "again.ewad", name.decode()).stdout == b"odd"


@pytest.mark.parametrize("format_name", ["PAK", "DAIKATANA", "EWAD"])  # in which case is ignored
@pytest.mark.parametrize("names", [(b"A.TXT", b"a.txt"), (b"dir/x", b"DIR/X"), (b"a", b"A/b")])
def test_names_that_one_folder_cannot_hold_are_refused_and_both_are_named(
    format_name: str, names: tuple[bytes, bytes], run: Run, tmp_path: Path
) -> None:
    """dhewm/dhewm3#725: the archive went by case, the folder with its files did not."""
    lumps = [(name, name) for name in names]
    (tmp_path / "x.pak").write_bytes(MADE[format_name](lumps))
    ran = run("extract", "--format", format_name, tmp_path / "x.pak", "-C", tmp_path / "out")
    assert (ran.status, ran.stdout) == (4, b"")
    assert all(f"'{name.decode()}'" in ran.err for name in names)
    assert not (tmp_path / "out").exists()


def test_names_with_backslashes_become_folders_and_are_not_written(run: Run, tmp_path: Path) -> None:
    """pwitvoet/mess#19: an archive that was made with backslashes was extracted as one folder of odd names."""
    (tmp_path / "x.pak").write_bytes(plain.pak([(b"maps\\deep\\e1m1.bsp", b"map")]))
    assert run("extract", tmp_path / "x.pak", "-C", tmp_path / "out", "--no-sidecar").status == 0
    assert judges.files_below(tmp_path / "out") == {"maps/deep/e1m1.bsp": b"map"}
    for format_name in ("PAK", "DAIKATANA"):
        faults = WRITERS[format_name].check([NewLump(b"maps\\e1m1.bsp", 1, 1)])
        assert [(fault.code, fault.entry, fault.verdict) for fault in faults] == [("name", 0, "malformed")]


@pytest.mark.parametrize("signature", [b"IWAD", b"PWAD"])
def test_names_in_a_wad_are_no_paths(signature: bytes, run: Run, tmp_path: Path) -> None:
    """`VILE\\1` is a sprite of every game; a slash, two dots or a device in a name lead nowhere either."""
    names = [b"VILE\\1", b"../../A", b"/etc", b"..", b"CON", b"A.", b"B:C", b""]
    (tmp_path / "x.wad").write_bytes(plain.wad([(name, name) for name in names], signature))
    before = set(judges.files_below(tmp_path))
    assert run("extract", tmp_path / "x.wad", "-C", tmp_path / "out", "--no-sidecar").status == 0
    found = judges.files_below(tmp_path / "out")
    assert sorted(found.values()) == sorted(names)
    assert all("/" not in path for path in found)
    assert set(judges.files_below(tmp_path)) == before | {f"out/{path}" for path in found}
