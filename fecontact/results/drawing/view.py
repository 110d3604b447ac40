"""View direction of a lumped system: the plane with the most visible motion."""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.study.lumped import LumpedStudy

AXES = "xyz"


def view_plane(study: LumpedStudy) -> tuple[int, int]:
    """Return the two of the axes 0, 1, 2 that are drawn: horizontal and vertical.

    Directions of recorded motion first, then those in which masses can move, then x, y, z.
    """
    wanted = [w.component for w in study.watch.values() if w.type in ("displacement", "velocity")]
    wanted += [direction for mass in study.masses.values() for direction in mass.directions]
    order = list(dict.fromkeys(AXES.index(c) for c in (*wanted, *AXES) if c in AXES))
    first, second = order[0], order[1]
    return (first, second) if first < second else (second, first)


def places(study: LumpedStudy) -> dict[str, Array]:
    """Return the positions (2,) of masses and points in the drawn plane, m."""
    plane = list(view_plane(study))
    positions = {name: mass.position for name, mass in study.masses.items()}
    positions |= {name: point.position for name, point in study.points.items()}
    for body in study.bodies.values():  # a point at a corner of the mesh has no coordinates here
        known = {name: body.mesh.points.get(at, (0.0, 0.0)) for name, at in body.points.items()}
        positions |= {name: (x, y, 0.0) for name, (x, y) in known.items()}
    return {name: np.array(p, dtype=np.float64)[plane] for name, p in positions.items()}


def in_plane(study: LumpedStudy, vector: tuple[float, float, float]) -> Array:
    """Return the drawn part (2,) of a direction, of length 1 if the direction lies in the plane."""
    whole = np.array(vector, dtype=float)
    return whole[list(view_plane(study))] / (np.linalg.norm(whole) or 1.0)
