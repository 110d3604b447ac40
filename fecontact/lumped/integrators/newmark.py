"""Implicit Newmark and HHT: the acceleration at the end of a step solves the equilibrium there."""

from __future__ import annotations

import numpy as np

from fecontact.kernels import helper, kernel
from fecontact.lumped.contact import LOCAL, NORMAL, TANGENT, TRIAL
from fecontact.lumped.integrators.base import Controls
from fecontact.lumped.obstacles import FLAT, Obstacles
from fecontact.lumped.state import (
    DAMPED,
    DAMPING_POWER,
    DIVERGED,
    DONE,
    EVALUATIONS,
    INJECTED,
    NUMBER,
    POWER,
    UNSOLVED,
    Buffers,
    State,
)
from fecontact.lumped.stepping import (
    Scratch,
    call_accelerate,
    call_close_step,
    call_excite,
    damping_power,
    load_power,
    start,
)
from fecontact.lumped.system import Equations
from fecontact.record import OPEN, STICK, Array

MOST_ITERATIONS = 200
TOLERANCE = 1e-10  # of the equilibrium, relative to its terms


@kernel
def _march(
    equations: Equations,
    state: State,
    scratch: Scratch,
    buffers: Buffers,
    controls: Controls,
    n: int,
) -> int:
    v, ledger, h = state.motion[1], state.ledger, controls.step
    for _ in range(n):
        number = int(state.clock[NUMBER]) + 1
        t = number * h
        call_excite(equations, scratch, t)
        why = _find_equilibrium(equations, state, scratch, controls)
        if why != DONE:
            return why
        power, damping = load_power(scratch, v), damping_power(equations, v)
        ledger[INJECTED] += 0.5 * h * (ledger[POWER] + power)
        ledger[DAMPED] += 0.5 * h * (ledger[DAMPING_POWER] + damping)
        ledger[POWER], ledger[DAMPING_POWER] = power, damping
        last = number == controls.steps
        why = call_close_step(
            equations, state, scratch, buffers, number, t, h, controls.every, last
        )
        if why != DONE or last:
            return why
    return DONE


@kernel
def _find_equilibrium(
    equations: Equations, state: State, scratch: Scratch, controls: Controls
) -> int:
    """The motion at the end of the step, by Newton's method on its acceleration a'."""
    q, v, a, past = state.motion[0], state.motion[1], state.motion[2], state.memory[1]
    free_q, free_v = scratch.vectors[0], scratch.vectors[1]
    new_a, found = scratch.vectors[2], scratch.vectors[3]
    residual, change = scratch.vectors[4], scratch.vectors[5]
    h, beta, gamma, alpha = controls.step, controls.beta, controls.gamma, controls.alpha
    for i in range(q.size):
        free_q[i] = q[i] + h * v[i] + h * h * (0.5 - beta) * a[i]
        free_v[i] = v[i] + h * (1.0 - gamma) * a[i]
        new_a[i] = a[i]
    last_error = np.inf
    for _ in range(MOST_ITERATIONS):
        for i in range(q.size):
            q[i] = free_q[i] + beta * h * h * new_a[i]
            v[i] = free_v[i] + gamma * h * new_a[i]
        call_accelerate(equations, state, scratch, 0, q, v, found)
        state.clock[EVALUATIONS] += 1.0
        error, scale = 0.0, 0.0
        for i in range(q.size):
            residual[i] = found[i] + alpha * (found[i] - past[i]) - new_a[i]
            if not abs(residual[i]) < np.inf:
                return DIVERGED
            error = max(error, abs(residual[i]))
            elastic = equations.stiffness[i] * q[i]
            contact = abs(found[i] + elastic - scratch.force[i])
            scale = max(scale, abs(new_a[i]), abs(elastic), abs(scratch.force[i]), contact)
        if error <= TOLERANCE * scale or error <= _rounding(equations, scratch, q):
            for i in range(q.size):
                a[i] = new_a[i]
                past[i] = found[i]
            return DONE
        if error < last_error:
            last_error = error
            _tangent(equations, scratch, beta * h * h, gamma * h, 1.0 + alpha)
            _solve(scratch.matrix, residual)
            for i in range(q.size):
                change[i] = residual[i]
                new_a[i] += change[i]
        else:  # from slip one way to slip the other way, past the stick between them: go back
            for i in range(q.size):
                change[i] *= 0.5
                new_a[i] -= change[i]
    return UNSOLVED


