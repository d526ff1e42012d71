"""The tests' own plain encoder, decoder and cost of Daikatana's compression: slow, and just what the text says.

Source: "Description of Daikatana .pak format", "Pseudocode to uncompress compressed data".
"""

from __future__ import annotations

import random

# One code each: ("literals", bytes), ("zeros", n), ("run", n, byte), ("reference", n, distance), ("nothing",).
Op = tuple[str, *tuple[object, ...]]


def literals(data: bytes) -> bytes:
    """A stream that has all bytes as they are, and an end code."""
    pieces = [data[start : start + 64] for start in range(0, len(data), 64)]
    return b"".join(bytes([len(piece) - 1]) + piece for piece in pieces) + b"\xff"


def decode(stream: bytes) -> tuple[bytes, bool]:
    """What a stream that ends with its end code makes, byte by byte, and whether references overlap."""
    out: list[int] = []
    place, overlap = 0, False
    while (x := stream[place]) != 255:
        place += 1
        if x < 64:  # "x+1 bytes of uncompressed data follow"
            assert place + x + 1 < len(stream)
            out += stream[place : place + x + 1]
            place += x + 1
        elif x < 128:  # "write (x - 62) zero-bytes to output"
            out += [0] * (x - 62)
        elif x < 192:  # "read one byte, write it (x-126) times to output"
            out += [stream[place]] * (x - 126)
            place += 1
        elif x < 254:  # "(x-190) bytes ... starting at (offset+2) bytes before the current write position"
            distance = stream[place] + 2
            place += 1
            assert distance <= len(out), "before the start"
            overlap |= x - 190 > distance
            for _ in range(x - 190):
                out.append(out[-distance])
        else:
            raise AssertionError("code 254")
    assert place == len(stream) - 1, "bytes follow the end code"
    return bytes(out), overlap


def longest(data: bytes, place: int) -> tuple[int, int]:
    """The longest run and the longest reference that can start at a place, 1 and 0 where there is none."""
    run = 1
    while place + run < len(data) and run < 65 and data[place + run] == data[place]:
        run += 1
    best = 0
    for size in range(2, min(63, len(data) - place) + 1):
        if data.find(data[place : place + size], max(0, place - 257), place) < 0:
            break
        best = size
    return run, best


def fewest(data: bytes) -> int:
    """The size of the shortest stream without overlapping references: every code is tried at every place."""
    costs = [0] * (len(data) + 1)
    for place in range(len(data) - 1, -1, -1):
        run, reference = longest(data, place)
        run_cost = 2 if data[place] else 1
        choices = [size + 1 + costs[place + size] for size in range(1, min(64, len(data) - place) + 1)]
        choices += [run_cost + costs[place + size] for size in range(2, run + 1)]
        choices += [2 + costs[place + size] for size in range(2, reference + 1)]
        costs[place] = min(choices)
    return costs[0] + 1


def picture(width: int, height: int, seed: int, kind: str) -> bytes:
    """An indexed picture as textures are: `flat` areas, `gradient`, `stone`, `brick` or `noise`."""
    dice = random.Random(seed)
    if kind == "noise":
        return dice.randbytes(width * height)
    if kind == "flat":
        return _flat(width, height, dice)
    tile = [[dice.randrange(100, 110) for _ in range(32)] for _ in range(16)]

    def pixel(x: int, y: int) -> int:
        if kind == "gradient":
            return (x * 64 // width + y * 32 // height + (dice.random() < 0.3)) & 255
        if kind == "stone":
            return 32 + (x // 4 * 7 + y // 4 * 11 + dice.randrange(3)) % 16
        column = (x + y // 16 % 2 * 16) % 32
        return 60 if y % 16 < 2 or column < 2 else tile[y % 16][column]

    return bytes(pixel(x, y) for y in range(height) for x in range(width))


def _flat(width: int, height: int, dice: random.Random) -> bytes:
    canvas = bytearray(width * height)
    for _ in range(20):
        left, top = dice.randrange(width), dice.randrange(height)
        right, bottom = dice.randrange(left, width) + 1, dice.randrange(top, height) + 1
        colour = dice.randrange(4)
        for y in range(top, bottom):
            canvas[y * width + left : y * width + right] = bytes([colour]) * (right - left)
    return bytes(canvas)
