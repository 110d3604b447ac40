"""Viscoelasticity at finite strain: stress-like history variables at the quadrature points.

The stress relaxes as a whole, after J. C. Simo (1987, doi:10.1016/0045-7825(87)90107-1). With the
second Piola–Kirchhoff stress S₀ of the instantaneous stored energy ψ,

    S = (1 − Σ g_i) S₀ + Σ g_i H_i,    Ḣ_i + H_i/τ_i = Ṡ₀,

and for a constant rate of S₀ over a step, with x = Δt/τ_i and γ_i = (1 − e^(−x))/x,

    H_i(t + Δt) = e^(−x) H_i(t) + γ_i [S₀].

Within a step, S = c S₀ + S_h therefore derives from the potential

    Φ = c ψ + S_h·E,    c = 1 − Σ g_i (1 − γ_i),    S_h = Σ g_i (e^(−x) H_i − γ_i S₀) at its start,

so that the tangent is symmetric and has one coefficient and one tensor per point for any number of
terms. For nearly incompressible laws ψ, S₀ and E belong to the isochoric part F̄ of F: S₀ is the
deviatoric stress in the metric of C̄ = F̄ᵀF̄, and the stress of the potential is deviatoric too. The
volumetric part is elastic.

The recoverable energy of a branch is estimated with a secant compliance,

    V_i = ½ g_i s H_i·C₀⁻¹ H_i,    s = 2ψ/(S₀·C₀⁻¹ S₀),

where C₀ is the instantaneous stiffness of small strain. It is exact at small strain, for a fast
deformation (H_i = S₀, V_i = g_i ψ) and after complete relaxation. The work of the branches
Σ g_i ⟨H_i⟩·[E] that is not stored is dissipated. In a closed cycle this dissipation does not depend
on V_i.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import basix
import basix.ufl
import ufl
from dolfinx import fem

from fecontact.arrays import Mask
from fecontact.mesh.cells import Index
from fecontact.record import Array
from fecontact.solid.fem.forms import PieceForms
from fecontact.solid.laws.law import Elastic
from fecontact.solid.plasticity.model import continuation

# History variables of a point: S₀, E, ψ, H_1, H_2, …
STRESS, STRAIN, ENERGY, BRANCHES = slice(0, 4), slice(4, 8), 8, 9
INDICES = ((0, 0), (1, 1), (2, 2), (0, 1))  # components of a tensor
NEGLIGIBLE = 1e-10  # of the shear modulus: an energy density that is round-off
TWICE = np.array([1.0, 1.0, 1.0, 2.0])  # xy counts twice in a product of tensors


@dataclass(frozen=True)
class CellSeries:
    """Prony series of the cells of the ModelMesh: g, tau (cells, n), s; compliance (cells, 4, 4) at
    small strain, 1/Pa; scale (cells,): instantaneous relative to given moduli.
    """

    g: Array
    tau: Array
    compliance: Array
    scale: Array


def series_of_cells(materials: Sequence[Elastic], body: Index) -> CellSeries | None:
    """Return the series of viscoelastic materials; None without them. Others have g = 0."""
    series = [material.relaxation for material in materials]
    terms = max((len(one.g) for one in series if one is not None), default=0)
    if not terms:
        return None
    g, tau = np.zeros((len(materials), terms)), np.ones((len(materials), terms))
    compliance, scale = np.zeros((len(materials), 4, 4)), np.ones(len(materials))
    for number, (material, one) in enumerate(zip(materials, series, strict=True)):
        if one is not None:
            g[number, : len(one.g)], tau[number, : len(one.g)] = one.g, one.tau
            compliance[number] = material.instantaneous().compliance()
            scale[number] = one.scales[0]
    return CellSeries(g[body], tau[body], compliance[body], scale[body])


class RelaxingPoints:
    """Viscoelastic cells of one kind owned by this rank.

    cells: cell numbers on this rank.
    """

    def __init__(
        self, forms: PieceForms, u: fem.Function, series: CellSeries, viscous: Mask
    ) -> None:
        """Prepare the points; viscous: (cells,) True for viscoelastic finite-strain cells."""
        self._piece, self._u = forms.piece, u
        piece = forms.piece
        topology = piece.domain.topology
        owned = piece.cell[: topology.index_map(topology.dim).size_local]
        self.cells = np.flatnonzero(viscous[owned]).astype(np.int32)
        here = owned[self.cells]
        of_kind = np.sort(piece.comm.allreduce(here.tolist()))
        self._all, self._row = len(of_kind), np.searchsorted(of_kind, here)
        kind = piece.element.scalar.cell_type
        self._points, weights = basix.make_quadrature(kind, piece.element.quadrature)
        self.continuation = continuation(piece.element.scalar, self._points)
        size = fem.Expression(
            forms.weight * abs(ufl.JacobianDeterminant(piece.domain)), self._points
        )
        count = len(self._points)
        self._volume = size.eval(piece.domain, self.cells).reshape(-1, count) * weights
        element = basix.ufl.quadrature_element(
            kind.name, value_shape=(4,), points=self._points, weights=weights
        )
        space = fem.functionspace(piece.domain, element)
        self._history, self._dofs = fem.Function(space), space.dofmap.list
        self._factor = piece.cellwise(np.ones(len(viscous)))
        self.lasting = piece.cellwise(np.where(viscous, 1.0 - series.g.sum(axis=1), 1.0))
        self._scale = piece.cellwise(series.scale)
        self._g, self._tau = series.g[here], series.tau[here]
        self._compliance = series.compliance[here]
        self._states: list[tuple[fem.Expression, Mask]] = []  # S₀ and E of each law
        self._stresses: list[tuple[fem.Expression, Mask]] = []
        shape = len(self.cells), count, BRANCHES + 4 * series.g.shape[1]
        self.memory, self._now = np.zeros((2, *shape))
        self._fresh = False  # True if `_now` belongs to the current displacements
        self.set_step(0.0)

    # Forms ---------------------------------------------------------------------------------------

    def add_law(self, stored: Any, gradient: Any, volumetric: bool, cells: Mask) -> tuple[Any, Any]:
        """Add the cells of a law; return its recoverable energy ψ (1 − Σ g_i) and Φ, in UFL.

        stored: ψ with the given moduli at the UFL variable gradient, F;
        cells: (cells,) of the ModelMesh.
        """
        shape = ufl.det(gradient) ** (-2 / 3) if volumetric else 1
        strain = (shape * gradient.T * gradient - ufl.Identity(3)) / 2
        psi = self._scale * stored
        # S₀ = F⁻¹ ∂ψ/∂F, and J^(2/3) times that in the metric of C̄.
        second = ufl.inv(gradient) * ufl.diff(psi, gradient) / shape
        both = [tensor[i, j] for tensor in (second, strain) for i, j in INDICES]
        both.append(psi)
        mask = cells[self._piece.cell[self.cells]]
        self._states.append((fem.Expression(ufl.as_vector(both), self._points), mask))
        h = self._history
        past = h[0] * strain[0, 0] + h[1] * strain[1, 1] + h[2] * strain[2, 2]
        potential = self._factor * psi + past + 2 * h[3] * strain[0, 1]
        return self.lasting * psi, potential

    def add_stress(self, stress: Any, cells: Mask) -> None:
        """Add the Cauchy stress, a UFL vector, of the cells of a law."""
        mask = cells[self._piece.cell[self.cells]]
        self._stresses.append((fem.Expression(stress, self._points), mask))

    # Steps ---------------------------------------------------------------------------------------

    def set_step(self, size: float) -> None:
        """Set the time since the committed state, s."""
        x = size / self._tau
        self._decay = np.exp(-x)
        safe = np.where(x > 0.0, x, 1.0)
        self._gain = np.where(x > 0.0, -np.expm1(-safe) / safe, 1.0)
        self._fresh = False
        factor = 1.0 - np.sum(self._g * (1.0 - self._gain), axis=1)
        dofs = self._factor.function_space.dofmap.list[self.cells, 0]
        self._factor.x.array[dofs] = factor
        branches = self._branches(self.memory)
        faded = np.einsum("cn,cpni->cpi", self._g * self._decay, branches)
        start = np.sum(self._g * self._gain, axis=1)[:, None, None] * self.memory[..., STRESS]
        width = self._history.x.array.reshape(-1, 4)
        width[self._dofs[self.cells]] = faded - start

    def _branches(self, memory: Array) -> Array:
        """Return H_i, (cells, points, n, 4), Pa."""
        count = (memory.shape[2] - BRANCHES) // 4
        return memory[..., BRANCHES:].reshape(*memory.shape[:2], count, 4)

    def moved(self) -> None:
        """Note that the displacements have changed."""
        self._fresh = False

    def _update(self) -> None:
        """Compute the history variables at the current displacements."""
        if self._fresh:
            return
        for expression, mask in self._states:
            found = expression.eval(self._piece.domain, self.cells[mask])
            self._now[mask, :, :BRANCHES] = found.reshape(-1, self._now.shape[1], BRANCHES)
        change = self._now[..., STRESS] - self.memory[..., STRESS]
        faded = self._decay[:, None, :, None] * self._branches(self.memory)
        branches = faded + self._gain[:, None, :, None] * change[:, :, None]
        shape = self._now[..., BRANCHES:].shape
        self._now[..., BRANCHES:] = branches.reshape(shape)
        self._fresh = True

    def _stored(self, memory: Array) -> float:
        """Return ∫ Σ V_i dV, J, share of this rank."""
        h, s = self._branches(memory), memory[..., STRESS]
        density = np.einsum("cn,cpni,cij,cpnj->cp", self._g, h, self._compliance, h)
        least = NEGLIGIBLE / self._compliance[:, 3, 3][:, None]
        elastic = np.einsum("cpi,cij,cpj->cp", s, self._compliance, s)
        secant = (2.0 * memory[..., ENERGY] + least) / (elastic + least)
        return 0.5 * float(np.sum(self._volume * secant * density))

    def energy(self) -> float:
        """Return the energy of the branches at the current displacements, J, share of this rank."""
        self._update()
        return self._stored(self._now)

    def viscous_work(self) -> float:
        """Return the dissipation since the committed state, J, share of this rank."""
        self._update()
        mean = 0.5 * (self._branches(self.memory) + self._branches(self._now))
        strained = (self._now[..., STRAIN] - self.memory[..., STRAIN]) * TWICE
        work = np.einsum("cn,cpni,cpi->cp", self._g, mean, strained)
        stored = self._stored(self._now) - self._stored(self.memory)
        return float(np.sum(self._volume * work)) - stored

    def accept(self) -> None:
        """Commit the history variables at the current displacements."""
        self._update()
        self.memory = self._now.copy()
        self.set_step(0.0)

    # State and results ---------------------------------------------------------------------------

    def whole_memory(self) -> Array:
        """Return the history variables of all ranks, (cells, points, m), in the order of the cells
        of the ModelMesh, on every rank. Collective.
        """
        whole = np.zeros((self._all, *self.memory.shape[1:]))
        whole[self._row] = self.memory
        return np.asarray(self._piece.comm.allreduce(whole))

    def take_memory(self, whole: Array) -> None:
        """Set the history variables of all ranks, in the order of `whole_memory`."""
        self.memory = whole.reshape(self._all, *self.memory.shape[1:])[self._row].copy()
        self.set_step(0.0)

    def stress(self, u: fem.Function, cells: Index) -> Array:
        """Return the Cauchy stress (len(cells), nodes, 4), Pa, of the committed state at the nodes
        of viscoelastic cells of this rank.
        """
        points = np.zeros((len(self.cells), len(self._points), 4))
        for expression, mask in self._stresses:
            found = expression.eval(self._piece.domain, self.cells[mask])
            points[mask] = found.reshape(-1, *points.shape[1:])
        at = np.searchsorted(self.cells, cells)
        return np.einsum("kp,cpi->cki", self.continuation, points[at])
