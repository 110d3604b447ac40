"""Block elimination of symmetric matrices with 2×2 blocks, x and y of a node: A = L D Lᵀ.

Up-looking elimination, row by row (Davis 2006, "Direct Methods for Sparse Linear Systems", ch. 4).
Columns of L are stored for the blocks before the last ones; the remainder of the last blocks is
their Schur complement. Blocks of L are (entries, 4), pivots D⁻¹ (blocks, 4), vectors (blocks, 2) in
the order of elimination. Indices are unsigned, so that compiled loops need no check for negative
ones.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse
import scipy.sparse.csgraph
from numpy.typing import NDArray

from petsc4py import PETSc

from fecontact.kernels import kernel, njit, summing
from fecontact.mesh.cells import Index
from fecontact.record import Array

BLOCK = 2
PARTS = 16  # parts of A that are factorised separately
ONE, TWO = np.uint64(1), np.uint64(2)  # the difference to signed ones would be a float
ROUNDING = 1e-14  # of the diagonal: a smaller pivot is round-off of zero


def uncoupled(a: scipy.sparse.csr_array, node: Index) -> Index:
    """Return (size,) the part of each free dof; parts share neither entries of A nor nodes.

    The largest parts are separate, the others are combined.
    """
    block = np.unique(node, return_inverse=True)[1]
    graph = _of_blocks(a, block)
    _, part = scipy.sparse.csgraph.connected_components(graph, directed=False)
    sizes = np.bincount(part)
    number = np.empty(len(sizes), dtype=np.int64)
    number[np.argsort(-sizes, kind="stable")] = np.minimum(np.arange(len(sizes)), PARTS - 1)
    return np.asarray(number[part][block])


def ordered(a: scipy.sparse.csr_array, block: Index, last: Index) -> tuple[Index, int]:
    """Return the blocks in the order of elimination, and the number of blocks before `last`.

    The order is a nested dissection with `last` at the end.
    """
    graph = _of_blocks(a, block)
    inner = np.setdiff1d(np.arange(graph.shape[0]), last)
    if not len(inner):
        return last, 0
    part = graph[inner][:, inner].tocsr()
    csr = (part.indptr.astype(PETSc.IntType), part.indices.astype(PETSc.IntType), part.data)
    matrix = PETSc.Mat().createAIJ(part.shape, csr=csr, comm=PETSc.COMM_SELF)
    ordering, _ = matrix.getOrdering(PETSc.Mat.OrderingType.ND)
    return np.concatenate([inner[ordering.getIndices()], last]), len(inner)


def _of_blocks(a: scipy.sparse.csr_array, block: Index) -> scipy.sparse.csr_array:
    """Return the pattern of a matrix by blocks; block: (size,) of each row."""
    whole, count = a.tocoo(), int(block.max(initial=-1)) + 1
    graph = scipy.sparse.csr_array(
        (np.ones(whole.nnz), (block[whole.row], block[whole.col])), shape=(count, count)
    )
    graph.sum_duplicates()
    return graph


@njit
def fill(a_start, a_column, before):  # type: ignore[no-untyped-def]
    """Return column starts and ascending rows of L for the columns before the last rows.

    a_start, a_column: blocks of A on and below the diagonal, row by row.
    """
    count = len(a_start) - 1
    parent, ancestor, mark = np.full(count, -1), np.full(count, -1), np.full(count, -1)
    for k in range(count):  # elimination tree (Liu)
        for p in range(a_start[k], a_start[k + 1]):
            i = a_column[p]
            while i != -1 and i < k:
                following = ancestor[i]
                ancestor[i] = k
                if following == -1:
                    parent[i] = k
                i = following
    counts = np.zeros(count + 1, np.int64)
    for filling in range(2):
        if filling == 1:
            start = np.zeros(before + 1, np.int64)
            for i in range(before):
                start[i + 1] = start[i] + counts[i]
            row, at = np.zeros(start[before], np.int64), start.copy()
        mark[:] = -1
        for k in range(count):  # row of L: all nodes on the path up the tree
            mark[k] = k
            for p in range(a_start[k], a_start[k + 1]):
                i = a_column[p]
                while i != -1 and i < before and mark[i] != k:
                    mark[i] = k
                    if filling == 1:
                        row[at[i]] = k
                        at[i] += 1
                    else:
                        counts[i] += 1
                    i = parent[i]
    return start, row


@kernel
def eliminate(pattern, a, x, end, lower, pivots, left):  # type: ignore[no-untyped-def]
    """Compute L, D⁻¹ and the Schur complement (its lower half).

    Return True if all pivots are positive, and True if no pivot is round-off.

    pattern: start and column of A row by row, start and row of L by columns, start and column by
        rows.
    x: (blocks, 4) zero, work array for the current row, y_i = L_ki D_i.
    end: current end of each column of L.
    """
    a_start, a_column, start, row, of_row, column = pattern
    definite, regular, before = True, True, len(pivots)
    for k in range(len(a_start) - 1):
        for p in range(a_start[k], a_start[k + 1]):
            for c in range(4):
                x[a_column[p], c] = a[p, c]
        scale = max(abs(x[k, 0]), abs(x[k, 3]))
        for q in range(of_row[k], of_row[k + 1]):
            i = column[q]
            y0, y1, y2, y3 = x[i, 0], x[i, 1], x[i, 2], x[i, 3]
            for c in range(4):
                x[i, c] = 0.0
            d0, d1, d3 = pivots[i, 0], pivots[i, 1], pivots[i, 3]
            l0, l1 = y0 * d0 + y1 * d1, y0 * d1 + y1 * d3
            l2, l3 = y2 * d0 + y3 * d1, y2 * d1 + y3 * d3
            for p in range(start[i], end[i]):
                r = row[p]
                x[r, 0] -= y0 * lower[p, 0] + y1 * lower[p, 1]
                x[r, 1] -= y0 * lower[p, 2] + y1 * lower[p, 3]
                x[r, 2] -= y2 * lower[p, 0] + y3 * lower[p, 1]
                x[r, 3] -= y2 * lower[p, 2] + y3 * lower[p, 3]
            x[k, 0] -= y0 * l0 + y1 * l1
            x[k, 1] -= y0 * l2 + y1 * l3
            x[k, 2] -= y2 * l0 + y3 * l1
            x[k, 3] -= y2 * l2 + y3 * l3
            p = end[i]
            lower[p, 0], lower[p, 1], lower[p, 2], lower[p, 3] = l0, l1, l2, l3
            end[i] += 1
        if k < before:
            d0, d1, d3 = x[k, 0], 0.5 * (x[k, 1] + x[k, 2]), x[k, 3]
            determinant = d0 * d3 - d1 * d1
            definite = definite and d0 > 0.0 and determinant > 0.0
            # The smaller of both eigenvalues is about the determinant divided by the larger one.
            larger = max(abs(d0), abs(d3))
            regular = regular and abs(determinant) > ROUNDING * scale * larger
            pivots[k, 0], pivots[k, 3] = d3 / determinant, d0 / determinant
            pivots[k, 1] = pivots[k, 2] = -d1 / determinant
            for c in range(4):
                x[k, c] = 0.0
        else:
            for r in range(before, k + 1):
                for c in range(4):
                    left[2 * (k - before) + c // 2, 2 * (r - before) + c % 2] = x[r, c]
                    x[r, c] = 0.0
    return definite, regular


@kernel
def forward(b, by, y):  # type: ignore[no-untyped-def]
    """Compute y = L⁻¹ b; by: :class:`Substitution`."""
    inside, place, start, row, lower = by.inside, by.place, by.start, by.row, by.lower
    for i in range(len(place)):
        y[place[i] >> 1, place[i] & 1] = b[inside[i]]
    for i in range(len(start) - 1):
        y0, y1 = y[i, 0], y[i, 1]
        for p in range(start[i], start[i + 1]):
            r = row[p]
            y[r, 0] -= lower[p, 0] * y0 + lower[p, 1] * y1
            y[r, 1] -= lower[p, 2] * y0 + lower[p, 3] * y1


@kernel
def backward(y, last, by, out):  # type: ignore[no-untyped-def]
    """Compute x = L⁻ᵀ D⁻¹ y, with its last rows (2t,) given, and write the entries of dofs to out.

    L is read contiguously from its end to its start, which is three times faster in memory. Two
    blocks of a column are added to separate sums, because an addition waits for the last one to the
    same sum: half the time. by: :class:`Substitution`.
    """
    start, row, lower, pivots, x = by.start, by.row, by.lower, by.pivots, by.x
    inside, place, before = by.inside, by.place, len(pivots)
    for i in range(len(last)):
        x[before + i // 2, i % 2] = last[i]
    for i in range(before - 1, -1, -1):
        a0 = a1 = a2 = a3 = b0 = b1 = b2 = b3 = 0.0
        p, first = start[i + 1], start[i]
        while p >= first + TWO:
            p -= TWO
            q = p + ONE
            x0, x1, z0, z1 = x[row[p], 0], x[row[p], 1], x[row[q], 0], x[row[q], 1]
            a0 += lower[p, 0] * x0
            a1 += lower[p, 1] * x0
            a2 += lower[p, 2] * x1
            a3 += lower[p, 3] * x1
            b0 += lower[q, 0] * z0
            b1 += lower[q, 1] * z0
            b2 += lower[q, 2] * z1
            b3 += lower[q, 3] * z1
        if p > first:
            x0, x1 = x[row[first], 0], x[row[first], 1]
            a0 += lower[first, 0] * x0
            a1 += lower[first, 1] * x0
            a2 += lower[first, 2] * x1
            a3 += lower[first, 3] * x1
        x[i, 0] = pivots[i, 0] * y[i, 0] + pivots[i, 1] * y[i, 1] - ((a0 + a2) + (b0 + b2))
        x[i, 1] = pivots[i, 2] * y[i, 0] + pivots[i, 3] * y[i, 1] - ((a1 + a3) + (b1 + b3))
    for i in range(len(place)):
        out[inside[i]] = x[place[i] >> 1, place[i] & 1]


class Substitution(NamedTuple):
    """Arrays of the substitutions with a factor whose last blocks are those of the contact dofs.

    inside, place: (size,) of the part's dofs among all and among its rows;
    start, row, lower, pivots: L by columns, and D⁻¹;
    compliance: G of the last blocks, (2t, 2t);
    of_contact: (k, 2t) its rows of the contact dofs;
    x: (blocks, 2) and work: (2, 2t) work arrays.
    """

    inside: NDArray[np.uint32]
    place: NDArray[np.uint32]
    start: NDArray[np.uint64]
    row: NDArray[np.uint32]
    lower: Array
    pivots: Array
    compliance: Array
    of_contact: Array
    x: Array
    work: Array


@summing
def reduce_to_contact(b, y, last, contact, out, *arrays):  # type: ignore[no-untyped-def]
    """Compute y = L⁻¹ b and the motion G y_c of the contact dofs, out[contact].

    last: (2t,) the rows of y of the last blocks; arrays: :class:`Substitution`.
    """
    by = Substitution(*arrays)
    forward(b, by, y)
    compliance = by.of_contact
    for i in range(len(contact)):
        total = 0.0
        for j in range(len(last)):
            total += compliance[i, j] * last[j]
        out[contact[i]] = total


@summing
def recover(y, last, force, contact, tail, out, *arrays):  # type: ignore[no-untyped-def]
    """Compute out = A⁻¹ (b + Sᵀ r) from y = L⁻¹ b and forces r.

    last: (2t,) the rows of y of the last blocks; tail: (k,) those of the contact dofs `contact`;
    arrays: :class:`Substitution`.
    """
    by = Substitution(*arrays)
    loaded, moved, compliance = by.work[0], by.work[1], by.compliance
    for i in range(len(last)):
        loaded[i] = last[i]
    for k in range(len(tail)):
        loaded[tail[k]] += force[contact[k]]
    for i in range(len(last)):
        total = 0.0
        for j in range(len(last)):
            total += compliance[i, j] * loaded[j]
        moved[i] = total
    backward(y, moved, by, out)
