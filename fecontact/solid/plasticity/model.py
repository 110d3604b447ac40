"""Bodies that yield: stresses at the points of quadrature, which remember what was done to them.

    f = ∫ Bᵀ σ dV,    K = ∫ Bᵀ (∂σ/∂ε) B dV,    E = ∫ ½ σ·(ε − ε_p) dV,    ε = B u

Strains are small and B is constant: it is found once. σ comes from the law
(:mod:`fecontact.solid.laws.yielding`), from ε and from what a point remembers of the last step that
was accepted; a step that is tried, or cut, leaves no trace.

The plastic work of a step is ∫ ½(σ₀ + σ₁)·[ε_p] dV. With it the work ½(f₀ + f₁)·[u] is [E] and
nothing else, and as q₁ ≥ q₀ at points that flow, it is never negative.

Plastic flow keeps the volume, which four points of a QUAD4 would have to do one by one: the cell
would lock. So its change of volume is the mean one at all of them (B̄; T. J. R. Hughes 1980,
doi:10.1002/nme.1620150914). QUAD8 and the triangles are what they are. Nothing locks in plane
stress: there ε_zz is found at each point such that σ_zz = 0, and eliminated from the tangent.
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
"""What a point remembers: plastic strain, equivalent plastic strain and stress, Pa."""
CLOSE = 1e-14  # last change of ε_zz in plane stress, of the largest strain
ACCEPTED = 1e-10  # the same after the last of the iterations
MOST = 50  # iterations


@dataclass(frozen=True)
class FlowCells:
    """The cells of one law; constants: name → (cells,) of the ModelMesh; cells: which are."""

    return_map: Callable[..., Flow]
    constants: Mapping[str, Array]
    cells: Mask


def flows_of_cells(materials: Sequence[Elastic], body: Index) -> list[FlowCells]:
    """The laws of bodies that yield, each once; materials: of the bodies; body: (cells,) index."""
    found = []
    yielding = {n: m for n, m in enumerate(materials) if isinstance(m, Yielding)}
    for return_map in dict.fromkeys(m.return_map for m in yielding.values()):
        own = {n: m for n, m in yielding.items() if m.return_map is return_map}
        constants: dict[str, Array] = {}
        for number, material in own.items():
            for name, value in material.constants().items():
                constants.setdefault(name, np.ones(len(materials)))[number] = value
        of_cells = {name: values[body] for name, values in constants.items()}
        found.append(FlowCells(return_map, of_cells, np.isin(body, list(own))))
    return found


class YieldingPiece:
    """The cells of one kind that yield, those that this rank owns.

    cells: their numbers on this rank; continuation: (nodes, points) from values at the points of a
    cell to its nodes, by a (bi)linear fit; remembered: (cells, points, 9) since the last step that
    was accepted.
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
        self.continuation = _continuation(scalar, points)
        self._strains, self._volume = self._geometry(forms, points, weights)
        blocks = piece.space.dofmap.list[self.cells]
        self._dofs = (2 * blocks[:, :, None] + np.arange(2)).reshape(len(blocks), -1)
        self._laws = []
        for law in laws:
            here = law.cells[owned[self.cells]]
            cells = owned[self.cells[here]]
            values = {n: np.repeat(v[cells], len(points)) for n, v in law.constants.items()}
            if len(cells):
                self._laws.append((law.return_map, values, here))
        self.history_variables: Array = np.zeros((len(self.cells), len(points), HISTORY_VARIABLES))
        self._before = self.history_variables  # what was before the last step that was accepted
        self._now: Array = self.history_variables.copy()
        self._tangent: Array = np.zeros((*self._now.shape[:2], 4, 4))
        self._energy = 0.0
        self._vector = fem.Function(piece.space).x
        self._prepare_matrix(forms)

    def _geometry(self, forms: PieceForms, points: Array, weights: Array) -> tuple[Array, Array]:
        """B (cells, 4 points, dofs) and dV (cells, points) of the points, m³ or m² of a depth."""
        domain, count = self.piece.domain, len(points)
        strain = fem.Expression(forms.strain(ufl.TrialFunction(self.piece.space)), points)
        size = fem.Expression(forms.weight * abs(ufl.JacobianDeterminant(domain)), points)
        b = strain.eval(domain, self.cells).reshape(len(self.cells), count, 4, -1)
        volume = size.eval(domain, self.cells).reshape(len(self.cells), count) * weights
        if self.piece.element.scalar.dim == 4 and not forms.thins:
            growth = np.einsum("i,cqin->cqn", TRACE, b)
            mean = np.einsum("cq,cqn->cn", volume, growth) / volume.sum(axis=1)[:, None]
            b += TRACE[:, None] / 3 * (mean[:, None] - growth)[:, :, None]
        return b.reshape(len(self.cells), 4 * count, -1), volume

    def _prepare_matrix(self, forms: PieceForms) -> None:
        """The pattern of K, and where the entries of the cells' matrices go."""
        u, v = ufl.TrialFunction(self.piece.space), ufl.TestFunction(self.piece.space)
        zero = fem.form(ufl.inner(forms.strain(u), forms.strain(v)) * ufl.dx)
        self._matrix = petsc.create_matrix(zero)
        blocks = self.piece.space.dofmap.list[self.cells]
        number = self.piece.space.dofmap.index_map.local_to_global(blocks.ravel())
        whole = 2 * number.reshape(blocks.shape)[:, :, None] + np.arange(2)
        whole = whole.reshape(len(blocks), -1)
        width = whole.shape[1]
        self._rows = whole.ravel().astype(PETSc.IntType)
        self._start = (width * np.arange(len(self._rows) + 1)).astype(PETSc.IntType)
        self._columns = np.repeat(whole, width, axis=0).ravel().astype(PETSc.IntType)

    def _flow(self, u: fem.Function) -> tuple[Array, Array, Array]:
        """Strain, what points would remember, and tangent, at displacements u."""
        cells, count = self._now.shape[:2]
        strain = (self._strains @ u.x.array[self._dofs][:, :, None]).reshape(cells, count, 4)
        now, tangent = np.empty_like(self._now), np.empty_like(self._tangent)
        for return_map, constants, here in self._laws:
            before = self.history_variables[here].reshape(-1, HISTORY_VARIABLES)
            given = before[:, STRAIN], before[:, EQUIVALENT]
            bring_back = partial(return_map, **constants)
            if self._thins:
                bring_back = partial(_without_stress_across, bring_back)
            found = bring_back(strain[here].reshape(-1, 4), *given)
            parts = found.plastic, found.equivalent[:, None], found.stress
            now[here] = np.concatenate(parts, axis=1).reshape(-1, count, HISTORY_VARIABLES)
            tangent[here] = found.tangent.reshape(-1, count, 4, 4)
        return strain, now, tangent

    def update(self, u: fem.Function) -> None:
        """Take stresses and stiffness at displacements u, in a step from what is remembered."""
        strain, self._now, self._tangent = self._flow(u)
        density = np.sum(self._now[..., STRESS] * (strain - self._now[..., STRAIN]), axis=2)
        self._energy = 0.5 * float(np.sum(self._volume * density))

    def energy(self) -> float:
        """E, J, this rank's share."""
        return self._energy

    def plastic_work(self) -> float:
        """∫ ½(σ₀ + σ₁)·[ε_p] dV since the last step that was accepted, J, this rank's share."""
        mean = 0.5 * (self._now[..., STRESS] + self.history_variables[..., STRESS])
        flown = self._now[..., STRAIN] - self.history_variables[..., STRAIN]
        return float(np.sum(self._volume * np.sum(mean * flown, axis=2)))

    def accept(self) -> None:
        """Remember what the last `update` found."""
        self._before, self.history_variables = self.history_variables, self._now.copy()

    def force(self) -> Array:
        """f on the dofs of the piece that this rank owns, N. Collective."""
        weighted = (self._now[..., STRESS] * self._volume[:, :, None]).reshape(len(self.cells), -1)
        parts = (weighted[:, None] @ self._strains)[:, 0]
        self._vector.array[:] = np.bincount(
            self._dofs.ravel(), parts.ravel(), minlength=len(self._vector.array)
        )
        return compat.owned(self._vector)

    def stiffness(self) -> PETSc.Mat:
        """K over all dofs of the piece; the same matrix is used again. Collective."""
        shape = (*self._now.shape[:2], 4, -1)
        stressed = self._tangent @ self._strains.reshape(shape) * self._volume[:, :, None, None]
        blocks = self._strains.transpose(0, 2, 1) @ stressed.reshape(self._strains.shape)
        self._matrix.zeroEntries()
        self._matrix.setValuesIJV(
            self._start, self._columns, blocks.ravel(), PETSc.InsertMode.ADD_VALUES, self._rows
        )
        self._matrix.assemble()
        return self._matrix

    def stress(self, u: fem.Function, cells: Index) -> Array:
        """Stress (len(cells), nodes, 4), Pa, at the nodes of cells of this rank that yield."""
        at = np.searchsorted(self.cells, cells)
        return np.einsum("kp,cpi->cki", self.continuation, self._flow(u)[1][at][..., STRESS])

    def equivalent(self) -> Array:
        """Equivalent plastic strain (cells, nodes) at the nodes of `cells`."""
        return np.maximum(self.history_variables[..., EQUIVALENT] @ self.continuation.T, 0.0)

    def most(self) -> float:
        """The largest equivalent plastic strain of this rank."""
        return float(self.history_variables[..., EQUIVALENT].max(initial=0.0))

    def memory(self, before: bool = False) -> Array:
        """What all points of all ranks remember (before: remembered before the last step), (points,
        9), in the order of the ModelMesh's cells; the same on every rank. Collective."""
        whole = np.zeros((self._all, *self.history_variables.shape[1:]))
        whole[self._row] = self._before if before else self.history_variables
        return np.asarray(self.piece.comm.allreduce(whole)).reshape(-1, HISTORY_VARIABLES)

    @property
    def points(self) -> int:
        """How many points all ranks have."""
        return self._all * self.history_variables.shape[1]

    def remember(self, memory: Array) -> None:
        """Take what points of all ranks remember."""
        self.recall(memory)
        self._before, self._now = self.history_variables, self.history_variables.copy()

    def recall(self, memory: Array) -> None:
        """As `remember`, after an `update` with what was remembered before: its stresses and
        stiffness stay."""
        whole = memory.reshape(self._all, *self.history_variables.shape[1:])
        self._before, self.history_variables = self.history_variables, whole[self._row].copy()


