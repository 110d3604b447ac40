"""Errors of a model are reported before the solution."""

from __future__ import annotations

from typing import Any

import pytest
from solid_models import mesh_of, rectangle, solid, study

from fecontact.record import ModelMesh
from fecontact.study.errors import InputError
from fecontact.study.finite_element import FiniteElementStudy

CONSTRAINED = {"supports": {"wall": {"on": "block.left", "x": 0.0, "y": 0.0}}}
STATIC = {"time": {"scheme": "static", "step": 1.0, "end": 1.0}}
TWO = {"block": rectangle(), "other": rectangle(corner=(0.0, 5.0))}


def pair(slave: str, master: str) -> dict[str, Any]:
    return {"contact": {"c": {"slave": slave, "master": master}}}


def of_file(mesh: ModelMesh, **tables: Any) -> FiniteElementStudy:
    """A study of a mesh file, whose groups are known only when it is read."""
    bodies = {name: {"material": "m"} for name in mesh.cell_groups}
    return study(**({"mesh": {"file": "block.msh"}, "bodies": bodies} | tables))


@pytest.mark.parametrize(
    ("tables", "sentence"),
    [
        (
            {"supports": {"wall": {"on": "left", "x": 0.0}}},
            r"supports\.wall\.on",
        ),
        (
            {"loads": {"p": {"type": "pressure", "on": "roof", "value": 1.0}}},
            r"loads\.p\.on: edge group 'roof' not found\. Available: 'block\.bottom'",
        ),
        (
            {"loads": {"p": {"type": "pressure", "on": "block", "value": 1.0}}},
            r"loads\.p\.on: edge group 'block' not found",
        ),
        (
            {"loads": {"g": {"type": "gravity", "on": "brick", "value": [0.0, -1.0]}}},
            r"loads\.g\.on: body 'brick' not found",
        ),
        (
            {"springs": {"s": {"between": ["block.tp", "ground"], "stiffness": [1.0, 0.0]}}},
            r"springs\.s\.between: point 'block\.tp' not found",
        ),
        (
            {"bodies": {"block": {"material": "m", "cells": "brick"}}},
            r"bodies\.block: element group 'brick' not found",
        ),
        (
            {"shapes": TWO, "bodies": {"block": {"material": "m"}}},
            r"bodies: 6 elements \(in group 'other'\)",
        ),
        (pair("block.bottom", "floor"), r"contact\.c\.master: edge group 'floor' not found"),
        (
            pair("block.bottom", "block.left"),
            r"contact\.c: slave 'block\.bottom' and master 'block\.left' share 1 node",
        ),
        (
            STATIC,
            r"bodies\.block: .*static",
        ),
        (
            STATIC | CONSTRAINED | {"shapes": TWO},
            r"bodies\.other: .*static",
        ),
        (
            STATIC | {"supports": {"rail": {"on": "block.bottom", "y": 0.0}}},
            r"bodies\.block: .*rigid-body motion",
        ),
        (
            {"materials": {"m": {"young": 1.0, "density": 0.0}}},
            r"bodies\.block: .*no mass",
        ),
        (
            {
                "supports": {
                    "a": {"on": "block.left", "x": 0.0},
                    "b": {"on": "block.bottom", "x": 1.0},
                }
            },
            r"supports\.b and supports\.a .* x = 0 m, y = 0",
        ),
    ],
)
def test_wrong_input_is_named(tables: dict[str, Any], sentence: str) -> None:
    tables = dict(tables)
    mesh = mesh_of(study(shapes=tables.pop("shapes", {"block": rectangle()})))
    with pytest.raises(InputError, match=sentence) as error:
        solid(of_file(mesh, **tables), mesh)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "tables",
    [
        STATIC | CONSTRAINED,
        STATIC
        | {
            "supports": {
                "a": {"on": "block.bottom-left", "x": 0.0, "y": 0.0},
                "b": {"on": "block.bottom-right", "y": 0.0},
            }
        },
        STATIC
        | CONSTRAINED
        | {
            "shapes": TWO,
            "springs": {
                "a": {"between": ["block.top-left", "other.bottom-left"], "stiffness": [1.0, 1.0]},
                "b": {"between": ["other.bottom-right", "ground"], "stiffness": [0.0, 1.0]},
            },
        },
        {},
    ],
)
def test_constrained_or_heavy_bodies_are_accepted(tables: dict[str, Any]) -> None:
    solid(study(**tables)).factor(1.0 if not tables else 0.0, 0.0, 1.0)


