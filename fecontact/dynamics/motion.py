"""The motion of the free dofs with its products, and how a step changes it, compiled.

The formulas are those of :mod:`fecontact.dynamics.schemes.form`: a step predicts p, finds the
correction δ, and carries everything that is linear in u, v and a along with them. Kernels take the
coefficients of a scheme one by one (:mod:`fecontact.kernels` says why).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.dynamics.schemes.form import Coefficients
from fecontact.kernels import kernel

DISTRIBUTED = ("u", "v", "a", "ku", "mv")  # what a saved state holds of a motion


@dataclass
class Motion:
    """u, v, a (m, m/s, m/s²), loads f (N), products K u, M v, M a, C v at one time.

    K u is carried from step to step by its increment: a stiff body that has travelled far has
    tiny strains in large displacements, and K times the rounding of u would be forces. M v
    follows from M a and the scheme, which is linear. (K v may not follow from K a in the same way:
    rounding of single nodes would add up to a force on the whole body.)
    support: kinetic and strain energy that moving held dofs add, J.
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
        """At rest, unloaded."""
        return Motion(*np.zeros((8, size)))


@kernel
def predict(step, v, a, p, w, *coefficients):  # type: ignore[no-untyped-def]
    """The predictor p, and the known part w of v_w."""
    scheme = Coefficients(*coefficients)
    first, second = scheme.inertia * step, scheme.inertia * step * step * scheme.a_u
    late = (1.0 - scheme.alpha_f) * step * scheme.a_v
    for i in range(len(v)):
        p[i] = first * v[i] + second * a[i]
        w[i] = v[i] + late * a[i]


@kernel
def right_side(f, f1, ku, kp, ma, cw, out, *coefficients):  # type: ignore[no-untyped-def]
    """b of A δ = b without contact; kp = K p, cw = C w."""
    scheme = Coefficients(*coefficients)
    late, early = 1.0 - scheme.alpha_f, scheme.alpha_f
    for i in range(len(out)):
        out[i] = late * (f1[i] - kp[i]) + early * f[i] - ku[i] - scheme.alpha_m * ma[i] - cw[i]


@kernel
def update(step, correction, d, u, v, a, u1, v1, a1, *coefficients):  # type: ignore[no-untyped-def]
    """u, v, a at the end of the step; d is the predictor and becomes the increment."""
    scheme = Coefficients(*coefficients)
    inverse = scheme.inertia / (scheme.beta * step * step)
    early, late = step * scheme.a_v, step * scheme.gamma
    for i in range(len(u)):
        d[i] += correction[i]
        u1[i] = u[i] + d[i]
        a1[i] = inverse * correction[i]
        v1[i] = scheme.inertia * (v[i] + early * a[i] + late * a1[i])
