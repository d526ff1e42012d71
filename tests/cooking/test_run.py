"""A tool sees what was staged, and what counts of it is noted."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest
from tests.builders.programs import python, shell
from tests.builders.world import still_answers
from tests.cooking.tools import FILES, cook_with, problem

from lumpyard.build.asks import ABSENT, variable_answer
from lumpyard.errors import CookError
from lumpyard.hashing import digest
from lumpyard.store import Ask

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from tests.builders.world import MemoryWorld


pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="the programs are scripts"),
    pytest.mark.usefixtures("scratch_place"),
]


def output(world: MemoryWorld, *args: str, **more: Any) -> bytes:
    [product] = cook_with(world, *args, **more)[1].products
    return product.data


def asks(world: MemoryWorld, *args: str, **more: Any) -> list[Ask]:
    """What was noted, without the tool and the path that every run notes."""
    noted = cook_with(world, *args, **more)[1].asks
    tool = Ask("tool", "cooker", world.tool("cooker").identity)
    assert tool in noted
    assert Ask("path", "0", "fx/water.hlsl") in noted
    return [ask for ask in noted if ask != tool and ask.kind != "path"]


def test_the_scratch_folder_mirrors_the_project_and_holds_just_what_was_staged(
    world: MemoryWorld, tmp_path: Path
) -> None:
    shell(tmp_path / "bin/cooker", 'find . -type f -exec grep -H . {} + | sort > "$1"')
    made = output(world, "fx/water.bin", inputs=["inc/**/*.h"])
    assert made == b"./fx/water.hlsl:water\n./inc/light.h:light\n./inc/sub/math.h:math\n"


def test_inputs_with_a_mark_ahead_are_taken_away(world: MemoryWorld, tmp_path: Path) -> None:
    shell(tmp_path / "bin/cooker", 'seen=$(find . -type f | sort); echo "$seen" > "$1"')
    made = output(world, "fx/water.bin", inputs=["**/*.h", "!inc/sub/**"])
    assert made == b"./fx/water.hlsl\n./inc/light.h\n"


def test_all_gathered_sources_are_there(world: MemoryWorld, tmp_path: Path) -> None:
    shell(tmp_path / "bin/cooker", 'cat fx/water.hlsl alt/x.txt > "$1"')
    assert output(world, "out/all", sources=("alt/x.txt", "fx/water.hlsl"), outputs=["out/all"]) == b"waterx"


def test_names_that_are_not_utf8_come_through(world: MemoryWorld, tmp_path: Path) -> None:
    world.files["fx/\udcff\u00e9 '.hlsl"] = b"odd"
    shell(tmp_path / "bin/cooker", 'cat "$1" > "$2"')
    source = "fx/\udcff\u00e9 '.hlsl"
    assert output(world, source, "out", sources=(source,), outputs=["out"]) == b"odd"


def test_a_tool_runs_without_a_shell_between(world: MemoryWorld, tmp_path: Path) -> None:
    shell(tmp_path / "bin/cooker", 'printf "%s" "$1" > fx/water.bin')
    assert output(world, "$(id); `id` & * \\ \n") == b"$(id); `id` & * \\ \n"


def test_the_environment_is_scrubbed(
    world: MemoryWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    monkeypatch.setenv("TOKEN", "secret")
    world.variables = {"SDK": "/opt/sdk", "TOKEN": "secret", "TZ": "Mars"}
    shell(
        tmp_path / "bin/cooker",
        'printf "$LANG $TZ $SOURCE_DATE_EPOCH ${TOKEN-none} ${SDK-none}" > fx/water.bin',
    )
    assert output(world) == b"C.UTF-8 UTC 0 none none"
    assert output(world, env=["SDK", "TZ"]) == b"C.UTF-8 Mars 0 none /opt/sdk"


def test_home_and_temporary_files_are_in_the_scratch_folder(world: MemoryWorld, tmp_path: Path) -> None:
    shell(tmp_path / "bin/cooker", 'touch "$HOME/a" "$TMPDIR/b" && cd && pwd > "$OLDPWD/fx/water.bin"')
    assert str(tmp_path / "system").encode() in output(world)


def test_several_outputs_come_by_their_paths(world: MemoryWorld, tmp_path: Path) -> None:
    shell(
        tmp_path / "bin/cooker", "mkdir new; printf 1 > fx/one; printf 2 > new/two; printf 3 > deep/er/three"
    )
    with pytest.raises(CookError):
        output(world, outputs=["new/two"])  # its folder is there already, so `mkdir` is said to fail
    shell(tmp_path / "bin/cooker", "printf 1 > fx/one; printf 2 > new/two; printf 3 > deep/er/three")
    assert output(world, outputs=["deep/er/three", "fx/one", "new/two"]) == b"312"


def test_files_that_the_rule_made_are_there_and_count_for_nothing(world: MemoryWorld, tmp_path: Path) -> None:
    """They follow from the source, the options and the answers, which are all noted."""
    shell(
        tmp_path / "bin/cooker", 'cat made/one.txt fx/water.hlsl > fx/water.bin; echo "x: made/one.txt" > d.d'
    )
    assert output(world, files={"made/one.txt": b"one "}) == b"one water"
    assert asks(world, files={"made/one.txt": b"one "}) == []
    assert asks(world, files={"made/one.txt": b"one "}, depfile="d.d", inputs=["inc/*.h"]) == []


def test_files_that_the_rule_made_hide_nothing(world: MemoryWorld, tmp_path: Path) -> None:
    shell(tmp_path / "bin/cooker", "touch fx/water.bin")
    assert "E0604 the rule makes fx/water.hlsl for tool 'cooker'" in problem(
        world, files={"fx/water.hlsl": b""}
    )
    assert "its file '../x' is no good" in problem(world, files={"../x": b""})
    assert "E0606 " in problem(world, files={"fx/water.bin": b""})


def test_without_inputs_only_tool_and_path_count(world: MemoryWorld, tmp_path: Path) -> None:
    shell(tmp_path / "bin/cooker", "touch fx/water.bin")
    assert asks(world) == []


def test_without_a_depfile_every_staged_file_counts(world: MemoryWorld, tmp_path: Path) -> None:
    shell(tmp_path / "bin/cooker", "touch fx/water.bin")
    lump, cooked = cook_with(world, inputs=["inc/**/*.h"])
    assert [ask.kind for ask in cooked.asks] == ["files", "path", "tool"]
    for change, same in (
        ({"inc/light.h": b"LIGHT"}, False),
        ({"inc/new.h": b""}, False),
        ({"inc/new.txt": b""}, True),
        ({"alt/x.txt": b"X"}, True),
    ):
        world.files = FILES | change
        assert all(still_answers(ask, world, lump) for ask in cooked.asks) is same, change
    world.files = {path: data for path, data in FILES.items() if path != "inc/sub/math.h"}
    assert not all(still_answers(ask, world, lump) for ask in cooked.asks)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("deps.d", "fx/water.bin: fx/water.hlsl \\\n ./inc/../inc/light.h"),
        ("deps.d", "$PWD/fx/water.bin: $PWD/fx/water.hlsl $PWD/inc/light.h"),
        ("deps.d", r"fx\\\\water.bin: fx\\\\water.hlsl inc\\\\light.h"),
        ("deps.json", '[\\"fx/water.hlsl\\", \\"inc/light.h\\"]'),
        ("deps.json", '{\\"dependencies\\": [\\"inc/light.h\\"]}'),
    ],
)
def test_with_a_depfile_only_the_files_that_it_names_count(
    world: MemoryWorld, tmp_path: Path, file: str, text: str
) -> None:
    shell(tmp_path / "bin/cooker", f'touch fx/water.bin; echo "{text}" > {file}')
    patterns = ["inc/**/*.h", "alt/**"]
    found = asks(world, inputs=patterns, depfile=file)
    assert [(ask.kind, ask.subject) for ask in found] == [
        ("namesakes", json.dumps([sorted(patterns), ["light.h"]])),
        ("read", "inc/light.h"),
    ]
    assert found[1].answer == digest(b"light").hex()


@pytest.mark.parametrize(
    ("change", "same"),
    [
        ({"inc/light.h": b"LIGHT"}, False),
        ({"alt/light.h": b""}, False),  # ahead of the one found, or behind it: the tool alone knows
        ({"alt/LIGHT.H": b""}, False),
        ({"alt/other.h": b""}, True),
        ({"inc/sub/math.h": b"MATH"}, True),
        ({"alt/x.txt": b"X"}, True),
        ({"unstaged/light.h": b""}, True),
    ],
)
def test_a_file_that_may_come_ahead_of_a_needed_one_counts_and_no_other(
    world: MemoryWorld, tmp_path: Path, change: dict[str, bytes], same: bool
) -> None:
    shell(tmp_path / "bin/cooker", "touch fx/water.bin; echo 'x: inc/light.h' > deps.d")
    lump, cooked = cook_with(world, inputs=["inc/**/*.h", "alt/**"], depfile="deps.d")
    world.files = FILES | change
    assert all(still_answers(ask, world, lump) for ask in cooked.asks) is same


def test_a_needed_file_that_goes_counts(world: MemoryWorld, tmp_path: Path) -> None:
    shell(tmp_path / "bin/cooker", "touch fx/water.bin; echo 'x: inc/light.h' > deps.d")
    lump, cooked = cook_with(world, inputs=["inc/**/*.h"], depfile="deps.d")
    del world.files["inc/light.h"]
    assert not all(still_answers(ask, world, lump) for ask in cooked.asks)


def test_the_tools_identity_counts(world: MemoryWorld, tmp_path: Path) -> None:
    shell(tmp_path / "bin/cooker", "touch fx/water.bin")
    lump, cooked = cook_with(world)
    assert all(still_answers(ask, world, lump) for ask in cooked.asks)
    shell(tmp_path / "bin/cooker", "touch fx/water.bin # another")
    assert not all(still_answers(ask, world, lump) for ask in cooked.asks)
    del world.tools["cooker"]
    assert not all(still_answers(ask, world, lump) for ask in cooked.asks)


def test_a_variable_that_is_let_through_counts_and_its_value_is_not_kept(
    world: MemoryWorld, tmp_path: Path
) -> None:
    world.variables = {"TOKEN": "secret"}
    shell(tmp_path / "bin/cooker", "touch fx/water.bin")
    lump, cooked = cook_with(world, env=["TOKEN", "MORE"])
    noted = [ask for ask in cooked.asks if ask.kind == "env"]
    assert noted == [Ask("env", "MORE", ABSENT), Ask("env", "TOKEN", variable_answer("secret"))]
    assert "secret" not in str(cooked.asks)
    for variables in ({"TOKEN": "other"}, {}, {"TOKEN": "secret", "MORE": ""}):
        world.variables = variables
        assert not all(still_answers(ask, world, lump) for ask in cooked.asks)


def test_a_pattern_without_files_is_a_warning_and_a_file_that_comes_counts(
    world: MemoryWorld, tmp_path: Path
) -> None:
    shell(tmp_path / "bin/cooker", "touch fx/water.bin")
    lump, cooked = cook_with(world, inputs=["none/*.h"])
    [warning] = cooked.warnings
    assert (
        str(warning)
        == "assets.yaml:3:3: warning[W0602]: pattern 'none/*.h' of the inputs of 'cooker' matches no file"
    )
    world.files["none/a.h"] = b""
    assert not all(still_answers(ask, world, lump) for ask in cooked.asks)


def test_a_depfile_may_name_what_the_tool_made(world: MemoryWorld, tmp_path: Path) -> None:
    shell(tmp_path / "bin/cooker", "touch fx/water.bin; echo 'x: fx/water.bin deps.d inc/light.h' > deps.d")
    assert [ask.kind for ask in asks(world, inputs=["inc/*.h"], depfile="deps.d")] == ["namesakes", "read"]


def test_the_same_inputs_give_the_same_products_and_asks(world: MemoryWorld, tmp_path: Path) -> None:
    python(
        tmp_path / "bin/cooker",
        "import os; open('fx/water.bin', 'w').write(repr(set('abcdef')) + str(sorted(os.listdir('.'))))",
    )
    one, other = (cook_with(world, inputs=["inc/**"])[1] for _ in range(2))
    assert one == other
