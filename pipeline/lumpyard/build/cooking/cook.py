"""One cook: a rule is called with its sources, and what it made and asked is checked and handed back.

The rule sees the world through its `Source`s only; whatever they answer is noted as an `Ask` (build/asks.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.build.asks import (
    ABSENT,
    World,
    bytes_answer,
    exists_answer,
    path_fault,
    paths_answer,
)
from lumpyard.build.cooking.products import CookedProduct, follows_name, settle
from lumpyard.build.sources.source_errors import failure
from lumpyard.errors import CookError, DiskError, Place, Problem, ProblemsError, RuleError
from lumpyard.globs import GlobError, parse_glob
from lumpyard.rule import Product
from lumpyard.store import Ask

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lumpyard.plan.model import PlannedLump
    from lumpyard.rule import Rule

CODES = {
    "E0601": "a rule found something wrong in a source",
    "E0602": "a rule failed: its code raised an exception",
    "E0603": "a rule made other lumps than it announced, or something that is no lump",
    "E0604": "a rule asked for a path outside of the project, or for a run that cannot be",
    "E0605": "a file that a source needs is not there",
    "E0606": "a tool failed, or did not make what it was to make",
    "E0607": "`type` or `schema` stands where a rule turned out to make several lumps",
    "E0608": "a tool's depfile is missing, cannot be read, or names what was not staged",
    "E0609": "a file changed or vanished while a rule ran",
    "E0610": "a rule that doesn't say ahead which tools it runs has run one that the manifest doesn't have",
    "E0611": "a rule makes other bytes of the same sources than it made before",
    "E0612": "two lumps whose names were known after cooking have one name",
    "E0613": "an archive's format cannot hold sizes, or names that were known after cooking",
    "W0601": "a rule warns of something in a source",
    "W0602": "a pattern of `inputs` matches no file",
}
_TEXT_LIMIT = 300  # characters of an exception's text


class Cooked(NamedTuple):
    """What a cook gave."""

    products: tuple[CookedProduct, ...]
    asks: tuple[Ask, ...]  # sorted
    warnings: tuple[Problem, ...]


class Cooking:
    """One run of a rule: what it may see, what it asked, what it reported. Its `Source`s share it."""

    def __init__(self, lump: PlannedLump, datas: Sequence[bytes], world: World) -> None:
        self.lump = lump
        self.world = world
        self.problems: list[Problem] = []
        self.sources = tuple(CookSource(self, number, data) for number, data in enumerate(datas))
        self._answers: dict[tuple[str, str], str] = {}

    def note(self, kind: str, subject: str, answer: str) -> None:
        """Keep an answer. The same question answered in two ways means that the file changed meanwhile."""
        if self._answers.setdefault((kind, subject), answer) != answer:
            raise self.failure("E0609", f"{subject} changed while the rule ran", "run the build again")

    def asks(self) -> tuple[Ask, ...]:
        """All that was asked, sorted."""
        return tuple(sorted(Ask(kind, subject, answer) for (kind, subject), answer in self._answers.items()))

    def stop_on_errors(self) -> None:
        """Raise CookError with all problems so far, if one of them is an error."""
        if any(problem.is_error for problem in self.problems):
            raise CookError(self.problems)

    def failure(self, code: str, message: str, hint: str = "") -> CookError:
        """An error at the first source."""
        return CookError([Problem(Place(self.lump.sources[0]), code, message, hint)])


class CookSource:
    """The `Source` (lumpyard.rule) that a rule is handed."""

    def __init__(self, cooking: Cooking, number: int, data: bytes) -> None:
        self._cooking = cooking
        self._number = number
        self._place = Place(cooking.lump.sources[number])
        self._rule = f"rule {cooking.lump.recipe.rule.kind!r}"
        self._data = data

    @property
    def path(self) -> str:
        """Path of the file."""
        self._cooking.note("path", str(self._number), self._place.path)
        return self._place.path

    @property
    def name(self) -> str:
        """Name that the manifest gives the lump."""
        self._cooking.note("name", "", self._cooking.lump.name)
        return self._cooking.lump.name

    @property
    def data(self) -> bytes:
        """The file's bytes."""
        return self._data

    def read(self, path: str) -> bytes:
        """Bytes of another file; a missing one is a CookError at this source, and is noted all the same."""
        self._check(path, "read")
        try:
            data = self._cooking.world.read(path)
        except FileNotFoundError:
            self._cooking.note("read", path, ABSENT)
            raise self._failure("E0605", f"it needs {path}, which is not there") from None
        except DiskError as error:
            raise failure(self._place.path, "E0402", f"{self._place.path} needs {path}: {error}") from None
        self._cooking.note("read", path, bytes_answer(data))
        return data

    def exists(self, path: str) -> bool:
        """Whether another file is there."""
        self._check(path, "look for")
        answer = self._cooking.world.exists(path)
        self._cooking.note("exists", path, exists_answer(answer))
        return answer

    def glob(self, pattern: str) -> Sequence[str]:
        """Paths of the files that a pattern matches now, sorted by bytes."""
        try:
            parse_glob(pattern)
        except GlobError as error:
            raise self._failure(
                "E0604", f"{self._rule} cannot list {pattern!r}: {error.rule}", error.hint
            ) from None
        paths = tuple(self._cooking.world.glob(pattern))
        self._cooking.note("glob", pattern, paths_answer(paths))
        return paths

    def run(
        self,
        tool: str,
        args: Sequence[str],
        *,
        inputs: Sequence[str] = (),
        outputs: Sequence[str] = (),
        depfile: str = "",
        env: Sequence[str] = (),
        timeout: float = 120.0,
        files: Mapping[str, bytes] | None = None,
    ) -> Mapping[str, bytes]:
        """Bytes of each of `outputs` after a run of one of the manifest's tools (build/tools/staging.py)."""
        from lumpyard.build.tools.staging import Order, run_order  # noqa: PLC0415 - only rules that run tools need it

        order = Order(
            tool, tuple(args), tuple(inputs), tuple(outputs), depfile, tuple(env), timeout, dict(files or {})
        )
        return run_order(self._cooking, order)

    def problem(
        self, message: str, *, line: int = 0, column: int = 0, hint: str = "", warning: bool = False
    ) -> None:
        """Report a problem at a place in this source."""
        if not (isinstance(message, str) and isinstance(hint, str)):
            raise TypeError("a problem's message and hint are texts")
        if not (isinstance(line, int) and isinstance(column, int) and line >= 0 and column >= 0):
            raise TypeError("a problem's line and column are numbers from 1, or 0")
        place = self._place._replace(line=line, column=column)
        self._cooking.problems.append(Problem(place, "W0601" if warning else "E0601", message, hint))

    def _check(self, path: str, verb: str) -> None:
        fault = path_fault(path)
        if fault:
            raise self._failure("E0604", f"{self._rule} cannot {verb} {path!r}: {fault}")

    def _failure(self, code: str, message: str, hint: str = "") -> CookError:
        return CookError([Problem(self._place, code, message, hint)])


