"""Cooking: a rule is called with its sources, and what it made and asked is checked and handed back.

The rule sees the world through its `Source`s only; whatever they answer is noted as an `Ask` (build/asks.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.build.asks import (
    ABSENT,
    Ask,
    World,
    cook_digest,
    digest_bytes,
    path_fault,
    paths_answer,
    request_digest,
    still_answers,
)
from lumpyard.errors import CookError, DiskError, Place, Problem, ProblemsError, RuleError
from lumpyard.rule import Product, fourcc_number, is_fourcc

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lumpyard.plan.model import PlannedLump, Recipe

__all__ = [
    "Ask",
    "Cooked",
    "CookedProduct",
    "World",
    "cook",
    "cook_digest",
    "request_digest",
    "still_answers",
    "type_and_schema",
    "types_problem",
]

_NAME_LIMIT = 255  # bytes; the u8 of the EWAD string table (wad-format.md)


class CookedProduct(NamedTuple):
    """One lump that was made.

    Where products are announced they stand in the announced order, and their names are the announced ones: a result that
    is kept under its cook digest serves lumps of other names, so it is the position that counts. `fourcc` and `schema`
    follow the manifest, which is in no cook digest; what is kept is `own_fourcc` and `own_schema` (`type_and_schema`).
    """

    name: str
    data: bytes
    fourcc: int
    schema: int
    own_fourcc: int | None = None  # what the product itself says
    own_schema: int | None = None


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

    def failure(self, code: str, message: str, hint: str = "") -> CookError:
        """An error at the first source."""
        return CookError([Problem(Place(self.lump.sources[0]), code, message, hint)])


class CookSource:
    """The `Source` (rule.py) that a rule is handed."""

    def __init__(self, cooking: Cooking, number: int, data: bytes) -> None:
        self._cooking = cooking
        self._number = number
        self._place = Place(cooking.lump.sources[number])
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
        self._cooking.note("read", path, digest_bytes(data))
        return data

    def exists(self, path: str) -> bool:
        """Whether another file is there."""
        self._check(path, "look for")
        answer = self._cooking.world.exists(path)
        self._cooking.note("exists", path, "yes" if answer else "no")
        return answer

    def glob(self, pattern: str) -> Sequence[str]:
        """Paths of the files that a pattern matches now, sorted by bytes."""
        self._check(pattern, "list")
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
    ) -> Mapping[str, bytes]:
        """Bytes of each of `outputs` after a run of one of the manifest's tools (build/staging.py)."""
        raise NotImplementedError

    def problem(self, message: str, *, line: int = 0, column: int = 0, hint: str = "", warning: bool = False) -> None:
        """Report a problem at a place in this source."""
        place = self._place._replace(line=line, column=column)
        self._cooking.problems.append(Problem(place, "W0601" if warning else "E0601", message, hint))

    def _check(self, path: str, verb: str) -> None:
        fault = path_fault(path)
        if fault:
            raise self._failure("E0604", f"rule {self._cooking.lump.recipe.rule.kind!r} cannot {verb} {path!r}: {fault}")

    def _failure(self, code: str, message: str, hint: str = "") -> CookError:
        return CookError([Problem(self._place, code, message, hint)])


def cook(lump: PlannedLump, datas: Sequence[bytes], world: World) -> Cooked:
    """The products of one run of a rule over its sources' bytes, and what it asked.

    Raises CookError with every problem of this run; DiskError and RuleError where the world could not answer.
    """
    cooking = Cooking(lump, datas, world)
    made = _call(cooking)
    if any(problem.is_error for problem in cooking.problems):
        raise CookError(cooking.problems)
    products = _settle(cooking, made)
    if any(problem.is_error for problem in cooking.problems):
        raise CookError(cooking.problems)
    return Cooked(products, cooking.asks(), tuple(cooking.problems))


def type_and_schema(recipe: Recipe, own_fourcc: int | None, own_schema: int | None) -> tuple[int, int]:
    """Fourcc (u32) and schema of a product: what the manifest says, else the product itself, else the rule, else 0."""
    rule = recipe.rule
    fourcc = recipe.fourcc if recipe.fourcc is not None else own_fourcc
    schema = recipe.schema if recipe.schema is not None else own_schema
    return fourcc_number(rule.fourcc) if fourcc is None else fourcc, rule.schema if schema is None else schema


def types_problem(lump: PlannedLump, made: int) -> Problem | None:
    """The problem where the manifest gives `type` or `schema` to what turned out to be several products."""
    recipe = lump.recipe
    said = [key for key, value in (("type", recipe.fourcc), ("schema", recipe.schema)) if value is not None]
    if made < 2 or not said:
        return None
    message = f"set {recipe.set_id!r} says {' and '.join(said)}, but rule {recipe.rule.kind!r} makes {made} lumps of {lump.sources[0]}"
    return Problem(recipe.place, "E0607", message, "leave it to the rule, which gives each lump its own")


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
        cooking.problems.extend(error.problems)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a rule does, the build goes on and says it
        path = cooking.lump.sources[0]
        cooking.problems.append(Problem(Place(path), "E0602", _failed(recipe.rule, path, error)))
    return []


def _failed(rule: object, path: str, error: BaseException) -> str:
    raise NotImplementedError
