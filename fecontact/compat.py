"""Compatibility layer for dolfinx 0.9 to 0.11: all differences between these versions are here.

The features of an installation are detected from its functions, never from its version string.
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
    """Create a distributed mesh; the order of the last two arguments changed after 0.9."""
    return mesh.create_mesh(comm, cells=cells, x=points, e=element)


def geometry_dofmap(domain: Any) -> NDArray[np.int32]:
    """Return the nodes of each element of this rank; 0.11 has a list with one entry per element
    type.
    """
    dofmaps = getattr(domain.geometry, "dofmaps", None)
    return np.asarray(dofmaps[0] if isinstance(dofmaps, list) else domain.geometry.dofmap)


def assemble_matrix(form: Any) -> PETSc.Mat:
    """Return a new PETSc matrix of a bilinear form, without boundary conditions."""
    matrix = petsc.assemble_matrix(fem.form(form))
    matrix.assemble()
    return matrix


def assemble_vector(form: Any) -> Array:
    """Return the values of a linear form at the dofs this rank owns."""
    return owned(fem.assemble_vector(fem.form(form)))


def owned(vector: Any) -> Array:
    """Add ghost contributions of a dolfinx vector to their owners; return the owned values."""
    vector.scatter_reverse(la.InsertMode.add)
    return np.array(vector.array[: vector.index_map.size_local * vector.block_size])
