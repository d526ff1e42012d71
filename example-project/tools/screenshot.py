"""Draws a part of a level as the game would: `python tools/screenshot.py LEVEL COLUMN ROW FILE`."""

import sys
from pathlib import Path

import scenes
import sprites
import tiles
from pixels import Picture, over, png

SCALE, COLUMNS, ROWS = 3, 16, 9  # a screen of 256 by 144, three times as large
LETTERS = {
    "=": "tiles/stone",
    "~": "tiles/water_0",
    "^": "tiles/spikes",
    "H": "tiles/ladder",
    "i": "tiles/winter/ice",
    "P": "player/idle_0",
    "L": "items/lantern",
    "D": "tiles/door",
    "s": "enemies/snail_0",
    "b": "enemies/bat_0",
    "o": "items/coin_0",
    "k": "items/key",
    "+": "items/heart",
    "?": "tiles/sign",
    "*": "tiles/winter/pine",
}


def draw(text: str, column: int, row: int) -> Picture:
    """The screen whose upper left tile is at a place of a level."""
    head, _, body = text.partition("\n\n")
    background = next(line.split()[1] for line in head.splitlines() if line.startswith("background "))
    rows = body.splitlines()
    pictures = {**sprites.pictures(), **tiles.pictures(), **tiles.winter_pictures()}
    backgrounds = {**scenes.pictures(), **scenes.winter_pictures()}
    screen = [list(line) for line in backgrounds[background]]
    for y in range(ROWS):
        for x in range(COLUMNS):
            letter = rows[row + y][column + x]
            if letter == ".":
                continue
            below_sky = rows[row + y - 1][column + x] != "#"
            cold = "winter" in background
            ground = ("tiles/winter/snow" if cold else "tiles/grass") if below_sky else "tiles/dirt"
            picture = pictures[ground if letter == "#" else LETTERS[letter]]
            for line in range(16):
                place = slice(x * 16, x * 16 + 16)
                behind = "".join(screen[y * 16 + line][place])
                screen[y * 16 + line][place] = over([behind], [picture[line]])[0]
    return ["".join(line) for line in screen]


def main() -> None:
    """Write it."""
    level, column, row, target = sys.argv[1:]
    screen = draw(Path(level).read_text("utf-8"), int(column), int(row))
    large = ["".join(color * SCALE for color in line) for line in screen for _ in range(SCALE)]
    Path(target).write_bytes(png(large, packed=True))


if __name__ == "__main__":
    main()
