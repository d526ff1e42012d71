"""The registry: rules of packages and rule files, what they are made of, what is said of broken ones."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from blake3 import blake3
from hypothesis import given
from hypothesis import strategies as st

from lumpyard.errors import Place, ProblemsError, RuleError
from lumpyard.manifest.model import Named
from lumpyard.registry import (
    CODES,
    Registered,
    RuleTable,
    describe,
    environment_versions,
    load_rules,
    options_of,
)
from lumpyard.registry.digest import rule_digest
from lumpyard.rule import Product, Rule

if TYPE_CHECKING:
    from collections.abc import Mapping

PLAIN = """\
from lumpyard.rule import Product, Rule

def cook(sources, options):
    return [Product({data})]

RULE = Rule(kind="level", version=1, cook=cook)
"""


def load(files: Mapping[str, str | bytes], *paths: str, root: str = "/project") -> RuleTable:
    """The rules of a project in memory; each path is listed in a line of its own, the first in line 1."""
    listed = [Named(path, Place("assets.yaml", number, 9)) for number, path in enumerate(paths, 1)]
    data = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
    return load_rules(listed, root, data.get)


def problems(files: Mapping[str, str | bytes], *paths: str) -> list[tuple[int, str, str]]:
    """Line, code and message of all problems."""
    with pytest.raises(ProblemsError) as caught:
        load(files, *paths)
    return [(problem.place.line, problem.code, problem.message) for problem in caught.value.problems]


def level(files: Mapping[str, str | bytes], path: str = "tools/level_rule.py") -> Registered:
    """The rule `level` of one rule file."""
    found = load(files, path).find("level")
    assert found is not None
    return found


def output(entry: Registered) -> bytes:
    """What a rule without sources makes."""
    (product,) = entry.rule.cook([], entry.rule.options())
    return product.data


# Installed packages


def test_the_built_in_rules_come_through_the_entry_points_of_the_package() -> None:
    text = (Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8")
    points = tomllib.loads(text)["project"]["entry-points"]["lumpyard.rules"]
    table = load({})
    assert set(points) <= set(table.by_kind)
    for kind in points:
        entry = table.by_kind[kind]
        assert entry.rule.kind == kind
        assert entry.distribution == "lumpyard"
        assert entry.origin.startswith("lumpyard ")
        assert entry.files == entry.missing == ()


@pytest.fixture
def install(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function that puts a distribution with one entry point, and a module, on the path."""
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)

    def install(name: str, point: str, module: str, code: str, version: str = "1.2") -> None:
        info = tmp_path / f"{name.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        (info / "entry_points.txt").write_text(f"[lumpyard.rules]\n{point} = {module}:RULE\n")
        (tmp_path / f"{module}.py").write_text(code)

    yield install
    for added in set(sys.modules) - before:
        del sys.modules[added]


def test_a_package_of_somebody_else_brings_its_rule(install: Any) -> None:
    install("acme-rules", "level", "acme_good", PLAIN.format(data="b'acme'"))
    table = load({})
    entry = table.by_kind["level"]
    assert (entry.origin, entry.distribution, output(entry)) == ("acme-rules 1.2", "acme-rules", b"acme")
    assert table.distributions == ("acme-rules", "lumpyard")
    assert environment_versions(["acme-rules", "no-such-thing"]) == {"acme-rules": "1.2", "no-such-thing": ""}


