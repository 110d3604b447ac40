"""State transfer from a run to the next one on the same mesh, for example between stages.

Displacement, velocity and acceleration are kept. The acceleration of a scheme need not be that of
its forces (HHT averages them over a step). It is therefore kept as long as forces and masses are
unchanged, and recomputed only where the stage change has altered them: after static equilibrium it
is then zero, not the round-off of forces over masses.

K u is updated by its increments (:class:`fecontact.dynamics.motion.Motion`). Its difference from K
times u is transferred, too. The energy balance continues from its energies, and only the energy
added by the change is recorded, as `stage_change`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array, Mask
from fecontact.contact.state_transfer import TransferState as ContactTransferState
from fecontact.dynamics.energy.balance import Energies

FORCE_TOLERANCE = 1e-12  # of the largest force: smaller differences of forces are negligible

FIELDS = ("u", "v", "a", "beyond", "net", "ma")
"""Transferred values of each dof."""


@dataclass(frozen=True)
class TransferState:
    """Final state of a run, on the free dofs of the next run (of this rank).

    u, v, a: m, m/s, m/s²;
    beyond: K u minus K times u, N;
    net: f − K u − C v + Sᵀr, N;
    ma: M a, N; beyond, net and ma are 0 where the dof was prescribed;
    was_free: True where the dof was free;
    largest: of the forces in net, N;
    energies: at the end of the run;
    contact: by :func:`fecontact.contact.state_transfer.export_state`;
    ledger, counts: None if those of the next run start from zero.
    """

    u: Array
    v: Array
    a: Array
    beyond: Array
    net: Array
    ma: Array
    was_free: Mask
    largest: float
    energies: Energies
    contact: ContactTransferState
    ledger: Array | None = None
    counts: Array | None = None

    def differs(self, net: Array, ma: Array) -> float:
        """Return the number of dofs of this rank whose forces or masses differ from before."""
        limit = FORCE_TOLERANCE * self.largest
        same = (np.abs(net - self.net) <= limit) & (np.abs(ma - self.ma) <= limit)
        return float(np.count_nonzero(~(same & self.was_free)))
