"""What a build did and what went wrong in it, told by its workers in plain values."""

from __future__ import annotations

from itertools import starmap
from typing import TYPE_CHECKING, Any

from lumpyard.build.cooking.world import Learned
from lumpyard.errors import CookError, Place, Problem, ProblemsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.build.cooking.world import BuildWorld
    from lumpyard.build.lumps.making import Maker
    from lumpyard.build.workers.progress import Progress


class BuildFailedError(ProblemsError):
    """Lumps could not be made; every one that failed, with the highest exit status among them."""

    def __init__(self, problems: Sequence[Problem], exit_status: int) -> None:
        super().__init__(problems)
        self.exit_status = exit_status


class Account:
    """What a worker has to tell since it last did."""

    def __init__(self) -> None:
        self._problems: list[Problem] = []
        self._exit_status = 0

    def fail(self, error: ProblemsError) -> None:
        """Something could not be made."""
        self._problems += error.problems
        self._exit_status = max(self._exit_status, error.exit_status)

    def take(self, maker: Maker) -> tuple[Any, ...]:
        """All of it, as `Tally.take` wants it."""
        problems, self._problems = self._problems, []
        return (
            list(map(tuple, maker.world.take_learned())),
            list(map(_plain, problems)),
            list(map(_plain, maker.cooks.take_warnings())),
            self._exit_status,
            *maker.take_counts(),
        )


class Tally:
    """The sums, in the process that builds."""

    def __init__(self, progress: Progress, task: str, world: BuildWorld) -> None:
        self._progress = progress
        self._task = task
        self._world = world
        self._problems: list[Problem] = []
        self._warned: set[Problem] = set()
        self._exit_status = 0
        self.cooked = self.encoded = self.copied = self.taken = 0

    def begin(self, stage: str, lumps: int, size: int) -> None:
        """A stage starts: so many lumps and raw bytes."""
        self._progress.begin(self._task, stage, lumps, size)

    def advance(self, lumps: int, size: int) -> None:
        """So many more lumps and raw bytes are done."""
        self._progress.advance(self._task, lumps, size)

    def idle(self) -> None:
        """Nothing is done, but time goes by."""
        self._progress.advance(self._task, 0, 0)

    def take(self, account: tuple[Any, ...]) -> None:
        """What a worker has to tell (`Account.take`)."""
        learned, problems, warnings, exit_status, cooked, encoded, taken = account
        self._world.learn(starmap(Learned, learned))
        self._problems += map(_problem, problems)
        self._exit_status = max(self._exit_status, exit_status)
        self.cooked += cooked
        self.encoded += encoded
        self.taken += taken
        for warning in map(_problem, warnings):
            if warning not in self._warned:  # many lumps may say the same
                self._warned.add(warning)
                self._progress.warn(warning)

    def check(self) -> None:
        """BuildFailedError when something failed."""
        if self._problems:
            raise BuildFailedError(self._problems, self._exit_status or CookError.exit_status)


def _plain(problem: Problem) -> tuple[Any, ...]:
    return tuple(problem.place), problem.code, problem.message, problem.hint


def _problem(value: Any) -> Problem:
    place, code, message, hint = value
    return Problem(Place(*place), code, message, hint)
