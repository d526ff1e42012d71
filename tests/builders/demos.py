"""Demos of Doom v1.9: what a player presses, tic by tic, so that an engine walks through a map on its own.

A ghost (`dsda-doom -export_ghost`) is where the player was in each tic. It depends on walls, things, sectors, the
blockmap and the reject table, so that two runs with equal ghosts saw the same map.
"""

from __future__ import annotations

import re

TICS = 350  # ten seconds
SKILL = 4  # as stored: from 0; the last, in which monsters are quick


def demo(map_name: str) -> bytes:
    """One player who runs, turns, shoots and opens doors in a map, `MAP01` or `E1M1`, for ten seconds."""
    episode, number = numbers(map_name)
    header = bytes([109, SKILL, episode, number, 0, 0, 0, 0, 0, 1, 0, 0, 0])
    return header + b"".join(map(_pressed, range(TICS))) + b"\x80"


def numbers(map_name: str) -> tuple[int, int]:
    """Episode and map, as demos have them."""
    found = re.fullmatch(r"E(\d)M(\d)|MAP(\d\d)", map_name)
    assert found, map_name
    return (int(found[1]), int(found[2])) if found[1] else (1, int(found[3]))


def _pressed(tic: int) -> bytes:
    """Four bytes: ahead, to the side, turn, buttons (1 shoots, 2 uses)."""
    ahead = 50 if tic % 70 < 60 else 256 - 40
    aside = (0, 24, 256 - 24)[tic // 25 % 3]
    turn = (0, 2, 0, 256 - 1)[tic // 35 % 4]
    return bytes([ahead, aside, turn, 1 if tic % 50 < 6 else 2 if tic % 17 == 0 else 0])
