"""All rules that a project can use: those of installed packages, and those of its manifest's rule files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.errors import Place, Problem, ProblemsError
from lumpyard.registry.digest import code_digest, rule_digest
from lumpyard.registry.modules import Closure, find_modules
from lumpyard.registry.plugins import check_rule, load_plugins
from lumpyard.registry.running import run_rule_file
from lumpyard.registry.table import Registered, RuleTable, sorted_paths
from lumpyard.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType

    from lumpyard.manifest.model import Named

CODES = {
    "E0301": "a rule file is not there",
    "E0302": "a rule file is not Python",
    "E0303": "a rule file fails when it is loaded",
    "E0304": "a rule file has no usable RULE",
    "E0305": "two rules have the same kind",
}


class _Refusal(Exception):  # noqa: N818 - never leaves this module
    """A rule file that cannot be used: code, message, hint."""


def load_rules(local: Sequence[Named], root: str, read: Callable[[str], bytes | None]) -> RuleTable:
    """The rules of installed packages and of the project's rule files.

    `local` is the manifest's `rules`, `root` the project folder, `read` gives the bytes of a project file by
    its path from there, or None where there is no file. RuleError for a broken package; ProblemsError, with
    all problems at their places in the manifest, for rule files. Each call reads and runs the rule files
    anew.
    """
    found = load_plugins()
    problems: list[Problem] = []
    for named in local:
        try:
            entries = _load_file(named.text, root, read)
        except _Refusal as refusal:
            problems.append(Problem(named.place, *refusal.args))
            continue
        for entry in entries:
            clash = found.setdefault(entry.rule.kind, entry)
            if clash is not entry:
                problems.append(_clash(named.place, entry, clash))
    if problems:
        raise ProblemsError(problems)
    return RuleTable(found)


def _clash(place: Place, entry: Registered, other: Registered) -> Problem:
    """A kind that is there twice."""
    if other.origin == entry.origin:
        return Problem(place, "E0305", f"rule kind {entry.rule.kind!r} of {entry.origin} is listed twice")
    message = f"rule kind {entry.rule.kind!r} of {entry.origin} is already taken by {other.origin}"
    return Problem(place, "E0305", message, "give the rule another kind")


def _load_file(path: str, root: str, read: Callable[[str], bytes | None]) -> list[Registered]:
    """The rules that a rule file defines."""
    code = read(path)
    if code is None:
        raise _Refusal("E0301", f"there is no rule file {path}")
    try:
        closure = find_modules(path, code, read)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise _Refusal("E0302", f"{_syntax_place(path, error)} is not Python: {_one_line(error)}") from error
    try:
        module = run_rule_file(closure, root, code_digest(root, closure.code)[:16])
    except (Exception, SystemExit) as error:
        raise _Refusal(
            "E0303", f"{_run_place(path, root, error)} fails to load: {_one_line(error)}"
        ) from error
    return [_registered(path, rule, closure) for rule in _rules_of(path, module)]


def _rules_of(path: str, module: ModuleType) -> list[Rule]:
    """The rules that a module defines as RULE or RULES."""
    names = vars(module)
    if "RULE" not in names and "RULES" not in names:
        raise _Refusal(
            "E0304", f"{path} defines neither RULE nor RULES", 'it should end like RULE = Rule(kind="…", …)'
        )
    several = names.get("RULES", ())
    if not isinstance(several, list | tuple):
        raise _Refusal(
            "E0304", f"RULES of {path} is of type {type(several).__name__}, not a list or tuple of Rule"
        )
    rules = list(several)
    if "RULE" in names and names["RULE"] not in rules:
        rules.insert(0, names["RULE"])
    for rule in rules:
        if not isinstance(rule, Rule):
            raise _Refusal(
                "E0304", f"RULE of {path} is of type {type(rule).__name__}, not a lumpyard.rule.Rule"
            )
    return rules


def _registered(path: str, rule: Rule, closure: Closure) -> Registered:
    """A local rule with its digest and the files that it is made of."""
    try:
        versions = check_rule(rule)
    except TypeError as error:
        raise _Refusal("E0304", f"{path}: {_one_line(error, kind=False)}") from error
    digest = rule_digest(rule, versions, closure.code)
    return Registered(rule, path, digest, "", sorted_paths(closure.code), sorted_paths(closure.missing))


def _syntax_place(path: str, error: BaseException) -> str:
    """File and line of a syntax error, as far as it says them."""
    line = error.lineno if isinstance(error, SyntaxError) else None
    return f"{path}:{line}" if line else path


def _run_place(path: str, root: str, error: BaseException) -> str:
    """File and line of an exception's innermost frame in the project, or of the syntax error that it is."""
    if isinstance(error, SyntaxError) and (error.filename or "").startswith(f"{root}/"):
        return _syntax_place(str(error.filename)[len(root) + 1 :], error)
    place, trace = path, error.__traceback__
    while trace:
        file = trace.tb_frame.f_code.co_filename
        if file.startswith(f"{root}/"):
            place = f"{file[len(root) + 1 :]}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place


def _one_line(error: BaseException, *, kind: bool = True) -> str:
    """An exception as one line."""
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return " ".join((f"{type(error).__name__}: {text}" if kind else text).split())
