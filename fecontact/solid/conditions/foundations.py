"""Foundations: stiffness and damping distributed over boundary edges.

    K_ij += ∫ N_i (k_n n nᵀ + k_t t tᵀ) N_j dS,    C_ij likewise,

with the normal n and the tangent t of the undeformed edge. An absorbing boundary adds the
impedances of its body, k_n = ρ c_p and k_t = ρ c_s, to C: ρ c_p² = v·D v and ρ c_s² = w·D w with
the strains of plane waves along n, v = (n_x², n_y², 0, 2 n_x n_y), w = (n_x t_x, n_y t_y, 0, n_x
t_y + n_y t_x).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array, Index
from fecontact.solid.fem.edges import EdgePoints
from fecontact.solid.fem.forms import Forms
from fecontact.solid.fem.materials import CellMaterials
from fecontact.solid.fem.profiles import along_edge
from fecontact.solid.fem.regions import Places
from fecontact.study.models.foundations import AbsorbingEdge, Foundation


@dataclass(frozen=True)
class EdgeTensors:
    """Stiffness (Pa/m) and damping (Pa·s/m) per area, (E, Q, 2, 2), at Gauss points of edges."""

    at: EdgePoints
    stiffness: Array
    damping: Array


def edge_tensors(
    foundations: Mapping[str, Foundation], forms: Forms, materials: CellMaterials, places: Places
) -> list[EdgeTensors]:
    """Return the stiffness and damping of the foundations at their edges of the mesh."""
    found = []
    for name, entry in foundations.items():
        edges = places.boundary(entry.on, f"foundations.{name}.on")
        at = forms.edge_points(edges)
        directions = np.stack([at.normal, at.tangent], axis=2)
        if isinstance(entry, AbsorbingEdge):
            stiffness = np.zeros(directions.shape[:3])
            damping = _impedance(at, forms.cells_of(edges), materials)
        else:
            factor = along_edge(entry.profile, at, forms.space.mesh.points, f"foundations.{name}")
            stiffness, damping = (
                factor[..., None] * np.asarray(value) for value in (entry.stiffness, entry.damping)
            )
        tensors = (
            np.einsum("eqd,eqdx,eqdy->eqxy", value, directions, directions)
            for value in (stiffness, damping)
        )
        found.append(EdgeTensors(at, *tensors))
    return found


def nodes_on(foundations: Sequence[EdgeTensors]) -> Index:
    """Return the nodes of all foundations."""
    none = np.empty(0, dtype=np.int64)
    return np.unique(np.concatenate([none, *(entry.at.edges.ravel() for entry in foundations)]))


def _impedance(at: EdgePoints, cells: Index, materials: CellMaterials) -> Array:
    """Return ρ c_p and ρ c_s, (E, Q, 2), of the cells adjacent to the edges."""
    (nx, ny), (tx, ty) = (np.moveaxis(direction, -1, 0) for direction in (at.normal, at.tangent))
    none = np.zeros_like(nx)
    strains = np.stack(
        [
            np.stack([nx * nx, ny * ny, none, 2 * nx * ny], axis=-1),
            np.stack([nx * tx, ny * ty, none, nx * ty + ny * tx], axis=-1),
        ],
        axis=2,
    )
    stiffness = np.einsum("eqdi,eij,eqdj->eqd", strains, materials.stiffness[cells], strains)
    return np.asarray(np.sqrt(materials.density[cells, None, None] * stiffness))