def cook(lump: PlannedLump, datas: Sequence[bytes], world: World) -> Cooked:
    """The products of one run of a rule over its sources' bytes, and what it asked.

    Raises CookError with every problem of this run; DiskError and RuleError where the world could not answer.
    """
    cooking = Cooking(lump, datas, world)
    made = _call(cooking)
    cooking.stop_on_errors()
    products, problems = settle(lump, made)
    cooking.problems.extend(problems)
    cooking.stop_on_errors()
    if follows_name(lump, made):
        cooking.note("name", "", lump.name)
    return Cooked(products, cooking.asks(), tuple(cooking.problems))


def _call(cooking: Cooking) -> list[Product]:
    """What the rule yields; [] after an exception, which is then one more problem."""
    recipe = cooking.lump.recipe
    if recipe.rule.verbatim:
        return [Product(cooking.sources[0].data)]
    try:
        return list(recipe.rule.cook(cooking.sources, recipe.options))
    except (DiskError, RuleError):
        raise  # the world's, not the rule's: with their own exit status
    except ProblemsError as error:
        if error.exit_status != CookError.exit_status:
            raise
        cooking.problems.extend(error.problems)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a rule does, the build goes on and says it
        path = cooking.lump.sources[0]
        cooking.problems.append(Problem(Place(path), "E0602", _failed(recipe.rule, path, error)))
    return []


def _failed(rule: Rule, path: str, error: BaseException) -> str:
    """One line on an exception of a rule: what, where in the rule, never a traceback."""
    text = " ".join(str(error).split())[:_TEXT_LIMIT]
    what = f"{type(error).__name__}: {text}" if text else type(error).__name__
    where = _rule_line(rule, error)
    return f"rule {rule.kind!r} failed on {path}: {what}" + (f" (at {where})" if where else "")


def _rule_line(rule: Rule, error: BaseException) -> str:
    """The last line of project code that ran, `tools/level_rule.py:12`; else `module:line` of the rule."""
    own = getattr(rule.cook, "__module__", None)
    line = ""
    trace = error.__traceback__
    while trace is not None:
        module = str(trace.tb_frame.f_globals.get("__name__", ""))
        if "#" in module or module == own:  # the registry names a local module by its path, `#` and a mark
            line = f"{module.partition('#')[0]}:{trace.tb_lineno}"
        trace = trace.tb_next
    return line
