"""Discrete gradient of the stored energy: mean force of a step with exact work.

C = FᵀF is quadratic in u, so that over a step from u₀ to u₁ = u₀ + [u], with u_m at mid-step, [C] =
DC(u_m)[[u]] exactly. A mean stress whose product with [C] is [ψ] therefore gives a mean force with
the work of the energy. The mean stress is objective, so this force has neither resultant nor moment
(O. Gonzalez 2000, doi:10.1016/S0045-7825(00)00189-4; J. C. Simo & N. Tarnow 1992,
doi:10.1007/BF00913408):

    f̄·v = ∫ s̄·DC(u_m)[v] dV,    s̄ = s_q + ([ψ] − s_q·[C]) [C]/|[C]|²,    s̄·[C] = [ψ]

Gonzalez uses ∂ψ/∂C at the mean of C₀ and C₁ for s_q. Its defect [ψ] − s_q·[C] is of third order in
[C], and for small [C] the quotient consists of round-off. Here s_q is the mean of ∂ψ/∂C at three
Gauss points between C₀ and C₁, with a defect of seventh order. Below |[C]| = SMALL the defect is
round-off only, and a larger divisor keeps it small.

A material is given as ψ(F). As it is objective, ψ at any C is evaluated with the upper triangular F
with FᵀF = C. The pressures of the mean dilatation
(:mod:`fecontact.solid.hyperelastic.mean_dilatation`) have a quadratic energy, whose mean pressure
is the mean of both ends. J̄ is a polynomial in u of degree two (axisymmetric: three), so the mean
of its derivative is exact with two Gauss points.

The derivative of f̄ with respect to u₁ is not symmetric: C₁ changes with DC(u₁), forces act by
DC(u_m). In the derivative of s̄ the defect is neglected, and the mean ∫ 2τ ψ''(C₀ + τ[C]) dτ is
replaced by its value at τ = ⅔. This error of second order in [C] does not noticeably slow Newton's
method.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np

import ufl
from dolfinx import fem
from dolfinx.fem import petsc
from petsc4py import PETSc

from fecontact import compat
from fecontact.record import Array
from fecontact.solid.fem.forms import Forms, PieceForms
from fecontact.solid.hyperelastic.forms import LawCells, has_laws
from fecontact.solid.hyperelastic.mean_dilatation import PressureBasis

SMALL = 0.01  # |[C]| below which the defect of three points is round-off, (SMALL/2)⁶ ψ
LATE = 2 / 3  # point τ of ψ'' for the derivative of s_q by C₁, whose mean is weighted by 2τ
COUNTED = (1, 1, 1, 2)  # multiplicity of xx, yy, zz, xy of C in |C|²


def _gauss(count: int) -> list[tuple[float, float]]:
    """Return Gauss points between 0 and 1, and their weights."""
    points, weights = np.polynomial.legendre.leggauss(count)
    return [(float(0.5 + 0.5 * x), float(0.5 * w)) for x, w in zip(points, weights, strict=True)]


def squares(gradient: Any) -> Any:
    """Return xx, yy, zz, xy of C = FᵀF, in UFL."""
    c = gradient.T * gradient
    return ufl.as_vector([c[0, 0], c[1, 1], c[2, 2], c[0, 1]])


def triangular(c: Any) -> Any:
    """Return the upper triangular F with FᵀF = C from xx, yy, zz, xy of C."""
    along = ufl.sqrt(c[0])
    sheared = c[3] / along
    across = ufl.sqrt(c[1] - sheared**2)
    return ufl.as_matrix([[along, sheared, 0], [0, across, 0], [0, 0, ufl.sqrt(c[2])]])


class MeanPiece:
    """f̄ on the cells of one kind.

    first, last: displacements at both ends of a step.
    """

    def __init__(self, forms: PieceForms, laws: Sequence[LawCells]) -> None:
        piece = forms.piece
        self._forms = forms
        self.first, self.last = fem.Function(piece.space), fem.Function(piece.space)
        here = [np.flatnonzero(law.cells[piece.cell]).astype(np.int32) for law in laws]
        dx = forms.measure_over(list(enumerate(here)))
        bulk = np.asarray(sum((law.bulk for law in laws), np.zeros(1)))
        self._pressure = MeanPressure(forms, bulk, self.first, self.last) if bulk.any() else None
        self._ends = forms.gradient(self.first), forms.gradient(self.last)
        self._squares = squares(self._ends[0]), squares(self._ends[1])
        force: Any = 0
        stiffness: Any = 0
        for tag, law in enumerate(laws):
            work, slope = self._work(law)
            force += work * forms.weight * dx(tag)
            stiffness += slope * forms.weight * dx(tag)
        self._force, self._stiffness = fem.form(force), fem.form(stiffness)
        self._vector = fem.create_vector(self._force)
        self._matrix = petsc.create_matrix(self._stiffness)

    def _work(self, law: LawCells) -> tuple[Any, Any]:
        """Return f̄·v per volume, and the derivative of 2 f̄·v with respect to u₁."""
        space, forms = self._forms.piece.space, self._forms
        v, w = ufl.TestFunction(space), ufl.TrialFunction(space)
        middle = squares(forms.gradient((self.first + self.last) / 2))
        strained = 2 * ufl.derivative(middle, self.last, v)
        by_points, exact = self._mean_slopes(law)
        late = ufl.derivative(self._slope(law, LATE), self.last, w) / LATE
        slope = ufl.dot(late, strained)
        slope += 2 * ufl.dot(by_points, ufl.derivative(strained, self.last, w))
        work = ufl.dot(exact, strained)
        if self._pressure is not None and law.bulk.any():
            work += self._pressure.work
            slope += 2 * ufl.derivative(self._pressure.work, self.last, w)
        return work, slope

    def _slope(self, law: LawCells, share: float) -> Any:
        """Return ∂ψ/∂C at a fraction `share` between the first and the last C."""
        before, after = self._squares
        at = ufl.variable((1.0 - share) * before + share * after)
        return ufl.diff(law.energy(self._forms, triangular(at)), at)

    def _mean_slopes(self, law: LawCells) -> tuple[Any, Any]:
        """Return s_q and s̄."""
        before, after = self._squares
        mean = sum(weight * self._slope(law, share) for share, weight in _gauss(3))
        had, stored = (law.energy(self._forms, gradient) for gradient in self._ends)
        change = after - before
        along = ufl.as_vector([count * change[i] for i, count in enumerate(COUNTED)])
        size = ufl.max_value(ufl.dot(along, change), SMALL**2)
        return mean, mean + (stored - had - ufl.dot(mean, change)) / size * along

    def begin_iterations(self) -> None:
        """Start or restart Newton's method in a step."""
        if self._pressure is not None:
            self._pressure.begin_iterations()

    def force(self) -> Array:
        """Return f̄ on the dofs of the piece owned by this rank.

        Call this before :meth:`stiffness`.
        """
        if self._pressure is not None:
            self._pressure.update()
        self._vector.array[:] = 0.0
        fem.assemble_vector(self._vector.array, self._force)
        return compat.owned(self._vector)

    def stiffness(self) -> PETSc.Mat:
        """Return ∂(2 f̄)/∂u₁ over all dofs of the piece; the matrix object is reused."""
        self._matrix.zeroEntries()
        with nullcontext() if self._pressure is None else self._pressure.expected():
            petsc.assemble_matrix(self._matrix, self._stiffness)
        self._matrix.assemble()
        if self._pressure is not None:
            self._pressure.add_stiffness(self._matrix)
        return self._matrix


