"""Problems for programs: plain data, SARIF 2.1.0 for code scanning, and GitHub's workflow commands.

Their paths start from `base`, the project folder as seen from where the run stands, so that CI finds the
files of a project in a subfolder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lumpyard import __version__
from lumpyard.console.escape import escape_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lumpyard.console.meanings import Meaning
    from lumpyard.errors import Place, Problem

_NOTICE = {"info": "notice"}  # GitHub's word
_NOTE = {"info": "note"}  # SARIF's (3.27.10)


def problem_data(problem: Problem) -> dict[str, Any]:
    """A problem as plain data, as in build/ship.json; line or column 0 is the file, or the line, as a whole."""
    return {
        **problem.place._asdict(),
        "level": problem.level,
        "code": problem.code,
        "message": problem.message,
        "hint": problem.hint,
    }


def github_lines(problems: Iterable[Problem], base: str = "") -> Iterator[str]:
    """Workflow commands that put a problem beside its line: `::error file=a.yaml,line=3,col=5::message`."""
    for problem in problems:
        place = problem.place
        known = {
            "file": _below(base, place.path),
            "line": place.line,
            "col": place.column,
            "title": problem.code,
        }
        properties = ",".join(
            f"{name}={_property(escape_name(str(value)))}" for name, value in known.items() if value
        )
        yield f"::{_NOTICE.get(problem.level, problem.level)} {properties}::{_data(_whole_message(problem))}"


def _data(text: str) -> str:
    """Text after the `::`; the runner turns these three back."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """A property's value, which also ends at `,` and `:`."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def sarif(problems: Sequence[Problem], base: str = "") -> dict[str, Any]:
    """A SARIF log of one run (OASIS SARIF 2.1.0, sections 3.13, 3.14, 3.27 and 3.49)."""
    from lumpyard.console.meanings import meanings  # noqa: PLC0415 - as is what it loads

    known = meanings() if problems else {}
    codes = sorted({problem.code for problem in problems})
    return {
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "lumpyard",
                        "version": __version__,
                        "rules": [_rule(code, known.get(code)) for code in codes],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [_result(problem, codes.index(problem.code), base) for problem in problems],
            }
        ],
    }


def _rule(code: str, meaning: Meaning | None) -> dict[str, Any]:
    if meaning is None:
        return {"id": code}
    return {
        "id": code,
        "shortDescription": {"text": meaning.short},
        "fullDescription": {"text": meaning.help},
        "help": {"text": meaning.help},
    }


def _result(problem: Problem, rule_index: int, base: str) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": problem.code,
        "ruleIndex": rule_index,
        "level": _NOTE.get(problem.level, problem.level),
        "message": {"text": _whole_message(problem)},
    }
    if problem.place.path:
        result["locations"] = [{"physicalLocation": _location(problem.place, base)}]
    return result


def _location(place: Place, base: str) -> dict[str, Any]:
    from urllib.parse import quote  # noqa: PLC0415 - one format's need

    uri = quote(_below(base, place.path).encode("utf-8", "surrogateescape"), safe="/")
    location: dict[str, Any] = {"artifactLocation": {"uri": uri, "uriBaseId": "%SRCROOT%"}}
    if place.line:
        region = {"startLine": place.line}
        location["region"] = region | {"startColumn": place.column} if place.column else region
    return location


def _whole_message(problem: Problem) -> str:
    lines = [*problem.message.split("\n"), *([problem.hint] if problem.hint else [])]
    return "\n".join(map(escape_name, lines))


def _below(base: str, path: str) -> str:
    return f"{base}/{path}" if base not in {"", "."} and path else path
