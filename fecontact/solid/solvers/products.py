"""Products of constant sparse matrices with vectors of this rank.

A call of PETSc costs several microseconds, more than the product itself for a small matrix. On one
rank, small matrices are therefore copied and multiplied by a compiled kernel.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from petsc4py import PETSc

from fecontact.kernels import summing
from fecontact.record import Array

SMALL = 100_000  # rows up to which a matrix is copied: about 20 MB
Product = Callable[[Array, Array], Array]
"""x, out ↦ out = A x; both are vectors of the free dofs of this rank. Collective."""


def product_with(matrix: PETSc.Mat) -> Product:
    """Return the product with a matrix that does not change."""
    if matrix.comm.size > 1 or matrix.getSize()[0] > SMALL:
        return distributed_product(matrix)
    start, column, value = matrix.getValuesCSR()
    pattern = start.astype(np.uint64), column.astype(np.uint32)

    def multiply(x: Array, out: Array) -> Array:
        _multiply(*pattern, value, x, out)
        return out

    return multiply


def distributed_product(matrix: PETSc.Mat) -> Product:
    """Return the product by PETSc, on any number of ranks."""
    rows = np.zeros(matrix.getLocalSize()[0])
    right, left = (PETSc.Vec().createWithArray(rows, comm=matrix.comm) for _ in range(2))

    def multiply(x: Array, out: Array) -> Array:
        right.placeArray(x)
        left.placeArray(out)
        matrix.mult(right, left)
        right.resetArray()
        left.resetArray()
        return out

    return multiply


@summing
def _multiply(start, column, value, x, out):  # type: ignore[no-untyped-def]
    """Compute out = A x for A in rows."""
    for i in range(len(out)):
        total = 0.0
        for p in range(start[i], start[i + 1]):
            total += value[p] * x[column[p]]
        out[i] = total
