"""Products of constant sparse matrices with vectors of this rank.

A call of PETSc costs several microseconds, more than the product itself for a small matrix. On one
rank, small matrices are therefore copied and multiplied by a compiled kernel. The two rows of a
node mostly have the same columns; they are multiplied together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from petsc4py import PETSc

from fecontact.arrays import Mask
from fecontact.kernels import summing
from fecontact.record import Array

SMALL = 100_000  # rows up to which a matrix is copied: about 20 MB
Product = Callable[[Array, Array], Array]
"""x, out ↦ out = A x; both are vectors of the free dofs of this rank. Collective."""


class SparseRows(NamedTuple):
    """A matrix by rows: start (size + 1,), columns and values, and (size,) whether a row has the
    columns of the next one.
    """

    start: NDArray[np.uint64]
    column: NDArray[np.uint32]
    value: Array
    twin: Mask


def is_small(matrix: PETSc.Mat) -> bool:
    """Return True if products with a matrix are compiled."""
    return matrix.comm.size == 1 and matrix.getSize()[0] <= SMALL


def sparse_rows(matrix: PETSc.Mat) -> SparseRows:
    """Return a copy of a matrix on one rank."""
    start, column, value = matrix.getValuesCSR()
    size, width = len(start) - 1, np.diff(start)
    twin = np.zeros(size, bool)
    twin[:-1] = width[:-1] == width[1:]
    row = np.repeat(np.arange(size), width)
    beside = np.arange(len(column)) + width[row]  # the same entry in the next row
    other = np.flatnonzero(twin[row])
    twin[row[other[column[other] != column[beside[other]]]]] = False
    return SparseRows(start.astype(np.uint64), column.astype(np.uint32), value, twin)


def product_with(matrix: PETSc.Mat) -> Product:
    """Return the product with a matrix that does not change."""
    if not is_small(matrix):
        return distributed_product(matrix)
    rows = sparse_rows(matrix)

    def times(x: Array, out: Array) -> Array:
        multiply(x, out, *rows)
        return out

    return times


def distributed_product(matrix: PETSc.Mat) -> Product:
    """Return the product by PETSc, on any number of ranks."""
    rows = np.zeros(matrix.getLocalSize()[0])
    right, left = (PETSc.Vec().createWithArray(rows, comm=matrix.comm) for _ in range(2))

    def times(x: Array, out: Array) -> Array:
        right.placeArray(x)
        left.placeArray(out)
        matrix.mult(right, left)
        right.resetArray()
        left.resetArray()
        return out

    return times


@summing
def multiply(x, out, start, column, value, twin):  # type: ignore[no-untyped-def]
    """Compute out = A x; the last arguments: :class:`SparseRows`."""
    i, size = 0, len(out)
    while i < size:
        total, first, width = 0.0, start[i], start[i + 1] - start[i]
        if twin[i]:
            other = 0.0
            for p in range(first, start[i + 1]):
                there = x[column[p]]
                total += value[p] * there
                other += value[p + width] * there
            out[i + 1] = other
        else:
            for p in range(first, start[i + 1]):
                total += value[p] * x[column[p]]
        out[i] = total
        i += 2 if twin[i] else 1
