"""Condensation of massless displacements, and Maxwell branches (spring and dashpot in series).

*Massless displacements* are in equilibrium at every instant. With u = u_p + T r (constraints), N
the combinations of r without mass and R the others, H = TN (NᵀTᵀKTN)⁻¹ NᵀTᵀ is the displacement
caused by forces on them. They follow the other displacements: T becomes (1 − HK)TR, and u_p becomes
u_p + H(f − K u_p).

*Branches.* A dashpot c in series with a spring k (Maxwell), or a dashpot at a massless displacement
(1/k = 0), deflects by z with

    (c/k) ż + z = s(t),   s = a·u its stretch,   and force c ż.

The stretch contains the displacement caused by the branch force, −a H aᵀ c ż. Differentiated once
and multiplied by c,

    P z̈ + c ż = c ṡ',   P = c²/k + c a H aᵀ c,

with s' the stretch without that displacement. So z is a coordinate with the mass P and the dashpot
c, coupled to the others by c ż in their equations and −c ṡ' in its own; this gyroscopic coupling
does no work. ½ P ż² is the energy of the springs in the branch, c ż² the power of the dashpot.
Every scheme integrates z like any other coordinate, `exact` without error. The initial value ż(0) =
P⁻¹ c s'(0) selects the deflection z among the solutions of the differentiated equation.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.linalg

from fecontact.arrays import Array
from fecontact.study.errors import InputError

_NOTHING = 1e-12  # of the largest mass or stiffness; smaller values are rounding


class Branches(NamedTuple):
    """b branches over s displacements.

    rows: (b, s) a; damping: (b,) c, N·s/m; compliance: (b,) 1/k, m/N.
    """

    rows: Array
    damping: Array
    compliance: Array


class Condensed(NamedTuple):
    """Condensed system. basis: (s, r) T; particular: (s,) u_p; flexibility: (s, s) H, m/N."""

    basis: Array
    particular: Array
    flexibility: Array


class BranchModes(NamedTuple):
    """Branches in coordinates y with unit mass, ż = shapes ẏ, coupled to the modes Φ.

    damping: (b, b) of y.
    coupling: (n, b) G: + G ẏ in the equations of the modes, − Gᵀ q̇ in those of y.
    shapes: (b, b).
    start: (b,) ẏ at t = 0.
    """

    damping: Array
    coupling: Array
    shapes: Array
    start: Array


def condense(
    mass: Array, stiffness: Array, force: Array, particular: Array, basis: Array, names: list[str]
) -> Condensed:
    """Condense massless displacements; force: (s,) constant, N; names: of the s displacements."""
    flexibility = np.zeros_like(mass)
    values, vectors = scipy.linalg.eigh(basis.T @ mass @ basis)
    without = values <= _NOTHING * values.max()
    if not without.any():
        return Condensed(basis, particular, flexibility)
    idle, moving = basis @ vectors[:, without], basis @ vectors[:, ~without]
    stiffness_of_idle = idle.T @ stiffness @ idle
    values, vectors = scipy.linalg.eigh(stiffness_of_idle)
    if values[0] <= _NOTHING * max(values[-1], np.abs(stiffness).max()):
        worst = names[int(np.argmax(np.abs(idle @ vectors[:, 0])))]
        raise InputError(
            f"masses.{worst.rpartition('.')[0] or worst}: the mass is 0 and no spring constrains "
            f"it in {worst.rpartition('.')[2]}. Set a mass or add a spring."
        )
    flexibility = idle @ np.linalg.solve(stiffness_of_idle, idle.T)
    moving = moving - flexibility @ stiffness @ moving
    particular = particular + flexibility @ (force - stiffness @ particular)
    return Condensed(moving, particular, flexibility)


def branch_modes(
    branches: Branches, condensed: Condensed, modes: Array, start: Array, offset: Array
) -> BranchModes:
    """Return the branches in coordinates with unit mass.

    start: (s,) displacement at t = 0 without the branch forces.
    offset: (b,) contribution of moving anchors to the stretches at t = 0, m.
    """
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
