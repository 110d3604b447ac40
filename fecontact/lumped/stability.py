"""The largest stable step, found from the kernel itself.

Where all obstacles are closed and stick, or all are open, the system is linear, and one step of an
scheme is a matrix: its columns are what one step of the kernel makes of each unit vector of
the state it carries (q, q̇, q̈ and its memory). The step is stable if no eigenvalue of that matrix
leaves the unit circle. So there is no second description of a scheme that could differ from it.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg

from fecontact.arrays import Array
from fecontact.lumped.integrators import INTEGRATORS, Controls, Integrator
from fecontact.lumped.obstacle_arrays import ROUND, Obstacles
from fecontact.lumped.state import MARK_DUE, NUMBER, new_buffers, new_state
from fecontact.lumped.stepping import new_scratch
from fecontact.lumped.system import Equations, LumpedSystem
from fecontact.study.errors import InputError

GROWTH = 1e-7  # of a step; less is rounding of a double eigenvalue on the unit circle


def require_stable_step(name: str, system: LumpedSystem, controls: Controls) -> None:
    """Refuse a fixed step beyond the stability limit with a sentence that gives the limit."""
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
    """The system with all obstacles open, and with all of them closed and sticking."""
    stiffness, damping = np.diag(equations.stiffness), equations.damping
    states = [_linear(equations, stiffness, damping)]
    if equations.obstacles.kind.size:
        states.append(_linear(equations, *_closed(equations.obstacles, stiffness, damping)))
    return states


def spectral_radius(scheme: Integrator, linear: Equations, controls: Controls) -> float:
    """Largest modulus of an eigenvalue of one step of a linear system without forces."""
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
    """Infinity if the step of the controls is stable, else the largest stable step, s."""

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
    """K and C with every obstacle closed and sticking."""
    stiffness, damping = stiffness.copy(), damping.copy()
    for k in range(obstacles.kind.size):
        local = np.array([obstacles.normal[k], obstacles.tangential[k], obstacles.tangential[k]])
        if obstacles.unidirectional[k]:
            local[2] = 0.0
        if obstacles.kind[k] == ROUND:  # the normal may point anywhere across the axis
            local[:2] = np.maximum(local[0], local[1])
        rows = obstacles.rows[k]
        stiffness += rows.T @ np.diag(local[:, 0]) @ rows
        damping += rows.T @ np.diag(local[:, 1]) @ rows
    return stiffness, damping


def _linear(equations: Equations, stiffness: Array, damping: Array) -> Equations:
    """Equations without forces and obstacles, on the eigenvectors of the stiffness."""
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