@pytest.mark.parametrize(
    ("point", "code", "message"),
    [
        (
            "level",
            "import no_such_module",
            "does not load: ModuleNotFoundError: No module named 'no_such_module'",
        ),
        ("level", "x = 1", "does not load: AttributeError: module 'acme_bad' has no attribute 'RULE'"),
        ("level", "raise SystemExit('stop\\nit')", "does not load: SystemExit: stop it"),
        ("level", "RULE = 1", "is a int, not a lumpyard.rule.Rule"),
        ("other", PLAIN, "is named 'other', but its rule has kind 'level'; both must be the same"),
        (
            "level",
            PLAIN.replace("version=1", "version=0"),
            "does not load: TypeError: rule 'level': version must be 1 or more",
        ),
        (
            "level",
            PLAIN.replace("version=1", "version=1, libraries=('no-such-lib',)"),
            "is not usable: rule 'level' needs no-such-lib, not installed here",
        ),
    ],
)
def test_a_broken_package_is_named_with_its_entry_point(
    install: Any, point: str, code: str, message: str
) -> None:
    install("acme-rules", point, "acme_bad", code.replace("{data}", "b''"))
    with pytest.raises(RuleError) as caught:
        load({})
    assert str(caught.value) == f"entry point '{point}' (acme_bad:RULE) of acme-rules 1.2 {message}"


def test_two_packages_with_one_kind_are_both_named(install: Any) -> None:
    install("acme-rules", "level", "acme_one", PLAIN.format(data="b''"))
    install("zeta-rules", "level", "zeta_two", PLAIN.format(data="b''"))
    with pytest.raises(
        RuleError, match=r"rule 'level' is in two distributions, acme-rules 1\.2 and zeta-rules 1\.2"
    ):
        load({})


# Suffixes


def rule(kind: str, *suffixes: str, **more: Any) -> Registered:
    made = Rule(kind=kind, version=1, cook=lambda *_: (), suffixes=set(suffixes), **more)
    return Registered(made, "here 1", "", "here")


TABLE = RuleTable(
    {entry.rule.kind: entry for entry in (rule("gz", ".gz"), rule("tar", ".tar.gz"), rule("b", ".gz"))}
)


@pytest.mark.parametrize(
    ("path", "kinds"),
    [
        ("a.gz", ["b", "gz"]),
        ("x/A.GZ", ["b", "gz"]),
        ("a.tar.gz", ["tar"]),
        ("a.b.Tar.Gz", ["tar"]),
        ("a.tar.gz.txt", []),
        ("a", []),
        (".gz", []),
        ("x/.gz", []),
        (".a.gz", ["b", "gz"]),
        ("x.gz/a", []),
        ("agz", []),
        ("", []),
    ],
)
def test_the_longest_suffix_of_the_file_name_wins(path: str, kinds: list[str]) -> None:
    assert [entry.rule.kind for entry in TABLE.for_suffix(path)] == kinds


@given(stem=st.text("ab./"), suffix=st.sampled_from([".gz", ".tar.gz"]))
def test_a_file_with_a_stem_and_a_suffix_has_a_rule(stem: str, suffix: str) -> None:
    found = TABLE.for_suffix(f"{stem}x{suffix}")
    assert [entry.rule.kind for entry in found] == (["tar"] if suffix == ".tar.gz" else ["b", "gz"])


# Digests


def test_a_rule_digest_changes_with_what_decides_its_output_and_with_nothing_else() -> None:
    def digest(code: Mapping[str, bytes] = {}, lib: str = "1", **rule: Any) -> str:
        values = {"kind": "x", "version": 1, "cook": print, "libraries": ("lib",), **rule}
        return rule_digest(Rule(**values), {"lib": lib}, code)

    base = digest()
    assert base == digest(summary="other", suffixes={".x"}, costly=True, cook=repr) == digest(code={})
    changed = [
        digest(kind="y"),
        digest(version=2),
        digest(lib="2"),
        digest(libraries=()),
        digest(code={"a.py": b""}),
        digest(code={"a.py": b"1"}),
        digest(code={"b.py": b"1"}),
        digest(code={"a.py": b"", "b.py": b"1"}),
    ]
    assert len({base, *changed}) == len(changed) + 1


def test_the_digest_is_a_known_value() -> None:
    """It enters every cook digest: a change of it recooks every project."""
    made = Rule(kind="level", version=3, cook=lambda *_: (), libraries=("b", "a"))
    fields = ["lumpyard rule 1", "level", "3", "library", "a 1", "library", "b 2", "file", "t/r.py", "code"]
    expected = blake3(b"".join(len(field).to_bytes(8, "little") + field.encode() for field in fields))
    assert rule_digest(made, {"a": "1", "b": "2"}, {"t/r.py": b"code"}) == expected.hexdigest()


