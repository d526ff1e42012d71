"""Rule `command`: runs one of the manifest's tools on the source; the files that it makes are the lumps.

The tool runs in a scratch folder that mirrors the project: the source, and what `inputs` match, lie there
at the paths they have in the project, and the folder's top is the current folder. It sees nothing else of
the project.

In `args`: `{in}` the source, `{out}` what is to be made (an argument that is just `{in}` or `{out}` stands
for all of several), `{out1}`, `{out2}` … one of several, `{depfile}` where the depfile goes, `{path}` the
source's path, which is `{dir}{stem}{suffix}`, `{name}` the lump's name; `{{` and `}}` are braces. In
`inputs` the four of the path.

`outputs` are templates of `{stem}` and `{suffix}`, seen from the source's folder. One output is the lump,
under the name that the set gives it. Of several, each is a lump: the folder of the set's name, then the
template filled from it: with `name: "fx/{stem}.bin"`, `outputs: ["{stem}.vs", "{stem}.ps"]` and the source
`shaders/water.hlsl` the tool makes `shaders/water.vs` and `shaders/water.ps`, and the lumps are
`fx/water.vs` and `fx/water.ps`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from lumpyard.rule import Product, Rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lumpyard.rule import Source

_FIELD = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
_PATH_FIELDS = ("path", "dir", "stem", "suffix")
_OUTPUT_FIELDS = ("stem", "suffix")
_DEPFILES = {"make": ".lumpyard-depfile.d", "json": ".lumpyard-depfile.json"}


@dataclass(frozen=True, slots=True)
class CommandOptions:
    """What runs, on what, and what it makes."""

    tool: str = field(metadata={"doc": "one of the manifest's tools"})
    args: tuple[str, ...] = field(
        metadata={"doc": "its arguments; {in}, {out}, {depfile} and others stand for paths"}
    )
    outputs: tuple[str, ...] = field(
        metadata={"doc": 'files that it makes, beside the source: "{stem}.dxil"'}
    )
    inputs: tuple[str, ...] = field(default=(), metadata={"doc": "globs of other files that it may read"})
    depfile: Literal["make", "json"] | None = field(
        default=None, metadata={"doc": "it writes which inputs it needed; only these count then"}
    )
    env: tuple[str, ...] = field(default=(), metadata={"doc": "variables of the environment that it sees"})
    timeout: float = field(default=120.0, metadata={"doc": "seconds after which it is ended"})

    def check(self) -> str:
        """What is wrong with the options, or ""."""
        known = (*_PATH_FIELDS, "name", "in", "out", "depfile", *_numbered(len(self.outputs)))
        faults = [
            *(_output_fault(text) for text in self.outputs),
            *(_template_fault(text, known) for text in self.args),
            *(_template_fault(text, _PATH_FIELDS) for text in self.inputs),
            *(_pairing_fault(text) for text in self.args if len(self.outputs) > 1),
            self._depfile_fault(),
        ]
        if not self.outputs:
            faults.append("`outputs` is empty: name the files that the tool makes")
        if len(set(self.outputs)) < len(self.outputs):
            faults.append("two of `outputs` are the same")
        if not 0 < self.timeout <= 86400:
            faults.append("`timeout` is more than 0 and at most 86400 seconds")
        return next(filter(None, faults), "")

    def _depfile_fault(self) -> str:
        told = any("depfile" in _fields(text) for text in self.args)
        if told and self.depfile is None:
            return "`{depfile}` is among the arguments; say `depfile: make` or `depfile: json` too"
        if not told and self.depfile is not None:
            return "`depfile` is set, but no argument has `{depfile}`"
        return ""


def products(name: str, options: CommandOptions) -> Sequence[str]:
    """The lump's own name for one output; for several, each template filled from the name, in its folder."""
    return (name,) if len(options.outputs) == 1 else _beside(name, options.outputs)


def cook(sources: Sequence[Source], options: CommandOptions) -> Iterable[Product]:
    """What the tool made."""
    first = sources[0]
    parts = _parts(first.path)
    outputs = _beside(first.path, options.outputs)
    depfile = _DEPFILES[options.depfile] if options.depfile else ""
    made = first.run(
        options.tool,
        _arguments(sources, options, outputs, depfile),
        inputs=[
            _fill(text, {name: _escape_glob(part) for name, part in parts.items()}) for text in options.inputs
        ],
        outputs=outputs,
        depfile=depfile,
        env=options.env,
        timeout=options.timeout,
    )
    names = [None] if len(outputs) == 1 else products(first.name, options)
    return [Product(made[output], name) for output, name in zip(outputs, names, strict=True)]


