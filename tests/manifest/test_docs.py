"""docs/manifest.md holds what is true: its keys, examples, problem codes and the look of a report."""

from __future__ import annotations

import re

import pytest
from tests.builders.documents import Files
from tests.manifest.examples import DOCS

from lumpyard.console.meanings import code_meanings
from lumpyard.console.problems import render_problems
from lumpyard.errors import ProblemsError
from lumpyard.globs import parse_glob
from lumpyard.manifest import codes, keys, load_manifest

TEXT = DOCS.read_text("utf-8")


def test_every_code_stands_in_a_table_with_its_meaning_and_no_other_does() -> None:
    documented = re.findall(r"^\| ([EW]\d{4}) \| (.*) \|$", TEXT, re.MULTILINE)
    assert len(documented) == len(dict(documented))
    assert dict(documented) == code_meanings()


def test_every_key_is_mentioned() -> None:
    known = {
        name for table in vars(keys).values() if isinstance(table, dict) for name in table if name.islower()
    }
    known &= {
        name
        for table in (keys.MANIFEST, keys.SET, keys.OVERRIDE, keys.ARCHIVE, keys.TOOL, keys.BUDGET)
        for name in table
    }
    for name in known | set(keys.COMPRESS) | set(keys.MOUNT):
        assert re.search(rf"`{name}`|`{name}: |[{{ ]{name}: ", TEXT), name


def test_the_report_that_is_shown_is_the_one_that_is_printed() -> None:
    document = 'version: 1\nsets:\n  textures:\n    fils: "textures/**/*.png"\n'
    with pytest.raises(ProblemsError) as caught:
        load_manifest("assets.yaml", Files({"assets.yaml": document}).read)
    unknown = [problem for problem in caught.value.problems if problem.code == codes.UNKNOWN_KEY]
    report = render_problems(unknown, lambda _: document, color=False)
    assert report in TEXT


def test_links_inside_the_page_lead_somewhere() -> None:
    headings = re.findall(r"^#+ (.*)$", TEXT, re.MULTILINE)
    anchors = {re.sub(r"[^a-z0-9 _-]", "", heading.lower()).replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\(#([^)]*)\)", TEXT)) <= anchors


def test_the_globs_of_the_table_mean_what_it_says() -> None:
    assert parse_glob("[*]").matches("*")
    assert parse_glob("[[]").matches("[")
    assert parse_glob("[]a]").matches("]")
    assert not parse_glob("*.png").matches("ui/a.png")
    assert parse_glob("**/*.png").matches("a.png")
