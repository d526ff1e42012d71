"""Names and lumps that want to be more than text: nothing of them runs, loads or hides."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.builders import ewad, plain
from tests.explore.conftest import open_lump, search, shown, subject_of, write_page

from lumpyard.explore.page import make_page

if TYPE_CHECKING:
    from pathlib import Path

    from tests.builders.browser import Browser
    from tests.explore.conftest import Explore

NAMES = [
    b"<script>window.ran = 1</script>",
    b"</script><script>window.ran = 1</script>",
    b"\"><img src=x onerror='window.ran=1'>",
    b"<!--<script>",
    b"]]>&lt;&amp;\\u003c",
    b"__proto__",
    b"constructor",
    b"hasOwnProperty",
    b"toString",
    b"javascript:window.ran=1",
    b"__proto__/constructor/toString",
    "\u202egnp.exe\u2066.txt".encode(),
    b"bell\x07escape\x1b[31m",
    b"not utf8 \xff\xfe",
    "\u2028line\u2029".encode(),
    b"x" * 255,
    b"/".join([b"d"] * 100),
    "\U0001d538/日本".encode(),
]
RUNS = b"<!doctype html><script>window.ran = 1; parent.ran = 1</script><img src=http://127.0.0.1:9/x onerror='ran=1'>"


def archive() -> bytes:
    return ewad.build([ewad.Written(name, RUNS) for name in NAMES])


def test_names_are_text_and_nothing_runs(explore: Explore) -> None:
    page = explore(archive())
    assert page.text("#status").startswith(f"{len(NAMES)} lumps")
    for name in ("<script>", "__proto__", "constructor", "toString", "<!--", "javascript:"):
        search(page, name)
        assert any(name in one for one in shown(page)), name
    page.doing(lambda: page.press("Escape"))
    page.run("document.activeElement.blur()")
    page.doing(lambda: page.press("m"))
    assert page.run("window.ran") is None
    assert page.run("Object.prototype.path") is None
    assert page.run("document.querySelectorAll('main img, main script, main iframe').length") == 0


def test_what_would_trick_the_eye_is_shown_as_what_it_is(explore: Explore) -> None:
    page = explore(archive())
    expected = {
        "gnp.exe": "\\u{202e}gnp.exe\\u{2066}.txt",
        "bell": "bell\\x07escape\\x1b[31m",
        "not utf8": "not utf8 \\xff\\xfe",
        "line": "\\u{2028}line\\u{2029}",
        "日本": "\U0001d538/日本",
    }
    for wanted, text in expected.items():
        search(page, wanted)
        assert shown(page) == [text]
        assert page.run("document.querySelector('.rows .row .name').title") == text


def test_html_in_a_lump_is_text(explore: Explore) -> None:
    page = explore(archive())
    open_lump(page, "javascript:", "text")
    page.wait("document.querySelector('.text')?.textContent.includes('<script>')")
    assert page.run("window.ran") is None


def test_nothing_but_the_page_s_own_scripts_runs_even_if_it_got_in(browser: Browser, tmp_path: Path) -> None:
    page = browser.page()
    page.open(write_page(tmp_path, archive()))
    page.run(
        """(() => {
            const script = document.createElement("script");
            script.textContent = "window.ran = 1";
            document.body.append(script);
            const button = document.createElement("button");
            button.setAttribute("onclick", "window.ran = 1");
            document.body.append(button);
            button.click();
            const image = document.createElement("img");
            image.src = "http://127.0.0.1:9/leak";
            document.body.append(image);
        })()"""
    )
    failed = "fetch('http://127.0.0.1:9/leak').then(() => false, () => true)"
    assert page.run(failed)
    assert page.run("window.ran") is None
    assert any("Content Security Policy" in text for text in page.complaints())
    page.close()


def test_the_policy_names_hashes_and_allows_nothing_else() -> None:
    page = make_page([subject_of(archive())], 1000)
    rules = dict(rule.split(" ", 1) for rule in page.policy.split("; "))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"].startswith("'sha256-")
    assert "unsafe" not in page.policy
    assert "http" not in page.policy
    assert page.policy.encode() in page.html


@pytest.mark.parametrize("path", ["</title><script>x</script>.wad", "\u202eevil&quot;\x1b.wad"])
def test_a_path_is_no_markup_either(path: str) -> None:
    html = make_page([subject_of(plain.wad([(b"A", b"a")]), path)], 1000).html
    assert b"<script>x" not in html
    assert "\u202e".encode() not in html
    assert b"\x1b" not in html


def test_the_page_holds_no_letter_of_a_lump_outside_of_blocks() -> None:
    html = make_page([subject_of(archive())], 100_000).html
    assert b"window.ran" not in html


def test_a_thousand_maps_that_are_none_make_a_page() -> None:
    entries = [
        (name, b"\xff" * 7)
        for _ in range(50)
        for name in (b"MAP<>", b"THINGS", b"LINEDEFS", b"SIDEDEFS", b"VERTEXES", b"SECTORS")
    ]
    assert make_page([subject_of(plain.wad(entries))], 100_000).html
