"""What a rule made, checked against what it announced, with each product's final name, type and schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.errors import Place, Problem
from lumpyard.plan.names import name_fault
from lumpyard.rule import Product, fourcc_number, is_fourcc

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lumpyard.plan.model import PlannedLump, Recipe

_SCHEMA_LIMIT = 0xFFFF
_NAMES_SHOWN = 5


class CookedProduct(NamedTuple):
    """One lump that was made.

    Announced products stand in the announced order. `fourcc` and `schema` follow the manifest, which is in no
    cook digest, and what is kept under a cook digest may serve a lump of another name: keep `own_fourcc` and
    `own_schema`, for `type_and_schema`, and of announced products the order and not the names.
    """

    name: str
    data: bytes
    fourcc: int  # u32
    schema: int
    own_fourcc: int | None  # what the product says of itself
    own_schema: int | None


def type_and_schema(recipe: Recipe, own_fourcc: int | None, own_schema: int | None) -> tuple[int, int]:
    """Fourcc (u32) and schema of a product, as the manifest says, else the product, else the rule, else 0."""
    rule = recipe.rule
    fourcc = own_fourcc if recipe.fourcc is None else recipe.fourcc
    schema = own_schema if recipe.schema is None else recipe.schema
    return fourcc_number(rule.fourcc) if fourcc is None else fourcc, rule.schema if schema is None else schema


def types_problem(lump: PlannedLump, made: int) -> Problem | None:
    """The problem where the manifest gives `type` or `schema` to what turned out to be several products."""
    recipe = lump.recipe
    said = [key for key, value in (("type", recipe.fourcc), ("schema", recipe.schema)) if value is not None]
    if made < 2 or not said:
        return None
    rule = f"rule {recipe.rule.kind!r} makes {made} lumps of {lump.sources[0]}"
    message = f"set {recipe.set_id!r} says {' and '.join(said)}, but {rule}"
    return Problem(recipe.place, "E0607", message, "leave it to the rule, which gives each lump its own")


def settle(lump: PlannedLump, made: Sequence[Product]) -> tuple[tuple[CookedProduct, ...], list[Problem]]:
    """The products in the order announced, or else what is wrong with them."""
    faults = [fault for product in made if (fault := _product_fault(product))]
    cooked = () if faults else tuple(_cooked(lump, product) for product in made)
    faults += _name_faults(lump, [product.name for product in cooked]) if not faults else []
    if faults:
        place, kind = Place(lump.sources[0]), lump.recipe.rule.kind
        return (), [Problem(place, "E0603", f"rule {kind!r}: {fault}") for fault in faults]
    if problem := types_problem(lump, len(made)):
        return (), [problem]
    if lump.made is not None:
        by_name = {product.name: product for product in cooked}
        cooked = tuple(by_name[name] for name in lump.made)
    return cooked, []


def follows_name(lump: PlannedLump, made: Sequence[Product]) -> bool:
    """Whether the names hang on the lump's: all but one that is announced alone and left unnamed."""
    alone = lump.made is not None and len(lump.made) == 1
    return not alone or any(product.name is not None for product in made)


def _product_fault(product: object) -> str:
    """What is wrong with one thing that a rule yielded, or ""."""
    if not isinstance(product, Product):
        return f"it yields a {type(product).__name__}, not a Product"
    if not isinstance(product.data, bytes | bytearray | memoryview):
        return f"a product's data is a {type(product.data).__name__}, not bytes"
    if product.name is not None and (fault := _lump_name_fault(product.name)):
        return f"it makes {product.name!r}: {fault}"
    if product.fourcc is not None and not (product.fourcc == "" or _is_fourcc(product.fourcc)):
        return f"it gives fourcc {product.fourcc!r}; a fourcc is four printable ASCII characters"
    schema = product.schema
    if schema is not None and not (isinstance(schema, int) and 0 <= schema <= _SCHEMA_LIMIT):
        return f"it gives schema {schema!r}; a schema is 0 to {_SCHEMA_LIMIT}"
    return ""


def _lump_name_fault(name: object) -> str:
    """What is wrong with a lump name, or ""."""
    if not isinstance(name, str):
        return f"a name is text, not {type(name).__name__}"
    fault = name_fault(name)
    return "" if fault is None else f"the name {fault.message}"


def _is_fourcc(value: object) -> bool:
    return isinstance(value, str) and is_fourcc(value)


def _name_faults(lump: PlannedLump, made: Sequence[str]) -> Iterator[str]:
    """What is wrong with the names made, against those announced."""
    announced = lump.made
    if announced is None:  # a WAD may hold one name several times: the archive is asked when all is cooked
        return
    twice = sorted({name for name in made if made.count(name) > 1})
    if twice:
        yield f"it makes {_listed(twice)} more than once"
    if missing := [name for name in announced if name not in made]:
        yield f"it announced {_listed(missing)} and did not make it" + (
            f"; it made {_listed(made)}" if made else ""
        )
    if extra := sorted(set(made).difference(announced)):
        yield f"it made {_listed(extra)}, which it did not announce; announced: {_listed(announced)}"


def _listed(names: Sequence[str]) -> str:
    """Names for a message; the first few where there are many."""
    shown = ", ".join(repr(name) for name in names[:_NAMES_SHOWN])
    return f"{shown} and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else shown


def _cooked(lump: PlannedLump, product: Product) -> CookedProduct:
    own_fourcc = None if product.fourcc is None else fourcc_number(product.fourcc)
    types = type_and_schema(lump.recipe, own_fourcc, product.schema)
    return CookedProduct(_name_of(lump, product), bytes(product.data), *types, own_fourcc, product.schema)


def _name_of(lump: PlannedLump, product: Product) -> str:
    if product.name is not None:
        return product.name
    return lump.made[0] if lump.made is not None and len(lump.made) == 1 else lump.name
