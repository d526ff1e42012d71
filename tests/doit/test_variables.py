"""Variables that say what nobody understands are one clear error, with our status where there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.builders.doits import Repo

LINES = {
    "LUMPYARD_PROGRESS": "lumpyard: error: LUMPYARD_PROGRESS is 'loud'; it takes auto, rich, plain, json or none",
    "LUMPYARD_WAIT": "lumpyard: error: LUMPYARD_WAIT is 'loud'; it takes 1 or 0",
}


@pytest.mark.parametrize("name", LINES)
def test_a_word_that_a_variable_does_not_take_is_refused_by_all_tasks(repo: Repo, name: str) -> None:
    for program, word, status in (
        ("doit", "pack", 1),
        ("doit", "ship", 1),
        ("doit", "verify", 1),
        ("lumpyard", "ship", 2),
    ):
        ran = repo.start(program, word, **{name: "loud"}).wait()
        assert ran.status == status, ran
        assert LINES[name] in (ran.out + ran.err).splitlines()
        assert "Traceback" not in ran.out + ran.err
    assert repo.json("build/ship.json")["exit_status"] == 2
    assert not repo.exists("dist")
