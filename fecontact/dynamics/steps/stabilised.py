"""Static steps that follow a jump to the next equilibrium by damped motion.

A static step fails, or releases energy, where a body has no equilibrium near the last one: it is
not yet in contact, it slips, or it snaps through a limit point. With stabilisation, the body then
moves at constant loads against a viscous force,

    m D [u] + f(u) = F + Sᵀ r,

in steps of implicit Euler, where D is the mass matrix of a fictitious density (its stiffness over
the square of the size of the model) and m decreases while the motion converges. The last step has
m = 0: the equilibrium found is that of the static analysis and does not contain any damping force.

The work of the viscous forces is the energy that the jump releases. It is part of the energy
balance as `stabilization`. Outside of jumps no damping acts.

A step with D must release energy, [u]·(b + Sᵀr) > 0; otherwise m is too small for a tangent that is
not positive definite (compare pseudo-transient continuation, C. T. Kelley & D. E. Keyes 1998,
doi:10.1137/S0036142996304796). m stays above one that was too small for some steps: the tangent
changes little in a step, so that the same m would fail again.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from fecontact.arrays import Array
from fecontact.contact.failure import ContactFailure
from fecontact.dynamics.control.base import Control
from fecontact.dynamics.failure import JUMPED, NO_EQUILIBRIUM, StepFailure
from fecontact.dynamics.steps.equilibrium import Weights
from fecontact.dynamics.steps.time_step import TimeStep

FASTER, SLOWER = 0.5, 4.0  # factors of m after a step that succeeded, and after one that failed
FORGOTTEN = 0.9  # factor, per step, of the m that failed; twice that value is a lower limit of m
LARGEST = 1e9  # of m
RELEASED = 0.1  # of the work of a step: a larger energy released in it indicates a jump
SIGNIFICANT = 1e-2  # of the stored energy: a smaller release is that of single contact nodes
AT_REST = 1e-7  # viscous force relative to the others at which the motion has ended
MAX_STEPS = 1000  # of a jump
FAILURES = (StepFailure, ContactFailure, np.linalg.LinAlgError)


class Jump(NamedTuple):
    """A jump to another equilibrium: its time, s, the increment of the free dofs, m, and the
    released energy, J.
    """

    time: float
    increment: Array
    energy: float


class StabilisedStep(TimeStep):
    """A static step, and the damped steps of a jump.

    weight: m, 0 outside of jumps;
    factor: of the first m of a jump.
    """

    weight = 0.0
    factor = 1.0

    def choose_stages(self, control: Control) -> None:
        super().choose_stages(control)
        self._stages.insert(
            self._stages.index(self._assemble_right_side), self._clear_viscous_force
        )
        self._stages.insert(self._stages.index(self._update) + 1, self._add_viscous_force)
        self._stages.insert(self._stages.index(self._balance_energy) + 1, self._check_path)

    def weights(self, size: float) -> Weights:
        m, c, k = super().weights(size)
        return m + self.weight, c, k

    def _clear_viscous_force(self) -> None:
        self.new.cv[:] = 0.0

    def _add_viscous_force(self) -> None:
        """Set the viscous force at the end of the step; a step must release energy."""
        self.bulk.mass(self.correction, self.new.cv)
        self.new.cv *= self.weight
        right, contact, viscous_force = self.right, self.found.contact_force, self.new.cv
        # At rest in contact, the sum of both forces vanishes with the viscous force: their squares
        # are added, so that the motion ends although m has not become small.
        others = right @ right + contact @ contact
        down, viscous, others = self.bulk.total(
            np.array([(right + contact) @ self.correction, viscous_force @ viscous_force, others])
        )
        self._speed = math.sqrt(viscous / others) if others > 0.0 else 0.0
        if self.weight and not down >= 0.0:
            raise StepFailure(NO_EQUILIBRIUM)

    def _check_path(self) -> None:
        """Raise StepFailure if a static step has released energy, as a jump does.

        On a path of equilibria the loads do the work that is stored. The trapezoidal rule has an
        error of the third order in the step, so that a shorter step releases a smaller fraction.
        """
        energies = self.energies
        work = abs(energies.load) + abs(energies.elastic_change)
        stored = self.ledger.strain + self.ledger.springs
        least = max(RELEASED * work, SIGNIFICANT * stored, energies.rounding)
        if not self.weight and not self._settling and energies.numerical > least:
            raise StepFailure(JUMPED)

    def _commit(self) -> None:
        released = self.energies.damping + self.energies.numerical
        if self.weight or self._settling:
            self.energies = self.energies._replace(
                damping=0.0, numerical=0.0, stabilization=released
            )
        super()._commit()

    _settling = False  # True for the last step of a jump, without damping

    def jump(self, start: float, end: float, size: float) -> tuple[int, Jump]:
        """Move to the equilibrium of the loads at `end`; return contact iterations and the jump.

        Raise the failure of the last damped step if there is no such equilibrium.
        """
        before, released = self.now.u.copy(), self.ledger.stabilization
        self.equilibrium.forget()
        try:
            self._move(start, end, size)
            self.weight, self._settling = 0.0, True
            iterations = self(end, end, size)
        finally:
            self.weight, self._settling = 0.0, False
        self.equilibrium.forget()
        energy = self.ledger.stabilization - released
        return iterations, Jump(end, self.now.u - before, energy)

    def _move(self, start: float, end: float, size: float) -> None:
        """Make damped steps until the motion has ended."""
        weight, failed = self.factor, 0.0
        for _ in range(MAX_STEPS):
            self.weight = weight
            try:
                self(start, end, size)
            except FAILURES:
                failed, weight = weight, weight * SLOWER
                if weight > LARGEST:
                    raise
                continue
            failed *= FORGOTTEN
            start, weight = end, max(weight * FASTER, min(weight, 2.0 * failed))
            self.equilibrium.forget()
            if self._speed <= AT_REST:
                return
        raise StepFailure(NO_EQUILIBRIUM)
