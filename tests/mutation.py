"""Mutation check: change one sign, bound or coefficient of a random line; a test must fail.

    docker/run python tests/mutation.py                      # 40 lines, new seed
    docker/run python tests/mutation.py --seed 7 --number 10

Prints the seed, then one line for each mutation: killed, by which test, or SURVIVED. Survivors are
lines that no test concerns, or changes without effect (an equivalent mutation, a speed-up, a bound
that is never met); cover the former with a test. The working tree is not touched: a copy of it is
changed, with a copy of the compiled kernels.
Kernels on which a mutation acts are compiled again, so that 40 mutations take about an hour.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
STUDIES = "tests/mechanics/verification/test_studies.py"
CONCERNS = {
    "contact": ["unit/contact", "unit/friction", "mechanics/dynamics", "mechanics/simulation"],
    "dynamics": ["mechanics/dynamics", "mechanics/simulation"],
    "solid": ["unit/solid", "mechanics/simulation", "unit/modal"],
    "lumped": ["unit/lumped", "unit/friction", "unit/reduction"],
}
"""Folders of tests for each package; the studies of the first tier are run after them."""

QUICK = {
    "contact": ["unit/contact"],
    "solid": ["unit/solid", "unit/contact"],
}
"""Folders that are run first, without compiling kernels, where that is faster."""

OPPOSITE = {"+": "-", "-": "+", "*": "/", "/": "*", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
COEFFICIENT = 1.5
LIMIT = 1500.0  # s for the tests of one mutation; one that never ends is killed


@dataclass(frozen=True)
class Mutation:
    """A replacement of `old` by `new` in line `line` (from 1), at byte `at`."""

    file: Path
    line: int
    at: int
    old: str
    new: str

    @property
    def package(self) -> str:
        return self.file.relative_to(PROJECT).parts[1]

    def apply(self, copy: Path) -> None:
        target = copy / self.file.relative_to(PROJECT)
        lines = target.read_bytes().split(b"\n")
        row, old = lines[self.line - 1], self.old.encode()
        assert row[self.at : self.at + len(old)] == old
        lines[self.line - 1] = row[: self.at] + self.new.encode() + row[self.at + len(old) :]
        target.write_bytes(b"\n".join(lines))

    def __str__(self) -> str:
        text = self.file.read_text(encoding="utf-8").splitlines()[self.line - 1].strip()
        return f"{self.file.relative_to(PROJECT)}:{self.line}: {self.old} → {self.new}: {text}"


def arithmetic(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a module outside of messages, annotations and asserts."""
    for name, value in ast.iter_fields(tree):
        if name in {"annotation", "returns", "decorator_list"}:
            continue
        for node in value if isinstance(value, list) else [value]:
            if isinstance(node, ast.AST) and not isinstance(
                node, ast.Raise | ast.JoinedStr | ast.Assert
            ):
                yield node
                yield from arithmetic(node)


def between(left: ast.expr, right: ast.expr, row: bytes) -> tuple[int, str] | None:
    """Return place and text of the operator between two operands of a line."""
    if left.end_lineno != right.lineno or left.end_col_offset is None:
        return None
    found = re.search(
        rb"(?<![*/<>])[-+*/<>]=?(?![*/<>])", row[left.end_col_offset : right.col_offset]
    )
    return (left.end_col_offset + found.start(), found.group().decode()) if found else None


def is_text(node: ast.expr) -> bool:
    """Return True for operands of a concatenation or repetition."""
    return isinstance(node, ast.JoinedStr | ast.List | ast.Tuple) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def mutations(file: Path) -> Iterator[Mutation]:
    """Yield the mutations of a module: signs and operators, bounds, coefficients."""
    source = file.read_bytes()
    rows = source.split(b"\n")
    for node in arithmetic(ast.parse(source)):
        place = None
        match node:
            case ast.BinOp(left=left, right=right) if not is_text(left) and not is_text(right):
                place = between(left, right, rows[left.end_lineno - 1])  # type: ignore[operator]
            case ast.Compare(left=left, ops=[_], comparators=[right]):
                place = between(left, right, rows[left.end_lineno - 1])  # type: ignore[operator]
            case ast.Constant(value=float(value)) if value:
                old = source.split(b"\n")[node.lineno - 1][node.col_offset : node.end_col_offset]
                new = f"({old.decode()} * {COEFFICIENT})"
                yield Mutation(file, node.lineno, node.col_offset, old.decode(), new)
        if place and place[1] in OPPOSITE:
            assert isinstance(node, ast.BinOp | ast.Compare)
            line = node.left.end_lineno
            assert line is not None
            yield Mutation(file, line, place[0], place[1], OPPOSITE[place[1]])


