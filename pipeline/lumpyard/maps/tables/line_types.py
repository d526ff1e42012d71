"""What a line's special does, where it is a number of Doom's own kind, by game and target.

The tables are text: what moves, then by how it is set off the numbers. D1 and DR are doors that are pressed themselves,
the sector behind the line; W walked over, S pressed, G shot; 1 once, R again and again; M monsters only; `-` from the
start. Numbers that act on sectors or lines do so by the line's tag.

Source: the unofficial Doom specification, "Linedef types"; boomref.txt; the MBF21 specification; the engines' tables.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps.tables.games import BOOM, HERETIC, MBF21, TARGETS, ZDOOM
from lumpyard.maps.tables.ranges import numbers

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_DOOM = """
door       D1 31 118 | DR 1 117 | W1 2-4 16 108-110 | WR 75 76 86 90 105-107 | S1 29 50 103 111-113
door       SR 42 61 63 114-116 | GR 46
blue       D1 32 | DR 26 | S1 133 | SR 99
red        D1 33 | DR 28 | S1 135 | SR 134
yellow     D1 34 | DR 27 | S1 137 | SR 136
floor      W1 5 19 30 36-38 56 58 59 119 130 | WR 82-84 91-94 96 98 128 129 | S1 18 23 55 71 101 102 131 140
floor      SR 45 60 64 65 69 70 132 | G1 24
ceiling    W1 40 44 | WR 72 | S1 41 | SR 43
crusher    W1 6 25 57 141 | WR 73 74 77 | S1 49
platform   W1 10 22 53 54 121 | WR 87-89 95 120 | S1 14 15 20 21 122 | SR 62 66-68 123 | G1 47
stairs     W1 8 100 | S1 7 127
donut      S1 9
light      W1 12 13 17 35 104 | WR 79-81 | SR 138 139
teleport   W1 39 | WR 97 | M1 125 | MR 126
exit       W1 52 | S1 11
secret     W1 124 | S1 51
scroll     - 48
"""

_HERETIC = """
door       D1 31 | DR 1 | W1 2-4 16 | WR 75 76 86 90 100 | S1 29 50 103 | SR 42 61 63 | G1 46
blue       D1 32 | DR 26
green      D1 33 | DR 28
yellow     D1 34 | DR 27
floor      W1 5 19 30 36-38 56 58 59 | WR 82-84 91-94 96 98 | S1 18 23 55 71 101 102
floor      SR 45 60 64 65 69 70 | G1 24
ceiling    W1 40 44 | WR 72 | S1 41 49 | SR 43
crusher    W1 6 25 57 | WR 73 74 77
platform   W1 10 22 53 54 | WR 87-89 95 | S1 14 15 20 21 | SR 62 66-68 | G1 47
stairs     W1 8 106 | S1 7 107
donut      S1 9
light      W1 12 13 17 35 104 | WR 79-81
teleport   W1 39 | WR 97
exit       W1 52 | S1 11
secret     W1 105 | S1 51
scroll     - 48 99
"""

_BOOM = """
door       S1 175 | SR 196
floor      W1 142 153 219 239 | WR 147 154 220 240 | S1 158-161 189 221 241 | SR 78 176-180 190 222
ceiling    W1 145 199 200 | WR 151 152 201 202 | S1 166 167 203 204 | SR 186 187 205 206
crusher    WR 150 | S1 164 165 168 | SR 183-185 188
platform   W1 143 144 | WR 148 149 212 | S1 162 163 | SR 181 182 211
stairs     WR 256 257 | SR 258 259
donut      W1 146 | WR 155 | SR 191
light      WR 156 157 | S1 169-173 | SR 192-194
elevator   W1 227 231 235 | WR 228 232 236 | S1 229 233 237 | SR 230 234 238
teleport   W1 207 | WR 208 | S1 174 209 | SR 195 210 | M1 268 | MR 269
line-teleport W1 243 262 | WR 244 263 | M1 264 266 | MR 265 267
exit       G1 197
secret     G1 198
scroll     - 85 255
translucent - 260
sector     - 213-217 223-226 242 245-248 250-253 261
lines      - 218 249 254
"""

_MBF = """
sector     - 271 272
"""

_MBF21 = """
lines      - 1024-1026
"""

_ZDOOM = """
script     WR 270 273 | W1 274 275 | SR 276 | S1 277 | GR 278 | G1 279
sector     - 280-282 289 300-306 332-335 350-354 400-408 413-417
translucent - 284-288 409-412
scroll     - 422-428
floor      W1 338 339 436 | WR 437 | S1 434 | SR 435 | G1 438 | GR 439
other      - 336 337 340-347 | W1 348 | S1 349
"""

# first number, last, what: the rest of the number says how (Boom)
_GENERALIZED = (
    (0x2F80, 0x2FFF, "crusher"),
    (0x3000, 0x33FF, "stairs"),
    (0x3400, 0x37FF, "platform"),
    (0x3800, 0x3BFF, "locked"),
    (0x3C00, 0x3FFF, "door"),
    (0x4000, 0x5FFF, "ceiling"),
    (0x6000, 0x7FFF, "floor"),
)
_TRIGGERS = ("W1", "WR", "S1", "SR", "G1", "GR", "D1", "DR")
_KEYS = ("any", "red-card", "blue-card", "yellow-card", "red-skull", "blue-skull", "yellow-skull", "all")
_COLORS = frozenset({"blue", "red", "yellow", "green"})
_SELF = frozenset({"exit", "secret", "scroll", "translucent", "other", "script"})  # act without a tag
_ON_LINES = frozenset({"lines", "line-teleport"})


class LineType(NamedTuple):
    """What a special does."""

    number: int
    trigger: str  # "W1" ...; "-" from the start
    kind: str  # door, floor, ceiling, crusher, platform, stairs, donut, light, teleport, exit, ...
    lock: str = ""  # of a locked door; a name of `tables.locks`
    tagged: str = "sector"  # what its tag is of: "sector", "line", or "" where it needs none


@cache
def line_types(game: str, target: str) -> Mapping[int, LineType]:
    """All specials that have a number of their own, by number; the rest is `find_line_type`'s."""
    later = TARGETS.index(target)
    texts = [_HERETIC if game == HERETIC else _DOOM]
    texts += [text for text, first in ((_BOOM, BOOM), (_MBF, MBF21), (_MBF21, MBF21), (_ZDOOM, ZDOOM))
              if later >= TARGETS.index(first)]  # fmt: skip
    known: dict[int, LineType] = {}
    for text in texts:
        for row in _parse(text):
            known.setdefault(row.number, row)
    return known


