"""Bodies of finite strain in steps that conserve their energy and both momenta.

    M (v₁ − v₀)/Δt + C (v₀ + v₁)/2 + f̄ = mean loads + contact forces,    f̄·[u] = [E]

f̄ is a discrete gradient of the energy of bodies of finite strain
(:mod:`fecontact.solid.hyperelastic.discrete_gradient`) and K (u₀ + u₁)/2 of linear bodies and
springs. Pressures
that follow a surface act with the mean of both ends. The derivative of f̄ is not symmetric, and is
factored as what it is: the part that is not would grow with κ/μ of rubber that hardly changes its
volume, and Newton's method without it would not end.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fecontact.arrays import Mask
from fecontact.record import Array
from fecontact.solid.conditions.foundations import nodes_on
from fecontact.solid.hyperelastic.discrete_gradient import MeanForms
from fecontact.solid.hyperelastic.follower_pressure import PressedEdges
from fecontact.solid.hyperelastic.free_bodies import FreeBodies
from fecontact.solid.hyperelastic.model import HyperelasticModel
from fecontact.solid.solid import Parts, Solid
from fecontact.solid.solvers.factor import MatrixFactor
from fecontact.solid.solvers.substructure import DirectFactor
from fecontact.solid.solvers.system import NONE


class ConservingSolid(HyperelasticModel):
    """Bodies on this rank, some of finite strain."""

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
        """Take held dofs where they are at time t; a step leads from where they were."""
        self._held_before: Array = self._full[self._held_dofs]
        super().hold(t)

    def internal(self, u: Array, out: Array) -> float:
        """out = f(u), N; returns the stored energy, J, this rank's share."""
        energy = super().internal(u, out)
        self._pressing_before = self._pressing
        return energy

    def mean_internal(self, before: Array, after: Array, out: Array) -> None:
        """out = f̄, N, with f̄·(after − before) the change of the stored energy."""
        Solid.stiffness(self, 0.5 * (before + after), out)
        self._before[:], self._after[:] = before, after
        self._full[self._free.owned] = before
        first = self._full.copy()
        first[self._held_dofs] = self._held_before
        self._full[self._free.owned] = after
        self._mean.put(first, self._full)
        self._finite.put(self._full)  # where elements may be inside out
        self._at = None
        self._force = self._mean_force = self._mean.force()
        out += self._mean_force[self._free.owned]
        if self._pressures:
            self._press(after)
            out -= 0.5 * (self._pressing_before + self._pressing)[self._free.owned]

    def linearise(self, u: Array, force: Array) -> None:
        """Take K at u for what follows."""
        super().linearise(u, force)
        self._symmetric = True

    def linearise_mean(self, force: Array) -> None:
        """Take for K the derivative of 2 f̄ by `after` of the last :meth:`mean_internal`."""
        self._stiffness_of_all = self._mean.stiffness()
        if self._pressures:
            self._pressures.add_stiffness(self._press(self._after), self._stiffness_of_all)
        self._stiffness_now = self._free.restrict(self._stiffness_of_all)
        self._symmetric = False

    def balance(self, missing: Array, m: float, out: Array) -> Array:
        """out = the rigid motion of free bodies at `after` of the last :meth:`mean_internal` that
        gives m M times it the resultants, and the moments about the mean places, of forces that are
        missing."""
        return self._bodies.balance(self._before, self._after, missing, m, out)

    def initial_guess(self, before: Array, predicted: Array, out: Array) -> Array:
        """out = predicted; Newton's method begins."""
        self._mean.begin_iterations()
        return super().initial_guess(before, predicted, out)

    def held_work(self, first: Array, increment: Array, before: float, t: float) -> float:
        """[u_h]·f̄_h, and the work of pressures by the mean of both ends, over all ranks, J."""
        prescribed, work = len(self._held_dofs), 0.0
        if self._moved:
            way = self._held_at(t) - self._held_at(before)
            work = float(way @ self._mean_force[self._held_dofs])
        if self._pressures:
            work += 0.5 * float(increment @ (first + self.held_force)[prescribed:])
        return float(self.total(np.array([work]))[0])

    def factor(self, m: float, c: float, k: float) -> DirectFactor:
        """m M + c C + k K at the state last linearised."""
        if k == 0.0 or self._symmetric:
            return super().factor(m, c, k)
        self.factorisations += 1
        matrix, balance = self._combined(m, c, k), self._balance(m, c, k)
        return MatrixFactor(matrix, "unsymmetric", self._contact, NONE, np.zeros(0), balance)
