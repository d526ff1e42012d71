"""Rule files of a project: how they and what they import are loaded, and what a change of them changes."""

from __future__ import annotations

import os
import sys
from typing import Any

import pytest
from tests.builders.rule_files import PLAIN, level, load, output, problems

from lumpyard.errors import Place, ProblemsError
from lumpyard.manifest.model import Named
from lumpyard.registry import (
    load_rules,
)


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
