"""Whether a map is the one that was recorded as built, where a file beside the WAD says of any."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.maps.checks.catalogue import found
from lumpyard.maps.recording import CHANGED, NOT_RECORDED, RENUMBERED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lumpyard.maps.checks.survey import Survey
    from lumpyard.maps.problems import MapFinding

_ANEW = "so what was built for it is not kept, until `lumpyard map FILE --record` records it as it is"


def check(survey: Survey) -> Iterator[MapFinding]:
    """What the record says; nothing where the map is the same, and where no file records any."""
    return recorded_findings(survey.context.recorded)


def recorded_findings(known: str) -> Iterator[MapFinding]:
    """The same for what `recording.judge` said."""
    if known == NOT_RECORDED:
        yield found("record-missing", f"no fingerprint of the map is recorded; {_ANEW}")
    if known == CHANGED:
        yield found("record-changed", f"the map was changed since its fingerprint was recorded; {_ANEW}")
    if known == RENUMBERED:
        message = f"REJECT, or the numbers of the sectors in it, are not those that were recorded; {_ANEW}"
        yield found("record-renumbered", message, "lump")
