"""Penetration relative to the deformation of the bodies, in a static analysis.

Between closed slave nodes a master vertex may penetrate the slave edge by a small fraction of the
edge (:mod:`fecontact.contact.interface.vertices`). With contact force F and elastic energy W the
bodies approach each other by about 2W/F. A penetration δ that is not small compared with this
approach changes the contact force by the same fraction; the measure is F δ/2W. Worn surfaces are
not judged: their shape is that of the wear.
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.contact.problem import ContactProblem
from fecontact.dynamics.loop import TimeLoop
from fecontact.record import ModelMesh, RunWarning, wrong
from fecontact.simulation.monitors.chords import chord_height

SHARE = 0.1  # of the approach of the bodies: as for penalties (SPRINGY)


class PenetrationShare:
    """Largest penetration so far, relative to the approach of the bodies.

    found: fraction and its time, s.
    """

    def __init__(self, mesh: ModelMesh, judged: bool) -> None:
        """Set up; judged: False for bodies on springs, which move like rigid bodies."""
        self._mesh, self._judged = mesh, judged
        self.found: Array = np.zeros(2)

    def sample(self, loop: TimeLoop) -> None:
        """Include the current state of a static analysis."""
        contact, strain = loop.contact, loop.ledger.strain
        if self._judged and not loop.scheme.inertia and strain > 0.0 and not contact.wear.opens:
            work = self._penetration(contact, strain)
            if work > self.found[0] * 2.0 * strain:
                self.found = np.array([work / (2.0 * strain), loop.time])

    def _penetration(self, contact: ContactProblem, strain: float) -> float:
        """Return the work of the contact forces in the penetration, J; 0 if it is negligible."""
        count = contact.size
        springs = float((contact.compliance[:count] * contact.force[:count]).max(initial=0.0))
        force = float(np.abs(contact.resultants()[:, 2]).sum())
        deep = contact.penetration - springs
        if force * deep <= self.found[0] * 2.0 * strain:
            return 0.0
        return force * (deep - chord_height(self._mesh, contact))

    def warnings(self) -> list[RunWarning]:
        """Return a warning for each exceeded limit."""
        share, time = self.found
        if share <= SHARE:
            return []
        return [
            wrong(
                f"contact: the penetration between closed slave nodes is {share:.2g} of the "
                f"deformation of the bodies at t = {time:.4g} s (limit {SHARE:g}), so contact "
                "is too compliant. Swap slave and master, so that the finer edge is the slave, "
                "or refine the slave edge."
            )
        ]
