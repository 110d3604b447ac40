"""Masses of 0 kg, and springs in series with dashpots: what has no inertia of its own.

*Massless displacements* are in equilibrium at every instant. With u = u_p + T r (constraints), N
the combinations of r without mass and R the others, H = TN (NᵀTᵀKTN)⁻¹ NᵀTᵀ is the displacement
that forces on them cause. They follow the rest: T becomes (1 − HK)TR, and u_p u_p + H(f − K u_p).

*Branches.* A dashpot c behind a spring k (Maxwell), or a dashpot at a massless displacement
(1/k = 0), deflects by z with

    (c/k) ż + z = s(t),   s = a·u its stretch,   and pulls with c ż.

Its stretch contains what its own pull moves, −a H aᵀ c ż. Differentiated once and multiplied by c,

    P z̈ + c ż = c ṡ',   P = c²/k + c a H aᵀ c,

with s' the stretch without that. So z is a coordinate with the mass P and the dashpot c, coupled to
the others by c ż on their side and −c ṡ' on its own: gyroscopic, it does no work. ½ P ż² is the
energy of the springs in the branch, c ż² the power of the dashpot. Every scheme takes it as it
is, `exact` exactly; ż(0) = P⁻¹ c s'(0) makes z the deflection itself and not another solution of
the differentiated equation.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.linalg

from fecontact.arrays import Array
from fecontact.study.errors import InputError

_NOTHING = 1e-12  # of the largest: a mass or a stiffness below is rounding


class Branches(NamedTuple):
    """b branches over s displacements.

    rows: (b, s) a; damping: (b,) c, N·s/m; compliance: (b,) 1/k, m/N.
    """

    rows: Array
    damping: Array
    compliance: Array


class Condensed(NamedTuple):
    """What is left to move. basis: (s, r) T; particular: (s,) u_p; flexibility: (s, s) H, m/N."""

    basis: Array
    particular: Array
    flexibility: Array


class BranchModes(NamedTuple):
    """Branches in coordinates y with unit mass, ż = shapes ẏ, beside the modes Φ.

    damping: (b, b) of y; coupling: (n, b) G: + G ẏ in the equations of the modes, − Gᵀ q̇ in
    those of y. shapes: (b, b). start: (b,) ẏ at t = 0.
    """

    damping: Array
    coupling: Array
    shapes: Array
    start: Array


def condense(
    mass: Array, stiffness: Array, force: Array, particular: Array, basis: Array, names: list[str]
) -> Condensed:
    """Let massless displacements follow the others; force: (s,) constant, names: of the s."""
    flexibility = np.zeros_like(mass)
    values, vectors = scipy.linalg.eigh(basis.T @ mass @ basis)
    without = values <= _NOTHING * values.max()
    if not without.any():
        return Condensed(basis, particular, flexibility)
    idle, moving = basis @ vectors[:, without], basis @ vectors[:, ~without]
    held = idle.T @ stiffness @ idle
    values, vectors = scipy.linalg.eigh(held)
    if values[0] <= _NOTHING * max(values[-1], np.abs(stiffness).max()):
        worst = names[int(np.argmax(np.abs(idle @ vectors[:, 0])))]
        raise InputError(
            f"masses.{worst.rpartition('.')[0] or worst}: the mass is 0 and no spring constrains "
            f"it in {worst.rpartition('.')[2]}. Set a mass or add a spring."
        )
    flexibility = idle @ np.linalg.solve(held, idle.T)
    moving = moving - flexibility @ stiffness @ moving
    particular = particular + flexibility @ (force - stiffness @ particular)
    return Condensed(moving, particular, flexibility)


def branch_modes(
    branches: Branches, condensed: Condensed, modes: Array, start: Array, offset: Array
) -> BranchModes:
    """start: (s,) displacement at t = 0 without the pull of the branches; offset: (b,) what moving
    anchors add to the stretches then, m."""
    c = branches.damping
    pulled = branches.rows @ condensed.flexibility @ branches.rows.T
    inertia = np.diag(c * c * branches.compliance) + c[:, None] * pulled * c
    lower = np.linalg.cholesky(inertia) if len(c) else np.zeros((0, 0))
    shapes = np.linalg.inv(lower).T
    stretch = branches.rows @ start + offset
    return BranchModes(
        damping=shapes.T @ (c[:, None] * shapes),
        coupling=(branches.rows @ modes).T @ (c[:, None] * shapes),
        shapes=shapes,
        start=shapes.T @ (c * stretch),
    )
