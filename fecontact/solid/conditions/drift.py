"""Detection of loaded bodies with free rigid-body translation, often due to a missing support.

For each direction, the connected parts of the mesh, the springs and the contact pairs form a graph.
A part without a path to the ground (a prescribed node, the fixed end of a spring) is free to move.
As this may be intended, a warning is issued, and only if a force acts on the part.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import scipy.sparse
import scipy.sparse.csgraph
from numpy.typing import NDArray

from fecontact.mesh.cells import Index
from fecontact.mesh.parts import connected_parts
from fecontact.record import Array, ModelMesh, RunWarning
from fecontact.solid.conditions.discrete import Discretes
from fecontact.solid.conditions.supports import Supports
from fecontact.solid.fem.measures import MEASURES
from fecontact.study.finite_element import FiniteElementStudy

BALANCED = 1e-9
"""Resultant, relative to the sum of its forces, below which forces are balanced."""


def drift_warnings(
    study: FiniteElementStudy,
    mesh: ModelMesh,
    supports: Supports,
    discretes: Discretes,
    founded: Index,
    forces: Iterable[Array],
) -> list[RunWarning]:
    """Return a warning for bodies that are unconstrained in a direction in which forces act.

    founded: nodes on foundations.
    forces: (N, 2) nodal forces of each load pattern, N, identical on every rank.
    """
    part = connected_parts(mesh)
    patterns = [*forces]
    directions: dict[tuple[str, ...], list[str]] = {}
    for axis in np.flatnonzero(MEASURES[study.plane].travels):
        prescribed = supports.resists[:, axis]
        prescribed[founded] = True
        cluster, grounded = _clusters(study, mesh, part, prescribed, discretes, axis)
        driven = np.zeros(len(grounded), dtype=bool)
        for force in patterns:
            resultant = np.bincount(cluster, force[:, axis], len(grounded))
            size = np.bincount(cluster, np.abs(force).sum(axis=1), len(grounded))
            driven |= np.abs(resultant) > BALANCED * size
        for number in np.flatnonzero(driven & ~grounded):
            names = tuple(
                name
                for name, body in study.bodies.items()
                if number in cluster[mesh.cells[mesh.cell_groups[body.cells or name], 0]]
            )
            directions.setdefault(names, []).append("xy"[axis])
    return [
        RunWarning(
            f"{', '.join(f'bodies.{name}' for name in names)}: the body is loaded but "
            f"unconstrained in {' and '.join(axes)} and will accelerate freely. If this is not "
            "intended, constrain it with [supports]."
        )
        for names, axes in directions.items()
    ]


def _clusters(
    study: FiniteElementStudy,
    mesh: ModelMesh,
    part: Index,
    prescribed: NDArray[np.bool_],
    discretes: Discretes,
    axis: int,
) -> tuple[Index, NDArray[np.bool_]]:
    """Return the cluster of each node in one direction, and the clusters connected to the
    ground.
    """
    ground = int(part.max()) + 1
    attached = np.zeros(len(mesh.points), dtype=bool)
    attached[mesh.cells] = True
    fixed = part[prescribed | ~attached]
    links = [np.stack([fixed, np.full(len(fixed), ground)])]
    resists = (discretes.stiffness + discretes.damping)[:, axis, axis] > 0
    ends = discretes.ends[resists]
    links.append(np.where(ends >= 0, part[ends], ground).T)
    for pair in study.contact.values():
        if pair.master in study.tools:
            slave = mesh.edge_groups[pair.slave][:, 0]
            links.append(np.stack([part[slave], np.full(len(slave), ground)]))
            continue
        slave, master = (mesh.edge_groups[name][:, 0] for name in (pair.slave, pair.master))
        links.append(np.stack([part[slave], np.full(len(slave), part[master[0]])]))
        links.append(np.stack([part[master], np.full(len(master), part[master[0]])]))
    rows, columns = np.concatenate(links, axis=1)
    graph = scipy.sparse.coo_array(
        (np.ones(len(rows)), (rows, columns)), shape=(ground + 1, ground + 1)
    )
    count, cluster = scipy.sparse.csgraph.connected_components(graph, directed=False)
    grounded = np.arange(count) == cluster[ground]
    return np.asarray(cluster[part]), grounded
