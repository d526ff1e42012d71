"""A world with a tool in it, and rules that run it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.builders.world import MemoryWorld, a_lump, a_recipe

from lumpyard.build.cooking.cook import cook
from lumpyard.errors import CookError
from lumpyard.rule import Product, Rule

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from lumpyard.build.cooking.cook import Cooked
    from lumpyard.plan.model import PlannedLump
    from lumpyard.rule import Source

FILES = {"fx/water.hlsl": b"water", "inc/light.h": b"light", "inc/sub/math.h": b"math", "alt/x.txt": b"x"}


def cook_with(
    world: MemoryWorld,
    *args: str,
    sources: tuple[str, ...] = ("fx/water.hlsl",),
    tool: str = "cooker",
    **more: Any,
) -> tuple[PlannedLump, Cooked]:
    """Cook with a rule that runs a tool once; the outputs, one after the other, are the product."""
    more.setdefault("outputs", ["fx/water.bin"])

    def run(given: Sequence[Source], _: object) -> list[Product]:
        return [Product(b"".join(given[0].run(tool, args, **more).values()))]

    lump = a_lump(a_recipe(Rule(kind="runs", version=1, cook=run)), *sources, name="water")
    return lump, cook(lump, [world.files[path] for path in sources], world)


def problem(world: MemoryWorld, *args: str, **more: Any) -> str:
    with pytest.raises(CookError) as caught:
        cook_with(world, *args, **more)
    [found] = caught.value.problems
    assert found.place.path in ("fx/water.hlsl", "assets.yaml")
    return f"{found.code} {found.message}"