def _arguments(
    sources: Sequence[Source], options: CommandOptions, outputs: Sequence[str], depfile: str
) -> list[str]:
    """The arguments with all their fields filled."""
    first = sources[0]
    values: dict[str, str] = {
        **_parts(first.path),
        "in": _argument(first.path),
        "out": _argument(outputs[0]),
        "depfile": depfile,
        **dict(zip(_numbered(len(outputs)), map(_argument, outputs), strict=True)),
    }
    if any("name" in _fields(text) for text in options.args):
        values["name"] = first.name  # asking for the name makes it part of the cook
    arguments: list[str] = []
    for text in options.args:
        if text == "{in}":
            arguments += [_argument(source.path) for source in sources]
        elif text == "{out}":
            arguments += map(_argument, outputs)
        else:
            if len(sources) > 1 and "in" in _fields(text):
                message = f"argument '{text}' has {{in}} in it, but {len(sources)} sources are gathered"
                first.problem(message, hint="an argument that is just {in} stands for all of them")
            arguments.append(_fill(text, values))
    return arguments


def _argument(path: str) -> str:
    """A path that no tool takes for an option."""
    return f"./{path}" if path.startswith("-") else path


def _beside(path: str, templates: Sequence[str]) -> list[str]:
    """Each template filled from a path, in the path's folder."""
    parts = _parts(path)
    return [parts["dir"] + _fill(text, parts) for text in templates]


def _parts(path: str) -> dict[str, str]:
    """A path taken apart as a set's `name` does it: the dots that a file name starts with begin no suffix."""
    folder, slash, base = path.rpartition("/")
    stem, _, _ = base.rpartition(".")
    if not stem.strip("."):
        stem = base
    return {"path": path, "dir": folder + slash, "stem": stem, "suffix": base[len(stem) :]}


def _fill(template: str, values: Mapping[str, str]) -> str:
    """A template that is known to be well formed, with its fields filled."""
    return _FIELD.sub(lambda match: values[match[1]] if match[1] is not None else match[0][0], template)


def _fields(template: str) -> list[str]:
    """Names of the fields of a template."""
    return [match[1] for match in _FIELD.finditer(template) if match[1] is not None]


def _numbered(outputs: int) -> list[str]:
    """`out1`, `out2` …, one for each output."""
    return [f"out{number}" for number in range(1, outputs + 1)]


def _escape_glob(text: str) -> str:
    r"""The glob that matches exactly a text."""
    return re.sub(r"[*?\[\\]", r"[\g<0>]", text)


def _template_fault(text: str, known: Sequence[str]) -> str:
    """What is wrong with a template, or ""."""
    if any(match[0] in ("{", "}") for match in _FIELD.finditer(text)):
        return f"a brace without its partner in '{text}'; a brace itself is written twice"
    unknown = [name for name in _fields(text) if name not in known]
    listed = ", ".join(f"{{{name}}}" for name in known)
    return f"unknown field {{{unknown[0]}}} in '{text}'; there are {listed}" if unknown else ""


def _output_fault(text: str) -> str:
    """What is wrong with one of `outputs`, or ""."""
    if set(_fields(text)) & {"dir", "path"}:
        return f"output '{text}' has {{dir}} or {{path}}; outputs are seen from the source's folder already"
    if not text or text.startswith("/") or "\\" in text or {"", ".", ".."} & set(text.split("/")):
        return f"output '{text}' is not a plain relative path"
    return _template_fault(text, _OUTPUT_FIELDS)


def _pairing_fault(text: str) -> str:
    """What is wrong with an argument where there are several outputs, or ""."""
    if text != "{out}" and "out" in _fields(text):
        return (
            f"argument '{text}' has {{out}} in it, but there are several outputs; write {{out1}}, {{out2}} …"
        )
    return ""


RULE = Rule(
    kind="command",
    version=1,
    cook=cook,
    options=CommandOptions,
    products=products,
    tools=lambda options: (options.tool,),
    costly=True,
    summary="runs a tool of the manifest; what it makes is the lump",
)
