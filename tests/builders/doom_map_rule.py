"""Rule `doom-map` tried on one file: what it makes, and what it says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.builders import doom_map
from tests.builders.source import FakeSource

from lumpyard.maps.building import BuildOptions, build_map
from lumpyard.maps.reading import read_lumps
from lumpyard_rules.doom_map import RULE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.rule import Product


SMALL = doom_map.DOOM


def cook(data: bytes, path: str = "levels/castle.wad", **options: Any) -> tuple[FakeSource, list[Product]]:
    """The file with what was said of it, and the products."""
    files = options.pop("files", {})
    source = FakeSource(path, data, files=files)
    return source, list(RULE.cook([source], RULE.options(**options)))


def by_name(products: Sequence[Product]) -> dict[str | None, bytes]:
    """The bytes of products by their names."""
    return {product.name: product.data for product in products}


def with_line(row: tuple[int, ...], number: int = 0) -> dict[str, bytes]:
    """The small map with another line."""
    lines: list[tuple[int, ...]] = list(doom_map.LINES)
    lines[number] = row
    return {**SMALL, "LINEDEFS": doom_map.table("LINEDEFS", lines)}


def sound() -> dict[str, bytes]:
    """The small map with all that is built for it."""
    level = read_lumps("MAP01", doom_map.DOOM)
    return dict(build_map(level, BuildOptions("build", "never", "build", "islands")).lumps)