class MeanPressure:
    """Mean pressure in the cells of one kind over a step, p̄ = κ (½ (J̄₀ + J̄₁) − 1).

    bulk: (cells,) κ of the ModelMesh, Pa, 0 for other materials.
    work: p̄ times the mean of DJ(u)[v] between u₀ and u₁, in UFL.

    The derivative of f̄ uses the extrapolated pressure, for the reason given in
    :mod:`fecontact.solid.hyperelastic.mean_dilatation`.
    """

    def __init__(
        self, forms: PieceForms, bulk: Array, first: fem.Function, last: fem.Function
    ) -> None:
        piece = forms.piece
        here = np.flatnonzero(bulk[piece.cell] > 0.0).astype(np.int32)
        dx = forms.measure_over([(0, here)])(0)
        self._basis = PressureBasis(forms, bulk, dx)
        pressure = fem.Function(self._basis.space)
        weight = forms.weight * ufl.TestFunction(self._basis.space)

        def volume(u: Any) -> Any:
            return ufl.det(forms.gradient(u))

        def mean_change(direction: Any) -> Any:
            """Return the mean of DJ(u)[direction] over the step.

            At u(τ), ∂/∂u₁ contributes a factor τ.
            """
            return sum(
                share
                / tau
                * ufl.derivative(volume((1 - tau) * first + tau * last), last, direction)
                for tau, share in _gauss(2)
            )

        trial = ufl.TrialFunction(piece.space)
        self.pressure, self._u = pressure, last
        self.work = pressure * mean_change(ufl.TestFunction(piece.space))
        self._growths = [fem.form(volume(u) * weight * dx) for u in (first, last)]
        changes = mean_change(trial), ufl.derivative(volume(last), last, trial)
        self._changes = [fem.form(change * weight * dx) for change in changes]
        self._matrices = [petsc.create_matrix(form) for form in self._changes]
        self._scaled: list[Any] = [None, None]  # R b̄ and R b₁ of the previous iteration
        self._before: Array = np.zeros(self._basis.size)  # p at the start of the step
        self._increment, self._growing = self._matrices[1].createVecs()
        self._last: tuple[Array, Array] | None = None  # u₁ and p̄ of the previous iteration

    def update(self) -> None:
        """Compute the mean pressure at the current displacements. Collective."""
        here, there = (compat.assemble_vector(form) for form in self._growths)
        self._before = self._basis.pressure(here)
        self._put(self._basis.pressure(0.5 * (here + there)))

    def _put(self, pressure: Array) -> None:
        self.pressure.x.array[: len(pressure)] = pressure
        self.pressure.x.scatter_forward()

    def begin_iterations(self) -> None:
        """Start or restart Newton's method in a step."""
        self._last = None

    @contextmanager
    def expected(self) -> Iterator[None]:
        """Use the pressure extrapolated to u₁ within this context. Collective."""
        exact, expected = self.pressure.x.array.copy(), self._before
        if self._last is not None:
            u, p = self._last
            self._increment.setArray(self._u.x.array[: len(u)] - u)
            self._scaled[1].mult(self._increment, self._growing)
            expected = p + 0.5 * self._basis.scaled(self._growing.getArray())
        self._put(expected)
        yield
        self.pressure.x.array[:] = exact

    def add_stiffness(self, total: PETSc.Mat) -> None:
        """Add b̄ᵀ κ M⁻¹ b₁ of all cells to total, b = ∂/∂u ∫ J q dV. Collective."""
        for i, (matrix, form) in enumerate(zip(self._matrices, self._changes, strict=True)):
            matrix.zeroEntries()
            petsc.assemble_matrix(matrix, form)
            matrix.assemble()
            self._scaled[i] = self._basis.root.matMult(matrix, result=self._scaled[i])
        mean, end = self._scaled
        product = mean.transposeMatMult(end)
        total.axpy(1.0, product, PETSc.Mat.Structure.SUBSET_NONZERO_PATTERN)
        product.destroy()
        owned = self._increment.getLocalSize()
        now = self.pressure.x.array[: self._basis.size]
        self._last = self._u.x.array[:owned].copy(), now.copy()


