"""No function, method or class of the package is unused: tests alone do not count as users."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

from sources import MODULES, PROJECT

# Called by name: by click, IPython and numba, and by tests/unit/exact for each law.
CALLED_BY_NAME = {
    "get_command",
    "list_commands",
    "format_commands",
    "_repr_html_",
    "on_start",
    "on_end",
} | {f"{law}_bar" for law in ("neo_hookean", "st_venant_kirchhoff", "hencky")}
READERS = ("fecontact", "benchmarks", "examples", "docs/figures", "setup.py")
# Reference solutions have properties that tests compare with each other.
TESTED = ("tests/unit/exact",)


def sources() -> list[str]:
    """Return the texts that can use a name of the package."""
    files: list[Path] = []
    for name in READERS + TESTED:
        path = PROJECT / name
        files += [path] if path.is_file() else sorted(path.rglob("*.py"))
    files += sorted((PROJECT / "docs").rglob("*.md"))
    return [file.read_text(encoding="utf-8") for file in files]


def definitions() -> list[tuple[str, str]]:
    """Return module and name of each undecorated definition; decorators register what they wrap."""
    found = []
    for module, file in MODULES.items():
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, (ast.FunctionDef, ast.ClassDef)) or node.name.startswith("__"):
                continue
            registered = any("property" not in ast.unparse(d) for d in node.decorator_list)
            if not registered and node.name not in CALLED_BY_NAME:
                found.append((module, node.name))
    return found


def test_every_definition_is_used_somewhere_else_than_in_tests() -> None:
    words = Counter(word for text in sources() for word in re.findall(r"\w+", text))
    defined = Counter(name for _, name in definitions())
    unused = [f"{module}.{name}" for module, name in definitions() if words[name] <= defined[name]]
    assert unused == []
