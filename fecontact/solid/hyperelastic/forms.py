"""Weak forms for finite strain: stored energy, internal force and tangent stiffness.

    E(u) = ∫ ψ(F(u)) dV,    f = ∂E/∂u,    K = ∂f/∂u,    σ = (∂ψ/∂F) Fᵀ / J

over the reference configuration (total Lagrangian), with the same measure, quadrature and elements
as the linear forms. All derivatives are computed by UFL. Material constants are coefficients, so
each form is compiled once per element, plane and set of materials. Elastoplastic bodies
(:mod:`fecontact.solid.plasticity.model`) are added in :class:`FiniteForms`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

import basix
import ufl
from dolfinx import fem
from dolfinx.fem import petsc
from petsc4py import PETSc

from fecontact import compat
from fecontact.arrays import Mask
from fecontact.mesh.cells import Index
from fecontact.record import Array
from fecontact.solid.fem.forms import Forms, PieceForms
from fecontact.solid.fem.piece import Piece
from fecontact.solid.hyperelastic.mean_dilatation import MeanDilatation, isochoric
from fecontact.solid.hyperelastic.plane_stress import PlaneStress
from fecontact.solid.laws.hyperelastic import Hyperelastic
from fecontact.solid.laws.law import Elastic
from fecontact.solid.plasticity.model import YieldingPiece
from fecontact.solid.viscoelastic.points import CellSeries, RelaxingPoints, series_of_cells


@dataclass(frozen=True)
class LawCells:
    """Cells of one finite-strain material.

    psi: F and constants ↦ ψ, Pa.
    constants: name → (cells,) of the ModelMesh.
    cells: True for cells of this material.
    bulk: (cells,) κ, Pa, if the material is volumetric, else 0.
    series: Prony series of viscoelastic materials, otherwise None.
    """

    psi: Callable[..., Any]
    constants: Mapping[str, Array]
    cells: Mask
    bulk: Array
    series: CellSeries | None = None

    def energy(self, forms: PieceForms, gradient: Any) -> Any:
        """Return ψ at a UFL deformation gradient, without the energy of the mean dilatation."""
        constants = {name: forms.piece.cellwise(v) for name, v in self.constants.items()}
        if not self.bulk.any():
            return self.psi(gradient, **constants)
        shape = self.psi(isochoric(gradient), **constants)
        if not forms.thins:
            return shape
        return shape + forms.piece.cellwise(self.bulk) / 2 * (ufl.det(gradient) - 1) ** 2


def laws_of_cells(materials: Sequence[Elastic], body: Index) -> list[LawCells]:
    """Return the finite-strain materials in use, each once.

    materials: materials of the bodies.
    body: (cells,) index of the body.
    """
    found = []
    finite = {n: m for n, m in enumerate(materials) if isinstance(m, Hyperelastic)}
    for psi, viscous in dict.fromkeys((m.psi, m.prony is not None) for m in finite.values()):
        constants: dict[str, Array] = {}
        chosen, bulk = np.zeros(len(materials), dtype=bool), np.zeros(len(materials))
        for number, material in finite.items():
            if material.psi is not psi or viscous != (material.prony is not None):
                continue
            chosen[number], bulk[number] = True, material.bulk_modulus
            for name, value in material.constants().items():
                constants.setdefault(name, np.ones(len(materials)))[number] = value
        of_cells = {name: values[body] for name, values in constants.items()}
        series = series_of_cells(materials, body) if viscous else None
        found.append(LawCells(psi, of_cells, chosen[body], bulk[body], series))
    return found


def has_laws(forms: PieceForms, laws: Sequence[LawCells]) -> bool:
    """Return True if any cell of a piece, on any rank, has a finite-strain material. Collective."""
    here = any(law.cells[forms.piece.cell].any() for law in laws)
    return bool(forms.piece.comm.allreduce(int(here)))


def cauchy(forms: PieceForms, law: LawCells, gradient: Any, pressure: Any) -> Any:
    """Return σ at a deformation gradient and cell pressures: UFL vector xx, yy, zz, xy."""
    gradient = ufl.variable(gradient)
    first = ufl.diff(law.energy(forms, gradient), gradient)
    return _cauchy(first, gradient, pressure if law.bulk.any() else 0)


def _cauchy(first: Any, gradient: Any, pressure: Any) -> Any:
    """Return σ of a first Piola–Kirchhoff stress and a pressure: UFL vector xx, yy, zz, xy."""
    stress = first * gradient.T / ufl.det(gradient) + pressure * ufl.Identity(3)
    return ufl.as_vector([stress[0, 0], stress[1, 1], stress[2, 2], stress[0, 1]])


def dilatation_of(
    forms: PieceForms, laws: Sequence[LawCells], u: fem.Function
) -> MeanDilatation | None:
    """Return the pressures of nearly incompressible materials, or None.

    In plane stress the pressure is part of ψ.
    """
    bulk = sum((law.bulk for law in laws), np.zeros(1))
    return MeanDilatation(forms, np.asarray(bulk), u) if np.any(bulk) and not forms.thins else None


def relaxing_of(
    forms: PieceForms, laws: Sequence[LawCells], u: fem.Function
) -> RelaxingPoints | None:
    """Return the history variables of viscoelastic materials, or None. Collective."""
    viscous = [law for law in laws if law.series is not None]
    if not has_laws(forms, viscous):
        return None
    series = viscous[0].series
    assert series is not None
    return RelaxingPoints(forms, u, series, np.any([law.cells for law in viscous], axis=0))


def plane_stress_of(
    forms: PieceForms, laws: Sequence[LawCells], u: fem.Function, degree: int
) -> PlaneStress | None:
    """Return the thickness strains at the quadrature points in plane stress, otherwise None."""
    energies = [(partial(law.energy, forms), law.cells) for law in laws]
    return PlaneStress(forms, energies, u, degree) if laws and forms.thins else None


class FinitePiece:
    """Forms on the cells of one kind.

    u: displacements at which forms are assembled.
    """

    def __init__(self, forms: PieceForms, laws: Sequence[LawCells]) -> None:
        self.piece = piece = forms.piece
        self.u = fem.Function(piece.space)
        here = [law.cells[piece.cell] for law in laws]
        tagged = [(i, np.flatnonzero(h).astype(np.int32)) for i, h in enumerate(here)]
        dx = forms.measure_over(tagged)
        self.dilatation = dilatation_of(forms, laws, self.u)
        self.plane_stress = plane_stress_of(forms, laws, self.u, piece.element.quadrature)
        self.relaxing = relaxing_of(forms, laws, self.u)
        gradient = (
            forms.gradient(self.u) if self.plane_stress is None else self.plane_stress.gradient
        )
        if self.relaxing is not None:
            gradient = ufl.variable(gradient)
        v, w = ufl.TestFunction(piece.space), ufl.TrialFunction(piece.space)
        energy: Any = 0
        frozen: Any = 0  # with fixed pressures and thicknesses
        softening: Any = 0
        for tag, law in enumerate(laws):
            stored = law.energy(forms, gradient)
            if self.relaxing is not None and law.series is not None:
                recoverable, stored = self._add_relaxation(forms, law, stored, gradient)
                energy += recoverable * forms.weight * dx(tag)
            else:
                energy += stored * forms.weight * dx(tag)
            if self.plane_stress is not None:
                softer = self.plane_stress.softening(stored, self.u, v, w)
                softening += softer * forms.weight * dx(tag)
            if self.dilatation is not None and law.bulk.any():
                stored += self.dilatation.pressure * ufl.det(gradient)
            frozen += stored * forms.weight * dx(tag)
        force = ufl.derivative(frozen, self.u, v)
        stiffness = ufl.derivative(force, self.u, w) - softening
        self._energy, self._force, self._stiffness = map(fem.form, (energy, force, stiffness))
        self._vector = fem.create_vector(self._force)
        self._matrix = petsc.create_matrix(self._stiffness)
        self.cells = np.flatnonzero(np.any(here, axis=0)).astype(np.int32)
        scalar = piece.element.scalar
        points, _ = basix.make_quadrature(scalar.cell_type, piece.element.quadrature)
        self._volume = fem.Expression(ufl.det(gradient), points)

    def _add_relaxation(
        self, forms: PieceForms, law: LawCells, stored: Any, gradient: Any
    ) -> tuple[Any, Any]:
        """Return the recoverable energy and the potential of a step of a viscoelastic law."""
        assert self.relaxing is not None
        volumetric = bool(law.bulk.any())
        found = self.relaxing.add_law(stored, gradient, volumetric, law.cells)
        pressure = self.dilatation.pressure if self.dilatation is not None and volumetric else 0
        stress = _cauchy(ufl.diff(found[1], gradient), gradient, pressure)
        self.relaxing.add_stress(stress, law.cells)
        return found

    def energy(self) -> float:
        """Return E, J, share of this rank."""
        shape = float(np.real(fem.assemble_scalar(self._energy)))
        if self.relaxing is not None:
            shape += self.relaxing.energy()
        return shape if self.dilatation is None else shape + self.dilatation.energy()

    def force(self) -> Array:
        """Return f on the dofs of the piece owned by this rank.

        Call this before E and K of a state.
        """
        if self.dilatation is not None:
            self.dilatation.update()
        if self.plane_stress is not None:
            self.plane_stress.update()
        if self.relaxing is not None:
            self.relaxing.moved()
        self._vector.array[:] = 0.0
        fem.assemble_vector(self._vector.array, self._force)
        return compat.owned(self._vector)

    def stiffness(self) -> PETSc.Mat:
        """Return K over all dofs of the piece; the matrix object is reused."""
        self._matrix.zeroEntries()
        with nullcontext() if self.dilatation is None else self.dilatation.expected():
            petsc.assemble_matrix(self._matrix, self._stiffness)
        self._matrix.assemble()
        if self.dilatation is not None:
            self.dilatation.add_stiffness(self._matrix)
        return self._matrix

    def volumes(self) -> Array:
        """Return the smallest det F in each of `cells`; NaN is treated as 0."""
        found = self._volume.eval(self.piece.domain, self.cells)
        axes = tuple(range(1, found.ndim))
        return np.asarray(np.nan_to_num(found, nan=0.0).min(axis=axes))


class FiniteForms:
    """Energy, force and stiffness over all dofs, at the displacements set by :meth:`put`.

    yielding: elastoplastic cells of each kind, or None.
    """

    def __init__(
        self, forms: Forms, laws: Sequence[LawCells], yielding: Sequence[YieldingPiece | None]
    ) -> None:
        self._space, self._yielding = forms.space, yielding
        self._pieces = [
            FinitePiece(piece, laws) if has_laws(piece, laws) else None for piece in forms.pieces
        ]
        self._functions = [
            fem.Function(forms.piece.space) if piece is None else piece.u
            for piece, forms in zip(self._pieces, forms.pieces, strict=True)
        ]

    def put(self, owned: Array) -> None:
        """Set displacements of all dofs owned by this rank, including prescribed ones.

        Collective.
        """
        self._space.put(owned, self._functions)
        for piece, u in zip(self._yielding, self._functions, strict=True):
            if piece is not None:
                piece.update(u)

    @property
    def _dilatations(self) -> Iterator[MeanDilatation]:
        """Return the mean dilatations of the pieces that use them."""
        for piece in self._pieces:
            if piece is not None and piece.dilatation is not None:
                yield piece.dilatation

    @property
    def _in_plane_stress(self) -> Iterator[tuple[Piece, PlaneStress]]:
        """Return the thickness strains of the pieces in plane stress."""
        for piece in self._pieces:
            if piece is not None and piece.plane_stress is not None:
                yield piece.piece, piece.plane_stress

    def thicknesses(self) -> Array:
        """Return ε_z of the last `force` at all plane-stress points, on every rank. Collective.

        The order is that of the cells of the ModelMesh.
        """
        found: list[Array] = [np.zeros(0)]
        for piece, plane_stress in self._in_plane_stress:
            own, topology = plane_stress.strains(), piece.domain.topology
            count = topology.index_map(topology.dim).size_local
            whole = np.zeros((len(self._space.mesh.cells), own.shape[1]))
            whole[piece.cell[:count]] = own[:count]
            found.append(piece.comm.allreduce(whole).ravel())
        return np.concatenate(found)

    def take_thicknesses(self, strains: Array) -> None:
        """Set the thickness strains for the next `force`."""
        rest, count = strains, len(self._space.mesh.cells)
        for piece, plane_stress in self._in_plane_stress:
            points = plane_stress.strains().shape[1]
            own, rest = np.split(rest, [count * points])
            plane_stress.take(own.reshape(count, points)[piece.cell])

    @property
    def relaxing(self) -> list[RelaxingPoints | None]:
        """Return the viscoelastic points of each kind of cells, or None."""
        return [None if piece is None else piece.relaxing for piece in self._pieces]

    def begin_step(self) -> None:
        """Start a step with the forces of the last `force`."""
        for dilatation in self._dilatations:
            dilatation.begin_step()

    def begin_iterations(self) -> None:
        """Start or restart Newton's method in the current step."""
        for dilatation in self._dilatations:
            dilatation.begin_iterations()

    def energy(self) -> float:
        """Return E, J, share of this rank."""
        every = (*self._pieces, *self._yielding)
        return sum(piece.energy() for piece in every if piece is not None)

    def force(self) -> Array:
        """Return f on the dofs owned by this rank, N. Collective."""
        parts: list[Array | None] = []
        for finite, yielding in zip(self._pieces, self._yielding, strict=True):
            own = None if finite is None else finite.force()
            if yielding is not None:
                own = yielding.force() if own is None else own + yielding.force()
            parts.append(own)
        return self._space.vector(parts)

    def stiffness(self) -> PETSc.Mat:
        """Return K over all dofs. Collective."""
        parts: list[PETSc.Mat | None] = []
        for finite, yielding in zip(self._pieces, self._yielding, strict=True):
            own = None if finite is None else finite.stiffness()
            if yielding is not None:
                more = yielding.stiffness()
                if own is None:
                    own = more
                else:
                    # The patterns differ, because each matrix has entries only for its cells.
                    own.axpy(1.0, more, PETSc.Mat.Structure.DIFFERENT_NONZERO_PATTERN)
            parts.append(own)
        return self._space.matrix(parts)

    def plastic_work(self) -> float:
        """Return the plastic work of the current step, J, share of this rank."""
        return sum(piece.plastic_work() for piece in self._yielding if piece is not None)

    def flattest(self) -> tuple[float, int]:
        """Return the smallest det F of this rank and its cell in the ModelMesh.

        Return (1, −1) without cells.
        """
        worst, cell = 1.0, -1
        for piece in self._pieces:
            if piece is not None and len(piece.cells):
                volumes = piece.volumes()
                lowest = int(np.argmin(volumes))
                if volumes[lowest] < worst:
                    worst = float(volumes[lowest])
                    cell = int(piece.piece.cell[piece.cells[lowest]])
        return worst, cell
