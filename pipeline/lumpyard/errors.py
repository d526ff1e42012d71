"""The errors that Lumpyard expects, each with its exit status (design.md, section 11).

Whatever a user can cause ends as one of these; anything else that reaches the top is a fault of Lumpyard (70).
`str(error)` is one clear line: the file, entry or line, what was found, and what would be right.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Place(NamedTuple):
    """Where in a text file something stands."""

    path: str  # as seen from the project folder
    line: int = 0  # from 1; 0 is the file as a whole
    column: int = 0  # from 1, in characters; 0 is the line as a whole

    def __str__(self) -> str:
        return ":".join(str(part) for part in self if part)


class Problem(NamedTuple):
    """One thing that is wrong in what people edit, and what to do about it."""

    place: Place
    code: str  # stable: E0104 for an error, W0201 for a warning
    message: str
    hint: str = ""

    @property
    def is_error(self) -> bool:
        """Whether it stops a build; a warning does not."""
        return not self.code.startswith("W")

    @property
    def level(self) -> str:
        """`error` or `warning`; `info` of what is only told (findings in maps)."""
        return "error" if self.is_error else "warning"

    def __str__(self) -> str:
        return f"{self.place}: {self.level}[{self.code}]: {self.message}"


class Error(Exception):
    """An expected error; the base of all others here."""

    exit_status: int = 70


class NotFoundError(Error):
    """What was asked for by name is not there: the answer is no."""

    exit_status = 1


class UsageError(Error):
    """The command line asks for what cannot be done."""

    exit_status = 2


class ProblemsError(Error):
    """A manifest, or what it asks for, has problems; all that were found, sorted by place."""

    exit_status = 2

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(set(problems)))
        super().__init__("\n".join(map(str, self.problems)))


class CookError(ProblemsError):
    """Rules or tools failed; one problem for each failure of the run."""

    exit_status = 6


class BudgetError(ProblemsError):
    """An archive, or a part of one, is larger than the manifest's budgets let it be."""

    exit_status = 1


class ArchiveError(Error):
    """An archive that cannot be read; `code` is a stable word, `entry` the directory index it concerns."""

    is_named = False  # whether the message begins with what the archive is called

    def __init__(self, message: str, code: str, entry: int | None = None) -> None:
        self.code = code
        self.entry = entry
        super().__init__(message)


class MalformedError(ArchiveError):
    """It breaks the rules of its format."""

    exit_status = 3


class UnsupportedError(ArchiveError):
    """It may be legal, but is not read here."""

    exit_status = 4


@contextmanager
def naming(label: str) -> Iterator[None]:
    """Errors about an archive's bytes leave with what the archive is called ahead; those that have it, as they are.

    So of several archives that are open within each other, only the one that an error is about is named.
    """
    try:
        yield
    except ArchiveError as error:
        if error.is_named:
            raise
        named = type(error)(f"{label}: {error}", error.code, error.entry)
        named.is_named = True
        raise named from error


class DiskError(Error):
    """The file system refused: path and reason."""

    exit_status = 5


class RuleError(Error):
    """A rule or tool is not usable: it does not load, is not found, or is not the expected version."""

    exit_status = 6


class LockDiffersError(Error):
    """What was shipped is not what archives.lock says."""

    exit_status = 7
