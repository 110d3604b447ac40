"""Errors of the gap relative to the deformation of the bodies, in a static analysis.

Between closed slave nodes a master vertex may penetrate the slave edge by a small fraction of the
edge (:mod:`fecontact.contact.interface.vertices`). On curved sides the gap of a node is measured to
a chord of the other side, which is off the curve by up to its height. With contact force F and
elastic energy W the bodies approach each other by about 2W/F. A gap error δ that is not small
compared with this approach changes the contact force by the same fraction; the measure is F δ/2W.
Worn surfaces are not judged: their shape is that of the wear.
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.contact.problem import ContactProblem
from fecontact.dynamics.loop import TimeLoop
from fecontact.record import ModelMesh, RunWarning, wrong
from fecontact.simulation.monitors.contact_limits import chord_height, heights_at_nodes

SHARE = 0.1  # of the approach of the bodies: as for penalties (SPRINGY)
ON_AN_EDGE = 3  # entries of a row of a node over a straight edge: the node and both ends


class PenetrationShare:
    """Largest gap errors so far, relative to the approach of the bodies.

    found: fraction and its time, s, of the penetration and of the heights over chords.
    """

    def __init__(self, mesh: ModelMesh, judged: bool) -> None:
        """Set up; judged: False for bodies on springs, which move like rigid bodies."""
        self._mesh, self._judged = mesh, judged
        self._heights: Array | None = None
        self.found: Array = np.zeros((2, 2))

    def sample(self, loop: TimeLoop) -> None:
        """Include the current state of a static analysis."""
        contact, strain = loop.contact, loop.ledger.strain
        if self._judged and not loop.scheme.inertia and strain > 0.0 and not contact.wear.opens:
            for k, work in enumerate([self._penetration(contact, strain), self._chords(contact)]):
                if work > self.found[k, 0] * 2.0 * strain:
                    self.found[k] = work / (2.0 * strain), loop.time

    def _penetration(self, contact: ContactProblem, strain: float) -> float:
        """Return the work of the contact forces in the penetration, J; 0 if it is negligible."""
        count = contact.size
        springs = float((contact.compliance[:count] * contact.force[:count]).max(initial=0.0))
        force = float(np.abs(contact.resultants()[:, 2]).sum())
        deep = contact.penetration - springs
        if force * deep <= self.found[0, 0] * 2.0 * strain:
            return 0.0
        return force * (deep - chord_height(self._mesh, contact))

    def _chords(self, contact: ContactProblem) -> float:
        """Return the work of the nodal contact forces in the heights over the chords, J.

        At the fraction w of a chord from one end, a curve of height h is 4 w (1 − w) h off it. The
        errors of convex and hollow sides have opposite signs and partly cancel.
        """
        if self._heights is None:
            self._heights = self._heights_at_nodes(contact)
        if not self._heights.any():
            return 0.0
        rows = contact.rows.rows
        acting = (contact.force[: contact.size] > 0.0) & (rows.used == ON_AN_EDGE)
        entries = rows.start[:-1][acting][:, None] + np.arange(ON_AN_EDGE)
        size = np.linalg.norm(rows.normal[entries], axis=2)
        order = np.argsort(size, axis=1)  # the node itself is the last
        size = np.take_along_axis(size, order, 1)
        nodes = contact.nodes.node[np.take_along_axis(rows.node[entries], order, 1)]
        height = self._heights[nodes[:, :2]].mean(axis=1)
        off = 4.0 * size[:, 0] * size[:, 1] / size[:, 2] ** 2 * height
        return abs(float(contact.force[: contact.size][acting] @ off))

    def _heights_at_nodes(self, contact: ContactProblem) -> Array:
        """Return the heights over the chords of straight-edged sides at all mesh nodes, m."""
        heights = np.zeros(len(self._mesh.points))
        for pair in contact.pairs:
            settings = pair.settings
            closed = settings.gap_closure_tolerance is not None  # without the chords' gaps
            if pair.tool is None and not settings.integrated and not closed:
                for side in (pair.slave, pair.master):
                    if side.shape[1] == 2:
                        found = heights_at_nodes(self._mesh.points, side)
                        heights[list(found)] = list(found.values())
        return heights

    def warnings(self) -> list[RunWarning]:
        """Return a warning for each exceeded limit."""
        (share, time), (chords, then) = self.found
        found = []
        if share > SHARE:
            found.append(
                wrong(
                    f"contact: the penetration between closed slave nodes is {share:.2g} of the "
                    f"deformation of the bodies at t = {time:.4g} s (limit {SHARE:g}), so contact "
                    "is too compliant. Swap slave and master, so that the finer edge is the slave, "
                    "or refine the slave edge."
                )
            )
        if chords > SHARE:
            found.append(
                wrong(
                    f"contact: the straight edges of a curved side deviate from the curve by "
                    f"{chords:.2g} of the deformation of the bodies at t = {then:.4g} s (limit "
                    f"{SHARE:g}), so the contact pressure is wrong. Refine both edges, give them "
                    'matching nodes, or set mesh.element = "quad8".'
                )
            )
        return found
