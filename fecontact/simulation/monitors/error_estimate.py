"""Meshes that are too coarse for what their bodies are asked to do.

A cell can follow only so much: QUAD4 shear where they should bend, and lock where they must keep
their volume. Their stresses then disagree with those of their neighbours, from which
:mod:`fecontact.solid.output.stress` estimates by what share of its strain energy a body is too
stiff. It
is asked when a body is strained the most, and matters only where strain is a good part of all
energy: a shoe that slides as if it were rigid may be as coarse as it likes.
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.record import RunWarning

TOO_STIFF = 0.2  # share of the strain energy: a cantilever of two QUAD4 is at 0.16, of one at 0.23
LOCKED = 0.5  # of the strain energy: more than half of the stiffness is the mesh's
PART = 0.1  # of all energy, below which strain does not matter
MORE = 2.0  # strain energy, in that of the last look, at which a look is due


class Coarseness:
    """How coarse meshes were when their bodies were strained most.

    found: (bodies + 1, 3) strain energy then, J, share of it that the mesh adds, time, s; last the
    strain energy of all at the last look.
    """

    def __init__(self, bodies: int) -> None:
        self.found: Array = np.zeros((bodies + 1, 3))

    def due(self, strain: float) -> bool:
        """Whether bodies with this strain energy, J, are to be looked at."""
        if strain <= MORE * self.found[-1, 0]:
            return False
        self.found[-1, 0] = strain
        return True

    def sample(self, energy_error_estimate: Array, time: float) -> None:
        """Take account of each body's estimate, (bodies, 2) by `Solid.roughness`, at a time, s."""
        energy = energy_error_estimate.sum(axis=1)
        more = np.flatnonzero(energy > self.found[:-1, 0])
        share = energy_error_estimate[more, 0] / energy[more]
        self.found[more] = np.column_stack([energy[more], share, np.full(len(share), time)])

    def warnings(self, bodies: list[str], linear: bool, put_in: float) -> list[RunWarning]:
        """Return a warning for each body that is too stiff.

        linear: whether its cells are; put_in: all energy of the run, J.
        """
        cure = ' or set mesh.element = "quad8" or "tri6"' if linear else ""
        energy, share, time = self.found[:-1].T
        return [
            RunWarning(
                f"bodies.{bodies[b]}: the mesh is too coarse for the stresses: the estimated error "
                f"of the strain energy is {100 * share[b]:.0f} % at t = {time[b]:.4g} s (stress "
                f"jumps between elements). Refine the mesh{cure}.",
                "not trusted" if share[b] > LOCKED else "worth a look",
            )
            for b in np.flatnonzero((share > TOO_STIFF) & (energy > PART * put_in))
        ]
