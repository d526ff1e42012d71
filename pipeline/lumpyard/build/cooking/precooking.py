"""Cooking what must be cooked before an archive can be laid out (design.md, section 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lumpyard.build.cooking.tally import Account
from lumpyard.build.shapes import CookedLump, MadeProduct, is_announced_alone, is_kept
from lumpyard.build.workers.parallel import choose_crew, run_crew
from lumpyard.errors import ProblemsError

if TYPE_CHECKING:
    from collections.abc import Callable

    from lumpyard.build.cooking.tally import Tally
    from lumpyard.build.lumps.making import Maker
    from lumpyard.plan.model import ArchivePlan


def precook(
    plan: ArchivePlan, known: list[CookedLump | None], maker: Maker, tally: Tally, wish: str
) -> list[CookedLump | None]:
    """What each lump cooks to, as far as it is `known` (`look_at`) or must be: longest first, one at a time each.

    Without a store that keeps what is made, only what the layout hangs on: all of it is cooked once more when it is
    packed, and what announces one lump is then cooked there alone.
    """
    lumps = plan.lumps
    if all(recipe.rule.verbatim for recipe in plan.recipes):
        return known
    waiting = [index for index, one in enumerate(known) if one is None and is_kept(lumps[index])]
    if waiting and not maker.store.can_keep():
        waiting = [index for index in waiting if not is_announced_alone(lumps[index])]
    if not waiting:
        return known
    sizes = {index: maker.world.source_size(lumps[index]) for index in waiting}
    waiting.sort(key=lambda index: (-sizes[index], index))
    tally.begin("cook", len(waiting), sum(sizes.values()))
    found: dict[int, CookedLump] = {}

    def body(claim: Callable[[], int | None], send: Callable[[Any], None]) -> None:
        account = Account()
        while (number := claim()) is not None:
            index, cooked = waiting[number], None
            try:
                cooked = _plain(maker.cooks.precook(lumps[index]))
            except ProblemsError as error:
                account.fail(error)
            send((index, cooked, account.take(maker)))
        maker.store.sync()

    def receive(message: Any) -> None:
        index, cooked, account = message
        tally.take(account)
        if cooked is not None:
            found[index] = _cooked(cooked)
        tally.advance(1, sizes[index])

    run_crew(choose_crew(len(waiting), 2, wish=wish), len(waiting), body, receive, tally.idle)
    tally.check()
    maker.store.refresh()
    return [found.get(index, one) for index, one in enumerate(known)]


def _plain(cooked: CookedLump) -> tuple[Any, ...]:
    return (*cooked[:3], tuple(map(tuple, cooked.products)))


def _cooked(value: Any) -> CookedLump:
    request, digest, asks, products = value
    return CookedLump(request, digest, asks, tuple(MadeProduct(*product) for product in products))
