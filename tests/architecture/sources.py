"""The modules of the package and their imports, read from the source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
PACKAGE = "fecontact"
MODULES = {
    ".".join(file.relative_to(PROJECT).with_suffix("").parts).removesuffix(".__init__"): file
    for file in sorted((PROJECT / PACKAGE).rglob("*.py"))
}


def imports(module: str) -> Iterator[tuple[str, int]]:
    """Every module that a module imports, with the line: at its top, in functions, for types."""
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}:{node.lineno}: imports are absolute here"
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in MODULES else str(node.module), node.lineno


def part(module: str) -> str:
    """The part of the package a module belongs to: ``contact`` for
    ``fecontact.contact.interface.constraint_matrix``."""
    return module.removeprefix(f"{PACKAGE}.").split(".")[0]
