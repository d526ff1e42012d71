"""How each file of a set is made: overrides applied, a rule chosen, its options read."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.errors import RuleError
from lumpyard.manifest.closest import did_you_mean
from lumpyard.manifest.formats import FORMATS
from lumpyard.manifest.model import AUTO
from lumpyard.plan.codes import BAD_CHOICE, NO_OVERRIDE, TWO_RULES, UNKNOWN_RULE
from lumpyard.plan.model import Encoding, Recipe
from lumpyard.plan.names import parse_template
from lumpyard.plan.options import find_options
from lumpyard.plan.search import matching
from lumpyard.rule import fourcc_number

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from lumpyard.manifest.model import ArchiveSpec, Compression, LumpSet, Settings
    from lumpyard.plan.findings import Findings
    from lumpyard.plan.folders import Folders
    from lumpyard.plan.names import Template
    from lumpyard.registry import Registered, RuleTable


class Terms(NamedTuple):
    """What an archive and a profile add to what its sets say."""

    archive: ArchiveSpec
    rules: RuleTable
    tools: Collection[str]  # of the manifest, by name
    ship_compress: Compression | None  # what replaces `auto`; None in development builds
    findings: Findings
    folders: Folders


class Batch(NamedTuple):
    """Files of one set that are made alike."""

    recipe: Recipe
    template: Template
    settings: Settings
    paths: Sequence[str]  # relative to the set's root, or to the archive that they are lumps of
    sources: Sequence[str] = ()  # of lumps of archives


def make_batches(lump_set: LumpSet, paths: Sequence[str], terms: Terms) -> list[Batch]:
    """The files of a set by how they are made; those whose settings have problems are left out."""
    batches: list[Batch] = []
    shared: dict[object, Recipe] = {}
    for settings, group in _by_overrides(lump_set, paths, terms.findings):
        template = parse_template(settings.name or "{path}")
        for rule, files in _by_rule(settings, lump_set, group, terms):
            if rule.rule.expands:
                batches += _expanded(settings, rule, lump_set, files, terms)
                continue
            recipe = make_recipe(settings, rule, lump_set, terms)
            if recipe is not None:
                recipe = shared.setdefault(_key(recipe), recipe)
                batches.append(Batch(recipe, template, settings, files))
    return batches


def _expanded(
    settings: Settings, rule: Registered, lump_set: LumpSet, files: Sequence[str], terms: Terms
) -> list[Batch]:
    """Batches of the lumps of archives."""
    from lumpyard.plan.expansion import expand_files  # noqa: PLC0415 - most manifests have no archives

    options = find_options(settings, rule.rule, lump_set, terms.tools, terms.findings)
    if options is None:
        return []
    inner = _find_rule(getattr(options, "rule", "raw"), "options", settings, lump_set, terms)
    if inner is None:
        return []
    if inner.rule.expands:
        place = settings.places.get("options", lump_set.place)
        terms.findings.add(
            place, BAD_CHOICE, f"rule '{inner.rule.kind}' cooks no lumps", "name another `rule`"
        )
        return []
    recipe = make_recipe(settings._replace(rule=inner.rule.kind, options=None), inner, lump_set, terms)
    template = parse_template(settings.name or "{path}")
    found = expand_files(options, files, lump_set, settings, terms.folders, terms.findings)
    return (
        []
        if recipe is None
        else [Batch(recipe, template, settings, paths, sources) for paths, sources in found]
    )


def make_recipe(settings: Settings, rule: Registered, lump_set: LumpSet, terms: Terms) -> Recipe | None:
    """The recipe of some settings and a rule; None where they have problems."""
    from lumpyard.manifest.options import options_text  # noqa: PLC0415 - json; see find_options

    options = find_options(settings, rule.rule, lump_set, terms.tools, terms.findings)
    if options is None:
        return None
    return Recipe(
        lump_set.id,
        lump_set.place,
        rule.rule,
        rule.digest,
        options,
        options_text(options),
        None if settings.fourcc is None else fourcc_number(settings.fourcc),
        settings.schema,
        _encoding(settings.compress or AUTO, terms),
        terms.archive.alignment if settings.alignment is None else settings.alignment,
        settings.kind,
    )


def _encoding(compress: Compression, terms: Terms) -> Encoding:
    target = FORMATS[terms.archive.format]
    if target.holds_all:
        return make_encoding(compress, terms.ship_compress)
    return Encoding(target.codec if target.codec and compress.auto else "none")  # the manifest refuses LZ4


def _key(recipe: Recipe) -> object:
    """What tells the recipes of one set apart; options themselves need not be hashable."""
    return recipe._replace(rule=recipe.rule.kind, options=None)  # type: ignore[arg-type]


def make_encoding(compress: Compression, ship: Compression | None) -> Encoding:
    """The encoding that a compression means; `ship` replaces codec and level of `auto`, not its limits."""
    codec, level = (
        (ship.codec, ship.level) if ship is not None and compress.auto else (compress.codec, compress.level)
    )
    return (
        Encoding("none") if codec == "none" else Encoding(codec, level, compress.min_saving, compress.limit)
    )


def _by_overrides(
    lump_set: LumpSet, paths: Sequence[str], findings: Findings
) -> list[tuple[Settings, Sequence[str]]]:
    """The files of a set by the overrides that match them, with the settings that come out."""
    if not (lump_set.overrides and paths):  # a set without files has its problem already
        return [(lump_set.settings, paths)]
    masks = dict.fromkeys(paths, 0)
    for bit, override in enumerate(lump_set.overrides):
        hits = matching(override.match.text, masks)
        for path in hits:
            masks[path] |= 1 << bit
        if not (hits or lump_set.optional):
            message = f"no file of set {lump_set.id!r} matches '{override.match.text}'"
            findings.add(
                override.match.place,
                NO_OVERRIDE,
                message,
                _override_hint(lump_set, override.match.text, paths),
            )
    groups: dict[int, list[str]] = {}
    for path, mask in masks.items():
        groups.setdefault(mask, []).append(path)
    return [(_overridden(lump_set, mask), group) for mask, group in groups.items()]


def _override_hint(lump_set: LumpSet, text: str, paths: Sequence[str]) -> str:
    below = text.removeprefix(f"{lump_set.root}/")
    if lump_set.root and below != text and matching(below, paths):
        return f"`match` is relative to root: '{below}'"
    return f"the files below that folder are '{text}/**'" if matching(f"{text}/**", paths) else ""


def _overridden(lump_set: LumpSet, mask: int) -> Settings:
    """The settings of a set under those of its overrides whose bits are in the mask."""
    from lumpyard.manifest.settings import overlay  # noqa: PLC0415 - most sets have no overrides

    settings = lump_set.settings
    for bit, override in enumerate(lump_set.overrides):
        if mask >> bit & 1:
            settings = overlay(settings, override.settings)
    return settings


def _by_rule(
    settings: Settings, lump_set: LumpSet, paths: Sequence[str], terms: Terms
) -> list[tuple[Registered, Sequence[str]]]:
    """Files with the rule that each is made by; those that have none or two are left out."""
    if settings.rule is not None:
        rule = _find_rule(settings.rule, "rule", settings, lump_set, terms)
        return [(rule, paths)] if rule is not None and paths else []
    groups: dict[str, list[str]] = {}
    for ending, files in _by_ending(paths).items():
        rule = _rule_for(ending, files[0], lump_set, terms)
        if rule is not None:
            groups.setdefault(rule.rule.kind, []).extend(files)
    return [(terms.rules.by_kind[kind], files) for kind, files in groups.items()]


def _find_rule(kind: str, key: str, settings: Settings, lump_set: LumpSet, terms: Terms) -> Registered | None:
    """The rule that a key of a set names; None where there is none."""
    rule = terms.rules.find(kind)
    if rule is None:
        place = settings.places.get(key, lump_set.place)
        hint = did_you_mean(kind, terms.rules.by_kind) or "`lumpyard rules` lists those there are"
        terms.findings.add(place, UNKNOWN_RULE, f"unknown rule '{kind}'", hint)
    return rule


def _by_ending(paths: Sequence[str]) -> dict[str, list[str]]:
    """Paths by all that decides their suffixes: what follows the first dot that doesn't start the name."""
    endings: dict[str, list[str]] = {}
    for path in paths:
        dot = path.find(".", path.rfind("/") + 2)
        ending = path[dot:] if dot > 0 else ""
        if ending in endings:
            endings[ending].append(path)
        else:
            endings[ending] = [path]
    return endings


def _rule_for(ending: str, path: str, lump_set: LumpSet, terms: Terms) -> Registered | None:
    """The rule for files with some ending; None where it is not clear."""
    rules = terms.rules.for_suffix(path)
    if len(rules) > 1:
        suffix = max((end for end in rules[0].rule.suffixes if ending.lower().endswith(end)), key=len)
        kinds = " and ".join(f"'{rule.rule.kind}'" for rule in rules)
        message = f"set '{lump_set.id}' has '{suffix}' files, and rules {kinds} take that suffix"
        hint = f"say which: `rule: {rules[0].rule.kind}`"
        terms.findings.add(lump_set.place, TWO_RULES, message, hint)
        return None
    rule = rules[0] if rules else terms.rules.find("raw")
    if rule is None:
        raise RuleError("rule 'raw' is not installed; install lumpyard again")
    return rule
