"""Problems as they are found, the same kind at the same place no more often than people read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.errors import Problem

if TYPE_CHECKING:
    from collections.abc import Collection

    from lumpyard.errors import Place

MOST_ALIKE = 20  # of one code at one place; a set that meets another may do so 20,000 times


def one_line(error: BaseException) -> str:
    """Kind and text of an exception on one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())


class Findings:
    """Problems of a plan; beyond `MOST_ALIKE` of one code at one place only their number is kept."""

    def __init__(self) -> None:
        self._problems: dict[Problem, None] = {}
        self._alike: dict[tuple[Place, str], int] = {}

    def add(self, place: Place, code: str, message: str, hint: str = "") -> None:
        """Note a problem, once however often it is found."""
        problem = Problem(place, code, message, hint)
        if problem in self._problems:
            return
        alike = self._alike[place, code] = self._alike.get((place, code), 0) + 1
        if alike <= MOST_ALIKE:
            self._problems[problem] = None

    def extend(self, problems: Collection[Problem]) -> None:
        """Note problems that another part has found."""
        self._problems.update(dict.fromkeys(problems))

    def sorted(self) -> tuple[Problem, ...]:
        """All of them, by place; what was only counted is one more at its place."""
        rest = [
            Problem(place, code, f"… and {alike - MOST_ALIKE:,} more like these")
            for (place, code), alike in self._alike.items()
            if alike > MOST_ALIKE
        ]
        return tuple(sorted([*self._problems, *rest]))
