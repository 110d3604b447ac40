"""Every bundled study in every variant meets its own checks, as in `fecontact verify`.

The four documents and one study of each capability are in the first tier, all others in the second.
Other tests of this folder name a study only where they claim more than its checks.
"""

from __future__ import annotations

import pytest

from fecontact.results.checks.evaluation import CheckRow
from fecontact.verification import Run, Task, compute, runs_of

DOCUMENTS = {"sdnv104", "sdnd100", "sdnd104", "sdnd121"}
CAPABILITIES = {
    "absorbing-edge", "bar-impact", "bar-impact-reduced", "belt-lumped", "creep", "driven-wedge",
    "elastica", "glued-block", "incline", "incline-law", "inflated-sector", "joint-diagram",
    "lap-joint", "mixed-cells", "modes-rod", "offset-table", "patch-test", "pretension",
    "pushed-block", "rate-state-lumped", "rolling-disc", "self-contact", "shrink-fit",
    "uniform-yield", "wear-flat", "worn-slot",
}  # fmt: skip
RUNS = runs_of(())


def first_tier(run: Run) -> bool:
    """Return True for a run of the four documents and for a study that stands for a capability; the
    whole motion of SDNV104 is computed with one model.
    """
    document = run.path.parent.name in DOCUMENTS
    repeated = run.variant == "to-the-stop" and run.path.stem != "sdnv104a"
    return (document and not repeated) or run.name in CAPABILITIES


def parameter(run: Run) -> object:
    marks = () if first_tier(run) else (pytest.mark.extended,)
    # Runs share nothing: each can go to another worker.
    return pytest.param(run, id=run.name, marks=[*marks, pytest.mark.xdist_group(run.name)])


@pytest.mark.parametrize("run", map(parameter, RUNS))
def test_the_checks_of_a_study_are_met(run: Run) -> None:
    found: list[CheckRow] = compute(Task(run, pictures=False), lambda done: None).rows
    assert len(found) >= len(run.study().checks) > 0
    assert [row for row in found if row.failed] == []


def test_the_capabilities_are_names_of_studies() -> None:
    assert {run.name for run in RUNS} >= CAPABILITIES


def test_the_runs_of_the_documents_are_all_there() -> None:
    """SDNV104 A–E with three values of α; SDND100 A–D; SDND104: four amplitudes with five
    integrators and exact; SDND121.
    """
    found = {run.name for run in RUNS}
    assert {f"sdnv104{m}{v}" for m in "abcde" for v in ("", "-alpha-01", "-full-hht")} <= found
    assert {f"sdnd100{m}" for m in "abcd"} <= found
    schemes = ("devogelaere", "adaptive-order2", "rk54", "rk32", "exact", "document-stiffness")
    for amplitude in ("15", "1.5", "1.01", "0.99"):
        name = f"sdnd104-{amplitude}"
        assert {name, *(f"{name}-{scheme}" for scheme in schemes)} <= found
    assert {"sdnd121", "sdnd121-adaptive", "sdnd121-exact"} <= found