def yielding_pieces(
    forms: Sequence[PieceForms], laws: Sequence[FlowCells]
) -> list[YieldingPiece | None]:
    """One of each kind of cells of which some yield, on any rank. Collective."""
    found: list[YieldingPiece | None] = []
    for one in forms:
        here = any(law.cells[one.piece.cell].any() for law in laws)
        some = one.piece.comm.allreduce(int(here))
        found.append(YieldingPiece(one, laws) if some else None)
    return found


def _without_stress_across(
    return_map: Callable[..., Flow], strain: Array, plastic: Array, equivalent: Array
) -> Flow:
    """What n points come to with ε_zz such that σ_zz = 0; of a tangent that follows it."""
    scale = max(np.abs(strain).max(initial=0.0), np.abs(plastic).max(initial=0.0))
    strain = strain.copy()
    last: Array = np.full(len(strain), np.inf)
    share: Array = np.ones(len(strain))
    for _ in range(MOST):
        found = return_map(strain, plastic, equivalent)
        left, column = found.stress[:, 2], found.tangent[:, :, 2]
        change = -left / column[:, 2]
        if np.all(np.abs(change) <= CLOSE * scale):
            break
        # Newton's method overshoots from where points flow to where they would flow back.
        share = np.where(np.abs(left) < 0.9 * np.abs(last), np.minimum(1.0, 2 * share), share / 2)
        strain[:, 2] += share * change
        last = left
    else:  # no stress is better than a wrong one: a step with numbers that are not finite is cut
        found.stress[np.abs(change) > ACCEPTED * scale] = np.nan
    condensed = column[:, :, None] * column[:, None, :] / column[:, 2, None, None]
    return found._replace(tangent=found.tangent - condensed)


def _continuation(scalar: Any, points: Array) -> Array:
    """The matrix that continues values at points to the nodes of a cell, (nodes, points)."""
    nodes = np.concatenate([p for entity in scalar.basix_element.x[:2] for p in entity])
    degree = 1 if len(points) > 1 else 0
    family = basix.ElementFamily.P
    fit = basix.create_element(family, scalar.cell_type, degree, discontinuous=degree == 0)
    at_points, at_nodes = (fit.tabulate(0, x)[0, :, :, 0] for x in (points, nodes))
    return np.asarray(at_nodes @ np.linalg.pinv(at_points))
