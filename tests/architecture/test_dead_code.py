"""No function, method or class of the package is unused: tests alone do not count as users."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

from sources import MODULES, PROJECT

# Called by name: by click, IPython and numba, and by tests/unit/reference for each law.
CALLED_BY_NAME = {
    "get_command",
    "list_commands",
    "format_commands",
    "_repr_html_",
    "on_start",
    "on_end",
} | {f"{law}_bar" for law in ("neo_hookean", "st_venant_kirchhoff", "hencky")}
# Decorators of compiled kernels; other decorators register a function.
COMPILED = ("njit", "kernel", "helper", "summing")
READERS = ("fecontact", "benchmarks", "examples", "docs/figures", "setup.py")
# Reference solutions have properties that tests compare with each other.
TESTED = ("tests/unit/reference",)


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


def unread_arguments(tree: ast.Module, passed: set[str]) -> list[str]:
    """Return the arguments that functions of a module never read.

    passed: names that are used as values; the caller of such a function determines its arguments.
    """
    found = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name not in passed:
            given = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
            read = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
            found += [f"{node.name}({arg.arg})" for arg in given if arg.arg not in read]
    return found


def names_as_values(tree: ast.Module) -> set[str]:
    """Return the names that a module uses otherwise than to call them, and decorated functions."""
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    decorated = {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and any(ast.unparse(d).partition("(")[0] not in COMPILED for d in node.decorator_list)
    }
    return decorated | {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in called
    }


def test_every_argument_is_read() -> None:
    trees = {name: ast.parse(file.read_text(encoding="utf-8")) for name, file in MODULES.items()}
    passed = set().union(*map(names_as_values, trees.values()))
    unread = [
        f"{name}.{one}" for name, tree in trees.items() for one in unread_arguments(tree, passed)
    ]
    assert unread == []
    wrong = ast.parse("@njit\ndef f(x, y):\n    return x\n")
    assert unread_arguments(wrong, names_as_values(wrong)) == ["f(y)"]


def test_every_definition_is_used_somewhere_else_than_in_tests() -> None:
    words = Counter(word for text in sources() for word in re.findall(r"\w+", text))
    defined = Counter(name for _, name in definitions())
    unused = [f"{module}.{name}" for module, name in definitions() if words[name] <= defined[name]]
    assert unused == []
