"""Zienkiewicz–Zhu error estimate: warn if a mesh is too coarse.

`quad4` elements lock in shear under bending and lock volumetrically if nearly incompressible. Their
stresses then differ from those of neighbouring elements, from which
:mod:`fecontact.solid.output.stress` estimates the error as a fraction of the strain energy of a
body. The estimate is evaluated when a body has its largest strain energy. It matters only if strain
is a large part of the total energy: a shoe that slides almost rigidly may have a coarse mesh.
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.record import RunWarning, wrong

TOO_STIFF = 0.2  # fraction of the strain energy: a cantilever of two quad4 has 0.16, of one 0.23
LOCKED = (
    0.3  # limit: with 0.23 the force of a roller on a coarse block is right, with 0.35 it is not
)
PART = 0.1  # of the total energy, below which strain is negligible
MORE = 2.0  # increase of the strain energy since the last sample at which a sample is due


class Coarseness:
    """Error estimates of the bodies at their largest strain energy.

    found: (bodies + 1, 3) strain energy, J, fraction of it added by the mesh, time, s; the last row
        contains the total strain energy at the last sample.
    """

    def __init__(self, bodies: int) -> None:
        self.found: Array = np.zeros((bodies + 1, 3))

    def due(self, strain: float) -> bool:
        """Return True if bodies with this strain energy, J, must be sampled."""
        if strain <= MORE * self.found[-1, 0]:
            return False
        self.found[-1, 0] = strain
        return True

    def sample(self, energy_error_estimate: Array, time: float) -> None:
        """Include the estimate of each body, (bodies, 2) by `Solid.energy_error_estimate`, at a
        time, s.
        """
        energy = energy_error_estimate.sum(axis=1)
        more = np.flatnonzero(energy > self.found[:-1, 0])
        share = energy_error_estimate[more, 0] / energy[more]
        self.found[more] = np.column_stack([energy[more], share, np.full(len(share), time)])

    def warnings(
        self, bodies: list[str], linear: bool, put_in: float, locked: dict[str, str]
    ) -> list[RunWarning]:
        """Return a warning for each body that is too stiff.

        linear: True for bodies of linear elements.
        put_in: total energy input of the run, J.
        locked: warnings for bodies that lock volumetrically, by name. Their error is one of the
            pressure, which has little energy, so the estimate does not show it.
        """
        cure = ' or set mesh.element = "quad8" or "tri6"' if linear else ""
        energy, share, time = self.found[:-1].T
        strained = [name for name, e in zip(bodies, energy, strict=True) if e > PART * put_in]
        return [
            *(wrong(locked[name]) for name in strained if name in locked),
            *(
                RunWarning(
                    f"bodies.{bodies[b]}: the mesh is too coarse for the stresses: the estimated "
                    f"error of the strain energy is {100 * share[b]:.0f} % at t = {time[b]:.4g} s "
                    f"(stress jumps between elements; not trusted above {100 * LOCKED:.0f} %). "
                    f"Refine the mesh{cure}.",
                    "not trusted" if share[b] > LOCKED else "warning",
                )
                for b in np.flatnonzero((share > TOO_STIFF) & (energy > PART * put_in))
            ),
        ]
