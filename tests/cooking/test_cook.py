"""Law: a cook gives exactly the products that were announced, or one clear error for each fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.builders.world import MemoryWorld, a_lump, a_recipe
from tests.cooking.cooks import cook_one, makes, message_of, problems_of, rule_of

from lumpyard.build.asks import ABSENT
from lumpyard.build.cooking.cook import cook
from lumpyard.build.cooking.products import type_and_schema, types_problem
from lumpyard.errors import CookError
from lumpyard.hashing import digest
from lumpyard.rule import Product
from lumpyard.store import Ask

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from lumpyard.rule import Source


def test_the_one_product_has_the_name_that_was_announced_and_asks_nothing() -> None:
    cooked = cook_one(lambda sources: [Product(sources[0].data.upper())])
    assert [(p.name, p.data) for p in cooked.products] == [("art/a.txt", b"RAW")]
    assert cooked.asks == ()


def test_products_come_in_the_order_announced_whatever_order_they_were_made_in() -> None:
    def run(sources: Sequence[Source]) -> Any:
        yield Product(b"2", "a.two")
        yield Product(b"1", "a.one")

    lump = a_lump(a_recipe(rule_of(run)), products=("a.one", "a.two"))
    cooked = cook_one(run, lump=lump)
    assert [(p.name, p.data) for p in cooked.products] == [("a.one", b"1"), ("a.two", b"2")]


def test_where_a_rule_names_its_products_the_lump_name_counts() -> None:
    """What is kept for one name must not serve another whose products are named otherwise."""
    cooked = cook_one(lambda _: [Product(b"", "art/a.txt")])
    assert cooked.asks == (Ask("name", "", "art/a.txt"),)


def test_products_that_were_not_announced_are_taken_as_they_come() -> None:
    lump = a_lump(a_recipe(rule_of(makes())), products=None)
    lump = lump._replace(recipe=a_recipe(rule_of(lambda _: [Product(b"b", "b"), Product(b"own")])))
    cooked = cook(lump, [b""], MemoryWorld())
    assert [p.name for p in cooked.products] == ["b", "art/a.txt"]
    assert cooked.asks == (Ask("name", "", "art/a.txt"),)


def test_no_products_is_right_where_none_were_announced() -> None:
    lump = a_lump(a_recipe(rule_of(lambda _: [])), products=None)
    assert cook(lump, [b""], MemoryWorld()).products == ()


def test_data_may_be_any_bytes_and_is_kept_as_bytes() -> None:
    datas: list[Any] = [bytearray(b"x"), memoryview(b"x")]
    for data in datas:
        [product] = cook_one(makes(Product(data))).products
        assert product.data == b"x"
        assert type(product.data) is bytes


def test_a_verbatim_rule_is_not_called() -> None:
    [product] = cook_one(lambda _: 1 / 0, verbatim=True).products
    assert product.data == b"raw"


ODD: Any = 0.5  # what no field of a product is


@pytest.mark.parametrize(
    ("made", "says"),
    [
        ([], "rule 'test': it announced 'art/a.txt' and did not make it"),
        ([Product(b"", "b")], "rule 'test': it announced 'art/a.txt' and did not make it; it made 'b'"),
        ([Product(b""), Product(b"")], "rule 'test': it makes 'art/a.txt' more than once"),
        ([b"data"], "rule 'test': it yields a bytes, not a Product"),
        ([("data",)], "rule 'test': it yields a tuple, not a Product"),
        ([Product(ODD)], "rule 'test': a product's data is a float, not bytes"),
        ([Product(b"", ODD)], "rule 'test': it makes 0.5: a name is text, not float"),
        ([Product(b"", "")], "rule 'test': it makes '': the name is empty"),
        (
            [Product(b"", None, "TOOLONG")],
            "rule 'test': it gives fourcc 'TOOLONG'; a fourcc is four printable ASCII characters",
        ),
        (
            [Product(b"", None, ODD)],
            "rule 'test': it gives fourcc 0.5; a fourcc is four printable ASCII characters",
        ),
        ([Product(b"", None, None, 65536)], "rule 'test': it gives schema 65536; a schema is 0 to 65535"),
        ([Product(b"", None, None, ODD)], "rule 'test': it gives schema 0.5; a schema is 0 to 65535"),
    ],
)
def test_what_a_rule_yields_wrongly_is_said(made: Any, says: str) -> None:
    assert says in [problem.message for problem in problems_of(lambda _: made)]


def test_what_was_made_and_not_announced_is_an_error_that_names_rule_and_names() -> None:
    message = message_of(lambda _: [Product(b""), Product(b"", "extra")])
    assert message == "rule 'test': it made 'extra', which it did not announce; announced: 'art/a.txt'"


def test_of_many_names_the_first_few_are_shown() -> None:
    made = [Product(b"", f"x{number}") for number in range(9)] + [Product(b"")]
    assert "'x0', 'x1', 'x2', 'x3', 'x4' and 4 more" in message_of(lambda _: made)


def test_255_bytes_are_a_name_and_256_are_not() -> None:
    lump = a_lump(a_recipe(rule_of(makes())), products=None)
    for size, fine in ((255, True), (256, False)):
        made = [Product(b"", "é" * (size // 2) + "x" * (size % 2))]
        lump = lump._replace(recipe=a_recipe(rule_of(makes(*made))))
        if fine:
            assert cook(lump, [b""], MemoryWorld()).products
        else:
            with pytest.raises(CookError, match="is 256 bytes long; 255 is the most"):
                cook(lump, [b""], MemoryWorld())


# --- type and schema -----------------------------------------------------------------------------

ABCD = int.from_bytes(b"ABCD", "little")
RULE = int.from_bytes(b"RULE", "little")


@pytest.mark.parametrize(
    ("manifest", "product", "rule", "expected"),
    [
        ((9, 8), ("ABCD", 2), ("RULE", 1), (9, 8)),
        ((0, 0), ("ABCD", 2), ("RULE", 1), (0, 0)),
        ((None, None), ("ABCD", 2), ("RULE", 1), (ABCD, 2)),
        ((None, None), ("", 0), ("RULE", 1), (0, 0)),
        ((None, None), (None, None), ("RULE", 1), (RULE, 1)),
        ((None, None), (None, None), ("", 0), (0, 0)),
        ((None, 5), ("ABCD", None), ("RULE", 1), (ABCD, 5)),
    ],
)
def test_the_manifest_beats_the_product_which_beats_the_rule(
    manifest: Any, product: Any, rule: Any, expected: Any
) -> None:
    """design.md, section 5: "all of them beat the product's own type and schema, which beat the rule's"."""
    made = rule_of(lambda _: [Product(b"", None, *product)], fourcc=rule[0], schema=rule[1])
    recipe = a_recipe(made, fourcc=manifest[0], schema=manifest[1])
    [cooked] = cook(a_lump(recipe), [b""], MemoryWorld()).products
    assert (cooked.fourcc, cooked.schema) == expected
    assert type_and_schema(recipe, cooked.own_fourcc, cooked.own_schema) == expected


def test_what_is_kept_serves_a_manifest_that_changes_the_type() -> None:
    made = rule_of(lambda _: [Product(b"", None, "ABCD", 2)])
    [cooked] = cook(a_lump(a_recipe(made, fourcc=9, schema=8)), [b""], MemoryWorld()).products
    assert type_and_schema(a_recipe(made), cooked.own_fourcc, cooked.own_schema) == (ABCD, 2)


def test_a_type_in_the_manifest_for_what_turns_out_as_several_lumps_is_an_error_at_the_set() -> None:
    made = rule_of(lambda _: [Product(b"", "a"), Product(b"", "b")])
    lump = a_lump(a_recipe(made, fourcc=9, schema=1), products=None)
    with pytest.raises(CookError) as caught:
        cook(lump, [b""], MemoryWorld())
    [problem] = caught.value.problems
    assert problem.place == lump.recipe.place
    assert problem.message == "set 'things' says type and schema, but rule 'test' makes 2 lumps of art/a.txt"
    assert types_problem(lump, 1) is None


# --- problems and exceptions ---------------------------------------------------------------------


def test_a_missing_file_is_an_error_at_the_source() -> None:
    [problem] = problems_of(lambda sources: [Product(sources[0].read("inc/x.h"))])
    assert str(problem) == "art/a.txt: error[E0605]: it needs inc/x.h, which is not there"


def test_a_missing_file_that_the_rule_does_without_is_noted() -> None:
    def run(sources: Sequence[Source]) -> Any:
        try:
            sources[0].read("x.h")
        except CookError:
            return [Product(b"plain")]

    assert cook_one(run).asks == (Ask("read", "x.h", ABSENT),)


def test_what_is_read_is_noted_by_its_digest_and_once() -> None:
    def run(sources: Sequence[Source]) -> Any:
        return [Product(sources[0].read("x.h") + sources[0].read("x.h"))]

    assert cook_one(run, world=MemoryWorld({"x.h": b"1"})).asks == (Ask("read", "x.h", digest(b"1").hex()),)


def test_a_file_that_changes_between_two_reads_fails_the_cook() -> None:
    class Changing(MemoryWorld):
        def read(self, path: str) -> bytes:
            self.log.append(("read", path))
            return str(len(self.log)).encode()

    message = message_of(
        lambda sources: [Product(sources[0].read("x") + sources[0].read("x"))], world=Changing()
    )
    assert message == "x changed while the rule ran"


@pytest.mark.parametrize("method", ["read", "exists", "glob"])
@pytest.mark.parametrize("path", ["/etc/passwd", "../x", "a/../../b", "a\\..\\b", ""])
def test_a_path_out_of_the_project_is_an_error_at_the_source_and_nothing_is_looked_at(
    method: str, path: str
) -> None:
    world = MemoryWorld()
    [problem] = problems_of(lambda sources: getattr(sources[0], method)(path), world=world)
    assert problem.code == "E0604"
    assert problem.place.path == "art/a.txt"
    assert repr(path) in problem.message
    assert world.log == []


def test_a_glob_speaks_the_one_dialect() -> None:
    world = MemoryWorld({"a/x.h": b"", "a/.y.h": b"", "b/c/z.h": b""})
    seen = []

    def run(sources: Sequence[Source]) -> Any:
        seen.extend([*sources[0].glob("**/*.h"), *sources[0].glob("a/.*")])
        return [Product(b"")]

    cook_one(run, world=world)
    assert seen == ["a/x.h", "b/c/z.h", "a/.y.h"]
    assert message_of(lambda sources: sources[0].glob("a/[x"), world=world).startswith(
        "rule 'test' cannot list 'a/[x': a `[` without"
    )
