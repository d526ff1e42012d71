"""Running a local rule file and the project modules that it imports, without a trace outside of them.

Nothing is written beside them (no .pyc), and no module is known to others under its own name: in
`sys.modules` (where dataclasses and typing look for the module of a class) they stand as
`tools/level_rule.py#0f3a….level_rule`, a name that no import statement can say, new with each code. Two
projects, two rules or two versions of one rule never see each other's modules. For this their `import`
statements go through `_Importer`, by way of `__builtins__` in their globals.
"""

from __future__ import annotations

import builtins
import sys
from dataclasses import dataclass, field
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lumpyard.registry.modules import Closure, Module


def run_rule_file(closure: Closure, folder: str, mark: str) -> ModuleType:
    """The rule file as a module that has run. Whatever its code raises comes out.

    `folder` is the project folder, for file names in tracebacks; `mark` tells this version of the code from
    others.
    """
    importer = _Importer(closure, folder, mark)
    try:
        return importer.run(closure.root)
    except BaseException:
        for module in importer.loaded.values():
            sys.modules.pop(module.__name__, None)
        raise


@dataclass(slots=True)
class _Importer:
    """`__import__` for the modules of one closure: project modules from the closure, all else as ever."""

    closure: Closure
    folder: str
    mark: str
    loaded: dict[str, ModuleType] = field(default_factory=dict)

    def run(self, module: Module) -> ModuleType:
        """A new module that has run the code."""
        file = f"{self.folder}/{module.path}"
        made = ModuleType(f"{module.path or module.name}#{self.mark}.{module.name}")
        made.__dict__["__file__"] = file
        made.__dict__["__package__"] = module.package
        made.__dict__["__builtins__"] = {**vars(builtins), "__import__": self.import_name}
        if module.is_package:
            made.__dict__["__path__"] = []
        self.loaded[module.name] = sys.modules[made.__name__] = made
        try:
            # Without dont_inherit this module's own __future__ imports would hold there too.
            exec(compile(module.code, file, "exec", dont_inherit=True), made.__dict__)  # noqa: S102 - a rule is code
        except BaseException:
            del self.loaded[module.name]
            sys.modules.pop(made.__name__, None)
            raise
        return made

    def import_name(
        self,
        name: str,
        globals: Mapping[str, Any] | None = None,  # noqa: A002 - the signature of __import__
        locals: Mapping[str, Any] | None = None,  # noqa: A002
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        """What an import statement asks for; see the language reference on `__import__`."""
        full = _absolute(name, globals or {}, level)
        if full not in self.closure.modules:
            if level and full:
                raise ModuleNotFoundError(f"no module {full!r} in this project", name=full)
            return builtins.__import__(name, globals, locals, fromlist or (), level)
        leaf = self.get(full)
        for item in fromlist or ():
            if not hasattr(leaf, item) and f"{full}.{item}" in self.closure.modules:
                self.get(f"{full}.{item}")
        return leaf if fromlist else self.get(full.partition(".")[0])

    def get(self, name: str) -> ModuleType:
        """A project module by its dotted name, run when it is first asked for, bound in its parent."""
        parent, _, last = name.rpartition(".")
        holder = self.get(parent) if parent else None
        module = self.loaded.get(name) or self.run(self.closure.modules[name])
        if holder is not None:
            setattr(holder, last, module)
        return module


def _absolute(name: str, names: Mapping[str, Any], level: int) -> str:
    """The dotted name that a statement means; "" where its leading dots lead nowhere."""
    if not level:
        return name
    parts = str(names.get("__package__") or "").split(".")
    if not parts[0] or level > len(parts):
        return ""
    return ".".join([*parts[: len(parts) - level + 1], *((name,) if name else ())])
