"""200,000 lumps: found, sorted, walked through, and no task of the page takes more than 100 ms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.builders import plain
from tests.explore.conftest import search, shown, write_page

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.builders.browser import Browser, Page

LUMPS = 200_000
# Milliseconds on a processor, which other work of the machine does not add to; a first run of scripts that are not yet
# compiled, and the browser's own collecting of garbage, are in them.
MOST = 100


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    suffixes = ("png", "wav", "lua", "dat")
    names = [f"area{at % 40:02}/group{at % 977:03}/item_{at:06}.{suffixes[at % 4]}" for at in range(LUMPS)]
    data = bytes(997)
    lumps = [(name.encode(), data[: at * 7919 % 997]) for at, name in enumerate(names)]
    return write_page(tmp_path_factory.mktemp("large"), plain.pak(lumps))


def scroll(page: Page) -> None:
    for _ in range(10):
        page.wheel(".rows", 4000)


def test_nothing_takes_longer_than_100_ms(browser: Browser, address: str) -> None:
    page = browser.page(timed=True)
    steps: list[tuple[str, Callable[[], object]]] = [
        ("load", lambda: page.open(address)),
        ("search", lambda: search(page, "item_0123")),
        ("all again", lambda: page.doing(lambda: page.press("Escape"))),
        ("glob", lambda: search(page, "area0[1-3]/**/*_1*.png")),
        ("all again", lambda: page.doing(lambda: page.press("Escape"))),
        *(
            (f"sort by {name}", lambda name=name: page.doing(lambda: page.click(f".head .{name} button")))
            for name in ("name", "type", "raw", "saved", "offset")
        ),
        ("scroll", lambda: scroll(page)),
        ("treemap", lambda: page.doing(lambda: page.click("#view-treemap"))),
        ("table", lambda: page.doing(lambda: page.click("#view-table"))),
    ]
    slow = [(what, tasks[0]) for what, act in steps if (tasks := page.tasks(act)) and tasks[0] > MOST]
    assert slow == []
    assert page.complaints() == []
    page.close()


def test_the_last_of_200_000_rows_is_reached(browser: Browser, address: str) -> None:
    page = browser.page()
    page.open(address)
    assert page.text("#status").startswith("200,000 lumps")
    page.click(".rows .row")
    page.press("End")
    page.wait("document.querySelector('.row.chosen')?.ariaRowIndex === '200001'")
    assert shown(page)[-1].endswith("item_199999.dat")
    assert page.run("document.querySelectorAll('.row').length") < 60
    page.doing(lambda: page.click(".head .name button"))
    page.press("Home")
    search(page, "item_150000")
    assert shown(page) == ["area00/group519/item_150000.png"]
    assert page.requests() == [address]
    page.close()
