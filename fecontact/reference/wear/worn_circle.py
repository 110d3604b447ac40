"""Wear of a plane by a rotating rigid circle under constant feed.

The circle of radius R has penetrated a half plane by wear to the depth h; elastic deformation is
small compared with h. The removed material is the circular segment below the plane: with cos θ = 1
− h/R

    a = R sin θ = √(2 R h − h²),      V = R² (θ − sin θ cos θ)

the half-width of the contact and the volume per depth. Its surface at the angle φ from the lowest
point recedes along its normal by ḣ cos φ a second. Archard's law, ḣ cos φ = k p v with the surface
speed v of the circle, gives the pressure and its resultant against the feed

    p = ḣ cos φ / (k v),     P = ∫ p cos φ R dφ = (ḣ R / k v)(θ + sin θ cos θ).

p is almost uniform and does not depend on h: the contact widens with the depth. (Under a constant
load the wear volume is V = k P v t, which is Archard's law itself.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_positive


@dataclass(frozen=True, kw_only=True)
class WornCircle:
    """Rotating circle fed into a plane that it wears.

    Parameters
    ----------
    radius: R [m]
    depth: h, present depth [m], smaller than R
    feed: ḣ, velocity of the circle into the plane [m/s]
    speed: v of its surface [m/s]
    wear: Archard's coefficient k [1/Pa]
    middle: arc length at which the circle is lowest [m]
    """

    radius: float
    depth: float
    feed: float
    speed: float
    wear: float
    middle: float = 0.0

    def __post_init__(self) -> None:
        require_positive(self, "radius", "depth", "feed", "speed", "wear")
        require_finite(self, "radius", "depth", "feed", "speed", "wear", "middle")
        if self.depth >= self.radius:
            raise ValueError(f"depth is {self.depth:g}; it must be smaller than the radius")

    @property
    def angle(self) -> float:
        """Return θ, half of the angle in contact [rad]."""
        return math.acos(1.0 - self.depth / self.radius)

    @property
    def half_width(self) -> float:
        """Return a [m]."""
        return self.radius * math.sin(self.angle)

    @property
    def volume(self) -> float:
        """Return V, wear volume per metre of depth [m²]."""
        return self.radius**2 * (self.angle - math.sin(self.angle) * math.cos(self.angle))

    @property
    def load(self) -> float:
        """Return P, per metre of depth [N/m]."""
        widened = self.angle + math.sin(self.angle) * math.cos(self.angle)
        return self.feed * self.radius / (self.wear * self.speed) * widened

    def profile(self, x: Array) -> dict[str, Array]:
        """Return pressure [Pa] at arc lengths x [m] of the plane."""
        sine = (np.asarray(x, dtype=float) - self.middle) / self.radius
        inside = np.abs(sine) <= math.sin(self.angle)
        cosine = np.sqrt(np.maximum(1.0 - sine**2, 0.0))
        return {"pressure": np.where(inside, self.feed * cosine / (self.wear * self.speed), 0.0)}
