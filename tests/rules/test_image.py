"""Rule `image`: whatever the bytes, an answer, never an exception; valid files pass with their bytes."""

from __future__ import annotations

from struct import pack
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import images as make
from tests.builders.source import FakeSource, cooked

from lumpyard_rules.image import RULE
from lumpyard_rules.image.surfaces import dxgi_packing, fourcc_packing, level_size

VALID: dict[str, bytes] = {
    "rgb.png": make.png(),
    "upper.PNG": make.png(),
    "palette.png": make.png(3, 5, 1, 3),
    "grey16.png": make.png(1, 1, 16, 0),
    "alpha.png": make.png(7, 2, 8, 6, extra=make.png_chunk(b"tEXt", b"Title\0x")),
    "suggested-palette.png": make.png(extra=make.png_chunk(b"PLTE", bytes(6))),
    "unknown-ancillary.png": make.png(extra=make.png_chunk(b"prVt", b"")),
    "small.jpg": make.jpeg(),
    "wide.jpeg": make.jpeg(4096, 1),
    "progressive.jpg": make.jpeg(marker=0xC2),
    "comment.jpg": make.jpeg(extra=make.jpeg_segment(0xFE, b"made by a test")),
    "fill-bytes.jpg": make.jpeg(extra=b"\xff\xff" + make.jpeg_segment(0xFE, b"x")),
    "stuffed.jpg": make.jpeg(coded=b"\x00\xff\x00\x12\xff\xd0\x00\xff\xff\x00"),
    "lines.jpg": make.jpeg(8, 0, coded=bytes(8) + make.jpeg_segment(0xDC, b"\x00\x10")),
    "true.tga": make.tga(),
    "footer.tga": make.tga(footer=make.tga_footer()),
    "extension.tga": make.tga(footer=bytes(495) + make.tga_footer(18 + 48)),
    "mapped.tga": make.tga(5, 3, 1, 8),
    "packed-map.tga": make.tga(200, 3, 9, 8),
    "grey.tga": make.tga(4, 4, 3, 8),
    "packed.tga": make.tga(300, 7, 10, 32),
    "dxt1.dds": make.dds(),
    "odd.dds": make.dds(5, 7, 3),
    "rgba.dds": make.dds_header(5, 3, flags=0x41, fourcc=bytes(4), bits=32) + bytes(60),
    "luminance.dds": make.dds_header(5, 3, flags=0x20000, fourcc=bytes(4), bits=8) + bytes(15),
    "palette.dds": make.dds_header(5, 3, flags=0x20, fourcc=bytes(4), bits=8) + bytes(1024 + 15),
    "float.dds": make.dds_header(2, 2, fourcc=pack("<I", 113)) + bytes(32),
    "cube.dds": make.dds_header(8, 8, caps2=0xFE00) + bytes(6 * 32),
    "volume.dds": make.dds_header(8, 8, depth=4, levels=4, caps2=0x200000)
    + bytes(make.block_size(8, 8, 8, 4, 4)),
    "bc7.dds": make.dds_header(9, 9, fourcc=b"DX10") + make.dds_dx10(98) + bytes(9 * 16),
    "array.dds": make.dds_header(4, 4, fourcc=b"DX10") + make.dds_dx10(71, layers=3) + bytes(24),
    "cubes.dds": make.dds_header(4, 4, fourcc=b"DX10") + make.dds_dx10(71, layers=2, misc=4) + bytes(12 * 8),
    "line.dds": make.dds_header(4, 1, fourcc=b"DX10") + make.dds_dx10(61, dimension=2) + bytes(4),
    "rgba.ktx2": make.ktx2(),
    "mips.ktx2": make.ktx2(16, 8, levels=5),
    "no-levels.ktx2": make.ktx2(levels=0),
    "cube.ktx2": make.ktx2(faces=6, level_size=384),
    "volume.ktx2": make.ktx2(4, 4, depth=4),
    "line.ktx2": make.ktx2(16, 0),
    "zstd.ktx2": make.ktx2(scheme=2),
    "basis.ktx2": make.ktx2(scheme=1, common=bytes(20)),
    "vendor.ktx2": make.ktx2(scheme=0x10000, common=bytes(20)),
    "values.ktx2": make.ktx2(values=make.ktx2_values(KTXorientation=b"rd\0", KTXwriter=b"tests\0")),
}


@pytest.mark.parametrize("name", VALID)
def test_a_valid_picture_passes_unchanged(name: str) -> None:
    source, data = cooked(RULE, f"art/{name}", VALID[name])
    assert source.reported == []
    assert data == VALID[name]


