"""Makes the data that the benchmarks run on, from a fixed random state, into bench/data/.

S  20,000 files of 1 to 16 KiB in 200 folders, about 170 MB: odd ones random, even ones text-like
L  40 files of 50 MB, 2 GB: text-like, random and interleaved ones in turn
M  the lumps of Freedoom's three WADs, where Debian's packages freedoom and freedm are: some 10,000 files, 77 MB
P  a 1 GiB file and six of 64 MiB (the most that `auto` compresses), to see how much memory they take
E  an EWAD of 200,000 named lumps, and a zip file of as many members with the same names

Prints a digest of each set (SHA-256 over path, size and bytes of each file, in the order of the paths). A set that is
there already is left alone; its mark, NAME.made, is written last and holds the digest. `--again` makes all anew.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import sys
from itertools import accumulate
from random import Random
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "data")
WADS = "/usr/share/games/doom"
RECIPE = "1"  # raise it when other bytes are made
KIB, MIB, MB = 1 << 10, 1 << 20, 1_000_000
PIECE = 64 * KIB  # of interleaved files: the codec sees nothing but text, then nothing but noise
BLOCK = (
    8 * KIB
)  # of text: large files shuffle a few thousand of them, so that none comes twice in LZ4's window

File = tuple[str, bytes]


class Sizes(NamedTuple):
    """How much of each set."""

    name: str
    small_files: int
    large_files: int
    large_size: int  # bytes
    wads: tuple[str, ...]
    huge_size: int  # bytes
    limit_files: int
    limit_size: int  # bytes
    lumps: int
    blocks: int  # different blocks of text in large files


FULL = Sizes(
    "full", 20_000, 40, 50 * MB, ("freedoom1", "freedoom2", "freedm"), 1 << 30, 6, 64 * MIB, 200_000, 2000
)
QUICK = Sizes("quick", 400, 3, 2 * MB, (), 8 * MIB, 1, 2 * MIB, 2_000, 50)


# How often each word comes. With these, LZ4 brings small texts down to 0.74 and large ones to 0.61, as real ones do.
OFTEN = list(accumulate(round(1e6 * rank**-0.8) for rank in range(1, 4001)))


def words(rng: Random) -> list[bytes]:
    """A vocabulary."""
    return [bytes(rng.choices(b"abcdefghijklmnopqrstuvwxyz", k=rng.randint(2, 10))) for _ in OFTEN]


def text(rng: Random, vocabulary: list[bytes], size: int) -> bytes:
    """Words and spaces."""
    return b" ".join(rng.choices(vocabulary, cum_weights=OFTEN, k=size // 4 + 8))[:size]


def small_files(sizes: Sizes) -> Iterator[File]:
    """Set S."""
    rng = Random(1)
    vocabulary = words(rng)
    for number in range(sizes.small_files):
        size = rng.randint(KIB, 16 * KIB)
        data = rng.randbytes(size) if number % 2 else text(rng, vocabulary, size)
        yield f"d{number // 100:03}/f{number % 100:02}.bin", data


def large_files(sizes: Sizes) -> Iterator[File]:
    """Set L."""
    rng = Random(2)
    blocks = _blocks(rng, sizes.blocks)
    for number in range(sizes.large_files):
        kind = ("text", "noise", "mixed")[number % 3]
        yield f"{kind}{number:02}.bin", _large(rng, blocks, kind, sizes.large_size)


def huge_files(sizes: Sizes) -> Iterator[File]:
    """Set P. The largest one repeats a piece: `auto` leaves it as it is, whatever is in it."""
    rng = Random(3)
    blocks = _blocks(rng, sizes.blocks)
    yield "huge.bin", rng.randbytes(MIB) * (sizes.huge_size // MIB)
    for number in range(sizes.limit_files):
        kind = ("text", "noise", "mixed")[number % 3]
        yield f"{kind}{number}.bin", _large(rng, blocks, kind, sizes.limit_size)


def _blocks(rng: Random, number: int) -> list[bytes]:
    vocabulary = words(rng)
    return [text(rng, vocabulary, BLOCK - 1) + b"\n" for _ in range(number)]


def _large(rng: Random, blocks: list[bytes], kind: str, size: int) -> bytes:
    pieces: list[bytes] = []
    made = 0
    while made < size:
        noise = kind == "noise" or (kind == "mixed" and len(pieces) % 2)
        pieces.append(rng.randbytes(PIECE) if noise else b"".join(rng.sample(blocks, PIECE // BLOCK)))
        made += PIECE
    return b"".join(pieces)[:size]


def lump_names(sizes: Sizes) -> Iterator[str]:
    """Names of set E, about 33 bytes each."""
    for number in range(sizes.lumps):
        yield f"textures/zone{number // 1000:03}/surface_{number:08}.tex"


def make_files(sizes: Sizes, folder: str, files: Callable[[Sizes], Iterator[File]]) -> None:
    """Write a set's files."""
    made: set[str] = set()
    for path, data in files(sizes):
        parent = os.path.dirname(path)
        if parent not in made:
            made.add(parent)
            os.makedirs(os.path.join(folder, parent), exist_ok=True)
        with open(os.path.join(folder, path), "wb") as file:
            file.write(data)


