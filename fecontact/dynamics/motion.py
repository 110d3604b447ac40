"""The motion of the free dofs with its products, and how a step changes it, compiled.

The formulas are those of :mod:`fecontact.dynamics.schemes`: a step predicts p, finds the correction
δ, and carries everything that is linear in u, v and a along with them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.contact.bulk import Array
from fecontact.kernels import kernel

DISTRIBUTED = ("u", "v", "a", "ku", "mv")  # what a saved state holds of a motion


@dataclass
class Motion:
    """u, v, a (m, m/s, m/s²), loads f (N), products K u, M v, M a, C v at one time.

    K u is carried from step to step by its increment: a stiff body that has travelled far has
    tiny strains in large displacements, and K times the rounding of u would be forces. M v
    follows from M a and the scheme, which is linear. (K v may not follow from K a in the same way:
    rounding of single nodes would add up to a force on the whole body.)
    support: kinetic and strain energy that moving held dofs add, J per m.
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
def predict(scheme, step, v, a, p, w):  # type: ignore[no-untyped-def]
    """The predictor p, and the known part w of v_w."""
    first, second = scheme.inertia * step, scheme.inertia * step * step * scheme.a_u
    late = (1.0 - scheme.alpha_f) * step * scheme.a_v
    for i in range(len(v)):
        p[i] = first * v[i] + second * a[i]
        w[i] = v[i] + late * a[i]


@kernel
def right_side(scheme, f, f1, ku, kp, ma, cw, out):  # type: ignore[no-untyped-def]
    """b of A δ = b without contact; kp = K p, cw = C w."""
    late, early = 1.0 - scheme.alpha_f, scheme.alpha_f
    for i in range(len(out)):
        out[i] = late * (f1[i] - kp[i]) + early * f[i] - ku[i] - scheme.alpha_m * ma[i] - cw[i]


@kernel
def update(scheme, step, correction, d, u, v, a, u1, v1, a1):  # type: ignore[no-untyped-def]
    """u, v, a at the end of the step; d is the predictor and becomes the increment."""
    inverse = scheme.inertia / (scheme.beta * step * step)
    early, late = step * scheme.a_v, step * scheme.gamma
    for i in range(len(u)):
        d[i] += correction[i]
        u1[i] = u[i] + d[i]
        a1[i] = inverse * correction[i]
        v1[i] = scheme.inertia * (v[i] + early * a[i] + late * a1[i])


@kernel
def carry(scheme, step, kc, kp, ku, mv, ma, ma1, ku1, mv1, kd):  # type: ignore[no-untyped-def]
    """K u and M v at the end of the step as :func:`update` makes u and v, and K d.

    kc = K δ, kp = K p.
    """
    early, late = scheme.inertia * step * scheme.a_v, scheme.inertia * step * scheme.gamma
    for i in range(len(ku)):
        kd[i] = kp[i] + kc[i]
        ku1[i] = ku[i] + kd[i]
        mv1[i] = scheme.inertia * mv[i] + early * ma[i] + late * ma1[i]
