"""The cheapest way to write a text in codes, by dynamic programming from its end to its start.

For each place the fewest bytes that the rest of the text takes are known from those of later places. References and
runs cost the same whatever their length, and the rest of a text costs no less than a shorter rest, so of each kind just
the longest is tried. There is one exception: before two zeros the rest costs one byte, between them it may cost two. So
where the longest ends between them, one byte less is tried, too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lumpyard.archives.daikatana.codes import MAX_LITERALS, MAX_RUN, MIN_LENGTH

if TYPE_CHECKING:
    from collections.abc import Mapping

_ZEROS = re.compile(rb"\0\0+")
_ZERO_RUN = 128  # what marks the length of a run of zeros, which costs one byte less


def cheapest_steps(text: bytes, lengths: bytearray, first: int) -> bytearray:
    """For each place from `first` on how many bytes the next code gives, 0 for the bytes themselves.

    `lengths` are those of `longest_copies`; they are used up. The first step is for place `first`, and what it says of
    places within a code means nothing.
    """
    references = _mark_zero_runs(text, lengths, first)
    costs = [0]  # of the rest of the text; the last is that of the place behind the current one
    steps = bytearray()
    add_cost, add_step = costs.append, steps.append
    cost = room = 0  # room: how many bytes the literals that start behind the current place can still take
    for length in reversed(lengths[first:]):
        step = 0
        if room:
            cost += 1
            room -= 1
        else:
            cost += 2
            room = MAX_LITERALS - 1
        if length:
            if length < _ZERO_RUN:
                other = costs[-length] + 2
                if length > MIN_LENGTH and costs[1 - length] + 2 < other:  # two zeros start there
                    length -= 1  # noqa: PLW2901
                    other = costs[-length] + 2
                if other < cost:
                    cost, step, room = other, length, 0
            else:
                longest = length - _ZERO_RUN
                other = costs[-longest] + 1
                if longest == MAX_RUN and costs[1 - longest] + 1 < other:  # a single zero would be left
                    longest -= 1
                    other = costs[-longest] + 1
                if references:
                    other, longest = _or_reference(
                        other, longest, costs, references.get(len(text) - len(costs))
                    )
                if other < cost:
                    cost, step, room = other, longest, 0
        add_cost(cost)
        add_step(step)
    steps.reverse()
    return steps


def _mark_zero_runs(text: bytes, lengths: bytearray, first: int) -> Mapping[int, int]:
    """The places of zero runs where a reference is longer than the run; the run's length takes its place."""
    references = {}
    for run in _ZEROS.finditer(text, first):
        start, end = run.span()
        tail = max(start, end - MAX_RUN + 1)
        lengths[start:tail] = bytes([_ZERO_RUN + MAX_RUN]) * (tail - start)
        for place in range(tail, end - 1):
            if lengths[place] > end - place:
                references[place] = lengths[place]
            lengths[place] = _ZERO_RUN + end - place
    return references


def _or_reference(cost: int, run: int, costs: list[int], reference: int | None) -> tuple[int, int]:
    """Cost and length of the cheapest code at a place where a run of zeros, and maybe a longer reference, starts."""
    if reference is None:
        return cost, run
    return min((cost, run), (costs[-reference] + 2, reference), (costs[1 - reference] + 2, reference - 1))
