r"""Partial slip of a Hertz line contact under a tangential load (Cattaneo–Mindlin).

The normal load P is applied first and stays constant; a tangential load Q per unit length then
increases from zero to :math:`|Q| \le \mu P`. Slip starts at the edges; the middle :math:`|x| < c`
sticks:

.. math::  c = a\sqrt{1 - \frac{|Q|}{\mu P}}, \qquad
           q(x) = \mathrm{sign}(Q)\,\mu p_0\Bigl[\sqrt{1 - x^2/a^2}
                  - \frac{c}{a}\sqrt{1 - x^2/c^2}\,\Bigr]

with the second root only where :math:`|x| < c`. There the two parts give opposite, equal strains of
the surfaces, :math:`\mp\mu x/R`, so all its points move together; outside :math:`q = \mu p`.

Assumption: normal and tangential problems are uncoupled, that is Dundurs' :math:`\beta = 0`,

.. math::  \beta = \frac{1}{2}\,
           \frac{(1-2\nu_1)(1+\nu_1)/E_1 - (1-2\nu_2)(1+\nu_2)/E_2}
                {(1-\nu_1^2)/E_1 + (1-\nu_2^2)/E_2},

exact for equal materials (or incompressible against rigid); other pairs are not allowed. (C.
Cattaneo 1938; R. D. Mindlin 1949; K. L. Johnson, *Contact Mechanics*, 1985, section 7.2.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_positive
from fecontact.reference.contact.hertz import HertzLineContact, ellipse


@dataclass(frozen=True, kw_only=True)
class CattaneoMindlin(HertzLineContact):
    """Hertz line contact with partial slip.

    Parameters (in addition to those of the Hertz contact)
    ----------
    tangential_load: Q per metre of depth [N/m], |Q| ≤ μP; its sign is that of the traction
    friction_coefficient: μ [-]
    """

    coupling: ClassVar[float] = 1e-9  # largest |β| treated as zero

    tangential_load: float
    friction_coefficient: float

    def __post_init__(self) -> None:
        super().__post_init__()
        name = type(self).__name__
        require_positive(self, "friction_coefficient")
        require_finite(self, "friction_coefficient", "tangential_load")
        limit = self.friction_coefficient * self.load
        if abs(self.tangential_load) > limit:
            raise ValueError(
                f"{name}: tangential_load must not exceed the friction limit "
                f"{limit:g} N/m, but is {self.tangential_load:g}."
            )
        if abs(self.dundurs_beta) > self.coupling:
            raise ValueError(
                f"{name}: the solution holds for uncoupled materials only (equal elastic "
                f"constants), but Dundurs' beta is {self.dundurs_beta:.3g}."
            )

    @property
    def dundurs_beta(self) -> float:
        """Return β, coupling of normal and tangential displacements in plane strain [-]."""
        first = (1.0 - 2.0 * self.poisson_1) * (1.0 + self.poisson_1) / self.young_1
        second = (1.0 - 2.0 * self.poisson_2) * (1.0 + self.poisson_2) / self.young_2
        return 0.5 * (first - second) * self.modulus

    @property
    def stick_half_width(self) -> float:
        """Return c, half the width of the zone that sticks [m]; 0 in full sliding."""
        ratio = abs(self.tangential_load) / (self.friction_coefficient * self.load)
        return self.half_width * math.sqrt(1.0 - ratio)

    def profile(self, x: Array) -> dict[str, Array]:
        """Return pressure and tangential traction [Pa] at distances x from the middle [m]."""
        a, c = self.half_width, self.stick_half_width
        sliding = ellipse(x, a) - c / a * ellipse(x, c)
        scale = math.copysign(self.friction_coefficient, self.tangential_load)
        return {**super().profile(x), "traction": scale * self.peak_pressure * sliding}
