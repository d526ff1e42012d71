"""Letters for pictures without fonts: drawn of straight strokes, so that they are smooth at any size.

A glyph is strokes separated by spaces, a stroke is points of two digits: x from the glyph's left edge, y from below.
The baseline is y 2, small letters reach 6, capitals 8, descenders 0. A stroke of one point is a dot.
"""

from __future__ import annotations

from functools import cache

UNIT = 0.121  # of the grid, in sizes of the text: capitals are 0.73 high, as in most fonts
STROKE, BOLD = 0.095, 0.15  # width of strokes, in sizes
GAP = 1.75  # between two letters, in units
BASELINE = 2
_SPACE = 1.6

GLYPHS = {
    "A": "022842 1434", "B": "02083847463505 3544433202", "C": "4738180703123243", "D": "02082847432202",
    "E": "48080242 0535", "F": "480802 0535", "G": "47381807031232434525", "H": "0208 4248 0545", "I": "0208",
    "J": "3833221203", "K": "0208 4805 1642", "L": "080242", "M": "0208254842", "N": "02084248",
    "O": "120307183847433212", "P": "02083847463505", "Q": "120307183847433212 2442", "R": "02083847463505 2542",
    "S": "473818070615354443321203", "T": "0848 2822", "U": "080312324348", "V": "082248", "W": "0812263248",
    "X": "0248 0842", "Y": "082548 2522", "Z": "08480242",
    "a": "3526160503122233 3632", "b": "0802 0312223335261605", "c": "3526160503122233",
    "d": "3832 3526160503122233", "e": "04343526160503122233", "f": "281712 0626",
    "g": "3526160503122233 3631201001", "h": "0802 0516263532", "i": "0602 08", "j": "161100 18",
    "k": "0802 3603 1432", "l": "080312", "m": "0602 05162522 25364542", "n": "0602 0516263532",
    "o": "120305162635332212", "p": "0600 0312223335261605", "q": "3630 3526160503122233", "r": "0602 051626",
    "s": "35261605142433221203", "t": "181322 0626", "u": "0603122233 3632", "v": "062246", "w": "0612253246",
    "x": "0632 3602", "y": "0622 462210", "z": "06360232",
    "0": "120307182837332212", "1": "172822", "2": "07182837360232", "3": "07182837362515 253433221203",
    "4": "22280434", "5": "380805253433221203", "6": "3728180703122233342505", "7": "083812",
    "8": "15060718283736251504031222333425", "9": "0312223337281807061535",
    ".": "02", ",": "0201", ":": "02 05", ";": "05 0201", "!": "0804 02", "?": "07182837362524 22", "-": "0525",
    "+": "0545 2327", "=": "0444 0646", "_": "0141", "/": "0238", "\\": "0832", "|": "0109", "(": "19070311",
    ")": "09171301", "[": "19090111", "]": "09191101", "{": "29181605141221", "}": "09181625141201",
    "'": "0807", '"': "0807 1817", "`": "0817", "#": "1218 3238 0444 0646",
    "$": "473818070615354443321203 2921", "%": "0248 0717180807 3242433332", "&": "4216172837360403122244",
    "*": "2327 0446 0644", "<": "370533", ">": "073503", "^": "061826", "~": "05162536",
    "@": "4212030718384744242646", "\u00b7": "05",
}  # fmt: skip


@cache
def strokes_of(letter: str) -> tuple[tuple[tuple[int, int], ...], ...]:
    """The strokes of a letter, as points on the grid; none of a letter that isn't there."""
    return tuple(
        tuple((int(x), int(y)) for x, y in zip(stroke[::2], stroke[1::2], strict=True))
        for stroke in GLYPHS.get(letter, "").split()
    )


@cache
def _width(letter: str) -> float:
    """Units from a letter's left edge to the next one's."""
    strokes = strokes_of(letter)
    digit = letter.isdigit()  # all of one width, so that numbers stand below each other
    return GAP + (3 if digit else max(x for stroke in strokes for x, _ in stroke) if strokes else _SPACE)


def text_width(text: str, size: float) -> float:
    """How wide a text is, in pixels."""
    return (sum(map(_width, text)) - GAP) * UNIT * size if text else 0.0


def place_letters(text: str) -> list[tuple[float, str]]:
    """Each letter with where it starts, in units from the start of the text."""
    at, places = 0.0, []
    for letter in text:
        places.append((at, letter))
        at += _width(letter)
    return places
