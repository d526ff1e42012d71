"""Pages in a browser: one Chromium for all tests of a process, a new page for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import pytest
from tests.builders.browser import Browser, Page

from lumpyard.archives.opening import open_archive
from lumpyard.explore import MOST_DRAWN
from lumpyard.explore.page import make_page
from lumpyard.explore.places import draw_map
from lumpyard.explore.subject import Subject
from lumpyard.extract import fill_paths

if TYPE_CHECKING:
    from pathlib import Path

Explore = Callable[..., Page]


def read_part(name: str) -> str:
    """The text of a file of the page."""
    return (files("lumpyard.explore") / "page" / name).read_text("utf-8")


def subject_of(data: bytes, path: str = "test.archive", format_name: str = "auto") -> Subject:
    from lumpyard.archives.naming import entry_paths

    archive = open_archive(data, format_name)
    names = [
        None if lump.name is None else lump.name.decode("utf-8", "surrogateescape") for lump in archive.lumps
    ]
    return Subject(
        path, archive, names, fill_paths(entry_paths(archive), [lump.key for lump in archive.lumps])
    )


def write_page(
    folder: Path,
    *archives: bytes,
    budget: int = 64_000_000,
    format_name: str = "auto",
    most_drawn: int = MOST_DRAWN,
) -> str:
    """The address of the page of some archives."""
    subjects = [subject_of(data, f"dir/{number}.dat", format_name) for number, data in enumerate(archives)]
    page = make_page(
        subjects,
        budget,
        draw=lambda subject, places, n: draw_map(subject.archive, places.maps[n]),
        most_drawn=most_drawn,
    )
    path = folder / "page.html"
    path.write_bytes(page.html)
    return path.as_uri()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with Browser() as browser:
        yield browser


@pytest.fixture
def explore(browser: Browser, tmp_path: Path) -> Iterator[Explore]:
    """Opens the page of some archives; afterwards no page may have complained or have asked for anything else."""
    opened: list[tuple[Page, str]] = []

    def explore_them(
        *archives: bytes,
        budget: int = 64_000_000,
        format_name: str = "auto",
        most_drawn: int = MOST_DRAWN,
        **looks: Any,
    ) -> Page:
        address = write_page(
            tmp_path, *archives, budget=budget, format_name=format_name, most_drawn=most_drawn
        )
        page = browser.page(**looks)
        page.open(address)
        opened.append((page, address))
        return page

    yield explore_them
    for page, address in opened:
        assert page.complaints() == []
        assert page.requests() == [address]
        page.close()


def search(page: Page, text: str) -> None:
    """Type into the search field, by keyboard alone."""
    page.run("document.activeElement.blur()")
    page.press("/")
    page.doing(lambda: page.type(text))


def open_lump(page: Page, name: str, tab: str = "") -> None:
    """Search for a lump, open it, and wait for the view that is wanted, or the first."""
    search(page, name)
    page.press("Enter")
    page.wait("document.querySelector('.row.chosen')")
    page.press("Enter")
    page.wait(f"document.querySelector('.lump-title h2')?.textContent.includes({name!r})")
    page.wait("document.querySelector('#lump [role=tab]')")
    if tab:
        page.wait(f"document.querySelector('#tab-{tab}')")
        page.click(f"#tab-{tab}")
        page.wait(f"document.querySelector('#tab-{tab}').ariaSelected === 'true'")
    page.wait("!document.querySelector('#panel').textContent.startsWith('Loading')")


def shown(page: Page) -> list[str]:
    """The names in the rows that are there, from above."""
    script = """[...document.querySelectorAll('.rows .row:not([hidden])')]
        .sort((a, b) => a.ariaRowIndex - b.ariaRowIndex).map((row) => row.children[0].textContent)"""
    return list(
        page.run(
            f"new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done({script}))))"
        )
    )
