"""Elastoplastic bodies: stresses and history variables at the quadrature points.

    f = ∫ Bᵀ σ dV,    K = ∫ Bᵀ (∂σ/∂ε) B dV,    E = ∫ ½ σ·(ε − ε_p) dV,    ε = B u

Strains are small and B is constant, so it is computed once. The material
(:mod:`fecontact.solid.laws.yielding`) returns σ from ε and the history variables of the last
accepted step; trial steps and steps that are cut back do not change them.

The plastic work of a step is ∫ ½(σ₀ + σ₁)·[ε_p] dV. The work ½(f₀ + f₁)·[u] equals [E] plus the
plastic work exactly. As q₁ ≥ q₀ at yielding points, the plastic work is never negative.

Plastic flow is isochoric. With this constraint at each of its four points, a `quad4` would lock, so
its volumetric strain is the mean over all of them (B̄; T. J. R. Hughes 1980,
doi:10.1002/nme.1620150914). `quad8` and the triangles are unmodified. Plane stress does not lock:
there ε_zz follows at each point from σ_zz = 0 and is eliminated from the tangent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
from fecontact.solid.fem.forms import PieceForms
from fecontact.solid.laws.law import Elastic
from fecontact.solid.laws.yielding import Flow, Yielding

TRACE = np.array([1.0, 1.0, 1.0, 0.0])
STRAIN, EQUIVALENT, STRESS = slice(0, 4), 4, slice(5, 9)
HISTORY_VARIABLES = 9
"""Number of history variables per point: plastic strain, equivalent plastic strain, stress (Pa)."""
CLOSE = 1e-14  # tolerance of ε_zz in plane stress, relative to the largest strain
ACCEPTED = 1e-10  # accepted tolerance after the last iteration
MAX_ITERATIONS = 50  # iterations


@dataclass(frozen=True)
class FlowCells:
    """Cells of one elastoplastic material.

    constants: name → (cells,) of the ModelMesh.
    cells: True for cells of this material.
    """

    return_map: Callable[..., Flow]
    plastic_work: Callable[..., Array]
    constants: Mapping[str, Array]
    cells: Mask


def flows_of_cells(materials: Sequence[Elastic], body: Index) -> list[FlowCells]:
    """Return the elastoplastic materials in use, each once.

    materials: materials of the bodies.
    body: (cells,) index of the body.
    """
    found = []
    yielding = {n: m for n, m in enumerate(materials) if isinstance(m, Yielding)}
    for return_map in dict.fromkeys(m.return_map for m in yielding.values()):
        own = {n: m for n, m in yielding.items() if m.return_map is return_map}
        constants: dict[str, Array] = {}
        for number, material in own.items():
            for name, value in material.constants().items():
                constants.setdefault(name, np.ones(len(materials)))[number] = value
        of_cells = {name: values[body] for name, values in constants.items()}
        work = next(iter(own.values())).plastic_work
        found.append(FlowCells(return_map, work, of_cells, np.isin(body, list(own))))
    return found


class YieldingPiece:
    """Elastoplastic cells of one kind owned by this rank.

    cells: cell numbers on this rank.
    continuation: (nodes, points) extrapolation from the points of a cell to its nodes, a (bi)linear
        fit.
    history_variables: (cells, points, 9) of the last accepted step.
    """

    def __init__(self, forms: PieceForms, laws: Sequence[FlowCells]) -> None:
        self.piece, self._thins = forms.piece, forms.thins
        piece = forms.piece
        topology = piece.domain.topology
        owned = piece.cell[: topology.index_map(topology.dim).size_local]
        everywhere = np.any([law.cells for law in laws], axis=0)
        self.cells = np.flatnonzero(everywhere[owned]).astype(np.int32)
        of_kind = np.sort(piece.comm.allreduce(owned[self.cells].tolist()))
        self._all, self._row = len(of_kind), np.searchsorted(of_kind, owned[self.cells])
        scalar = piece.element.scalar
        points, weights = basix.make_quadrature(scalar.cell_type, piece.element.quadrature)
        self.continuation = continuation(scalar, points)
        self._strains, self._volume = self._geometry(forms, points, weights)
        blocks = piece.space.dofmap.list[self.cells]
        # A rank may have no cells of these bodies: numpy cannot infer a length of empty arrays.
        self._dofs = (2 * blocks[:, :, None] + np.arange(2)).reshape(len(blocks), 2 * scalar.dim)
        self._laws = []
        for law in laws:
            here = law.cells[owned[self.cells]]
            cells = owned[self.cells[here]]
            values = {n: np.repeat(v[cells], len(points)) for n, v in law.constants.items()}
            if len(cells):
                self._laws.append((law, values, here))
        self.history_variables: Array = np.zeros((len(self.cells), len(points), HISTORY_VARIABLES))
        self._before = self.history_variables  # values before the last accepted step
        self._now: Array = self.history_variables.copy()
        self._tangent: Array = np.zeros((*self._now.shape[:2], 4, 4))
        self._energy = 0.0
        self._vector = fem.Function(piece.space).x
        self._prepare_matrix(forms)

    def _geometry(self, forms: PieceForms, points: Array, weights: Array) -> tuple[Array, Array]:
        """Return B (cells, 4 points, dofs) and dV (cells, points), m³, or m² per unit depth."""
        domain, count, dofs = self.piece.domain, len(points), 2 * self.piece.element.scalar.dim
        strain = fem.Expression(forms.strain(ufl.TrialFunction(self.piece.space)), points)
        size = fem.Expression(forms.weight * abs(ufl.JacobianDeterminant(domain)), points)
        b = strain.eval(domain, self.cells).reshape(len(self.cells), count, 4, dofs)
        volume = size.eval(domain, self.cells).reshape(len(self.cells), count) * weights
        if self.piece.element.scalar.dim == 4 and not forms.thins:
            growth = np.einsum("i,cqin->cqn", TRACE, b)
            mean = np.einsum("cq,cqn->cn", volume, growth) / volume.sum(axis=1)[:, None]
            b += TRACE[:, None] / 3 * (mean[:, None] - growth)[:, :, None]
        return b.reshape(len(self.cells), 4 * count, dofs), volume

    def _prepare_matrix(self, forms: PieceForms) -> None:
        """Create the pattern of K and the positions of the element matrices in it."""
        u, v = ufl.TrialFunction(self.piece.space), ufl.TestFunction(self.piece.space)
        zero = fem.form(ufl.inner(forms.strain(u), forms.strain(v)) * ufl.dx)
        self._matrix = petsc.create_matrix(zero)
        blocks = self.piece.space.dofmap.list[self.cells]
        number = self.piece.space.dofmap.index_map.local_to_global(blocks.ravel())
        whole = 2 * number.reshape(blocks.shape)[:, :, None] + np.arange(2)
        width = 2 * blocks.shape[1]
        whole = whole.reshape(len(blocks), width)
        self._rows = whole.ravel().astype(PETSc.IntType)
        self._start = (width * np.arange(len(self._rows) + 1)).astype(PETSc.IntType)
        self._columns = np.repeat(whole, width, axis=0).ravel().astype(PETSc.IntType)

    def _flow(self, u: fem.Function) -> tuple[Array, Array, Array]:
        """Return strain, trial history variables and tangent at displacements u."""
        cells, count = self._now.shape[:2]
        strain = (self._strains @ u.x.array[self._dofs][:, :, None]).reshape(cells, count, 4)
        now, tangent = np.empty_like(self._now), np.empty_like(self._tangent)
        for law, constants, here in self._laws:
            before = self.history_variables[here].reshape(-1, HISTORY_VARIABLES)
            given = before[:, STRAIN], before[:, EQUIVALENT]
            bring_back = partial(law.return_map, **constants)
            if self._thins:
                bring_back = partial(_without_stress_across, bring_back)
            found = bring_back(strain[here].reshape(-1, 4), *given)
            parts = found.plastic, found.equivalent[:, None], found.stress
            now[here] = np.concatenate(parts, axis=1).reshape(-1, count, HISTORY_VARIABLES)
            tangent[here] = found.tangent.reshape(-1, count, 4, 4)
        return strain, now, tangent

    def update(self, u: fem.Function) -> None:
        """Compute stresses and stiffness at displacements u, from the committed history
        variables.
        """
        strain, self._now, self._tangent = self._flow(u)
        density = np.sum(self._now[..., STRESS] * (strain - self._now[..., STRAIN]), axis=2)
        self._energy = 0.5 * float(np.sum(self._volume * density))

    def energy(self) -> float:
        """Return E, J, share of this rank."""
        return self._energy

    def plastic_work(self) -> float:
        """Return ∫ ½(σ₀ + σ₁)·[ε_p] dV since the last accepted step, J, share of this rank."""
        mean = 0.5 * (self._now[..., STRESS] + self.history_variables[..., STRESS])
        flown = self._now[..., STRAIN] - self.history_variables[..., STRAIN]
        return float(np.sum(self._volume * np.sum(mean * flown, axis=2)))

    def work_of_strain(self) -> float:
        """Return ∫∫ q dᾱ dV of the equivalent plastic strain, J, share of this rank."""
        total = 0.0
        for law, constants, here in self._laws:
            equivalent = self.history_variables[here][..., EQUIVALENT]
            found = law.plastic_work(equivalent.ravel(), **constants)
            total += float(self._volume[here].ravel() @ found)
        return total

    def accept(self) -> None:
        """Commit the history variables of the last `update`."""
        self._before, self.history_variables = self.history_variables, self._now.copy()

    def force(self) -> Array:
        """Return f on the dofs of the piece owned by this rank, N. Collective."""
        weighted = self._now[..., STRESS] * self._volume[:, :, None]
        rows = weighted.reshape(len(self.cells), 1, self._strains.shape[1])
        parts = (rows @ self._strains)[:, 0]
        self._vector.array[:] = np.bincount(
            self._dofs.ravel(), parts.ravel(), minlength=len(self._vector.array)
        )
        return compat.owned(self._vector)

    def stiffness(self) -> PETSc.Mat:
        """Return K over all dofs of the piece; the matrix object is reused. Collective."""
        shape = (*self._now.shape[:2], 4, self._strains.shape[2])
        stressed = self._tangent @ self._strains.reshape(shape) * self._volume[:, :, None, None]
        blocks = self._strains.transpose(0, 2, 1) @ stressed.reshape(self._strains.shape)
        self._matrix.zeroEntries()
        self._matrix.setValuesIJV(
            self._start, self._columns, blocks.ravel(), PETSc.InsertMode.ADD_VALUES, self._rows
        )
        self._matrix.assemble()
        return self._matrix

    def stress(self, u: fem.Function, cells: Index) -> Array:
        """Return the stress (len(cells), nodes, 4), Pa, at the nodes of elastoplastic cells of this
        rank.
        """
        at = np.searchsorted(self.cells, cells)
        return np.einsum("kp,cpi->cki", self.continuation, self._flow(u)[1][at][..., STRESS])

    def equivalent(self) -> Array:
        """Return the equivalent plastic strain (cells, nodes) at the nodes of `cells`."""
        return np.maximum(self.history_variables[..., EQUIVALENT] @ self.continuation.T, 0.0)

    def max_plastic_strain(self) -> float:
        """Return the largest equivalent plastic strain of this rank."""
        return float(self.history_variables[..., EQUIVALENT].max(initial=0.0))

    def history_of_all_ranks(self, before: bool = False) -> Array:
        """Return the history variables of all ranks, (points, 9), on every rank. Collective.

        The order is that of the cells of the ModelMesh; before: return the values before the last
        step.
        """
        whole = np.zeros((self._all, *self.history_variables.shape[1:]))
        whole[self._row] = self._before if before else self.history_variables
        return np.asarray(self.piece.comm.allreduce(whole)).reshape(-1, HISTORY_VARIABLES)

    @property
    def points(self) -> int:
        """Return the number of points on all ranks."""
        return self._all * self.history_variables.shape[1]

    def set_history_variables(self, memory: Array) -> None:
        """Set the history variables of all ranks."""
        self.restore_committed(memory)
        self._before, self._now = self.history_variables, self.history_variables.copy()

    def restore_committed(self, memory: Array) -> None:
        """Set the history variables of all ranks, but retain stresses and stiffness.

        Call this after an `update` from the earlier history variables.
        """
        whole = memory.reshape(self._all, *self.history_variables.shape[1:])
        self._before, self.history_variables = self.history_variables, whole[self._row].copy()


def yielding_pieces(
    forms: Sequence[PieceForms], laws: Sequence[FlowCells]
) -> list[YieldingPiece | None]:
    """Return a piece for each kind of cells with elastoplastic cells on any rank. Collective."""
    found: list[YieldingPiece | None] = []
    for one in forms:
        here = any(law.cells[one.piece.cell].any() for law in laws)
        some = one.piece.comm.allreduce(int(here))
        found.append(YieldingPiece(one, laws) if some else None)
    return found


def _without_stress_across(
    return_map: Callable[..., Flow], strain: Array, plastic: Array, equivalent: Array
) -> Flow:
    """Return the updated state and tangent of n points with ε_zz such that σ_zz = 0."""
    scale = max(np.abs(strain).max(initial=0.0), np.abs(plastic).max(initial=0.0))
    strain = strain.copy()
    last: Array = np.full(len(strain), np.inf)
    share: Array = np.ones(len(strain))
    for _ in range(MAX_ITERATIONS):
        found = return_map(strain, plastic, equivalent)
        left, column = found.stress[:, 2], found.tangent[:, :, 2]
        change = -left / column[:, 2]
        if np.all(np.abs(change) <= CLOSE * scale):
            break
        # Newton's method overshoots between plastic loading and reverse yielding.
        share = np.where(np.abs(left) < 0.9 * np.abs(last), np.minimum(1.0, 2 * share), share / 2)
        strain[:, 2] += share * change
        last = left
    else:  # NaN instead of a wrong stress: the step is then cut back
        found.stress[np.abs(change) > ACCEPTED * scale] = np.nan
    condensed = column[:, :, None] * column[:, None, :] / column[:, 2, None, None]
    return found._replace(tangent=found.tangent - condensed)


def continuation(scalar: Any, points: Array) -> Array:
    """Return the matrix (nodes, points) that extrapolates values at points to the nodes of
    a cell.
    """
    nodes = np.concatenate([p for entity in scalar.basix_element.x[:2] for p in entity])
    degree = 1 if len(points) > 1 else 0
    family = basix.ElementFamily.P
    fit = basix.create_element(family, scalar.cell_type, degree, discontinuous=degree == 0)
    at_points, at_nodes = (fit.tabulate(0, x)[0, :, :, 0] for x in (points, nodes))
    return np.asarray(at_nodes @ np.linalg.pinv(at_points))
