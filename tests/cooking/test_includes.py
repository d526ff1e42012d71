"""A shader-like include chain: an edit redoes what includes the file, and so does a file that shadows it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from tests.builders.world import MemoryWorld, a_lump, a_recipe, still_answers

from lumpyard.build.asks import cook_digest, request_digest
from lumpyard.build.cooking.cook import cook
from lumpyard.hashing import digest
from lumpyard.rule import Product, Rule

if TYPE_CHECKING:
    from lumpyard.rule import Source
    from lumpyard.store import Ask


SEARCH = ("shaders/local", "shaders/include")
INCLUDE = re.compile(rb'^#include "(.+)"$', re.MULTILINE)


def expand(source: Source, text: bytes) -> bytes:
    """Text with every include put in, each looked for along the search path."""

    def included(match: re.Match[bytes]) -> bytes:
        name = match[1].decode()
        for folder in SEARCH:
            if source.exists(f"{folder}/{name}"):
                return expand(source, source.read(f"{folder}/{name}"))
        source.problem(f"no {name} along the search path")
        return b""

    return INCLUDE.sub(included, text)


RECIPE = a_recipe(
    Rule(kind="shader", version=1, cook=lambda sources, _: [Product(expand(sources[0], sources[0].data))])
)

FILES = {
    "shaders/water.hlsl": b'#include "light.h"\nwater',
    "shaders/stone.hlsl": b'#include "noise.h"\nstone',
    "shaders/plain.hlsl": b"plain",
    "shaders/include/light.h": b'#include "math.h"\nlight',
    "shaders/include/math.h": b"math",
    "shaders/include/noise.h": b"noise",
}
SHADERS = [path for path in FILES if path.endswith(".hlsl")]


class Engine:
    """As little of a build as shows which lumps are cooked again: it keeps asks by request."""

    def __init__(self) -> None:
        self.kept: dict[bytes, list[tuple[tuple[Ask, ...], bytes]]] = {}
        self.outputs: dict[str, bytes] = {}

    def build(self, world: MemoryWorld) -> list[str]:
        """Cook what must be; the names of the lumps that were."""
        cooked_now = []
        for path in SHADERS:
            lump = a_lump(RECIPE, path)
            data = world.files[path]
            request = request_digest(RECIPE, [digest(data)])
            entries = self.kept.setdefault(request, [])
            found = [made for asks, made in entries if all(still_answers(ask, world, lump) for ask in asks)]
            if not found:
                cooked = cook(lump, [data], world)
                found = [cooked.products[0].data]
                entries.append((cooked.asks, found[0]))
                cooked_now.append(path)
            self.outputs[path] = found[0]
        return cooked_now


def clean(world: MemoryWorld) -> dict[str, bytes]:
    """What a build without a past makes."""
    engine = Engine()
    engine.build(world)
    return engine.outputs


@pytest.mark.parametrize(
    ("change", "redone"),
    [
        ({}, []),
        ({"shaders/include/math.h": b"MATH"}, ["shaders/water.hlsl"]),
        ({"shaders/include/light.h": b"LIGHT"}, ["shaders/water.hlsl"]),
        ({"shaders/include/noise.h": b"NOISE"}, ["shaders/stone.hlsl"]),
        ({"shaders/local/noise.h": b"shadow"}, ["shaders/stone.hlsl"]),
        ({"shaders/local/math.h": b"shadow"}, ["shaders/water.hlsl"]),
        ({"shaders/local/math.h": b"math"}, ["shaders/water.hlsl"]),
        ({"shaders/local/unused.h": b"unused"}, []),
        ({"shaders/include/unused.h": b"unused"}, []),
        ({"elsewhere/math.h": b"unused"}, []),
        ({"shaders/plain.hlsl": b'#include "math.h"\n'}, ["shaders/plain.hlsl"]),
    ],
)
def test_a_change_redoes_what_it_reaches_and_nothing_else(
    change: dict[str, bytes], redone: list[str]
) -> None:
    engine = Engine()
    assert engine.build(MemoryWorld(FILES)) == SHADERS
    after = MemoryWorld(FILES | change)
    assert engine.build(after) == redone
    assert engine.outputs == clean(after)
    assert engine.build(after) == []
    assert engine.build(MemoryWorld(FILES)) == [], "switching back cooks nothing"
    assert engine.outputs == clean(MemoryWorld(FILES))


def test_a_shadowing_file_that_goes_away_again_redoes_the_same() -> None:
    engine = Engine()
    shadowed = FILES | {"shaders/local/math.h": b"shadow"}
    engine.build(MemoryWorld(shadowed))
    assert engine.build(MemoryWorld(FILES)) == ["shaders/water.hlsl"]
    assert engine.outputs == clean(MemoryWorld(FILES))


def test_another_search_of_the_same_request_has_another_cook_digest() -> None:
    lump = a_lump(RECIPE, "shaders/water.hlsl")
    data = FILES["shaders/water.hlsl"]
    worlds = [MemoryWorld(FILES), MemoryWorld(FILES | {"shaders/local/math.h": b"math"})]
    one, other = (cook_digest(b"r", cook(lump, [data], world).asks) for world in worlds)
    assert one != other
