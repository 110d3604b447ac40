"""Surface offsets: slave surfaces outside or inside their mesh."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from finishing import computed, continued

import fecontact
from fecontact.simulation.finite_element import FiniteElementRun
from fecontact.study.errors import InputError, StudyError

YOUNG, HEIGHT = 1e9, 0.5  # Pa, m
METHODS = ("lagrangian", "penalty", "augmented-lagrangian", "continuous")


def clamped(**changes: Any) -> fecontact.Study:
    """Two blocks (ν = 0) of 1 m × 0.5 m between rigid walls, one on the other."""
    keys: dict[str, Any] = {
        "title": "blocks between walls",
        "kind": "finite-element",
        "mesh.shapes": {
            "lower": {
                "type": "rectangle",
                "corner": [0.0, 0.0],
                "size": [1.0, HEIGHT],
                "cells": [4, 2],
            },
            "upper": {
                "type": "rectangle",
                "corner": [0.0, HEIGHT],
                "size": [1.0, HEIGHT],
                "cells": [4, 2],
            },
        },
        "materials.soft": {"young": YOUNG, "poisson": 0.0, "density": 1000.0},
        "bodies": {name: {"material": "soft"} for name in ("lower", "upper")},
        "supports.below": {"on": "lower.bottom", "x": 0.0, "y": 0.0},
        "supports.above": {"on": "upper.top", "x": 0.0, "y": 0.0},
        "contact.joint": {"slave": "upper.bottom", "master": "lower.top", "offset": 1e-4},
        "time": {"scheme": "static", "step": 1.0, "end": 1.0},
        "functions.growth": {"type": "ramp", "end": 1.0},
    }
    return fecontact.define(keys | changes)


@pytest.mark.parametrize("method", METHODS)
def test_an_interference_squeezes_both_sides_by_its_length(method: str) -> None:
    contact = computed(clamped(**{"contact.joint.method": method})).loop.contact
    pressure = contact.surface("joint")["pressure"]
    assert pressure == pytest.approx(YOUNG * 1e-4 / (2 * HEIGHT), rel=1e-3)
    if method != "penalty":
        assert pressure == pytest.approx(YOUNG * 1e-4 / (2 * HEIGHT), rel=1e-8)
        assert np.abs(contact.gap[np.isfinite(contact.gap)]).max() < 1e-12


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("function", [None, "growth"])
def test_an_interference_remains_where_gaps_of_the_meshes_are_closed(
    method: str, function: str | None
) -> None:
    """Meshed apart by less than the interference, or by more, in one step or over time."""
    for apart in (2e-5, 2e-4):
        changes = {
            "mesh.shapes.upper.corner": [0.0, HEIGHT + apart],
            "contact.joint.method": method,
            "contact.joint.offset_function": function,
            "contact.joint.gap_closure_tolerance": 1e-3,
        }
        one = computed(clamped(**changes))
        pressure = one.loop.contact.surface("joint")["pressure"]
        assert pressure == pytest.approx(YOUNG * 1e-4 / (2 * HEIGHT), rel=1e-3)
        assert "5 slave node(s) are closed" in one.notes[-1]
        assert "the offset acts" in one.notes[-1]


@pytest.mark.parametrize("method", METHODS)
def test_a_clearance_is_closed_before_force_flows(method: str) -> None:
    """The upper wall comes down by twice the clearance."""
    changes = {"contact.joint.method": method, "contact.joint.offset": -1e-4}
    contact = computed(clamped(**changes, **{"supports.above.y": -2e-4})).loop.contact
    pressure = contact.surface("joint")["pressure"]
    assert pressure == pytest.approx(YOUNG * 1e-4 / (2 * HEIGHT), rel=1e-3)


@pytest.mark.parametrize("method", METHODS)
def test_an_offset_that_grows_does_the_work_that_bodies_store(method: str) -> None:
    """Without mass each step's work is its force times the growth in it; nothing is lost."""
    changes = {"contact.joint.method": method, "contact.joint.offset_function": "growth"}
    loop = computed(clamped(**changes, **{"time.step": 0.1})).loop
    ledger = loop.ledger
    stored = 0.5 * YOUNG * 1e-4**2 / (2 * HEIGHT)
    assert ledger.strain + ledger.contact == pytest.approx(stored, rel=1e-3)
    assert ledger.external_work == pytest.approx(1.1 * stored, rel=1e-3)
    assert abs(ledger.balance_error) < 1e-12 * stored
    if method != "penalty":
        assert abs(ledger.contact_loss) < 1e-8 * stored


def test_a_pulsating_offset_drives_a_body_and_the_ledger_closes() -> None:
    """In motion and with friction, on meshes that do not match, by a run that is broken off."""
    study = clamped(
        **{
            "mesh.shapes.lower.cells": [5, 2],
            "contact.joint.friction": 0.3,
            "contact.joint.offset_function": "beat",
            "functions.beat": {
                "type": "sine",
                "frequency": 200.0,
                "phase": -np.pi / 2,
                "offset": 1.0,
            },
            "time": {"scheme": "hht", "step": 1e-4, "end": 5e-3},
        }
    )
    whole = computed(study)
    ledger = whole.loop.ledger
    assert ledger.external_work > 0.0
    assert abs(ledger.balance_error) < 1e-9 * ledger.external_work
    second = continued(study, 2.5e-3)
    assert np.array_equal(second.loop.now.u, whole.loop.now.u)


def test_a_table_is_read_along_the_slave_edge() -> None:
    """The bottom runs from left to right: the thick end is on the right, and presses alone."""
    wedge = {"at": [0.0, 0.5, 1.0], "values": [-2e-4, -2e-4, 0.0]}  # beside offset = 1e-4
    contact = computed(clamped(**{"contact.joint.offset_profile": wedge})).loop.contact
    closed = contact.surface("joint")["pressure"] > 0.0
    assert closed.tolist() == [False, False, False, False, True]
    assert contact.surface("joint")["gap"][0] == pytest.approx(1e-4, rel=0.1)


@pytest.mark.parametrize(
    "key, value, words",
    [
        ("offset_profile", {"at": [0.0, 0.5], "values": [0.0, 1e-4]}, "0 … 1 m"),
        ("offset", 0.6, "'upper.bottom' is only 0.5 m thick"),
    ],
)
def test_an_offset_that_no_edge_can_have_is_rejected(key: str, value: Any, words: str) -> None:
    with pytest.raises(InputError, match=rf"contact\.joint\.{key}") as error:
        FiniteElementRun(clamped(**{f"contact.joint.{key}": value}))  # type: ignore[arg-type]
    assert words in str(error.value)


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"contact.joint.offset_function": "grwth"}, 'did you mean "growth"'),
        (
            {"contact.joint.offset_profile": {"at": [0.0, 1.0], "values": [1e-4]}},
            "each of the 2",
        ),
        (
            {"contact.joint.offset_profile": {"at": [0.0, 0.0], "values": [1e-4, 1e-4]}},
            "larger than",
        ),
        (
            {"contact.joint.offset": 0.0, "contact.joint.offset_function": "growth"},
            "has no effect without `offset`",
        ),
        ({"contact.joint.offset": "thick"}, '`contact.joint.offset` is "thick"'),
    ],
)
def test_errors_of_an_offset_are_reported_with_its_key(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(StudyError) as error:
        clamped(**changes)
    assert words in str(error.value)
