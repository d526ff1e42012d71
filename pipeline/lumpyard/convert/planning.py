"""What a conversion would do, and what it cannot: all of it is known before a byte is written."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from lumpyard.archives.ewad.layout import check_name
from lumpyard.archives.ewad.records import ENTRY_SIZE, HEADER_SIZE
from lumpyard.archives.flat import MAX_U32
from lumpyard.archives.model import Finding, shown
from lumpyard.archives.writing import NewLump
from lumpyard.convert.model import DATA, FLAT_FORMATS, LOOSE, ORIGIN_NAME, Options, Plan, Record
from lumpyard.convert.names import target_names
from lumpyard.convert.record import encode_record
from lumpyard.convert.writers import TARGETS, writer_of
from lumpyard.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lumpyard.convert.model import Layout, Source

# How big a file may be that is laid out as the original was: so many times its lumps, and some room more.
MAX_FOLD = 16
MAX_GAPS = 64 << 20


def plan_conversion(source: Source, format_name: str, options: Options | None = None) -> Plan:
    """How the lumps of a source are written as an archive of a format; UsageError where it is not written at all.

    An EWAD is made of an EWAD as it is; to any other format it goes through `archives.original_source` first.
    """
    if format_name not in TARGETS:
        raise UsageError(
            f"{format_name} archives are read, not written; the targets are {', '.join(TARGETS)}"
        )
    chosen = options or Options()
    names, renamed = target_names(source, format_name, chosen.names)
    findings = [
        finding for finding in source.findings if finding.code != "order" or format_name in FLAT_FORMATS
    ]
    plan = Plan(source, format_name, tuple(names), chosen, (), tuple(renamed))
    if format_name == "EWAD":
        keyed = source.format == "EWAD" and _unnamed(source) > 0
        plan = plan._replace(origin=_origin(source, names), keyed=keyed)
        findings += _ewad_findings(plan)
    else:
        findings += _losses(source, format_name)
        told = writer_of(format_name, large=chosen.large).check(new_lumps(plan))
        findings += [finding for finding in told if not _is_of_no_name(finding, source)]
    findings += _name_findings(plan)
    original = source.layout
    if original is not None and original.outside == DATA and format_name in {"EWAD", source.format}:
        message = f"{_some(original.lost, 'byte')} outside of header, lumps and known fields are not kept"
        findings.append(_warning("outside", message))
    if source.format == format_name == "EWAD" and not _is_usual(source):
        findings.append(
            _warning("layout", "the original is laid out unlike any EWAD that is written; this one is not")
        )
    return plan._replace(findings=tuple(findings), layout=_layout(plan))


def new_lumps(plan: Plan) -> list[NewLump]:
    """What the directory will say of the lumps, as far as it is known before they are compressed."""
    return [
        NewLump(name, lump.raw_size, lump.raw_size, kind=lump.kind or 0)
        for name, lump in zip(plan.names, plan.source.lumps, strict=True)
    ]


def _origin(source: Source, names: Sequence[bytes]) -> bytes | None:
    """The document that an EWAD keeps of the archive that it is made of."""
    if source.format in {"EWAD", LOOSE}:
        return None
    lumps = tuple(
        lump._replace(path=name.decode("utf-8", "surrogateescape"))
        for lump, name in zip(source.lumps, names, strict=True)
    )
    return encode_record(Record(source.format, source.signature, source.layout, lumps))


def _layout(plan: Plan) -> Layout | None:
    """Where everything was, if all of it can go there again."""
    source, options = plan.source, plan.options
    changed = plan.renamed or options.compress or options.alignment or options.strip
    if source.format != plan.format or source.stored is not None or changed or source.layout is None:
        return None
    if any(finding.code in {"gone", "added"} for finding in source.findings):
        return None
    if plan.format == "EWAD" and not _is_usual(source):
        return None
    size, stored_size = source.layout.size, 0
    for lump in source.lumps:
        if lump.recorded is None or lump.recorded.offset + lump.recorded.stored_size > size:
            return None
        stored_size += lump.recorded.stored_size
    # A record is data: a small one must not make a file of terabytes that is then read back.
    most = MAX_FOLD * stored_size + MAX_GAPS
    return source.layout if size <= (most if plan.format == "EWAD" else min(most, MAX_U32)) else None


def _is_usual(source: Source) -> bool:
    """Whether an EWAD has directory and names where they are written."""
    layout = source.layout
    directory_end = HEADER_SIZE + ENTRY_SIZE * len(source.lumps)
    return layout is None or (layout.directory_offset, layout.table_offset) == (HEADER_SIZE, directory_end)


def _ewad_findings(plan: Plan) -> Iterator[Finding]:
    """What an EWAD cannot hold."""
    if plan.keyed:
        if len({lump.key for lump in plan.source.lumps}) < len(plan.source.lumps) or any(
            lump.key is None for lump in plan.source.lumps
        ):
            yield Finding("name", "some lumps have neither a name nor a key")
        yield Finding(
            "stripped", "nothing names some lumps, so the archive keeps its keys and has no names", None, "ok"
        )
        return
    times = Counter(plan.names)
    for index, name in enumerate(plan.names):
        label = plan.source.lumps[index].label
        try:
            check_name(name)
        except UsageError as error:
            yield Finding("name", f"{label}: {error}", index)
        if times[name] > 1:
            yield Finding(
                "duplicate", f"{label}: {times[name]} lumps would have the name {shown(name)}", index
            )
        if plan.origin is not None and name == ORIGIN_NAME.encode():
            yield Finding("duplicate", f"{label}: this name is the origin lump's, which is added", index)


def _losses(source: Source, format_name: str) -> Iterator[Finding]:
    """What a format has no place for, or has a place for that the source has nothing for; all of it warnings."""
    typed = sum(1 for lump in source.lumps if lump.fourcc or lump.schema)
    if typed:
        yield _warning(
            "types", f"{format_name} has no types and schema versions; those of {_lumps(typed)} are lost"
        )
    kinds = sum(1 for lump in source.lumps if lump.kind)
    if format_name in {"WAD2", "WAD3"}:
        without = sum(1 for lump in source.lumps if lump.kind is None)
        if without:
            yield _warning("kinds", f"nothing says the lump type of {_lumps(without)}; {format_name} gets 0")
    elif kinds:
        yield _warning("kinds", f"{format_name} has no lump types; those of {_lumps(kinds)} are lost")


def _name_findings(plan: Plan) -> Iterator[Finding]:
    """What became of names; warnings."""
    source = plan.source
    unnamed = _unnamed(source)
    if unnamed and source.format != "EWAD":
        first = next(name for name, lump in zip(plan.names, source.lumps, strict=True) if lump.name is None)
        hint = " (--listfile may)" if source.format == "MPQ" else ""
        message = f"nothing names {_lumps(unnamed)}{hint}; stand-ins are used, as {shown(first)}"
        yield _warning("unnamed", message)
    elif unnamed and plan.format != "EWAD":
        for lump in source.lumps:
            if lump.path is None:
                yield Finding("name", f"{lump.label}: nothing names it; --symbols may")
    if plan.format not in {*FLAT_FORMATS, source.format} and source.format not in {
        *FLAT_FORMATS,
        "EWAD",
        LOOSE,
    }:
        twins = sum(count - 1 for count in Counter(lump.name for lump in source.lumps if lump.name).values())
        if twins:
            they = (
                "has a name that another has, and is"
                if twins == 1
                else "have names that others have, and are"
            )
            yield _warning("duplicates", f"{_lumps(twins)} {they} numbered")
    if source.format in FLAT_FORMATS and plan.format not in {*FLAT_FORMATS, "EWAD"}:
        stored = [(lump.name or b"").partition(b"\0")[0] for lump in source.lumps]
        moved = [new for new, old in zip(plan.names, stored, strict=True) if new != old]
        if moved:
            what = "gets a path for a name" if len(moved) == 1 else "get paths for names"
            yield _warning("paths", f"{_lumps(len(moved))} {what}, as {shown(moved[0])}")
    if plan.renamed:
        change = plan.renamed[0]
        more = f" and {len(plan.renamed) - 1} more" if len(plan.renamed) > 1 else ""
        yield _warning("renamed", f"{shown(change.old)} becomes {shown(change.new)}{more}")


def _is_of_no_name(finding: Finding, source: Source) -> bool:
    """Whether a writer is told of an empty name where there is none, which is told by itself."""
    nameless = finding.entry is not None and source.lumps[finding.entry].path is None
    return nameless and finding.code in {"name", "name-empty"}


def _unnamed(source: Source) -> int:
    """How many lumps nothing names."""
    if source.format == "EWAD":  # symbols name them by paths
        return sum(1 for lump in source.lumps if lump.path is None)
    return sum(1 for lump in source.lumps if lump.name is None)


def _warning(code: str, message: str) -> Finding:
    return Finding(code, message, None, "ok")


def _lumps(number: int) -> str:
    return _some(number, "lump")


def _some(number: int, what: str) -> str:
    return f"{number:,} {what}" + ("" if number == 1 else "s")
