"""Corotated frame of a body: position, rotation, and deformation relative to the frame.

A body with large rotation and small strain is linear elastic in corotated axes. With nodal masses
m, positions X relative to the centre of mass and r = x − c, c = Σ m x / Σ m, the rotation θ
minimises the deformation Σ m |r̂ − X|² with r̂ = Rᵀr. This is the polar condition Σ m X × Rᵀr = 0,
in the plane

    tan θ = Σ m X × r / Σ m X · r,      ū = Rᵀ r − X,      E = ½ ū·K ū.

With ∂θ/∂x = q = m R J X / h, h = Σ m X·Rᵀr and J the rotation by 90°, the internal force is

    f = ∂E/∂x = R K ū − [(J ū)·K ū] q.

Its resultant and moment vanish: K is zero for translations, and the term in q removes the moment of
the forces in the reference frame about the deformed body. (Corotational frames: Felippa & Haugen
2005, doi:10.1016/j.cma.2004.07.035; here one frame is used for the whole body.)

**Conserving mean force.** Over a step from x₀ to x₁, with φ = θ₁ − θ₀, R_m the mid-step axes, ȳ =
R_mᵀ(r₀ + r₁)/2, h̄ = Σ m X·ȳ, q̄ = m R_m J X / h̄ and ū_a the mean of ū₀ and ū₁,

    2 tan(φ/2) = q̄·Δx,      ū₁ − ū₀ = cos(φ/2) [R_mᵀ Δr − J ȳ (q̄·Δx)]        (both exact)
    f̄ = cos(φ/2) [R_m K ū_a − ((J ȳ)·K ū_a) q̄].

The polar condition at both ends gives h̄ = cos(φ/2) (h₀ + h₁)/2. Hence f̄·Δx = E₁ − E₀ to
round-off, without a quotient of energies, and f̄ has neither resultant nor moment about the mean
position: f̄ is a discrete gradient (Gonzalez 1996, doi:10.1007/BF02440162; conservation laws: Simo
& Tarnow 1992, doi:10.1007/BF00913408). The midpoint rule with f̄ conserves energy, momentum and
angular momentum for any step size.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fecontact.arrays import Array, Integers
from fecontact.kernels import kernel, summing


class CorotationalNodes(NamedTuple):
    """Nodes of corotational bodies owned by this rank, sorted by body.

    dof: (n, 2) free dofs.
    body: (n,) number of the body.
    place: (n, 2) X, m.
    mass: (n,) kg, row sums of M, the weights of the frames.
    first: (b + 1,) index of the first node of each body; sums over a body stay in registers.
    total: (b,) mass of each body over all ranks, kg.
    inertia: (b,) about its centre of mass over all ranks, kg·m².
    """

    dof: Integers
    body: Integers
    place: Array
    mass: Array
    first: Integers
    total: Array
    inertia: Array


class Frames(NamedTuple):
    """Displacement of the centre (b, 2), m, cos θ and sin θ (b, 2), and h (b,) of each body."""

    centre: Array
    turn: Array
    h: Array


@summing
def add_up_motion(nodes, u, out):  # type: ignore[no-untyped-def]
    """Compute out (b, 2) = Σ m u of this rank."""
    for b in range(len(out)):
        x, y = 0.0, 0.0
        for i in range(nodes.first[b], nodes.first[b + 1]):
            x += nodes.mass[i] * u[nodes.dof[i, 0]]
            y += nodes.mass[i] * u[nodes.dof[i, 1]]
        out[b, 0], out[b, 1] = x, y


@summing
def add_up_frames(nodes, u, out):  # type: ignore[no-untyped-def]
    """Compute out (b, 4) = Σ m u, Σ m X·u and Σ m X × u of this rank.

    As Σ m X = 0, the last two are also the sums of m X·(r − X) and m X × r.
    """
    for b in range(len(out)):
        sum_x, sum_y, along, across = 0.0, 0.0, 0.0, 0.0
        for i in range(nodes.first[b], nodes.first[b + 1]):
            x, y = nodes.place[i, 0], nodes.place[i, 1]
            mx, my = nodes.mass[i] * u[nodes.dof[i, 0]], nodes.mass[i] * u[nodes.dof[i, 1]]
            sum_x += mx
            sum_y += my
            along += x * mx + y * my
            across += x * my - y * mx
        out[b, 0], out[b, 1], out[b, 2], out[b, 3] = sum_x, sum_y, along, across


@kernel
def deform(nodes, u, centre, turn, out):  # type: ignore[no-untyped-def]
    """Compute ū from u at the dofs of corotational nodes; other entries of out are not modified."""
    for b in range(len(turn)):
        cos, sin = turn[b, 0], turn[b, 1]
        for i in range(nodes.first[b], nodes.first[b + 1]):
            x, y, i_x, i_y = nodes.place[i, 0], nodes.place[i, 1], nodes.dof[i, 0], nodes.dof[i, 1]
            dx, dy = u[i_x] - centre[b, 0], u[i_y] - centre[b, 1]
            out[i_x] = cos * dx + sin * dy + (cos - 1.0) * x + sin * y
            out[i_y] = cos * dy - sin * dx + (cos - 1.0) * y - sin * x


@kernel
def rotate(nodes, turn, sense, vector, out):  # type: ignore[no-untyped-def]
    """Compute out = R vector (sense 1.0) or Rᵀ vector (−1.0) at corotational nodes.

    vector and out may be the same array.
    """
    for b in range(len(turn)):
        cos, sin = turn[b, 0], sense * turn[b, 1]
        for i in range(nodes.first[b], nodes.first[b + 1]):
            x, y = vector[nodes.dof[i, 0]], vector[nodes.dof[i, 1]]
            out[nodes.dof[i, 0]] = cos * x - sin * y
            out[nodes.dof[i, 1]] = sin * x + cos * y


@summing
def add_up_moments(nodes, arm, force, out):  # type: ignore[no-untyped-def]
    """Compute out (b,) = Σ arm × force of this rank; arm and force are vectors of free dofs."""
    for b in range(len(out)):
        moment = 0.0
        for i in range(nodes.first[b], nodes.first[b + 1]):
            x, y = nodes.dof[i, 0], nodes.dof[i, 1]
            moment += arm[x] * force[y] - arm[y] * force[x]
        out[b] = moment


@summing
def add_up_mean_moments(nodes, u0, u1, first, last, turn, force, out):  # type: ignore[no-untyped-def]
    """Compute out (b,) = Σ ȳ × force of this rank, ȳ = Rᵀ (r₀ + r₁)/2.

    first, last: displacements of the centres.
    turn: R.
    """
    for b in range(len(out)):
        cos, sin, moment = turn[b, 0], turn[b, 1], 0.0
        centre_x, centre_y = first[b, 0] + last[b, 0], first[b, 1] + last[b, 1]
        for i in range(nodes.first[b], nodes.first[b + 1]):
            i_x, i_y = nodes.dof[i, 0], nodes.dof[i, 1]
            x = nodes.place[i, 0] + 0.5 * (u0[i_x] + u1[i_x] - centre_x)
            y = nodes.place[i, 1] + 0.5 * (u0[i_y] + u1[i_y] - centre_y)
            moment += (cos * x + sin * y) * force[i_y] - (cos * y - sin * x) * force[i_x]
        out[b] = moment


@kernel
def turn_forces(nodes, turn, h, moment, scale, force):  # type: ignore[no-untyped-def]
    """Compute force ← scale (R force − moment q), q = m R J X / h, at corotational nodes."""
    for b in range(len(turn)):
        cos, sin = scale[b] * turn[b, 0], scale[b] * turn[b, 1]
        per_mass = moment[b] / h[b]
        for i in range(nodes.first[b], nodes.first[b + 1]):
            lever, i_x, i_y = per_mass * nodes.mass[i], nodes.dof[i, 0], nodes.dof[i, 1]
            x = force[i_x] + lever * nodes.place[i, 1]
            y = force[i_y] - lever * nodes.place[i, 0]
            force[i_x] = cos * x - sin * y
            force[i_y] = sin * x + cos * y


@summing
def add_up_virial(nodes, turn, force, out):  # type: ignore[no-untyped-def]
    """Compute out (b,) = Σ X·Rᵀ force of this rank; R: turn."""
    for b in range(len(out)):
        cos, sin, virial = turn[b, 0], turn[b, 1], 0.0
        for i in range(nodes.first[b], nodes.first[b + 1]):
            fx, fy = force[nodes.dof[i, 0]], force[nodes.dof[i, 1]]
            virial += nodes.place[i, 0] * (cos * fx + sin * fy)
            virial += nodes.place[i, 1] * (cos * fy - sin * fx)
        out[b] = virial


@summing
def add_up_spin(nodes, turn, h, v, out):  # type: ignore[no-untyped-def]
    """Compute out (b,) = q·v of this rank, the rate of θ."""
    for b in range(len(out)):
        cos, sin, spin = turn[b, 0], turn[b, 1], 0.0
        for i in range(nodes.first[b], nodes.first[b + 1]):
            vx, vy = v[nodes.dof[i, 0]], v[nodes.dof[i, 1]]
            x, y = cos * vx + sin * vy, cos * vy - sin * vx
            spin += nodes.mass[i] * (nodes.place[i, 0] * y - nodes.place[i, 1] * x)
        out[b] = spin / h[b]


@kernel
def initial_guess(nodes, u, centre, moved, angle, out):  # type: ignore[no-untyped-def]
    """Compute displacements of rigidly moved bodies: centres by `moved` (b, 2), rotation by
    `angle`.
    """
    for b in range(len(angle)):
        half, sin = np.sin(0.5 * angle[b]), np.sin(angle[b])
        lost = 2.0 * half * half  # 1 − cos
        for i in range(nodes.first[b], nodes.first[b + 1]):
            i_x, i_y = nodes.dof[i, 0], nodes.dof[i, 1]
            x = nodes.place[i, 0] + u[i_x] - centre[b, 0]
            y = nodes.place[i, 1] + u[i_y] - centre[b, 1]
            out[i_x] = u[i_x] + moved[b, 0] - lost * x - sin * y
            out[i_y] = u[i_y] + moved[b, 1] - lost * y + sin * x
