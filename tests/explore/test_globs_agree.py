"""The page's globs are those of Lumpyard: both are asked the same."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.explore.conftest import read_part

from lumpyard.explore.assembling import assemble
from lumpyard.globs import GlobError, parse_glob

if TYPE_CHECKING:
    from tests.builders.browser import Browser

PARTS = [
    "a",
    "ab",
    "*",
    "**",
    "?",
    "a*",
    "*b",
    "*a*",
    ".a",
    ".*",
    "[a]b",
    "[!a]*",
    "[a-c]?",
    "[]]",
    "a?*",
    "**b",
    "[",
    "[^a]",
    "[c-a]",
    "..",
    "",
    "\\",
    "[\\]",
]
GLOBS = [
    *PARTS,
    *(f"{one}/{two}" for one in PARTS for two in PARTS),
    "**/a/**/b",
    "**/a*/**",
    "a/**/**/b",
    "/a",
    "a/",
    "a//b",
    "C:/a",
    "**/.a/**",
    "*/*/*",
]
NAMES = ["a", "b", "ab", "ba", "aab", ".a", ".ab", "]", "c", "\\", "é", "\udcff", "\U0001d538b", "[", "a]"]
PATHS = [
    *NAMES,
    *(f"{one}/{two}" for one in NAMES for two in NAMES[:8]),
    "a/x/b",
    "a/.x/b",
    "x/a/y/b",
    "a/a/b/b",
    "x/.a/y",
    ".a/a/b",
    "a/b/a/b/a",
]


def ours(glob: str) -> list[int] | None:
    try:
        found = parse_glob(glob)
    except GlobError:
        return None
    return [at for at, path in enumerate(PATHS) if found.matches(path)]


def test_both_match_and_refuse_the_same(browser: Browser) -> None:
    page = browser.page()
    script = assemble("glob", read_part)
    theirs = page.run(
        f"""(() => {{ {script}
        const paths = {json.dumps(PATHS)};
        return {json.dumps(GLOBS)}.map((text) => {{
            try {{
                const matches = parseGlob(text);
                return paths.map((path, at) => (matches(path) ? at : -1)).filter((at) => at >= 0);
            }} catch {{
                return null;
            }}
        }});
        }})()"""
    )
    page.close()
    different = [
        (glob, mine, other)
        for glob, mine, other in zip(GLOBS, map(ours, GLOBS), theirs, strict=True)
        if mine != other
    ]
    assert different == []


def test_stars_never_take_exponential_time(browser: Browser) -> None:
    page = browser.page()
    script = assemble("glob", read_part)
    glob, path = "*a" * 30 + "/**" * 1 + "/b*" * 20, "a" * 2000 + "/b" * 400
    assert page.run(f"(() => {{ {script}\n return parseGlob({glob!r})({path!r}); }})()") in {True, False}
    page.close()
