"""docs/rules.md says what is true: its code runs, its tables are the registry's."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
import yaml
from tests.builders.source import FakeSource, cooked

from lumpyard.errors import Place
from lumpyard.manifest.model import Named
from lumpyard.registry import CODES, GROUP, describe, load_rules, options_of
from lumpyard.rule import Rule

PAGE = (Path(__file__).parents[2] / "docs/rules.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    """The code blocks of a language, in order."""
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def rule_of(code: str) -> Rule:
    """The rule of a rule file."""
    path = "tools/dialogue_rule.py"
    table = load_rules([Named(path, Place("assets.yaml"))], "/project", {path: code.encode()}.get)
    return next(entry.rule for entry in table.by_kind.values() if entry.origin == path)


def test_the_rule_in_ten_lines_cooks() -> None:
    code = blocks("python")[0]
    assert len(code.strip().splitlines()) <= 10
    rule = rule_of(code)
    source, data = cooked(rule, "dialogues/inn.dlg", b"Good evening.\nA room?\n")
    assert source.reported == []
    assert data == b"\2\0\0\0Good evening.\0A room?\0"
    assert (rule.fourcc, rule.schema, rule.suffixes) == ("DLOG", 1, {".dlg"})
    source, _ = cooked(rule, "dialogues/inn.dlg", b"\xff")
    assert source.errors == ["byte 0xff is not UTF-8 here (invalid start byte)"]


def test_the_shader_rule_follows_includes_in_its_search_order() -> None:
    rule = rule_of(blocks("python")[1])
    files = {"shaders/base/a": b'a #include "b"', "shaders/base/b": b"b", "shaders/mod/b": b"mod"}
    source = FakeSource("x.shader", b'<#include "a">', files=files)
    (product,) = rule.cook([source], rule.options())
    assert product.data == b"<a mod>"
    assert source.asked == [
        "exists shaders/mod/a",
        "exists shaders/base/a",
        "read shaders/base/a",
        "exists shaders/mod/b",
        "read shaders/mod/b",
    ]


def test_the_options_are_of_types_that_a_manifest_can_set() -> None:
    end = "from lumpyard.rule import Rule\nRULE = Rule(kind='x', version=1, cook=print, options=DialogueOptions)"
    rule = rule_of(blocks("python")[2] + end)
    assert [option.type for option in options_of(rule)] == ["en|de", "int"]
    assert rule.options(max_lines=-1).check() == "max_lines is -1; it must be 0 or more"


@pytest.mark.parametrize("text", blocks("yaml"))
def test_the_yaml_is_yaml(text: str) -> None:
    assert yaml.safe_load(text)


def test_the_package_announces_the_rule_under_its_kind() -> None:
    (text,) = blocks("toml")
    assert tomllib.loads(text)["project"]["entry-points"][GROUP] == {"dialogue": "acme_rules.dialogue:RULE"}


def test_the_fields_of_a_rule_are_all_explained() -> None:
    table = PAGE.split("## What a rule is")[1].split("\n## ")[0]
    explained = re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
    assert {name for names in explained for name in re.findall(r"`(\w+)`", names)} == set(
        Rule.__dataclass_fields__
    )


def test_the_codes_are_those_of_the_registry() -> None:
    assert dict(re.findall(r"^\| (E03\d\d) \| (.*) \|$", PAGE, re.MULTILINE)) == CODES


def test_the_table_of_built_in_rules_is_what_the_registry_says() -> None:
    """Put what this test wants between the two marks when a rule has changed."""
    assert PAGE.split("<!-- rules -->\n")[1].split("<!-- /rules -->")[0] == built_in_table()


def built_in_table() -> str:
    """The rules, and their options, as Markdown."""
    table = load_rules((), ".", lambda _path: None)
    rules = [rule for rule in describe(table) if table.by_kind[rule["kind"]].distribution == "lumpyard"]
    lines = ["| rule | does | suffixes | type | schema |", "|---|---|---|---|---|"]
    for rule in rules:
        suffixes = " ".join(f"`{suffix}`" for suffix in rule["suffixes"])
        fourcc = f"`{rule['fourcc']}`" if rule["fourcc"] else ""
        does = rule["summary"] + ("; costly" if rule["costly"] else "")
        lines.append(f"| `{rule['kind']}` | {does} | {suffixes} | {fourcc} | {rule['schema']} |")
    lines += ["", "| rule | option | type | default | meaning |", "|---|---|---|---|---|"]
    for rule in rules:
        for option in rule["options"]:
            kind = option["type"].replace("|", " \\| ")
            default = "must be set" if option["required"] else f"`{shown(option['default'])}`"
            lines.append(f"| `{rule['kind']}` | `{option['name']}` | {kind} | {default} | {option['doc']} |")
    return "\n".join(lines) + "\n"


def shown(value: object) -> str:
    """A default as YAML."""
    return value if isinstance(value, str) else json.dumps(value)
