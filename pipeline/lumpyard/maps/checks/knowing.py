"""What messages say of numbers that a target does not know: which one after it does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.maps.tables.games import TARGETS

if TYPE_CHECKING:
    from collections.abc import Callable

    from lumpyard.maps.checks.survey import Survey


def not_known(survey: Survey, knows: Callable[[str], bool]) -> str:
    """The end of a sentence: who does not know it, and the first target with more that `knows`."""
    later = TARGETS[TARGETS.index(survey.target) + 1 :]
    others = [f", but {target} does" for target in later if knows(target)]
    return f"which {survey.game} on {survey.target} does not know{others[0] if others else ''}"