# Local rule files


def test_a_rule_file_is_loaded_with_its_path_as_origin() -> None:
    entry = level({"tools/level_rule.py": PLAIN.format(data="b'one'")})
    assert (entry.origin, entry.distribution, entry.files) == (
        "tools/level_rule.py",
        "",
        ("tools/level_rule.py",),
    )
    assert output(entry) == b"one"


def test_a_second_load_sees_the_new_code() -> None:
    first = level({"tools/level_rule.py": PLAIN.format(data="b'one'")})
    second = level({"tools/level_rule.py": PLAIN.format(data="b'two'")})
    assert (output(first), output(second)) == (b"one", b"two")
    assert first.digest != second.digest
    assert first.digest == level({"tools/level_rule.py": PLAIN.format(data="b'one'")}).digest


HELPERS = {
    "tools/level_rule.py": PLAIN.replace("{data}", "format()").replace(
        "\ndef", "\nfrom level_format import format\n\ndef"
    ),
    "tools/level_format.py": """\
from shared.magic import MAGIC

def format():
    import late
    return MAGIC + late.END
""",
    "shared/magic.py": "MAGIC = b'LVL'",
    "late.py": "END = b'!'",
    "unrelated.py": "raise ValueError",
}


def test_modules_that_a_rule_imports_are_found_in_its_folder_and_the_project() -> None:
    entry = level(HELPERS)
    assert entry.files == ("late.py", "shared/magic.py", "tools/level_format.py", "tools/level_rule.py")
    assert output(entry) == b"LVL!"


@pytest.mark.parametrize("path", ["tools/level_format.py", "shared/magic.py", "late.py"])
def test_an_edit_of_an_imported_module_changes_the_digest_and_runs(path: str) -> None:
    before = level(HELPERS)
    after = level(
        {
            **HELPERS,
            path: HELPERS[path].replace("LVL", "NEW").replace("!", "?").replace("format():", "format(x=1):"),
        }
    )
    assert before.digest != after.digest
    assert output(after) == (output(before) if "format" in path else output(after))
    assert output(before) == b"LVL!"
    if path == "late.py":
        assert output(after) == b"LVL?"


def test_a_file_that_would_be_imported_instead_is_among_the_missing() -> None:
    before = level(HELPERS)
    assert "tools/late.py" in before.missing
    assert not set(before.missing) & set(HELPERS)
    after = level({**HELPERS, "tools/late.py": "END = b'#'"})
    assert output(after) == b"LVL#"
    assert "tools/late.py" in after.files


def test_every_file_that_appears_and_changes_a_load_was_among_the_missing() -> None:
    names = ("late", "shared", "magic", "level_format", "shared/magic", "level_rule", "tools")
    candidates = {
        f"{folder}{name}{end}"
        for folder in ("", "tools/")
        for name in names
        for end in (".py", "/__init__.py")
    }
    before = level(HELPERS)
    for path in sorted(candidates - set(HELPERS)):
        try:
            changed = level({**HELPERS, path: "X = 1"}).digest != before.digest
        except ProblemsError:
            changed = True
        assert not changed or path in before.missing, path


