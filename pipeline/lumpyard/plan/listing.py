"""Which files a set takes: its patterns over the folders, and what is wrong with those that find nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.plan import absent
from lumpyard.plan.codes import IS_FOLDER, IS_ODD, NO_FILE, NO_ROOT, NOT_FOLLOWED, TAKES_NOTHING
from lumpyard.plan.names import sorted_by_bytes
from lumpyard.plan.search import find, matching
from lumpyard.plan.tree import LEAVES, inside

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lumpyard.errors import Place
    from lumpyard.manifest.model import LumpSet, Pattern
    from lumpyard.plan.findings import Findings
    from lumpyard.plan.folders import Folders
    from lumpyard.plan.search import Hits


MOST_GUESSES = 50  # at what was meant; a manifest may list thousands of files whose folder has moved


class _Oddity(NamedTuple):
    """What a pattern comes upon that is no file; a problem, unless a `!` pattern takes it away."""

    path: str  # relative to the set's root
    code: str
    place: Place
    message: str
    hint: str

    def is_matched(self, pattern: str) -> bool:
        """Whether a pattern takes it away; for a link that isn't followed, also one for all that is below."""
        probes = [self.path, f"{self.path}/x"] if self.code == NOT_FOLLOWED else [self.path]
        return bool(matching(pattern, probes))


def list_files(lump_set: LumpSet, folders: Folders, findings: Findings) -> Sequence[str]:
    """Paths of the files that a set takes, relative to its root, sorted by bytes."""
    fault = absent.root_fault(lump_set.root, folders)
    if fault:
        if not (fault.may_come and lump_set.optional):
            place = lump_set.settings.places.get("root", lump_set.place)
            findings.add(place, NO_ROOT, fault.message, _makers(lump_set) or fault.hint)
        return ()
    taken: dict[str, None] = {}
    odd: dict[str, _Oddity] = {}
    missed: list[Pattern] = []
    for pattern in lump_set.files:
        if pattern.takes_away:
            continue
        hits = find(pattern.text, lump_set.root, folders)
        taken.update(dict.fromkeys(hits.files))
        for oddity in _oddities(pattern, hits, lump_set.root):
            if odd.setdefault(oddity.path, oddity).code == NOT_FOLLOWED:
                odd[oddity.path] = oddity  # to match a link says more than to pass it by
        if not (hits.files or hits.odd or hits.folders or lump_set.optional):
            missed.append(pattern)
    _report_missed(lump_set, missed, folders, findings)
    for oddity in _take_away(lump_set, taken, odd.values(), findings):
        findings.add(oddity.place, oddity.code, oddity.message, oddity.hint)
    return sorted_by_bytes(list(taken))


def _report_missed(
    lump_set: LumpSet, missed: Sequence[Pattern], folders: Folders, findings: Findings
) -> None:
    for pattern in missed[:MOST_GUESSES]:
        message, hint = absent.pattern_fault(pattern.text, lump_set.root, folders)
        findings.add(pattern.place, NO_FILE, message, _makers(lump_set) or hint)
    for pattern in missed[MOST_GUESSES:]:
        findings.add(pattern.place, NO_FILE, absent.pattern_message(pattern.text, lump_set.root))


def _makers(lump_set: LumpSet) -> str:
    """The hint that tasks may not have made the files yet; "" where the set names none."""
    names = " ".join(task.text for task in lump_set.after)
    return f"`doit {names}` makes files of this set" if names else ""


def _oddities(pattern: Pattern, hits: Hits, root: str) -> Iterator[_Oddity]:
    """What else than files a pattern came upon."""
    for path, what in hits.odd:
        yield _Oddity(path, IS_ODD, pattern.place, f"{inside(root, path)} is {what}, not a file", "")
    for path in hits.folders:
        hint = f"'{path}/**' takes the files below it, '!{path}' leaves it out"
        message = f"{inside(root, path)} is a folder, not a file"
        yield _Oddity(path, IS_FOLDER, pattern.place, message, hint)
    for path in hits.links:
        hint = f"`mounts` can bring a folder in; '!{path}/**' says that it is to be left out"
        message = f"{inside(root, path)} is {LEAVES}, and not followed"
        yield _Oddity(path, NOT_FOLLOWED, pattern.place, message, hint)


def _take_away(
    lump_set: LumpSet, taken: dict[str, None], odd: Iterable[_Oddity], findings: Findings
) -> list[_Oddity]:
    """Apply the `!` patterns, wherever they stand; what is left of the odd things."""
    patterns = [pattern for pattern in lump_set.files if pattern.takes_away]
    before = dict(taken) if patterns else taken
    left = list(odd)
    idle: list[Pattern] = []
    for pattern in patterns:
        gone = matching(pattern.text, before)
        odd_gone = {oddity for oddity in left if oddity.is_matched(pattern.text)}
        for path in gone:
            taken.pop(path, None)
        left = [oddity for oddity in left if oddity not in odd_gone]
        if not (gone or odd_gone or lump_set.optional):
            idle.append(pattern)
    for at, pattern in enumerate(idle):
        hint = absent.idle_hint(pattern.text, lump_set.root, before) if at < MOST_GUESSES else ""
        findings.add(pattern.place, TAKES_NOTHING, f"'!{pattern.text}' takes nothing away", hint)
    return left
