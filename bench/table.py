"""The tables that a run prints: each work held against its target, and what each command took."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from measure import Values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from works import Row, Target

Rounds = dict[str, list[Values]]  # side -> the values of each round


class Line(NamedTuple):
    """A row with its numbers."""

    work: str
    title: str
    value: str  # which value of a run
    ours: float
    theirs: float | None
    theirs_is: str
    limit: float | None
    target: str
    met: bool | None
    cpu_ratio: float | None  # of CPU seconds, which say something on a busy machine too

    @property
    def ratio(self) -> float | None:
        """Ours over theirs."""
        return self.ours / self.theirs if self.theirs else None


def line_of(work: str, row: Row, rounds: Rounds, *, judged: bool) -> Line | None:
    """The row with its numbers, held against its target if `judged`; None where our side wasn't run."""
    if not rounds.get(row.ours):
        return None
    ours = middle(rounds[row.ours], row.value)
    theirs = middle(rounds[row.theirs], row.value) if rounds.get(row.theirs) else None
    limit = row.target.limit(theirs)
    alone = theirs is None and row.target.times is not None
    met = None if limit is None or alone or not judged else ours <= limit
    target = target_text(row.target, row.value)
    cpu = None
    if row.value == "wall" and theirs is not None:
        cpu = middle(rounds[row.ours], "cpu") / middle(rounds[row.theirs], "cpu")
    return Line(work, row.title, row.value, ours, theirs, row.theirs, limit, target, met, cpu)


def middle(runs: Sequence[Values], value: str) -> float:
    """The median of the rounds; of memory the most, since a peak is a peak."""
    return (max if value == "rss" else median)(values[value] for values in runs)


def amount(number: float | None, value: str) -> str:
    """A value with its unit."""
    if number is None:
        return "-"
    if value == "rss":
        return f"{number / 1e6:.0f} MB"
    return f"{number * 1e6:.2f} µs" if value == "lookup" else f"{number:.3f} s"


def target_text(target: Target, value: str) -> str:
    """The target as the table has it."""
    times = f"{target.times:g} x" if target.times else ""
    most = amount(target.most, value) if target.most else ""
    return f"max({most}, {times})" if times and most else times or most


def render(head: Sequence[str], body: Sequence[Sequence[str]], left: int) -> str:
    """A Markdown table; the first `left` columns are flush left, the others right."""
    widths = [max(len(line[column]) for line in (head, *body)) for column in range(len(head))]

    def row(cells: Sequence[str]) -> str:
        padded = (
            cell.ljust(width) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
        )
        return f"| {' | '.join(padded)} |"

    rule = ["-" * width if column < left else "-" * (width - 1) + ":" for column, width in enumerate(widths)]
    return "\n".join([row(head), row(rule), *map(row, body)])


def render_lines(lines: Sequence[Line]) -> str:
    """What was compared."""
    verdicts = {True: "yes", False: "NO", None: ""}
    body = [
        (
            line.title,
            line.theirs_is,
            amount(line.ours, line.value),
            amount(line.theirs, line.value),
            f"{line.ratio:.2f}" if line.ratio else "-",
            f"{line.cpu_ratio:.2f}" if line.cpu_ratio else "-",
            line.target,
            verdicts[line.met],
        )
        for line in lines
    ]
    return render(("work", "against", "ours", "theirs", "ratio", "CPU ratio", "target", "met?"), body, 2)


def render_sides(results: dict[str, Rounds]) -> str:
    """What each command took: seconds of wall clock, CPU seconds, peak memory, cores that others used meanwhile."""
    body = []
    for work, rounds in results.items():
        for side, runs in rounds.items():
            walls = sorted(values["wall"] for values in runs)
            body.append(
                (
                    work,
                    side,
                    *(f"{wall:.3f}" for wall in (walls[0], median(walls), walls[-1])),
                    f"{middle(runs, 'cpu'):.3f}",
                    f"{middle(runs, 'rss') / 1e6:.0f}",
                    f"{middle(runs, 'others'):.2f}",
                )
            )
    return render(("work", "command", "min s", "median", "max", "CPU s", "RSS MB", "others"), body, 2)
