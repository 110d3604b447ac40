"""Stability limit of the time step, computed from the integrator's own kernel.

With all obstacles open, or all closed and sticking, the system is linear and one step is a matrix.
Its columns are the results of one kernel step from the unit vectors of the state (q, q̇, q̈ and the
memory of the scheme). The step is stable if all eigenvalues of this matrix lie within the unit
circle. A separate formula, which could deviate from the kernel, is not needed.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg

from fecontact.arrays import Array
from fecontact.lumped.integrators import INTEGRATORS, Controls, Integrator
from fecontact.lumped.model.obstacle_arrays import ROUND, Obstacles
from fecontact.lumped.model.system import Equations, LumpedSystem
from fecontact.lumped.state import MARK_DUE, NUMBER, new_buffers, new_state
from fecontact.lumped.stepping import new_scratch
from fecontact.study.errors import InputError

GROWTH = 1e-7  # per step; less is rounding of a double eigenvalue on the unit circle


def require_stable_step(name: str, system: LumpedSystem, controls: Controls) -> None:
    """Raise InputError, with the limit, if a fixed step exceeds the stability limit."""
    scheme = INTEGRATORS[name]
    if scheme.adaptive:
        return
    limit = min(_limit(scheme, linear, controls) for linear in linear_states(system.equations))
    if limit < controls.step:
        raise InputError(
            f"time.step = {controls.step:g} s is unstable with the scheme {name!r}. Reduce it to "
            f"{limit:.4g} s, the largest stable step of this system."
        )


def linear_states(equations: Equations) -> list[Equations]:
    """Return the system with all obstacles open, and with all obstacles closed and sticking."""
    stiffness, damping = np.diag(equations.stiffness), equations.damping
    states = [_linear(equations, stiffness, damping)]
    if equations.obstacles.kind.size:
        states.append(_linear(equations, *_closed(equations.obstacles, stiffness, damping)))
    return states


def spectral_radius(scheme: Integrator, linear: Equations, controls: Controls) -> float:
    """Return the spectral radius of one step of a linear system without forces."""
    n = linear.stiffness.size
    scratch, buffers = new_scratch(linear), new_buffers(linear, 2, 2, np.zeros(0))
    size = 5 * n
    matrix = np.empty((size, size))
    # Scaled states (q, q̇/ω, q̈/ω²) keep the eigenvalue problem well conditioned.
    omega = np.sqrt(max(linear.stiffness.max(), np.abs(linear.damping).max() ** 2, 1e-300))
    scale = np.repeat([1.0, omega, omega**2, omega**2, omega**2], n)
    for column in range(size):
        state = new_state(linear, np.zeros((2, n)))
        state.clock[NUMBER] = 1.0
        state.clock[MARK_DUE] = np.inf
        carried = np.zeros(size)
        carried[column] = scale[column]
        state.motion[...] = carried[: 3 * n].reshape(3, n)
        state.memory[...] = carried[3 * n :].reshape(2, n)
        buffers.used[:] = 0
        scheme.kernel(linear, state, scratch, buffers, controls, 1)
        matrix[:, column] = np.concatenate((state.motion.ravel(), state.memory.ravel())) / scale
    return float(np.abs(np.linalg.eigvals(matrix)).max())


def _limit(scheme: Integrator, linear: Equations, controls: Controls) -> float:
    """Return infinity if the step of the controls is stable, else the largest stable step, s."""

    def stable(step: float) -> bool:
        tried = controls._replace(step=step, steps=2**40)
        return spectral_radius(scheme, linear, tried) <= 1.0 + GROWTH

    if stable(controls.step):
        return np.inf
    high = low = controls.step
    while not stable(low):
        high, low = low, 0.5 * low
        if low < 1e-12 * controls.step:
            return 0.0
    for _ in range(30):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if stable(middle) else (low, middle)
    return low


def _closed(obstacles: Obstacles, stiffness: Array, damping: Array) -> tuple[Array, Array]:
    """Return K and C with every obstacle closed and sticking."""
    stiffness, damping = stiffness.copy(), damping.copy()
    for k in range(obstacles.kind.size):
        local = np.array([obstacles.normal[k], obstacles.tangential[k], obstacles.tangential[k]])
        if obstacles.unidirectional[k]:
            local[2] = 0.0
        if obstacles.kind[k] == ROUND:  # the normal can have any direction across the axis
            local[:2] = np.maximum(local[0], local[1])
        rows = obstacles.rows[k]
        stiffness += rows.T @ np.diag(local[:, 0]) @ rows
        damping += rows.T @ np.diag(local[:, 1]) @ rows
    return stiffness, damping


def _linear(equations: Equations, stiffness: Array, damping: Array) -> Equations:
    """Return the equations without forces and obstacles, on the eigenvectors of the stiffness."""
    omega2, vectors = scipy.linalg.eigh(stiffness)
    damping = np.ascontiguousarray(vectors.T @ damping @ vectors)
    none = Obstacles(*(a[:0].copy() for a in equations.obstacles))  # type: ignore[arg-type]
    return equations._replace(
        stiffness=np.maximum(omega2, 0.0),
        damping=damping,
        damped=int(np.any(damping != 0.0)),
        loads=np.zeros_like(equations.loads),
        obstacles=none,
    )