def chosen(number: int, seed: int, packages: list[str]) -> list[Mutation]:
    """Return one mutation for each of `number` random lines."""
    lines: dict[tuple[Path, int], list[Mutation]] = {}
    for package in packages:
        for file in sorted((PROJECT / "fecontact" / package).rglob("*.py")):
            for one in mutations(file):
                lines.setdefault((one.file, one.line), []).append(one)
    draw = random.Random(seed)
    return [draw.choice(lines[place]) for place in draw.sample(sorted(lines), number)]


def run_tests(copy: Path, package: str, quick_only: bool = False) -> str:
    """Run the tests of a package in a copy; return the first that fails, or nothing."""
    quick = [f"tests/{folder}" for folder in QUICK.get(package, ())]
    # Long runs, and starts on several ranks, take minutes without compiled kernels.
    for name in ("plain_dynamics", "solid_ranks"):
        quick += ["--ignore", f"tests/unit/solid/test_{name}.py"]
    failed = run_pytest(copy, quick, {"NUMBA_DISABLE_JIT": "1"}) if package in QUICK else ""
    folders = [f"tests/{folder}" for folder in CONCERNS[package]]
    return failed or ("" if quick_only else run_pytest(copy, [*folders, STUDIES], {}))


def run_pytest(copy: Path, paths: list[str], settings: dict[str, str]) -> str:
    command = [sys.executable, "-m", "pytest", "-n", "0", "-x", "-q", "--no-header", *paths]
    variables = (
        os.environ
        | settings
        | {
            "PYTHONPATH": str(copy),
            "PYTHONDONTWRITEBYTECODE": "1",
            "NUMBA_CACHE_DIR": str(copy.with_name("kernels")),
        }
    )
    try:
        done = subprocess.run(
            command, cwd=copy, env=variables, capture_output=True, text=True, timeout=LIMIT
        )
    except subprocess.TimeoutExpired:
        return f"no end after {LIMIT:g} s"
    found = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.M)
    return "" if done.returncode == 0 else found[1] if found else f"exit code {done.returncode}"


def main() -> None:
    options = argparse.ArgumentParser(description="Mutation check of the core")
    options.add_argument("--number", type=int, default=40, help="lines to change")
    options.add_argument("--seed", type=int, default=random.randrange(10**6))
    options.add_argument("--packages", nargs="+", default=list(CONCERNS), choices=list(CONCERNS))
    options.add_argument(
        "--skip-baseline", action="store_true", help="the tests are known to pass without a change"
    )
    options.add_argument("--quick", action="store_true", help="only tests without compiled kernels")
    given = options.parse_args()
    print(f"seed {given.seed}, {given.number} lines", flush=True)
    survivors = []
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "clone"
        shutil.copytree(PROJECT, copy, ignore=shutil.ignore_patterns(".git", "__pycache__"))
        kernels = Path(os.environ.get("NUMBA_CACHE_DIR", folder))
        if kernels != Path(folder):
            shutil.copytree(kernels, copy.with_name("kernels"))
        for package in [] if given.skip_baseline else given.packages:
            failed = run_tests(copy, package)
            if failed:
                sys.exit(f"{failed} fails without a mutation")
        for mutation in chosen(given.number, given.seed, given.packages):
            started = time.monotonic()
            mutation.apply(copy)
            failed = run_tests(copy, mutation.package, given.quick)
            shutil.copy(mutation.file, copy / mutation.file.relative_to(PROJECT))
            outcome = f"killed by {failed}" if failed else "SURVIVED"
            print(f"{mutation}\n    {outcome} ({time.monotonic() - started:.0f} s)", flush=True)
            survivors += [] if failed else [mutation]
    print(f"{given.number - len(survivors)} killed, {len(survivors)} survived")
    for mutation in survivors:
        print(mutation)


if __name__ == "__main__":
    main()
