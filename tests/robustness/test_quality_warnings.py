"""Untrusted results are marked wherever they are shown; doubtful settings cause warnings."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from commandline import changed, fecontact
from corpus import VALID

pytest.importorskip("dolfinx")

from fecontact.results import all_passed, evaluate_checks, load_folder
from fecontact.results.checks.evaluation import limit_warnings
from fecontact.simulation import Simulation, quality
from fecontact.simulation.monitors import energy_limits
from fecontact.study import load

BLOCK = VALID["block"]
SHORT = ["time.end=0.05", "checks.stop.reference=0.0", "checks.stop.tolerance=100.0"]
SOFT = [*SHORT, "contact.sole.method=penalty", "contact.sole.normal_penalty=1e6"]
LIMITS = {
    "energy.balance_error": "CLOSURE",
    "residual.equilibrium": "RESIDUAL",
    "residual.contact": "RESIDUAL",
    "penetration": "PENETRATION",
    "overlap": "OVERLAP",
}
ZERO = ("overlap", "energy.balance_error")  # measures that can be zero, or below round-off
ENERGY_LIMITS = {"energy.gain": "MADE", "energy.loss": "LOST", "time.resolution": "UNRESOLVED"}


def sentences(*overrides: str) -> str:
    """What a run warns of before its first step."""
    return "\n".join(Simulation(load(BLOCK, list(overrides))).record.warnings)


def test_an_honest_run_states_its_residuals_and_passes() -> None:
    study = load(BLOCK, SHORT)
    record = Simulation(study).run()
    assert {name for name, s in record.scalars.items() if s.limit is not None} == {
        *LIMITS,
        *ENERGY_LIMITS,
        "load.resolution",
    }
    assert 0.0 < record.scalars["residual.equilibrium"].value < 1e-9
    assert 0.0 < record.scalars["residual.contact"].value < 1e-9
    assert all_passed(evaluate_checks(study, record))
    assert not limit_warnings(record)


@pytest.mark.parametrize("name", [*LIMITS, *ENERGY_LIMITS])
def test_each_limit_exceeded_fails_the_run(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name in ENERGY_LIMITS:
        monkeypatch.setattr(energy_limits, ENERGY_LIMITS[name], -1.0)
    else:
        monkeypatch.setattr(quality, LIMITS[name], -1.0 if name in ZERO else 1e-30)
    study = load(BLOCK, SHORT)
    record = Simulation(study).run()
    rows = {row.quantity: row for row in evaluate_checks(study, record)}
    assert not rows[name].passed
    assert rows["final x"].passed
    assert any(name in warning for warning in limit_warnings(record))


def test_the_page_states_the_limits_that_are_applied() -> None:
    page = Path(__file__).parents[2] / "docs" / "guide" / "quality.md"
    rows = [line.split("|") for line in page.read_text(encoding="utf-8").splitlines()]
    stated = {row[1].strip(" `"): row[2].split()[0] for row in rows if len(row) == 5}
    applied = {name: getattr(quality, constant) for name, constant in LIMITS.items()}
    applied |= {name: getattr(energy_limits, constant) for name, constant in ENERGY_LIMITS.items()}
    assert {name: float(stated[name]) for name in applied} == applied


def test_forces_that_break_the_law_of_friction_raise_the_contact_residual() -> None:
    simulation = Simulation(load(BLOCK, SHORT))
    simulation.step()
    contact = simulation.parts.loop.contact
    accept = contact.accept

    def with_too_much_friction(step, *others):  # type: ignore[no-untyped-def]
        step.force[contact.size :] *= 1.5
        return accept(step, *others)

    contact.accept = with_too_much_friction
    simulation.step()
    # 0.3 · 0.5 of the largest normal force is what the cone |λ_t| ≤ μ λ_n is missed by.
    assert contact.residual == pytest.approx(0.15 * contact.force[: contact.size].max(), rel=1e-6)
    assert not simulation.record.scalars["residual.contact"].within_limit


def test_a_soft_penalty_is_reported_in_table_page_and_result_and_verify_fails(
    tmp_path: Path,
) -> None:
    out = tmp_path / "out"
    done = fecontact("run", BLOCK, "--out", out, *changed(*SOFT))
    messages = "contact.sole: the penetration reaches"
    assert done.code == 4
    assert done.out.count(f"not trusted: {messages}") == 1  # the reason is printed once
    assert done.out.count("not trusted: penetration = ") == 1
    assert re.search(r"^not trusted: .* contact\.sole, penetration", done.out, re.M)

    page = (out / "report.html").read_text(encoding="utf-8")
    assert messages in page
    assert "0.002: EXCEEDED" in page
    assert 'badge failed">not trusted</span> 1 passed, 0 failed' in page
    result = json.loads((out / "result.json").read_text())
    assert result["verdict"] == "not trusted"
    (warned,) = [one for one in result["warnings"] if messages in one["text"]]
    assert warned["level"] == "not trusted"
    assert not all_passed(load_folder(out).rows)

    study = tmp_path / "soft.toml"
    lines = "\n".join(key.replace("=penalty", "='penalty'") for key in SOFT)
    study.write_text(f"extends = '{BLOCK}'\n{lines}\n", encoding="utf-8")
    verified = fecontact("verify", study)
    assert verified.code == 4
    assert "penetration" in verified.out


def test_a_step_too_long_for_the_bounce_on_a_penalty_is_reported() -> None:
    landing = ["bodies.block.displacement=[0.0,0.01]", "contact.sole.method=penalty"]
    assert "oscillates on normal_penalty" in sentences(*landing, "contact.sole.normal_penalty=1e9")
    # ω² = n E_N/m: a penalty a million times softer bounces a thousand times slower.
    assert "oscillates" not in sentences(*landing, "contact.sole.normal_penalty=1e3")


def test_a_master_finer_than_its_slave_is_reported() -> None:
    fine = ["mesh.shapes.table.cells=[200,4]", "materials.soft={young=1e7,density=1e3}"]
    free = [*fine, "bodies.table.material=soft", "supports.floor.on=table.bottom"]
    assert "is finer than slave 'block.bottom'" in sentences(*free)
    assert "finer" not in sentences(*free, "mesh.shapes.block.cells=[40,2]")
    assert "finer" not in sentences(*fine), "a flat fixed master can have any element size"


def test_friction_on_free_nodes_without_mass_is_reported() -> None:
    light = ["materials.light={young=2.1e11,density=0.0}", "bodies.block.material=light"]
    assert "(density = 0)" in sentences(*light)
    assert "no mass" not in sentences(*light, "contact.sole.friction=0.0")
