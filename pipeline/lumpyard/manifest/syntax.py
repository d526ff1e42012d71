"""YAML text to a tree of nodes, each with its place, and nothing of YAML beyond texts, lists and maps.

PyYAML's events are read, not its values: scalars stay as written, aliases are never followed (a few hundred
bytes of them unfold to gigabytes), and every event has its place. libyaml's parser is used where PyYAML was
built with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lumpyard.errors import Place, Problem, ProblemsError
from lumpyard.manifest.codes import ALIAS, DOCUMENTS, MERGE, ODD_KEY, REPEATED_KEY, SYNTAX, TAG, TOO_BIG
from lumpyard.manifest.model import Node
from lumpyard.manifest.text import split_lines
from lumpyard.manifest.wording import UNKNOWN_ESCAPE, syntax_problem, word_at

if TYPE_CHECKING:
    from collections.abc import Iterator

DEEPEST = 32  # levels of lists and maps; a manifest needs 8


def parse_yaml(path: str, text: str) -> tuple[Node, list[Problem]]:
    """The tree of a text, and what a manifest doesn't allow in it; a ProblemsError if it's no YAML."""
    import yaml  # noqa: PLC0415 - 16 ms, and a cached tree needs none

    builder = _Builder(path, split_lines(text))
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        for event in yaml.parse(text, Loader=loader):
            builder.take(type(event).__name__, event)
    except yaml.MarkedYAMLError as error:
        if "nesting depth" in str(error.problem):  # libyaml's limit, which one line may meet before ours
            raise _too_deep(path, error.problem_mark) from error
        raise ProblemsError([syntax_problem(path, builder.lines, error)]) from error
    except yaml.YAMLError as error:
        raise ProblemsError([Problem(Place(path), SYNTAX, " ".join(str(error).split()))]) from error
    return builder.finished(), builder.problems


def _too_deep(path: str, mark: Any) -> ProblemsError:
    """The error of what nests too deep, at a mark of PyYAML's."""
    place = Place(path, mark.line + 1, mark.column + 1)
    return ProblemsError([Problem(place, TOO_BIG, f"nested deeper than {DEEPEST} levels")])


class _Builder:
    """Events in, a tree out; an explicit stack, so that no nesting exhausts Python's own."""

    def __init__(self, path: str, lines: list[str]) -> None:
        self.path = path
        self.lines = lines
        self.problems: list[Problem] = []
        self.root: Node | None = None
        self.documents = 0
        self.open: list[tuple[int, int, list[Node]]] = []  # line, column and children so far

    def take(self, kind: str, event: Any) -> None:
        """Take the next event."""
        line, column = event.start_mark.line + 1, event.start_mark.column + 1
        if kind == "ScalarEvent":
            self.check_properties(event, line, column)
            self.put(Node("bad" if event.tag else "scalar", event.value, line, column, bool(event.style)))
            if event.style == '"':
                self.check_surrogates(event.value, line, column)
        elif kind in ("SequenceStartEvent", "MappingStartEvent"):
            self.check_properties(event, line, column)
            if len(self.open) == DEEPEST:
                raise _too_deep(self.path, event.start_mark)
            self.open.append((line, column, []))
        elif kind == "SequenceEndEvent":
            line, column, children = self.open.pop()
            self.put(Node("list", tuple(children), line, column))
        elif kind == "MappingEndEvent":
            line, column, children = self.open.pop()
            self.put(Node("map", tuple(self.iter_pairs(children)), line, column))
        elif kind == "AliasEvent":
            self.report(ALIAS, line, column, "aliases can't be used", quote=True)
            self.put(Node("bad", "", line, column))
        elif kind == "DocumentStartEvent":
            self.documents += 1
            if self.documents > 1:
                message, hint = "a second YAML document starts here", "a manifest is one document"
                raise ProblemsError([Problem(Place(self.path, line, column), DOCUMENTS, message, hint)])

    def put(self, node: Node) -> None:
        """A finished node goes into what is open around it."""
        if self.open:
            self.open[-1][2].append(node)
        else:
            self.root = node

    def finished(self) -> Node:
        """The whole tree, once the stream has ended."""
        if self.root is None:
            raise ProblemsError(
                [Problem(Place(self.path), DOCUMENTS, "the manifest is empty", "start with `version: 1`")]
            )
        return self.root

    def iter_pairs(self, children: list[Node]) -> Iterator[tuple[Node, Node]]:
        """The keys and values of a map whose keys are texts, each once."""
        seen: dict[str, int] = {}
        for key, value in zip(children[::2], children[1::2], strict=True):
            if key.kind != "scalar":
                if key.kind != "bad":
                    self.report(ODD_KEY, key.line, key.column, f"a {key.kind} can't be a key", quote=True)
                continue
            name = str(key.value)
            if name == "<<" and not key.quoted:
                hint = "a set takes another's keys with `extends`"
                self.report(MERGE, key.line, key.column, "merge keys can't be used", hint)
            elif name in seen:
                hint = f"it is also on line {seen[name]}"
                self.report(
                    REPEATED_KEY, key.line, key.column, f"the key '{name}' stands twice in this map", hint
                )
            else:
                seen[name] = key.line
                yield key, self.with_place(key, value)

    def with_place(self, key: Node, value: Node) -> Node:
        """A value that isn't there has the place of its key."""
        if value.kind == "scalar" and not value.value and not value.quoted:
            return value._replace(line=key.line, column=key.column)
        return value

    def check_properties(self, event: Any, line: int, column: int) -> None:
        """Neither an anchor nor a tag."""
        if event.anchor is not None:
            self.report(ALIAS, line, column, "anchors can't be used", quote=True)
        if event.tag is not None:
            self.report(TAG, line, column, "tags can't be used", quote=True)

    def check_surrogates(self, value: str, line: int, column: int) -> None:
        r"""No `\ud800`; libyaml refuses it by itself."""
        if not value.isascii() and any("\ud800" <= char <= "\udfff" for char in value):
            raise ProblemsError([Problem(Place(self.path, line, column), SYNTAX, *UNKNOWN_ESCAPE)])

    def report(
        self, code: str, line: int, column: int, message: str, hint: str = "", *, quote: bool = False
    ) -> None:
        """Note a problem; `quote` makes the hint that a text here needs quotes."""
        if quote:
            word = word_at(self.lines, line, column)
            hint = f'if it is a text, put it in quotes: "{word}"'
        self.problems.append(Problem(Place(self.path, line, column), code, message, hint))
