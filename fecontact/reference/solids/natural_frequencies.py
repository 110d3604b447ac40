r"""Natural frequencies of beams, rings and rods, and eigenvalues of sliding friction.

* Slender beams (Euler–Bernoulli): :math:`\omega = \beta^2\sqrt{EI/\rho A}/L^2` with
  :math:`\cos\beta\cosh\beta = -1` (clamped–free) or :math:`= 1` (free–free).
* Simply supported beams with shear deformation and rotary inertia (S. P. Timoshenko 1921,
  doi:10.1080/14786442108636264), and as a plate in two dimensions: its ends have :math:`v = 0`
  and :math:`\sigma_x = 0`, which the antisymmetric wave of wave number :math:`k = n\pi/L` meets
  exactly at its nodes (H. Lamb 1917, doi:10.1098/rspa.1917.0008):

  .. math:: (k^2-q^2)^2\sin\tfrac{ph}{2}\cos\tfrac{qh}{2}
      + 4k^2pq\sin\tfrac{qh}{2}\cos\tfrac{ph}{2} = 0,
      \qquad p^2 = \omega^2/c_L^2 - k^2,\; q^2 = \omega^2/c_T^2 - k^2.

* Thin rings in their plane (R. Hoppe 1871): :math:`\omega^2 =
  \frac{EI}{\rho A R^4}\frac{n^2(n^2-1)^2}{n^2+1}`.
* Mode coupling of a mass on a belt (N. Hoffmann et al. 2002, doi:10.1016/S0093-6413(02)00254-9) and
  Hultén's brake (J.-J. Sinou & L. Jézéquel 2007, doi:10.1016/j.euromechsol.2006.03.002).
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Sequence

import numpy as np

from fecontact.arrays import Array


def _bisected(f: Callable[[float], float], low: float, high: float) -> float:
    """Return the zero of f between two points at which its signs differ."""
    at_low = f(low)
    for _ in range(200):
        middle = 0.5 * (low + high)
        if (f(middle) > 0.0) == (at_low > 0.0):
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


def slender_beam(ends: str, mode: int, length: float, speed: float, height: float) -> float:
    """Return the frequency, Hz, of a bending mode of a slender beam of rectangular section.

    ends: "clamped-free", "free-free" or "supported"; mode: from 1 on; speed: √(E/ρ), m/s.
    """
    if ends == "supported":
        beta = mode * math.pi
    elif ends == "free-free":
        guess = (mode + 0.5) * math.pi
        beta = _bisected(lambda b: math.cos(b) - 1 / math.cosh(b), guess - 0.5, guess + 0.5)
    else:
        guess = (mode - 0.5) * math.pi
        beta = _bisected(lambda b: math.cos(b) + 1 / math.cosh(b), guess - 0.6, guess + 0.6)
    return beta**2 / (2.0 * math.pi) * speed * height / math.sqrt(12.0) / length**2


def timoshenko_beam(mode: int, length: float, height: float, speed: float, poisson: float) -> float:
    """Return the frequency, Hz, of a simply supported beam with shear and rotary inertia.

    The shear coefficient is 5(1 + ν)/(6 + 5ν), that of a thin rectangular section.
    """
    k, r2 = mode * math.pi / length, height**2 / 12.0
    shear = 5.0 * (1.0 + poisson) / (6.0 + 5.0 * poisson) / (2.0 * (1.0 + poisson))
    # ω⁴ r²/(κG/ρ) − ω² (1 + k² r² (1 + E/κG)) + (E/ρ) r² k⁴ = 0
    a, c = r2 / (shear * speed**2), speed**2 * r2 * k**4
    b = 1.0 + k**2 * r2 * (1.0 + 1.0 / shear)
    return math.sqrt((b - math.sqrt(b**2 - 4.0 * a * c)) / (2.0 * a)) / (2.0 * math.pi)


def supported_plate(mode: int, length: float, height: float, speed: float, poisson: float) -> float:
    """Return the frequency, Hz, of the same beam as a thin plate in plane stress: Lamb's wave."""
    k, half = mode * math.pi / length, 0.5 * height
    long2 = speed**2 / (1.0 - poisson**2)
    shear2 = speed**2 / (2.0 * (1.0 + poisson))

    def lamb(omega: float) -> float:
        p, q = cmath.sqrt(omega**2 / long2 - k**2), cmath.sqrt(omega**2 / shear2 - k**2)
        first = (k**2 - q**2) ** 2 * cmath.sin(p * half) * cmath.cos(q * half)
        second = 4.0 * k**2 * p * q * cmath.sin(q * half) * cmath.cos(p * half)
        return ((first + second) / p).real

    near = 2.0 * math.pi * timoshenko_beam(mode, length, height, speed, poisson)
    return _bisected(lamb, 0.9 * near, 1.1 * near) / (2.0 * math.pi)


def thin_ring(waves: int, radius: float, thickness: float, speed: float) -> float:
    """Return the frequency, Hz, of the bending mode of a thin free ring with n ≥ 2 waves."""
    n = waves
    factor = n * (n**2 - 1.0) / math.sqrt(n**2 + 1.0)
    return factor * speed * thickness / (math.sqrt(12.0) * radius**2) / (2.0 * math.pi)


def rod(mode: int, length: float, speed: float, closed: bool) -> float:
    """Return the frequency, Hz, of a rod fixed at one end, the other free or closed by contact."""
    return speed / (2.0 * length) * (mode if closed else mode - 0.5)


def mode_coupling(
    springs: Sequence[float], angles: Sequence[float], contact: float, friction: float
) -> tuple[Array, float]:
    """Return λ (4,), 1/s, of a mass of 1 kg on a belt, and the critical friction coefficient.

    springs: N/m; angles: of the springs, degrees; contact: contact stiffness, N/m.
    """
    k, a = np.array(springs), np.radians(angles)
    k11, k12 = float(k @ np.cos(a) ** 2), float(k @ (np.sin(a) * np.cos(a)))
    k22 = float(k @ np.sin(a) ** 2) + contact
    critical = (k12 + (k11 - k22) ** 2 / (4.0 * k12)) / contact
    return _eigenvalues([[k11, k12 - friction * contact], [k12, k22]], [0.0, 0.0]), critical


def hulten_brake(frequencies: Sequence[float], damping: Sequence[float], friction: float) -> Array:
    """Return λ (4,), 1/s, of Hultén's brake; frequencies: Hz; damping: η₁, η₂."""
    w1, w2 = (2.0 * math.pi * f for f in frequencies)
    stiffness = [[w1**2, -friction * w2**2], [friction * w1**2, w2**2]]
    return _eigenvalues(stiffness, [damping[0] * w1, damping[1] * w2])


def hulten_limit(frequencies: Sequence[float], damping: Sequence[float]) -> float:
    """Return the friction coefficient above which Hultén's brake is unstable."""

    def growth(friction: float) -> float:
        return float(hulten_brake(frequencies, damping, friction).real.max()) - 1e-9

    return _bisected(growth, 0.0, 10.0)


def _eigenvalues(stiffness: Sequence[Sequence[float]], damping: Sequence[float]) -> Array:
    """Return λ of λ² + λ C + K = 0 with a diagonal C."""
    zero, one = np.zeros((2, 2)), np.eye(2)
    values = np.linalg.eigvals(np.block([[zero, one], [-np.array(stiffness), -np.diag(damping)]]))
    return np.asarray(values[np.argsort(values.imag)])
