"""Real modes: K φ = ω² M φ with closed contact.

Shift-and-invert, (K + s² M)⁻¹ M φ = φ/(ω² + s²), by the Lanczos method of ARPACK (R. B. Lehoucq,
D. C. Sorensen & C. Yang 1998, doi:10.1137/1.9780898719628); of small models all modes, by dense
linear algebra. Rigid-body modes are known beforehand and removed from all vectors.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from mpi4py import MPI

from fecontact.arrays import Array
from fecontact.modal.linear import LinearisedModel
from fecontact.modal.ranks import Served
from fecontact.modal.shift import shifted_below, without
from fecontact.study.errors import InputError, RunError

SMALL = 240  # free dofs up to which all modes are computed
# fraction of the largest 1/(ω² + s²): smaller ones belong to constraints or massless dofs
_NEGLIGIBLE = 1e-11
_SEED = 3


def real_modes(
    model: LinearisedModel, rigid: Array, number: int, comm: MPI.Comm
) -> tuple[Array, Array]:
    """Return ω² (n,), 1/s², ascending, and M-orthonormal shapes (n, size) on this rank.

    rigid: (r, size) M-orthonormal rigid-body modes, which are not among them. Collective.
    """
    omega2, shapes = lowest_modes(model, rigid, number, comm)
    if len(omega2) < number:
        raise InputError(
            f"modes.number is {number}, but the model has only {len(omega2)} elastic modes. Set it "
            f"to {len(omega2)} or less."
        )
    return omega2, shapes


def lowest_modes(
    model: LinearisedModel, rigid: Array, number: int, comm: MPI.Comm
) -> tuple[Array, Array]:
    """Return the same as :func:`real_modes`, fewer if the model has fewer modes. Collective."""
    shift, shifted = shifted_below(model, rigid, damped=False)

    def solve(x: Array) -> Array:
        return np.array([without(shifted.solve(b), rigid, model) for b in x])

    def mass(x: Array) -> Array:
        return np.array([model.mass(one) for one in x])

    served = Served(comm, model.size, {"solve": solve, "mass": mass})
    small = served.size <= SMALL or number > served.size // 3
    iterate = _all_modes if small else _lowest_modes
    theta, shapes = served.run(lambda on_all: iterate(on_all, number))
    return 1.0 / theta - shift**2, served.own(shapes)


def _lowest_modes(served: Served, number: int) -> tuple[Array, Array]:
    """Return 1/(ω² + s²), descending, and shapes by ARPACK; on rank 0."""
    size = served.size
    start = np.random.default_rng(_SEED).standard_normal((1, size))
    start = served("solve", served("mass", start))[0]
    mass, solve = (
        LinearOperator(
            (size, size), matvec=lambda x, n=name: served(n, x.reshape(1, -1))[0], dtype=float
        )
        for name in ("mass", "solve")
    )
    try:
        # The matrix itself is not used with a shift; the mass matrix is passed instead.
        values, vectors = eigsh(
            mass,
            number,
            mass,
            sigma=0.0,
            OPinv=solve,
            v0=start,
            tol=1e-10,
            ncv=min(size - 1, max(2 * number + 20, 40)),
        )
    except ArpackNoConvergence as error:
        found = len(error.eigenvalues)
        raise RunError(
            f"modes: the iteration did not converge ({found} of {number} modes found). Reduce "
            "modes.number or refine the mesh."
        ) from error
    order = np.argsort(values)
    return 1.0 / values[order], np.ascontiguousarray(vectors.T[order])


def _all_modes(served: Served, number: int) -> tuple[Array, Array]:
    """Return the same from the dense matrices; on rank 0."""
    unit = np.eye(served.size)
    mass, inverse = served("mass", unit), served("solve", unit)
    mass, inverse = 0.5 * (mass + mass.T), 0.5 * (inverse + inverse.T)
    weight, axes = np.linalg.eigh(mass)
    root = axes * np.sqrt(np.maximum(weight, 0.0))
    values, reduced = scipy.linalg.eigh(root.T @ inverse @ root)
    keep = np.flatnonzero(values > _NEGLIGIBLE * max(values[-1], 0.0))[::-1][:number]
    theta = values[keep]
    shapes = (inverse @ (root @ reduced[:, keep]) / theta).T
    scale = np.sqrt(np.einsum("ij,jk,ik->i", shapes, mass, shapes))
    return theta, shapes / scale[:, None]
