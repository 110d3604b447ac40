r"""Mass on a generalised Zener element under a step displacement of its far end (SDND107).

The element is a spring :math:`k_1` in series with a spring :math:`k_2` and, in parallel, a spring
:math:`k_3` in series with a dashpot :math:`c`. With the stretch :math:`s = d - x` of the whole,
:math:`w` of the second part and :math:`z` of the dashpot,

.. math::  F = k_1(s - w) = k_2 w + k_3(w - z),\qquad c\dot z = k_3(w - z),\qquad m\ddot x = F,

so that :math:`w = (k_1 s + k_3 z)/(k_1 + k_2 + k_3)` and :math:`(x - d, \dot x, z)` obeys a linear
system of three equations with constant coefficients. Its solution is :math:`\sum_j a_j e^{\lambda_j
t}` with the eigenvalues :math:`\lambda_j` of the system: one real, two complex, which SDND107 gives
as fractions with eight correct digits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_positive


@dataclass(frozen=True, kw_only=True)
class ZenerOscillator:
    """Mass at rest at x = 0 on an element whose far end is displaced by d at t = 0.

    Parameters
    ----------
    mass: m [kg]
    series_stiffness: k_1 [N/m]
    stiffness: k_2 [N/m]
    branch_stiffness: k_3 [N/m]
    damping: c [N·s/m]
    displacement: d of the far end [m]
    """

    mass: float
    series_stiffness: float
    stiffness: float
    branch_stiffness: float
    damping: float
    displacement: float

    def __post_init__(self) -> None:
        stiffnesses = ("series_stiffness", "stiffness", "branch_stiffness")
        require_positive(self, "mass", "damping", *stiffnesses)
        require_finite(self, *self.__dataclass_fields__)

    def _system(self) -> tuple[Array, Array]:
        """Return the matrix of (x − d, ẋ, z), and the row that gives the force."""
        k1, k2, k3 = self.series_stiffness, self.stiffness, self.branch_stiffness
        whole = k1 + k2 + k3
        part = np.array([-k1, 0.0, k3]) / whole  # w
        force = k1 * (np.array([-1.0, 0.0, 0.0]) - part)
        drag = k3 / self.damping * (part - np.array([0.0, 0.0, 1.0]))
        return np.array([[0.0, 1.0, 0.0], force / self.mass, drag]), force

    def history(self, t: Array) -> dict[str, Array]:
        """Return the displacement of the mass [m] and force of the element [N]."""
        matrix, force = self._system()
        rates, vectors = np.linalg.eig(matrix)
        weights = np.linalg.solve(vectors, np.array([-self.displacement, 0.0, 0.0]))
        motion = (vectors * weights) @ np.exp(np.outer(rates, np.asarray(t, dtype=float)))
        return {
            "displacement": self.displacement + motion[0].real,
            "force": (force @ motion).real,
        }
