"""dolfinx 0.9 to 0.11 behind one spelling: everything that differs between them is in this file.

What an installation offers is asked of its functions, never of its version string.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dolfinx import fem, la, mesh
from dolfinx.fem import petsc
from mpi4py import MPI
from petsc4py import PETSc

from fecontact.arrays import Array, Integers


def create_mesh(comm: MPI.Comm, cells: Integers, points: NDArray[Any], element: Any) -> Any:
    """A distributed mesh; the order of the last two arguments changed after 0.9."""
    return mesh.create_mesh(comm, cells=cells, x=points, e=element)


def geometry_dofmap(domain: Any) -> NDArray[np.int32]:
    """Nodes of each cell of this rank; 0.11 has a list of them, with one entry per cell type."""
    dofmaps = getattr(domain.geometry, "dofmaps", None)
    return np.asarray(dofmaps[0] if isinstance(dofmaps, list) else domain.geometry.dofmap)


def assemble_matrix(form: Any) -> PETSc.Mat:
    """A new PETSc matrix of a bilinear form, without boundary conditions."""
    matrix = petsc.assemble_matrix(fem.form(form))
    matrix.assemble()
    return matrix


def assemble_vector(form: Any) -> Array:
    """Values of a linear form at the dofs this rank owns."""
    return owned(fem.assemble_vector(fem.form(form)))


def owned(vector: Any) -> Array:
    """Sum the ghosts' contributions of a dolfinx vector into the owners; the owned values."""
    vector.scatter_reverse(la.InsertMode.add)
    return np.array(vector.array[: vector.index_map.size_local * vector.block_size])
