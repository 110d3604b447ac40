"""A step executes only the parts that its study uses, without branches on capabilities."""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from sources import PACKAGE, PROJECT

pytest.importorskip("dolfinx")

# Functions of a time step, a contact iteration and a Newton iteration: class or module → names
# ("*": all but __init__ and those that are called between steps).
STEP = {
    "dynamics/steps/time_step.py": ["__call__", "_*"],
    "dynamics/steps/equilibrium.py": [
        "solve",
        "predictor_force",
        "commit",
        "stored_change",
        "uncertain_work",
    ],
    "dynamics/steps/newton.py": ["solve", "predictor_force", "commit", "stored_change", "_*"],
    "dynamics/steps/newton_contact.py": ["linearise", "solve", "load", "_*"],
    "dynamics/steps/step_contact.py": ["begin", "solve*", "_*"],
    "dynamics/energy/energies.py": ["of_step", "of_supports", "_*"],
    "contact/problem.py": [
        "solve*",
        "_iterate",
        "_solve_local",
        "_added_compliance",
        "assemble_local_problem",
    ],
    "contact/trial.py": ["move", "result"],
    "contact/free_motion.py": ["start", "use_rows", "loads"],
    "contact/local/active_set.py": ["solve"],
}
# None for reasons of the iteration, not of the study: the last solution; a cycle of statuses.
OF_AN_ITERATION = {"near", "circle"}
FORBIDDEN = (
    *("contact.processes.wear", "contact.local.bonds", "contact.local.friction"),
    *("contact.local.uzawa", "contact.local.lemke", "contact.geometric_stiffness"),
    *("contact.tools", "contact.force_controlled", "solid.hyperelastic", "solid.corotational"),
    *("solid.plasticity", "dynamics.steps.newton", "dynamics.control.adaptive", "friction"),
    *("dynamics.state_transfer", "simulation.restart.state_transfer"),
)
# Calls of Python functions of fecontact and of compiled kernels in one step, where the motion is
# under way. A larger number is a decision: it stands in the change that makes it.
COST = {
    "sdnv104a": (102, 20),
    "belt-law": (128, 36),
    "wear-shoe": (107, 22),
    "carter": (230, 91),
    "rolling-disc": (315, 107),
    "squashed-block": (503, 103),
}


def functions(path: str, names: list[str]) -> Iterator[ast.FunctionDef]:
    tree = ast.parse((PROJECT / PACKAGE / path).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name != "__init__":
            for name in names:
                if node.name == name or (name.endswith("*") and node.name.startswith(name[:-1])):
                    yield node
                    break


@pytest.mark.parametrize("path", STEP)
def test_no_step_asks_what_a_study_has(path: str) -> None:
    found, count = [], 0
    for function in functions(path, STEP[path]):
        count += 1
        if function.name == "_choose_solver":
            continue
        for node in ast.walk(function):
            asked = None
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                asked = node.func.id if node.func.id in ("isinstance", "hasattr") else None
            if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Is, ast.IsNot)):
                name = node.left.id if isinstance(node.left, ast.Name) else ast.unparse(node.left)
                asked = None if name in OF_AN_ITERATION else f"{name} is None"
            if asked and not _is_assertion(function, node):
                found.append(f"{function.name}: {asked}")
    assert count > 0
    assert found == []


def _is_assertion(function: ast.FunctionDef, node: ast.AST) -> bool:
    """Return True if a comparison only informs the type checker."""
    return any(
        isinstance(parent, ast.Assert) and node in ast.walk(parent) for parent in ast.walk(function)
    )


class Traced:
    """Python functions of fecontact that a call enters, and how many kernels it dispatches."""

    def __init__(self) -> None:
        self.entered: Counter[str] = Counter()
        self.kernels = 0

    def profile(self, frame: FrameType, event: str, argument: Any) -> None:
        if event == "call":
            file, package = Path(frame.f_code.co_filename), PROJECT / PACKAGE
            if file.is_relative_to(package):
                module = ".".join(file.relative_to(package).with_suffix("").parts)
                self.entered[f"{module}.{frame.f_code.co_name}"] += 1


@pytest.fixture
def traced(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Traced:
    """One step of a study, in the middle of its run."""
    from numba.core.dispatcher import Dispatcher

    import fecontact
    from fecontact.simulation import Simulation

    run = Simulation(fecontact.load(request.param)).parts
    while run.loop.statistics.steps < 10 and run.time < 0.4 * run.study.time.end:
        run.advance()
    found = Traced()

    def counting(kernel: Any) -> Any:
        def counted(*args: Any) -> Any:
            found.kernels += 1
            return kernel(*args)

        return counted

    for name, module in list(sys.modules.items()):
        if name.startswith(PACKAGE) and module is not None:
            for key, value in list(vars(module).items()):
                if isinstance(value, Dispatcher):
                    monkeypatch.setattr(module, key, counting(value))
    sys.setprofile(found.profile)
    try:
        run.loop.advance()
    finally:
        sys.setprofile(None)
    return found


@pytest.mark.parametrize("traced", ["sdnv104a"], indirect=True)
def test_the_simplest_study_enters_nothing_it_does_not_use(traced: Traced) -> None:
    assert sum(traced.entered.values()) > 20
    entered = [name for name in traced.entered if name.startswith(FORBIDDEN)]
    assert [name for name in entered if not name.startswith("contact.newton")] == []


@pytest.mark.parametrize(("traced", "study"), [(n, n) for n in COST], indirect=["traced"])
def test_a_step_does_not_grow(traced: Traced, study: str) -> None:
    calls, kernels = COST[study]
    assert (sum(traced.entered.values()) <= calls, traced.kernels <= kernels) == (True, True), (
        f"{sum(traced.entered.values())} calls, {traced.kernels} kernels: {traced.entered}"
    )
