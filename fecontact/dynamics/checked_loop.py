"""Time loop with checks of energies and residuals after each step."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from fecontact.bulk import Bulk
from fecontact.dynamics.loop import TimeLoop
from fecontact.record import StepReport

LIMITS = {"energy.gain": 0.05, "energy.balance_error": 1e-6, "residual.equilibrium": 1e-7}
CAUSES = {
    "energy.gain": "the time scheme generates energy at impacts. Remove the mass of the contact "
    'nodes and set impact = "redistributed-mass", or set scheme = "implicit-euler".',
    "energy.balance_error": "the energy balance is not satisfied. Check that the matrices are "
    "symmetric and that load(t) returns the loads at t.",
    "residual.equilibrium": "the residual of the equations of motion is too large. Check the "
    "matrices and the boundary conditions.",
}


class CheckedLoop(TimeLoop):
    """A loop that issues a RuntimeWarning when a quality limit is first exceeded.

    model: the user's structural model; tables: contact, time, tools and functions as in a study.
    """

    model: Bulk | None = None
    tables: dict[str, Any]

    def __init__(self, *args: Any, **keys: Any) -> None:
        super().__init__(*args, **keys)
        self._put_in = abs(self.ledger.initial)
        self._dissipated = self._created = self._closure = 0.0
        self._exceeded: set[str] = set()

    @property
    def quality(self) -> dict[str, float]:
        """Return the largest spurious energy gain of scheme and contact and the error of the energy
        balance, relative to the energy input, and the largest residual of equilibrium, relative
        to its forces.
        """
        scale = max(self._put_in, self.ledger.kinetic, self.ledger.strain, 1e-300)
        return {
            "energy.gain": self._created / scale,
            "energy.balance_error": max(0.0, self._closure - self.ledger.rounding) / scale,
            "residual.equilibrium": self.statistics.largest_imbalance,
        }

    def surface(self, name: str) -> dict[str, Any]:
        """Return the current state of the slave nodes of a pair, in order along the edge.

        node: numbers of the nodes (blocks of the space); arc: arc length, m; coordinates: (n, 2)
        undeformed, m; position: (n, 2) deformed, m; then pressure, traction, gap, slip, wear depth,
        status and the other fields of :meth:`ContactProblem.surface`.
        """
        contact, edge = self.contact, self.contact.layout.edges[name]
        here = np.searchsorted(contact.nodes.node, edge.node)
        geometry = {"node": edge.node, "arc": edge.arc}
        geometry["coordinates"] = contact.nodes.coordinates[here]
        geometry["position"] = contact.position[here]
        return geometry | contact.surface(name)

    def advance(self) -> StepReport:
        """Advance by one step and check it."""
        report, ledger = super().advance(), self.ledger
        self._put_in = max(self._put_in, abs(ledger.initial) + abs(ledger.external_work))
        self._closure = max(self._closure, abs(ledger.balance_error))
        if self.scheme.inertia:
            spent = ledger.numerical + ledger.contact_loss
            self._dissipated = max(self._dissipated, spent)
            self._created = max(self._created, self._dissipated - spent)
        for name, value in self.quality.items():
            if value > LIMITS[name] and name not in self._exceeded:
                self._exceeded.add(name)
                warnings.warn(
                    f"contact_loop: {name} = {value:.3g} at t = {self.time:.4g} s exceeds its "
                    f"limit {LIMITS[name]:g}: {CAUSES[name]}",
                    RuntimeWarning,
                    stacklevel=2,
                )
        return report
