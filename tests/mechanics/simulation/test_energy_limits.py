"""Energy generated or dissipated by a time scheme, and unresolved vibration."""

from __future__ import annotations

import re
from typing import Any

import pytest

import fecontact


def oscillator(scheme: str, step: float, **changes: Any) -> fecontact.Study:
    """A block of 78 kg/m on a spring with a period of 0.01 s, thrown with 1 m/s."""
    keys = {
        "title": "oscillator",
        "kind": "finite-element",
        "mesh.shapes.b": {
            "type": "rectangle",
            "corner": [0.0, 0.0],
            "size": [0.1, 0.1],
            "cells": [2, 2],
        },
        "materials.steel": {"young": 2.1e11, "poisson": 0.3, "density": 7800.0},
        "bodies.b": {"material": "steel", "velocity": [1.0, 0.0]},
        "supports.guide": {"on": "b", "y": 0.0},
        "springs.s": {
            "between": ["b.bottom-left", "ground"],
            "stiffness": [30793165.66, 0.0],
            "direction": [1.0, 0.0],
        },
        "time": {"scheme": scheme, "step": step, "end": 1.0},
    }
    return fecontact.define(keys | changes)


def verdict(study: fecontact.Study) -> str:
    """The reason of the verdict of a run."""
    result = fecontact.run(study)
    return next((row.reason for row in result.rows if row.failed), "")


@pytest.mark.parametrize("scheme", ["implicit-euler", "hht"])
def test_an_oscillator_that_a_scheme_stops_is_not_trusted(scheme: str) -> None:
    assert re.match("time: .*dissipated", verdict(oscillator(scheme, 0.01)))


def test_an_oscillator_with_one_step_a_period_is_not_trusted() -> None:
    messages = verdict(oscillator("average-acceleration", 0.01))
    assert messages.startswith("time.step: ")


@pytest.mark.parametrize("scheme", ["average-acceleration", "hht"])
def test_an_oscillator_with_twenty_steps_a_period_is_trusted(scheme: str) -> None:
    assert not verdict(oscillator(scheme, 5e-4, **{"time.end": 0.1}))


def drop(scheme: dict[str, Any]) -> fecontact.Study:
    """A block of rubber that falls on the ground with 1 m/s and rebounds with 0.82 m/s."""
    shape = {"type": "rectangle"}
    keys = {
        "title": "drop",
        "kind": "finite-element",
        "mesh.shapes.floor": shape | {"corner": [-0.5, -0.2], "size": [1.0, 0.2], "cells": [10, 2]},
        "mesh.shapes.b": shape | {"corner": [-0.1, 0.0], "size": [0.2, 0.2], "cells": [4, 4]},
        "materials.soft": {"young": 1e6, "poisson": 0.3, "density": 1000.0},
        "bodies.floor.material": "soft",
        "bodies.b": {"material": "soft", "velocity": [0.0, -1.0], "displacement": [0.0, 0.05]},
        "supports.f": {"on": "floor", "x": 0.0, "y": 0.0},
        "contact.c": {"slave": "b.bottom", "master": "floor.top"},
        "time": {"step": 0.02, "end": 1.0} | scheme,
    }
    return fecontact.define(keys)


@pytest.mark.parametrize(
    "scheme",
    [
        {"scheme": "implicit-euler"},
        {"scheme": "hht", "alpha": -0.3, "impact": "redistributed-mass"},
    ],
)
def test_a_rebound_that_a_scheme_swallows_is_not_trusted(scheme: dict[str, Any]) -> None:
    assert re.match("time: .*dissipated", verdict(drop(scheme)))


def test_a_scheme_that_slows_a_sliding_block_is_reported() -> None:
    """Backward Euler with n steps moves a block under a constant force too far by 1/n and loses
    1/(n + 1) of the work of the force; its speed is right."""
    shape = {"type": "rectangle", "corner": [0.0, 0.0], "size": [0.2, 0.1], "cells": [4, 2]}
    keys = {
        "title": "incline",
        "kind": "finite-element",
        "mesh.shapes.b": shape,
        "materials.m": {"young": 1e8, "poisson": 0.3, "density": 1000.0},
        "bodies.b": {"material": "m"},
        "tools.f": {"type": "half-plane"},
        "contact.c": {"slave": "b.bottom", "master": "f", "friction": 0.2},
        "loads.g": {"type": "gravity", "on": "b", "value": [5.0, -8.66]},
        "time": {"scheme": "implicit-euler", "step": 0.25, "end": 1.0},
    }
    coarse = fecontact.run(fecontact.define(keys)).record
    fine = fecontact.run(fecontact.define(keys | {"time.step": 0.02})).record
    (text,) = coarse.warnings
    assert re.match("time: .*dissipated", text) and not text.wrong
    assert not fine.warnings


