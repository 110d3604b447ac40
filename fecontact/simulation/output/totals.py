"""What a run adds up over all its steps, whichever of them its history keeps.

    impulse = Σ F_n Δt,   closed time = Σ Δt of the steps that end with some slave node closed

of every contact pair, and of the ledger the largest energy input, its largest balance error, and
the energy that the scheme has made or lost. With S(t) the energy that scheme and normal contact
have dissipated in all dynamic steps since t = 0, these are

    made = max_t (max_{s ≤ t} S(s) − S(t)),   lost = max_t (S(t) − min_{s ≤ t} S(s) − V(t)),

V being the elastic energy: a load applied at once does twice the work that is stored in the
equilibrium which a damped motion ends in.

(In a static step S is no error, for the same reason.)
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from fecontact.arrays import Array
from fecontact.dynamics.loop import TimeLoop
from fecontact.kernels import kernel


@dataclass
class Totals:
    """Sums and extremes of a run so far; by pair: impulse (N·s), contact_duration (s), widest (the
    most slave nodes that were closed at once)."""

    impulse: Array
    contact_duration: Array
    widest: Array
    put_in: float = 0.0  # largest of energies given + |work of loads and supports|, J
    balance_error: float = 0.0  # largest error of the ledger, J
    ledger: float = 0.0  # numerical + contact_loss of the energy balance at the last step, J
    spent: float = 0.0  # S: the part of that of dynamic steps, J
    dissipated: float = 0.0  # largest S so far, J
    lowest: float = 0.0  # smallest S so far, J
    made: float = 0.0  # deepest fall of S, J …
    made_at: float = 0.0  # … and its time, s
    lost: float = 0.0  # largest rise of S, J …
    lost_at: float = 0.0  # … and its time, s
    penalties: float = 0.0  # largest energy stored by penalties, J …
    beside_penalties: float = 0.0  # … and elastic energy of bodies and springs then, J
    yields_at: float = 0.0  # end of the first step with plastic work, s; 0 if there is none

    @classmethod
    def of(cls, loop: TimeLoop) -> Totals:
        """Those of a run that begins."""
        pairs = len(loop.contact.pairs)
        impulse, contact_duration, widest = np.zeros((3, pairs))
        return cls(impulse, contact_duration, widest, put_in=abs(loop.ledger.initial))

    def add(self, loop: TimeLoop, step: float) -> None:
        """Take account of a step, of size step (s), that has just been made."""
        ledger = loop.ledger
        add_of_pairs(loop.contact.sums(), step, self.impulse, self.contact_duration, self.widest)
        given = abs(ledger.initial) + abs(ledger.stage_change)
        self.put_in = max(self.put_in, given + abs(ledger.external_work))
        self.balance_error = max(self.balance_error, abs(ledger.balance_error))
        self._judge(loop)
        if ledger.contact > self.penalties:
            self.penalties = ledger.contact
            self.beside_penalties = ledger.strain + ledger.springs
        if ledger.plastic > 0.0 and self.yields_at == 0.0:
            self.yields_at = loop.time

    def _judge(self, loop: TimeLoop) -> None:
        """Take account of the energy that scheme and normal contact have dissipated in a step."""
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
        """An energy (J) relative to the energy put in; 1 if it came from nothing."""
        return energy / self.put_in if self.put_in > 0.0 else float(energy > 0.0)

    def state(self) -> Array:
        """All entries in order."""
        return np.concatenate([np.ravel(getattr(self, entry.name)) for entry in fields(self)])

    def restore(self, state: Array) -> None:
        """Return to a state."""
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