class MeanForms:
    """f̄ and its derivative over all dofs, between the displacements set by :meth:`put`."""

    def __init__(self, forms: Forms, laws: Sequence[LawCells]) -> None:
        self._space = forms.space
        self._pieces = [
            MeanPiece(piece, laws) if has_laws(piece, laws) else None for piece in forms.pieces
        ]
        self._ends = [
            [
                fem.Function(own.piece.space) if piece is None else (piece.first, piece.last)[end]
                for piece, own in zip(self._pieces, forms.pieces, strict=True)
            ]
            for end in (0, 1)
        ]

    def put(self, first: Array, last: Array) -> None:
        """Set displacements of all dofs owned by this rank, including prescribed ones.

        Collective.
        """
        for owned, functions in zip((first, last), self._ends, strict=True):
            self._space.put(owned, functions)

    def begin_iterations(self) -> None:
        """Start or restart Newton's method in a step."""
        for piece in self._pieces:
            if piece is not None:
                piece.begin_iterations()

    def force(self) -> Array:
        """Return f̄ on the dofs owned by this rank, N. Collective."""
        return self._space.vector([None if p is None else p.force() for p in self._pieces])

    def stiffness(self) -> PETSc.Mat:
        """Return ∂(2 f̄)/∂u₁ over all dofs. Collective."""
        return self._space.matrix([None if p is None else p.stiffness() for p in self._pieces])
