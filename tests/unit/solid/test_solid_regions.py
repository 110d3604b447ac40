"""Loads, supports and foundations that vary along an edge; inclined springs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError
from solid_models import ELEMENTS, mesh_of, rectangle, solid, study

from mpi4py import MPI

from fecontact.record import Array
from fecontact.solid.build import build_solid
from fecontact.solid.solid import Solid
from fecontact.study.errors import InputError
from fecontact.study.finite_element import FiniteElementStudy

CONSTRAINED = {"floor": {"on": "block.bottom", "x": 0.0, "y": 0.0}}
STATIC = {"scheme": "static", "step": 1.0, "end": 1.0}
LINE = {"type": "polynomial", "coordinate": "x", "at": (0.0, 3.0), "values": (0.0, 1.0)}
RING = {"ring": {"type": "ring", "center": (0.0, 0.0), "radii": (1.0, 2.0), "cells": (2, 64)}}


def nodal_load(model: FiniteElementStudy) -> tuple[Array, Array]:
    """Places of the nodes and the forces on them at t = 0."""
    bulk = solid(model)
    return bulk.mesh.points, bulk.nodal(bulk.load(0.0, np.empty(bulk.size)), 0.0)


def displaced(bulk: Solid) -> Array:
    load = bulk.load(0.0, np.empty(bulk.size))
    return bulk.nodal(bulk.factor(0.0, 0.0, 1.0).solve(load, np.empty(bulk.size)), 0.0)


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize(
    "along",
    [
        LINE,
        {"type": "table", "coordinate": "x", "at": (0.0, 3.0), "values": (0.0, 1.0)},
        {"type": "table", "coordinate": "arc", "at": (0.0, 3.0), "values": (1.0, 0.0)},
    ],
)
def test_a_triangular_pressure_has_its_force_and_its_moment(
    element: str, along: dict[str, Any]
) -> None:
    load = {"p": {"type": "pressure", "on": "block.top", "value": 2.0, "profile": along}}
    x, f = nodal_load(study(element, loads=load, supports=CONSTRAINED))
    assert f.sum(axis=0) == pytest.approx([0.0, -3.0], abs=1e-13)
    assert (x[:, 0] * f[:, 1]).sum() == pytest.approx(-6.0, rel=1e-13)  # at two thirds of 3 m


def test_a_parabola_and_a_cosine_are_integrated() -> None:
    dome = {
        "type": "polynomial",
        "coordinate": "x",
        "at": (0.0, 1.5, 3.0),
        "values": (0.0, 1.0, 0.0),
    }
    wave = {"type": "cosine", "coordinate": "x", "period": 3.0, "amplitude": 0.5, "offset": 2.0}
    for along, force in ((dome, -2.0), (wave, -6.0)):
        load = {"p": {"type": "pressure", "on": "block.top", "value": 1.0, "profile": along}}
        _, f = nodal_load(study("quad8", loads=load, supports=CONSTRAINED))
        assert f[:, 1].sum() == pytest.approx(force, rel=1e-4)


def test_shear_round_a_ring_is_a_couple_and_a_cosine_of_the_angle_a_push() -> None:
    prescribed = {"hub": {"on": "ring.inner", "x": 0.0, "y": 0.0}}
    turn = {"type": "traction", "on": "ring.outer", "value": (0.0, 3.0)}
    turn["directions"] = "normal-tangential"
    x, f = nodal_load(study("quad8", shapes=RING, loads={"t": turn}, supports=prescribed))
    assert f.sum(axis=0) == pytest.approx([0.0, 0.0], abs=1e-12)
    couple = (x[:, 0] * f[:, 1] - x[:, 1] * f[:, 0]).sum()
    assert couple == pytest.approx(3.0 * 2 * np.pi * 2.0 * 2.0, rel=1e-6)
    push = {"type": "pressure", "on": "ring.outer", "value": 3.0}
    push["profile"] = {"type": "cosine", "coordinate": "angle", "period": 360.0}
    _, f = nodal_load(study("quad8", shapes=RING, loads={"p": push}, supports=prescribed))
    assert f.sum(axis=0) == pytest.approx([-3.0 * np.pi * 2.0, 0.0], rel=1e-6, abs=1e-12)


def test_a_support_moves_its_nodes_by_its_spatial_function() -> None:
    lifted = {"on": "block.bottom", "x": 0.0, "y": 0.3, "profile": LINE}
    for over in (LINE, {**LINE, "coordinate": "arc"}):
        model = study("quad8", supports={"floor": {**lifted, "profile": over}}, time=STATIC)
        bulk = solid(model)
        u = displaced(bulk)
        nodes = np.unique(bulk.mesh.edge_groups["block.bottom"])
        assert u[nodes, 1] == pytest.approx(0.1 * bulk.mesh.points[nodes, 0], abs=1e-14)


def test_a_spring_pulls_in_its_direction_alone() -> None:
    """A block that can only move rigidly, on springs of 3 N/m along (3, 4) and 1 N/m across."""
    stiff = {"m": {"young": 1e9, "poisson": 0.3, "density": 1.0}}
    corners = ("bottom-left", "bottom-right", "top-right", "top-left")
    springs = {
        corner: {
            "between": (f"block.{corner}", "ground"),
            "stiffness": (3.0, 1.0),
            "direction": (3.0, 4.0),
        }
        for corner in corners
    }
    load = {"w": {"type": "body-force", "on": "block", "value": (1.0, 0.5)}}
    bulk = solid(study(materials=stiff, springs=springs, loads=load, time=STATIC))
    u = displaced(bulk)
    along, across = np.array([0.6, 0.8]), np.array([-0.8, 0.6])
    force = 6.0 * np.array([1.0, 0.5])  # on 3 m × 2 m
    exact = (along @ force / 12.0) * along + (across @ force / 4.0) * across
    # Nine of 16 digits go into how much stiffer the block is than its springs; how many of the rest
    # are right depends on the processor (1.8e-6 was seen).
    assert u.mean(axis=0) == pytest.approx(exact, rel=1e-5)
    energy = bulk.spring_energy(bulk.at_free_dofs(u), 0.0)
    assert energy == pytest.approx(0.5 * force @ exact, rel=1e-6)


def test_a_slanted_spring_holds_a_body_only_where_it_acts() -> None:
    spring = {"between": ("block.bottom-left", "ground"), "stiffness": (1.0, 0.0)}
    rails = {"rail": {"on": "block.left", "x": 0.0}}
    prescribed = {"s": {**spring, "direction": (1.0, 1.0)}}
    solid(study(springs=prescribed, supports=rails, time=STATIC))
    with pytest.raises(InputError, match="has unconstrained rigid-body motion"):
        solid(study(springs={"s": spring}, supports=rails, time=STATIC))


@pytest.mark.parametrize("element", ELEMENTS)
def test_a_foundation_gives_way_evenly_and_holds_what_stands_on_it(element: str) -> None:
    bed = {"type": "elastic", "on": "block.bottom", "stiffness": (4.0, 0.5)}
    load = {"p": {"type": "pressure", "on": "block.top", "value": 2.0}}
    rails = {side: {"on": f"block.{side}", "x": 0.0} for side in ("left", "right")}
    model = study(element, foundations={"bed": bed}, loads=load, supports=rails, time=STATIC)
    bulk = solid(model)
    u = displaced(bulk)
    nodes = np.unique(bulk.mesh.edge_groups["block.bottom"])
    assert u[nodes, 1] == pytest.approx(-0.5, rel=1e-12)  # p / k, for any motion of the block


def test_a_foundation_without_friction_does_not_hold_sideways() -> None:
    bed = {"type": "elastic", "on": "block.bottom", "stiffness": (4.0, 0.0)}
    with pytest.raises(InputError, match="has unconstrained rigid-body motion"):
        solid(study(foundations={"bed": bed}, time=STATIC))


def test_an_absorbing_edge_has_the_impedances_of_its_body() -> None:
    """A rigid motion of the edge feels ρ c_p and ρ c_s, times its length."""
    far = {"far": {"type": "absorbing", "on": "block.right"}}
    bulk = solid(study("quad8", foundations=far))
    young, poisson, density = 10.0, 0.3, 2.0
    shear = young / (2 * (1 + poisson))
    pressure = 2 * shear * (1 - poisson) / (1 - 2 * poisson)
    for axis, modulus in enumerate((pressure, shear)):
        v = np.zeros(bulk.mesh.points.shape)
        v[:, axis] = 1.0
        force = bulk.damping(bulk.at_free_dofs(v), np.empty(bulk.size))
        assert force @ bulk.at_free_dofs(v) == pytest.approx(2.0 * np.sqrt(density * modulus))


@pytest.mark.parametrize(
    ("tables", "said"),
    [
        (
            {"loads": {"p": {"type": "pressure", "on": "block.top", "value": 1.0, "profile": {
                "type": "table", "coordinate": "x", "at": (0.0, 2.0), "values": (0.0, 1.0)}}}},
            r"loads\.p\.profile: .*2 m.*3 m",
        ),
        (
            {"supports": {"s": {"on": "block", "x": 1.0,
                "profile": {**LINE, "coordinate": "arc"}}}},
            r'supports\.s\.profile: coordinate = "arc" needs an edge',
        ),
        (
            {"shapes": RING, "foundations": {"f": {"type": "elastic", "on": "ring.outer",
                "stiffness": (1.0, 0.0), "profile": {**LINE, "coordinate": "arc"}}}},
            r'foundations\.f\.profile: coordinate = "arc" needs a connected edge',
        ),
    ],
)  # fmt: skip
def test_a_spatial_function_that_does_not_fit_its_edge_is_reported(
    tables: dict[str, Any], said: str
) -> None:
    model = study(**tables)
    with pytest.raises(InputError, match=said):
        build_solid(model, mesh_of(model), MPI.COMM_SELF)


@pytest.mark.parametrize(
    ("tables", "said"),
    [
        ({"springs": {"s": {"between": ("block.top-left", "ground"), "stiffness": (1.0, 0.0),
            "direction": (0.0, 0.0)}}}, "zero vector"),
        ({"foundations": {"f": {"type": "elastic", "on": "block.top"}}}, "has no effect"),
        ({"foundations": {"f": {"type": "elastic", "on": "block.top", "stiffness": (-1.0, 0.0)}}},
            "neither number"),
        ({"foundations": {"f": {"type": "absorbing", "on": "block.tap"}}}, 'mean "block.top"'),
        ({"foundations": {"f": {"type": "absorbing", "on": "block.top"}}, "mass_matrix": "lumped",
            "time": {"scheme": "central-difference", "step": 1e-3, "end": 1.0}}, "leave it out"),
        ({"supports": {"s": {"on": "block.top", "x": 1.0,
            "profile": {**LINE, "at": (1.0, 0.0)}}}}, "previous position"),
        ({"supports": {"s": {"on": "block.top", "x": 1.0,
            "profile": {**LINE, "values": (1.0,)}}}}, "values has 1 entries"),
    ],
)  # fmt: skip
def test_invalid_settings_are_reported_before_meshing(tables: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError) as messages:
        study(shapes={"block": rectangle()}, **tables)
    assert said in str(messages.value)
