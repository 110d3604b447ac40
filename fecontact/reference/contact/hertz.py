r"""Hertz line contact: two parallel cylinders, or a cylinder on a plane, in plane strain.

Each body is treated as a half-plane under the load P per unit length. With
:math:`1/R = 1/R_1 + 1/R_2` and :math:`1/E^* = (1-\nu_1^2)/E_1 + (1-\nu_2^2)/E_2` the condition
that the profiles touch over :math:`|x| < a`,

.. math::  -\frac{2}{\pi E^*}\int_{-a}^{a}\frac{p(\xi)}{x - \xi}\,d\xi = -\frac{x}{R},

is met by

.. math::  p(x) = p_0\sqrt{1 - x^2/a^2},\qquad a^2 = \frac{4PR}{\pi E^*},\qquad
           p_0 = \frac{2P}{\pi a} = \frac{E^* a}{2R} .

The *approach* of the bodies is not part of the solution: the displacement of a half-plane under a
line load grows with the logarithm of the distance, so it depends on the shape and support of the
bodies and on where it is measured. Compare pressures and widths, not approaches.

Valid for :math:`a \ll R` and bodies much larger than a, without friction or between bodies of
equal elastic constants. (H. Hertz 1882; K. L. Johnson, *Contact Mechanics*, Cambridge University
Press 1985, section 4.2.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_non_negative, require_positive


@dataclass(frozen=True, kw_only=True)
class HertzPair:
    """Parameters of two elastic bodies in Hertz contact.

    radius_1, radius_2: of the bodies [m]; inf: plane
    young_1, young_2: Young's moduli [Pa]; inf: rigid
    poisson_1, poisson_2: Poisson's ratios [-]
    """

    radius_1: float
    young_1: float
    poisson_1: float
    radius_2: float = math.inf
    young_2: float = math.inf
    poisson_2: float = 0.0

    def __post_init__(self) -> None:
        name = type(self).__name__
        require_positive(self, "radius_1", "radius_2", "young_1", "young_2")
        require_non_negative(self, "poisson_1", "poisson_2")
        if max(self.poisson_1, self.poisson_2) > 0.5:
            raise ValueError(f"{name}: Poisson's ratios must not exceed 0.5.")
        if math.isinf(self.young_1) and math.isinf(self.young_2):
            raise ValueError(f"{name}: one body must be elastic.")
        if math.isinf(self.radius_1) and math.isinf(self.radius_2):
            raise ValueError(f"{name}: one body must be curved.")

    @property
    def radius(self) -> float:
        """Return R, relative radius of curvature [m]."""
        return 1.0 / (1.0 / self.radius_1 + 1.0 / self.radius_2)

    @property
    def modulus(self) -> float:
        """Return E*, contact modulus [Pa]."""
        first = (1.0 - self.poisson_1**2) / self.young_1
        second = (1.0 - self.poisson_2**2) / self.young_2
        return 1.0 / (first + second)


@dataclass(frozen=True, kw_only=True)
class HertzLineContact(HertzPair):
    """Frictionless line contact of two elastic cylinders.

    Parameters
    ----------
    load: P, compressive force per metre of depth [N/m]
    radius_1, radius_2: of the cylinders [m]; inf: plane
    young_1, young_2: Young's moduli [Pa]; inf: rigid
    poisson_1, poisson_2: Poisson's ratios [-]
    """

    load: float

    def __post_init__(self) -> None:
        super().__post_init__()
        require_positive(self, "load")
        require_finite(self, "load")

    @property
    def half_width(self) -> float:
        """Return a, half the width of the contact [m]."""
        return math.sqrt(4.0 * self.load * self.radius / (math.pi * self.modulus))

    @property
    def peak_pressure(self) -> float:
        """Return p0, pressure in the middle [Pa]."""
        return 2.0 * self.load / (math.pi * self.half_width)

    def profile(self, x: Array) -> dict[str, Array]:
        """Return pressure [Pa] at distances x from the middle [m]; zero outside the contact."""
        return {"pressure": self.peak_pressure * ellipse(x, self.half_width)}


def ellipse(x: Array, half_width: float) -> Array:
    """Return √(1 − x²/a²) inside |x| < a, zero outside (everywhere for a = 0)."""
    x = np.asarray(x, dtype=float)
    if half_width == 0.0:
        return np.zeros_like(x)
    return np.sqrt(np.maximum(1.0 - (x / half_width) ** 2, 0.0))
