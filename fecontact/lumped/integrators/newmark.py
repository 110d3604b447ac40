"""Implicit Newmark and HHT schemes with energy-conserving contact forces.

With a the acceleration by springs, dashpots and loads, r = f − Cq̇ − ω²q, and F̄ the mean of the
contact forces over the step (:mod:`fecontact.lumped.mean_contact`),

    q' = q + h v + h²((½−β)a + βa') + ½h²F̄,    v' = v + h((1−γ)a + γa') + hF̄,
    a' = (1+α) r' − α r.

Everything except F̄ is linear, so q' = q* + G F̄(q') with a constant matrix G, solved by Newton's
method. For β = ¼, γ = ½ the displacement of a step is h(v + v')/2. The energy of springs, masses
and obstacles is then conserved to rounding, or dissipated by dashpots and friction, for any step.
Otherwise the contact forces act on a displacement that differs by h²(β−γ/2)(a' − a), which is small
for HHT, where β − γ/2 = α²/4.
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.kernels import helper, kernel
from fecontact.lumped.bookkeeping import take_mean_contact
from fecontact.lumped.contact import FORCE, MEAN
from fecontact.lumped.integrators.base import Controls
from fecontact.lumped.mean_contact import end_of_step, respond_over_step
from fecontact.lumped.model.system import Equations
from fecontact.lumped.state import (
    DAMPED,
    DIVERGED,
    DONE,
    EVALUATIONS,
    INJECTED,
    NUMBER,
    TIME,
    UNSOLVED,
    Buffers,
    State,
)
from fecontact.lumped.stepping import Scratch, call_excite, start, write_step

MAX_ITERATIONS = 200
TOLERANCE = 1e-13  # of the displacement caused by contact in a step


@kernel
def _march(
    equations: Equations,
    state: State,
    scratch: Scratch,
    buffers: Buffers,
    controls: Controls,
    n: int,
) -> int:
    v, h = state.motion[1], controls.step
    _prepare(equations, scratch, controls)
    for _ in range(n):
        number = int(state.clock[NUMBER]) + 1
        t = number * h
        call_excite(equations, scratch, t)
        _move_freely(equations, state, scratch, controls)
        if not _find_contact(equations, state, scratch, h):
            return UNSOLVED
        if not _take_motion(equations, state, scratch, controls):
            return DIVERGED
        changes = 0
        _locate(equations, scratch.places[2], v, 0.0)
        for k in range(state.status.size):
            new, velocity, now = scratch.places[1], scratch.places[2], scratch.contact
            found = scratch.status[k]
            status = end_of_step(equations.obstacles, k, found, new, velocity, now, h)
            t_old = state.clock[TIME]
            changes += take_mean_contact(equations, state, buffers, k, now, status, t_old, h)
        last = number == controls.steps
        why = write_step(equations, state, buffers, number, t, controls.every, last, changes)
        if why != DONE or last:
            return why
    return DONE


@kernel
def _prepare(equations: Equations, scratch: Scratch, controls: Controls) -> None:
    """Compute A⁻¹ of A = 1 + (1+α)(βh²ω² + γhC), and G = ½h² − βh²(1+α) A⁻¹ (½h²ω² + hC)."""
    n, h = equations.stiffness.size, controls.step
    beta, weight = controls.beta * h * h, 1.0 + controls.alpha
    inverse, column = scratch.inverse, scratch.vectors[7]
    for c in range(n):
        for i in range(n):
            for j in range(n):
                scratch.matrix[i, j] = weight * controls.gamma * h * equations.damping[i, j]
            scratch.matrix[i, i] += 1.0 + weight * beta * equations.stiffness[i]
            column[i] = 1.0 if i == c else 0.0
        _solve(scratch.matrix, column)
        for i in range(n):
            inverse[i, c] = column[i]
    for i in range(n):
        for j in range(n):
            total = inverse[i, j] * 0.5 * h * h * equations.stiffness[j]
            for c in range(n):
                total += inverse[i, c] * h * equations.damping[c, j]
            scratch.response[i, j] = -beta * weight * total
        scratch.response[i, i] += 0.5 * h * h


@helper
def _move_freely(equations: Equations, state: State, scratch: Scratch, controls: Controls) -> None:
    """Compute the step without contact: q* and a* in vectors 0, 1, the velocity without a' in 2."""
    q, v, a, past = state.motion[0], state.motion[1], state.memory[0], state.memory[1]
    free_q, free_a, free_v, right = (
        scratch.vectors[0],
        scratch.vectors[1],
        scratch.vectors[2],
        scratch.vectors[3],
    )
    h, beta, gamma, alpha = controls.step, controls.beta, controls.gamma, controls.alpha
    for i in range(q.size):
        free_q[i] = q[i] + h * v[i] + h * h * (0.5 - beta) * a[i]
        free_v[i] = v[i] + h * (1.0 - gamma) * a[i]
        load = 0.0
        for j in range(equations.loads.shape[1]):
            load += equations.loads[i, j] * scratch.values[0, j]
        scratch.force[i] = load
    for i in range(q.size):
        force = scratch.force[i] - equations.stiffness[i] * free_q[i]
        for j in range(q.size):
            force -= equations.damping[i, j] * free_v[j]
        right[i] = (1.0 + alpha) * force - alpha * past[i]
    for i in range(q.size):
        free_a[i] = 0.0
        for j in range(q.size):
            free_a[i] += scratch.inverse[i, j] * right[j]
    for i in range(q.size):
        free_q[i] += beta * h * h * free_a[i]