@pytest.mark.parametrize(
    ("imports", "files"),
    [
        ("import pack.deep.leaf as m", {"pack/__init__.py", "pack/deep/__init__.py", "pack/deep/leaf.py"}),
        (
            "from pack.deep import leaf as m",
            {"pack/__init__.py", "pack/deep/__init__.py", "pack/deep/leaf.py"},
        ),
        (
            "import pack.deep.leaf\nm = pack.deep.leaf",
            {"pack/__init__.py", "pack/deep/__init__.py", "pack/deep/leaf.py"},
        ),
        (
            "from pack import sibling as m",
            {"pack/__init__.py", "pack/sibling.py", "pack/deep/__init__.py", "pack/deep/leaf.py"},
        ),
        ("from . import beside as m", {"tools/beside.py"}),
        ("from .beside import *\nm = M", {"tools/beside.py"}),
        ("from ..bare import thing as m", {"bare/thing.py"}),
        ("import tools.beside\nm = tools.beside", {"tools/beside.py"}),
        ("import beside as m", {"tools/beside.py"}),
        ("from bare import thing as m", {"bare/thing.py"}),
        ("import circle_a as m", {"circle_a.py", "circle_b.py"}),
        ("try:\n    import no_such as m\nexcept ImportError:\n    import beside as m", {"tools/beside.py"}),
        ("def late():\n    global m\n    import beside as m\nlate()", {"tools/beside.py"}),
    ],
)
def test_every_form_of_import_works(imports: str, files: set[str]) -> None:
    world = {
        "pack/__init__.py": "",
        "pack/deep/__init__.py": "",
        "pack/deep/leaf.py": "VALUE = b'yes'",
        "pack/sibling.py": "from .deep.leaf import VALUE",
        "tools/beside.py": "VALUE = b'yes'\nclass M:\n    VALUE = b'yes'\n",
        "bare/thing.py": "VALUE = b'yes'",
        "circle_a.py": "import circle_b\nVALUE = b'yes'",
        "circle_b.py": "import circle_a",
    }
    code = PLAIN.replace("{data}", "m.VALUE").replace("\n\ndef", f"\n{imports}\n\ndef", 1)
    path = "deep/tools/level_rule.py" if ".." in imports else "tools/level_rule.py"
    if ".." in imports:
        world = {f"deep/{name}": text for name, text in world.items()}
        files = {f"deep/{name}" for name in files}
    entry = level({**world, path: code}, path)
    assert output(entry) == b"yes"
    assert set(entry.files) == {path, *files}


def test_the_standard_library_and_lumpyard_are_never_shadowed() -> None:
    files = {
        "tools/level_rule.py": PLAIN.replace("{data}", "json.dumps(1).encode()").replace(
            "\n\ndef", "\nimport json\n\ndef"
        ),
        "tools/json.py": "raise ValueError",
        "lumpyard/rule.py": "raise ValueError",
    }
    entry = level(files)
    assert output(entry) == b"1"
    assert entry.files == ("tools/level_rule.py",)


def test_helpers_of_one_name_in_two_folders_are_two_modules() -> None:
    files = {
        f"{name}/rule.py": PLAIN.replace("{data}", "helper.NAME")
        .replace("level", name)
        .replace("\n\ndef", "\nimport helper\n\ndef")
        for name in ("one", "two")
    }
    helpers = {f"{name}/helper.py": f"NAME = b'{name}'" for name in ("one", "two")}
    table = load({**files, **helpers}, "one/rule.py", "two/rule.py")
    assert [output(table.by_kind[name]) for name in ("one", "two")] == [b"one", b"two"]
    assert table.files == ("one/helper.py", "one/rule.py", "two/helper.py", "two/rule.py")


def test_nothing_is_left_behind(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for path, text in HELPERS.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)

    def read(path: str) -> bytes | None:
        return (tmp_path / path).read_bytes() if (tmp_path / path).exists() else None

    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    before, search = set(sys.modules), list(sys.path)
    table = load_rules([Named("tools/level_rule.py", Place("assets.yaml"))], str(tmp_path), read)
    assert output(table.by_kind["level"]) == b"LVL!"
    assert {path for _, _, names in os.walk(tmp_path) for path in names} == {
        os.path.basename(path) for path in HELPERS
    }
    assert all("#" in name for name in set(sys.modules) - before)
    assert sys.path == search


def test_a_rule_file_that_fails_leaves_no_module_behind() -> None:
    before = set(sys.modules)
    problems({**HELPERS, "late.py": "x", "tools/level_rule.py": "import late"}, "tools/level_rule.py")
    assert set(sys.modules) == before