@pytest.mark.parametrize("name", VALID)
def test_a_truncated_picture_is_refused_at_every_length(name: str) -> None:
    # A TGA is whole without its footer and what only the footer names.
    whole = VALID[name]
    optional = 495 + 26 if name == "extension.tga" else 26 if name == "footer.tga" else 0
    for end in range(len(whole) - optional):
        source, _ = cooked(RULE, name, whole[:end])
        assert source.errors, f"{name} passes with {end} of {len(whole)} bytes"


@pytest.mark.parametrize("name", VALID)
def test_a_flipped_byte_gives_an_answer_wherever_it_is(name: str) -> None:
    for at in range(min(len(VALID[name]), 500)):
        for flip in (0x01, 0x80, 0xFF):
            data = bytearray(VALID[name])
            data[at] ^= flip
            cooked(RULE, name, bytes(data), max_size=64, power_of_two=True, square=True)


@given(
    start=st.sampled_from(
        [b"", *{data[:12] for data in VALID.values()}, *{data[:128] for data in VALID.values()}]
    ),
    data=st.binary(max_size=300),
    suffix=st.sampled_from([*sorted(RULE.suffixes), ".bin"]),
)
def test_any_bytes_give_an_answer(start: bytes, data: bytes, suffix: str) -> None:
    source, out = cooked(RULE, f"a{suffix}", start + data)
    assert out == start + data
    assert all("\n" not in report.message for report in source.reported)


def png_without(*names: bytes, tail: bytes = b"") -> bytes:
    """A PNG that lacks some of its chunks."""
    chunks = {
        b"IHDR": make.png_header(),
        b"IDAT": make.png_chunk(b"IDAT", make.png_pixels()),
        b"IEND": make.png_chunk(b"IEND"),
    }
    return make.PNG_SIGNATURE + b"".join(chunk for name, chunk in chunks.items() if name not in names) + tail


def png_of(*chunks: bytes) -> bytes:
    return make.PNG_SIGNATURE + b"".join(chunks)


