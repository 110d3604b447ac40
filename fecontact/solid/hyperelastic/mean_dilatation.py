"""Mean dilatation: locking-free elements for nearly incompressible bodies.

The volumetric energy of a cell is that of its change of volume, projected onto a few functions q,

    E = ½ κ ∫ (J̄ − 1)² dV,    J̄ = qᵀ M⁻¹ ∫ J q dV,    M = ∫ q qᵀ dV,    p = κ (J̄ − 1).

This is the mixed formulation with pressures in each cell, eliminated at cell level (Nagtegaal,
Parks & Rice 1974, doi:10.1016/0045-7825(74)90032-2). `quad4`, `tri3` and `tri6` have a constant
pressure, q = 1, and `quad8` a linear one. With a constant pressure, `quad8` would be too soft in
bending, and a compressed block would wrinkle at 31 instead of 46 %. A cell has one or three volume
constraints instead of one per quadrature point, which avoids volumetric locking of `quad4`, `quad8`
and `tri6`. No dofs are added, and the stiffness stays symmetric:

    ∂E/∂u = p b,    ∂²E/∂u² = p ∂b/∂u + bᵀ κ M⁻¹ b,    b = ∂/∂u ∫ J q dV.

In ∂²E/∂u², Newton's method does not use p at the current displacements u but the pressure
extrapolated from the previous iterate u_k,

    p = p(u_k) + κ M⁻¹ b(u_k)·(u − u_k),

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
import scipy.sparse

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
        here = np.flatnonzero(bulk[piece.cell] > 0.0).astype(np.int32)
        dx = forms.measure_over([(0, here)])(0)
        self._basis = PressureBasis(forms, bulk, dx)
        self.pressure = fem.Function(self._basis.space)
        q = ufl.TestFunction(self._basis.space)
        growth = ufl.det(forms.gradient(u)) * q * forms.weight * dx
        change = ufl.derivative(growth, u, ufl.TrialFunction(piece.space))
        self._growth, self._change = fem.form(growth), fem.form(change)
        self._matrix = petsc.create_matrix(self._change)
        self._scaled: Any = None  # R b of the previous iteration
        self._increment, self._growing = self._matrix.createVecs()
        self._before: Array = np.zeros(self._basis.size)  # p at the start of the step
        self._last: tuple[Array, Array] | None = None  # u and p of the previous iteration

    def update(self) -> None:
        """Compute the pressure at the current displacements. Collective."""
        self._put(self._basis.pressure(compat.assemble_vector(self._growth)))

    def _put(self, pressure: Array) -> None:
        self.pressure.x.array[: len(pressure)] = pressure
        self.pressure.x.scatter_forward()

    def energy(self) -> float:
        """Return E of the last `update`, J, share of this rank."""
        return self._basis.energy(self._now)

    @property
    def _now(self) -> Array:
        """Return p of the last `update` on this rank."""
        return np.asarray(self.pressure.x.array[: self._basis.size])

    def begin_step(self) -> None:
        """Start a step with the pressure of the last `update`."""
        self._before = self._now.copy()

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
            self._scaled.mult(self._increment, self._growing)
            expected = p + self._basis.scaled(self._growing.getArray())
        self._put(expected)
        yield
        self.pressure.x.array[:] = exact

    def add_stiffness(self, total: PETSc.Mat) -> None:
        """Add bᵀ κ M⁻¹ b of all cells to total. Collective."""
        self._matrix.zeroEntries()
        petsc.assemble_matrix(self._matrix, self._change)
        self._matrix.assemble()
        self._scaled = self._basis.root.matMult(self._matrix, result=self._scaled)
        product = self._scaled.transposeMatMult(self._scaled)
        total.axpy(1.0, product, PETSc.Mat.Structure.SUBSET_NONZERO_PATTERN)
        product.destroy()
        owned = self._increment.getLocalSize()
        self._last = self._u.x.array[:owned].copy(), self._now.copy()


class PressureBasis:
    """Basis of the pressures of the cells of one kind: κ M⁻¹ = RᵀR.

    space: of the pressures.
    size: number of pressures on this rank.
    root: R, block-diagonal, 0 in cells of other materials.
    """

    def __init__(self, forms: PieceForms, bulk: Array, dx: Any) -> None:
        """Compute M over the cells of the measure dx; bulk: (cells,) κ of the ModelMesh, Pa."""
        piece = forms.piece
        self.space = space = piece.pressures
        self.size = owned = space.dofmap.index_map.size_local
        q, one, dofs = ufl.TestFunction(space), fem.Function(space), space.dofmap.list
        self._volume = compat.assemble_vector(q * forms.weight * dx)
        column_of_mass = fem.form(one * q * forms.weight * dx)
        mine = (dofs < owned).all(axis=1)
        self._dofs, count = dofs[mine], dofs.shape[1]
        self._mass = np.empty((len(self._dofs), count, count))
        for column in range(count):
            one.x.array[:] = 0.0
            one.x.array[dofs[:, column]] = 1.0
            found = compat.owned(fem.assemble_vector(column_of_mass))
            self._mass[:, :, column] = found[self._dofs]
        other = ~self._mass.any(axis=(1, 2))
        self._mass[other] = np.eye(count)
        self._bulk = np.where(other, 0.0, bulk[piece.cell[mine]])
        inverse = np.linalg.inv(np.linalg.cholesky(self._mass))
        self._root = np.sqrt(self._bulk)[:, None, None] * inverse
        self.root = self._matrix()

    def _matrix(self) -> PETSc.Mat:
        """Return R."""
        count, first = self._dofs.shape[1], self.space.dofmap.index_map.local_range[0]
        rows, columns = np.repeat(self._dofs, count, axis=1), np.tile(self._dofs, (1, count))
        entries = (self._root.ravel(), (rows.ravel(), columns.ravel()))
        local = scipy.sparse.csr_array(
            scipy.sparse.coo_array(entries, shape=(self.size, self.size))
        )
        indices = (
            local.indptr.astype(PETSc.IntType),
            (first + local.indices).astype(PETSc.IntType),
        )
        sizes = ((self.size, None), (self.size, None))
        return PETSc.Mat().createAIJ(sizes, csr=(*indices, local.data), comm=self.space.mesh.comm)

    def scaled(self, growth: Array) -> Array:
        """Return Rᵀ g."""
        out = np.zeros(self.size)
        out[self._dofs] = np.einsum("cji,cj->ci", self._root, growth[self._dofs])
        return out

    def pressure(self, growth: Array) -> Array:
        """Return p = κ M⁻¹ (∫ J q dV − ∫ q dV), growth: ∫ J q dV."""
        change, root = (growth - self._volume)[self._dofs], self._root
        out = np.zeros(self.size)
        out[self._dofs] = np.einsum("cki,ckj,cj->ci", root, root, change, optimize=True)
        return out

    def energy(self, pressure: Array) -> float:
        """Return E, J, share of this rank."""
        p, stiff = pressure[self._dofs], np.where(self._bulk > 0.0, self._bulk, 1.0)
        return float(0.5 * np.sum(np.einsum("ci,cij,cj->c", p, self._mass, p) / stiff))


def isochoric(gradient: Any) -> Any:
    """Return J^(−1/3) F, the isochoric part of F."""
    return ufl.det(gradient) ** (-1 / 3) * gradient
