"""Springs between edges and bodies: they act on mean displacements and resist no rotation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import fecontact
from fecontact.study.errors import InputError

K, PULL = 1e7, 1e5  # N/m², Pa


def blocks(**changes: Any) -> fecontact.Study:
    """Two blocks side by side; the left one is fixed, the right one is pulled to the right."""
    shape = {"type": "rectangle", "size": [1.0, 1.0]}
    keys = {
        "title": "two blocks and a spring",
        "kind": "finite-element",
        "mesh.shapes.a": shape | {"corner": [0.0, 0.0], "cells": [4, 4]},
        "mesh.shapes.b": shape | {"corner": [2.0, 0.0], "cells": [3, 5]},
        "materials.m": {"young": 1e9, "poisson": 0.3, "density": 1000.0},
        "bodies": {"a": {"material": "m"}, "b": {"material": "m"}},
        "supports.left": {"on": "a.left", "x": 0.0, "y": 0.0},
        "supports.guide": {"on": "b.bottom", "y": 0.0},
        "springs.link": {"between": ["a.right", "b.left"], "stiffness": [K, 0.0]},
        "loads.pull": {"type": "traction", "on": "b.right", "value": [PULL, 0.0]},
        "time": {"scheme": "static", "step": 1.0, "end": 1.0},
        "watch.left": {"type": "reaction", "at": "left", "component": "x"},
        "output.fields_every": 1,
    }
    return fecontact.define(keys | changes)


def mean_of_edge(result: Any, at: float) -> float:
    """Mean displacement in x of the nodes of an edge x = at, weighted by their lengths."""
    mesh, field = result.record.fields.mesh, result.record.fields.displacement[-1]
    here = np.flatnonzero(np.isclose(mesh.points[:, 0], at))
    here = here[np.argsort(mesh.points[here, 1])]
    y = mesh.points[here, 1]
    return float(np.trapezoid(field[here, 0], y) / (y[-1] - y[0]))


@pytest.mark.parametrize("element", ["quad4", "quad8", "tri3"])
def test_the_force_is_the_stiffness_times_the_difference_of_mean_displacements(
    element: str,
) -> None:
    result = fecontact.run(blocks(**{"mesh.element": element}))
    assert result["left"][-1] == pytest.approx(-PULL, rel=1e-9)
    assert result["energy.springs"][-1] == pytest.approx(0.5 * PULL**2 / K, rel=1e-9)
    assert abs(result["energy.balance_error"][-1]) < 1e-8


def test_the_force_is_distributed_like_a_uniform_traction() -> None:
    """Poisson's ratio 0 and a spring along x: both blocks are in uniaxial stress."""
    watched = {
        f"watch.{name}": {"type": "stress", "at": f"b.{name}", "component": "xx"}
        for name in ("top-left", "bottom-left", "top-right")
    }
    result = fecontact.run(
        blocks(**{"materials.m.poisson": 0.0, "mesh.element": "quad8"}, **watched)
    )
    for name in ("top-left", "bottom-left", "top-right"):
        assert result[name][-1] == pytest.approx(PULL, rel=1e-8)


def test_a_body_counts_as_its_boundary() -> None:
    between = {"springs.link.between": ["ground", "b"], "materials.m.poisson": 0.0}
    fixed = blocks(**between, **{"springs.link.stiffness": [K, 0.0]})
    result = fecontact.run(fixed)
    assert result["energy.springs"][-1] == pytest.approx(0.5 * PULL**2 / K, rel=1e-9)


def test_a_preload_is_distributed_over_the_edge() -> None:
    link = {"between": ["b.left", "ground"], "stiffness": [K, 0.0], "preload": PULL}
    without = blocks(**{"springs.link": link, "loads.pull.active": False})
    result = fecontact.run(without)
    assert result["energy.springs"][-1] == pytest.approx(0.5 * PULL**2 / K, rel=1e-9)


def test_a_spring_at_an_edge_resists_no_rotation() -> None:
    """The right block can rotate about the middle of its left edge."""
    both = {"springs.link.stiffness": [K, K], "supports.guide.active": False}
    with pytest.raises(InputError, match=r"bodies\.b: .*rigid-body motion"):
        fecontact.run(blocks(**both))


def test_two_springs_at_two_edges_hold_a_body() -> None:
    both = {
        "springs.link.stiffness": [K, K],
        "supports.guide.active": False,
        "springs.floor": {"between": ["b.bottom", "ground"], "stiffness": [K, K]},
    }
    result = fecontact.run(blocks(**both))
    # By hand, for a rigid block: the block turns, and the spring at its left side takes 3/4.
    assert -result["left"][-1] == pytest.approx(0.75 * PULL, rel=0.01)


def test_a_corotational_body_hangs_on_a_spring_at_its_edge() -> None:
    """A frequency of √(k/m): the block moves along the spring without rotation."""
    mass, k = 1000.0, 4e5
    swinging = {
        "bodies.b.motion": "corotational",
        "bodies.b.velocity": [0.1, 0.0],
        "springs.link": {"between": ["b.left", "ground"], "stiffness": [k, k]},
        "loads.pull.active": False,
        "supports.guide.active": False,
        "supports.left": {"on": "a", "x": 0.0, "y": 0.0},
        "time": {"scheme": "energy-momentum", "step": 2e-3, "end": 0.3},
        "watch.x": {"type": "centroid-displacement", "at": "b", "component": "x"},
        "watch.left": {"type": "centroid-displacement", "at": "b", "component": "y"},
    }
    result = fecontact.run(blocks(**swinging))
    w = np.sqrt(k / mass)
    assert result["x"] == pytest.approx(0.1 / w * np.sin(w * result.time), abs=2e-5)
    assert np.abs(result["left"]).max() < 1e-9


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"springs.link.axial": True}, "needs two points"),
        ({"springs.link.between": ["b.left", "b.bottom"]}, "the same nodes"),
        ({"mesh.shapes.b.cells": [1, 400]}, "401 nodes on its boundary"),
        ({"springs.link.between": ["b.lft", "ground"]}, r"b\.left"),
    ],
)
def test_impossible_ends_are_errors(changes: dict[str, Any], words: str) -> None:
    with pytest.raises((InputError, fecontact.StudyError), match=words):
        fecontact.run(blocks(**changes))
