"""Energies of the structural model at one time, and their changes in a step.

The identity is derived in :mod:`fecontact.dynamics.energy.balance`. Its terms are collected here:
those of the free dofs, summed by a kernel, those of moving supports, and the stored and dissipated
energy of nonlinear bodies.
"""

from __future__ import annotations

import math
from typing import NamedTuple, cast

import numpy as np

from fecontact.arrays import Array
from fecontact.bulk import Bulk
from fecontact.dynamics.energy.balance import Energies, StepEnergies, carry_and_add_up
from fecontact.dynamics.motion import Motion
from fecontact.dynamics.schemes import Coefficients, Scheme
from fecontact.dynamics.steps.equilibrium import Equilibrium, Times

EPSILON = float(np.finfo(float).eps)


class Increments(NamedTuple):
    """Increments of a step on the free dofs: [u], m; K times its predictor and its correction, and
    the contact forces Sᵀr, N.
    """

    u: Array
    predictor_ku: Array
    correction_ku: Array
    contact_force: Array


class EnergyAccounts:
    """Energies of a structural model in the steps of a scheme, over all ranks."""

    def __init__(self, bulk: Bulk, scheme: Scheme, equilibrium: Equilibrium) -> None:
        self._bulk, self._scheme, self.equilibrium = bulk, scheme, equilibrium
        self._coefficients = scheme.coefficients()
        self._parts = np.zeros(8)
        self._support_damping = self._damp_supports if bulk.has_damping else _no_damping

    def at(self, motion: Motion, t: float, stored: float, contact: float) -> Energies:
        """Compute the energies of a motion, and its M v.

        stored: in this rank's bodies and springs, J;
        contact: stored by penalties, J.
        """
        bulk = self._bulk
        if self._scheme.inertia:
            bulk.mass(motion.v, motion.mv)
        kinetic, elastic = bulk.total(np.array([0.5 * motion.v @ motion.mv, stored]))
        motion.support = self.of_supports(motion, t)
        springs = bulk.spring_energy(motion.u, t)
        strain = float(elastic) + motion.support[1] - springs
        return Energies(float(kinetic) + motion.support[0], strain, springs, contact)

    def of_supports(self, motion: Motion, t: float) -> tuple[float, float]:
        """Return the kinetic and strain energy added by moving prescribed dofs, J/m; a static
        analysis has no kinetic energy, even with moving supports.
        """
        kinetic, strain = self._bulk.support_energy(motion.u, motion.v, t)
        return self._coefficients.inertia * kinetic, strain

    def _damp_supports(
        self, increment: Array, before: Motion, after: Motion, times: Times
    ) -> float:
        """Return the work of C in a step added by moving supports, J/m."""
        return self._bulk.support_damping(increment, 0.5 * (before.v + after.v), *times)

    def of_step(
        self,
        size: float,
        times: Times,
        motions: tuple[Motion, Motion],
        found: Increments,
        scheme: Coefficients,
    ) -> tuple[StepEnergies, float]:
        """Return energies, works and dissipations of a step, and its relative residual of
        equilibrium.

        K u and M v of the new motion are set.
        motions: at start and end;
        scheme: that of the step.
        """
        bulk, equilibrium = self._bulk, self.equilibrium
        now, new = motions
        carry_and_add_up(
            *(self._parts, size, new.ku, new.mv),
            *found,
            *(now.a, now.f, now.ku, now.mv, now.ma, now.cv),
            *(new.v, new.a, new.f, new.ma, new.cv),
            *scheme,
        )
        parts = cast("list[float]", bulk.total(self._parts).tolist())
        kinetic, elastic, load, damping, numerical, residual, forces, works = parts
        missing = max(0.0, math.sqrt(residual) - equilibrium.rounding)
        forces += equilibrium.known**2
        imbalance = missing / math.sqrt(forces) if forces > 0.0 else 0.0
        stored, plastic, viscous, supported = equilibrium.stored_change(new.u, elastic)
        numerical -= stored + plastic + viscous - elastic - supported
        elastic, load = stored, load + supported
        new.support = self.of_supports(new, times[1])
        kinetic += new.support[0]
        elastic += new.support[1] - now.support[1]
        load += sum(new.support) - sum(now.support)  # work done by moving supports
        shared = self._support_damping(found.u, now, new, times)
        damping, load = damping + shared, load + shared
        springs = bulk.spring_energy(new.u, times[1])
        rounding = EPSILON * works + equilibrium.uncertain_work(found.u)
        spent = damping, plastic, viscous, numerical
        return StepEnergies(kinetic, elastic, springs, load, *spent, rounding), imbalance


def _no_damping(increment: Array, before: Motion, after: Motion, times: Times) -> float:
    return 0.0
