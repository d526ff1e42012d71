"""Sectors that StormLib made, and what it reads from them."""

from __future__ import annotations

from hashlib import sha256

import pytest

from lumpyard.archives.mpq.codecs.chain import decompress, imploded

ZEROS = bytes(3136)  # the last sector of a file of 40,000 zeros
SECTORS = {
    "zlib": (
        (
            "02"  # zlib
            "1895 6360a00c000000400001"
        ),
        bytes(64),
    ),
    "bzip2": (
        (
            "10"  # bzip2
            "425a6839 314159265359 880038e3"  # signature and level; a block and its CRC
            "0000084000c0040008200030cc05536a41470f"
            "177245385090 880038e3"
        ),  # end, CRC of all; not at whole bytes
        bytes(4096),
    ),
    "lzma": (
        (
            "12"  # LZMA
            "00 5d 00000001 400c000000000000"  # no filter, properties, dictionary, 3136
            "00006ffdffffa3b7ff473e481572396151b8913abb100000"
        ),
        ZEROS,
    ),
    "sparse": (
        (
            "20"  # sparse
            "00000c40"  # 3136
            "7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f"  # 24 times 130
            "0d"
        ),  # and 16
        ZEROS,
    ),
    "pkware": (
        (
            "08"  # PKWARE
            "0006"  # plain literals, a dictionary of 4096 bytes
            "000004f01f04f07b4500bf9604f0f39b007e7a14c08fafc20e9f05fc03"
        ),
        ZEROS,
    ),
    "sparse, zlib": ("22 1895 6360e071a8c7017801a8aa0c42", ZEROS),
    "sparse, pkware": ("28 0004 00006000e4cf5fe44343c03f", ZEROS),
    "huffman": (
        "01"  # Huffman
        "00"  # a tree that grows
        + "ff" * 392
        + "04",  # 3136 bits 1, each a zero, the heaviest byte from the start; then the end
        ZEROS,
    ),
}
# By method: the sector, how many bytes of samples it has, and the SHA-256 of them.
SOUNDS = {
    "huffman, mono": (
        (
            "41 07"  # Huffman and ADPCM; a tree for ADPCM of 5 bits
            "194a19ebf47e59c693d370a1a2e8ef75532dc258a0b16f40a308f644ff78029d220cccf3db949315a1629eb157cea30875e5fbff"
            "baf32a425d69fbbf5d41e76c10fbaf5ec05ad4f1a0c56d3259a40e94197be5743ed5569affdf765e2ed445bb7df5c2aa1f3bc8ad"
            "d301"
        ),
        316,
        "bf7da808c57f37f530605595de5c0a791c91735b6efe42481012ec3e7488b3fd",
    ),
    "pkware, mono": (
        "48 0005 00100000001060780e00009503803e408010c07f08e0d74a003f3d05f41e02fe01",
        4096,
        "9804e00b210038c96b88a475805c2e21d6d0e4b456e4276c640607bf84f4c04c",
    ),
    "pkware, stereo": (
        "88 0004 00100000b0071060081e6b0c0850ec1373408010c07f04f0d32b681f01ff",
        2500,
        "9d492b2f0e5213b276f3ed432219d4313f449146684cceb117a610dd500f4788",
    ),
}
IMPLODED = "0006 000004f01f04f07b4500bf9604f0f39b007e7a14c08fafc20e9f05fc03"


@pytest.mark.parametrize("name", SECTORS)
def test_a_sector_of_stormlib_is_read(name: str) -> None:
    digits, raw = SECTORS[name]
    assert decompress(bytes.fromhex(digits), len(raw), version=2) == raw


@pytest.mark.parametrize("name", SOUNDS)
def test_a_sector_of_a_sound_is_read(name: str) -> None:
    digits, size, digest = SOUNDS[name]
    assert sha256(decompress(bytes.fromhex(digits), size, version=1)).hexdigest() == digest


def test_a_sector_of_an_imploded_file_has_no_byte_that_names_a_method() -> None:
    assert imploded(bytes.fromhex(IMPLODED), 3136) == ZEROS
