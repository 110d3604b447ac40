r"""Bolted lap joint: a plate clamped by friction under cyclic axial load.

A plate of axial stiffness EA is pressed on a base by a force p per length: friction carries up to
:math:`q = \mu p` per length. A force F at its end causes slip over the length on which friction
balances F; beyond this front the plate has not moved:

.. math::  l = F/q, \qquad u = \frac{F^2}{2\,EA\,q}, \qquad W = \frac{F^3}{6\,EA\,q},

displacement of the end and work dissipated: strains are :math:`(F - q x)/EA` in :math:`x < l`.
After a reversal, friction must first change sign, which takes twice the force: with :math:`\Delta`
the change of force since the reversal, displacement changes by :math:`\Delta^2/(4\,EA\,q)` and
:math:`\Delta^3/(24\,EA\,q)` are dissipated. One cycle between :math:`\pm F` dissipates
:math:`2F^3/(3\,EA\,q)`, the area of its loop. (After L. E. Goodman & J. H. Klumpp 1956, "Analysis
of slip damping with reference to turbine-blade vibration".)

Inertia is neglected: the force must vary slowly compared with the first axial period of the plate.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_positive


@dataclass(frozen=True, kw_only=True)
class LapJoint:
    """Plate under F(t) = amplitude · sin(2π frequency (t − start)) from the time `start` on.

    Parameters
    ----------
    young: E of the plate, in plane stress or with ν = 0 [Pa]
    height, length: of the plate [m]
    pressure: clamping pressure [Pa]
    friction_coefficient: μ [-]
    amplitude: largest force at the end, per metre of depth [N/m]
    frequency: of the force [Hz]
    start: start time of the force [s]
    """

    young: float
    height: float
    length: float
    pressure: float
    friction_coefficient: float
    amplitude: float
    frequency: float
    start: float = 0.0

    def __post_init__(self) -> None:
        names = ("young", "height", "length", "pressure", "friction_coefficient", "amplitude")
        require_positive(self, *names, "frequency")
        require_finite(self, *names, "frequency", "start")
        if self.slip_length > self.length:
            raise ValueError(
                f"LapJoint: friction carries {self.friction_coefficient * self.pressure:g} N/m² "
                f"over {self.length:g} m, not {self.amplitude:g} N/m: the whole plate would slide."
            )

    @property
    def slip_length(self) -> float:
        """Return the length that slips at the largest force [m]."""
        return self.amplitude / (self.friction_coefficient * self.pressure)

    @property
    def loss_of_a_cycle(self) -> float:
        """Return the work that friction dissipates in a cycle, per metre of depth [J/m]."""
        return 2.0 / 3.0 * self.amplitude**3 / self._scale

    @property
    def _scale(self) -> float:
        """Return EA q [N²/m³]."""
        return self.young * self.height * self.friction_coefficient * self.pressure

    def history(self, t: Array) -> dict[str, Array]:
        """Return force [N/m], displacement of the end [m] and dissipated work [J/m] at times t
        [s].
        """
        cycles = np.maximum(np.asarray(t, float) - self.start, 0.0) * self.frequency
        force = self.amplitude * np.sin(2.0 * math.pi * cycles)
        ways = np.floor(2.0 * cycles + 0.5)  # stages between reversals; the first is shorter
        first, upward = ways == 0.0, ways % 2.0 == 0.0
        sign = np.where(upward, 1.0, -1.0)
        change = np.abs(force + sign * self.amplitude)  # since the last reversal
        stretched = self.amplitude**2 / (2.0 * self._scale)
        displacement = np.where(
            first,
            force**2 / (2.0 * self._scale),
            sign * (change**2 / (4.0 * self._scale) - stretched),
        )
        before = (1.0 + 2.0 * (ways - 1.0)) * self.amplitude**3 / (6.0 * self._scale)
        dissipated = np.where(
            first,
            np.abs(force) ** 3 / (6.0 * self._scale),
            before + change**3 / (24.0 * self._scale),
        )
        return {"force": force, "displacement": displacement, "dissipated": dissipated}
