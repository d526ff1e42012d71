"""What is too big for a format is known before a byte is written; the lumps here are sizes only."""

from __future__ import annotations

import pytest

from lumpyard.convert import Options, Source, plan_conversion
from lumpyard.convert.model import LOOSE, SourceLump

GIB = 1 << 30


def of_sizes(*sizes: int) -> Source:
    def read(_index: int) -> bytes:
        raise AssertionError("a plan reads nothing")

    lumps = tuple(SourceLump("", b"%d" % at, str(at), size) for at, size in enumerate(sizes))
    return Source(LOOSE, b"", lumps, read)


@pytest.mark.parametrize("format_name", ["PAK", "DAIKATANA"])
def test_a_pak_beyond_2_gib_is_refused_unless_asked_for(format_name: str) -> None:
    """Case 116: "writer refuses past 2^31-1 unless asked"."""
    assert plan_conversion(of_sizes(GIB, GIB - 200), format_name).errors == []
    (error,) = plan_conversion(of_sizes(GIB, GIB), format_name).errors
    assert error.code == "size"
    assert plan_conversion(of_sizes(GIB, GIB), format_name, Options(large=True)).errors == []
    assert plan_conversion(of_sizes(GIB, GIB, GIB, GIB), format_name, Options(large=True)).errors
    assert plan_conversion(of_sizes(2 * GIB), format_name, Options(large=True)).errors


@pytest.mark.parametrize("format_name", ["IWAD", "PWAD", "PACK", "WAD2", "WAD3"])
def test_a_wad_beyond_4_gib_is_refused(format_name: str) -> None:
    assert plan_conversion(of_sizes(2 * GIB, 2 * GIB - 200), format_name).errors == []
    assert plan_conversion(of_sizes(2 * GIB, 2 * GIB), format_name).errors
    assert plan_conversion(of_sizes(4 * GIB), format_name).errors


def test_an_ewad_holds_more_than_anybody_has() -> None:
    assert plan_conversion(of_sizes(1 << 50, 1 << 50), "EWAD").errors == []