def find_line_type(special: int, game: str, target: str) -> LineType | None:
    """What a special does; None when the target doesn't know it."""
    found = line_types(game, target).get(special)
    if found is None and TARGETS.index(target) >= TARGETS.index(BOOM):
        return _generalized(special)
    return found


def _generalized(special: int) -> LineType | None:
    for first, last, kind in _GENERALIZED:
        if first <= special <= last:
            trigger = _TRIGGERS[special & 7]
            tagged = "" if trigger[0] == "D" else "sector"
            return LineType(special, trigger, "door" if kind == "locked" else kind,
                            _lock(special) if kind == "locked" else "", tagged)  # fmt: skip
    return None


def _lock(special: int) -> str:
    """The lock of a generalised door: bits 6 to 8, and bit 9 for a skull being as good as a card."""
    name = _KEYS[special >> 6 & 7]
    if not special & 0x200 or name == "any":
        return name
    return "three" if name == "all" else name.partition("-")[0]


def _parse(text: str) -> Iterator[LineType]:
    for line in text.strip().splitlines():
        kind, rest = line.split(None, 1)
        lock = kind if kind in _COLORS else ""
        for group in rest.split("|"):
            trigger, them = group.split(None, 1)
            tagged = "sector"
            if kind in _SELF or trigger[0] == "D":
                tagged = ""
            elif kind in _ON_LINES:
                tagged = "line"
            for number in numbers(them):
                yield LineType(number, trigger, "door" if lock else kind, lock, tagged)
