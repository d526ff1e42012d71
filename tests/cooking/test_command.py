"""Rule `command`: templates of arguments, outputs and inputs, and what can be wrong with them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, ClassVar

import pytest
from tests.builders.programs import a_tool, python, shell
from tests.builders.world import MemoryWorld, a_lump, a_recipe, still_answers

from lumpyard.build.cooking.cook import cook
from lumpyard.errors import CookError
from lumpyard_rules.command import RULE, CommandOptions, products

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from typing import Any

    from lumpyard.build.cooking.cook import Cooked


SHOW = "import sys; open('fx/water.bin', 'w').write('|'.join(sys.argv[1:]))"


def options(*args: str, outputs: tuple[str, ...] = ("{stem}.bin",), **more: Any) -> CommandOptions:
    made = CommandOptions(tool="cooker", args=args, outputs=outputs, **more)
    assert made.check() == ""
    return made


class FakeSource:
    """A source that shows what it is asked to run."""

    name = "lumps/water"
    data = b"water"

    def __init__(self, path: str = "fx/water.hlsl") -> None:
        self.path = path
        self.orders: list[tuple[tuple[str, ...], dict[str, Any]]] = []
        self.problems: list[str] = []

    def run(self, tool: str, args: Sequence[str], **more: Any) -> dict[str, bytes]:
        self.orders.append(((tool, *args), more))
        return {path: path.encode() for path in more["outputs"]}

    def read(self, path: str) -> bytes:
        raise FileNotFoundError(path)

    def exists(self, path: str) -> bool:
        return not path

    def glob(self, pattern: str) -> Sequence[str]:
        return [pattern]

    def problem(self, message: str, **_: object) -> None:
        self.problems.append(message)


def args_of(
    *args: str, source: FakeSource | None = None, sources: Sequence[FakeSource] | None = None, **more: Any
) -> list[str]:
    sources = sources or [source or FakeSource()]
    list(RULE.cook(sources, options(*args, **more)))
    return list(sources[0].orders[0][0][1:])


# --- templates -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("-O3", "-O3"),
        ("{in}", "fx/water.hlsl"),
        ("-i={in}", "-i=fx/water.hlsl"),
        ("{out}", "fx/water.bin"),
        ("-o{out}", "-ofx/water.bin"),
        ("{out1}", "fx/water.bin"),
        ("{path} {dir} {stem} {suffix}", "fx/water.hlsl fx/ water .hlsl"),
        ("{dir}{stem}{suffix}", "fx/water.hlsl"),
        ("{name}", "lumps/water"),
        ('{{"a": "{stem}"}}', '{"a": "water"}'),
        ("{{in}}", "{in}"),
        ("", ""),
    ],
)
def test_an_argument_is_filled(text: str, filled: str) -> None:
    assert args_of(text) == [filled]


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("water.hlsl", "|water|.hlsl"),
        ("a/b.tar.gz", "a/|b.tar|.gz"),
        ("a/plain", "a/|plain|"),
        ("a/.hidden", "a/|.hidden|"),
        ("a.b/..x", "a.b/|..x|"),
        ("a.b/.x.y", "a.b/|.x|.y"),
    ],
)
def test_paths_are_taken_apart_as_names_of_sets_do_it(path: str, parts: str) -> None:
    from lumpyard.plan.names import split_path

    assert args_of("{dir}|{stem}|{suffix}", source=FakeSource(path)) == [parts]
    assert "|".join(split_path(path)) == parts


def test_a_value_with_braces_is_not_filled_again() -> None:
    assert args_of("{stem}", source=FakeSource("{name}.x")) == ["{name}"]


def test_a_path_is_never_taken_for_an_option() -> None:
    source = FakeSource("-rf.hlsl")
    assert args_of("{in}", "{out}", "{stem}", source=source) == ["./-rf.hlsl", "./-rf.bin", "-rf"]
    assert source.orders[0][1]["outputs"] == ["-rf.bin"]


def test_an_argument_that_is_just_in_or_out_stands_for_all_of_them() -> None:
    sources = [FakeSource("a.png"), FakeSource("b.png")]
    made = args_of("{in}", "-o", "{out}", "{out2}", sources=sources, outputs=("x.bin", "{stem}.idx"))
    assert made == ["a.png", "b.png", "-o", "x.bin", "a.idx", "a.idx"]


def test_one_source_inside_an_argument_is_a_problem_where_several_are_gathered() -> None:
    sources = [FakeSource("a.png"), FakeSource("b.png")]
    args_of("-i={in}", sources=sources)
    assert sources[0].problems == ["argument '-i={in}' has {in} in it, but 2 sources are gathered"]


def test_inputs_are_filled_and_stay_globs_for_exactly_the_path() -> None:
    source = FakeSource("f[x]*/wa?er.hlsl")
    list(RULE.cook([source], options("{in}", inputs=("{dir}**/*.h", "!{dir}{stem}.h", "inc/*.h"))))
    assert source.orders[0][1]["inputs"] == ["f[[]x][*]/**/*.h", "!f[[]x][*]/wa[?]er.h", "inc/*.h"]


@pytest.mark.parametrize(
    ("kind", "file"), [("make", ".lumpyard-depfile.d"), ("json", ".lumpyard-depfile.json")]
)
def test_the_depfile_lies_in_the_scratch_folder(kind: str, file: str) -> None:
    source = FakeSource()
    assert args_of("{in}", "-MF", "{depfile}", "-X{depfile}", source=source, depfile=kind)[1:] == [
        "-MF",
        file,
        f"-X{file}",
    ]
    assert source.orders[0][1]["depfile"] == file


# --- products ------------------------------------------------------------------------------------


def test_one_output_is_the_lump_under_its_own_name() -> None:
    assert products("lumps/water", options("{in}")) == ("lumps/water",)
    [product] = RULE.cook([FakeSource()], options("{in}"))
    assert product == (b"fx/water.bin", None, None, None)


def test_several_outputs_are_named_by_the_templates_in_the_folder_of_the_name() -> None:
    chosen = options("{in}", outputs=("{stem}.vs", "sub/{stem}{suffix}.ps"))
    assert products("lumps/wa.ter", chosen) == ["lumps/wa.vs", "lumps/sub/wa.ter.ps"]
    made = RULE.cook([FakeSource()], chosen)
    assert [(p.name, p.data) for p in made] == [
        ("lumps/water.vs", b"fx/water.vs"),
        ("lumps/sub/water.ps", b"fx/sub/water.hlsl.ps"),
    ]


def test_it_is_costly() -> None:
    """design.md, section 7: "rules marked `costly`, by default `command`"."""
    assert RULE.costly


# --- options -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"args": ("{inn}",)}, "unknown field {inn} in '{inn}'; there are {path}, {dir}, {stem}, {suffix},"),
        ({"args": ("{",)}, "a brace without its partner in '{'; a brace itself is written twice"),
        ({"args": ("a}",)}, "a brace without its partner in 'a}'; a brace itself is written twice"),
        ({"args": ("{out2}",)}, "unknown field {out2} in '{out2}'; there are "),
        ({"args": ("-o{out}",), "outputs": ("a", "b")}, "argument '-o{out}' has {out} in it, but there"),
        ({"inputs": ("{in}/*.h",)}, "unknown field {in} in '{in}/*.h'; there are {path}, {dir},"),
        ({"outputs": ()}, "`outputs` is empty: name the files that the tool makes"),
        ({"outputs": ("a", "a")}, "two of `outputs` are the same"),
        ({"outputs": ("{dir}{stem}.bin",)}, "output '{dir}{stem}.bin' has {dir} or {path}; outputs are"),
        ({"outputs": ("../{stem}.bin",)}, "output '../{stem}.bin' is not a plain relative path"),
        ({"outputs": ("/{stem}.bin",)}, "output '/{stem}.bin' is not a plain relative path"),
        ({"outputs": ("a\\b",)}, "output 'a\\b' is not a plain relative path"),
        ({"outputs": ("",)}, "output '' is not a plain relative path"),
        ({"outputs": ("{name}",)}, "unknown field {name} in '{name}'; there are {stem}, {suffix}"),
        ({"depfile": "make"}, "`depfile` is set, but no argument has `{depfile}`"),
        ({"args": ("{depfile}",)}, "`{depfile}` is among the arguments; say `depfile: make` or"),
        ({"timeout": 0.0}, "`timeout` is more than 0 and at most 86400 seconds"),
        ({"timeout": float("inf")}, "`timeout` is more than 0 and at most 86400 seconds"),
    ],
)  # fmt: skip
def test_options_that_cannot_work_are_said_before_anything_is_cooked(more: Any, says: str) -> None:
    chosen = CommandOptions(**{"tool": "cooker", "args": ("{in}",), "outputs": ("{stem}.bin",)} | more)
    assert chosen.check().startswith(says)


def test_the_registry_can_offer_its_options() -> None:
    from lumpyard.registry import options_of

    assert [(option.name, option.type, option.required) for option in options_of(RULE)] == [
        ("tool", "str", True),
        ("args", "list[str]", True),
        ("outputs", "list[str]", True),
        ("inputs", "list[str]", False),
        ("depfile", "make|json|null", False),
        ("env", "list[str]", False),
        ("timeout", "float", False),
    ]


# --- end to end ----------------------------------------------------------------------------------

COMPILER = """
import sys, re, pathlib
source, out, depfile, *folders = sys.argv[1:]
needed = [source]
def expand(text):
    def included(match):
        for folder in folders:
            path = pathlib.Path(folder, match[1])
            if path.exists():
                needed.append(str(path))
                return expand(path.read_text())
        sys.exit(f"{source}: no {match[1]}")
    return re.sub(r"<(.+?)>", included, text)
