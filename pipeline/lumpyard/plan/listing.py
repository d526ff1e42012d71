"""Which files a set takes: its patterns over the folders, and what is wrong with those that find nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.plan import absent
from lumpyard.plan.codes import IS_FOLDER, IS_ODD, NO_FILE, NO_ROOT, TAKES_NOTHING
from lumpyard.plan.names import sorted_by_bytes
from lumpyard.plan.search import find, matching
from lumpyard.plan.tree import inside

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.manifest.model import LumpSet, Pattern
    from lumpyard.plan.findings import Findings
    from lumpyard.plan.folders import Folders


def list_files(lump_set: LumpSet, folders: Folders, findings: Findings) -> Sequence[str]:
    """Paths of the files that a set takes, relative to its root, sorted by bytes."""
    fault = absent.root_fault(lump_set.root, folders)
    if fault:
        if not (fault.may_come and lump_set.optional):
            place = lump_set.settings.places.get("root", lump_set.place)
            findings.add(place, NO_ROOT, fault.message, fault.hint)
        return ()
    taken: dict[str, None] = {}
    wrong: list[tuple[Pattern, str, str]] = []
    for pattern in lump_set.files:
        if pattern.takes_away:
            continue
        hits = find(pattern.text, lump_set.root, folders)
        taken.update(dict.fromkeys(hits.files))
        wrong += [(pattern, path, what) for path, what in hits.odd]
        wrong += [(pattern, path, "") for path in hits.folders]
        if not (any(hits) or lump_set.optional):
            message, hint = absent.pattern_fault(pattern.text, lump_set.root, folders)
            findings.add(pattern.place, NO_FILE, message, hint)
    odd = _take_away(lump_set, taken, wrong, folders, findings)
    _report_odd(lump_set.root, odd, findings)
    return sorted_by_bytes(list(taken))


def _take_away(
    lump_set: LumpSet,
    taken: dict[str, None],
    wrong: list[tuple[Pattern, str, str]],
    folders: Folders,
    findings: Findings,
) -> list[tuple[Pattern, str, str]]:
    """Apply the `!` patterns; what is left of the odd things."""
    before = dict(taken)
    odd_paths = {path: None for _, path, _ in wrong}
    for pattern in lump_set.files:
        if not pattern.takes_away:
            continue
        gone = matching(pattern.text, before)
        odd_gone = matching(pattern.text, odd_paths)
        for path in gone:
            taken.pop(path, None)
        wrong = [item for item in wrong if item[1] not in odd_gone]
        if not (gone or odd_gone or lump_set.optional):
            why = absent.takes_nothing(pattern.text, lump_set.root, before, folders)
            findings.add(pattern.place, TAKES_NOTHING, *why)
    return wrong


def _report_odd(root: str, wrong: Sequence[tuple[Pattern, str, str]], findings: Findings) -> None:
    """One problem for each thing that is no file, at the first pattern that matches it."""
    seen: set[str] = set()
    for pattern, path, what in wrong:
        if path in seen:
            continue
        seen.add(path)
        full = inside(root, path)
        if what:
            findings.add(pattern.place, IS_ODD, f"{full} is {what}, not a file")
        else:
            hint = f"`{path}/**` takes the files below it, `!{path}` leaves it out"
            findings.add(pattern.place, IS_FOLDER, f"{full} is a folder, not a file", hint)
