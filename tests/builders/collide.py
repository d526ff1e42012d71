"""Names that have the same key: XXH64 of eight bytes, turned around.

For a given seed XXH64 maps eight bytes one to one onto 64 bits, so every key has exactly one eight-byte name.
Where that name happens to be made of letters and digits, it can be a file's.

Source: the XXH64 description, steps 1 (no stripes), 4 (length), 5 (one 8-byte lane) and 6 (avalanche).
"""

from __future__ import annotations

import struct

from xxhash import xxh64_intdigest

P1 = 0x9E3779B185EBCA87
P2 = 0xC2B2AE3D27D4EB4F
P3 = 0x165667B19E3779F9
P4 = 0x85EBCA77C2B2AE63
P5 = 0x27D4EB2F165667C5
M = (1 << 64) - 1
_P1, _P2, _P3 = (pow(prime, -1, 1 << 64) for prime in (P1, P2, P3))

# For each seed from 0 to 64, a number n so that `base(n)` and the eight-byte name have the same key under it.
# Found by trying numbers until the name with the key of `base(n)` was made of letters, digits, "_" and "-"
# (`search`).
_FOUND = """
    37424:CrhAbhLl 3987:vBEgKCgb 7324:PCSWdHHU 49413:ej6mxnDi 71025:fuHdRKgP
    1147:v4n16krW 245368:3lR9j2iq 188916:9twZTK_X 50735:qE5oW33x 22315:tm2Gbr5H
    18044:QVEAiQph 48743:aw4QAiaM 25568:RRstywYo 52525:eJIfff1W 25234:NkFKEjVK
    54877:0Sxpkv7m 18406:OKMjqB0r 8441:o_B1m89S 518:5jZKhi8t 206600:ZzTj_U4t
    3051:gudx4GMO 6674:zk_Z0b6L 54357:ECzbjSKj 81751:Y2USH6T5 15728:EOD96Rt9
    28669:RMAOJ1qe 36867:jru8IZDj 10764:qhXSlTYQ 160932:1hjBGt_H 427:Gj5wE97C
    24725:4taAHFlc 65721:sU_iwcH7 28749:y7PfAT5X 35197:eOeC9KTF 119756:HiZtAOOj
    33169:C04oKSwr 1523:mRMjrCy- 13914:oRzzaHeJ 91301:lW0SHJfV 78378:zB76rwTH
    188056:E9L-8nAv 42855:FWd3hfYF 67416:eJ9xeSjP 191940:MGSykAjK 14420:bBmKokwd
    5490:ke1Fttgs 64172:o0CSz1yf 241087:elnZpGWA 31941:43-5mNzp 35194:u4wfo4xo
    18675:UlBpOzpH 48516:qk7ZYeVF 658:dH3doHdA 53707:wtzgU4HJ 25547:0RXs6QJv
    45121:KDti3xcP 39909:FKSQ11am 88521:6KqYiSf4 95681:X_UohzLr 81651:NTMwW92D
    92011:jm64DgPr 2969:PmHqBdFw 130637:5Sr69QBq 62854:SlhgWs81 66695:b5yKiYYE
"""
FILE_NAMES = tuple((int(number), name) for number, name in (row.split(":") for row in _FOUND.split()))


def rotl(value: int, bits: int) -> int:
    return ((value << bits) | (value >> (64 - bits))) & M


def hash_of_eight(data: bytes, seed: int) -> int:
    """XXH64 of exactly eight bytes, as the description says it."""
    lane = int.from_bytes(data, "little")
    h = (seed + P5 + 8) & M
    h ^= rotl(lane * P2 & M, 31) * P1 & M
    h = (rotl(h, 27) * P1 + P4) & M
    h = (h ^ (h >> 33)) * P2 & M
    h = (h ^ (h >> 29)) * P3 & M
    return h ^ (h >> 32)


def name_of_key(key: int, seed: int) -> bytes:
    """The only eight bytes that have this key under this seed: `hash_of_eight` undone step by step."""
    h = key ^ (key >> 32)
    h = h * _P3 & M
    h ^= (h >> 29) ^ (h >> 58)
    h = h * _P2 & M
    h ^= h >> 33
    h = rotl((h - P4) * _P1 & M, 37)
    h ^= (seed + P5 + 8) & M
    return struct.pack("<Q", rotl(h * _P1 & M, 33) * _P2 & M)


def twin(name: bytes, seed: int) -> bytes:
    """The eight-byte name that has the key of another name under a seed."""
    return name_of_key(xxh64_intdigest(name, seed), seed)


def base(number: int) -> str:
    return f"sound/{number:07}.wav"


def file_pair(seed: int) -> tuple[str, str]:
    """Two names, fit for files anywhere, that collide under a seed from 0 to 64."""
    number, name = FILE_NAMES[seed]
    return base(number), name


def pair(seed: int) -> tuple[bytes, bytes]:
    """Two names without NUL that collide under any seed."""
    for number in range(1 << 20):
        name = base(number).encode()
        other = twin(name, seed)
        if 0 not in other:
            return name, other
    raise AssertionError(seed)


def names_for_seeds(seeds: range) -> list[bytes]:
    """Distinct names of which two collide under each of the seeds, taken modulo 2^64."""
    found: set[bytes] = set()
    for place, seed in enumerate(seeds):
        name = f"music/{place:02}.ogg".encode()
        for suffix in range(100):
            other = twin(name + b"%d" % suffix, seed & M)
            if 0 not in other:
                found |= {name + b"%d" % suffix, other}
                break
    return sorted(found)


def file_names_for_every_seed() -> list[str]:
    """130 names, fit for files, of which two collide under each of the seeds 0 to 64."""
    return [name for seed in range(len(FILE_NAMES)) for name in file_pair(seed)]


def search(seed: int) -> tuple[int, str]:
    """The row of FILE_NAMES for a seed (65,536 tries on average, a fraction of a second)."""
    fit = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
    number = 0
    while True:
        other = twin(base(number).encode(), seed)
        if fit.issuperset(other) and other[0] not in b"-":
            return number, other.decode()
        number += 1


if __name__ == "__main__":
    for tried in range(65):
        print("{}:{}".format(*search(tried)))
