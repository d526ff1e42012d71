"""Pages that stand in one file: no script, no request, and nothing that a name could mean but itself.

The policy allows the one style sheet, by its SHA-256, and pictures that are in the page. Whatever a lump is called goes
through `text`; so a browser has nothing to take it for but text, and would run nothing if it did.
"""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from html import escape
from typing import TYPE_CHECKING

from lumpyard.console.escape import escape_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_STYLE = """
:root {
  color-scheme: light dark;
  --ground: #ffffff; --ink: #1b1f24; --faint: #5a636e; --line: #d8dde3; --panel: #f5f7f9;
  --accent: #2a5fa5; --bar: #7aa7dc; --part: #b9c2cc; --more: #a3281f; --less: #176f35; --check: #e6e9ed;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171b; --ink: #e3e7ec; --faint: #98a2ae; --line: #343b44; --panel: #1c2127;
    --accent: #86b6f2; --bar: #3d6ea8; --part: #4a535e; --more: #f08d82; --less: #6fcf8b; --check: #272d34;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1rem 1rem 3rem; max-width: 76rem;
  font: 15px/1.45 system-ui, sans-serif; background: var(--ground); color: var(--ink);
}
h1 { font-size: 1.35rem; margin: .4rem 0; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2rem 0 .3rem; overflow-wrap: anywhere; }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; overflow-wrap: anywhere; }
p { margin: .3rem 0; }
.faint { color: var(--faint); }
.big { font-size: 1.15rem; font-weight: 600; }
.more { color: var(--more); }
.less { color: var(--less); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th { text-align: left; color: var(--faint); font-weight: 600; font-size: .85rem; }
th, td { padding: .22rem .55rem; border-bottom: 1px solid var(--line); vertical-align: top; }
.n { text-align: right; white-space: nowrap; }
.name { overflow-wrap: anywhere; min-width: 9rem; font-family: ui-monospace, monospace; font-size: .9em; }
.say { min-width: 9rem; overflow-wrap: anywhere; }
tr.sum td { font-weight: 600; border-top: 2px solid var(--line); }
tr.part td { color: var(--faint); }
td.bar { width: 22%; min-width: 5rem; }
td.bar svg { display: block; width: 100%; height: .8em; margin-top: .3em; }
rect { fill: var(--bar); }
tr.part rect { fill: var(--part); }
details { margin: .8rem 0; border: 1px solid var(--line); border-radius: .4rem; background: var(--panel); }
summary { padding: .45rem .7rem; cursor: pointer; font-weight: 600; }
summary:focus-visible { outline: 2px solid var(--accent); }
details > .wide, details > p, details > pre, details > .pair { margin: 0 .7rem .7rem; }
pre { overflow-x: auto; font: .85em/1.4 ui-monospace, monospace; }
ul { margin: .3rem 0; padding-left: 1.2rem; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: .8rem; }
figure { margin: 0; }
figcaption { color: var(--faint); font-size: .85rem; overflow-wrap: anywhere; }
.pair img {
  display: block; min-width: min(6rem, 100%); max-width: 100%; max-height: 24rem; object-fit: contain;
  image-rendering: pixelated; border: 1px solid var(--line);
  background: repeating-conic-gradient(var(--check) 0 25%, var(--ground) 0 50%) 0 0 / 16px 16px;
}
img.map { display: block; width: 100%; max-width: 60rem; border: 1px solid var(--line); }
@media (max-width: 40rem) {
  body { padding: .6rem .6rem 2rem; font-size: 14px; }
  th, td { padding: .2rem .35rem; }
  td.bar, th.bar, .spare { display: none; }
}
@media print { details { border: 0; } }
"""
_STYLE_HASH = b64encode(sha256(_STYLE.encode()).digest()).decode()
POLICY = f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; img-src data:; base-uri 'none'; form-action 'none'"


def page(title: str, body: Iterable[str]) -> str:
    """A whole page; the body is markup."""
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="referrer" content="no-referrer">',
            f"<title>{text(title)}</title>",
            f"<style>{_STYLE}</style></head><body>",
            *body,
            "</body></html>",
            "",
        ]
    )


def text(words: str) -> str:
    """Any text as markup that shows it, control characters and direction marks as escapes."""
    return escape(escape_name(words))


def element(tag: str, words: str, class_name: str = "") -> str:
    """An element with text in it."""
    return f"<{tag}{f' class={chr(34)}{class_name}{chr(34)}' if class_name else ''}>{text(words)}</{tag}>"


def table(titles: Sequence[tuple[str, str]], rows: Iterable[str]) -> Iterable[str]:
    """A table of rows of markup; titles with the classes of their columns."""
    yield '<div class="wide"><table><thead><tr>'
    yield "".join(element("th", title, class_name) for title, class_name in titles)
    yield "</tr></thead><tbody>"
    yield from rows
    yield "</tbody></table></div>"


def row(cells: Iterable[tuple[str, str]], class_name: str = "", more: str = "") -> str:
    """A row of texts with the classes of their columns, and markup of further cells."""
    inner = "".join(element("td", words, name) for words, name in cells)
    return f"<tr{f' class={chr(34)}{class_name}{chr(34)}' if class_name else ''}>{inner}{more}</tr>"


def bar(part: int, whole: int) -> str:
    """A cell with a bar as long as a part of a whole."""
    permille = max(1000 * part // whole, 1) if part and whole else 0
    rect = f'<rect width="{min(permille, 1000)}" height="10"></rect>'
    return f'<td class="bar"><svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">{rect}</svg></td>'


def details(summary: str, body: Iterable[str], *, is_open: bool = False) -> Iterable[str]:
    """What shows when one asks for it."""
    yield f"<details{' open' if is_open else ''}><summary>{text(summary)}</summary>"
    yield from body
    yield "</details>"


def data_uri(media_type: str, data: bytes) -> str:
    """Bytes as an address that holds them."""
    return f"data:{media_type};base64,{b64encode(data).decode()}"


def sign_class(change: int) -> str:
    """The class of a difference: more bytes are shown as a warning, fewer as good news."""
    return "n more" if change > 0 else "n less" if change < 0 else "n"
