"""REJECT by line of sight, against lines between places of maps that are drawn at random."""

from __future__ import annotations

import pytest
from tests.builders.sight_lines import blocked, crooked_rooms, hidden, samples

from lumpyard.maps import sight, sight_cells
from lumpyard.maps.reject import islands


@pytest.mark.parametrize("most_beams", [1, 4, 64])
@pytest.mark.parametrize("seed", range(5))
def test_no_line_joins_places_in_rooms_that_are_hidden_from_each_other(
    seed: int, most_beams: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever beams are joined to one: that only makes more seen."""
    monkeypatch.setattr(sight, "FIRST", sight.FIRST._replace(most_beams=most_beams))
    monkeypatch.setattr(sight, "SECOND", sight.SECOND._replace(most_beams=most_beams))
    level = crooked_rooms(7, 7, seed)
    rows = hidden(level)
    places = list(samples(level, 80, seed))
    pairs = [(p, a, q, b) for at, (p, a) in enumerate(places) for q, b in places[:at] if rows[a][b]]
    assert len(pairs) > 100
    for start, a, end, b in pairs:
        assert blocked(level, start, end), (a, b, start, end)


@pytest.mark.parametrize("seed", range(5))
def test_nearly_all_rooms_are_hidden_that_no_line_joins(seed: int) -> None:
    """With a place in four of a room every few units: what they do not see, hardly anyone does."""
    level = crooked_rooms(5, 5, seed)
    rows = hidden(level)
    met = {(a, a) for a in range(len(rows))}
    places = list(samples(level, 300, seed))
    for at, (start, a) in enumerate(places):
        for end, b in places[:at]:
            if (a, b) not in met and not blocked(level, start, end):
                met |= {(a, b), (b, a)}
    seen = sum(row.count(0) for row in rows)
    assert len(met) <= seen <= 1.15 * len(met)


def test_it_does_not_matter_from_where_cells_are_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    level = crooked_rooms(6, 6, 1)
    rows = hidden(level)
    monkeypatch.setattr(sight_cells, "WALK", 0)
    assert hidden(level) == rows


def test_open_lines_through_too_many_cells_hide_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    level = crooked_rooms(6, 6, 1)
    for most in (0, 10, 100):
        monkeypatch.setattr(sight_cells, "MAX_CELLS", most)
        made = sight.look(level)
        assert isinstance(made, sight.Sight)
        assert (made.lump, made.undecided) == (islands(level), len(level.sectors))
