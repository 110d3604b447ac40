"""Finite-strain bodies with energy- and momentum-conserving time integration.

    M (v₁ − v₀)/Δt + C (v₀ + v₁)/2 + f̄ = mean loads + contact forces,    f̄·[u] = [E]

f̄ is a discrete gradient of the energy of finite-strain bodies
(:mod:`fecontact.solid.hyperelastic.discrete_gradient`) and K (u₀ + u₁)/2 for linear bodies and
springs. Follower pressures act with the mean of both ends. The derivative of f̄ is factorised as an
unsymmetric matrix: its skew part grows with κ/μ of nearly incompressible rubber, and Newton's
method does not converge without it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fecontact.arrays import Mask
from fecontact.record import Array
from fecontact.solid.components import Parts
from fecontact.solid.conditions.foundations import nodes_on
from fecontact.solid.hyperelastic.discrete_gradient import MeanForms
from fecontact.solid.hyperelastic.follower_pressure import PressedEdges
from fecontact.solid.hyperelastic.free_bodies import FreeBodies
from fecontact.solid.hyperelastic.model import HyperelasticModel
from fecontact.solid.linear.balance import NONE
from fecontact.solid.solid import Solid
from fecontact.solid.solvers.factor import MatrixFactor
from fecontact.solid.solvers.substructure import DirectFactor


class ConservingSolid(HyperelasticModel):
    """Bodies on this rank, including finite-strain bodies."""

    conserving = True

    def __init__(self, parts: Parts, pressures: Sequence[PressedEdges] = ()) -> None:
        super().__init__(parts, pressures)
        self._mean = MeanForms(self._forms, parts.laws)
        ends = parts.discretes.ends
        prescribed: Mask = np.zeros(len(self.mesh.points), dtype=bool)
        prescribed[self._supports.resists.any(axis=1)] = True
        prescribed[ends[ends >= 0]] = True
        prescribed[nodes_on(parts.foundations)] = True
        self._bodies = FreeBodies(self, self._free.index, prescribed)
        self._mean_force: Array = np.zeros_like(self._force)
        self._before, self._after = np.zeros((2, self.size))
        self._symmetric = True

    def hold(self, t: float) -> None:
        """Set the prescribed dofs to their values at time t.

        A step starts from their previous values.
        """
        self._prescribed_before: Array = self._full[self._prescribed_dofs]
        super().hold(t)

    def internal(self, u: Array, out: Array) -> float:
        """Compute out = f(u), N; return the stored energy, J, share of this rank."""
        energy = super().internal(u, out)
        self._pressing_before = self._pressing
        return energy

    def mean_internal(self, before: Array, after: Array, out: Array) -> None:
        """Compute out = f̄, N; f̄·(after − before) is the change of the stored energy."""
        Solid.stiffness(self, 0.5 * (before + after), out)
        self._before[:], self._after[:] = before, after
        self._full[self._free.owned] = before
        first = self._full.copy()
        first[self._prescribed_dofs] = self._prescribed_before
        self._full[self._free.owned] = after
        self._mean.put(first, self._full)
        self._finite.put(self._full)  # Elements can be inverted here.
        self._at = None
        self._force = self._mean_force = self._mean.force()
        out += self._mean_force[self._free.owned]
        if self._pressures:
            self._press(after)
            out -= 0.5 * (self._pressing_before + self._pressing)[self._free.owned]

    def linearise(self, u: Array, force: Array) -> None:
        """Set K to the tangent at u."""
        super().linearise(u, force)
        self._symmetric = True

    def linearise_mean(self, force: Array) -> None:
        """Set K to ∂(2 f̄)/∂(after) of the last :meth:`mean_internal`."""
        self._stiffness_of_all = self._mean.stiffness()
        if self._pressures:
            self._pressures.add_stiffness(self._press(self._after), self._stiffness_of_all)
        self._stiffness_now = self._free.restrict(self._stiffness_of_all)
        self._symmetric = False

    def balance(self, missing: Array, m: float, out: Array) -> Array:
        """Compute out = rigid-body correction of free bodies that balances the residual forces.

        At `after` of the last :meth:`mean_internal`, m M out has the resultants, and the moments
        about the mean positions, of the residual forces `missing`.
        """
        return self._bodies.balance(self._before, self._after, missing, m, out)

    def initial_guess(self, before: Array, predicted: Array, out: Array) -> Array:
        """Set out = predicted and start Newton's method."""
        self._mean.begin_iterations()
        return super().initial_guess(before, predicted, out)

    def prescribed_work(self, first: Array, increment: Array, before: float, t: float) -> float:
        """Return [u_h]·f̄_h and the work of pressures by the mean of both ends, over all
        ranks, J.
        """
        prescribed, work = len(self._prescribed_dofs), 0.0
        if self._moved:
            travel = self._prescribed_at(t) - self._prescribed_at(before)
            work = float(travel @ self._mean_force[self._prescribed_dofs])
        if self._pressures:
            work += 0.5 * float(increment @ (first + self.prescribed_force)[prescribed:])
        return float(self.total(np.array([work]))[0])

    def factor(self, m: float, c: float, k: float) -> DirectFactor:
        """Return the factor of m M + c C + k K at the last linearisation."""
        if k == 0.0 or self._symmetric:
            return super().factor(m, c, k)
        self.factorisations += 1
        matrix, balance = self._combined(m, c, k), self._balance(m, c, k)
        return MatrixFactor(matrix, "unsymmetric", self._contact, NONE, np.zeros(0), balance)
