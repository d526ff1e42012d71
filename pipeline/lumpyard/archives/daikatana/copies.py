"""The longest copy at each place of a text, whatever its length.

Where a copy from place i ends at e, each later place up to e has a copy that ends there too. So the end moves on only,
and a longer copy is looked for just where it can move: at the first place from which the next byte fits as well.
"""

from __future__ import annotations

import re

from lumpyard.archives.daikatana.codes import MAX_DISTANCE, MAX_REFERENCE, MAX_RUN
from lumpyard.archives.daikatana.short_copies import short_copies

_STEP = 16  # bytes compared at once
_LONG_RUN = re.compile(rb"(.)\1{%d,}" % MAX_REFERENCE, re.DOTALL)
_RUN = re.compile(rb"(.)\1*", re.DOTALL)


def longest_copies(text: bytes, first: int) -> bytearray:
    """For each place from `first` on the length of the longest reference or run that can start there, 0 for none.

    References have at most `MAX_REFERENCE` bytes and do not overlap what they copy, runs at most `MAX_RUN`. Places
    before `first` are what references can reach; their lengths mean nothing.
    """
    short, limit = short_copies(text)
    lengths = bytearray(short)
    for stretch in re.finditer(b"%c+" % limit, short[first:]):
        _fill(text, lengths, stretch.start() + first, stretch.end() + first, limit)
    return lengths


def _fill(text: bytes, lengths: bytearray, place: int, stop: int, least: int) -> None:
    """Exact lengths for a stretch of places where they are `least` or more."""
    end = place + least
    while place < stop:
        if text[place] == text[place + 2]:
            place, end = _skip_run(text, lengths, place, stop, end)
            if place == stop:
                return
        end, distance = _longest(text, place, end)
        if distance >= MAX_REFERENCE and end - place == MAX_REFERENCE:
            following = _follow(text, end, distance)
            after = min(place + following, stop)
            lengths[place:after] = bytes([MAX_REFERENCE]) * (after - place)
            _mark_long_runs(text, lengths, place, after)
            if after == stop:
                return
            place, end = after, end + following
            if following:
                continue
        after = _next_start(text, place, end, min(stop, end + 1 - least)) if end < len(text) else stop
        lengths[place:after] = bytes(range(end - place, end - after, -1))
        place = after
        end += 1


def _skip_run(text: bytes, lengths: bytearray, place: int, stop: int, end: int) -> tuple[int, int]:
    """Where the run at a place, if there is one, can no longer be taken whole, and the end from there."""
    run = _RUN.match(text, place)
    assert run is not None, "one byte is a run"
    run_end = run.end()
    after = min(max(run_end - MAX_RUN, place), stop)
    lengths[place:after] = bytes([MAX_RUN]) * (after - place)
    return after, max(end, run_end)


def _longest(text: bytes, place: int, end: int) -> tuple[int, int]:
    """The end of the longest copy at a place where one up to `end` is known, and its distance, 0 where not known."""
    low = max(place - MAX_DISTANCE, 0)
    most = min(place + MAX_REFERENCE, len(text))
    distance = 0
    if end == most:
        found = text.rfind(text[place:end], low, place)
        return end, place - found if found >= 0 else 0
    while end < most:
        found = text.rfind(text[place : end + 1], low, place)
        if found < 0:
            break
        distance = place - found
        end += 1
        limit = min(place + distance, most)
        while end < limit and text[end] == text[end - distance]:
            end += 1
    return end, distance


def _follow(text: bytes, end: int, distance: int) -> int:
    """How many places on the bytes from `end` are those `distance` before."""
    stop = end
    size = len(text)
    while stop < size and text[stop : stop + _STEP] == text[stop - distance : stop - distance + _STEP]:
        stop += _STEP
    stop = min(stop, size)
    while stop < size and text[stop] == text[stop - distance]:
        stop += 1
    return stop - end


def _mark_long_runs(text: bytes, lengths: bytearray, place: int, stop: int) -> None:
    """Puts in the lengths of runs that are longer than references, for a stretch of places."""
    for run in _LONG_RUN.finditer(text, place, stop + MAX_RUN):
        start, end = run.span()
        for at in range(start, min(end - MAX_REFERENCE, stop)):
            lengths[at] = min(end - at, MAX_RUN)


def _next_start(text: bytes, place: int, end: int, some: int) -> int:
    """The first place behind `place` from which a copy reaches beyond `end`; `some` when there is none before it.

    Where it does from one place it does from all that follow, so steps double, and the last one is halved.
    """
    none, step = place, 1
    while none + step < some:
        if _is_copy(text, none + step, end + 1):
            some = none + step
            break
        none += step
        step *= 2
    while some - none > 1:
        middle = (none + some) // 2
        if _is_copy(text, middle, end + 1):
            some = middle
        else:
            none = middle
    return some


def _is_copy(text: bytes, place: int, end: int) -> bool:
    """Whether a reference or a run can give all bytes from a place to an end."""
    wanted = text[place:end]
    size = end - place
    if wanted[0] == wanted[-1] and size <= MAX_RUN and wanted.count(wanted[0]) == size:
        return True
    return size <= MAX_REFERENCE and text.rfind(wanted, max(place - MAX_DISTANCE, 0), place) >= 0