def test_options_of_a_rule_file_may_be_written_with_postponed_annotations() -> None:
    code = """\
from __future__ import annotations
from dataclasses import dataclass, field
from typing import Literal
from lumpyard.rule import Rule

@dataclass(frozen=True, slots=True)
class Options:
    size: int
    kind: Literal["a", "b"] = field(default="a", metadata={"doc": "which one"})
    names: tuple[str, ...] = ("x",)
    limit: float | None = None

RULE = Rule(kind="level", version=1, cook=lambda s, o: [], options=Options)
"""
    assert [option[2:] for option in options_of(level({"tools/level_rule.py": code}).rule)] == [
        ("int", True, None, ""),
        ("a|b", False, "a", "which one"),
        ("list[str]", False, ("x",), ""),
        ("float|null", False, None, ""),
    ]


def test_a_file_may_define_several_rules() -> None:
    code = PLAIN.format(data="b''") + 'RULES = [RULE, Rule(kind="other", version=1, cook=cook)]\n'
    table = load({"r.py": code}, "r.py")
    assert {"level", "other"} <= set(table.by_kind)
    assert table.by_kind["level"].files == table.by_kind["other"].files == ("r.py",)


def line_of(message: str) -> str:
    return message.replace("{data}", "b''")


@pytest.mark.parametrize(
    ("files", "code", "message"),
    [
        ({}, "E0301", "there is no rule file r.py"),
        ({"r.py": "x = 1\ndef ("}, "E0302", "r.py:2 is not Python: SyntaxError: "),
        ({"r.py": b"x = 1\0"}, "E0302", "r.py is not Python: "),
        ({"r.py": b"x = '\xff'"}, "E0302", "r.py"),
        ({"r.py": "x = " + "(" * 9999}, "E0302", "r.py"),
        ({"r.py": "x = 1\n\n1 / 0"}, "E0303", "r.py:3 fails to load: ZeroDivisionError: division by zero"),
        ({"r.py": "import h", "h.py": "\n1 / 0"}, "E0303", "h.py:2 fails to load: ZeroDivisionError"),
        (
            {"r.py": "import h", "h.py": "\n\nx ="},
            "E0303",
            "h.py:3 fails to load: SyntaxError: invalid syntax",
        ),
        (
            {"r.py": "\nimport no_such"},
            "E0303",
            "r.py:2 fails to load: ModuleNotFoundError: No module named 'no_such'",
        ),
        (
            {"r.py": "from . import h"},
            "E0303",
            "r.py:1 fails to load: ImportError: attempted relative import",
        ),
        (
            {"r.py": "from h import x", "h.py": ""},
            "E0303",
            "r.py:1 fails to load: ImportError: cannot import name 'x'",
        ),
        ({"r.py": "raise SystemExit(3)"}, "E0303", "r.py:1 fails to load: SystemExit: 3"),
        ({"r.py": "x = 1"}, "E0304", "r.py defines neither RULE nor RULES"),
        ({"r.py": "RULE = 'x'"}, "E0304", "RULE of r.py is a str, not a lumpyard.rule.Rule"),
        ({"r.py": "RULES = 'x'"}, "E0304", "RULES of r.py is a str, not a list or tuple of Rule"),
        (
            {"r.py": PLAIN.replace("version=1", "version=1, libraries=('no-such-lib',)")},
            "E0304",
            "r.py: rule 'level' needs no-such-lib, not installed here",
        ),
        (
            {"r.py": PLAIN.replace("version=1", "version=1, options=int")},
            "E0303",
            "r.py:6 fails to load: TypeError: rule 'level': options must be a frozen dataclass",
        ),
        (
            {"r.py": PLAIN.replace('"level"', '"text"')},
            "E0305",
            "rule kind 'text' of r.py is already taken by lumpyard ",
        ),
    ],
)
def test_a_broken_rule_file_is_a_problem_in_the_manifest(
    files: dict[str, str | bytes], code: str, message: str
) -> None:
    files = {path: line_of(text) if isinstance(text, str) else text for path, text in files.items()}
    ((line, found, text),) = problems(files, "r.py")
    assert (line, found) == (1, code)
    assert text.startswith(message)
    assert "\n" not in text
    assert code in CODES


