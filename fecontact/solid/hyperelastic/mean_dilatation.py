"""Mean dilatation: locking-free elements for nearly incompressible bodies.

The volumetric energy of a cell is that of its mean change of volume,

    E = ½ κ V (J̄ − 1)²,    J̄ = (1/V) ∫ J dV,    p = κ (J̄ − 1).

This is the mixed formulation with a constant pressure in each cell, eliminated at cell level
(Nagtegaal, Parks & Rice 1974, doi:10.1016/0045-7825(74)90032-2). A cell then has one volume
constraint instead of one per quadrature point, which avoids volumetric locking of `quad4`, `quad8`
and `tri6`. No dofs are added, and the stiffness stays symmetric:

    ∂E/∂u = p b,    ∂²E/∂u² = p ∂b/∂u + (κ/V) b bᵀ,    b = ∂/∂u ∫ J dV.

In ∂²E/∂u², Newton's method does not use p at the current displacements u but the pressure
extrapolated from the previous iterate u_k,

    p = p(u_k) + (κ/V) b(u_k)·(u − u_k),

as if pressures were independent unknowns; at the start of a step it uses that of the previous step.
Both agree at equilibrium. During the iteration p(u) has an error of κ times the square of the
strain increment. This exceeds all other stresses for strain increments larger than μ/κ and would
make the stiffness indefinite (the argument of Magisano, Leonetti & Garcea 2017, Comput. Methods
Appl. Mech. Engrg. 313:986, for slender bodies). The force is computed with p(u).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

import ufl
from dolfinx import fem
from dolfinx.fem import petsc
from petsc4py import PETSc

from fecontact import compat
from fecontact.record import Array
from fecontact.solid.fem.forms import PieceForms


class MeanDilatation:
    """Pressure in each cell of one kind, at displacements u.

    bulk: (cells,) κ of the ModelMesh, Pa, 0 for other materials.
    pressure: p, Pa.
    """

    def __init__(self, forms: PieceForms, bulk: Array, u: fem.Function) -> None:
        piece = forms.piece
        self._u = u
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
        self._root = self._matrix.createVecLeft()
        self._root.setArray(np.sqrt(self._bulk / self._volume))
        self._increment, self._growing = self._matrix.createVecs()
        self._before: Array = np.zeros(owned)  # p at the start of the step
        self._last: tuple[Array, Array] | None = None  # u and p of the previous iteration

    def update(self) -> None:
        """Compute the pressure at the current displacements. Collective."""
        mean = compat.assemble_vector(self._growth) / self._volume
        self.pressure.x.array[: len(mean)] = self._bulk * (mean - 1.0)
        self.pressure.x.scatter_forward()

    def energy(self) -> float:
        """Return E of the last `update`, J, share of this rank."""
        p = self.pressure.x.array[: len(self._bulk)]
        stiff = np.where(self._bulk > 0.0, self._bulk, 1.0)
        return float(0.5 * np.sum(self._volume * p**2 / stiff))

    def begin_step(self) -> None:
        """Start a step with the pressure of the last `update`."""
        self._before = self.pressure.x.array[: len(self._bulk)].copy()

    def begin_iterations(self) -> None:
        """Start or restart Newton's method in the current step."""
        self._last = None

    @contextmanager
    def expected(self) -> Iterator[None]:
        """Use the pressure extrapolated to u within this context. Collective."""
        exact = self.pressure.x.array.copy()
        expected = self._before
        if self._last is not None:
            u, p = self._last
            self._increment.setArray(self._u.x.array[: len(u)] - u)
            self._matrix.mult(self._increment, self._growing)
            expected = p + self._root.getArray() * self._growing.getArray()
        self.pressure.x.array[: len(expected)] = expected
        self.pressure.x.scatter_forward()
        yield
        self.pressure.x.array[:] = exact

    def add_stiffness(self, total: PETSc.Mat) -> None:
        """Add (κ/V) b bᵀ of all cells to total. Collective."""
        self._matrix.zeroEntries()
        petsc.assemble_matrix(self._matrix, self._change)
        self._matrix.assemble()
        self._matrix.diagonalScale(L=self._root)
        product = self._matrix.transposeMatMult(self._matrix)
        total.axpy(1.0, product, PETSc.Mat.Structure.SUBSET_NONZERO_PATTERN)
        product.destroy()
        owned = self._increment.getLocalSize()
        self._last = (
            self._u.x.array[:owned].copy(),
            self.pressure.x.array[: len(self._bulk)].copy(),
        )


def isochoric(gradient: Any) -> Any:
    """Return J^(−1/3) F, the isochoric part of F."""
    return ufl.det(gradient) ** (-1 / 3) * gradient
