"""Functions of the core are short."""

from __future__ import annotations

import ast

import pytest
from sources import PACKAGE, PROJECT

CORE = ("contact", "dynamics", "solid", "simulation")
LINES, PARAMETERS = 60, 8  # a kernel takes further arrays as *arrays


@pytest.mark.parametrize("package", CORE)
def test_no_function_of_the_core_is_long_or_has_many_parameters(package: str) -> None:
    found, count = [], 0
    for path in sorted((PROJECT / PACKAGE / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef):
                continue
            count += 1
            given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            parameters = len([one for one in given if one.arg not in ("self", "cls")])
            lines = (node.end_lineno or 0) - node.lineno + 1
            if lines > LINES or parameters > PARAMETERS:
                where = path.relative_to(PROJECT)
                found.append(f"{where}: {node.name}, {lines} lines, {parameters} parameters")
    assert count > 100
    assert found == []
