"""A rubber block bent to a sector of a ring (Rivlin 1949, doi:10.1098/rspa.1949.0004).

r² = 2αX + β and θ = Y/α keep the volume. With W = c₁₀(I₁ − 3), both faces are free of stress if
r_i r_o = α², and there σ_θθ = 2 c₁₀ (r²/α² − α²/r²).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import fecontact
from fecontact.simulation import Simulation

THICK, HIGH, STIFF = 0.1, 0.1, 5e5  # m, m, c10 in Pa
ALPHA = 0.16  # m


def radius(x: np.ndarray) -> np.ndarray:
    beta = np.hypot(ALPHA**2, ALPHA * THICK)  # r_i r_o = α², r_o² − r_i² = 2α thickness
    return np.sqrt(2 * ALPHA * x + beta)


def hoop(x: float) -> float:
    square = float(radius(np.array(x)) ** 2) / ALPHA**2
    return 2 * STIFF * (square - 1 / square)


def bent(cells: int, element: str) -> dict[str, Any]:
    at = np.linspace(-THICK / 2, THICK / 2, 4 * cells + 1)
    turn = HIGH / ALPHA
    top = radius(at) * np.array([[np.cos(turn)], [np.sin(turn)]]) - np.array([at, HIGH + 0 * at])
    middle = float(radius(np.zeros(1))[0])
    top[0] -= middle
    pin = float(radius(at[:1])[0]) - middle - at[0]

    def profile(values: np.ndarray) -> dict[str, Any]:
        return {"type": "table", "coordinate": "x", "at": list(at), "values": list(values)}

    shape = {"type": "rectangle", "corner": [-THICK / 2, 0.0], "size": [THICK, HIGH]}
    law = {"law": "mooney-rivlin", "c_10": STIFF, "c_01": 0.0, "bulk": 2e9, "density": 1e3}
    ramp = {"function": "up"}
    return {
        "title": "bent",
        "kind": "finite-element",
        "mesh": {"element": element, "shapes": {"b": shape | {"cells": [cells, cells]}}},
        "materials": {"m": law},
        "bodies": {"b": {"material": "m"}},
        "functions": {"up": {"type": "ramp", "end": 1.0}},
        "supports": {
            "bottom": {"on": "b.bottom", "y": 0.0},
            "pin": {"on": "b.bottom-left", "x": pin} | ramp,
            "top-x": {"on": "b.top", "x": 1.0, "profile": profile(top[0])} | ramp,
            "top-y": {"on": "b.top", "y": 1.0, "profile": profile(top[1])} | ramp,
        },
        "time": {"scheme": "static", "step": 0.25, "end": 1.0},
        "watch": {
            side: {"type": "stress", "at": f"b.bottom-{side}", "component": "yy"}
            for side in ("left", "right")
        },
    }


def error(cells: int, element: str) -> float:
    """The larger error of the two surface stresses, relative to the larger stress."""
    record = Simulation(fecontact.define(bent(cells, element))).run()
    exact = {"left": hoop(-THICK / 2), "right": hoop(THICK / 2)}
    off = [abs(record.history.columns[side][-1] - value) for side, value in exact.items()]
    return max(off) / max(abs(value) for value in exact.values())


@pytest.mark.parametrize("element", ("quad8", "quad4", "tri6"))
def test_surface_stress_converges_faster_than_with_first_order(element: str) -> None:
    """The stress of the cells themselves is 10 to 14 % off with 8 cells, and half of it with 16."""
    coarse, fine = error(4, element), error(8, element)
    assert fine < 0.035
    assert fine < coarse / 2.4


def cook(element: str, cells: int) -> float:
    """Deflection of the corner of Cook's membrane of nearly incompressible rubber, mm."""
    corners = [[0.0, 0.0], [0.048, 0.044], [0.048, 0.060], [0.0, 0.044]]
    result = fecontact.run(
        fecontact.define(
            {
                "title": "Cook's membrane",
                "kind": "finite-element",
                "mesh.element": element,
                "mesh.shapes.c": {"type": "polygon", "corners": corners, "cells": [cells, cells]},
                "materials.m": {"law": "mooney-rivlin", "c_10": 4e7, "bulk": 4e12, "density": 1e3},
                "bodies.c.material": "m",
                "supports.left": {"on": "c.edge-4", "x": 0.0, "y": 0.0},
                "functions.up": {"type": "ramp", "end": 1.0},
                "loads.shear": {
                    "type": "traction", "on": "c.edge-2", "value": [0.0, 6e6], "function": "up",
                },
                "time": {"scheme": "static", "step": 0.25, "end": 1.0},
                "watch.y": {"type": "displacement", "at": "c.corner-3", "component": "y"},
                "output.fields_every": 4,
            }
        )
    )  # fmt: skip
    return float(1e3 * result["y"][-1])


def test_quadratic_elements_neither_lock_nor_are_too_soft() -> None:
    """The bulk modulus is 50,000 times the shear modulus. With one pressure in each quad8 the
    deflection of the coarse mesh is 10 % too large; elements that lock have a third of it."""
    fine = cook("quad4", 32)
    assert cook("quad8", 4) == pytest.approx(fine, rel=0.05)
    assert cook("quad8", 8) == pytest.approx(fine, rel=0.015)
