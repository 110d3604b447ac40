"""Shift of an eigenvalue problem: a fraction of the lowest natural frequency.

Shift-and-invert about −s² finds the lowest modes first, and K + s² M is positive definite for any
rigid-body modes. With s far above the lowest frequency the iteration is slow; with s far below
it, rigid-body modes reduce the precision. A few subspace iterations find the scale.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg

from fecontact.arrays import Array
from fecontact.modal.linear import LinearisedModel, ShiftedModel
from fecontact.study.errors import InputError

FRACTION = 0.3  # shift over the lowest natural frequency
_VECTORS, _ITERATIONS, _ATTEMPTS = 4, 4, 6
_SEED = 20


def shifted_below(model: LinearisedModel, rigid: Array, damped: bool) -> tuple[float, ShiftedModel]:
    """Return a shift s, rad/s, and the factorised model there.

    rigid: (r, size) M-orthonormal rigid-body modes on this rank; damped: True if A contains C.
    Collective.
    """
    shift = _first_guess(model)
    for _ in range(_ATTEMPTS):
        shifted = model.shifted(shift, damped)
        lowest = _lowest(model, shifted, rigid, shift)
        if 0.02 * lowest <= shift <= lowest:
            break
        shift = FRACTION * lowest
    return shift, shifted


def _first_guess(model: LinearisedModel) -> float:
    """Return a scale of the frequencies: the geometric mean of K_ii/M_ii, over its range, rad/s."""
    generator = np.random.default_rng(_SEED)
    x = generator.standard_normal(model.size)
    total = model.bulk.total
    mass = total(np.array([x @ model.mass(x)]))[0]
    stiffness = total(np.array([x @ model.stiffness(x)]))[0]
    if not mass > 0.0:
        raise InputError("materials: no free dof has a mass. Set `density` to compute modes.")
    return 1e-3 * float(np.sqrt(abs(stiffness) / mass)) or 1.0


def _lowest(model: LinearisedModel, shifted: ShiftedModel, rigid: Array, shift: float) -> float:
    """Return the lowest natural frequency of elastic modes in a subspace, rad/s."""
    generator = np.random.default_rng(_SEED + 1)
    block = generator.standard_normal((_VECTORS, model.size))
    value = shift
    for _ in range(_ITERATIONS):
        moved = [model.mass(without(x, rigid, model)) for x in block]
        block = np.array([without(shifted.solve(x), rigid, model) for x in moved])
        weighted = np.array([model.mass(x) for x in block])
        size = np.sqrt(np.diag(_products(model, block, weighted)).clip(1e-300))
        block, weighted = block / size[:, None], weighted / size[:, None]
        answer = np.array([without(shifted.solve(x), rigid, model) for x in weighted])
        theta = scipy.linalg.eigvals(
            _products(model, weighted, answer), _products(model, block, weighted)
        )
        largest = float(np.nanmax(np.where(np.isfinite(theta), theta.real, 0.0)))
        if largest > 0.0:
            value = float(np.sqrt(abs(1.0 / largest - shift**2)))
    return max(value, 1e-6 * shift)


def without(x: Array, rigid: Array, model: LinearisedModel) -> Array:
    """Return x without its part along M-orthonormal vectors. Collective."""
    if not len(rigid):
        return x
    return np.asarray(x - model.bulk.total(rigid @ model.mass(x)) @ rigid)


def _products(model: LinearisedModel, a: Array, b: Array) -> Array:
    """Return a bᵀ, summed over all ranks."""
    own = np.ascontiguousarray(a @ b.T)
    return model.bulk.total(own.ravel()).reshape(own.shape)
