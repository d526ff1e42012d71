"""A rule of this project: levels drawn as text become what the engine reads.

A `.level` has `key value` lines (title, next, background), an empty line, and rows of one letter a tile; lines that
start with `;` are for people. The lump, all little-endian:

    u16 width, u16 height       in tiles
    u8 tile[height][width]      position in TILES
    u16 things
    u16 x, u16 y, u8 letter     for each thing, row by row
    three texts                 title, next, background, each ending with a NUL
"""

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from lumpyard.rule import Product, Rule, Source, only, read_text

TILES = ".#=~^Hi"  # air, ground, stone, water, spikes, ladder, ice
THINGS = "PLDsbok+?*"  # Pip, lantern, door, snail, bat, coin, key, heart, sign, pine
KEYS = ("title", "next", "background")


@dataclass(frozen=True)
class LevelOptions:
    """Options of `level`."""

    roots: tuple[str, ...] = field(
        default=("assets",), metadata={"doc": "folders in which backgrounds are looked for"}
    )
    max_width: int = field(default=256, metadata={"doc": "most tiles from left to right"})


def cook(sources: Sequence[Source], options: LevelOptions) -> Iterable[Product]:
    """The level as bytes; every mistake in it is told at its line and column."""
    source = only(sources)
    lines = [
        (number, line.rstrip())
        for number, line in enumerate((read_text(source) or "").splitlines(), start=1)
        if not line.startswith(";")
    ]
    blank = next((at for at, (_, line) in enumerate(lines) if not line), len(lines))
    texts = _read_head(source, lines[:blank], options)
    rows = lines[blank + 1 :]
    width = len(rows[0][1]) if rows else 0
    tiles, things = bytearray(), []
    for y, (number, row) in enumerate(rows):
        if len(row) != width or width > options.max_width:
            message = (
                f"the row is {len(row)} tiles wide; the first is {width}, the most is {options.max_width}"
            )
            source.problem(message, line=number, column=1)
        for x, letter in enumerate(row):
            tiles.append(max(0, TILES.find(letter)))
            if letter in THINGS:
                things.append(struct.pack("<HHB", x, y, ord(letter)))
            elif letter not in TILES:
                hint = f"tiles are {TILES}, things are {THINGS}"
                source.problem(f"{letter!r} is neither tile nor thing", line=number, column=x + 1, hint=hint)
    players = sum(row.count("P") for _, row in rows)
    if players != 1:
        source.problem(f"the level has {players} players (P); it needs one")
    head, many = struct.pack("<HH", width, len(rows)), struct.pack("<H", len(things))
    return [Product(head + tiles + many + b"".join(things) + texts)]


def _read_head(source: Source, lines: Sequence[tuple[int, str]], options: LevelOptions) -> bytes:
    """The three texts. Whether the background exists is asked through the source, so the build remembers it."""
    found: dict[str, str] = {}
    for number, line in lines:
        key, _, value = line.partition(" ")
        if key not in KEYS:
            source.problem(f"unknown key {key!r}", line=number, column=1, hint=f"keys are {', '.join(KEYS)}")
        found[key] = value.strip()
        if key == "background" and not any(
            source.exists(f"{root}/textures/{found[key]}.png") for root in options.roots
        ):
            source.problem(f"there is no picture {found[key]!r}", line=number, column=len(key) + 2)
    missing = [key for key in KEYS if not found.get(key)]
    if missing:
        source.problem(f"missing: {', '.join(missing)}", line=1)
    return b"".join(found.get(key, "").encode() + b"\0" for key in KEYS)


RULE = Rule(
    kind="level",
    version=1,
    suffixes=frozenset({".level"}),
    fourcc="LEVL",
    schema=1,
    options=LevelOptions,
    cook=cook,
    summary="levels drawn as text",
)
