"""What a run hands over to one that follows on the same mesh: a stage to the next.

Displacement, velocity and acceleration go on as they are. The acceleration of a scheme need not be
the one that its forces give (HHT weighs them over a step), so it is kept as long as forces and
masses are what they were, and found anew only where the change has altered them: after static
equilibrium it is then zero, not the rounding of forces over masses.

K u is carried by its increments (:class:`fecontact.dynamics.motion.Motion`): what it has beyond K
times u as it stands goes on, too. Likewise the ledger goes on from the energies it has, and only
what the change has added to them is booked, as `stage_change`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array, Mask
from fecontact.contact.state_transfer import TransferState as HandedContact
from fecontact.dynamics.energy.balance import Energies

SAME = 1e-12  # relative to the largest force: forces that differ by less are the same

FIELDS = ("u", "v", "a", "beyond", "net", "ma")
"""What is handed over of each dof."""


@dataclass(frozen=True)
class TransferState:
    """The end of a run, on the free dofs of the one that follows (of this rank).

    u, v, a: m, m/s, m/s²; beyond: what K u has beyond K times u, net: f − K u − C v + Sᵀr, ma: M a,
    N, all three 0 where the dof was held; was_free: where it was not; largest: of the forces that
    net is made of, N. energies: as they were; contact: by
    :func:`fecontact.contact.state_transfer.hand_over`. ledger and counts are None if those of the
    run that follows begin anew.
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
    contact: HandedContact
    ledger: Array | None = None
    counts: Array | None = None

    def differs(self, net: Array, ma: Array) -> float:
        """How many dofs of this rank have other forces or masses than before."""
        limit = SAME * self.largest
        same = (np.abs(net - self.net) <= limit) & (np.abs(ma - self.ma) <= limit)
        return float(np.count_nonzero(~(same & self.was_free)))