@kernel
def _find_contact(equations: Equations, state: State, scratch: Scratch, h: float) -> bool:
    """Solve for q' in vector 4 by Newton's method, with its mean modal contact force in
    vector 5.
    """
    n = state.motion.shape[1]
    free_q, q, force = scratch.vectors[0], scratch.vectors[4], scratch.vectors[5]
    residual, change = scratch.vectors[6], scratch.vectors[7]
    _locate(equations, scratch.places[0], state.motion[0], 1.0)
    for i in range(n):
        q[i] = free_q[i]
    last_error = np.inf
    for _ in range(MAX_ITERATIONS):
        _contact_force(equations, state, scratch, h)
        state.clock[EVALUATIONS] += 1.0
        error, scale = 0.0, 0.0
        for i in range(n):
            caused = 0.0
            for j in range(n):
                caused += scratch.response[i, j] * force[j]
            residual[i] = free_q[i] + caused - q[i]
            error = max(error, abs(residual[i]))
            scale = max(scale, abs(caused))
        if error <= TOLERANCE * scale or error <= _rounding(equations, scratch, q):
            return True
        if error < last_error:
            last_error = error
            _newton_step(equations, scratch, residual)
            for i in range(n):
                change[i] = residual[i]
                q[i] += change[i]
        else:  # overshoot to another branch of the force: reduce the Newton step
            for i in range(n):
                change[i] *= 0.5
                q[i] -= change[i]
    return False


@helper
def _locate(equations: Equations, places: Array, x: Array, offset: float) -> None:
    """Compute local displacements (offset = 1) or velocities (0) of all obstacles for modal x."""
    obstacles = equations.obstacles
    for k in range(obstacles.kind.size):
        for axis in range(3):
            places[k, axis] = offset * obstacles.offset[k, axis]
            for i in range(x.size):
                places[k, axis] += obstacles.rows[k, axis, i] * x[i]


@helper
def _contact_force(equations: Equations, state: State, scratch: Scratch, h: float) -> None:
    """Compute the mean modal contact force of the trial q' in vector 5."""
    obstacles, q, force = equations.obstacles, scratch.vectors[4], scratch.vectors[5]
    old, new = scratch.places[0], scratch.places[1]
    _locate(equations, new, q, 1.0)
    for i in range(q.size):
        force[i] = 0.0
    for k in range(obstacles.kind.size):
        now = scratch.contact
        scratch.status[k] = respond_over_step(
            obstacles, k, state.contact, state.status[k], old, new, h, now, scratch.tangents
        )
        for axis in range(3):
            for i in range(q.size):
                force[i] += obstacles.rows[k, axis, i] * now[k, FORCE + axis]


@helper
def _newton_step(equations: Equations, scratch: Scratch, residual: Array) -> None:
    """Compute residual ← (1 + G T)⁻¹ residual, T the derivative of the contact forces."""
    obstacles, matrix, n = equations.obstacles, scratch.matrix, residual.size
    for i in range(n):
        for j in range(n):
            matrix[i, j] = 1.0 if i == j else 0.0
    for k in range(obstacles.kind.size):
        for axis in range(3):
            for i in range(n):
                pushed = 0.0  # displacement of mode i by a force along this axis
                for c in range(n):
                    pushed += scratch.response[i, c] * obstacles.rows[k, axis, c]
                for j in range(n):
                    along = 0.0
                    for other in range(3):
                        along += scratch.tangents[k, axis, other] * obstacles.rows[k, other, j]
                    matrix[i, j] += pushed * along
    _solve(matrix, residual)


