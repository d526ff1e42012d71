"""`Source.run`: one of the manifest's tools at work in a scratch folder that mirrors the project.

What the tool may see is staged: the sources, and the files that `inputs` match, at the paths they have in
the project. Without a depfile all of it counts. With one, only the files count that it names; and since the
tool found them along folders that nobody told us of, it counts too which staged files have the name of one
of these: a file that is added ahead of the one that was found must make the tool run again.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.build.asks import (
    bytes_answer,
    files_answer,
    files_subject,
    list_inputs,
    namesakes_answer,
    namesakes_subject,
    path_fault,
    variable_answer,
)
from lumpyard.build.tools.depfiles import DepfileError, parse_depfile
from lumpyard.disk.processes import clean_variables, run_program
from lumpyard.disk.scratch import scratch_folder
from lumpyard.errors import Problem
from lumpyard.globs import GlobError, parse_glob

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lumpyard.build.cooking.cook import Cooking
    from lumpyard.build.tools.resolving import ResolvedTool
    from lumpyard.disk.processes import Finished
    from lumpyard.disk.scratch import Scratch
    from lumpyard.errors import CookError

_DAY = 86400.0  # seconds; a longer time-out is a mistake
_LINES = 20  # of what a tool said
_LINE_LIMIT = 400  # characters
_COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_DRIVE = re.compile(r"[A-Za-z]:/")


class Order(NamedTuple):
    """What a rule wants run; paths are seen from the project folder, or from the scratch folder like it."""

    tool: str
    args: tuple[str, ...]
    inputs: tuple[str, ...]  # globs; those with a `!` ahead take away
    outputs: tuple[str, ...]
    depfile: str  # path, or ""; one that ends in `.json` is JSON, else make's
    env: tuple[str, ...]
    timeout: float  # seconds
    files: Mapping[str, bytes]  # by path, what the rule made for the tool; it follows from all that is noted


def run_order(cooking: Cooking, order: Order) -> dict[str, bytes]:
    """The bytes of each output; CookError says what went wrong."""
    if fault := _order_fault(order):
        kind = cooking.lump.recipe.rule.kind
        raise cooking.failure("E0604", f"rule {kind!r} cannot run tool {order.tool!r}: {fault}")
    tool = _find_tool(cooking, order)
    variables = _allowed(cooking, order)
    listed = _list(cooking, order)
    staged = _read(cooking, listed)
    if hidden := sorted(staged.keys() & order.files.keys()):
        message = f"the rule makes {hidden[0]} for tool {order.tool!r}, which is one of its inputs"
        raise cooking.failure("E0604", message)
    staged |= {path: bytes(data) for path, data in order.files.items()}
    if taken := sorted(staged.keys() & {*order.outputs, order.depfile}):
        message = f"tool {order.tool!r} is to make {taken[0]}, which is one of its inputs"
        raise cooking.failure(
            "E0606", message, "give what it makes another name; a lone output needs no special one"
        )
    with scratch_folder() as scratch:
        for path, data in staged.items():
            scratch.put(path, data)
        for path in filter(None, (*order.outputs, order.depfile)):
            scratch.make_room(path)
        finished = run_program(
            (tool.path, *order.args), scratch.work, clean_variables(scratch) | variables, order.timeout
        )
        _check(cooking, order, scratch, finished)
        made = {path: scratch.take(path) for path in order.outputs}
        needed = _needed(cooking, order, scratch, staged) if order.depfile else None
    _note_staged(cooking, order, listed, staged, needed)
    return made


def _order_fault(order: Order) -> str:
    """What is wrong with what a rule asks for, or ""."""
    texts = (order.tool, *order.args, *order.inputs, *order.outputs, order.depfile, *order.env)
    if not all(isinstance(text, str) for text in texts):
        return "arguments, inputs, outputs and names of variables are texts"
    if any("\0" in text for text in texts):
        return "an argument has a NUL character"
    for path in filter(None, (*order.outputs, order.depfile)):
        if fault := path_fault(path):
            return f"its output {path!r} is no good: {fault}"
    for path in order.files:
        if fault := path_fault(path):
            return f"its file {path!r} is no good: {fault}"
    if len({*order.outputs, order.depfile}) != len(order.outputs) + 1:
        return "two of its outputs are the same file"
    for pattern in order.inputs:
        try:
            parse_glob(pattern.removeprefix("!"))
        except GlobError as error:
            return str(error)
    if bad := [name for name in order.env if not name or "=" in name]:
        return f"{bad[0]!r} is no name of a variable"
    return (
        ""
        if 0 < order.timeout <= _DAY
        else f"a time-out is more than 0 and at most {_DAY:g} s, not {order.timeout:g}"
    )


def _find_tool(cooking: Cooking, order: Order) -> ResolvedTool:
    try:
        tool = cooking.world.tool(order.tool)
    except KeyError:
        message = f"rule {cooking.lump.recipe.rule.kind!r} runs {order.tool!r}, which is not among the tools"
        raise _set_failure(cooking, "E0610", message, "add it to `tools` in the manifest") from None
    if not tool.path:
        message = f"tool {order.tool!r} must run, and its program is not there"
        raise _set_failure(cooking, "E0620", message, "build it or install it")
    cooking.note("tool", order.tool, tool.identity)
    return tool


def _set_failure(cooking: Cooking, code: str, message: str, hint: str) -> CookError:
    """An error at the set, whose many lumps then say it once."""
    error = cooking.failure(code, message, hint)
    return type(error)(problem._replace(place=cooking.lump.recipe.place) for problem in error.problems)


def _allowed(cooking: Cooking, order: Order) -> dict[str, str]:
    """The variables of the environment that the order lets through."""
    found = {}
    for name in order.env:
        value = cooking.world.env(name)
        cooking.note("env", name, variable_answer(value))
        if value is not None:
            found[name] = value
    return found


def _list(cooking: Cooking, order: Order) -> list[str]:
    """Paths of what the patterns match; one that matches nothing gets a warning, as a folder may be empty."""
    for pattern in order.inputs:
        if not pattern.startswith("!") and not cooking.world.glob(pattern):
            message = f"pattern '{pattern}' of the inputs of {order.tool!r} matches no file"
            cooking.problems.append(Problem(cooking.lump.recipe.place, "W0602", message))
    return list_inputs(order.inputs, cooking.world)


def _read(cooking: Cooking, listed: Iterable[str]) -> dict[str, bytes]:
    """Path and bytes of all that the tool may see."""
    staged = {source.path: source.data for source in cooking.sources}
    for path in listed:
        if path not in staged:
            try:
                staged[path] = cooking.world.read(path)
            except FileNotFoundError:
                raise cooking.failure(
                    "E0609", f"{path} vanished while the rule ran", "run the build again"
                ) from None
    return staged


def _check(cooking: Cooking, order: Order, scratch: Scratch, finished: Finished) -> None:
    """Raise CookError unless the tool ended well and made each of its outputs."""
    faults = [finished.fault] if finished.fault else [
        f"did not make {path}" if kind is None else f"made {path}, which is {kind} and not a plain file"
        for path in order.outputs
        if (kind := scratch.kind(path)) != ""
    ]  # fmt: skip
    if faults:
        said = _said(finished, scratch)
        raise cooking.failure("E0606", "\n".join([f"tool {order.tool!r} {' and '.join(faults)}", *said]))


def _said(finished: Finished, scratch: Scratch) -> list[str]:
    """The last lines of what a tool said on standard error, or else on standard output, as plain text."""
    stream = finished.err if finished.err.strip() else finished.out
    text = stream.decode("utf-8", "backslashreplace").replace(f"{scratch.work}/", "")
    lines = [_COLOURS.sub("", line.rstrip()).rpartition("\r")[2].expandtabs(4) for line in text.split("\n")]
    lines = [line[:_LINE_LIMIT] for line in lines if line]
    return ["…", *lines[-_LINES:]] if len(lines) > _LINES else lines


def _needed(cooking: Cooking, order: Order, scratch: Scratch, staged: Mapping[str, bytes]) -> set[str]:
    """The staged files that the depfile names; CookError where it names others."""
    kind = scratch.kind(order.depfile)
    if kind != "":
        what = "wrote no depfile" if kind is None else f"made its depfile as {kind}"
        raise cooking.failure(
            "E0608", f"tool {order.tool!r} {what}", "it should be at {depfile} of the arguments"
        )
    try:
        names = parse_depfile(scratch.take(order.depfile), is_json=order.depfile.endswith(".json"))
    except DepfileError as error:
        raise cooking.failure("E0608", f"the depfile of tool {order.tool!r} is no good: {error}") from None
    own = {*order.outputs, order.depfile}
    paths = {name: _staged_path(name, scratch.work, staged) for name in names}
    strange = [name for name, path in paths.items() if path not in staged and path not in own]
    if strange:
        message = f"the depfile of tool {order.tool!r} names {strange[0]!r}, which was not staged"
        raise cooking.failure("E0608", message, "add a pattern for it to `inputs`")
    return {path for path in paths.values() if path in staged}


def _staged_path(name: str, work: str, staged: Mapping[str, bytes]) -> str:
    """A depfile's name as a path seen from the scratch folder, where it is in there."""
    for text in (name, name.replace("\\", "/")):
        whole = posixpath.normpath(text if _DRIVE.match(text) else posixpath.join(work, text))
        path = whole.removeprefix(f"{work}/")
        if path in staged:
            break
    return path


def _note_staged(
    cooking: Cooking,
    order: Order,
    listed: list[str],
    staged: Mapping[str, bytes],
    needed: set[str] | None,
) -> None:
    """Note what counts of all that was staged."""
    if not order.inputs:
        return
    if needed is None:
        answer = files_answer({path: bytes_answer(staged[path]) for path in listed})
        cooking.note("files", files_subject(order.inputs), answer)
        return
    # A lone source is named by the arguments; several might be found along folders as other files are.
    needed = needed.difference(order.files)
    found = sorted(needed if len(cooking.sources) > 1 else needed.difference(cooking.lump.sources))
    if found:
        subject = namesakes_subject(order.inputs, found)
        cooking.note("namesakes", subject, namesakes_answer(subject, listed))
    for path in needed.difference(cooking.lump.sources):
        cooking.note("read", path, bytes_answer(staged[path]))
