"""Motion of the free dofs with its products, and compiled kernels for its update in a step.

The formulas are those of :mod:`fecontact.dynamics.schemes.form`: a step predicts p, solves for the
correction δ, and updates all products that are linear in u, v and a. Kernels take the coefficients
of a scheme one by one (see :mod:`fecontact.kernels`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.dynamics.schemes.form import Coefficients
from fecontact.kernels import kernel

DISTRIBUTED = ("u", "v", "a", "ku", "mv")  # vectors of a motion in a saved state


@dataclass
class Motion:
    """u, v, a (m, m/s, m/s²), loads f (N), products K u, M v, M a, C v at one time.

    K u is updated by its increments: a stiff body that has travelled far has small strains in large
    displacements, and K times the round-off of u would give spurious forces. M v follows from M a
    and the scheme, which is linear. (K v must not follow from K a likewise, because round-off of
    single nodes would accumulate to a force on the whole body.)

    support: kinetic and strain energy added by moving prescribed dofs, J.
    """

    u: Array
    v: Array
    a: Array
    f: Array
    ku: Array
    mv: Array
    ma: Array
    cv: Array
    support: tuple[float, float] = (0.0, 0.0)

    @staticmethod
    def zero(size: int) -> Motion:
        """Return a motion at rest without loads."""
        return Motion(*np.zeros((8, size)))


@kernel
def predict(step, v, a, p, w, *coefficients):  # type: ignore[no-untyped-def]
    """Compute the predictor p and the known part w of v_w."""
    scheme = Coefficients(*coefficients)
    first, second = scheme.inertia * step, scheme.inertia * step * step * scheme.a_u
    late = (1.0 - scheme.alpha_f) * step * scheme.a_v
    for i in range(len(v)):
        p[i] = first * v[i] + second * a[i]
        w[i] = v[i] + late * a[i]


@kernel
def right_side(u, p, predicted, f, f1, ku, kp, *others):  # type: ignore[no-untyped-def]
    """Compute u + p and b of A δ = b without contact; kp = K p.

    others: M a, C w, b and the coefficients of the scheme.
    """
    (ma, cw, out), scheme = others[:3], Coefficients(*others[3:])
    late, early = 1.0 - scheme.alpha_f, scheme.alpha_f
    for i in range(len(out)):
        predicted[i] = u[i] + p[i]
        out[i] = late * (f1[i] - kp[i]) + early * f[i] - ku[i] - scheme.alpha_m * ma[i] - cw[i]


@kernel
def update(step, correction, d, *others):  # type: ignore[no-untyped-def]
    """Compute u, v, a at the end of the step; d is the predictor and becomes the increment.

    others: u, v, a at the start and at the end, and the coefficients of the scheme.
    """
    (u, v, a, u1, v1, a1), scheme = others[:6], Coefficients(*others[6:])
    inverse = scheme.inertia / (scheme.beta * step * step)
    early, late = step * scheme.a_v, step * scheme.gamma
    for i in range(len(u)):
        d[i] += correction[i]
        u1[i] = u[i] + d[i]
        a1[i] = inverse * correction[i]
        v1[i] = scheme.inertia * (v[i] + early * a[i] + late * a1[i])
