"""Axisymmetric bodies: hoop strain, volumes 2πr, the axis, and the single rigid-body mode."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from solid_models import ELEMENTS, distorted, mesh_of, rectangle, solid, study

from fecontact.record import Array
from fecontact.solid.solid import Solid
from fecontact.study.errors import InputError, StudyError

E, NU, RHO = 10.0, 0.3, 2.0  # of the material of `study`


def ring(element: str, inner: float = 1.0, **tables: Any) -> Any:
    shapes = {"block": rectangle(corner=(inner, 0.0), size=(3.0, 2.0))}
    return study(element, plane="axisymmetric", shapes=shapes, **tables)


def product(bulk: Solid, matrix: str, field: Array) -> Array:
    return getattr(bulk, matrix)(bulk.at_free_dofs(field), np.empty(bulk.size))


@pytest.mark.parametrize("element", ELEMENTS)
def test_energy_of_a_uniform_strain_is_exact_on_a_distorted_mesh(element: str) -> None:
    """u_r = a r, u_y = b y + c r is ε_r = ε_z = a, ε_y = b, γ = c, for any cells."""
    model = ring(element)
    mesh = distorted(mesh_of(model))
    bulk = solid(model, mesh)
    (a, b, c), (r, y) = (0.3, -0.2, 0.1), mesh.points.T
    u = np.stack([a * r, b * y + c * r], axis=1)
    lame, shear = E * NU / ((1 + NU) * (1 - 2 * NU)), E / (2 * (1 + NU))
    trace = 2 * a + b
    density = lame * trace**2 + 2 * shear * (2 * a**2 + b**2) + shear * c**2
    work = bulk.at_free_dofs(u) @ product(bulk, "stiffness", u)
    assert work == pytest.approx(density * volume(bulk), rel=1e-12)
    stress = bulk.stress(bulk.at_free_dofs(u), 0.0)
    hoop = lame * trace + 2 * shear * a
    expected = [hoop, lame * trace + 2 * shear * b, hoop, shear * c]
    assert np.abs(stress - expected).max() < 1e-12 * E


def volume(bulk: Solid) -> float:
    """By Guldin's rule, triangle by triangle: 2π × radius of the centroid × area."""
    mesh = bulk.mesh
    count = 4 if mesh.cells.shape[1] in (4, 8) else 3
    total = 0.0
    for cell in mesh.cells[:, :count]:
        for k in range(1, count - 1):
            a, b, c = mesh.points[cell[[0, k, k + 1]]]
            (ux, uy), (vx, vy) = b - a, c - a
            total += 2 * np.pi * (a + b + c)[0] / 3 * abs(ux * vy - uy * vx) / 2
    return total


@pytest.mark.parametrize("mass_matrix", ["consistent", "lumped"])
@pytest.mark.parametrize("element", ELEMENTS)
def test_mass_weight_pressure_and_centre_are_those_of_the_whole_ring(
    element: str, mass_matrix: str
) -> None:
    """1 ≤ r ≤ 4, 0 ≤ y ≤ 2: V = π (16 − 1) 2; 2 Pa on the top and on the outside of 2π·4·2."""
    model = ring(
        element,
        mass_matrix=mass_matrix,
        loads={
            "weight": {"type": "gravity", "on": "block", "value": [0.0, -1.0]},
            "top": {"type": "pressure", "on": "block.top", "value": 2.0},
            "outside": {"type": "pressure", "on": "block.right", "value": 2.0},
        },
    )
    bulk = solid(model)
    up, out = (np.tile(way, (len(bulk.mesh.points), 1)) for way in ([0.0, 1.0], [1.0, 0.0]))
    mass = RHO * 30 * np.pi
    assert bulk.at_free_dofs(up) @ product(bulk, "mass", up) == pytest.approx(mass, rel=1e-13)
    load = bulk.load(0.0, np.empty(bulk.size))
    assert bulk.at_free_dofs(up) @ load == pytest.approx(-mass - 2 * 15 * np.pi, rel=1e-13)
    assert bulk.at_free_dofs(out) @ load == pytest.approx(-2 * 16 * np.pi, rel=1e-13)
    places = bulk.at_free_dofs(bulk.mesh.points)
    mean = bulk.mean("block", "here")(places, 0.0)
    assert mean == pytest.approx([2 * 63 / 3 / 15, 1.0], rel=1e-13)  # ∫r² dr / ∫r dr = 21/7.5


def test_only_a_motion_along_the_axis_is_free_of_forces() -> None:
    bulk = solid(ring("quad4"))
    up, out = (np.tile(way, (len(bulk.mesh.points), 1)) for way in ([0.0, 1e3], [1e3, 0.0]))
    assert np.abs(product(bulk, "stiffness", up)).max() < 1e-12
    radial = bulk.at_free_dofs(out) @ product(bulk, "stiffness", out)
    assert radial == pytest.approx(2 * np.pi * 2 * 1e6 * np.log(4) * 13.4615384615, rel=0.02)


def test_nodes_on_the_axis_are_constrained_and_a_note_is_issued() -> None:
    bulk = solid(ring("quad8", inner=0.0))
    on_axis = bulk.mesh.points[:, 0] == 0.0
    moved = np.zeros(bulk.mesh.points.shape)
    moved[on_axis, 0] = 1.0
    assert not bulk.at_free_dofs(moved).any()
    assert list(bulk.notes) == [f"{on_axis.sum()} nodes on the axis of symmetry are fixed in x"]


@pytest.mark.parametrize("inner", [0.0, 1.0])
def test_a_body_of_revolution_is_constrained_by_one_support_along_the_axis(inner: float) -> None:
    static = {"time": {"scheme": "static", "step": 1.0, "end": 1.0}}
    prescribed = {"supports": {"base": {"on": "block.bottom", "y": 0.0}}}
    assert solid(ring("quad4", inner, **static, **prescribed)).size > 0
    with pytest.raises(InputError, match=r"\[supports\] or \[springs\] in y\.$"):
        solid(ring("quad4", inner, **static))


@pytest.mark.parametrize(
    ("inner", "tables", "words"),
    [
        (-0.5, {}, "reaches x = -0.5 m, beyond the axis"),
        (0.0, {"supports": {"s": {"on": "block.left", "x": 0.1}}}, "axis of symmetry"),
        (0.0, {"bodies": {"block": {"material": "m", "velocity": [1.0, 0.0]}}}, "cannot leave it"),
        (
            1.0,
            {"bodies": {"block": {"material": "m", "thickness": 0.1}}},
            "thickness is not allowed",
        ),
        (
            1.0,
            {"loads": {"g": {"type": "gravity", "on": "block", "value": [1.0, 0.0]}}},
            "gravity must act",
        ),
    ],
)
def test_unsupported_settings_of_axisymmetric_bodies_are_rejected(inner, tables, words) -> None:
    with pytest.raises((InputError, StudyError, ValueError), match=words):
        solid(ring("quad4", inner, **tables))


def test_a_radial_load_does_not_carry_a_ring_away() -> None:
    push = {"push": {"type": "traction", "on": "block.right", "value": [1.0, 0.0]}}
    assert not solid(ring("quad4", loads=push)).warnings
    lift = {"lift": {"type": "traction", "on": "block.right", "value": [0.0, 1.0]}}
    assert "unconstrained in y" in solid(ring("quad4", loads=lift)).warnings[0]
