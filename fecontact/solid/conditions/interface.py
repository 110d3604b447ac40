"""Interface nodes of reduced bodies: nodes whose dofs remain in the reduced model.

These are the contact nodes, the ends of springs, the points of loads and history output, and all
nodes of bodies without reduction. Contact nodes are all retained, for any length of the
contact edge: a contact pressure needs its own dofs.
"""

from __future__ import annotations

import numpy as np

from fecontact.mesh.cells import Index
from fecontact.record import ModelMesh
from fecontact.solid.conditions.discrete import Discretes
from fecontact.solid.conditions.supports import Supports
from fecontact.solid.fem.regions import Places
from fecontact.study.errors import InputError
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.models.loads import PointForce
from fecontact.study.models.reduction import FIXED_INTERFACE

MAX_INTERFACE = 4000  # interface dofs: dense matrices of 128 MB
POINTS = ("displacement", "velocity", "acceleration")


def interface_nodes(
    study: FiniteElementStudy,
    mesh: ModelMesh,
    places: Places,
    supports: Supports,
    springs: Discretes,
) -> Index:
    """Return the interface nodes besides those of contact edges; none without reduced bodies.

    Raise InputError if a body must also be reduced.
    """
    if not study.reduced:
        return np.zeros(0, np.int64)
    attached = np.zeros(len(mesh.points), dtype=bool)
    attached[mesh.cells] = True
    loaded = [
        places.point(load.on, f"loads.{name}.on")
        for name, load in study.loads.items()
        if isinstance(load, PointForce)
    ]
    watched = [
        places.point(watch.at, f"watch.{name}.at")
        for name, watch in study.watch.items()
        if watch.type in POINTS
    ]
    ends = springs.ends[springs.ends >= 0]
    nodes = np.unique(np.concatenate([ends, loaded, watched]).astype(np.int64))
    return np.union1d(nodes[attached[nodes]], _unreduced(study, places, supports))


def _unreduced(study: FiniteElementStudy, places: Places, supports: Supports) -> Index:
    """Return the nodes with free dofs of bodies without reduction."""
    free = np.asarray(~supports.prescribed.all(axis=1))
    found: Index = np.zeros(0, np.int64)
    method = next(b.reduction.method for b in study.bodies.values() if b.reduction is not None)
    for name in study.bodies:
        if name in study.reduced:
            continue
        nodes = places.nodes(name, f"bodies.{name}")
        nodes = nodes[free[nodes]]
        if len(nodes) and method not in FIXED_INTERFACE:
            raise InputError(
                f"bodies.{name}: the body has free dofs and no `reduction`, which is not supported "
                f'together with bodies of method = "{method}". Reduce it, fix it with [supports], '
                'or use method = "craig-bampton" for the others.'
            )
        if 2 * len(nodes) > MAX_INTERFACE:
            raise InputError(
                f"bodies.{name}: the body has no `reduction`, so that its {2 * len(nodes)} dofs "
                f"remain in the reduced model (limit {MAX_INTERFACE}). Reduce it, too."
            )
        found = np.union1d(found, nodes).astype(np.int64)
    return found
