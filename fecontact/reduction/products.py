"""Products with the dense symmetric matrices of a reduced model."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from scipy.linalg import blas

from fecontact.arrays import Array
from fecontact.kernels import summing

Product = Callable[[Array, Array], Array]
"""x, out ↦ out = X x."""

LARGE = 200  # rows above which memory traffic limits a product, so that reading one half pays


def symmetric(matrix: Array) -> Product:
    """Return the product with a symmetric matrix (n, n)."""
    if np.count_nonzero(matrix - np.diag(np.diag(matrix))) == 0:
        weights = np.diag(matrix).copy()
        return lambda x, out: np.multiply(weights, x, out=out)
    if len(matrix) > LARGE:
        return partial(_half, np.asfortranarray(matrix))
    return matrix.copy().dot


@summing
def add_columns(matrix, loaded, x, out):  # type: ignore[no-untyped-def]
    """Compute out = X x of a symmetric matrix (n, n) for an x that is 0 except at `loaded`."""
    out[:] = 0.0
    for j in loaded:
        row, factor = matrix[j], x[j]
        for i in range(len(out)):
            out[i] += factor * row[i]


def _half(matrix: Array, x: Array, out: Array) -> Array:
    """Compute out = X x; only the lower triangle of X, stored by columns, is read."""
    found = blas.dsymv(1.0, matrix, x, y=out, lower=1, overwrite_y=1)
    if found is not out:  # out is not contiguous
        out[:] = found
    return out
