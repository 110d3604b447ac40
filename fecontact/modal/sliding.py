"""Complex modes of steady sliding: λ² M + λ C + K with friction proportional to normal forces.

Friction makes K unsymmetric. Two modes that approach each other can then join in a pair λ = δ ± iω
with δ > 0: mode coupling, or flutter, the mechanism of brake squeal (N. Hoffmann et al. 2002,
doi:10.1016/S0093-6413(02)00254-9; J.-J. Sinou & L. Jézéquel 2007,
doi:10.1016/j.euromechsol.2006.03.002). With z = (u, u̇/s) the problem is linear, and

    (𝒜 − s ℬ)⁻¹ ℬ z = y:   A y₁ = −(s M z₂ + (C + s M) z₁),   y₂ = z₁/s + y₁,   A = K + s C + s² M

has the eigenvalues 1/(λ − s). At a real shift s A is the matrix of a time step, and the lowest
frequencies come first.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigs

from mpi4py import MPI

from fecontact.arrays import Array, Index
from fecontact.modal.linear import LinearisedModel
from fecontact.modal.ranks import Served
from fecontact.modal.real import SMALL
from fecontact.modal.shift import shifted_below
from fecontact.study.errors import InputError, RunError

Complex = NDArray[np.complex128]

RESTING = 1e-4  # of the shift: a smaller |λ| is that of a rigid-body mode
_EQUAL = 1e-8  # of |λ|: frequencies that differ by less are one
_NEGLIGIBLE = 1e-10  # of the largest 1/|λ − s|
_SEED = 4


def complex_modes(
    model: LinearisedModel, rigid: Array, number: int, comm: MPI.Comm
) -> tuple[Complex, Complex]:
    """Return λ (n,), 1/s, by ascending Im λ ≥ 0, and shapes (n, size) on this rank.

    Modes that decay without oscillation (Im λ = 0, Re λ < 0) are left out. rigid: (r, size)
    rigid-body modes, for the shift alone. Collective.
    """
    shift, shifted = shifted_below(model, rigid, damped=True)

    def step(z: Array) -> Array:
        y = np.empty_like(z)
        for k in range(0, len(z), 2):
            right = shift * (model.mass(z[k + 1]) + model.mass(z[k])) + model.damping(z[k])
            y[k] = shifted.solve(-right)
            y[k + 1] = z[k] / shift + y[k]
        return y

    served = Served(comm, model.size, {"step": step})
    small = served.size <= SMALL or number > served.size // 4
    iterate = _all_modes if small else _lowest_modes
    theta, shapes = served.run(lambda on_all: iterate(on_all, number + len(rigid)))
    values = shift + 1.0 / theta
    wanted = (values.imag >= 0.0) & (np.abs(values) > RESTING * shift)
    wanted &= (values.imag > 0.0) | (values.real > 0.0)
    order = np.flatnonzero(wanted)[_ascending(values[wanted])][:number]
    if len(order) < number and small:
        raise InputError(
            f"modes.number is {number}, but the model has only {len(order)} oscillating modes. Set "
            f"it to {len(order)} or less."
        )
    return values[order], served.own(shapes[order])


def _ascending(values: Complex) -> Index:
    """Return the order of λ by Im λ.

    Coupled modes have equal Im λ up to round-off; the growing mode comes first.
    """
    order = np.argsort(values.imag, kind="stable")
    frequency = values.imag[order]
    group = np.cumsum(np.diff(frequency, prepend=0.0) > _EQUAL * np.abs(values[order]))
    return order[np.lexsort((-values.real[order], group))]


def _lowest_modes(served: Served, number: int) -> tuple[Complex, Complex]:
    """Return 1/(λ − s) and shapes u by ARPACK; on rank 0."""
    size = served.size
    start = np.random.default_rng(_SEED).standard_normal((2, size))
    operator = LinearOperator(
        (2 * size, 2 * size),
        matvec=lambda z: served("step", np.asarray(z).reshape(2, size)).ravel(),
        dtype=float,
    )
    wanted = 2 * number + 4
    ncv = min(2 * size - 2, max(2 * wanted + 20, 60))
    try:
        theta, vectors = eigs(
            operator, wanted, v0=served("step", start).ravel(), tol=1e-10, ncv=ncv
        )
    except ArpackNoConvergence as error:
        raise RunError(
            f"modes: the iteration did not converge ({len(error.eigenvalues)} of {wanted} complex "
            "modes found). Reduce modes.number or refine the mesh."
        ) from error
    return theta, np.ascontiguousarray(vectors[:size].T)


def _all_modes(served: Served, number: int) -> tuple[Complex, Complex]:
    """Return the same of all modes from the dense matrix; on rank 0."""
    size = served.size
    units = np.eye(2 * size).reshape(4 * size, size)
    matrix = served("step", units).reshape(2 * size, 2 * size).T
    theta, vectors = np.linalg.eig(matrix)
    kept = np.flatnonzero(np.abs(theta) > _NEGLIGIBLE * np.abs(theta).max())
    return theta[kept].astype(complex), np.ascontiguousarray(vectors[:size, kept].T)
