"""Cooks of rules that are functions of the tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.builders.world import MemoryWorld, a_lump, a_recipe

from lumpyard.build.cooking.cook import cook
from lumpyard.errors import CookError
from lumpyard.rule import Product, Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from lumpyard.build.cooking.cook import Cooked
    from lumpyard.errors import Problem
    from lumpyard.plan.model import PlannedLump
    from lumpyard.rule import Source


def rule_of(run: Callable[[Sequence[Source]], Any], **more: Any) -> Rule:
    """A rule around a function of the sources."""
    return Rule(kind="test", version=1, cook=lambda sources, _: run(sources), **more)


def cook_one(
    run: Callable[[Sequence[Source]], Any],
    *,
    lump: PlannedLump | None = None,
    world: MemoryWorld | None = None,
    data: bytes = b"raw",
    **more: Any,
) -> Cooked:
    lump = lump or a_lump(a_recipe(rule_of(run, **more)))
    return cook(lump, [data] * len(lump.sources), world or MemoryWorld())


def makes(*products: Product) -> Callable[[object], list[Product]]:
    """A rule's function that makes these."""
    return lambda _: list(products)


def problems_of(run: Callable[[Sequence[Source]], Any], **more: Any) -> tuple[Problem, ...]:
    with pytest.raises(CookError) as caught:
        cook_one(run, **more)
    assert caught.value.exit_status == 6
    assert all("\n" not in str(problem) for problem in caught.value.problems)
    return caught.value.problems


def message_of(run: Callable[[Sequence[Source]], Any], **more: Any) -> str:
    [problem] = problems_of(run, **more)
    return problem.message


# --- products ------------------------------------------------------------------------------------
