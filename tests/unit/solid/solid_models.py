"""Small studies of elastic bodies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from mpi4py import MPI

from fecontact.mesh import build
from fecontact.record import ModelMesh
from fecontact.solid.build import build_solid
from fecontact.solid.solid import Solid
from fecontact.study.finite_element import FiniteElementStudy

ELEMENTS = ("quad4", "quad8", "tri3", "tri6")


def rectangle(
    cells: tuple[int, int] = (3, 2),
    size: tuple[float, float] = (3.0, 2.0),
    corner: tuple[float, float] = (0.0, 0.0),
    **more: Any,
) -> dict[str, Any]:
    return {"type": "rectangle", "corner": corner, "size": size, "cells": cells, **more}


def study(element: str = "quad4", **tables: Any) -> FiniteElementStudy:
    """A block of one material; keyword arguments replace or add tables of the study."""
    points = tables.pop("points", {})
    shapes = tables.pop("shapes", {"block": rectangle()})
    data: dict[str, Any] = {
        "kind": "finite-element",
        "title": "a block",
        "mesh": {"element": element, "shapes": shapes, "points": points},
        "materials": {"m": {"young": 10.0, "poisson": 0.3, "density": 2.0}},
        "bodies": {name: {"material": "m"} for name in shapes},
        "time": {"step": 1.0, "end": 1.0},
    }
    return FiniteElementStudy.model_validate(data | tables)


def mesh_of(model: FiniteElementStudy) -> ModelMesh:
    return build(model.mesh, Path())


def distorted(mesh: ModelMesh, amount: float = 0.08) -> ModelMesh:
    """The mesh with its nodes moved smoothly; straight sides stay straight."""
    x, y = mesh.points.T
    moved = np.stack([x + amount * x * y, y + amount * x * y / 2 + amount * x], axis=1)
    result = ModelMesh(
        moved, mesh.cells, mesh.cell_groups, mesh.edge_groups, mesh.point_groups, mesh.node_groups
    )
    corners = mesh.cells.shape[1] // 2
    if mesh.cells.shape[1] in (6, 8):
        for i in range(corners):
            ends = moved[mesh.cells[:, [i, (i + 1) % corners]]]
            moved[mesh.cells[:, corners + i]] = ends.mean(axis=1)
    return result


def solid(
    model: FiniteElementStudy, mesh: ModelMesh | None = None, comm: MPI.Comm = MPI.COMM_SELF
) -> Solid:
    return build_solid(model, mesh_of(model) if mesh is None else mesh, comm)


def with_triangles(mesh: ModelMesh) -> ModelMesh:
    """A mesh of quadrilaterals in which every second one is cut into two triangles."""
    cut = np.arange(0, len(mesh.cells), 2)
    points = mesh.points
    a, b, c, d = mesh.cells[cut, :4].T
    first, second = [a, b, c, c], [a, c, d, d]
    if mesh.cells.shape[1] == 8:
        ab, bc, cd, da = mesh.cells[cut, 4:].T
        ca = len(points) + np.arange(len(cut))
        points = np.concatenate([points, (points[a] + points[c]) / 2])
        first, second = [*first, ab, bc, c, ca], [*second, ca, cd, d, da]
    cells = mesh.cells.copy()
    cells[cut] = np.stack(first, axis=1)
    new = {row: len(cells) + i for i, row in enumerate(cut)}
    groups = {
        name: np.array([*rows, *(new[row] for row in rows if row in new)])
        for name, rows in mesh.cell_groups.items()
    }
    cells = np.concatenate([cells, np.stack(second, axis=1)])
    return ModelMesh(points, cells, groups, mesh.edge_groups, mesh.point_groups, mesh.node_groups)
