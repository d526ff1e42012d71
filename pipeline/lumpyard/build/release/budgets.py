"""Whether an archive keeps to the manifest's budgets, and if not, what weighs most (docs/report.md).

A budget holds for each archive by itself. It counts bytes of the file: all of it, or what the lumps account for that
its set, type and patterns take, where a place that several lumps share counts for the first. Padding and directory
count for the whole file alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.errors import BudgetError, Place, Problem
from lumpyard.globs import any_match, parse_glob

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from lumpyard.build.earlier.record import Record
    from lumpyard.build.project import Project
    from lumpyard.build.release.measured import Measured
    from lumpyard.build.session import Session
    from lumpyard.build.workers.progress import Progress
    from lumpyard.lock import Block
    from lumpyard.manifest.model import Budget

OVER_SIZE = ("E0801", "W0801")
OVER_GROWTH = ("E0802", "W0802")
UNKNOWN_GROWTH = "W0803"
_CAUSES = 3  # lumps named
_HINT = "make what is named smaller, or raise the budget"


def hold_budgets(session: Session, record: Record, progress: Progress) -> None:
    """Before anything of a release is replaced: BudgetError where the archive is over a budget that is an error."""
    if not session.project.manifest.budgets:
        return
    problems = budget_problems(session.project, session.id, record)
    errors = [problem for problem in problems if problem.is_error]
    for problem in problems:
        if not errors:
            progress.warn(problem)
    if errors:
        raise BudgetError(problems)
    from lumpyard.build.release.idle_budgets import iter_idle_budgets  # noqa: PLC0415 - few projects have budgets

    for problem in iter_idle_budgets(session.project, session.id, record):
        progress.warn(problem)


def why_over_budget(session: Session, record: Record) -> str:
    """That an archive is over a budget, or ""."""
    if not session.project.manifest.budgets:
        return ""
    problems = budget_problems(session.project, session.id, record)
    return "over budget" if any(problem.is_error for problem in problems) else ""


def budgets_of(project: Project, archive_id: str) -> list[Budget]:
    """The budgets that an archive is to keep to."""
    return [
        budget
        for budget in project.manifest.budgets
        if not budget.archives or archive_id in {named.text for named in budget.archives}
    ]


def budget_problems(project: Project, archive_id: str, record: Record) -> list[Problem]:
    """All budgets that an archive, as it was written, is over."""
    from lumpyard.build.release.lockfile import load_lock  # noqa: PLC0415 - few projects have budgets
    from lumpyard.build.release.measured import measure_ledger, measure_rows  # noqa: PLC0415
    from lumpyard.build.release.released import released_ledger  # noqa: PLC0415

    budgets = budgets_of(project, archive_id)
    if not budgets:
        return []
    spec = project.archive(archive_id)
    made = measure_rows(spec.format, record.alignment, record.stat[0], record.rows)
    block, before = None, None
    if any(budget.growth is not None for budget in budgets):
        block = load_lock(project).archives.get(archive_id)
        ledger = released_ledger(project, archive_id, block)
        before = measure_ledger(ledger, block.size) if ledger is not None and block is not None else None
    return [
        problem for budget in budgets for problem in check_budget(budget, archive_id, made, block, before)
    ]


def check_budget(
    budget: Budget, archive_id: str, made: Measured, block: Block | None, before: Measured | None
) -> Iterator[Problem]:
    """What one archive makes of one budget; `block` and `before` are its last release, as far as it is known."""
    counted = _counted(budget, made)
    size = made.size if is_whole(budget) else sum(made.own[at] for at in counted)
    subject = _subject(budget, archive_id)
    if budget.size is not None and size > budget.size:
        over = f"{size - budget.size:,} over the budget of {budget.size:,}"
        message = f"{subject} has {size:,} bytes, {over}"
        causes = _largest(made, counted)
        yield _problem(budget, budget.size_place, OVER_SIZE, f"{message}\nlargest: {causes}")
    if budget.growth is None or block is None:  # a first release grows from nothing
        return
    if before is None and not is_whole(budget):
        message = (
            f"{subject}: the growth is not known: symbols/ has no ledger of the release in archives.lock"
        )
        hint = "restore symbols/ of the last release"
        yield Problem(budget.growth_place or budget.place, UNKNOWN_GROWTH, message, hint)
        return
    old = (
        block.size
        if before is None or is_whole(budget)
        else sum(before.own[at] for at in _counted(budget, before))
    )
    limit = budget.growth.size if budget.growth.share is None else old * budget.growth.share // 10000
    if size - old > limit:
        message = (
            f"{subject} grew by {size - old:,} bytes to {size:,}; the budget is {limit:,} more than {old:,}"
        )
        causes = _grown(budget, made, counted, before)
        yield _problem(budget, budget.growth_place, OVER_GROWTH, f"{message}\n{causes}")


def _problem(budget: Budget, place: Place | None, codes: tuple[str, str], message: str) -> Problem:
    code = codes[0] if budget.is_error else codes[1]
    return Problem(place or budget.place, code, message, _HINT)


def is_whole(budget: Budget) -> bool:
    """Whether a budget counts the whole file, and not some lumps."""
    return not (budget.sets or budget.types or budget.lumps)


def _subject(budget: Budget, archive_id: str) -> str:
    counted = counted_in_words(budget)
    return f"{counted} in archive {archive_id}" if counted else f"archive {archive_id}"


def counted_in_words(budget: Budget) -> str:
    """What a budget counts, in words; "" for the whole file."""
    words = [f"set {' and '.join(named.text for named in budget.sets)}"] if budget.sets else []
    words += [f"type {' and '.join(fourcc or '0' for fourcc in budget.types)}"] if budget.types else []
    words += [f"{' and '.join(pattern.text for pattern in budget.lumps)}"] if budget.lumps else []
    return ", ".join(words)


def _counted(budget: Budget, made: Measured) -> Sequence[int]:
    return count_lumps(budget, made.names, made.sets, made.fourccs)


def count_lumps(
    budget: Budget, names: Sequence[str], set_ids: Sequence[str], types: Sequence[int]
) -> Sequence[int]:
    """Indices of the lumps that count."""
    found: Iterable[int] = range(len(names))
    if budget.sets:
        sets = {named.text for named in budget.sets}
        found = [at for at in found if set_ids[at] in sets]
    if budget.types:
        fourccs = {int.from_bytes(fourcc.encode("ascii"), "little") for fourcc in budget.types}
        found = [at for at in found if types[at] in fourccs]
    if budget.lumps:
        takes: Callable[[str], bool] = any_match([parse_glob(pattern.text) for pattern in budget.lumps])
        found = [at for at in found if takes(names[at])]
    return list(found)


def _largest(made: Measured, counted: Sequence[int]) -> str:
    heaviest = sorted(counted, key=lambda at: (-made.own[at], made.names[at]))[:_CAUSES]
    return ", ".join(f"{made.names[at]} ({made.own[at]:,})" for at in heaviest) or "no lumps"


def _grown(budget: Budget, made: Measured, counted: Sequence[int], before: Measured | None) -> str:
    """The lumps that grew most, those that are new among them."""
    if before is None:
        return f"largest: {_largest(made, counted)}"
    old: dict[str, int] = {}
    for at in _counted(budget, before):
        old[before.names[at]] = old.get(before.names[at], 0) + before.own[at]
    new: dict[str, int] = {}
    for at in counted:
        new[made.names[at]] = new.get(made.names[at], 0) + made.own[at]
    grown = sorted((old.get(name, 0) - size, name) for name, size in new.items() if size > old.get(name, 0))
    words = [f"{name} ({-change:+,}{'' if name in old else ', new'})" for change, name in grown[:_CAUSES]]
    return f"grew most: {', '.join(words) or 'what is no lump: padding, directory or names'}"
