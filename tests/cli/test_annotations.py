"""What `check` writes for CI: workflow commands nobody breaks out of, and SARIF that scanners take."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lumpyard.console.annotations import github_lines, problem_data, sarif
from lumpyard.errors import Place, Problem
from lumpyard.maps.checks import IDS

PLACES = st.builds(Place, st.text(min_size=1), st.integers(0, 99), st.integers(0, 99))
PROBLEMS = st.builds(Problem, PLACES, st.sampled_from(["E0104", "W0201"]), st.text(), st.text())

SARIF_TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}
DESCRIPTIONS = ("shortDescription", "fullDescription", "help")
# The part of the SARIF 2.1.0 schema that we use; like the whole one, it knows no other properties.
SARIF: dict[str, Any] = {
    "type": "object",
    "required": ["version", "runs"],
    "additionalProperties": False,
    "properties": {
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["tool", "results"],
                "additionalProperties": False,
                "properties": {
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "additionalProperties": False,
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name"],
                                "additionalProperties": False,
                                "properties": {
                                    "name": {"type": "string"},
                                    "version": {"type": "string"},
                                    "rules": {
                                        "type": "array",
                                        "uniqueItems": True,
                                        "items": {
                                            "type": "object",
                                            "required": ["id", "shortDescription", "help"],
                                            "additionalProperties": False,
                                            "properties": {
                                                "id": {"type": "string"},
                                                **dict.fromkeys(DESCRIPTIONS, SARIF_TEXT),
                                            },
                                        },
                                    },
                                },
                            }
                        },
                    },
                    "results": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["message"],
                            "additionalProperties": False,
                            "properties": {
                                "ruleId": {"type": "string"},
                                "ruleIndex": {"type": "integer", "minimum": -1},
                                "level": {"enum": ["none", "note", "warning", "error"]},
                                "message": {
                                    "type": "object",
                                    "required": ["text"],
                                    "additionalProperties": False,
                                    "properties": {"text": {"type": "string"}},
                                },
                                "locations": {
                                    "type": "array",
                                    "items": {
                                        "type": "object",
                                        "additionalProperties": False,
                                        "properties": {
                                            "physicalLocation": {
                                                "type": "object",
                                                "required": ["artifactLocation"],
                                                "additionalProperties": False,
                                                "properties": {
                                                    "artifactLocation": {
                                                        "type": "object",
                                                        "additionalProperties": False,
                                                        "properties": {
                                                            "uri": {"type": "string", "pattern": "^[!-~]+$"},
                                                            "uriBaseId": {"type": "string"},
                                                        },
                                                    },
                                                    "region": {
                                                        "type": "object",
                                                        "required": ["startLine"],
                                                        "additionalProperties": False,
                                                        "properties": {
                                                            "startLine": {"type": "integer", "minimum": 1},
                                                            "startColumn": {"type": "integer", "minimum": 1},
                                                        },
                                                    },
                                                },
                                            }
                                        },
                                    },
                                },
                            },
                        },
                    },
                },
            },
        },
    },
}


@given(st.lists(PROBLEMS))
def test_every_log_is_sarif(problems: list[Problem]) -> None:
    log = json.loads(json.dumps(sarif(problems)))
    jsonschema.validate(log, SARIF)
    (run,) = log["runs"]
    codes = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert [codes[result["ruleIndex"]] for result in run["results"]] == [problem.code for problem in problems]


SOURCES = Path(__file__).parents[2] / "pipeline"
GIVEN = {
    code
    for path in SOURCES.rglob("*.py")
    for code in re.findall(r"""["']([EW][0-9]{4})["']""", path.read_text("utf-8"))
}


@pytest.mark.parametrize("code", sorted({*GIVEN, *IDS}))
def test_whatever_is_reported_is_described(code: str) -> None:
    (run,) = sarif([Problem(Place("a"), code, "said")])["runs"]
    (rule,) = run["tool"]["driver"]["rules"]
    assert rule["id"] == code
    short, more = rule["shortDescription"]["text"], rule["help"]["text"]
    assert re.fullmatch(r"[A-Z'<].*[^.]\.", short)
    assert len(short) < 160
    assert "`" not in more
    assert more.startswith(short + " ")


def test_a_codes_description_says_what_it_is_and_does() -> None:
    problems = [Problem(Place("a"), code, "said") for code in ("E0104", "W0201", "lines-crossing")]
    rules = sarif(problems)["runs"][0]["tool"]["driver"]["rules"]
    assert [rule["help"]["text"] for rule in rules] == [
        "The text breaks the rules of YAML. It stops the build. See docs/manifest.md of Lumpyard.",
        (
            "A pattern with '!' takes nothing away. It is a warning: the build goes on."
            " See docs/manifest.md of Lumpyard."
        ),
        "Two lines cross. It matters for vanilla, boom, mbf21 and zdoom. See docs/maps.md of Lumpyard.",
    ]


@given(st.lists(PROBLEMS, min_size=1))
def test_a_workflow_command_is_one_line_whatever_it_holds(problems: list[Problem]) -> None:
    lines = list(github_lines(problems))
    assert len(lines) == len(problems)
    for line in lines:
        assert re.fullmatch(r"::(error|warning) [^\r\n]*?::[^\r\n]*", line)
        properties = line.split(" ", 1)[1].split("::", 1)[0]
        assert {item.split("=")[0] for item in properties.split(",")} <= {"file", "line", "col", "title"}


@given(PLACES, st.text(st.characters(exclude_categories=("C", "Z")) | st.sampled_from("%,:; \n")))
def test_the_runner_reads_back_what_was_said(place: Place, message: str) -> None:
    message = message.replace("\n", " ")
    (line,) = github_lines([Problem(place, "E0104", message)])
    said = line.split(" ", 1)[1].split("::", 1)[1]
    assert said.replace("%0A", "\n").replace("%0D", "\r").replace("%25", "%") == message


def test_a_workflow_command_names_file_line_column_and_code() -> None:
    problem = Problem(Place("assets.yaml", 12, 9), "E0104", "unknown key 'tpye'", "did you mean 'type'?")
    assert list(github_lines([problem], "game")) == [
        "::error file=game/assets.yaml,line=12,col=9,title=E0104::unknown key 'tpye'%0Adid you mean 'type'?"
    ]


def test_commas_and_colons_of_a_file_name_end_no_property() -> None:
    problem = Problem(Place("a,line=1:b%.yaml", 2), "W0201", "100%\x1b[2J")
    assert list(github_lines([problem])) == [
        r"::warning file=a%2Cline=1%3Ab%25.yaml,line=2,title=W0201::100%25\x1b[2J"
    ]


@pytest.mark.parametrize(
    ("path", "uri"),
    [("a b/ü%.png", "a%20b/%C3%BC%25.png"), ("c:d", "c%3Ad"), ("caf\udce9.txt", "caf%E9.txt")],
)
def test_sarif_names_files_by_uri(path: str, uri: str) -> None:
    (result,) = sarif([Problem(Place(path, 3, 0), "E0104", "m")])["runs"][0]["results"]
    assert result["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": uri, "uriBaseId": "%SRCROOT%"},
                "region": {"startLine": 3},
            }
        }
    ]


def test_a_problem_as_data_has_every_field() -> None:
    assert problem_data(Problem(Place("assets.yaml"), "W0201", "m")) == {
        "path": "assets.yaml",
        "line": 0,
        "column": 0,
        "level": "warning",
        "code": "W0201",
        "message": "m",
        "hint": "",
    }
