"""Model with linear viscoelastic bodies: one factorisation for each step size.

    M ü + C u̇ + K₀ u − Σ K_i (u − w_i) = F φ(t) + contact forces

The elastic model has the instantaneous moduli. The branches
(:mod:`fecontact.solid.viscoelastic.branches`) reduce its stiffness by an amount that depends on the
step size alone, and their past is a known force in each step.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from petsc4py import PETSc

from fecontact.bulk import StoredChange
from fecontact.record import Array
from fecontact.restart_file import RELAXATION
from fecontact.solid.components import Parts
from fecontact.solid.fem.matrices import Matrices
from fecontact.solid.linear.inclined import InclinedContact
from fecontact.solid.output.stress import StressRecovery
from fecontact.solid.solid import Solid
from fecontact.solid.solvers.products import Product
from fecontact.solid.viscoelastic.branches import NodalBranches
from fecontact.solid.viscoelastic.series import Branch, check_relaxation

MAX_SIZES = 12  # step sizes whose matrices are stored


class ViscoelasticSolid(Solid):
    """Linear bodies on this rank, at least one of them viscoelastic."""

    relaxes = True

    def __init__(self, parts: Parts, branches: Sequence[Branch], *given: Any) -> None:
        super().__init__(parts, *given)
        self._branches = NodalBranches(self._forms, branches)
        self._branch_stress = [
            StressRecovery(
                self._forms,
                replace(parts.materials, stiffness=branch.stiffness),
                (),
                [None] * len(self._forms.pieces),
            )
            for branch in branches
        ]
        self._moved = bool(self._supports.amplitudes.any())
        elastic = self._matrices, self._stiffness_times
        self._of_sizes: OrderedDict[float, tuple[Matrices, Product]] = OrderedDict({0.0: elastic})
        self._branches.put(np.tile(self._owned(self.initial()[0], 0.0), (len(branches), 1)))

    # Steps ---------------------------------------------------------------------------------------

    def set_step(self, size: float) -> None:
        """Set K to the tangent for a step of the given size, s. Collective."""
        self.tangent_key = size
        self._branches.set_step(size)
        if size not in self._of_sizes:
            elastic = self._of_sizes[0.0][0]
            stiffness = elastic.stiffness.copy()
            softening = self._free.restrict(self._branches.softening())
            stiffness.axpy(-1.0, softening, PETSc.Mat.Structure.SUBSET_NONZERO_PATTERN)
            self._matrices = replace(elastic, stiffness=stiffness)
            self._of_sizes[size] = self._matrices, self._stiffness_product()
            if len(self._of_sizes) > MAX_SIZES:
                del self._of_sizes[list(self._of_sizes)[1]]  # the first is the elastic one
        self._matrices, self._stiffness_times = self._of_sizes[size]

    def add_relaxation(self, times: tuple[float, float], out: Array) -> None:
        """Add the change of f over a step in which the free dofs do not move, N. Collective."""
        change = self._branches.relaxed()
        if self._moved:
            change += self._branches.softened(self._support_increment(times))
        out += self._free.of_owned(change)

    def _support_increment(self, times: tuple[float, float]) -> Array:
        """Return the increment of the prescribed dofs over a step, 0 at free dofs, m."""
        still = np.zeros(self.size)
        before, after = (self._owned(still, t) for t in times)
        return after - before

    def step_change(
        self, before: Array, after: Array, times: tuple[float, float], work: float
    ) -> StoredChange:
        """Return the split of the work of internal forces in a step, J, over all ranks.

        The stored energy changes by the work of f, of the prescribed dofs and of the elastic part
        of the branches instead of their forces (:mod:`fecontact.solid.viscoelastic.branches`).
        """
        start = self._owned(before, times[0])
        increment = self._owned(after, times[1]) - start
        self._branches.move(increment)
        done, stored, lost = self._branches.energies(increment)
        supported = self._support_work(start, increment, times) if self._moved else 0.0
        done, stored, lost, supported = self.total(np.array([done, stored, lost, supported]))
        return StoredChange(work + supported - done + stored, 0.0, lost, supported)

    def _support_work(self, start: Array, increment: Array, times: tuple[float, float]) -> float:
        """Return [u_h]·⟨−Σ K_i (u − w_i)⟩ of the prescribed dofs in a step, J, this rank's
        share.
        """
        moved = self._support_increment(times)
        first = self._branches.forces_of(start, self._branches.field)
        change = self._branches.relaxed() + self._branches.softened(increment)
        return float(moved @ (first + 0.5 * change))

    def accept(self) -> None:
        """Commit the fields of the branches."""
        self._branches.accept()

    def internal(self, u: Array, out: Array) -> float:
        """Compute out = f(u), N, of the committed fields; return the stored energy, J, share of
        this rank.
        """
        self.set_step(0.0)
        energy = super().internal(u, out)
        whole, field = self._owned(u, self._time), self._branches.field
        out += self._free.of_owned(self._branches.forces_of(whole, field))
        return energy + self._branches.stored_beside(whole, field)

    def hold(self, t: float) -> None:
        """Set the time at which prescribed dofs are evaluated by `internal`, s."""
        self._time = t

    _time = 0.0

    # State and results ---------------------------------------------------------------------------

    def _relaxation(self) -> dict[str, Array]:
        return {RELAXATION: self._branches.nodal()}

    def exported_state(self, u: Array, t: float) -> dict[str, Array]:
        return super().exported_state(u, t) | self._relaxation()

    def import_state(self, state: Mapping[str, Array], t: float) -> None:
        super().import_state(state, t)
        check_relaxation(state, self._relaxation())
        self._branches.put_nodal(state[RELAXATION])

    def internal_state(self) -> dict[str, Array]:
        return super().internal_state() | self._relaxation()

    def restore(self, state: Mapping[str, Array], u: Array, t: float) -> None:
        super().restore(state, u, t)
        self.hold(t)
        self._branches.put_nodal(state[RELAXATION])

    def _strained(self, u: Array, t: float) -> Array:
        self._stress.add_jumps(self._pretension.shortenings(u, t))
        owned = self._owned(u, t)
        for recovery, field in zip(self._branch_stress, self._branches.field, strict=True):
            self._stress.subtract(recovery.sampled(owned - field))
        return owned

    def reaction(self, support: str, u: Array, v: Array, a: Array, t: float) -> Array:
        force = self._branches.forces_of(self._owned(u, t), self._branches.field)
        return super().reaction(support, u, v, a, t) + self.total(self._carried(support, force))


class InclinedViscoelasticSolid(InclinedContact, ViscoelasticSolid):  # type: ignore[misc]
    """Viscoelastic bodies with inclined supports."""
