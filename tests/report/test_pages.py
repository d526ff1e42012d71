"""The pages of reports and diffs in a browser: nothing in them runs or loads, and they fit a screen of any width."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

import pytest
from tests.builders import ewad
from tests.builders.browser import Browser
from tests.builders.doom_maps import lump_bytes, rooms, wad_of
from tests.report.archives import inventory, written

from lumpyard.console.diff_page import diff_page
from lumpyard.console.size_page import size_page
from lumpyard.report.diff import compare_archives
from lumpyard.report.duplicates import find_duplicates
from lumpyard.report.map_changes import find_map_changes
from lumpyard.report.measure import SizeReport
from lumpyard.report.sizes import measure_inventory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.builders.browser import Page

HOSTILE = (
    "<script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    '"><svg onload="document.title=1">',
    "</style></details><h1>mine</h1>",
    "&lt;b&gt; &amp; ' \" `",
    "\x1b[31mred\u202eback/\udcff",
    "javascript:alert(1)/" + "long" * 50,
)


def png(width: int, height: int, colour: bytes) -> bytes:
    """A picture of one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + colour * width) * height
    head = struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def hostile_diff() -> str:
    old = [written(name, bytes([number]) * 90, fourcc=0x3E623C22) for number, name in enumerate(HOSTILE)]
    new = [written(name, bytes([number]) * 95, fourcc=0x3E2F623C) for number, name in enumerate(HOSTILE[1:])]
    old.append(written("ui/<b>.png", png(8, 8, b"\xff\0\0")))
    new.append(written("ui/<b>.png", png(8, 8, b"\0\xff\0")))
    new.append(written("new/<i>.png", b"\x89PNG\r\n\x1a\n<script>1</script>"))
    diff = compare_archives(inventory(ewad.build(old), "<u>old"), inventory(ewad.build(new), "new&amp;"))
    return diff_page(diff, find_map_changes(diff))


def hostile_report() -> str:
    found = inventory(ewad.build([written(name, b"the same") for name in HOSTILE]), "<u>dist")
    archive = measure_inventory("<i>base", found, largest=20, before=inventory(ewad.build([])))
    return size_page(SizeReport((archive, archive), find_duplicates({"<i>base": found}), ("<b>gone",)))


def map_diff() -> str:
    level = rooms(2, 2)
    moved = level._replace(things=[level.things[0]._replace(x=level.things[0].x + 32), *level.things[1:]])
    old, new = (
        inventory(wad_of("MAP01", lump_bytes(one)), name) for one, name in ((level, "a"), (moved, "b"))
    )
    diff = compare_archives(old, new)
    return diff_page(diff, find_map_changes(diff))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as found:
        yield found


def show(page: Page, path: Path, html: str) -> None:
    path.write_text(html, "utf-8", errors="strict")
    page.call("Page.navigate", url=path.as_uri())
    page.wait("location.protocol === 'file:' && document.readyState === 'complete'")
    page.wait("[...document.images].every((one) => one.complete)")


@pytest.mark.parametrize("make", [hostile_diff, hostile_report, map_diff])
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (375, True)])
def test_nothing_runs_or_loads_and_the_page_fits(
    browser: Browser, tmp_path: Path, make: Callable[[], str], width: int, dark: bool
) -> None:
    page = browser.page(width=width, height=800, dark=dark, phone=width < 500)
    show(page, tmp_path / "page.html", make())
    assert page.run("document.title") != "owned"
    assert page.run("document.querySelectorAll('script, iframe, object, embed, a, form, link').length") == 0
    assert (
        page.run(
            "[...document.querySelectorAll('*')].flatMap((one) => one.getAttributeNames())"
            ".filter((name) => name.startsWith('on') || name === 'style' || name === 'href').length"
        )
        == 0
    )
    assert page.requests() == [(tmp_path / "page.html").as_uri()]
    assert page.complaints() == []
    assert page.run("document.documentElement.scrollWidth") <= page.run("innerWidth")
    ground = page.run("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, ground.removeprefix("rgb(").removesuffix(")").split(","))) < 200) == dark
    page.close()


def test_every_name_is_shown_as_what_it_is(browser: Browser, tmp_path: Path) -> None:
    page = browser.page()
    show(page, tmp_path / "page.html", hostile_diff())
    shown = page.run("[...document.querySelectorAll('td.name')].map((one) => one.textContent)")
    for name in HOSTILE[:5]:
        assert name in shown
    assert "\\x1b[31mred\\u{202e}back/\\xff" in shown
    assert page.run("document.querySelector('h1').textContent") == "<u>old → new&amp;"
    page.close()


def test_pictures_stand_side_by_side(browser: Browser, tmp_path: Path) -> None:
    page = browser.page()
    show(page, tmp_path / "page.html", hostile_diff())
    widths = "[...pair.querySelectorAll('img')].map((one) => one.naturalWidth)"
    sizes = page.run(f"[...document.querySelectorAll('.pair')].map((pair) => {widths})")
    assert sizes == [[0], [8, 8]]  # what only says that it is a PNG shows nothing
    page.close()


def test_a_map_is_drawn_with_what_changed(browser: Browser, tmp_path: Path) -> None:
    page = browser.page()
    show(page, tmp_path / "page.html", map_diff())
    page.wait("document.querySelector('img.map').naturalWidth > 500")
    assert "moved: place" in page.run("document.querySelector('pre').textContent")
    page.close()


def test_details_open_by_the_keyboard(browser: Browser, tmp_path: Path) -> None:
    page = browser.page()
    show(page, tmp_path / "page.html", hostile_report())
    opened = "document.querySelectorAll('details[open]').length"
    before = page.run(opened)
    page.press("Tab")
    assert page.run("document.activeElement.tagName") == "SUMMARY"
    page.press("Enter")
    assert page.run(opened) == before - 1
    page.close()
