"""Penetration relative to the deformation of the bodies, in a static analysis.

Between closed slave nodes a master vertex may penetrate the slave edge by a small fraction of the
edge (:mod:`fecontact.contact.interface.vertices`). With contact force F and elastic energy W the
bodies approach each other by about 2W/F. A penetration δ that is not small compared with this
approach makes the contact too compliant; the measure is F δ/2W. Worn surfaces are not judged: their
shape is that of the wear.
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.dynamics.loop import TimeLoop
from fecontact.record import ModelMesh, RunWarning, wrong
from fecontact.simulation.monitors.contact_limits import chord_height

SHARE = 0.1  # of the approach of the bodies: as for penalties (SPRINGY)


class PenetrationShare:
    """Largest share of the penetration in the approach so far; found: share and its time, s."""

    def __init__(self, mesh: ModelMesh, judged: bool) -> None:
        """Set up; judged: False for bodies on springs, which move like rigid bodies."""
        self._mesh, self._judged = mesh, judged
        self.found: Array = np.zeros(2)

    def sample(self, loop: TimeLoop) -> None:
        """Include the current state of a static analysis."""
        contact, strain = loop.contact, loop.ledger.strain
        if (
            not self._judged
            or loop.scheme.inertia
            or strain <= 0.0
            or contact.penetration <= 0.0
            or contact.wear.opens
        ):
            return
        count = contact.size
        springs = float((contact.compliance[:count] * contact.force[:count]).max(initial=0.0))
        force = float(np.abs(contact.resultants()[:, 2]).sum())
        if force * (contact.penetration - springs) <= self.found[0] * 2.0 * strain:
            return
        deep = contact.penetration - springs - chord_height(self._mesh, contact)
        share = force * deep / (2.0 * strain)
        if share > self.found[0]:
            self.found = np.array([share, loop.time])

    def warnings(self) -> list[RunWarning]:
        """Return a warning if the limit is exceeded."""
        share, time = self.found
        if share <= SHARE:
            return []
        return [
            wrong(
                f"contact: the penetration between closed slave nodes is {share:.2g} of the "
                f"deformation of the bodies at t = {time:.4g} s (limit {SHARE:g}), so contact is "
                "too compliant. Swap slave and master, so that the finer edge is the slave, or "
                "refine the slave edge."
            )
        ]
