"""Bodies adjacent to edges of the mesh."""

from __future__ import annotations

import numpy as np

from fecontact.record import ModelMesh
from fecontact.study.finite_element import FiniteElementStudy


def cells_of(body: str, study: FiniteElementStudy, mesh: ModelMesh) -> np.ndarray:
    """Return the cells of a body, by their nodes."""
    cells: np.ndarray = mesh.cells[mesh.cell_groups[study.bodies[body].cells or body]]
    return cells


def owners(edges: np.ndarray, study: FiniteElementStudy, mesh: ModelMesh) -> list[str]:
    """Return the bodies to which any of the edges belong."""
    return [
        name
        for name in study.bodies
        if np.isin(edges, cells_of(name, study, mesh)).all(axis=1).any()
    ]
