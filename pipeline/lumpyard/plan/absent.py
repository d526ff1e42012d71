"""Why a root or a pattern finds nothing, as far as the folders tell, and what was probably meant."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.manifest.closest import did_you_mean
from lumpyard.plan.folders import is_literal
from lumpyard.plan.search import find, matching
from lumpyard.plan.tree import inside

if TYPE_CHECKING:
    from collections.abc import Collection

    from lumpyard.plan.folders import Folders

_OPTIONAL = "`optional: true` on the set lets its patterns match nothing"


class RootFault(NamedTuple):
    """Why a set cannot be listed at all."""

    message: str
    hint: str
    may_come: bool = False  # the folder is only absent, which `optional` sets allow


def root_fault(root: str, folders: Folders) -> RootFault | None:
    """What is wrong with a set's root, or None."""
    stop = folders.stop(root)
    if stop is None:
        return None
    what, hint = _missing_folder(*stop, folders)
    return RootFault(f"root '{root}': {what}", hint, may_come=what.startswith("there is no"))


def pattern_message(text: str, root: str) -> str:
    """What to say of a pattern that matches no file."""
    return f"no file matches '{text}' in {root or 'the project folder'}"


def pattern_fault(text: str, root: str, folders: Folders) -> tuple[str, str]:
    """Message and hint for a pattern that matches no file below a root that is there; takes milliseconds."""
    message = pattern_message(text, root)
    above, _, name = text.rpartition("/")
    if not is_literal(above):
        above = _literal_start(text)
    full = inside(root, above)
    ignored = next(
        (part for part in text.split("/") if is_literal(part) and folders.ignore.ignores(part)), ""
    )
    if ignored:
        return message, f"`ignore` leaves out every '{ignored}'"
    stop = folders.stop(full)
    if stop is not None:
        what, hint = _missing_folder(*stop, folders)
        return f"{message}: {what}", hint or _OPTIONAL
    if is_literal(text):
        return message, did_you_mean(name, folders.look(full).names) or _OPTIONAL
    return message, _case_hint(text, above, root, folders) or _OPTIONAL


def idle_hint(text: str, root: str, taken: Collection[str]) -> str:
    """What was meant by a `!` pattern that takes none of the files that the other patterns took, or ""."""
    if matching(f"{text}/**", taken):
        return f"to take away the files below that folder write '!{text}/**'"
    if root and text.startswith(f"{root}/") and matching(text.removeprefix(f"{root}/"), taken):
        return f"patterns are relative to root: '!{text.removeprefix(f'{root}/')}'"
    return ""


def _missing_folder(above: str, name: str, folders: Folders) -> tuple[str, str]:
    """What is in a folder's place, and what was meant."""
    found = folders.scan(above)
    path = inside(above, name)
    if found is None:
        return f"there is no folder {path}", ""
    if name in found.names:
        return f"{path} is a file, not a folder", ""
    odd = dict(found.odd).get(name)
    if odd:
        return f"{path} is {odd}, not a folder", ""
    return f"there is no folder {path}", did_you_mean(name, folders.look(above).folders)


def _case_hint(text: str, above: str, root: str, folders: Folders) -> str:
    """A file that a pattern would match if case did not matter."""
    paths = find(f"{above}/**" if above else "**", root, folders).files
    folded = {path.casefold(): path for path in reversed(paths)}
    found = matching(text.casefold(), folded)
    return f"case matters: there is {inside(root, folded[min(found)])}" if found else ""


def _literal_start(text: str) -> str:
    """The folders that a pattern names before its first wild part."""
    parts = text.split("/")
    wild = next(at for at, part in enumerate(parts) if not is_literal(part))
    return "/".join(parts[:wild])
