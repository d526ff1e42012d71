"""The JSON Schema for editors knows exactly the keys that the parser accepts, and takes what the parser takes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator
from tests.builders.documents import files_of, told_of
from tests.manifest.bad_documents import read_bad_documents
from tests.manifest.examples import INCLUDED, read_examples
from tests.manifest.test_values import WHOLE

from lumpyard.manifest import keys
from lumpyard.manifest.schema import json_schema

SCHEMA = json_schema()
EXAMPLES = [WHOLE, *read_examples()]

# Where in a manifest, and in the schema, each table of keys holds.
SECTIONS = [
    ("MANIFEST", "{0}", ()),
    ("DEFAULTS", "{{version: 1, defaults: {0}}}", ("defaults",)),
    ("SET", "{{version: 1, sets: {{a: {0}}}}}", ("sets", "*")),
    (
        "OVERRIDE",
        "{{version: 1, sets: {{a: {{files: b, overrides: [{0}]}}}}}}",
        ("sets", "*", "overrides", "[]"),
    ),
    ("COMPRESS", "{{version: 1, defaults: {{compress: {0}}}}}", ("defaults", "compress", "{}")),
    ("ARCHIVE", "{{version: 1, archives: {{a: {0}}}}}", ("archives", "*")),
    ("MOUNT", "{{version: 1, mounts: [{0}]}}", ("mounts", "{}", "[]", "{}")),
    ("TOOL", "{{version: 1, tools: {{a: {0}}}}}", ("tools", "*")),
    (
        "IDENTITY",
        "{{version: 1, tools: {{a: {{program: b, identity: {0}}}}}}}",
        ("tools", "*", "identity", "{}"),
    ),
    ("BUDGET", "{{version: 1, budgets: [{0}]}}", ("budgets", "[]")),
    ("SHIP", "{{version: 1, ship: {0}}}", ("ship",)),
    ("SHIP_COMPRESS", "{{version: 1, ship: {{compress: {0}}}}}", ("ship", "compress", "{}")),
]


def errors(document: str) -> list[str]:
    return [error.message for error in Draft202012Validator(SCHEMA).iter_errors(yaml.safe_load(document))]


def below(schema: dict[str, Any], steps: tuple[str, ...]) -> dict[str, Any]:
    """A part of the schema: a property, `*` any name's value, `[]` items, `{}` the map or list of an anyOf."""
    for step in steps:
        if step == "*":
            schema = schema["additionalProperties"]
        elif step == "[]":
            schema = schema["items"]
        elif step == "{}":
            schema = next(arm for arm in schema["anyOf"] if arm.get("type") in ("object", "array"))
        else:
            schema = schema["properties"][step]
    return schema


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert json.loads(json.dumps(SCHEMA)) == SCHEMA


def test_all_tables_of_keys_are_checked_here() -> None:
    tables = {name for name, value in vars(keys).items() if isinstance(value, dict) and name[0].isupper()}
    assert tables - {"SETTINGS"} == {name for name, _, _ in SECTIONS}


@pytest.mark.parametrize(("table", "document", "steps"), SECTIONS)
def test_the_schema_and_the_parser_know_the_same_keys(
    table: str, document: str, steps: tuple[str, ...]
) -> None:
    known = getattr(keys, table)
    part = below(SCHEMA, steps)
    assert part["additionalProperties"] is False
    assert set(part["properties"]) == set(known)
    assert all(value["description"] == known[name].doc for name, value in part["properties"].items())
    candidates = {name for value in vars(keys).values() if isinstance(value, dict) for name in value} | {"by"}
    refused = {
        problem.message.split("'")[1]
        for problem in told_of(
            files_of(document.format("{" + ", ".join(f"{name}: ~" for name in candidates) + "}"))
        )
        if problem.code == "E0120"
    }
    # `version: ~` stands alone, so at the top the known keys are tried without it.
    if table == "MANIFEST":
        rest = ", ".join(f"{name}: ~" for name in candidates - {"version"})
        told = told_of(files_of(f"{{version: 1, {rest}}}"))
        refused = {problem.message.split("'")[1] for problem in told if problem.code == "E0120"}
    assert candidates - refused == set(known)


@pytest.mark.parametrize("document", EXAMPLES)
def test_what_the_parser_takes_the_schema_takes(document: str) -> None:
    assert told_of({"assets.yaml": document, **INCLUDED}) == []
    assert errors(document) == []


@pytest.mark.parametrize(
    "document",
    [
        "version: 1\nsets: {a: {files: b, name: 12, rule: on, type: 1234}}",
        "version: 1\nsets: {a: {files: b, type: true}}",
    ],
)
def test_texts_that_yaml_makes_numbers_of_are_taken_by_both(document: str) -> None:
    assert told_of(files_of(document)) == []
    assert errors(document) == []


def test_most_of_what_keys_and_types_get_wrong_the_schema_sees_too() -> None:
    """Codes that are about keys, types and words, but for what YAML's own types hide."""
    unseen = []
    for document in read_bad_documents():
        text = document.files["assets.yaml"]
        structural = {told.code for told in document.told} <= {
            "E0120",
            "E0122",
            "E0123",
            "E0124",
            "E0125",
            "E0134",
        }
        if structural and len(document.files) == 1 and not errors(text):
            unseen.append(text.splitlines()[-1])
    assert unseen == [
        "sets: {a: {files: b, optional: yes}}",  # YAML 1.1 has it for true
        "sets: {a: {files: b, schema: 1.0}}",  # a whole number to JSON Schema
        "sets: {a: {files: b, schema: 012}}",  # octal in YAML 1.1
    ]


def test_descriptions_are_whole_sentences() -> None:
    for table in vars(keys).values():
        if isinstance(table, dict):
            for name, key in table.items():
                if isinstance(key, keys.Key):
                    assert key.doc.endswith("."), name


def test_the_schema_is_not_read_from_a_file() -> None:
    assert not list(Path(__file__).parents[2].joinpath("pipeline").rglob("*.schema.json"))
