"""Products of constant sparse matrices with vectors of this rank.

A call of PETSc costs several microseconds, more than the product itself for a small matrix. On one
rank, small matrices are therefore copied and multiplied by a compiled kernel. The two rows of a
node are multiplied together where they have the same columns, as in K, or the same values in
neighbouring columns, as in M.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from petsc4py import PETSc

from fecontact.kernels import fusing
from fecontact.record import Array

SMALL = 100_000  # rows up to which a matrix is copied: about 20 MB
Product = Callable[[Array, Array], Array]
"""x, out ↦ out = A x; both are vectors of the free dofs of this rank. Collective."""


class SparseRows(NamedTuple):
    """A matrix by rows: start (size + 1,), columns and values, and (size,) the relation of a row to
    the next one: SINGLE, TWIN (the same columns) or SHIFTED (the same values one column further).
    """

    start: NDArray[np.uint64]
    column: NDArray[np.uint32]
    value: Array
    relation: NDArray[np.uint8]


SINGLE, TWIN, SHIFTED = range(3)
ONE, TWO = np.uint64(1), np.uint64(2)  # a sum with a signed integer would be a float


def is_small(matrix: PETSc.Mat) -> bool:
    """Return True if products with a matrix are compiled."""
    return matrix.comm.size == 1 and matrix.getSize()[0] <= SMALL


def sparse_rows(matrix: PETSc.Mat) -> SparseRows:
    """Return a copy of a matrix on one rank."""
    start, column, value = matrix.getValuesCSR()
    size, width = len(start) - 1, np.diff(start)
    row = np.repeat(np.arange(size), width)
    beside = np.arange(len(column)) + width[row]  # the same entry in the next row
    alike = np.append(width[:-1] == width[1:], np.zeros(min(size, 1), bool))
    some = np.flatnonzero(alike[row])
    here, there = column[some], column[beside[some]]
    relation = np.full(size, SINGLE, np.uint8)
    for kind, differs in (
        (SHIFTED, (there != here + 1) | (value[some] != value[beside[some]])),
        (TWIN, there != here),
    ):
        found = alike.copy()
        found[row[some[differs]]] = False
        relation[found] = kind
    return SparseRows(start.astype(np.uint64), column.astype(np.uint32), value, relation)


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


@fusing
def multiply(x, out, start, column, value, relation):  # type: ignore[no-untyped-def]
    """Compute out = A x; the last arguments: :class:`SparseRows`.

    Even and odd entries have separate sums, because an addition waits for the last one to the same
    sum. The sums are too short for vectors of the processor.
    """
    i, size = 0, len(out)
    while i < size:
        a, b, c, d = 0.0, 0.0, 0.0, 0.0
        p, end, kind = start[i], start[i + 1], relation[i]
        width = end - p
        if kind == TWIN:
            while p + ONE < end:
                even, odd = x[column[p]], x[column[p + ONE]]
                a += value[p] * even
                b += value[p + ONE] * odd
                c += value[p + width] * even
                d += value[p + ONE + width] * odd
                p += TWO
            if p < end:
                a += value[p] * x[column[p]]
                c += value[p + width] * x[column[p]]
        elif kind == SHIFTED:
            while p + ONE < end:
                even, odd = column[p], column[p + ONE]
                a += value[p] * x[even]
                b += value[p + ONE] * x[odd]
                c += value[p] * x[even + 1]
                d += value[p + ONE] * x[odd + 1]
                p += TWO
            if p < end:
                a += value[p] * x[column[p]]
                c += value[p] * x[column[p] + 1]
        else:
            while p < end:
                a += value[p] * x[column[p]]
                p += ONE
        out[i] = a + b
        if kind == SINGLE:
            i += 1
        else:
            out[i + 1] = c + d
            i += 2
