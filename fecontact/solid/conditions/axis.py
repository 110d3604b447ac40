"""Symmetry axis of axisymmetric bodies, x = 0: admissible positions and symmetry condition.

A node on the axis cannot move radially: u_r(0, y) = 0, otherwise the body would separate.
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Index
from fecontact.record import ModelMesh
from fecontact.solid.fem.regions import Places
from fecontact.study.errors import InputError
from fecontact.study.finite_element import FiniteElementStudy

ON_AXIS = 1e-9
"""Distance from the axis, relative to the size of the model, up to which a node lies on it."""


def axis_nodes(study: FiniteElementStudy, mesh: ModelMesh, places: Places) -> Index:
    """Return the nodes of bodies on the axis; empty in plane strain and plane stress.

    Raise InputError for a body beyond the axis, for motion at t = 0 off the axis, and for a contact
    surface on the axis.
    """
    if not study.axisymmetric:
        return np.zeros(0, np.int64)
    near = ON_AXIS * float(np.ptp(mesh.points, axis=0).max())
    for name, body in study.bodies.items():
        nodes = places.nodes(name, f"bodies.{name}")
        least = float(mesh.points[nodes, 0].min())
        if least < -near:
            raise InputError(
                f"bodies.{name}: the body reaches x = {least:g} m, beyond the axis of symmetry. "
                "Move it to x ≥ 0: x is the radius."
            )
        for key in ("displacement", "velocity"):
            if least <= near and getattr(body, key)[0] != 0.0:
                raise InputError(
                    f"bodies.{name}.{key}: a body on the axis of symmetry (x = 0) cannot leave "
                    "it. Set the first component to 0."
                )
    for name, pair in study.contact.items():
        for side in ("slave", "master"):
            if getattr(pair, side) in study.tools:
                continue
            edges = places.boundary(getattr(pair, side), f"contact.{name}.{side}")
            if (np.abs(mesh.points[edges, 0]) <= near).all(axis=1).any():
                raise InputError(
                    f"contact.{name}.{side}: {getattr(pair, side)!r} contains edges on the axis "
                    "of symmetry (x = 0), which are not a surface. Remove them."
                )
    attached = np.unique(mesh.cells)
    return attached[np.abs(mesh.points[attached, 0]) <= near]
