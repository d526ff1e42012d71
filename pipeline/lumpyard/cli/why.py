"""`lumpyard why`: why a lump is in an archive, stored as it is, and made anew or not."""

from __future__ import annotations

import json
from contextlib import closing
from typing import TYPE_CHECKING, Any

from lumpyard.cli.parser import add_json, add_manifest
from lumpyard.cli.project_access import open_project
from lumpyard.cli.reasons import explain_lump
from lumpyard.console.escape import escape_name
from lumpyard.console.sizes import percent_text
from lumpyard.console.suggest import guess_name
from lumpyard.console.tables import render_pairs
from lumpyard.errors import NotFoundError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from lumpyard.build.session import Session
    from lumpyard.cli.output import Streams
    from lumpyard.plan.model import PlannedLump

EXAMPLES = """
lumpyard why textures/brick.png
lumpyard why assets/textures/brick.png      # a source: every lump that is made of it
lumpyard why --ship textures/brick.png      # in the release
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `why`."""
    parser.add_argument("name", metavar="NAME", help="a lump's name, or the path of a source")
    add_manifest(parser)
    parser.add_argument("--ship", action="store_true", help="in the release, not the development build")
    add_json(parser)


def run(args: argparse.Namespace, io: Streams) -> int:
    """Print all that is known of the lump in each archive that has it."""
    from lumpyard.build.session import Session  # noqa: PLC0415 - the engine, which --help needs not

    project = open_project(args.manifest)
    answers: list[dict[str, Any]] = []
    names: list[str] = []
    for archive in project.manifest.archives:
        with closing(Session(project, archive, "ship" if args.ship else "pack")) as session:
            answers += [explain_lump(session, lump, name) for lump, name in _find(session, args.name)]
            names += [name for lump in session.plan.lumps for name in _names_of(session, lump)]
    if not answers:
        raise NotFoundError(_nothing(args.name, names))
    if args.json:
        io.out.json(answers)
        return 0
    for number, answer in enumerate(answers):
        if number:
            io.out.line()
        io.out.line(f"{answer['name']} in {answer['archive']}, {answer['path']}", "bold")
        io.out.lines(render_pairs([(title, escape_name(text)) for title, text in _pairs(answer)]))
    return 0


def _find(session: Session, wanted: str) -> Iterator[tuple[PlannedLump, str]]:
    """Lumps by name, and what comes of sources by path, as shells may complete it."""
    wanted = wanted.removeprefix("./")
    for lump in session.plan.lumps:
        for name in _names_of(session, lump):
            if wanted == name or wanted in lump.sources or (lump.products is None and wanted == lump.name):
                yield lump, name


def _names_of(session: Session, lump: PlannedLump) -> tuple[str, ...]:
    """The names that a planned lump has in its archive, as far as they are known without cooking."""
    if lump.products is not None:
        return lump.products
    from lumpyard.build.lumps.look import find_cooked, slots_of_one  # noqa: PLC0415 - as in run

    cooked = find_cooked(lump, session.maker, read=True)
    if cooked is None:
        return (lump.name,)
    return tuple(slot.name for slot in slots_of_one(session.plan, lump, cooked))


def _nothing(wanted: str, names: list[str]) -> str:
    guess = guess_name(wanted, names)
    return f"no archive has a lump '{wanted}' or makes one of a source '{wanted}'" + (
        f"; {guess}" if guess else ""
    )


def _pairs(answer: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What a person sees of an answer."""
    yield "from", ", ".join(answer["sources"])
    if answer["found"] != answer["sources"]:
        yield "found in", ", ".join(answer["found"])
    if answer["shadowed"]:
        yield "in place of", ", ".join(answer["shadowed"])
    yield "because of", f"set {answer['set']}, {answer['place']}"
    yield "rule", f"{answer['rule']}, version {answer['rule_version']}"
    if answer["options"]:
        yield "options", ", ".join(f"{key} {json.dumps(value)}" for key, value in answer["options"].items())
    yield "type", f"{answer['type'] or 'none'}, schema {answer['schema']}"
    yield "alignment", str(answer["alignment"])
    yield "compression", answer["compression"]
    if answer["stored"] is not None:
        yield "stored", _stored(answer["stored"])
    yield "build", answer["state"]
    yield "cook digest", answer["cook_digest"] or "known after cooking"
    for number, ask in enumerate(answer["asks"]):
        yield ("" if number else "it asked"), f"{ask['kind']} {ask['subject']}: {ask['answer']}"


def _stored(stored: dict[str, Any]) -> str:
    """How the last build stored it: "lz4: 512 of 1,024 bytes, 50%"."""
    raw, size, tried = stored["raw_size"], stored["stored_size"], stored["codec_size"]
    if stored["compressed"]:
        return f"{stored['codec']}: {size:,} of {raw:,} bytes, {percent_text(size, raw)}"
    tried_text = (
        "" if tried is None else f"; {stored['codec']} makes {tried:,} of them, {percent_text(tried, raw)}"
    )
    return f"raw, {raw:,} bytes{tried_text}"