def test_edges_inside_a_body_cannot_be_pressed() -> None:
    mesh = mesh_of(study())
    cell = mesh.cells[0]
    edges = {"inside": cell[[[0, 1], [1, 2], [2, 3], [3, 0]]]} | mesh.edge_groups
    mesh = ModelMesh(mesh.points, mesh.cells, mesh.cell_groups, edges, mesh.point_groups)
    model = of_file(mesh, loads={"p": {"type": "pressure", "on": "inside", "value": 1.0}})
    with pytest.raises(InputError, match=r"loads\.p\.on: 'inside'"):
        solid(model, mesh)


def test_a_body_of_slave_nodes_alone_cannot_give_its_mass_away() -> None:
    model = study(
        shapes={"block": rectangle((3, 1)), "base": rectangle((3, 1), corner=(0.0, -3.0))},
        contact={"c": {"slave": "block.bottom", "master": "base.top"}},
        time={"step": 1.0, "end": 1.0, "impact": "redistributed-mass"},
    )
    with pytest.raises(InputError, match=r"too few nodes besides .* explicit .* three with mass_"):
        solid(model)


GRAVITY = {"loads": {"g": {"type": "gravity", "on": "block", "value": [0.0, -1.0]}}}
TABLE = {"block": rectangle(), "table": rectangle(corner=(0.0, -2.0))}
ON_TABLE = pair("block.bottom", "table.top")


def test_an_unconstrained_table_is_reported() -> None:
    """Neither body can fall off the other, but both fall."""
    (said,) = solid(study(shapes=TABLE, **ON_TABLE, **GRAVITY)).warnings
    assert said.startswith("bodies.block, bodies.table: ")
    (alone,) = solid(study(**GRAVITY)).warnings
    assert alone.startswith("bodies.block: ")


@pytest.mark.parametrize(
    "tables",
    [
        {"supports": {"floor": {"on": "table.bottom", "y": 0.0}}},
        {"springs": {"s": {"between": ["table.bottom-left", "ground"], "stiffness": [0.0, 1.0]}}},
        {"springs": {"s": {"between": ["table.bottom-left", "nail"], "damping": [0.0, 1.0]}}},
        {"loads": {}},
        {"loads": {"up": {"type": "gravity", "on": "block", "value": [0.0, 0.0]}}},
    ],
    ids=["support", "spring", "dashpot", "no load", "no force"],
)
def test_constrained_or_unloaded_bodies_do_not_fly_away(tables: dict[str, Any]) -> None:
    points = {"nail": (9.0, 9.0)}
    model = study(shapes=TABLE, points=points, **(ON_TABLE | GRAVITY | tables))
    assert solid(model).warnings == []


def test_a_support_in_one_direction_does_not_hold_in_the_other() -> None:
    tables = GRAVITY | {"supports": {"rail": {"on": "block.left", "x": 0.0}}}
    (said,) = solid(study(**tables)).warnings
    assert "unconstrained in y" in said


def test_a_velocity_that_would_be_ignored_is_rejected() -> None:
    moving = {"bodies": {"block": {"material": "m", "velocity": [1.0, 0.0]}}}
    with pytest.raises(InputError, match=r"bodies\.block\.velocity has no effect"):
        solid(study(**moving, **CONSTRAINED, **STATIC))
    support = {"on": "block", "x": 1.0, "function": "ramp"}
    with pytest.raises(InputError, match=r"velocity conflicts with \[supports\].* in x"):
        solid(study(**moving, supports={"all": support | {"x": 0.0, "function": None}}))
    functions = {"ramp": {"type": "ramp", "end": 1.0}}
    solid(study(**moving, supports={"all": support}, functions=functions))  # the same motion
    solid(study(**moving, supports={"all": {"on": "block", "y": 0.0}}))
    solid(study(**moving, **CONSTRAINED))
