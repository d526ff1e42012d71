"""Each way in which a tool fails, or can't be run, is one clear error."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from tests.builders.programs import processes_with, python, shell
from tests.builders.world import MemoryWorld
from tests.cooking.tools import FILES, cook_with, problem

from lumpyard.errors import CookError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Any


pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="the programs are scripts"),
    pytest.mark.usefixtures("scratch_place"),
]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("exit 3", "ended with status 3"),
        (
            "echo fx/water.hlsl:3: no such colour >&2; exit 1",
            "ended with status 1\nfx/water.hlsl:3: no such colour",
        ),
        ('echo "$PWD/fx/water.hlsl:3: no" >&2; exit 1', "ended with status 1\nfx/water.hlsl:3: no"),
        ("echo said on stdout; exit 1", "ended with status 1\nsaid on stdout"),
        ("echo out; echo err >&2; exit 1", "ended with status 1\nerr"),
        (r"printf 'a\377b\n\033[31mred\033[0m\n' >&2; exit 1", "ended with status 1\na\\xffb\nred"),
        (r"printf '10%%\r100%%\n\n' >&2; exit 1", "ended with status 1\n100%"),
        ("kill -SEGV $$", "was ended by signal 11 (SIGSEGV)"),
        ("true", "did not make fx/water.bin"),
        ("echo but why >&2", "did not make fx/water.bin\nbut why"),
        ("mkdir fx/water.bin", "made fx/water.bin, which is a folder and not a plain file"),
        ("ln -s /etc/passwd fx/water.bin", "made fx/water.bin, which is a link and not a plain file"),
        ("rm -r fx; ln -s /etc fx", "made fx/water.bin, which is behind a link and not a plain file"),
        ("mkfifo fx/water.bin", "made fx/water.bin, which is a FIFO and not a plain file"),
        ("rm -r fx", "did not make fx/water.bin"),
    ],
)
def test_how_a_tool_failed_is_said_with_what_it_said(
    world: MemoryWorld, tmp_path: Path, text: str, says: str
) -> None:
    shell(tmp_path / "bin/cooker", text)
    assert problem(world) == f"E0606 tool 'cooker' {says}"


def test_of_what_a_tool_said_the_last_twenty_lines_are_told(world: MemoryWorld, tmp_path: Path) -> None:
    shell(tmp_path / "bin/cooker", "seq 100 >&2; exit 1")
    lines = problem(world).split("\n")
    assert lines[1:] == ["…", *map(str, range(81, 101))]


def test_a_line_without_end_is_cut(world: MemoryWorld, tmp_path: Path) -> None:
    python(tmp_path / "bin/cooker", "import sys; sys.exit('x' * 1000000)")
    assert len(problem(world)) < 1000


def test_a_tool_that_hangs_is_ended_with_its_children(world: MemoryWorld, tmp_path: Path) -> None:
    shell(tmp_path / "bin/cooker", "echo thinking >&2; sleep 600 & sleep 600")
    assert problem(world, timeout=0.3) == "E0606 tool 'cooker' did not end within 0.3 s\nthinking"
    assert processes_with(str(tmp_path / "system")) == []


def test_a_tool_that_writes_elsewhere_made_nothing(world: MemoryWorld, tmp_path: Path) -> None:
    shell(tmp_path / "bin/cooker", f"echo x > {tmp_path}/elsewhere")
    assert problem(world) == "E0606 tool 'cooker' did not make fx/water.bin"


def test_a_program_that_cannot_be_started_is_said(world: MemoryWorld, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/cooker").write_text("#!/no/such/interpreter\n")
    (tmp_path / "bin/cooker").chmod(0o755)
    why = "it, or the interpreter that its first line names, is not there"
    assert problem(world) == f"E0606 tool 'cooker' cannot be started: {why}"


def test_a_missing_program_is_the_manifests_problem(world: MemoryWorld) -> None:
    with pytest.raises(
        CookError, match=r"assets.yaml:5:9: error\[E0620\]: tool 'cooker': there is no program"
    ):
        cook_with(world)


def test_a_tool_known_by_its_files_that_is_not_built_is_said_when_it_must_run(
    world: MemoryWorld, tmp_path: Path
) -> None:
    world.tools["cooker"] = world.tools["cooker"]._replace(identity="files")
    assert problem(world) == "E0620 tool 'cooker' must run, and its program is not there"


def test_a_tool_that_the_manifest_lacks_is_said_at_the_set(world: MemoryWorld) -> None:
    assert problem(world, tool="dxc") == "E0610 rule 'runs' runs 'dxc', which is not among the tools"


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"outputs": ["../x"]}, "its output '../x' is no good: it has '..'"),
        ({"outputs": ["/tmp/x"]}, "its output '/tmp/x' is no good: it is absolute"),
        ({"outputs": ["a", "a"]}, "two of its outputs are the same file"),
        ({"outputs": ["a"], "depfile": "a"}, "two of its outputs are the same file"),
        ({"depfile": "../d"}, "its output '../d' is no good: it has '..'"),
        ({"inputs": ["../x/*"]}, "pattern '../x/*': it has `..` as a part"),
        ({"inputs": ["!../x/*"]}, "pattern '../x/*': it has `..` as a part"),
        ({"inputs": ["[x"]}, "pattern '[x': a `[` without its `]`"),
        ({"env": ["A=B"]}, "'A=B' is no name of a variable"),
        ({"env": [""]}, "'' is no name of a variable"),
        ({"timeout": 0}, "a time-out is more than 0 and at most 86400 s, not 0"),
        ({"timeout": float("nan")}, "a time-out is more than 0 and at most 86400 s, not nan"),
        ({"outputs": ["x\0"]}, "an argument has a NUL character"),
        ({"outputs": [7]}, "arguments, inputs, outputs and names of variables are texts"),
    ],
)
def test_what_cannot_be_asked_for_is_said_before_anything_runs(
    world: MemoryWorld, more: Any, says: str
) -> None:
    assert problem(world, **more).startswith(f"E0604 rule 'runs' cannot run tool 'cooker': {says}")


def test_an_output_that_is_an_input_is_refused(world: MemoryWorld, tmp_path: Path) -> None:
    """It would be there whether or not the tool made it."""
    shell(tmp_path / "bin/cooker", "true")
    says = "E0606 tool 'cooker' is to make fx/water.hlsl, which is one of its inputs"
    assert problem(world, outputs=["fx/water.hlsl"]) == says


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("true", "tool 'cooker' wrote no depfile"),
        ("mkdir deps.d", "tool 'cooker' made its depfile as a folder"),
        ("ln -s /etc/passwd deps.d", "tool 'cooker' made its depfile as a link"),
        ("echo nonsense > deps.d", "is no good: there is no colon in 'nonsense'"),
        ("echo 'x: /usr/include/stdio.h' > deps.d", "names '/usr/include/stdio.h', which was not staged"),
        ("echo 'x: ../../other.h' > deps.d", "names '../../other.h', which was not staged"),
        ("echo 'x: inc' > deps.d", "names 'inc', which was not staged"),
        ("echo 'x: alt/x.txt' > deps.d", "names 'alt/x.txt', which was not staged"),
        (r"printf 'x: \377.h' > deps.d", r"names '\udcff.h', which was not staged"),
    ],
)
def test_a_depfile_that_is_no_good_is_said(world: MemoryWorld, tmp_path: Path, text: str, says: str) -> None:
    shell(tmp_path / "bin/cooker", f"touch fx/water.bin; {text}")
    subject = "" if says.startswith("tool") else "the depfile of tool 'cooker' "
    assert problem(world, inputs=["inc/**/*.h"], depfile="deps.d") == f"E0608 {subject}{says}"


def test_an_input_that_vanishes_is_said(world: MemoryWorld, tmp_path: Path) -> None:
    shell(tmp_path / "bin/cooker", "touch fx/water.bin")

    class Late(MemoryWorld):
        """A listing from before the file went."""

        def glob(self, pattern: str) -> Sequence[str]:
            return [pattern]

    world = Late(FILES, tools=world.tools, root=world.root)
    assert problem(world, inputs=["inc/gone.h"]) == "E0609 inc/gone.h vanished while the rule ran"