def make_lumps(sizes: Sizes, folder: str) -> None:
    """Write set M: one file a lump, as the tests' own reader takes a WAD apart."""
    sys.path.insert(0, os.path.dirname(HERE))
    from tests.builders.wad import explode  # noqa: PLC0415 - of the repository that this stands in

    for wad in sizes.wads:
        explode(f"{WADS}/{wad}.wad", os.path.join(folder, wad))


def make_archives(sizes: Sizes, folder: str) -> None:
    """Write set E."""
    import zipfile  # noqa: PLC0415 - for this set alone

    from lumpyard.archives.ewad.records import StoredLump  # noqa: PLC0415
    from lumpyard.archives.ewad.writer import write_ewad  # noqa: PLC0415

    os.makedirs(folder)
    datas = {name: f"{name}\n".encode() for name in lump_names(sizes)}
    lumps = [StoredLump(name.encode(), data, raw_size=len(data)) for name, data in datas.items()]
    with open(f"{folder}/lumps.ewad", "wb") as file:
        file.write(write_ewad(lumps))
    with zipfile.ZipFile(f"{folder}/lumps.zip", "w") as archive:
        for name, data in datas.items():
            archive.writestr(zipfile.ZipInfo(name), data)


def digest_of(folder: str) -> tuple[str, int, int]:
    """SHA-256 of a set, its files, its bytes."""
    found = hashlib.sha256()
    number = total = 0
    for path in sorted(_paths(folder)):
        size = os.path.getsize(os.path.join(folder, path))
        found.update(f"{path}\0{size}\0".encode())
        with open(os.path.join(folder, path), "rb") as file:
            while piece := file.read(MIB):
                found.update(piece)
        number += 1
        total += size
    return found.hexdigest(), number, total


def _paths(folder: str) -> Iterator[str]:
    for parent, _, files in os.walk(folder):
        for name in files:
            yield os.path.relpath(os.path.join(parent, name), folder).replace(os.sep, "/")


MAKERS: dict[str, Callable[[Sizes, str], None]] = {
    "S": lambda sizes, folder: make_files(sizes, folder, small_files),
    "M": make_lumps,
    "L": lambda sizes, folder: make_files(sizes, folder, large_files),
    "P": lambda sizes, folder: make_files(sizes, folder, huge_files),
    "E": make_archives,
}


def has_wads(sizes: Sizes) -> bool:
    """Whether set M can be made."""
    return bool(sizes.wads) and all(os.path.exists(f"{WADS}/{wad}.wad") for wad in sizes.wads)


def make(name: str, sizes: Sizes, data: str, *, again: bool) -> None:
    """Make a set where it is not there, or `again`; a line about it is printed."""
    folder, mark = os.path.join(data, name, "files"), os.path.join(data, f"{name}.made")
    wanted = f"{sizes.name} {RECIPE}"
    kept = ""
    if os.path.exists(mark):
        with open(mark, encoding="ascii") as file:
            kept = file.read()
    if again or not kept.startswith(f"{wanted}\n") or not os.path.isdir(folder):
        if kept:
            os.remove(mark)
        shutil.rmtree(os.path.join(data, name), ignore_errors=True)
        os.makedirs(os.path.join(data, name))
        MAKERS[name](sizes, folder)
        digest, number, total = digest_of(folder)
        kept = f"{wanted}\n{name}  {number:>6,} files  {total:>13,} bytes  {digest}\n"
        with open(mark, "w", encoding="ascii") as file:
            file.write(kept)
    print(kept.splitlines()[1], flush=True)


def main() -> None:
    """Make what is missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="S, M, L, P or E; default all")
    parser.add_argument("--data", default=DATA, metavar="DIR", help="where to; default bench/data")
    parser.add_argument("--quick", action="store_true", help="small sets, to see that all works")
    parser.add_argument("--again", action="store_true", help="also make what is there already")
    wanted = parser.parse_args()
    sizes = QUICK if wanted.quick else FULL
    for name in wanted.names or MAKERS:
        if name == "M" and not has_wads(sizes):
            print(f"M  left out: it needs {', '.join(FULL.wads)} in {WADS}")
            continue
        make(name, sizes, wanted.data, again=wanted.again)


if __name__ == "__main__":
    main()
