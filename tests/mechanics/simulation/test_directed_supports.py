"""Supports along normals and tangents: invariance under rotation of the model."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from finishing import computed

import fecontact
from fecontact.simulation.finite_element import FiniteElementRun
from fecontact.solid.fem.measures import MEASURES
from fecontact.study.errors import InputError, StudyError

E, NU, A, B = 1e9, 0.3, 1.0, 2.0


def sector(first: float = 20.0, **changes: Any) -> fecontact.Study:
    """45° of a ring from an angle on, its straight edges being planes of symmetry."""
    keys: dict[str, Any] = {
        "title": "a sector",
        "kind": "finite-element",
        "mesh.element": "quad8",
        "mesh.shapes.ring": {
            "type": "sector",
            "center": [0.0, 0.0],
            "radii": [A, B],
            "angles": [first, first + 45.0],
            "cells": [3, 4],
        },
        "materials.m": {"young": E, "poisson": NU, "density": 1000.0},
        "bodies.ring": {"material": "m"},
        "supports.start": {"on": "ring.start", "normal": 0.0},
        "supports.end": {"on": "ring.end", "normal": 0.0},
        "time": {"scheme": "static", "step": 1.0, "end": 1.0},
    }
    return fecontact.define(keys | changes)


def displacement(one: FiniteElementRun) -> np.ndarray:
    """In polar axes, (N, 2)."""
    u, p = one.solid.nodal(one.loop.now.u, one.loop.time), one.mesh.points
    radial = p / np.hypot(*p.T)[:, None]
    around = np.stack([-radial[:, 1], radial[:, 0]], 1)
    return np.stack([(u * radial).sum(1), (u * around).sum(1)], 1)


def reaction(one: FiniteElementRun, support: str) -> np.ndarray:
    return one._recorder.history.reaction(support)


def test_an_edge_pushed_along_its_curved_normal_stays_round() -> None:
    """u_r = C r + D/r with u_r(b) = −δ and no pressure at a; the wall pushes with Lamé's pressure
    p = −δ/U, and the planes of symmetry hold p b each, along their normals."""
    one = computed(sector(**{"supports.rim": {"on": "ring.outer", "normal": -1e-3}}))
    r = np.hypot(*one.mesh.points.T)

    def shape(r):
        return (1 - 2 * NU) * r + A**2 / r

    expected = -1e-3 * shape(r) / shape(B)
    u = displacement(one)
    assert u[:, 0] == pytest.approx(expected, abs=2e-7)
    assert u[:, 1] == pytest.approx(np.zeros(len(r)), abs=1e-8)
    pressure = 1e-3 / shape(B) * E / (1 + NU) * (B**2 - A**2) / B**2
    normal = np.array([np.sin(np.radians(20.0)), -np.cos(np.radians(20.0))])
    assert reaction(one, "start") == pytest.approx(-pressure * B * normal, rel=2e-3, abs=1.0)
    total = sum(reaction(one, name) for name in ("start", "end", "rim"))
    assert total == pytest.approx([0.0, 0.0], abs=1e-6 * pressure)


PRESSED = {
    "mesh.element": "quad4",
    "tools.wall": {
        "type": "circle",
        "center": [0.0, 0.0],
        "radius": B + 1e-4,
        "contact_side": "inside",
    },
    "contact.joint": {"slave": "ring.outer", "master": "wall", "friction": 0.3},
    "supports.bore": {"on": "ring.inner", "normal": -2e-3, "function": "push"},
    "functions.push": {"type": "ramp", "end": 0.01},
}
DYNAMIC = {"time": {"scheme": "hht", "step": 1e-3, "end": 0.02}}
RUBBER = {"materials.m": {"law": "neo-hookean", "young": E, "poisson": NU, "density": 1000.0}}


@pytest.mark.parametrize(
    "time",
    [{}, DYNAMIC, RUBBER, RUBBER | DYNAMIC],
    ids=["static", "dynamic", "rubber", "rubber dynamic"],
)
def test_a_turned_model_does_the_same_in_contact_and_with_moving_supports(time: Any) -> None:
    """The bore, which pushes the sector against a wall: here no support is along x or y, there the
    first is; the ends of the slave edge are on supports. Energies, forces, motion, ledger agree."""
    one, other = (computed(sector(a, **PRESSED | time)) for a in (20.0, 0.0))
    assert one.loop.contact.resultants()[0, 2] > 1e4
    assert displacement(one) == pytest.approx(displacement(other), abs=1e-12)
    for energy in ("kinetic", "strain", "external_work", "friction", "contact_loss"):
        expected = getattr(other.loop.ledger, energy)
        assert getattr(one.loop.ledger, energy) == pytest.approx(expected, rel=1e-6, abs=1e-9)
    turn = np.radians(20.0)
    back = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    for name in ("start", "end", "bore"):
        expected = reaction(other, name)
        assert back @ reaction(one, name) == pytest.approx(expected, rel=1e-7, abs=1e-2)
    own, theirs = (m.solid.stress(m.loop.now.u, m.loop.time) for m in (one, other))
    assert own[:, :2].sum(1) == pytest.approx(theirs[:, :2].sum(1), rel=1e-8, abs=1e-2)


def _bar(turn: float) -> FiniteElementRun:
    """A bar, turned by an angle (°), slides between rollers against a wall, explicitly."""
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))

    def place(x: float, y: float) -> list[float]:
        return [c * x - s * y, s * x + c * y]

    return computed(
        fecontact.define(
            {
                "title": "a bar",
                "kind": "finite-element",
                "mass_matrix": "lumped",
                "mesh.shapes.bar": {
                    "type": "polygon",
                    "corners": [place(*p) for p in ((0, 0), (1, 0), (1, 0.2), (0, 0.2))],
                    "names": ["low", "far", "high", "near"],
                    "cells": [10, 2],
                },
                "materials.m": {"young": E, "poisson": NU, "density": 1000.0},
                "bodies.bar": {"material": "m", "velocity": place(-1.0, 0.0)},
                "supports.low": {"on": "bar.low", "normal": 0.0},
                "supports.high": {"on": "bar.high", "normal": 0.0},
                "tools.wall": {"type": "half-plane", "normal": place(1.0, 0.0)},
                "contact.end": {"slave": "bar.near", "master": "wall", "friction": 0.3},
                "time": {"scheme": "central-difference", "step": 2e-5, "end": 1.5e-3},
            }
        )
    )


def test_contact_nodes_without_mass_slide_on_inclined_rollers_in_explicit_steps() -> None:
    """Both ends of the slave edge are on rollers: as in a bar along x, to rounding."""
    one, other = _bar(35.0), _bar(0.0)
    assert other.loop.contact.resultants()[0, 2] > 1e5
    assert one.loop.contact.resultants()[0, 2:] == pytest.approx(
        other.loop.contact.resultants()[0, 2:], rel=1e-9, abs=1e-3
    )
    for energy in ("kinetic", "strain", "friction"):
        expected = getattr(other.loop.ledger, energy)
        assert getattr(one.loop.ledger, energy) == pytest.approx(expected, rel=1e-9, abs=1e-6)
    assert abs(one.loop.ledger.balance_error) < 1e-9 * other.loop.ledger.kinetic


def test_corners_of_an_edge_are_constrained_along_both_normals() -> None:
    """A square that its whole boundary holds along normals cannot move at its corners."""
    square = {
        "type": "polygon",
        "corners": [[0.0, 0.0], [0.8, 0.6], [0.2, 1.4], [-0.6, 0.8]],
        "names": ["wall", "wall", "wall", "wall"],
        "cell_size": 0.5,
    }
    keys = {
        "title": "a square",
        "kind": "finite-element",
        "mesh.shapes.ring": square,
        "materials.m": {"young": E, "density": 1000.0},
        "bodies.ring": {"material": "m"},
        "supports.wall": {"on": "ring.wall", "normal": 0.0},
        "time": {"scheme": "static", "step": 1.0, "end": 1.0},
    }
    study = fecontact.define(keys)
    one = FiniteElementRun(study)  # type: ignore[arg-type]
    prescribed = one.solid.prescribed_components
    corners = [one.mesh.point_groups[f"ring.corner-{i}"] for i in (1, 2, 3, 4)]
    edge = np.setdiff1d(one.mesh.edge_groups["ring.wall"], corners)
    assert prescribed[corners].all()
    assert (prescribed[edge] == [True, False]).all()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"supports.start.x": 0.0}, "together with `x`"),
        ({"supports.start.on": "ring"}, 'is "ring"; edge not found'),
        ({"supports.start": {"on": "ring.start"}}, "has no effect. Set `x`, `y` or both"),
    ],
)
def test_errors_of_the_study_are_reported(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(StudyError) as messages:
        sector(**changes)
    assert words in str(messages.value)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"supports.more": {"on": "ring.start", "normal": 1e-3}},
            "supports.more and supports.start ",
        ),
        (
            {"bodies.ring.motion": "corotational"} | DYNAMIC,
            "nodes of bodies.ring",
        ),
        (
            RUBBER | {"time": {"scheme": "energy-momentum", "step": 1e-3, "end": 0.01}},
            "along an inclined direction",
        ),
    ],
)
def test_errors_of_the_model_are_reported(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as messages:
        FiniteElementRun(sector(**changes))  # type: ignore[arg-type]
    assert words in str(messages.value)


def test_normals_of_a_sphere_are_weighted_with_the_radius() -> None:
    """The resultants of a uniform pressure on the nodes of axisymmetric bodies."""
    from fecontact.solid.conditions.directed import normals

    angle = np.linspace(0.0, 0.5 * np.pi, 5)
    points = np.stack([np.cos(angle), np.sin(angle)], 1)
    edges = np.stack([np.arange(4), np.arange(1, 5)], 1)
    nodes, normal = normals(points, edges, MEASURES["axisymmetric"].depth)
    assert nodes.tolist() == [0, 1, 2, 3, 4]
    pressed = np.zeros((5, 2))  # ∫ N n r ds over straight edges, in closed form
    for (a, b), chord in zip(edges, np.diff(points, axis=0), strict=True):
        ra, rb = points[a, 0], points[b, 0]
        pressed[a] += np.array([chord[1], -chord[0]]) * (2 * ra + rb)
        pressed[b] += np.array([chord[1], -chord[0]]) * (ra + 2 * rb)
    assert normal == pytest.approx(pressed / np.hypot(*pressed.T)[:, None])
