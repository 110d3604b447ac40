"""Sums over all steps of a run, independent of the saved steps.

    impulse = Σ F_n Δt,   closed time = Σ Δt of the steps that end with any slave node closed

for every contact pair, and for the energy balance the largest energy input, the largest balance
error, and the energy gain and loss of the scheme. With S(t) the energy dissipated by scheme and
normal contact in all dynamic steps since t = 0, these are

    made = max_t (max_{s ≤ t} S(s) − S(t)),   lost = max_t (S(t) − min_{s ≤ t} S(s) − V(t)),

with V the elastic energy: a suddenly applied load does twice the work stored in the equilibrium
that a damped motion approaches.

(In a static step S is not an error, for the same reason.)
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from fecontact.arrays import Array
from fecontact.dynamics.loop import TimeLoop
from fecontact.kernels import kernel


@dataclass
class Totals:
    """Sums and extremes of a run so far.

    By pair: impulse (N·s), contact_duration (s), widest (largest number of simultaneously closed
    slave nodes).
    """

    impulse: Array
    contact_duration: Array
    widest: Array
    put_in: float = 0.0  # largest initial energy + |work of loads and supports|, J
    balance_error: float = 0.0  # largest error of the energy balance, J
    ledger: float = 0.0  # numerical + contact_loss of the energy balance at the last step, J
    spent: float = 0.0  # S: the part of dynamic steps, J
    dissipated: float = 0.0  # largest S so far, J
    lowest: float = 0.0  # smallest S so far, J
    made: float = 0.0  # largest decrease of S, J …
    made_at: float = 0.0  # … and its time, s
    lost: float = 0.0  # largest increase of S, J …
    lost_at: float = 0.0  # … and its time, s
    penalties: float = 0.0  # largest energy stored by penalties, J …
    beside_penalties: float = 0.0  # … and elastic energy of bodies and springs at that time, J
    yields_at: float = 0.0  # end of the first step with plastic work, s; 0 without plastic work

    @classmethod
    def of(cls, loop: TimeLoop) -> Totals:
        """Return the totals at the start of a run."""
        pairs = len(loop.contact.pairs)
        impulse, contact_duration, widest = np.zeros((3, pairs))
        return cls(impulse, contact_duration, widest, put_in=abs(loop.ledger.initial))

    def add(self, loop: TimeLoop, step: float) -> None:
        """Include the last step, of size step (s)."""
        ledger = loop.ledger
        add_of_pairs(loop.contact.sums(), step, self.impulse, self.contact_duration, self.widest)
        given = abs(ledger.initial) + abs(ledger.stage_change)
        self.put_in = max(self.put_in, given + abs(ledger.external_work))
        self.balance_error = max(self.balance_error, abs(ledger.balance_error))
        self._add_dissipation(loop)
        if ledger.contact > self.penalties:
            self.penalties = ledger.contact
            self.beside_penalties = ledger.strain + ledger.springs
        if ledger.plastic > 0.0 and self.yields_at == 0.0:
            self.yields_at = loop.time

    def _add_dissipation(self, loop: TimeLoop) -> None:
        """Include the energy dissipated by scheme and normal contact in a step."""
        ledger = loop.ledger
        before, self.ledger = self.ledger, ledger.numerical + ledger.contact_loss
        if not loop.scheme.inertia:
            return
        self.spent += self.ledger - before
        self.dissipated = max(self.dissipated, self.spent)
        self.lowest = min(self.lowest, self.spent)
        if self.dissipated - self.spent > self.made:
            self.made, self.made_at = self.dissipated - self.spent, loop.time
        stored = ledger.strain + ledger.springs
        if self.spent - self.lowest - stored > self.lost:
            self.lost, self.lost_at = self.spent - self.lowest - stored, loop.time

    def share(self, energy: float) -> float:
        """Return an energy (J) relative to the energy input; 1 if only the input is 0."""
        return energy / self.put_in if self.put_in > 0.0 else float(energy > 0.0)

    def state(self) -> Array:
        """Return all entries in order."""
        return np.concatenate([np.ravel(getattr(self, entry.name)) for entry in fields(self)])

    def restore(self, state: Array) -> None:
        """Restore a state."""
        pairs = len(self.impulse)
        self.impulse, self.contact_duration, self.widest = (
            state[: 3 * pairs].reshape(3, pairs).copy()
        )
        for entry, value in zip(fields(self)[3:], state[3 * pairs :], strict=True):
            setattr(self, entry.name, float(value))


@kernel
def add_of_pairs(sums, step, impulse, duration, widest):  # type: ignore[no-untyped-def]
    """Add a step to the sums of each pair; sums: (P, 7) as :meth:`ContactState.sums`; step: s."""
    for p in range(len(impulse)):
        closed = sums[p, 4] + sums[p, 5]
        impulse[p] += step * sums[p, 2]
        duration[p] += step if closed > 0.0 else 0.0
        widest[p] = max(widest[p], closed)
