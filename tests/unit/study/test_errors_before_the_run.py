"""Requests that no run can fulfil are reported before the computation."""

from __future__ import annotations

import pytest

from fecontact.study import StudyError
from fecontact.study.library import find
from fecontact.study.load import load
from fecontact.study.script import changed

SCALAR = "checks.x170.measure=scalar"


def messages(study: str, *overrides: str) -> str:
    with pytest.raises(StudyError) as error:
        load(find(study), overrides)
    return str(error.value)


@pytest.mark.parametrize(
    "overrides, words",
    [
        (["checks.x170.time=9.0"], "`checks.x170.time` is 9"),
        ([SCALAR, "checks.x170.quantity=contact.sole.wear_volume"], "scalar result not found"),
        ([SCALAR, "checks.x170.quantity=x_A.error"], "scalar result not found"),
        (["time.impact=stabilized"], '`time.impact` is "stabilized"'),
        (["time.scheme=central-difference"], '"lumped" with an explicit time.scheme'),
        (
            ["time.scheme=central-difference", "materials.shoe.rayleigh_mass=1.0"],
            "`materials.shoe.rayleigh_mass` is not supported",
        ),
        (
            ['watch."energy.kinetic"={type="displacement",at="A"}'],
            "standard history",
        ),
        (['watch.time={type="displacement",at="A"}'], "standard history"),
        (["references.rigid.solution=perpetuum"], "exact solution not found"),
        (["references.rigid.parameters.mass=-1.0"], "greater than"),
        (["references.rigid.parameters.weight=1.0"], "unexpected keyword argument 'weight'"),
        (["references.rigid.parameters.mass=materials.shoe"], "or a key"),
        (["references.rigid.parameters.mass=materials.boot.density"], "or a key"),
        (["references.rigid.curves.x_A=temperature"], "solution not found"),
        (
            [
                'functions.step={type="table",times=[1.0,1.0],values=[0.0,1.0]}',
                "supports.base.function=step",
                "supports.base.x=0.1",
            ],
            "which jumps at 1 s",
        ),
    ],
)
def test_a_finite_element_study(overrides: list[str], words: str) -> None:
    assert words in messages("sdnv104a", *overrides)


def test_contact_scalars_of_a_study_without_contact() -> None:
    keys = {"contact": None, "watch.normal": None, "watch.friction": None, "checks.x340": None}
    asked = {"checks.x170": {"measure": "scalar", "quantity": "residual.contact"}}
    with pytest.raises(StudyError, match=r"residual\.contact.*scalar result not found"):
        changed(load(find("sdnv104a")), keys | asked)


@pytest.mark.parametrize(
    "name",
    [
        "stop.inn.1",
        "wall.contact_start.1",
        "stop.contact_start.0",
        "x.extremum.1",
        "steady.stop.impacts",
    ],
)
def test_a_scalar_that_no_lumped_run_has(name: str) -> None:
    key = "checks.new"
    new = f'{key}={{quantity="{name}",measure="scalar",reference=0.0,source="",tolerance=1.0}}'
    assert "scalar result not found" in messages("sdnd121", new)


@pytest.mark.parametrize(
    "name",
    ["stop.contact_start.7", "stop.contact_end.last.step", "frequency.1", "stop.final_stick_time"],
)
def test_a_scalar_that_a_lumped_run_may_have_is_accepted(name: str) -> None:
    new = f'checks.new={{quantity="{name}",measure="scalar",reference=0.0,source="",tolerance=1.0}}'
    assert "new" in load(find("sdnd121"), [new]).checks


def test_a_run_shortened_on_the_command_line_is_accepted() -> None:
    assert load(find("sdnv104a"), ["time.end=1.0"]).time.end == 1.0