pathlib.Path(out).write_text(expand(pathlib.Path(source).read_text()))
pathlib.Path(depfile).write_text(f"{out}: " + " ".join(name.replace(" ", "\\\\ ") for name in needed))
"""


@pytest.mark.skipif(os.name != "posix", reason="the programs are scripts")
class TestCompiler:
    """A compiler that looks for includes along folders, as shader compilers do."""

    FILES: ClassVar = {
        "fx/water.hlsl": b"<light.h> water",
        "fx/stone.hlsl": b"<noise.h> stone",
        "inc/light.h": b"<the math.h>light",
        "inc/the math.h": b"math",
        "inc/noise.h": b"noise",
    }

    @pytest.fixture
    def world(self, tmp_path: Path) -> MemoryWorld:
        python(tmp_path / "bin/cooker", COMPILER)
        return MemoryWorld(self.FILES, tools={"cooker": a_tool("bin/cooker")}, root=str(tmp_path))

    RECIPE = a_recipe(
        RULE,
        options(
            "{in}", "{out}", "{depfile}", "local", "inc", inputs=("inc/*.h", "local/*.h"), depfile="make"
        ),
    )

    def build(
        self, world: MemoryWorld, kept: dict[tuple[str, bytes], Cooked]
    ) -> tuple[list[str], dict[str, bytes]]:
        """Cook what must be, as an engine would; the lumps cooked, and all products."""
        now, made = [], {}
        for path in ("fx/stone.hlsl", "fx/water.hlsl"):
            lump = a_lump(self.RECIPE, path)
            found = kept.get((path, world.files[path]))
            if found is None or not all(still_answers(ask, world, lump) for ask in found.asks):
                found = cook(lump, [world.files[path]], world)
                now.append(path)
            kept[path, world.files[path]] = found
            made[path] = found.products[0].data
        return now, made

    @pytest.mark.parametrize(
        ("change", "redone"),
        [
            ({}, []),
            ({"inc/the math.h": b"MATH"}, ["fx/water.hlsl"]),
            ({"inc/noise.h": b"NOISE"}, ["fx/stone.hlsl"]),
            ({"local/light.h": b"ahead"}, ["fx/water.hlsl"]),
            ({"local/the math.h": b"ahead"}, ["fx/water.hlsl"]),
            ({"local/unused.h": b"unused"}, []),
            ({"inc/unused.h": b"unused"}, []),
        ],
    )
    def test_a_change_redoes_what_it_reaches_and_nothing_else(
        self, world: MemoryWorld, change: Mapping[str, bytes], redone: list[str]
    ) -> None:
        kept: dict[tuple[str, bytes], Cooked] = {}
        assert self.build(world, kept)[0] == ["fx/stone.hlsl", "fx/water.hlsl"]
        world.files.update(change)
        now, made = self.build(world, kept)
        assert now == redone
        assert made == self.build(world, {})[1]
        assert self.build(world, kept)[0] == []

    def test_a_missing_include_is_said_by_the_tool(self, world: MemoryWorld) -> None:
        del world.files["inc/the math.h"]
        with pytest.raises(
            CookError, match=r"(?s)tool 'cooker' ended with status 1\nfx/water.hlsl: no the math.h"
        ):
            self.build(world, {})


@pytest.mark.skipif(os.name != "posix", reason="the programs are scripts")
def test_the_name_of_the_lump_counts_only_where_it_is_used(tmp_path: Path) -> None:
    shell(tmp_path / "bin/cooker", "touch fx/water.bin fx/water.vs")
    world = MemoryWorld({}, tools={"cooker": a_tool("bin/cooker")}, root=str(tmp_path))
    for chosen, counts in (
        (options("{in}"), False),
        (options("{name}"), True),
        (options("{in}", outputs=("{stem}.bin", "{stem}.vs")), True),
    ):
        lump = a_lump(
            a_recipe(RULE, chosen), "fx/water.hlsl", name="n/w", products=tuple(products("n/w", chosen))
        )
        cooked = cook(lump, [b""], world)
        assert ("name" in [ask.kind for ask in cooked.asks]) is counts