def test_the_problems_of_all_rule_files_come_at_once() -> None:
    files = {"a.py": "1 / 0", "c.py": "RULE = 1", "d.py": PLAIN.format(data="b''")}
    found = problems(files, "a.py", "b.py", "c.py", "d.py", "d.py")
    assert [(line, code) for line, code, _ in found] == [
        (1, "E0303"),
        (2, "E0301"),
        (3, "E0304"),
        (5, "E0305"),
    ]
    assert found[-1][2] == "rule kind 'level' of d.py is listed twice"


def test_a_broken_rule_package_is_told_before_rule_files(install: Any) -> None:
    install("acme-rules", "level", "acme_worse", "1 / 0")
    with pytest.raises(RuleError):
        load({"a.py": "1 / 0"}, "a.py")


def test_an_option_may_be_a_list_of_entries_of_several_keys() -> None:
    code = (
        "from dataclasses import dataclass\nfrom lumpyard.rule import Rule\n"
        "@dataclass(frozen=True)\nclass Entry:\n    id: str\n    x: float | None = None\n"
        "@dataclass(frozen=True)\nclass Options:\n    ignore: tuple[Entry, ...] = (Entry('a'),)\n"
        "RULE = Rule(kind='level', version=1, cook=print, options=Options)"
    )
    (option,) = next(entry for entry in describe(load({"r.py": code}, "r.py")) if entry["kind"] == "level")[
        "options"
    ]
    assert (option["type"], option["default"]) == ("list[{id, x?}]", [{"id": "a", "x": None}])


def test_an_interrupt_while_a_rule_file_runs_is_no_problem_of_it() -> None:
    with pytest.raises(KeyboardInterrupt):
        load({"r.py": "raise KeyboardInterrupt"}, "r.py")


@pytest.mark.parametrize(
    "hint", ["dict[str, int]", "list[int]", "tuple[int, int]", "bytes", "int | str", "'Literal[1]'"]
)
def test_an_option_that_no_manifest_can_set_is_refused(hint: str) -> None:
    code = (
        "from dataclasses import dataclass\nfrom typing import Literal\nfrom lumpyard.rule import Rule\n"
        f"@dataclass(frozen=True)\nclass Options:\n    bad: {hint} = None\n"
        "RULE = Rule(kind='level', version=1, cook=print, options=Options)"
    )
    ((_, code_found, text),) = problems({"r.py": code}, "r.py")
    assert code_found == "E0304"
    assert "option bad has type" in text


# For builds that have nothing to do


def test_the_registry_imports_nothing_heavy_until_rules_are_loaded() -> None:
    code = "import sys, lumpyard.registry; print(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"importlib.metadata", "blake3", "xxhash", "lz4", "yaml", "rich", "json", "lumpyard_rules"}
    assert not heavy & set(result.stdout.split())


# For people


def test_a_description_is_plain_json_sorted_by_kind() -> None:
    described = describe(load({}))
    assert json.loads(json.dumps(described)) == described
    kinds = [entry["kind"] for entry in described]
    assert kinds == sorted(kinds)
    text = next(entry for entry in described if entry["kind"] == "text")
    assert text["options"][0] == {
        "name": "newline",
        "type": "lf|crlf|keep",
        "required": False,
        "default": "lf",
        "doc": "what every LF, CR LF or lone CR becomes",
    }
    assert all(option["doc"] for entry in described for option in entry["options"])
    assert all(entry["summary"] for entry in described)


def test_products_default_to_the_one_announced_lump() -> None:
    made = Rule(kind="x", version=1, cook=lambda *_: [Product(b"")])
    assert made.products("name", made.options()) == ("name",)
