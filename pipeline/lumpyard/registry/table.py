"""The rules of a project, by kind and by suffix, and what decides whether they are still the same."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from lumpyard.rule import Rule


class Registered(NamedTuple):
    """A rule that loaded, and where it came from."""

    rule: Rule
    origin: str  # "acme-rules 1.2", or the path of a local rule file
    digest: str  # hex BLAKE3 of kind, version, library versions and, for a local rule, its code
    distribution: str = ""  # "" for a local rule
    files: tuple[str, ...] = ()  # its file and the project modules that it imports, sorted by bytes
    missing: tuple[str, ...] = ()  # not there now; a file here would be imported in place of what is


@dataclass(frozen=True, slots=True)
class RuleTable:
    """Every rule that a project can use. Kinds are unique; a suffix may belong to several rules."""

    by_kind: Mapping[str, Registered]
    by_suffix: Mapping[str, tuple[Registered, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Index the suffixes once: a plan asks for thousands of files."""
        index: dict[str, tuple[Registered, ...]] = {}
        for _, entry in sorted(self.by_kind.items()):
            for suffix in entry.rule.suffixes:
                index[suffix] = (*index.get(suffix, ()), entry)
        object.__setattr__(self, "by_suffix", index)

    def find(self, kind: str) -> Registered | None:
        """The rule of a kind."""
        return self.by_kind.get(kind)

    def for_suffix(self, path: str) -> tuple[Registered, ...]:
        """The rules that take files named like this one, sorted by kind; the longest suffix wins.

        Case does not matter. A leading dot starts no suffix: `.txt` is a file without one.
        """
        return next((self.by_suffix[suffix] for suffix in _suffixes(path) if suffix in self.by_suffix), ())

    @property
    def distributions(self) -> tuple[str, ...]:
        """The distributions whose versions matter: where rules come from, and the libraries they name."""
        found = {entry.distribution for entry in self.by_kind.values() if entry.distribution}
        return tuple(sorted(found.union(*(entry.rule.libraries for entry in self.by_kind.values()))))

    @property
    def files(self) -> tuple[str, ...]:
        """Every project file that is code of a rule, sorted by bytes; a changed one asks for a new load."""
        return sorted_paths({path for entry in self.by_kind.values() for path in entry.files})

    @property
    def missing(self) -> tuple[str, ...]:
        """Paths that are not there now, sorted by bytes; one that appears asks for a new load."""
        return sorted_paths({path for entry in self.by_kind.values() for path in entry.missing})


def _suffixes(path: str) -> Iterator[str]:
    """The suffixes of a path's last part in lower case, the longest first."""
    name = path[path.rfind("/") + 1 :].lower()
    dot = name.find(".", 1)
    while dot > 0:
        yield name[dot:]
        dot = name.find(".", dot + 1)


def sorted_paths(paths: Iterable[str]) -> tuple[str, ...]:
    """Paths sorted by bytes."""
    return tuple(sorted(paths, key=lambda path: path.encode("utf-8", "surrogateescape")))
