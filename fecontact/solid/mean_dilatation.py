"""Nearly incompressible bodies without locking: one pressure in each cell.

The volumetric energy of a cell is that of its mean change of volume,

    E = ½ κ V (J̄ − 1)²,    J̄ = (1/V) ∫ J dV,    p = κ (J̄ − 1),

the mixed formulation with a constant pressure in each cell, from which the pressure has been
eliminated (Nagtegaal, Parks & Rice 1974, doi:10.1016/0045-7825(74)90032-2). A cell then has one
constraint of volume, not one at each of its quadrature points, so that QUAD4, QUAD8 and TRIA6 keep
enough freedom to strain; no dofs are added, and the stiffness stays symmetric:

    ∂E/∂u = p b,    ∂²E/∂u² = p ∂b/∂u + (κ/V) b bᵀ,    b = ∂/∂u ∫ J dV.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import ufl
from dolfinx import fem
from dolfinx.fem import petsc
from petsc4py import PETSc

from fecontact import compat
from fecontact.record import Array
from fecontact.solid.forms import PieceForms


class MeanDilatation:
    """The pressure in each cell of one kind, at displacements u.

    bulk: (cells,) κ of the ModelMesh, Pa, 0 where the law is of another kind. pressure: p, Pa.
    """

    def __init__(self, forms: PieceForms, bulk: Array, u: fem.Function) -> None:
        piece = forms.piece
        self.pressure = piece.cellwise(0.0 * bulk)
        cellwise = self.pressure.function_space
        here = np.flatnonzero(bulk[piece.cell] > 0.0).astype(np.int32)
        dx = forms.measure_over([(0, here)])(0)
        q = ufl.TestFunction(cellwise)
        growth = ufl.det(forms.gradient(u)) * q * forms.weight * dx
        change = ufl.derivative(growth, u, ufl.TrialFunction(piece.space))
        self._growth, self._change = fem.form(growth), fem.form(change)
        volume = compat.assemble_vector(q * forms.weight * dx)
        self._matrix = petsc.create_matrix(self._change)
        self._volume = np.where(volume > 0.0, volume, 1.0)
        owned = cellwise.dofmap.index_map.size_local
        self._bulk = np.where(volume > 0.0, piece.cellwise(bulk).x.array[:owned], 0.0)

    def update(self) -> None:
        """Take the pressure of the present displacements. Collective."""
        mean = compat.assemble_vector(self._growth) / self._volume
        self.pressure.x.array[: len(mean)] = self._bulk * (mean - 1.0)
        self.pressure.x.scatter_forward()

    def energy(self) -> float:
        """E of the last `update`, J, this rank's share."""
        p = self.pressure.x.array[: len(self._bulk)]
        stiff = np.where(self._bulk > 0.0, self._bulk, 1.0)
        return float(0.5 * np.sum(self._volume * p**2 / stiff))

    def add_stiffness(self, total: PETSc.Mat) -> None:
        """total += (κ/V) b bᵀ of all cells. Collective."""
        self._matrix.zeroEntries()
        petsc.assemble_matrix(self._matrix, self._change)
        self._matrix.assemble()
        root = self._matrix.createVecLeft()
        root.setArray(np.sqrt(self._bulk / self._volume))
        self._matrix.diagonalScale(L=root)
        product = self._matrix.transposeMatMult(self._matrix)
        total.axpy(1.0, product, PETSc.Mat.Structure.SUBSET_NONZERO_PATTERN)
        product.destroy()


def isochoric(gradient: Any) -> Any:
    """J^(−1/3) F, which keeps the volume."""
    return ufl.det(gradient) ** (-1 / 3) * gradient
