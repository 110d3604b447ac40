"""Complex modes of a lumped system about its present state.

With the accelerations a(q, q̇) of :func:`fecontact.lumped.stepping.accelerate`, contact and friction
included, K = −∂a/∂q and C = −∂a/∂q̇ by central differences, and λ² + λ C + K = 0. Friction of a
sliding obstacle makes K unsymmetric; a friction law that depends on the speed enters C.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fecontact.arrays import Array
from fecontact.lumped.contact import GAP
from fecontact.lumped.model.system import Equations, LumpedSystem
from fecontact.lumped.state import TIME, State
from fecontact.lumped.stepping import Scratch, accelerate
from fecontact.record import SLIP, STICK, ModeSet
from fecontact.study.errors import InputError
from fecontact.study.models.modes import Modes

DIFFERENCE = 1e-3  # increment of the differences, relative to the state's penetrations and speeds


def linearised(equations: Equations, state: State, scratch: Scratch) -> tuple[Array, Array]:
    """Return C (n, n), 1/s, and K (n, n), 1/s², of the present state."""
    q, v = state.motion[0].copy(), state.motion[1].copy()
    size, closed = len(q), state.status != 0
    depth = np.abs(state.contact[closed, GAP]).min(initial=np.inf)
    way = DIFFERENCE * (depth if np.isfinite(depth) and depth > 0.0 else 1e-3)
    scale = np.abs(equations.obstacles.rows).max(initial=1.0)
    speed = DIFFERENCE * max(float(np.abs(v).max(initial=0.0)), 1e-6)
    stiffness, damping = np.zeros((size, size)), np.zeros((size, size))
    for j in range(size):
        unit = np.zeros(size)
        unit[j] = way / scale
        stiffness[:, j] = -_slope(equations, state, scratch, (q, v), (unit, 0.0 * unit))
        unit[j] = speed
        damping[:, j] = -_slope(equations, state, scratch, (q, v), (0.0 * unit, unit))
    return damping, stiffness


def _slope(
    equations: Equations,
    state: State,
    scratch: Scratch,
    at: tuple[Array, Array],
    change: tuple[Array, Array],
) -> Array:
    """Return the derivative of the accelerations along a change of (q, q̇)."""
    sides = []
    for sign in (1.0, -1.0):
        a = np.zeros(len(at[0]))
        q, v = (x + sign * d for x, d in zip(at, change, strict=True))
        accelerate(equations, state, scratch, 0, q, v, a)
        sides.append(a)
    step = float(np.abs(change[0]).max() + np.abs(change[1]).max())
    return np.asarray((sides[0] - sides[1]) / (2.0 * step))


def eigenvalues(
    damping: Array, stiffness: Array
) -> tuple[NDArray[np.complex128], NDArray[np.complex128]]:
    """Return λ (m,), 1/s, with Im λ > 0, or growing, by ascending Im λ, and shapes (m, n)."""
    size = len(stiffness)
    zero, one = np.zeros((size, size)), np.eye(size)
    values, vectors = np.linalg.eig(np.block([[zero, one], [-stiffness, -damping]]))
    largest = np.abs(values).max(initial=0.0)
    moving = np.abs(values) > 1e-7 * largest
    wanted = moving & ((values.imag > 0.0) | ((values.imag == 0.0) & (values.real > 0.0)))
    order = np.flatnonzero(wanted)[np.argsort(values[wanted].imag, kind="stable")]
    return values[order].astype(complex), np.asarray(vectors[:size, order].T, dtype=complex)


def modes_of(system: LumpedSystem, state: State, scratch: Scratch, settings: Modes) -> ModeSet:
    """Return the complex modes of a system about its present state.

    shapes: (n, masses and points, 3), largest component 1.
    """
    equations = system.equations
    if settings.contact == "status":
        damping, stiffness = linearised(equations, state, scratch)
    elif settings.contact == "open":
        damping, stiffness = equations.damping, np.diag(equations.stiffness)
    else:
        raise InputError(
            f'modes.contact is "{settings.contact}", which is not supported in a lumped study. Use '
            '"status" or "open".'
        )
    values, shapes = eigenvalues(damping, stiffness)
    if len(values) < settings.number:
        raise InputError(
            f"modes.number is {settings.number}, but the system has only {len(values)} oscillating "
            f"modes. Set it to {len(values)} or less."
        )
    values, shapes = values[: settings.number], shapes[: settings.number]
    moved = np.stack([shapes @ place.T for place, _ in system.places.values()], axis=1)
    flat = moved.reshape(len(values), -1)
    largest = flat[np.arange(len(flat)), np.abs(flat).argmax(axis=1)]
    scale = 1.0 / np.where(largest == 0.0, 1.0, largest)
    return ModeSet(
        frequency=np.asarray(values.imag / (2.0 * np.pi), dtype=float),
        growth=values.real.copy(),
        damping=-values.real / np.abs(values),
        shapes=moved * scale[:, None, None],
        mass=(np.abs(shapes * scale[:, None]) ** 2).sum(axis=1),
        effective=np.zeros((0, 2)),
        moving=np.zeros(0),
        mesh_error=np.zeros(0),
        rigid=[],
        time=float(state.clock[TIME]),
        contact=settings.contact,
        tied=int(np.sum(state.status == STICK)),
        sliding=int(np.sum(state.status == SLIP)) - len(system.links),
    )
