"""`fecontact verify`: runs in separate processes, tables and manual."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest
from test_exit_codes import BLOCK, fecontact

from fecontact import verification
from fecontact.study.errors import InputError
from fecontact.verification import compute, over_cores, runs_of, verdict

ENDED = "ended.toml"


def killed_on_request(task, report_progress):
    if task.run.path.name == ENDED:
        os.kill(os.getpid(), signal.SIGKILL)
    return compute(task, report_progress)


@pytest.fixture
def studies(tmp_path: Path) -> list[str]:
    names = ["first.toml", ENDED, "last.toml"]
    for name in names:
        (tmp_path / name).write_text(BLOCK.format(reference="0.0"))
    return [str(tmp_path / name) for name in names]


def test_a_run_whose_process_is_killed_is_reported_and_the_others_are_computed(
    studies: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verification, "compute", killed_on_request)
    entries = over_cores(runs_of(studies), 2, False, lambda number, done: None)
    outcomes = [[row.outcome for row in entry.rows] for entry in entries]
    assert outcomes == [["passed"], ["stopped"], ["passed"]]
    assert entries[1].rows[0].reason == "its process ended: signal SIGKILL"
    assert verdict(entries, [row for entry in entries for row in entry.rows]) == 3


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("sdnv140", '"sdnv140" not found: .*"sdnv1'),
        ("xyzzy", "`fecontact list`"),
        ("bare.toml", r"has no \[checks\]"),
    ],
)
def test_a_name_that_nothing_matches_is_reported_also_beside_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bare.toml").write_text(BLOCK.format(reference="0.0").split("[checks")[0])
    with pytest.raises(InputError, match=message):
        runs_of(["belt", name])


def test_results_are_in_the_order_of_the_studies_without_messages(
    tmp_path: Path, studies: list[str]
) -> None:
    for number, path in enumerate(studies):
        text = BLOCK.format(reference="0.0").replace("[masses", f'case = "c{number}"\n[masses', 1)
        Path(path).write_text(text)
    rows = tmp_path / "rows.json"
    done = fecontact("verify", *studies, "--jobs", "2", "--json", str(rows), cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert [row["case"] for row in json.loads(rows.read_text())] == ["c0", "c1", "c2"]


def test_a_study_that_cannot_be_built_is_reported_beside_those_that_can(
    tmp_path: Path, studies: list[str]
) -> None:
    (tmp_path / "damaged.msh").write_text("no mesh")
    Path(studies[1]).write_text(
        """
title = "a mesh that cannot be read"
kind = "finite-element"
mesh.file = "damaged.msh"
materials.m = { young = 1.0, density = 1.0 }
bodies.b = { material = "m" }
time = { scheme = "static", step = 1.0, end = 1.0 }
watch.x = { type = "centroid-displacement", at = "b" }
checks.x = { quantity = "x", measure = "final", reference = 0.0, source = "rest", tolerance = 1.0 }
"""
    )
    done = fecontact("verify", *studies, cwd=tmp_path)
    assert done.returncode == 2
    assert "2 passed, 1 failed" in done.stdout
    assert "damaged.msh' cannot be read" in done.stdout


def test_full_computes_refinement_series_and_checks_their_order(tmp_path: Path) -> None:
    """A mass on a spring, released: after one period, 2π, central differences are early by Δt²."""
    levels = ", ".join(
        f"{{ size = {step}, changes.time.step = {step} }}" for step in (0.04, 0.02, 0.01)
    )
    (tmp_path / "swing.toml").write_text(
        f"""
title = "a released mass"
case = "swing"
kind = "lumped"
masses.bob = {{ mass = 1.0, displacement = [1.0, 0.0, 0.0] }}
springs.s = {{ between = ["bob", "ground"], stiffness = [1.0, 0.0, 0.0] }}
time = {{ scheme = "central-difference", step = 0.01, end = 2.0 }}
watch.x = {{ type = "displacement", at = "bob", component = "x" }}
[checks.x]
quantity = "x"
measure = "final"
reference = -0.4161468365471424
source = "exact: cos 2"
tolerance = 1e-4
[refinements.step]
check = "x"
parameter = "Δt"
order = 2.0
tolerance = 0.1
source = "central differences"
levels = [{levels}]
"""
    )
    done = fecontact("verify", "swing.toml", cwd=tmp_path)
    assert (done.returncode, "1 passed, 0 failed" in done.stdout) == (0, True), done.stderr
    done = fecontact("verify", "swing.toml", "--full", "--out", "manual", cwd=tmp_path)
    assert (done.returncode, "2 passed, 0 failed" in done.stdout) == (0, True), done.stderr
    assert "final x in Δt" in (tmp_path / "manual" / "cases" / "swing.html").read_text()
