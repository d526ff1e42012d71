"""The project modules that a rule file imports, found by reading its import statements before it runs.

Reading beats watching what appears in `sys.modules`: it also sees imports that stand inside functions and run
only when a rule cooks, it is not fooled by modules that something else had imported, and the bytes that are
hashed are the very bytes that run. It does not see names that are put together at run time
(`importlib.import_module`); such a module is not found at all when the rule runs, rather than missed in the
digest.

A module is looked for in the rule file's folder and then in the project folder. The standard library and
`lumpyard` come before both, installed packages after.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Iterator

_NEVER_LOCAL = frozenset({*sys.stdlib_module_names, *sys.builtin_module_names, "lumpyard", "lumpyard_rules"})


class Module(NamedTuple):
    """A project module; without a path it is a folder that only holds other modules."""

    name: str  # dotted
    path: str = ""  # from the project folder
    code: bytes = b""

    @property
    def package(self) -> str:
        """The dotted name that its relative imports start from."""
        return self.name if self.is_package else self.name.rpartition(".")[0]

    @property
    def is_package(self) -> bool:
        """Whether it holds other modules."""
        return not self.path or self.path.endswith("/__init__.py")


@dataclass(slots=True)
class Closure:
    """A rule file and every project module that its import statements, followed through, can reach."""

    root: Module
    modules: dict[str, Module] = field(default_factory=dict)  # by dotted name
    missing: set[str] = field(default_factory=set)

    @property
    def code(self) -> dict[str, bytes]:
        """The bytes of each file, by path."""
        found = {module.path: module.code for module in self.modules.values() if module.path}
        return {**found, self.root.path: self.root.code}


def find_modules(path: str, code: bytes, read: Callable[[str], bytes | None]) -> Closure:
    """A rule file's closure; `read` gives a project file's bytes, or None where there is none.

    SyntaxError and ValueError (NUL bytes) come from the rule file alone: a module that it imports may be
    broken without harm until it is really imported.
    """
    folder = path.rpartition("/")[0]
    parts = folder.split("/") if folder else []
    package = ".".join(parts) if all(part.isidentifier() for part in parts) else ""
    name = path.rpartition("/")[2].removesuffix(".py")
    closure = Closure(Module(f"{package}.{name}" if package else name, path, code))
    search = _Search((folder, "") if folder else ("",), read, closure)
    search.follow(closure.root, strict=True)
    return closure


@dataclass(slots=True)
class _Search:
    """One walk over import statements."""

    folders: tuple[str, ...]
    read: Callable[[str], bytes | None]
    closure: Closure
    absent: set[str] = field(default_factory=set)  # dotted names that are no project module

    def follow(self, module: Module, *, strict: bool = False) -> None:
        """Find what a module imports, and what that imports in turn."""
        try:
            wanted = list(_imported_names(module))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            if strict:
                raise
            return
        for name in wanted:
            self.find(name)

    def find(self, name: str) -> Module | None:
        """The project module of a dotted name, found with its parents and followed, or None."""
        if name in self.absent or name.partition(".")[0] in _NEVER_LOCAL:
            return None
        if name in self.closure.modules:
            return self.closure.modules[name]
        found = self._look(name)
        if found is None:
            self.absent.add(name)
            return None
        for parent in list(_with_parents(name))[:-1]:
            self.closure.modules.setdefault(parent, Module(parent))
        self.closure.modules[name] = found
        self.follow(found)
        return found

    def _look(self, name: str) -> Module | None:
        """The first file that a dotted name can stand for."""
        parent, _, last = name.rpartition(".")
        holder = self.find(parent) if parent else None
        if holder and not holder.is_package:
            return None
        if holder and holder.path:
            starts = [holder.path.removesuffix("__init__.py") + last]
        else:
            starts = ["/".join(filter(None, (folder, *name.split(".")))) for folder in self.folders]
        for path in (f"{start}{ending}" for start in starts for ending in ("/__init__.py", ".py")):
            code = self.read(path)
            if code is not None:
                return Module(name, path, code)
            self.closure.missing.add(path)
        return None


def _imported_names(module: Module) -> Iterator[str]:
    """Dotted names that a module's import statements may mean, parents first; not all of them are modules."""
    import ast  # noqa: PLC0415 - a project without rule files needs none

    for node in ast.walk(ast.parse(module.code)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _with_parents(alias.name)
        elif isinstance(node, ast.ImportFrom):
            base = _base(node, module)
            yield from _with_parents(base)
            yield from (f"{base}.{alias.name}" for alias in node.names if base and alias.name != "*")


def _base(node: ast.ImportFrom, module: Module) -> str:
    """The dotted name after `from`, with leading dots resolved; "" where they lead nowhere."""
    if not node.level:
        return node.module or ""
    parts = module.package.split(".") if module.package else []
    if node.level > len(parts):
        return ""
    return ".".join([*parts[: len(parts) - node.level + 1], *((node.module,) if node.module else ())])


def _with_parents(name: str) -> Iterator[str]:
    """`a`, `a.b`, `a.b.c` of `a.b.c`."""
    parts = name.split(".")
    return (".".join(parts[:end]) for end in range(1, len(parts) + 1) if name)