IDAT, IEND = make.png_chunk(b"IDAT", make.png_pixels()), make.png_chunk(b"IEND")
BROKEN: list[tuple[str, bytes, str]] = [
    ("a.png", b"", "not a PNG: the file starts with nothing (it is empty)"),
    ("a.png", b"hello", "not a PNG: the file starts with bytes 68 65 6c 6c 6f"),
    ("a.png", png_without(b"IHDR"), "the first chunk is IDAT, not IHDR"),
    ("a.png", png_without(b"IDAT"), "there is no IDAT chunk"),
    ("a.png", png_without(b"IEND"), "without an IEND chunk; it is cut off"),
    ("a.png", png_of(make.png_header(0, 4), IDAT, IEND), "0x4 pixels; both sides are 1 to 2147483647"),
    ("a.png", png_of(make.png_header(4, 1 << 31), IDAT, IEND), "4x2147483648 pixels"),
    ("a.png", png_of(make.png_header(colour=5), IDAT, IEND), "colour type 5 is not 0, 2, 3, 4 or 6"),
    ("a.png", png_of(make.png_header(depth=4), IDAT, IEND), "bit depth 4 is not one of (8, 16)"),
    ("a.png", png_of(make.png_header(compression=1), IDAT, IEND), "compression method 1 is not 0"),
    ("a.png", png_of(make.png_header(filtering=1), IDAT, IEND), "filter method 1 is not 0"),
    ("a.png", png_of(make.png_header(interlace=2), IDAT, IEND), "interlace method 2 is not 0 or 1"),
    ("a.png", png_of(make.png_header(colour=3), IDAT, IEND), "colour type 3 needs a PLTE chunk"),
    ("a.png", png_of(make.png_header(), make.png_header(), IDAT, IEND), "chunk IHDR is there 2 times"),
    (
        "a.png",
        png_of(make.png_header(), IDAT, make.png_chunk(b"tIME", bytes(7)), IDAT, IEND),
        "IDAT chunks do not",
    ),
    ("a.png", png_of(make.png_header(), IDAT, make.png_chunk(b"PLTE", bytes(3)), IEND), "PLTE stands behind"),
    (
        "a.png",
        make.png(extra=make.png_chunk(b"PLTE", bytes(4))),
        "length 4 of chunk PLTE is not a multiple of 3",
    ),
    ("a.png", make.png(extra=make.png_chunk(b"PLTE", bytes(771))), "PLTE has 257 colours, not 1 to 256"),
    (
        "a.png",
        make.png(1, 1, 8, 0, extra=make.png_chunk(b"PLTE", bytes(3))),
        "PLTE is not allowed with colour type 0",
    ),
    (
        "a.png",
        make.png(extra=make.png_chunk(b"ABCD", b"")),
        "critical chunk ABCD is not one that PNG defines",
    ),
    ("a.png", make.png(extra=make.png_chunk(b"a\n1z", b"")), "is not four letters"),
    ("a.png", make.png().replace(b"IDAT", b"IDAX"), "CRC of chunk IDAX at offset 33 is 0x"),
    ("a.jpg", b"\xff\xd8\xff\xd9", "the image ends without a scan"),
    ("a.jpg", b"\xff\xd8" + make.jpeg(), "a second FFD8 at offset 2"),
    ("a.jpg", b"\xff\xd8" + make.JPEG_SCAN + b"\0\xff\xd9", "a scan stands before the frame header"),
    ("a.jpg", make.jpeg(8, 0, coded=b"\0"), "height 0, and no segment FFDC"),
    ("a.jpg", make.jpeg(0, 8, coded=b"\0"), "frame header FFC0 has width 0"),
    ("a.jpg", make.jpeg(extra=b"\x00"), "a marker is expected at offset 20, found 0x00"),
    ("a.jpg", make.jpeg(extra=b"\xff\x02"), "marker FF02 at offset 20 is reserved"),
    ("a.jpg", make.jpeg(extra=b"\xff\xe1\x00\x01"), "segment FFE1 at offset 20 has size 1, below 2"),
    ("a.jpg", make.jpeg(extra=make.jpeg_segment(0xF7, bytes(9))), "JPEG-LS"),
    ("a.jpg", make.jpeg(extra=make.jpeg_segment(0xC1, b"\x08\x00\x08\x00\x08\x03")), "3 components need 17"),
    ("a.tga", make.tga_header(4, 4, 0, 24) + bytes(48), "image type 0: the file holds no picture"),
    ("a.tga", make.tga_header(4, 4, 7, 24) + bytes(48), "image type 7 is not 1, 2, 3, 9, 10 or 11"),
    ("a.tga", make.tga_header(4, 4, 32, 24) + bytes(48), "Huffman"),
    ("a.tga", make.tga_header(4, 4, 1, 8) + bytes(16), "image type 1 needs a colour map"),
    ("a.tga", make.tga_header(4, 0, 2, 24), "4x0 pixels"),
    ("a.tga", make.tga_header(4, 4, 2, 12) + bytes(48), "12 bits a pixel"),
    ("a.tga", make.tga(footer=make.tga_footer(extension=4000)), "footer's extension offset 4000"),
    ("a.tga", b"no header", "9 bytes are too few for a TGA header of 18"),
    ("a.dds", make.dds_header(0, 4), "0x4 pixels"),
    ("a.dds", make.dds().replace(pack("<I", 124), pack("<I", 125), 1), "its size is 125, not 124"),
    ("a.dds", make.dds(8, 8, 5), "5 mip levels, but 8x8 pixels have at most 4"),
    ("a.dds", make.dds()[:-1], "need 160 bytes with headers, found 159; the file is cut off"),
    ("a.dds", make.dds_header(4, 4, caps2=0x200) + bytes(8), "is a cube map, but names no face"),
    ("a.dds", make.dds_header(4, 8, caps2=0xFE00) + bytes(96), "a cube map of 4x8 pixels"),
    (
        "a.dds",
        make.dds_header(4, 4, fourcc=b"DX10") + make.dds_dx10(71, dimension=1) + bytes(8),
        "dimension 1",
    ),
    ("a.dds", make.dds_header(4, 4, fourcc=b"DX10") + make.dds_dx10(71, layers=0) + bytes(8), "array size 0"),
    ("a.ktx2", make.ktx2(0, 4), "width 0"),
    ("a.ktx2", make.ktx2(4, 0, depth=2), "depth 2 with height 0"),
    ("a.ktx2", make.ktx2(faces=2), "2 faces, not 1 or 6"),
    ("a.ktx2", make.ktx2(4, 8, faces=6), "a cube map of 4x8x0 pixels"),
    ("a.ktx2", make.ktx2(levels=4), "4 mip levels, but 4x4 pixels have at most 3"),
    ("a.ktx2", make.ktx2(scheme=1), "supercompression BasisLZ needs global data"),
    ("a.ktx2", make.ktx2(scheme=2, common=bytes(4)), "supercompression 2 has no global data"),
    ("a.ktx2", make.ktx2(values=pack("<I", 2) + b"\0x\0\0"), "has no key"),
    ("a.ktx2", make.ktx2(values=pack("<I", 90) + b"a\0\0\0"), "has 90 bytes, but 4 follow"),
    ("a.bin", b"neither", "the bytes are no PNG, JPEG, DDS or KTX2, and a TGA must be named .tga"),
]


@pytest.mark.parametrize(("name", "data", "message"), BROKEN, ids=[message for _, _, message in BROKEN])
def test_a_broken_picture_is_refused_by_name(name: str, data: bytes, message: str) -> None:
    source, _ = cooked(RULE, name, data)
    assert len(source.errors) == 1
    assert message in source.errors[0]