def test_energy_that_is_made_at_the_end_of_a_long_run_is_not_trusted() -> None:
    """The block lands after 98 % of the run, and is thrown back with almost three times its
    velocity."""
    shape = {"type": "rectangle"}
    study = fecontact.define(
        {
            "title": "late",
            "kind": "finite-element",
            "mesh.shapes.floor": shape
            | {"corner": [-0.1, -0.01], "size": [0.4, 0.01], "cells": [20, 1]},
            "mesh.shapes.block": shape
            | {"corner": [0.0, 0.0], "size": [0.1, 0.1], "cells": [8, 8]},
            "materials.steel": {"young": 2.1e11, "poisson": 0.3, "density": 7800.0},
            "bodies.floor.material": "steel",
            "bodies.block": {
                "material": "steel",
                "velocity": [0.0, -1.0],
                "displacement": [0.0, 0.0985],
            },
            "supports.f": {"on": "floor", "x": 0.0, "y": 0.0},
            "contact.c": {"slave": "block.bottom", "master": "floor.top"},
            "time": {"scheme": "average-acceleration", "step": 1e-4, "end": 0.1},
        }
    )
    messages = verdict(study)
    assert re.match("time: .*generated", messages)
    assert 'time.impact = "redistributed-mass"' in messages


def test_the_advice_is_not_what_is_already_chosen() -> None:
    """Two bars, of steel and of aluminium, with contact nodes that have no mass."""
    shape = {"type": "rectangle"}
    study = fecontact.define(
        {
            "title": "bars",
            "kind": "finite-element",
            "mesh.element": "quad4",
            "mesh.shapes.a": shape
            | {"corner": [-0.5, 0.0], "size": [0.5, 0.02], "cells": [100, 1]},
            "mesh.shapes.b": shape | {"corner": [0.0, 0.0], "size": [1.6, 0.02], "cells": [320, 1]},
            "materials.a": {"young": 2.1e11, "poisson": 0.0, "density": 7800.0},
            "materials.b": {"young": 7e10, "poisson": 0.0, "density": 2700.0},
            "bodies.a": {"material": "a", "velocity": [2.0, 0.0]},
            "bodies.b.material": "b",
            "contact.c": {"slave": "a.right", "master": "b.left"},
            "time": {
                "scheme": "average-acceleration",
                "impact": "redistributed-mass",
                "step": 9.636241116594315e-07,
                "end": 4.4e-4,
            },
        }
    )
    (said,) = [w for w in fecontact.run(study).record.warnings if "integration generated" in w]
    assert "redistributed-mass" not in said and '"generalized-alpha"' in said


@pytest.mark.parametrize("step", [1e-5, 2e-6, "auto"])
def test_an_impact_creates_no_energy_by_default_however_short_the_step(step: Any) -> None:
    shape, steps = {"type": "rectangle"}, {"max_step": 2e-5} if step == "auto" else {}
    keys = {
        "title": "oblique impact",
        "kind": "finite-element",
        "mesh.shapes.b": shape | {"corner": [0.0, 1e-3], "size": [0.2, 0.1], "cells": [8, 4]},
        "mesh.shapes.f": shape | {"corner": [-0.1, -0.1], "size": [0.6, 0.1], "cells": [17, 3]},
        "materials.m": {"young": 3e9, "poisson": 0.3, "density": 1200.0},
        "bodies.b": {"material": "m", "velocity": [0.0, -1.0]},
        "bodies.f.material": "m",
        "supports.f": {"on": "f.bottom", "x": 0.0, "y": 0.0},
        "contact.c": {"slave": "b.bottom", "master": "f.top", "friction": 0.5},
        "time": {"step": step, "end": 1.5e-3} | steps,
    }
    result = fecontact.run(fecontact.define(keys))
    assert result.record.scalars["energy.gain"].value < 0.05
    assert result.passed


@pytest.mark.parametrize("impact", ["implicit", "velocity"])
@pytest.mark.parametrize("pair", [("b.bottom", "f.top"), ("f.top", "b.bottom")])
def test_master_vertices_that_become_active_create_no_energy(
    pair: tuple[str, str], impact: str
) -> None:
    """A block slides on an elastic floor with other nodes. Vertices of the master penetrate the
    slave by a tolerated depth between closed nodes. Pushing them out within a step of 30 ns made 18
    times the energy input."""
    shape = {"type": "rectangle"}
    keys = {
        "title": "sliding impact",
        "kind": "finite-element",
        "mesh.shapes.b": shape | {"corner": [0.0, 1e-3], "size": [0.2, 0.1], "cells": [8, 4]},
        "mesh.shapes.f": shape | {"corner": [-0.1, -0.1], "size": [0.6, 0.1], "cells": [17, 3]},
        "materials.m": {"young": 3e9, "poisson": 0.3, "density": 1200.0},
        "bodies.b": {"material": "m", "velocity": [3.0, -1.0]},
        "bodies.f.material": "m",
        "supports.f": {"on": "f.bottom", "x": 0.0, "y": 0.0},
        "contact.c": {"slave": pair[0], "master": pair[1], "friction": 0.3},
        "time": {"step": "auto", "max_step": 2e-6, "end": 1.5e-3, "impact": impact},
    }
    result = fecontact.run(fecontact.define(keys))
    assert result.record.scalars["energy.gain"].value < 0.01
    assert result.passed
