"""Backgrounds of 256 by 144: a dithered sky, and hills in layers. Integer arithmetic, so that no platform rounds."""

from pixels import Picture

WIDTH, HEIGHT = 256, 144
Canvas = list[list[str]]  # rows of palette letters
_BAYER = (0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5)  # 4 by 4, for ordered dithering


def _wave(position: int, period: int) -> int:
    """A smooth wave of -256 to 256, made of parabolas."""
    place = position * 512 // period % 512 - 256
    return (256 - abs(place)) * abs(place) * (1 if place >= 0 else -1) // 64


def _sky(bands: str, bottom: int) -> Canvas:
    """Bands of color from top to bottom, each dithered into the next."""

    def at(x: int, y: int) -> str:
        level = min(y, bottom - 1) * 16 * (len(bands) - 1) // bottom
        band, rest = divmod(level, 16)
        return bands[band + 1] if rest > _BAYER[y % 4 * 4 + x % 4] else bands[band]

    return [[at(x, y) for x in range(WIDTH)] for y in range(HEIGHT)]


def _disc(canvas: Canvas, x: int, y: int, radius: int, color: str, foot: int = HEIGHT) -> None:
    """A disc, cut off flat at the foot."""
    for row in range(max(0, y - radius), min(foot, y + radius + 1)):
        for column in range(max(0, x - radius), min(WIDTH, x + radius + 1)):
            if (row - y) ** 2 + (column - x) ** 2 <= radius * radius:
                canvas[row][column] = color


def _moon(canvas: Canvas, x: int, y: int) -> None:
    """A crescent: what a second disc does not hide of the first."""
    for row in range(y - 14, y + 15):
        for column in range(x - 14, x + 15):
            bright = (row - y) ** 2 + (column - x) ** 2 <= 196
            hidden = (row - y + 4) ** 2 + (column - x - 6) ** 2 <= 150
            if bright and not hidden:
                canvas[row][column] = "c"


def _cloud(canvas: Canvas, x: int, y: int) -> None:
    """Four puffs with a flat bottom, in the light of the upper left."""
    puffs = ((0, 0, 6), (9, -4, 8), (19, -1, 7), (28, 1, 5))
    for color, moved in (("g", 0), ("w", 1)):
        for across, up, radius in puffs:
            _disc(canvas, x + across - moved, y + up - moved, radius - moved, color, y + 5 - moved)


def _hills(canvas: Canvas, base: int, swing: int, phase: int, colors: str) -> None:
    """A ridge whose waves close at the edges, so that the picture repeats; colors are rim, body, shade."""
    for x in range(WIDTH):
        top = base - swing * (_wave(x + phase, 256) * 2 + _wave(x * 3 + phase, 256)) // 768
        for y in range(top, HEIGHT):
            deep = y - top > 14 + _BAYER[y % 4 * 4 + x % 4]
            canvas[y][x] = colors[0] if y - top < 2 else colors[2] if deep else colors[1]


def _tree(canvas: Canvas, x: int, foot: int, height: int, colors: str) -> None:
    """A fir in two colors: light at the left, dark at the right."""
    for row in range(height):
        half = row % 7 * 2 // 3 + row * 5 // height + 1
        for column in range(-half, half + 1):
            if 0 <= x + column < WIDTH:
                canvas[foot - height + row][x + column] = colors[0] if column < 0 else colors[1]
    for row in range(foot, foot + 3):
        canvas[row][x] = "k"


def _stars(canvas: Canvas, many: int, bottom: int, color: str) -> None:
    state = 7
    for _ in range(many):
        state = state * 1103515245 + 12345 & 0x7FFFFFFF
        canvas[(state >> 8) % bottom][(state >> 16) % WIDTH] = color


def meadow() -> Picture:
    """Noon."""
    canvas = _sky("uaaacw", 110)
    _disc(canvas, 206, 30, 15, "y")
    _disc(canvas, 206, 30, 12, "c")
    _cloud(canvas, 34, 44)
    _cloud(canvas, 128, 60)
    _hills(canvas, 98, 16, 40, "aau")
    _hills(canvas, 112, 12, 150, "mle")
    for x, foot, height in ((20, 116, 30), (37, 120, 22), (226, 120, 34), (243, 124, 24), (120, 126, 20)):
        _tree(canvas, x, foot, height, "le")
    _hills(canvas, 130, 5, 90, "mll")
    return ["".join(row) for row in canvas]


def dusk() -> Picture:
    """The cave's mouth at night, where only lanterns help."""
    canvas = _sky("kkdsp", 120)
    _stars(canvas, 60, 70, "c")
    _moon(canvas, 60, 34)
    _hills(canvas, 96, 18, 20, "sdd")
    _hills(canvas, 114, 12, 130, "dkk")
    for x, foot, height in ((30, 124, 26), (52, 126, 34), (214, 124, 38), (232, 126, 26), (150, 128, 22)):
        _tree(canvas, x, foot, height, "dk")
    _hills(canvas, 132, 4, 60, "kkk")
    return ["".join(row) for row in canvas]


def winter() -> Picture:
    """A pale afternoon."""
    canvas = _sky("saawp", 112)
    _disc(canvas, 72, 46, 11, "c")
    _hills(canvas, 96, 20, 60, "wga")
    _hills(canvas, 112, 12, 170, "wwg")
    for x, foot, height in ((16, 118, 34), (34, 121, 24), (196, 121, 30), (214, 122, 40), (234, 122, 26)):
        _tree(canvas, x, foot, height, "ge")
    _hills(canvas, 130, 5, 10, "www")
    _stars(canvas, 150, HEIGHT, "w")
    return ["".join(row) for row in canvas]


def pictures() -> dict[str, Picture]:
    """The base game's backgrounds by their path below assets/textures/."""
    return {"backgrounds/meadow": meadow(), "backgrounds/dusk": dusk()}


def winter_pictures() -> dict[str, Picture]:
    """The winter's by their path below winter/textures/."""
    return {"backgrounds/winter": winter()}