@helper
def _take_motion(equations: Equations, state: State, scratch: Scratch, controls: Controls) -> bool:
    """Accept q' and add the work of loads and dashpots; return False if q' is not finite."""
    q, v, total_a = state.motion[0], state.motion[1], state.motion[2]
    a, past = state.memory[0], state.memory[1]
    free_a, free_v, new_q, force = (
        scratch.vectors[1],
        scratch.vectors[2],
        scratch.vectors[4],
        scratch.vectors[5],
    )
    h, weight, push = controls.step, 1.0 + controls.alpha, scratch.vectors[6]
    n, injected, damped = q.size, 0.0, 0.0
    for i in range(n):
        push[i] = 0.5 * h * h * equations.stiffness[i] * force[i]
        for j in range(n):
            push[i] += h * equations.damping[i, j] * force[j]
    for i in range(n):
        moved, drag = new_q[i] - q[i], 0.0
        for j in range(n):
            drag += equations.damping[i, j] * v[j]
        old_load = past[i] + drag + equations.stiffness[i] * q[i]
        injected += 0.5 * (old_load + scratch.force[i]) * moved
        damped += 0.5 * drag * moved
    for i in range(n):
        a[i] = free_a[i]
        for j in range(n):
            a[i] -= weight * scratch.inverse[i, j] * push[j]
    for i in range(n):
        v[i] = free_v[i] + h * (controls.gamma * a[i] + force[i])
    for i in range(n):
        drag = 0.0
        for j in range(n):
            drag += equations.damping[i, j] * v[j]
        damped += 0.5 * drag * (new_q[i] - q[i])
        past[i] = scratch.force[i] - equations.stiffness[i] * new_q[i] - drag
        total_a[i] = past[i] + force[i]
        if not abs(new_q[i]) < np.inf:
            return False
    for i in range(n):
        q[i] = new_q[i]
    state.ledger[INJECTED] += injected
    state.ledger[DAMPED] += damped
    return True


@helper
def _rounding(equations: Equations, scratch: Scratch, q: Array) -> float:
    """Return the rounding error of a displacement, m·√kg, including that of the contact forces.

    A block at rest far from zero has only these forces.
    """
    obstacles, largest, force, response = equations.obstacles, 0.0, 0.0, 0.0
    for i in range(q.size):
        largest = max(largest, abs(q[i]))
        row = 0.0
        for j in range(q.size):
            row += abs(scratch.response[i, j])
        response = max(response, row)
    for k in range(scratch.status.size):
        if scratch.contact[k, MEAN] == 0.0:
            continue
        stiffness = max(obstacles.normal[k, 0], obstacles.tangential[k, 0])
        for axis in range(3):
            place, weight = abs(obstacles.offset[k, axis]), 0.0
            for i in range(q.size):
                place += abs(obstacles.rows[k, axis, i] * q[i])
                weight = max(weight, abs(obstacles.rows[k, axis, i]))
            force += stiffness * weight * place
    return 1e-15 * (largest + response * force)


@helper
def _solve(matrix: Array, x: Array) -> None:
    """Compute x ← matrix⁻¹ x by Gaussian elimination with pivoting; the matrix is overwritten."""
    n = x.size
    for k in range(n):
        pivot = k
        for i in range(k + 1, n):
            if abs(matrix[i, k]) > abs(matrix[pivot, k]):
                pivot = i
        if pivot != k:
            for j in range(k, n):
                matrix[k, j], matrix[pivot, j] = matrix[pivot, j], matrix[k, j]
            x[k], x[pivot] = x[pivot], x[k]
        for i in range(k + 1, n):
            factor = matrix[i, k] / matrix[k, k]
            for j in range(k + 1, n):
                matrix[i, j] -= factor * matrix[k, j]
            x[i] -= factor * x[k]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            x[k] -= matrix[k, j] * x[j]
        x[k] /= matrix[k, k]


@kernel
def _start(equations: Equations, state: State, scratch: Scratch, buffers: Buffers) -> None:
    """Initialise like every scheme, then compute the acceleration without contact used by the
    steps.
    """
    start(equations, state, scratch, buffers)
    for i in range(state.motion.shape[1]):
        smooth = scratch.force[i] - equations.stiffness[i] * state.motion[0, i]
        for j in range(state.motion.shape[1]):
            smooth -= equations.damping[i, j] * state.motion[1, j]
        state.memory[0, i], state.memory[1, i] = smooth, smooth


class Newmark:
    """Order 2 for γ = ½ and for HHT with modified equilibrium, else 1; order 2 through
    impacts, with and without dashpots. Unconditionally stable if 2β ≥ γ ≥ ½.
    """

    order = 2
    adaptive = False
    start = staticmethod(_start)
    kernel = staticmethod(_march)
