"""Detection of bodies in contact that can still move rigidly in a static analysis.

A frictionless contact pair resists motion only along the normals of its master. A rigid-body motion
of the connected parts of the mesh that neither supports, springs and foundations nor the normals of
any pair resist (with friction or adhesion: its nodes in both directions) leaves the position of a
body undetermined for any loads. The usual cause is a missing support.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import scipy.linalg

from fecontact.mesh.cells import Index
from fecontact.mesh.parts import connected_parts
from fecontact.record import Array, ModelMesh, RunWarning, wrong
from fecontact.solid.checks import RANK_TOLERANCE, absent, rigid_modes, sheet_nodes
from fecontact.solid.conditions.discrete import Discretes
from fecontact.solid.conditions.supports import Supports
from fecontact.solid.fem.measures import MEASURES
from fecontact.study.finite_element import FiniteElementStudy

NODES = 24  # largest number of sampled nodes of a slave edge
NORMALS = 24  # largest number of sampled normals of a master
MOVES = 1e-3  # of the largest motion: a smaller one counts as zero


def unconstrained_warnings(
    study: FiniteElementStudy,
    mesh: ModelMesh,
    supports: Supports,
    discretes: Discretes,
    founded: Index,
) -> list[RunWarning]:
    """Return a warning for each body that is unconstrained in a static analysis with contact.

    founded: nodes on foundations, which resist every motion.
    """
    part = connected_parts(mesh)
    attached = np.zeros(len(mesh.points), dtype=bool)
    attached[mesh.cells] = True
    _, number = np.unique(np.where(attached, part, -1), return_inverse=True)
    number = number + int(attached.all())  # 0 is ground
    modes = rigid_modes(mesh, number, MEASURES[study.plane], sheet_nodes(study, mesh))
    if not modes.shape[2]:
        return []
    resisted = [
        supports.axes.local(modes)[supports.prescribed],
        modes[founded].reshape(-1, modes.shape[2]),
        discretes.resisted(modes),
        absent(modes),
    ]
    resisted += _of_pairs(study, mesh, number, modes)
    free = scipy.linalg.null_space(np.concatenate(resisted), rcond=RANK_TOLERANCE)
    return [wrong(text) for text in _named(study, mesh, modes @ free)]


def _of_pairs(
    study: FiniteElementStudy, mesh: ModelMesh, number: Index, modes: Array
) -> Iterator[Array]:
    """Return the relative motions resisted by contact pairs, one row for each."""
    kinds = modes.shape[2] // int(number.max())
    for pair in study.contact.values():
        nodes = np.unique(mesh.edge_groups[pair.slave])
        if pair.slave == pair.master:  # it connects separate parts of a body
            nodes = nodes[number[nodes] != number[mesh.edge_groups[pair.master][0, 0]]]
        nodes = nodes[:: max(1, len(nodes) // NODES)]
        moved = modes[nodes]
        if pair.master in study.tools:
            if study.tools[pair.master].free:
                yield moved.reshape(-1, modes.shape[2])
                continue
            normals = _normals_of_tool(study, pair.master)
        else:
            edges = mesh.edge_groups[pair.master]
            along = mesh.points[edges[:, 1]] - mesh.points[edges[:, 0]]
            normals = np.stack([along[:, 1], -along[:, 0]], axis=1)
            moved = moved - _carried(modes, nodes, number, int(number[edges[0, 0]]), kinds)
        if max(pair.coefficients) > 0.0 or pair.adhesion > 0.0:
            yield moved.reshape(-1, modes.shape[2])
            continue
        normals = normals / np.linalg.norm(normals, axis=1)[:, None]
        normals = np.unique(normals.round(9), axis=0)
        for normal in normals[:: max(1, len(normals) // NORMALS)]:
            yield np.einsum("i,nim->nm", normal, moved)


def _carried(modes: Array, nodes: Index, number: Index, master: int, kinds: int) -> Array:
    """Return the rigid-body motions of the master's part at the slave nodes, (n, 2, m)."""
    out = np.zeros((len(nodes), 2, modes.shape[2]))
    own = kinds * (number[nodes] - 1)[:, None] + np.arange(kinds)
    motion = np.take_along_axis(modes[nodes], np.repeat(own[:, None], 2, axis=1), axis=2)
    if master > 0:
        out[:, :, kinds * (master - 1) : kinds * master] = motion
    return out


def _normals_of_tool(study: FiniteElementStudy, name: str) -> Array:
    """Return normals of the segments of a tool; arcs are sampled at several positions."""
    found: list[tuple[float, float]] = []
    for piece in study.tools[name].pieces(study.tools):
        endless = not np.isfinite([piece.low, piece.high]).all()
        places = [0.0] if endless else [*map(float, np.linspace(piece.low, piece.high, 5))]
        found += [piece.at(s)[1] for s in places]
    tangents = np.array(found)
    return np.stack([tangents[:, 1], -tangents[:, 0]], axis=1)


def _named(study: FiniteElementStudy, mesh: ModelMesh, free: Array) -> Iterator[str]:
    """Return messages on the bodies moved by free motions (N, 2, k) of the nodes, with
    directions.
    """
    for name, body in study.bodies.items():
        nodes = np.unique(mesh.cells[mesh.cell_groups[body.cells or name]])
        own = free[nodes]
        if not own.size or np.abs(own).max() < MOVES:
            continue
        mean = own.mean(axis=0)
        turns = np.abs(own - mean).max() > MOVES * np.abs(own).max()
        size = np.abs(mean).max(axis=1) > MOVES * np.abs(own).max()
        directions = [f"in {axis}" for axis, moves in zip("xy", size, strict=True) if moves]
        directions += ["by rotation"] * bool(turns)
        yield (
            f"bodies.{name}: the body is unconstrained {' and '.join(directions)} in this static "
            "analysis: no support, spring or contact resists the motion. Constrain it with "
            "[supports] or [springs], or add friction to its contact pair."
        )
