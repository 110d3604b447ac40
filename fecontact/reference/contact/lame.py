r"""Thick-walled cylinders and spheres under pressure, and shrink fits (Lamé 1852).

Equilibrium and Hooke's law leave for the radial displacement u(r)

.. math::  u'' + \frac{n}{r}u' - \frac{n}{r^2}u = 0,\qquad u = A r + B r^{-n},

with n = 1 for a cylinder with fixed ends (plane strain) and n = 2 for a sphere. With Lamé's
constants :math:`\lambda, \mu` the radial stress is

.. math::  \sigma_r = (2\mu + (n+1)\lambda) A - 2 n \mu B r^{-n-1},

and A, B follow from :math:`\sigma_r = -p_i` at the inner radius and :math:`-p_o` at the outer one.
The hoop stress is :math:`\sigma_\varphi = \lambda (u' + n u/r) + 2\mu u/r`. (S. P. Timoshenko & J.
N. Goodier, *Theory of Elasticity*, McGraw-Hill 1970, sections 28 and 136.)

A ring whose outer radius is larger by :math:`\Delta` than the bore it sits in is pressed by the p
at which the bore widens and the ring shrinks by :math:`\Delta` together; both are proportional to
p.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_non_negative, require_positive


@dataclass(frozen=True, kw_only=True)
class _Thick:
    """Thick wall between two radii under internal and external pressure."""

    inner: float
    outer: float
    young: float
    poisson: float
    inside: float = 0.0
    outside: float = 0.0

    _n = 1  # exponent n: 1 for a cylinder, 2 for a sphere

    def __post_init__(self) -> None:
        name = type(self).__name__
        require_positive(self, "inner", "outer", "young")
        require_non_negative(self, "poisson")
        require_finite(self, "inner", "outer", "young", "inside", "outside")
        if self.poisson >= 0.5:
            raise ValueError(f"{name}: Poisson's ratio must be less than 0.5.")
        if self.outer <= self.inner:
            raise ValueError(f"{name}: the outer radius must be larger than the inner one.")

    def _constants(self) -> tuple[float, float, float, float]:
        """Return λ, μ, A, B."""
        n, nu = self._n, self.poisson
        lame = self.young * nu / ((1 + nu) * (1 - 2 * nu))
        shear = self.young / (2 * (1 + nu))
        stiff, a, b = 2 * shear + (n + 1) * lame, self.inner, self.outer
        power = n + 1
        falling = (self.inside - self.outside) / (2 * n * shear * (a**-power - b**-power))
        uniform = (2 * n * shear * falling * a**-power - self.inside) / stiff
        return lame, shear, uniform, falling

    def displacement(self, r: float) -> float:
        """Return u, outwards, at a radius [m]."""
        _, _, uniform, falling = self._constants()
        return float(uniform * r + falling * r**-self._n)

    def profile(self, x: Array) -> dict[str, Array]:
        """Return displacement [m], radial and hoop stress [Pa] at radii x [m]."""
        r, n = np.asarray(x, dtype=float), self._n
        lame, shear, uniform, falling = self._constants()
        with np.errstate(divide="ignore", invalid="ignore"):  # no wall reaches the axis
            around = uniform + falling * r ** (-n - 1.0)
            slope = uniform - n * falling * r ** (-n - 1.0)
        trace = lame * (n + 1) * uniform
        return {
            "displacement": around * r,
            "radial_stress": trace + 2 * shear * slope,
            "hoop_stress": trace + 2 * shear * around,
        }


@dataclass(frozen=True, kw_only=True)
class ThickCylinder(_Thick):
    """Tube with fixed ends (plane strain).

    Parameters
    ----------
    inner, outer: radii [m]
    young, poisson: E [Pa], ν [-]
    inside, outside: pressures [Pa]
    """


@dataclass(frozen=True, kw_only=True)
class HollowSphere(_Thick):
    """Thick spherical shell.

    Parameters
    ----------
    inner, outer: radii [m]
    young, poisson: E [Pa], ν [-]
    inside, outside: pressures [Pa]
    """

    _n = 2


@dataclass(frozen=True, kw_only=True)
class ShrinkFit:
    """Two rings with fixed ends, joined with an interference.

    Parameters
    ----------
    inner, fit, outer: radii of the bore, of the joint and outside [m]
    interference: outer radius of the inner ring minus inner radius of the outer ring [m]
    young_inner, poisson_inner, young_outer, poisson_outer: E [Pa], ν [-]
    """

    inner: float
    fit: float
    outer: float
    interference: float
    young_inner: float
    young_outer: float
    poisson_inner: float = 0.0
    poisson_outer: float = 0.0

    def __post_init__(self) -> None:
        require_positive(self, "interference")
        require_finite(self, "interference")
        self._rings()

    def _rings(self) -> tuple[ThickCylinder, ThickCylinder]:
        """Return both rings under a pressure of 1 Pa in the joint."""
        within = ThickCylinder(
            inner=self.inner,
            outer=self.fit,
            young=self.young_inner,
            poisson=self.poisson_inner,
            outside=1.0,
        )
        around = ThickCylinder(
            inner=self.fit,
            outer=self.outer,
            young=self.young_outer,
            poisson=self.poisson_outer,
            inside=1.0,
        )
        return within, around

    @property
    def pressure(self) -> float:
        """Return p in the joint [Pa]."""
        within, around = self._rings()
        return self.interference / (around.displacement(self.fit) - within.displacement(self.fit))

    def profile(self, x: Array) -> dict[str, Array]:
        """Return pressure [Pa] in the joint."""
        return {"pressure": np.full_like(np.asarray(x, dtype=float), self.pressure)}
