"""Linear system between two events.

While no obstacle changes its status, contact adds constant matrices (M = 1 on the modal basis):

    q̈ = L φ(t) + c − K q − C q̇ + Σ τᵀ λ     over the sticking obstacles,

closed obstacle: F_n = k_n (s n·q − gap) + c_n s n·q̇ along −s n (s = ±1, the face in contact);
slipping in direction σ = ±1: friction −σ μ F_n along τ. Stick is rigid: τ·q̈ = 0, which gives λ =
(ττᵀ)⁻¹ τ (K q + C q̇ − L φ − c). λ is linear in q, q̇ and φ and is eliminated.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fecontact.arrays import Array, Integers
from fecontact.kernels import kernel
from fecontact.lumped.contact import ELASTIC, LOCAL
from fecontact.lumped.model.system import Equations
from fecontact.lumped.state import State
from fecontact.record import OPEN, SLIP, STICK

# In the exact scheme the contact state has these columns besides the recorded ones:
SIDE = LOCAL  # +1 or −1: the face in contact; 0 if open
CROSSED = LOCAL + 1  # exactly zero now, apart from round-off: ±1 the gap of that face, 2 F_n
SIGN = ELASTIC  # direction of slip along τ, +1 or −1
FRESH = ELASTIC + 1  # 1 if slip has just started at zero velocity


class Phase(NamedTuple):
    """Phase on n modes with L loads and m obstacles; the kernel overwrites the arrays.

    stiffness, damping: (n, n).
    loads: (n, L).
    constant: (n,).
    stick_q, stick_v: (m, n), stick_f: (m, L), stick_1: (m,): λ as a linear function of q, q̇, φ and
    1.
    tangent: (m, n) τ; axes: (m, 2) its components along the local axes 1 and 2.
    rubs: (m,) 1 where tangential motion is possible.
    stuck: (m,) sticking obstacles.
    solver: (m, m + n) space for their elimination.
    rate: (1,) bound of the angular frequencies, rad/s.
    """

    stiffness: Array
    damping: Array
    loads: Array
    constant: Array
    stick_q: Array
    stick_v: Array
    stick_f: Array
    stick_1: Array
    tangent: Array
    axes: Array
    rubs: Integers
    stuck: Integers
    solver: Array
    rate: Array


def new_phase(equations: Equations) -> Phase:
    """Return space for a phase, and the directions of slip."""
    n, loads, m = *equations.loads.shape, equations.obstacles.kind.size
    tangent, axes = np.zeros((m, n)), np.zeros((m, 2))
    for k in range(m):
        axes[k] = slip_direction(equations, k)[0]
        tangent[k] = axes[k] @ equations.obstacles.rows[k, 1:]
    return Phase(
        stiffness=np.zeros((n, n)),
        damping=np.zeros((n, n)),
        loads=np.zeros((n, loads)),
        constant=np.zeros(n),
        stick_q=np.zeros((m, n)),
        stick_v=np.zeros((m, n)),
        stick_f=np.zeros((m, loads)),
        stick_1=np.zeros(m),
        tangent=tangent,
        axes=axes,
        rubs=np.any(tangent != 0.0, axis=1).astype(np.int64),
        stuck=np.zeros(m, dtype=np.int64),
        solver=np.zeros((m, m + n)),
        rate=np.zeros(1),
    )


def slip_direction(equations: Equations, k: int) -> tuple[Array, bool]:
    """Return τ of obstacle k along its local axes 1 and 2, and True if no other slip
    direction exists.

    Friction along a fixed direction is piecewise linear; with a variable direction it is not.
    """
    rows = equations.obstacles.rows[k, 1:]
    if equations.obstacles.unidirectional[k] or not rows[1].any():
        return np.array([1.0, 0.0]), True
    if not rows[0].any():
        return np.array([0.0, 1.0]), True
    vectors, sizes, _ = np.linalg.svd(rows, full_matrices=False)
    return vectors[:, 0], len(sizes) < 2 or bool(sizes[1] <= 1e-12 * sizes[0])


@kernel
def build_phase(equations: Equations, state: State, phase: Phase) -> None:
    """Build the equations for the present statuses."""
    obstacles = equations.obstacles
    n, loads = equations.loads.shape
    for i in range(n):
        for j in range(n):
            phase.stiffness[i, j] = 0.0
            phase.damping[i, j] = equations.damping[i, j]
        phase.stiffness[i, i] = equations.stiffness[i]
        for j in range(loads):
            phase.loads[i, j] = equations.loads[i, j]
        phase.constant[i] = 0.0
    for k in range(state.status.size):
        if state.status[k] == OPEN:
            continue
        side = state.contact[k, SIDE]
        gap = obstacles.gap[k, 0] if side > 0.0 else obstacles.gap[k, 1]
        stiffness, damping = obstacles.normal[k, 0], obstacles.normal[k, 1]
        rub = 0.0
        if state.status[k] == SLIP:
            rub = obstacles.friction[k, 1] * state.contact[k, SIGN]
        for i in range(n):
            push = side * obstacles.rows[k, 0, i] + rub * phase.tangent[k, i]
            phase.constant[i] += stiffness * gap * push
            for j in range(n):
                normal = side * obstacles.rows[k, 0, j]
                phase.stiffness[i, j] += stiffness * push * normal
                phase.damping[i, j] += damping * push * normal
    _eliminate_stick(state, phase)
    _bound_rate(phase)


@kernel
def _eliminate_stick(state: State, phase: Phase) -> None:
    """Compute λ of the sticking obstacles and eliminate it, so that τ·q̈ = 0."""
    n, loads = phase.loads.shape
    count = 0
    for k in range(state.status.size):
        if state.status[k] == STICK:
            phase.stuck[count] = k
            count += 1
    if count == 0:
        return
    # G = (ττᵀ)⁻¹ τ by elimination; a redundant direction gets no force.
    solver = phase.solver
    for r in range(count):
        for c in range(count):
            solver[r, c] = 0.0
            for i in range(n):
                solver[r, c] += phase.tangent[phase.stuck[r], i] * phase.tangent[phase.stuck[c], i]
        for i in range(n):
            solver[r, count + i] = phase.tangent[phase.stuck[r], i]
    for p in range(count):
        own = 0.0
        for i in range(n):
            own += phase.tangent[phase.stuck[p], i] ** 2
        is_redundant = solver[p, p] <= 1e-12 * own
        for r in range(count):
            factor = solver[r, p] / solver[p, p] if not is_redundant and r != p else 0.0
            for c in range(count + n):
                solver[r, c] -= factor * solver[p, c]
        for c in range(count + n):
            solver[p, c] = 0.0 if is_redundant else solver[p, c]
        solver[p, p] = 1.0 if is_redundant else solver[p, p]
    for r in range(count):
        k = phase.stuck[r]
        for j in range(n):
            phase.stick_q[k, j], phase.stick_v[k, j] = 0.0, 0.0
        for j in range(loads):
            phase.stick_f[k, j] = 0.0
        phase.stick_1[k] = 0.0
        for i in range(n):
            g = solver[r, count + i] / solver[r, r]
            for j in range(n):
                phase.stick_q[k, j] += g * phase.stiffness[i, j]
                phase.stick_v[k, j] += g * phase.damping[i, j]
            for j in range(loads):
                phase.stick_f[k, j] -= g * phase.loads[i, j]
            phase.stick_1[k] -= g * phase.constant[i]
    for r in range(count):
        k = phase.stuck[r]
        for i in range(n):
            t = phase.tangent[k, i]
            for j in range(n):
                phase.stiffness[i, j] -= t * phase.stick_q[k, j]
                phase.damping[i, j] -= t * phase.stick_v[k, j]
            for j in range(loads):
                phase.loads[i, j] += t * phase.stick_f[k, j]
            phase.constant[i] += t * phase.stick_1[k]


@kernel
def _bound_rate(phase: Phase) -> None:
    """Return the largest ω with ω² ≤ ‖K‖ + ω ‖C‖, a bound of the eigenvalues of the phase."""
    stiffness, damping = 0.0, 0.0
    for i in range(phase.constant.size):
        row_k, row_c = 0.0, 0.0
        for j in range(phase.constant.size):
            row_k += abs(phase.stiffness[i, j])
            row_c += abs(phase.damping[i, j])
        stiffness, damping = max(stiffness, row_k), max(damping, row_c)
    phase.rate[0] = 0.5 * (damping + np.sqrt(damping * damping + 4.0 * stiffness))