@helper
def _rounding(equations: Equations, scratch: Scratch, q: Array) -> float:
    """What the rounding of the displacements makes of the contact forces, as an acceleration.

    A block that came to rest far from zero has no other forces than these.
    """
    obstacles, total = equations.obstacles, 0.0
    for k in range(scratch.status.size):
        if scratch.status[k] == OPEN:
            continue
        stiffness = max(obstacles.normal[k, 0], obstacles.tangential[k, 0])
        for axis in range(3):
            place, weight = abs(obstacles.offset[k, axis]), 0.0
            for i in range(q.size):
                place += abs(obstacles.rows[k, axis, i] * q[i])
                weight = max(weight, abs(obstacles.rows[k, axis, i]))
            total += stiffness * weight * place
    return 1e-15 * total


@helper
def _tangent(
    equations: Equations, scratch: Scratch, by_q: float, by_v: float, weight: float
) -> None:
    """matrix = I + weight·(by_v C + by_q diag ω² + contact): minus the derivative by new_a."""
    matrix = scratch.matrix
    for i in range(matrix.shape[0]):
        for j in range(matrix.shape[0]):
            matrix[i, j] = weight * by_v * equations.damping[i, j]
        matrix[i, i] += 1.0 + weight * by_q * equations.stiffness[i]
    for k in range(scratch.status.size):
        if scratch.status[k] != OPEN and scratch.contact[k, NORMAL] > 0.0:
            _contact_tangent(equations.obstacles, k, scratch, weight * by_q, weight * by_v)


@helper
def _contact_tangent(
    obstacles: Obstacles, k: int, scratch: Scratch, by_q: float, by_v: float
) -> None:
    """Add obstacle k to the matrix. The turning of a round obstacle's normal is left out.

    Stick: K_n n nᵀ + K_t t tᵀ. Slip along d: K_n n nᵀ + μK_n d nᵀ + K_t (μF_n/|T*|)(1 − d dᵀ),
    with |T*| the trial force.
    """
    now, matrix = scratch.contact, scratch.matrix
    normal = by_q * obstacles.normal[k, 0] + by_v * obstacles.normal[k, 1]
    tangent = by_q * obstacles.tangential[k, 0] + by_v * obstacles.tangential[k, 1]
    cos, sin, tangent_sin, tangent_cos = 1.0, 0.0, 0.0, 1.0
    if obstacles.kind[k] == FLAT:
        cos = 1.0 if now[k, LOCAL] > obstacles.gap[k, 0] else -1.0
    else:
        r = np.sqrt(now[k, LOCAL] ** 2 + now[k, LOCAL + 1] ** 2)
        cos, sin = now[k, LOCAL] / r, now[k, LOCAL + 1] / r
        tangent_sin, tangent_cos = sin, cos
    stick = scratch.status[k] == STICK
    d1, d2, turn = 0.0, 0.0, 0.0
    size = np.sqrt(now[k, TANGENT] ** 2 + now[k, TANGENT + 1] ** 2)
    if not stick and size > 0.0:
        d1, d2 = -now[k, TANGENT] / size, -now[k, TANGENT + 1] / size
        turn = tangent * size / now[k, TRIAL]
    both = 0.0 if obstacles.unidirectional[k] == 1 else 1.0
    for i in range(matrix.shape[0]):
        n_i = cos * obstacles.rows[k, 0, i] + sin * obstacles.rows[k, 1, i]
        t_i = -tangent_sin * obstacles.rows[k, 0, i] + tangent_cos * obstacles.rows[k, 1, i]
        a_i = both * obstacles.rows[k, 2, i]
        d_i = d1 * t_i + d2 * a_i
        for j in range(matrix.shape[0]):
            n_j = cos * obstacles.rows[k, 0, j] + sin * obstacles.rows[k, 1, j]
            t_j = -tangent_sin * obstacles.rows[k, 0, j] + tangent_cos * obstacles.rows[k, 1, j]
            a_j = both * obstacles.rows[k, 2, j]
            matrix[i, j] += normal * n_i * n_j
            if stick:
                matrix[i, j] += tangent * (t_i * t_j + a_i * a_j)
            else:
                d_j = d1 * t_j + d2 * a_j
                matrix[i, j] += obstacles.friction[k, 1] * normal * d_i * n_j
                matrix[i, j] += turn * (t_i * t_j + a_i * a_j - d_i * d_j)


@helper
def _solve(matrix: Array, x: Array) -> None:
    """x ← matrix⁻¹ x by elimination with row exchanges; the matrix is destroyed."""
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


class Newmark:
    """q' = q + h v + h²((½−β)a + βa'), v' = v + h((1−γ)a + γa'), forces at the end of the step.

    HHT: a' = (1+α) r' − α r with all forces r = f − Cv − Kq + contact. Order 2 for γ = ½ and for
    HHT with modified equilibrium, else 1. Stable for every step if 2β ≥ γ ≥ ½.
    """

    order = 2
    adaptive = False
    start = staticmethod(start)
    kernel = staticmethod(_march)
