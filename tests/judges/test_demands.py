"""A judge that is not there fails CI in one line that says what to install; the README names all."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from tests.builders import judges, packages

HERE = Path(__file__)
ROOT = HERE.parents[2]


def asked_for() -> set[str]:
    """The packages that tests may ask for."""
    text = "".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("*.py") if path != HERE)
    programs = set(re.findall(r'\bprogram\("[\w-]+", "([\w-]+)"\)', text))
    return programs | {package for _, package in (*judges.WADS.values(), judges.QUAKE_PAK)} | {"libphysfs1"}


@pytest.fixture(autouse=True)
def _in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")


def test_outside_ci_what_a_missing_judge_would_say_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has but Python can still run the tests."""
    monkeypatch.delenv("CI")
    with pytest.raises(pytest.skip.Exception, match=r"^no-such-judge is not there: apt install its-package$"):
        judges.program("no-such-judge", "its-package")


def test_a_missing_program_fails_in_one_line_that_names_its_package() -> None:
    with pytest.raises(pytest.fail.Exception) as caught:
        judges.program("no-such-judge", "its-package")
    assert str(caught.value) == "no-such-judge is not there: apt install its-package"
    assert not caught.value.pytrace


def test_missing_data_fails_in_one_line_that_names_its_package(tmp_path: Path) -> None:
    with pytest.raises(pytest.fail.Exception, match=r"no\.wad is not there: apt install its-package$"):
        judges.data_of(tmp_path / "no.wad", "its-package")


def test_packages_that_cannot_be_downloaded_are_one_line_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    complaint = (
        "import sys; sys.exit('WARNING: is ignored\\nERROR: no index\\nWARNING: there is a newer pip')"
    )
    monkeypatch.setattr(packages, "PIP", [sys.executable, "-c", complaint])
    with pytest.raises(pytest.fail.Exception) as caught:
        packages.fetched(tmp_path)
    assert str(caught.value) == "pip cannot download what requirements.txt names: ERROR: no index"
    assert [path.name for path in tmp_path.iterdir()] == ["lock"]


def test_the_readme_names_every_package_and_ci_installs_it() -> None:
    assert len(asked_for()) > 8
    for path in ("README.md", ".ci/run"):
        words = set(re.findall(r"[\w-]+", (ROOT / path).read_text("utf-8")))
        assert asked_for() - words == set(), path
