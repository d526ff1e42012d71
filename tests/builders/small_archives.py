"""Small sound archives of every format, a few hundred bytes to a few KiB, to be broken."""

from __future__ import annotations

import random
import struct
from typing import TYPE_CHECKING

from tests.builders import ewad, judges, plain
from tests.builders.ewad import Written

if TYPE_CHECKING:
    from pathlib import Path

MAP = [b"MAP01", b"THINGS", b"LINEDEFS", b"SIDEDEFS", b"VERTEXES", b"SECTORS", b"GL_MAP01", b"GL_VERT"]
MARKED = [
    b"S_START",
    b"TROOA1",
    b"SS_START",
    b"A",
    b"SS_END",
    b"F_START",
    b"A",
    b"F1_START",
    b"F1_END",
    b"F_END",
]
UDMF = [b"TITLE", b"TEXTMAP", b"ZNODES", b"ENDMAP", b"THINGS", b"A\0junk", b"", b"P_START", b"WALL"]
PATHS = [b"maps/e1m1.bsp", b"progs/player.mdl", b"progs/player.mdl", b"gfx/a.lmp", b"x" * 56, b""]
STREAMS = [  # of Daikatana's codec, with their raw sizes
    (bytes.fromhex("0468656c6c6fff"), 5),
    (bytes.fromhex("407fff"), 67),
    (bytes.fromhex("8041bf42ff"), 67),
    (bytes.fromhex("05616263646566c004ff"), 8),
    (bytes.fromhex("000041407fff") + bytes(4), None),
]
# Versions, compression and other options of `smpq`, for an archive each.
MPQS = [
    ["-M", "1", "-C", "implode"],
    ["-M", "1", "-C", "zlib", "-S"],
    ["-M", "2", "-C", "lzma"],
    ["-M", "2", "-C", "bzip2", "-E", "-F"],
    ["-M", "3", "-C", "sparse"],
    ["-M", "4", "-C", "huffmann"],
    ["-M", "4", "-C", "zlib", "-U"],
    ["-M", "1", "-C", "none", "-E", "-A"],
]


def small_archives(folder: Path) -> dict[str, list[bytes]]:
    """By format. The folder is for `smpq`, which makes the MPQs."""
    lumps = [(name, bytes([number]) * (number % 5)) for number, name in enumerate([*MAP, *MARKED, *UDMF])]
    streams = [(PATHS[number], *stream) for number, stream in enumerate(STREAMS)]
    return {
        "IWAD": [plain.wad(lumps, b"IWAD")],
        "PWAD": [plain.wad(lumps[::-1]), plain.wad([])],
        "PACK": [plain.wad(lumps[:5], b"PACK")],
        "WAD2": [plain.wad2(lumps[:9]), plain.wad2([(b"WALL", b"OTHER".ljust(16, b"\0") + bytes(24))])],
        "WAD3": [plain.wad2(lumps[:9], b"WAD3", 0x43)],
        "PAK": [plain.pak([(path, path[:5]) for path in PATHS])],
        "DAIKATANA": [plain.daikatana(streams)],
        "EWAD": [
            ewad.build([Written(b"one", b"first"), Written(b"two"), Written(b"four", b"first")], dedupe=True),
            ewad.build(
                [Written(b"wall", bytes.fromhex("1f6101000f506161616161"), 40, 3, 4)], seed=7, named=False
            ),
        ],
        "MPQ": [_mpq(folder / str(number), options) for number, options in enumerate(MPQS)],
    }


def _mpq(folder: Path, options: list[str]) -> bytes:
    folder.mkdir(parents=True)
    files = {"text.txt": b"many words " * 50, "noise.bin": random.Random(1).randbytes(600), "empty": b""}
    files |= {"zeros.bin": bytes(9000), "wave.wav": _wave()}
    for name, data in files.items():
        (folder / name).write_bytes(data)
    command = [judges.program("smpq", "smpq"), "-q", "-c", *options, "small.mpq", *files]
    done = judges.run(command, folder)
    assert done.returncode == 0, done.stderr
    return (folder / "small.mpq").read_bytes()


def _wave() -> bytes:
    samples = b"".join(struct.pack("<h", 800 * (at % 40 - 20)) for at in range(400))
    heading = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 1, 22050, 44100, 2, 16)
    chunks = heading + struct.pack("<4sI", b"data", len(samples)) + samples
    return struct.pack("<4sI4s", b"RIFF", 4 + len(chunks), b"WAVE") + chunks
