"""Rules for the tests themselves: a test can fail, and does not depend on the wording of messages.

- A test whose asserts all stand in loops has a loop that certainly runs: over constants, or with an
  assert outside of it that the code returned something.
- A test asserts the type, the key and the exit code of a message, not its sentence. Whole sentences
  stand in the corpora of broken studies, models and meshes alone.
- A tolerance of 10 % or more has its reason beside it, in a comment or in a docstring.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sources import PROJECT

TESTS = PROJECT / "tests"
FILES = sorted(TESTS.rglob("test_*.py"))
# Texts that are the product: pages, and what each broken rule of a study prints.
CORPORA = (
    "documentation",
    "robustness/test_invalid_studies.py",
    "robustness/test_absurd_models.py",
)
SENTENCE = 5  # words in a row
WORDS = re.compile(rf"(?<![\w.'\"`/-])[a-z]+[,:;]?(?: [a-z-]+[,;:]?){{{SENTENCE - 1},}}(?![\w.`])")
LOOSE = 0.1  # relative tolerance
LOOPS = (ast.For, ast.While)


def functions(file: Path) -> Iterator[ast.FunctionDef]:
    """Yield the test functions of a file."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node


def of_kind(kind: type | tuple[type, ...], node: ast.AST) -> list[ast.AST]:
    return [inner for inner in ast.walk(node) if isinstance(inner, kind)]


def certainly_runs(values: ast.expr, known: set[str]) -> bool:
    """Return True if the values of a loop are constants of the test or of its module.

    known: local names that are constants.
    """
    match values:
        case ast.Tuple(elts=inner) | ast.List(elts=inner) | ast.Set(elts=inner):
            return bool(inner)
        case ast.Dict(keys=keys):
            return bool(keys)
        case ast.Constant(value=text):
            return bool(text)
        case ast.Name(id=name):
            return name.isupper() or name in known
        case ast.BinOp(left=left, right=right):
            return certainly_runs(left, known) or certainly_runs(right, known)
        case ast.Subscript(value=value):
            return certainly_runs(value, known)
        case ast.Call(func=ast.Attribute(attr="items" | "values" | "keys", value=table)):
            return certainly_runs(table, known)
        case ast.Call(func=ast.Name(id="range"), args=bounds):
            return all(not of_kind(ast.Call, bound) for bound in bounds)
        case ast.Call(func=ast.Attribute(attr="linspace" | "uniform" | "arange")):
            return True
        case ast.Call(func=ast.Name(id="enumerate" | "sorted" | "reversed" | "list"), args=args):
            return certainly_runs(args[0], known)
        case ast.Call(func=ast.Name(id="zip"), args=args, keywords=keywords):
            strict = any(keyword.arg == "strict" for keyword in keywords)
            return strict and any(certainly_runs(arg, known) for arg in args)
    return False


def constants(test: ast.FunctionDef) -> set[str]:
    """Return the local names of a test that are constants, or run over constants in a loop."""
    known: set[str] = set()
    for node in ast.walk(test):
        match node:
            case ast.Assign(targets=[target], value=value) | ast.For(target=target, iter=value):
                if certainly_runs(value, known):
                    known |= {inner.id for inner in ast.walk(target) if isinstance(inner, ast.Name)}
    return known


def may_assert_nothing(test: ast.FunctionDef) -> bool:
    """Return True if all asserts of a test stand in loops that may have nothing to run over."""
    asserts = set(of_kind(ast.Assert, test))
    if not asserts or of_kind(ast.With, test):
        return False
    known = constants(test)
    for loop in of_kind(LOOPS, test):
        if isinstance(loop, ast.For) and certainly_runs(loop.iter, known):
            continue
        asserts -= set(of_kind(ast.Assert, loop))
    return not asserts


def parameters(test: ast.FunctionDef, names: set[str]) -> Iterator[ast.expr]:
    """Yield the values of parameters with these names in the decorators of a test."""
    for call in test.decorator_list:
        if not (isinstance(call, ast.Call) and ast.unparse(call.func).endswith("parametrize")):
            continue
        keys = ast.literal_eval(call.args[0])
        keys = [key.strip() for key in keys.split(",")] if isinstance(keys, str) else list(keys)
        rows = call.args[1].elts if isinstance(call.args[1], ast.List | ast.Tuple) else []
        for row in rows:
            values = row.elts if len(keys) > 1 and isinstance(row, ast.Tuple | ast.List) else [row]
            yield from (value for key, value in zip(keys, values, strict=False) if key in names)


def expected_texts(test: ast.FunctionDef) -> Iterator[str]:
    """Yield the texts that a test expects in messages and outputs."""
    found: list[ast.expr] = []
    for node in ast.walk(test):
        match node:
            case ast.Call(func=ast.Attribute(attr="raises" | "warns"), keywords=keywords):
                found += [keyword.value for keyword in keywords if keyword.arg == "match"]
            case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()]):
                found.append(left)
            case ast.Call(func=ast.Attribute(attr="startswith" | "endswith"), args=args):
                found += args
    names = {str(name.id) for value in found for name in of_kind(ast.Name, value)}  # type: ignore[attr-defined]
    for value in [*found, *parameters(test, names)]:
        yield from (
            inner.value
            for inner in ast.walk(value)
            if isinstance(inner, ast.Constant) and isinstance(inner.value, str)
        )


def loose_tolerances(test: ast.FunctionDef) -> Iterator[int]:
    """Yield the lines of `approx(…, rel=…)` and `allclose(…, rtol=…)` with 10 % or more."""
    for call in of_kind(ast.Call, test):
        assert isinstance(call, ast.Call)
        for keyword in call.keywords:
            value = getattr(keyword.value, "value", None)
            if keyword.arg in {"rel", "rtol"} and isinstance(value, float) and value >= LOOSE:
                yield call.lineno


def of_tests(file: Path) -> list[tuple[str, ast.FunctionDef]]:
    return [(f"{file.relative_to(TESTS)}::{test.name}", test) for test in functions(file)]


def test_the_rules_find_what_they_forbid() -> None:
    (bad,) = ast.parse(
        "def test_a():\n"
        "    for row in rows():\n"
        "        assert row == approx(1.0, rel=0.2)\n"
        "        assert 'the body has no support' in row\n"
    ).body
    assert isinstance(bad, ast.FunctionDef)
    assert may_assert_nothing(bad)
    assert [text for text in expected_texts(bad) if WORDS.search(text)]
    assert list(loose_tolerances(bad)) == [3]


def test_no_test_can_pass_without_an_assert() -> None:
    assert len(FILES) > 200
    assert [n for file in FILES for n, test in of_tests(file) if may_assert_nothing(test)] == []


def test_no_test_expects_a_sentence() -> None:
    found = [
        f"{name}: {text}"
        for file in FILES
        if not file.relative_to(TESTS).as_posix().startswith(CORPORA)
        for name, test in of_tests(file)
        for text in expected_texts(test)
        if WORDS.search(text)
    ]
    assert found == []


@pytest.mark.parametrize("folder", sorted(path.name for path in TESTS.iterdir() if path.is_dir()))
def test_a_tolerance_of_ten_percent_has_its_reason(folder: str) -> None:
    found = []
    for file in FILES:
        if file.relative_to(TESTS).parts[0] != folder:
            continue
        lines = file.read_text(encoding="utf-8").splitlines()
        for name, test in of_tests(file):
            if ast.get_docstring(test) is None:
                # The comment stands on the line, or on the one above it.
                found += [
                    f"{name}, line {line}"
                    for line in loose_tolerances(test)
                    if "#" not in lines[line - 1] + lines[line - 2]
                ]
    assert found == []
