"""Mesh of a study's ``[mesh]`` table: shapes or a file, then the named points."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from fecontact.mesh.conversion import tidy
from fecontact.mesh.generate import generate
from fecontact.mesh.readers.separate_process import read
from fecontact.mesh.selection import with_groups
from fecontact.record import ModelMesh
from fecontact.study.errors import InputError
from fecontact.study.shapes import MeshSource

COINCIDENT = 1e-7
"""Distance below which two nodes coincide, relative to the extent of the mesh."""


def build(source: MeshSource, directory: Path) -> ModelMesh:
    """Return the mesh of a study; the path of a mesh file is relative to ``directory``."""
    if source.file is None:
        return _with_points(tidy(generate(source)), source)
    path = directory / source.file
    meshing: dict[str, Any] = {}
    if source.is_geometry:
        size = None if source.size is None else source.size / source.scale
        meshing = {"element": source.element, "size": size}
    raw = read(path, **meshing)
    if source.scale != 1.0:
        raw = replace(raw, points=raw.points * source.scale)
    try:
        mesh = tidy(raw)
    except InputError as error:
        why = str(error).removeprefix("mesh: ")
        raise InputError(f"mesh.file: {str(path)!r} cannot be used: {why}") from None
    return _with_points(mesh, source)


def _with_points(mesh: ModelMesh, source: MeshSource) -> ModelMesh:
    """Name the nodes at the given positions; add an isolated node where none exists."""
    points, groups = mesh.points, dict(mesh.point_groups)
    reach = COINCIDENT * float(np.ptp(points, axis=0).max())
    for name, place in source.points.items():
        if name in groups:
            raise InputError(
                f"mesh.points.{name}: the mesh already has a point of this name. Rename it."
            )
        near = np.flatnonzero(np.abs(points - place).max(axis=1) <= reach)
        if len(near) > 1:
            raise InputError(
                f"mesh.points.{name}: {len(near)} nodes lie at [{place[0]:g}, {place[1]:g}] "
                "(bodies touch there). Use a point of the shape or of the mesh file."
            )
        if len(near) == 0:
            near = np.array([len(points)])
            points = np.vstack([points, place])
        groups[name] = int(near[0])
    return with_groups(replace(mesh, points=points, point_groups=groups), source.groups)
