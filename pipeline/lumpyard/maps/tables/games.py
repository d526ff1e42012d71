"""The games and the targets: engines that a map is made for."""

from __future__ import annotations

DOOM, DOOM2, HERETIC, HEXEN = "doom", "doom2", "heretic", "hexen"
GAMES = (DOOM, DOOM2, HERETIC, HEXEN)

VANILLA, BOOM, MBF21, ZDOOM = "vanilla", "boom", "mbf21", "zdoom"
TARGETS = (VANILLA, BOOM, MBF21, ZDOOM)  # what an engine knows, those after it know too
