"""Reduced finite-element bodies as generalised coordinates of a lumped study.

K_r V = M_r V Λ of the reduced model gives coordinates with unit mass, stiffness Λ and damping
diag(Vᵀ C_r V); a point of the interface moves by its rows of V.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import scipy.linalg
from pydantic import ValidationError

from mpi4py import MPI

from fecontact.arrays import Array
from fecontact.mesh import build
from fecontact.reduction.build import reduced
from fecontact.reduction.model import ReducedSolid
from fecontact.solid.build import build_solid
from fecontact.study.errors import InputError
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.lumped import LumpedStudy
from fecontact.study.models.lumped_bodies import LumpedBody
from fecontact.study.models.masses import Coordinate, Point
from fecontact.study.script import plain
from fecontact.study.validation.explain import explain

COUPLED = 1e-6  # damping between coordinates, relative to their own, that is not negligible
STILL = 1e-12  # ω² relative to the largest: a smaller one is that of a rigid-body mode


def with_coordinates(study: LumpedStudy) -> LumpedStudy:
    """Return the study with its bodies replaced by generalised coordinates and points."""
    if not study.bodies:
        return study
    coordinates, points = dict(study.coordinates), dict(study.points)
    for name, body in study.bodies.items():
        more, moved = _expanded(name, body)
        coordinates |= more
        points |= moved
    return study.model_copy(update={"coordinates": coordinates, "points": points, "bodies": {}})


def _expanded(name: str, body: LumpedBody) -> tuple[dict[str, Coordinate], dict[str, Point]]:
    """Return the coordinates and the points of one body."""
    where = f"bodies.{name}"
    solid = _reduced_solid(name, body)
    mass, damping, stiffness = solid.basis.matrices
    omega2, shapes = scipy.linalg.eigh(stiffness, mass)
    omega2 = np.where(omega2 > STILL * omega2[-1], omega2, 0.0)
    modal = shapes.T @ damping @ shapes
    own = np.diag(modal)
    rest = modal - np.diag(own)
    if np.abs(rest).max(initial=0.0) > COUPLED * np.abs(own).max(initial=0.0) > 0.0:
        raise InputError(
            f"{where}: dashpots couple the modes, which is not supported. Use Rayleigh damping, "
            "`modal.damping`, or springs of the lumped study."
        )
    start = shapes.T @ mass @ solid.initial()[1]
    names = [f"{name}.{i + 1}" for i in range(len(omega2))]
    coordinates = {
        label: Coordinate.model_construct(
            mass=1.0,
            stiffness=float(omega2[i]),
            damping=float(max(own[i], 0.0)),
            displacement=0.0,
            velocity=float(start[i]),
        )
        for i, label in enumerate(names)
    }
    points = {}
    for point, place in body.points.items():
        node = solid.point(place, f"{where}.points.{point}")
        rows = _rows(solid, node, shapes)
        x, y = solid.mesh.points[node]
        moved = {
            label: (float(rows[0, i]), float(rows[1, i]), 0.0) for i, label in enumerate(names)
        }
        points[point] = Point.model_construct(shape=moved, position=(float(x), float(y), 0.0))
    return coordinates, points


def _rows(solid: ReducedSolid, node: int, shapes: Array) -> Array:
    """Return the motion (2, n) of a node for unit coordinates."""
    surface = solid.surface
    dof = surface.dof[np.searchsorted(surface.node, node)]
    rows = np.zeros((2, shapes.shape[1]))
    rows[dof >= 0] = shapes[dof[dof >= 0]]
    return rows


def _reduced_solid(name: str, body: LumpedBody) -> ReducedSolid:
    """Return the reduced model of one body; raise InputError with the keys of the lumped study."""
    try:
        study = FiniteElementStudy.model_validate(_study_of(name, body))
        solid = reduced(study, build_solid(study, build(study.mesh, Path()), MPI.COMM_SELF))
    except ValidationError as error:
        found = explain(error, FiniteElementStudy, lambda _: f"bodies.{name}")
        raise InputError(_with_keys_of(name, body, "; ".join(found))) from None
    except InputError as error:
        raise InputError(_with_keys_of(name, body, str(error))) from None
    assert isinstance(solid, ReducedSolid)
    return solid


def _with_keys_of(name: str, body: LumpedBody, text: str) -> str:
    """Return a message on the finite-element model with the keys of the lumped study."""
    for point in body.points:
        text = text.replace(f"watch.{point}.at", f"bodies.{name}.points.{point}")
    for cell in _cells(body):
        text = text.replace(f"bodies.{cell}.reduction", f"bodies.{name}.reduction")
    return text


def _cells(body: LumpedBody) -> list[str]:
    """Return the element groups of a body."""
    return [body.cells] if body.cells is not None else list(body.mesh.shapes)


def _study_of(name: str, body: LumpedBody) -> dict[str, Any]:
    """Return the keys of a finite-element study with one body and its points."""
    entry: dict[str, Any] = {"material": "own", "thickness": body.thickness}
    entry |= {"velocity": body.velocity, "reduction": plain(body.reduction)}
    return {
        "title": name,
        "kind": "finite-element",
        "plane": body.plane,
        "mesh": plain(body.mesh),
        "materials": {"own": plain(body.material)},
        "bodies": dict.fromkeys(_cells(body), entry),
        "supports": plain(body.supports),
        "watch": {
            point: {"type": "displacement", "at": place} for point, place in body.points.items()
        },
        "time": {"scheme": "average-acceleration", "step": 1.0, "end": 1.0},
    }
