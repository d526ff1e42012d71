"""The cheapest way to write a text in codes, by dynamic programming from its end to its start.

For each place the fewest bytes that the rest of the text takes are known from those of later places. References and
runs cost the same whatever their length, and the rest of a text costs no less than a shorter rest, so of each kind just
the longest is tried. There is one exception: before two zeros the rest costs one byte, between them it may cost two. So
where the longest ends between them, one byte less is tried, too.

A place costs 0.2 µs. In pictures whole areas are of one colour or have no copies at all; those are done by the stretch.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lumpyard.archives.daikatana.codes import MAX_LITERALS, MAX_RUN, MIN_LENGTH

if TYPE_CHECKING:
    from collections.abc import Mapping

_ZEROS = re.compile(rb"\0\0+")
_ZERO_RUN = 128  # what marks the length of a run of zeros, which costs one byte less
_LONGEST_ZEROS = _ZERO_RUN + MAX_RUN
# Places of a run from which it is longer than one code can give, and as many more; places where no copy starts.
_STRETCH = re.compile(
    rb"%c{%d,}|%c{%d,}|\0{%d,}" % (MAX_RUN, 2 * MAX_RUN, _LONGEST_ZEROS, 2 * MAX_RUN, MAX_LITERALS)
)


def cheapest_steps(text: bytes, lengths: bytearray, first: int) -> bytearray:
    """For each place from `first` on how many bytes the next code gives, 0 for the bytes themselves.

    `lengths` are those of `longest_copies`; they are used up. The first step is for place `first`, and what it says of
    places within a code means nothing.
    """
    references = _mark_zero_runs(text, lengths, first)
    backwards = bytes(lengths[first:][::-1])
    costs = [0]  # of the rest of the text; the last is that of the place behind the current one
    steps = bytearray()
    place = room = 0  # room: how many bytes the literals that start behind the current place can still take
    for stretch in _STRETCH.finditer(backwards):
        start, end = stretch.span()
        length = backwards[start]
        if length:
            start += MAX_RUN + 1  # before that, ends of runs may leave a single byte
        room = _one_by_one(costs, steps, backwards[place:start], room, references, len(text))
        if length:
            _run(costs, end - start, 1 if length == _LONGEST_ZEROS else 2)
        else:
            room = _literals(costs, end - start, room)
        steps += bytes([MAX_RUN if length else 0]) * (end - start)
        place = end
    _one_by_one(costs, steps, backwards[place:], room, references, len(text))
    steps.reverse()
    return steps


def _one_by_one(
    costs: list[int], steps: bytearray, lengths: bytes, room: int, references: Mapping[int, int], size: int
) -> int:
    """Adds costs and steps of some places; the room that is left there."""
    add_cost, add_step = costs.append, steps.append
    cost = costs[-1]
    for length in lengths:
        step = 0
        if room:
            cost += 1
            room -= 1
        else:
            cost += 2
            room = MAX_LITERALS - 1
        if length:
            if length < _ZERO_RUN:
                longest = length
                other = costs[-longest] + 2
                if longest > MIN_LENGTH and costs[1 - longest] + 2 < other:  # two zeros start there
                    longest -= 1
                    other = costs[-longest] + 2
            else:
                longest = length - _ZERO_RUN
                other = costs[-longest] + 1
                if longest == MAX_RUN and costs[1 - longest] + 1 < other:  # a single zero would be left
                    longest -= 1
                    other = costs[-longest] + 1
                if references and (reference := references.get(size - len(costs))):
                    for choice in (reference, reference - 1):
                        if costs[-choice] + 2 < other:
                            other, longest = costs[-choice] + 2, choice
            if other < cost:
                cost, step, room = other, longest, 0
        add_cost(cost)
        add_step(step)
    return room


def _run(costs: list[int], number: int, price: int) -> None:
    """Adds the costs of places within a run that is longer than two codes can give, at a code's price."""
    while number > 0:
        costs += [cost + price for cost in costs[-MAX_RUN:][:number]]
        number -= MAX_RUN


def _literals(costs: list[int], number: int, room: int) -> int:
    """Adds the costs of places where no copy starts; the room that is left."""
    cost = costs[-1]
    while number:
        if not room:
            cost += 1
            room = MAX_LITERALS
        taken = min(room, number)
        costs += range(cost + 1, cost + taken + 1)
        cost += taken
        room -= taken
        number -= taken
    return room


def _mark_zero_runs(text: bytes, lengths: bytearray, first: int) -> Mapping[int, int]:
    """The places of zero runs where a reference is longer than the run; the run's length takes its place."""
    references = {}
    for run in _ZEROS.finditer(text, first):
        start, end = run.span()
        tail = max(start, end - MAX_RUN + 1)
        lengths[start:tail] = bytes([_LONGEST_ZEROS]) * (tail - start)
        for place in range(tail, end - 1):
            if lengths[place] > end - place:
                references[place] = lengths[place]
            lengths[place] = _ZERO_RUN + end - place
    return references