@pytest.mark.parametrize("name", ["rgb.png", "small.jpg", "dxt1.dds", "rgba.ktx2"])
def test_bytes_behind_the_end_are_a_warning(name: str) -> None:
    source, data = cooked(RULE, name, VALID[name] + b"tail")
    assert source.errors == []
    assert source.warnings == ["4 bytes stand behind the end of the picture; they ship with it"]
    assert data.endswith(b"tail")


@pytest.mark.parametrize(
    ("path", "data", "message"),
    [
        ("a.png", make.jpeg(), "the name says PNG, the bytes are JPEG"),
        ("a.tga", make.png(), "the name says TGA, the bytes are PNG"),
        ("a.JPG", make.dds(), "the name says JPEG, the bytes are DDS"),
    ],
)
def test_bytes_and_suffix_must_agree(path: str, data: bytes, message: str) -> None:
    source, _ = cooked(RULE, path, data)
    assert source.errors == [message]
    assert source.reported[0].hint.startswith("rename it to .")


def test_a_file_without_a_known_suffix_goes_by_its_bytes() -> None:
    source, _ = cooked(RULE, "art/thumbnail", make.png(3, 3), max_size=2)
    assert source.errors == ["3x3 pixels; the option `max_size` allows 2 along a side"]


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        (make.png(16, 8), {"max_size": 16}, ""),
        (make.png(17, 8), {"max_size": 16}, "17x8 pixels; the option `max_size` allows 16 along a side"),
        (make.png(16, 8), {"power_of_two": True}, ""),
        (
            make.png(16, 9),
            {"power_of_two": True},
            "16x9 pixels; the option `power_of_two` asks for powers of two, such as 16x8",
        ),
        (make.png(8, 8), {"square": True}, ""),
        (make.png(16, 8), {"square": True}, "16x8 pixels; the option `square` asks for equal sides"),
        (make.png(), {"formats": ("png", "dds")}, ""),
        (
            make.png(),
            {"formats": ("dds", "ktx2")},
            "PNG is not allowed here; the option `formats` says dds, ktx2",
        ),
    ],
)
def test_options_say_which_pictures_may_ship(data: bytes, options: dict[str, Any], message: str) -> None:
    source, _ = cooked(RULE, "a.png", data, **options)
    assert source.errors == ([message] if message else [])


def test_every_option_that_is_broken_is_told_at_once() -> None:
    source, _ = cooked(RULE, "a.png", make.png(17, 9), max_size=16, power_of_two=True, square=True)
    assert len(source.errors) == 3


def test_a_negative_max_size_is_refused() -> None:
    assert RULE.options(max_size=-1).check() == "max_size is -1; it must be 0 or more"
    assert RULE.options().check() == ""


def test_a_texture_of_an_unknown_format_passes_with_a_warning() -> None:
    source, _ = cooked(RULE, "a.dds", make.dds_header(4, 4, fourcc=b"ETC1") + bytes(8))
    assert source.errors == []
    assert source.warnings == ["fourcc b'ETC1' is not known here; the size of the pixels was not checked"]


def test_gathered_pictures_are_refused() -> None:
    sources = [FakeSource("a.png", make.png()), FakeSource("b.png", make.png())]
    RULE.cook(sources, RULE.options())
    assert sources[0].errors == []
    assert "but a.png was gathered into the same lump" in sources[1].errors[0]


def test_surface_sizes_are_those_that_microsoft_documents() -> None:
    """Programming Guide for DDS: max(1, (width + 3) / 4) blocks a row; else (width * bits + 7) / 8 bytes."""
    sizes = {71: 8, 74: 16, 77: 16, 80: 8, 83: 16, 95: 16, 98: 16}  # BC1 to BC7
    for number, block in sizes.items():
        packing = dxgi_packing(number)
        assert packing is not None
        assert [level_size(packing, (16, 8), level) // block for level in range(5)] == [8, 2, 1, 1, 1]
    bits = {2: 128, 6: 96, 10: 64, 28: 32, 49: 16, 61: 8, 85: 16, 87: 32, 115: 16}
    for number, size in bits.items():
        packing = dxgi_packing(number)
        assert packing is not None
        assert level_size(packing, (3, 2), 0) == size * 3 // 8 * 2
    assert [dxgi_packing(number) for number in (0, 103, 116, 1 << 31)] == [None] * 4
    assert fourcc_packing(b"DXT5") == dxgi_packing(77)
    assert fourcc_packing(b"????") is None


def test_a_long_run_of_fill_bytes_in_a_scan_is_looked_at_once() -> None:
    """It took hours with a search that looks at the run again from each of its bytes."""
    data = make.jpeg(coded=b"\0" + b"\xff" * 1_000_000 + b"\0")
    source, _ = cooked(RULE, "a.jpg", data)
    assert source.reported == []
    source, _ = cooked(RULE, "a.jpg", data[:-2])
    assert len(source.errors) == 1
