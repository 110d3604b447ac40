"""Statistics of a run: cost and quality of its steps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.contact.problem import ContactProblem, ContactStep


@dataclass
class Statistics:
    """Counts and extremes of a run so far; a stage continues those of the previous stages."""

    steps: int = 0
    iterations: int = 0
    max_iterations: int = 0
    pairings: int = 0
    cuts: int = 0
    factorisations: int = 0
    deepest_penetration: float = 0.0  # m
    largest_contact_force: float = 0.0  # N per m
    largest_contact_residual: float = 0.0  # N per m
    largest_contact_rounding: float = 0.0  # N per m; round-off in that residual
    largest_imbalance: float = 0.0  # of a step's equilibrium, relative to its forces
    output_times: int = 0  # times included in histories: steps, or multiples of the largest one
    rejected: int = 0  # steps that were solved but rejected for their error
    beyond_tolerance: int = 0  # smallest steps above the tolerance, accepted nevertheless
    chosen_step: float = 0.0  # s, by error control, for the next step
    largest_kinetic: float = 0.0  # J per m; computed if errors are controlled
    last_step: float = 0.0  # s, the size of the last step

    def count(self, contact: ContactProblem, step: ContactStep, imbalance: float) -> None:
        """Add a completed step."""
        self.steps += 1
        self.iterations += step.iterations
        self.max_iterations = max(self.max_iterations, step.iterations)
        self.pairings += step.pairings
        self.deepest_penetration = max(self.deepest_penetration, contact.penetration)
        self.largest_contact_force = max(self.largest_contact_force, contact.largest_force)
        self.largest_contact_residual = max(self.largest_contact_residual, contact.residual)
        self.largest_contact_rounding = max(self.largest_contact_rounding, contact.rounding)
        self.largest_imbalance = max(self.largest_imbalance, imbalance)

    @property
    def contact_error(self) -> tuple[float, float, float]:
        """Return the largest contact residual, its round-off, and the reference force, N/m.

        The reference is the largest contact force. If bodies touch without any force, it is zero,
        and a residual explained by round-off is not an error.
        """
        residual, rounding = self.largest_contact_residual, self.largest_contact_rounding
        if self.largest_contact_force == 0.0 and residual <= rounding:
            return 0.0, 0.0, 1.0
        return residual, rounding, max(self.largest_contact_force, 1e-300)

    def as_dict(self, adaptive: bool) -> dict[str, float]:
        """Return the recorded entries by name."""
        of_error_control = ("rejected", "beyond_tolerance")
        inner = ("output_times", "chosen_step", "largest_kinetic", "last_step")
        hidden = inner if adaptive else inner + of_error_control
        return {name: value for name, value in vars(self).items() if name not in hidden}

    def state(self) -> Array:
        """Return all entries in order."""
        return np.array(list(vars(self).values()), float)

    def restore(self, state: Array) -> None:
        """Restore a state."""
        for name, value in zip(vars(self), state, strict=True):
            setattr(self, name, type(getattr(self, name))(value))
