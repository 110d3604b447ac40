"""Nodal stresses from displacements.

The stress is evaluated at superconvergent points: the 2×2 Gauss points of a quadrilateral, the
three points of degree 2 of a quadratic triangle and the centre of a linear one (Barlow 1976,
doi:10.1002/nme.1620100202). It is extrapolated (bi)linearly to the nodes of its cell and averaged
over the cells adjacent to a node. In elastoplastic bodies it is known at the quadrature points and
extrapolated by a fit. In nearly incompressible bodies it is extrapolated from the mean stress of
cells (:mod:`fecontact.solid.output.patch_recovery`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

import basix
from dolfinx import fem
from mpi4py import MPI

from fecontact.arrays import Mask
from fecontact.mesh.cells import Index, by_kind
from fecontact.record import Array
from fecontact.solid.fem.forms import Forms, PieceForms
from fecontact.solid.fem.materials import CellMaterials
from fecontact.solid.fem.piece import Piece
from fecontact.solid.hyperelastic.forms import LawCells, cauchy, dilatation_of, plane_stress_of
from fecontact.solid.output.energy_error import EnergyError
from fecontact.solid.output.linear_stress import LinearStress, add_at_nodes
from fecontact.solid.output.patch_recovery import PatchRecovery
from fecontact.solid.plasticity.model import YieldingPiece


class PointStress(Protocol):
    """Stress of cells of one kind, known at their quadrature points.

    cells: cell numbers on this rank.
    """

    cells: NDArray[np.int32]

    def stress(self, u: fem.Function, cells: Index) -> Array:
        """Return the stress (len(cells), nodes, 4), Pa, at the nodes of some of these cells."""
        ...


class StressRecovery:
    """Recovery of nodal stresses σ_xx, σ_yy, σ_zz, σ_xy, Pa."""

    def __init__(
        self,
        forms: Forms,
        materials: CellMaterials,
        laws: Sequence[LawCells],
        yielding: Sequence[YieldingPiece | None],
    ) -> None:
        """Set up the sampling of all cells.

        laws: finite-strain materials, with Cauchy stresses.
        yielding: elastoplastic cells of each kind, or None.
        """
        self._forms = forms
        self._space = space = forms.space
        self._yielding = yielding
        self._pieces = [
            _Sampled(piece, materials, laws, cells)
            for piece, cells in zip(forms.pieces, yielding, strict=True)
        ]
        self._functions = [sampled.u for sampled in self._pieces]
        self._cell_count = np.zeros(len(space.mesh.points))
        for _, cells in by_kind(space.mesh.cells):
            np.add.at(self._cell_count, cells, 1.0)
        self._shares = 1.0 / np.maximum(self._cell_count, 1.0)[:, None]
        self._materials = materials
        self._recovery: PatchRecovery | None = None
        if any(sampled.dilatation is not None for sampled in self._pieces):
            pressed = np.any([law.bulk > 0.0 for law in laws], axis=0)
            self._recovery = PatchRecovery(space.mesh, materials.body, pressed)
        self._jumps: list[list[Array]] = []

    def use_points(self, pieces: Sequence[PointStress | None]) -> None:
        """Take the stress of some cells of each kind from their quadrature points."""
        for sampled, points in zip(self._pieces, pieces, strict=True):
            if points is not None:
                sampled.use_points(points)

    def take_jumps(self, jumps: Sequence[tuple[Array, Index]]) -> None:
        """Set displacements, on the dofs owned by this rank, that apply only to the given cells."""
        found = []
        for owned, above in jumps:
            self._put(owned)
            chosen = np.zeros(len(self._space.mesh.cells), dtype=bool)
            chosen[above] = True
            found.append([s.stress_of(chosen[s.piece.cell]) for s in self._pieces])
        self._jumps = found

    def add_jumps(self, factors: Array) -> None:
        """Add these multiples of the displacements of `take_jumps` to the next evaluation."""
        for number, sampled in enumerate(self._pieces):
            parts = (f * jump[number] for f, jump in zip(factors, self._jumps, strict=True))
            sampled.initial = sum(parts, np.zeros(1))

    def sampled(self, owned: Array) -> list[Array]:
        """Return the stress (cells, k, 4) at the nodes of all cells of each kind. Collective."""
        self._put(owned)
        return [s.stress_of(np.ones(len(s.piece.cell), dtype=bool)) for s in self._pieces]

    def subtract(self, stresses: Sequence[Array]) -> None:
        """Subtract stresses, as `sampled`, from the next evaluation, after `add_jumps`."""
        for sampled, stress in zip(self._pieces, stresses, strict=True):
            sampled.initial = sampled.initial - stress

    def nodal(self, owned: Array) -> Array:
        """Return averages at all nodes, (N, 4), on rank 0; 0 at isolated nodes."""
        self._put(owned)
        total = self._summed(self._sums(self._cell_stresses()))
        total *= self._shares
        return total

    def _sums(self, found: Sequence[tuple[Index, Array]]) -> Array:
        """Return the sums (N, 4) of the stresses that the cells of this rank have at each node."""
        total = np.zeros((len(self._space.mesh.points), 4))
        for nodes, stress in found:
            add_at_nodes(nodes, stress, total)
        return total

    def _cell_stresses(self, chosen: Mask | None = None) -> list[tuple[Index, Array]]:
        """Return nodes (c, k) of the chosen cells (cells,) of each kind, or of all, and the stress
        (c, k, 4) of each cell there. Collective.
        """
        recovery = self._recovery
        if recovery is None:
            if chosen is None:
                return [sampled.contributions(sampled.every) for sampled in self._pieces]
            own = [np.flatnonzero(chosen[sampled.piece.cell]) for sampled in self._pieces]
            return [s.contributions(cells) for s, cells in zip(self._pieces, own, strict=True)]
        chosen = np.ones(len(self._space.mesh.cells), bool) if chosen is None else chosen
        patch, means = recovery.patch(chosen), np.zeros((len(chosen), 4))
        found = []
        for sampled in self._pieces:
            local = np.flatnonzero(patch[sampled.piece.cell])
            cell = sampled.piece.cell[local]
            nodes, stress = sampled.contributions(local)
            means[cell] = stress.mean(axis=1)
            found.append((cell, nodes, stress))
        self._space.comm.Allreduce(MPI.IN_PLACE, means)
        gradients = recovery.gradients(means)
        found_at = [(chosen[part[0]], part) for part in found]
        return [
            (nodes[own], recovery.recover(cell[own], nodes[own], stress[own], gradients))
            for own, (cell, nodes, stress) in found_at
        ]

    @cached_property
    def _energy_error(self) -> EnergyError:
        pieces = self._forms.pieces
        return EnergyError(self._space.mesh, pieces, self._materials, self._cell_count)

    def energy_error_estimate(self, owned: Array) -> Array:
        """Return for each body (bodies, 2) the estimated error and the strain energy of the
        averaged stress, J, on every rank. Collective.
        """
        self._put(owned)
        found = [s.contributions(s.every) for s in self._pieces]
        sums = self._sums(found)
        self._space.comm.Allreduce(MPI.IN_PLACE, sums)
        return self._energy_error(found, sums, self._space.comm)

    def _summed(self, total: Array) -> Array:
        """Return the sum over all ranks, on rank 0."""
        if self._space.comm.size == 1:
            return total
        summed = np.zeros_like(total)
        self._space.comm.Reduce(total, summed)
        return summed

    def plastic_strain(self) -> Array:
        """Return averages of the equivalent plastic strain at all nodes, (N,), on rank 0.

        The value is 0 outside elastoplastic bodies.
        """
        strain, count = self._summed(self._plastic_strains()).T
        return np.asarray(strain / np.maximum(count, 1.0))

    def plastic_strain_at(self, node: int) -> float:
        """Return the average at one node, on every rank."""
        strain, count = self._space.comm.allreduce(self._plastic_strains()[node])
        return float(strain / max(count, 1.0))

    def _plastic_strains(self) -> Array:
        """Return sums over the cells of this rank adjacent to each node, and their number,
        (N, 2).
        """
        total = np.zeros((len(self._space.mesh.points), 2))
        for cells in self._yielding:
            if cells is not None:
                nodes = cells.piece.node[cells.piece.space.dofmap.list[cells.cells]]
                strain = cells.equivalent()
                np.add.at(total, nodes, np.stack([strain, np.ones_like(strain)], axis=2))
        return total

    def _put(self, owned: Array) -> None:
        self._space.put(owned, self._functions)
        for sampled in self._pieces:
            sampled.update()

    def at(self, node: int, owned: Array) -> Array:
        """Return the average at one node, (4,), on every rank."""
        self._put(owned)
        total = np.zeros(4)
        for nodes, values in self._cell_stresses((self._space.mesh.cells == node).any(axis=1)):
            total += values[nodes == node].sum(axis=0)
        self._space.comm.Allreduce(MPI.IN_PLACE, total)
        return np.asarray(total / self._cell_count[node])


class _Sampled:
    """Stress in the cells of one kind."""

    def __init__(
        self,
        forms: PieceForms,
        materials: CellMaterials,
        laws: Sequence[LawCells],
        yielding: YieldingPiece | None,
    ) -> None:
        self.piece = forms.piece
        self.every: Index = np.arange(len(self.piece.cell))
        self._nodes = self.piece.node[self.piece.space.dofmap.list]
        self.u = fem.Function(self.piece.space)
        points, self._continuation = _sampling(self.piece)
        self._linear = LinearStress(self.piece, points, self._continuation, materials, forms.hoop)
        self.dilatation = dilatation_of(forms, laws, self.u)
        self._plane_stress = plane_stress_of(forms, laws, self.u, _degree(self.piece))
        pressure = 0 if self.dilatation is None else self.dilatation.pressure
        gradient = (
            forms.gradient(self.u) if self._plane_stress is None else self._plane_stress.gradient
        )
        stresses = [(cauchy(forms, law, gradient, pressure), law.cells) for law in laws]
        # Stress expression of each finite-strain material, with its cells in this piece.
        self._stresses = [
            (fem.Expression(stress, points), cells[self.piece.cell])
            for stress, cells in stresses
            if cells.any()
        ]
        self.initial: Array = np.zeros(1)  # (cells, k, 4) stress independent of u
        # Cells whose stress is known at their quadrature points.
        self._at_points: list[tuple[PointStress, Mask]] = []
        if yielding is not None:
            self.use_points(yielding)

    def use_points(self, points: PointStress) -> None:
        """Take the stress of some cells from their quadrature points."""
        cells = np.zeros(len(self.piece.cell), dtype=bool)
        cells[points.cells] = True
        self._at_points.append((points, cells))

    def update(self) -> None:
        """Update the pressures of nearly incompressible cells and the thickness in plane stress.

        Collective.
        """
        if self.dilatation is not None:
            self.dilatation.update()
        if self._plane_stress is not None:
            self._plane_stress.forget()  # Stresses must not depend on earlier evaluations.
            self._plane_stress.update()

    def stress_of(self, chosen: Mask) -> Array:
        """Return the stress (cells, k, 4) of u in the chosen cells, 0 in the others."""
        _, values = self.contributions(self.every)
        return np.where(chosen[:, None, None], values, 0.0)

    def contributions(self, cells: Index) -> tuple[Index, Array]:
        """Return nodes (c, k) of given cells of this rank, and the stress (c, k, 4) of each cell
        there.
        """
        values = self._linear(self.u.x.array, cells)  # replaced below in cells of other materials
        for expression, of_law in self._stresses:
            here = of_law[cells]
            found = expression.eval(self.piece.domain, cells[here].astype(np.int32))
            sampled = found.reshape(-1, self._continuation.shape[1], 4)
            values[here] = np.einsum("kq,cqi->cki", self._continuation, sampled, optimize=True)
        for points, of_points in self._at_points:
            here = of_points[cells]
            values[here] = points.stress(self.u, cells[here])
        if self.initial.ndim > 1:
            values += self.initial[cells]
        return self._nodes if cells is self.every else self._nodes[cells], values


def _degree(piece: Piece) -> int:
    """Return the degree of the quadrature at whose points stress is sampled."""
    return {3: 1, 6: 2, 4: 3, 8: 3}[piece.element.scalar.dim]


def _sampling(piece: Piece) -> tuple[Array, Array]:
    """Return the sampling points, and the matrix that extrapolates to the nodes of the cell."""
    element, degree = piece.element.scalar, _degree(piece)
    points, _ = basix.make_quadrature(element.cell_type, degree)
    nodes = np.concatenate([p for entity in element.basix_element.x[:2] for p in entity])
    linear = basix.create_element(basix.ElementFamily.P, element.cell_type, min(degree, 1))
    if len(points) == 1:
        return points, np.ones((len(nodes), 1))
    at_points, at_nodes = (linear.tabulate(0, x)[0, :, :, 0] for x in (points, nodes))
    return points, at_nodes @ np.linalg.inv(at_points)
