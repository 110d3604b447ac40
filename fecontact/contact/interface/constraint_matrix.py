"""Constraint matrix B = (B_n, B_t) of the contact constraints and compliance W = B G Bᵀ.

Row j acts on nodal positions,

gap_j = Σ_c b_n(j,c)·x_c + o_j,   slip_j = Σ_c b_t(j,c)·Δx_c + d_tj,

with +n (or t) on the slave side and −N n on the master side, weighted by P_qj = w_q ψ_j where Gauss
points are integrated. The tangent is t = (n_y, −n_x), +x on a floor, so that b_t follows from b_n.
Contact forces on the nodes are r = B_nᵀ λ_n + B_tᵀ λ_t.

The offset o_j is the part of the gap that does not depend on nodal positions: a slave with a
surface offset δ has o_j = −δ. The drive d_j = (d_nj, d_tj) is the prescribed part of the change of
gap and slip in a step.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fecontact.bulk import Array, Integers
from fecontact.kernels import helper, kernel, njit
from fecontact.record import SLIP, STICK

ROUNDING = 1e-13  # of the sum of the terms: a smaller compliance is round-off


class Rows(NamedTuple):
    """Rows of a constraint matrix inside kernels: row j has `used[j]` entries from `start[j]` on,
    each a contact node and b_n (2 components).

    weight: (m,) sum of the weights of the points over the master; 0: the row is empty and the
    multiplier vanishes;
    offset: (m,) o of the gaps at the end of the step, m, weighted as the rows;
    drive: (2, m) d of gaps and slips in the step, m, weighted as the rows.
    """

    start: Integers
    used: Integers
    node: Integers
    normal: Array
    weight: Array
    offset: Array
    drive: Array


class ConstraintMatrix(NamedTuple):
    """Constraint matrix in three arrays, which kernels take one by one (`*matrix`).

    places: (2m + 1 + entries,) start, used and node of :class:`Rows`;
    normal: (entries, 2);
    of_row: (4, m) weight, offset and drive.
    """

    places: Integers
    normal: Array
    of_row: Array

    @property
    def rows(self) -> Rows:
        """Return the rows, as views."""
        m, places = self.of_row.shape[1], self.places
        start, used, node = places[: m + 1], places[m + 1 : 2 * m + 1], places[2 * m + 1 :]
        return Rows(start, used, node, self.normal, self.of_row[0], self.of_row[1], self.of_row[2:])

    @property
    def weight(self) -> Array:
        """Return the weights of the rows (m,)."""
        return self.of_row[0]

    @property
    def used(self) -> Integers:
        """Return the number of entries of the rows (m,)."""
        m = self.of_row.shape[1]
        return self.places[m + 1 : 2 * m + 1]


def packed(rows: Rows) -> ConstraintMatrix:
    """Return the constraint matrix with these rows."""
    places = np.concatenate([rows.start, rows.used, rows.node])
    return ConstraintMatrix(places, rows.normal, np.vstack([rows.weight, rows.offset, rows.drive]))


@helper
def unpacked(places, normal, of_row):  # type: ignore[no-untyped-def]
    """Return the rows of a constraint matrix."""
    m = of_row.shape[1]
    return Rows(
        places[: m + 1],
        places[m + 1 : 2 * m + 1],
        places[2 * m + 1 :],
        normal,
        of_row[0],
        of_row[1],
        of_row[2:],
    )


@njit
def empty_matrix(room):  # type: ignore[no-untyped-def]
    """Return the arrays of a constraint matrix without entries; room: (m,) capacity of its rows.

    Unused entries are zero because rows are part of the saved state of a run.
    """
    m, total = len(room), 0
    for j in range(m):
        total += room[j]
    places = np.zeros(2 * m + 1 + total, np.int64)
    for j in range(m):
        places[j + 1] = places[j] + room[j]
    return places, np.zeros((total, 2)), np.zeros((4, m))


@kernel
def add_entry(rows, j, node, bx, by):  # type: ignore[no-untyped-def]
    """Add b_n = (bx, by) at a node of row j."""
    i = rows.start[j]
    end = i + rows.used[j]
    while i < end and rows.node[i] != node:
        i += 1
    if i == end:
        rows.node[i] = node
        rows.normal[i, 0] = rows.normal[i, 1] = 0.0
        rows.used[j] += 1
    rows.normal[i, 0] += bx
    rows.normal[i, 1] += by


@kernel
def tangent(rows, i, c):  # type: ignore[no-untyped-def]
    """Return component c of b_t of an entry: (b_ny, −b_nx)."""
    return rows.normal[i, 1] if c == 0 else -rows.normal[i, 0]


@kernel
def entry_value(rows, j, x, normal):  # type: ignore[no-untyped-def]
    """Return entry j of B_n x (if `normal`) or B_t x for a nodal vector x (k, 2)."""
    value = 0.0
    for i in range(rows.start[j], rows.start[j] + rows.used[j]):
        c, bx, by = rows.node[i], rows.normal[i, 0], rows.normal[i, 1]
        value += bx * x[c, 0] + by * x[c, 1] if normal else by * x[c, 0] - bx * x[c, 1]
    return value


@kernel
def gap_value(rows, j, x):  # type: ignore[no-untyped-def]
    """Return the weighted gap of row j at positions x (k, 2)."""
    return entry_value(rows, j, x, True) + rows.offset[j]


@kernel
def slip_value(rows, j, moved):  # type: ignore[no-untyped-def]
    """Return the weighted slip of row j for nodal displacement increments `moved` (k, 2)."""
    return entry_value(rows, j, moved, False) + rows.drive[1, j]


@njit
def apply(rows, x, normal):  # type: ignore[no-untyped-def]
    """Return B_n x (if `normal`) or B_t x."""
    out = np.empty(len(rows.weight))
    for j in range(len(out)):
        out[j] = entry_value(rows, j, x, normal)
    return out


@kernel
def add_nodal_forces(rows, force, out):  # type: ignore[no-untyped-def]
    """Add Bᵀλ to out (k, 2), the forces on all contact nodes including prescribed ones."""
    m = len(rows.weight)
    for j in range(m):
        if force[j] == 0.0 and force[m + j] == 0.0:
            continue
        for i in range(rows.start[j], rows.start[j] + rows.used[j]):
            for c in range(2):
                b_t = tangent(rows, i, c)
                out[rows.node[i], c] += rows.normal[i, c] * force[j] + b_t * force[m + j]


@njit
def compliance(chosen, dof, dofs, g, extra, *matrix):  # type: ignore[no-untyped-def]
    """Return W = B G Bᵀ + diag(extra) (2a, 2a) of the chosen rows (a,): first all normal, then all
    tangential rows.

    g: (d, d) G of the dofs (d,) that these rows act on; extra: (2m,) of all rows. Rows of W that
    contain only round-off, those of forces along prescribed directions, are set to zero.
    matrix: the arrays of B.
    """
    rows = unpacked(matrix[0], matrix[1], matrix[2])
    a, size, m = len(chosen), len(dofs), len(rows.weight)
    local = np.empty(dof.max() + 1, np.int64)
    for i in range(size):
        local[dofs[i]] = i
    start, room = np.zeros(a + 1, np.int64), 0
    for r in range(a):
        room += 2 * rows.used[chosen[r]]
    index, factor = np.empty(room, np.int64), np.empty((room, 2))
    for r in range(a):
        start[r + 1] = start[r]
        j = chosen[r]
        for i in range(rows.start[j], rows.start[j] + rows.used[j]):
            for c in range(2):
                d = dof[rows.node[i], c]
                if d >= 0:
                    e = start[r + 1]
                    index[e] = local[d]
                    factor[e, 0], factor[e, 1] = rows.normal[i, c], tangent(rows, i, c)
                    start[r + 1] = e + 1
    w, by = np.empty((2 * a, 2 * a)), np.empty((2, size))
    for r in range(a):
        by[:] = 0.0  # b_n G and b_t G of row r
        for e in range(start[r], start[r + 1]):
            for k in range(2):
                _add_scaled(factor[e, k], g[index[e]], by[k])
        for s in range(a):
            nn = nt = tn = tt = 0.0
            for e in range(start[s], start[s + 1]):
                normal, tangential = by[0, index[e]], by[1, index[e]]
                nn, nt = nn + normal * factor[e, 0], nt + normal * factor[e, 1]
                tn, tt = tn + tangential * factor[e, 0], tt + tangential * factor[e, 1]
            w[r, s], w[r, a + s], w[a + r, s], w[a + r, a + s] = nn, nt, tn, tt
    for r in range(a):
        scale = 0.0  # sum of the magnitudes of the terms
        for e in range(start[r], start[r + 1]):
            own = factor[e, 0] * factor[e, 0] + factor[e, 1] * factor[e, 1]
            scale += g[index[e], index[e]] * own
        for i in (r, a + r):
            if w[i, i] < ROUNDING * scale:
                w[i, :] = 0.0
                w[:, i] = 0.0
            w[i, i] += extra[chosen[r] if i < a else m + chosen[r]]
    return w


@njit
def products(rows, chosen, dof, dofs, of_dof):  # type: ignore[no-untyped-def]
    """Return B x of the chosen rows (a,): (2a, q), first all normal rows, then all tangential rows.

    of_dof: (d, q) x at the dofs that these rows act on.
    """
    a, local = len(chosen), np.empty(dof.max() + 1, np.int64)
    for i in range(len(dofs)):
        local[dofs[i]] = i
    out = np.zeros((2 * a, of_dof.shape[1]))
    for r in range(a):
        _add_both(rows, chosen[r], dof, local, of_dof, out[r], out[a + r])
    return out


@kernel
def _add_both(rows, j, dof, local, of_dof, normal, tangential):  # type: ignore[no-untyped-def]
    """Add the sums over row j of b_n and of b_t times the values of each dof."""
    for i in range(rows.start[j], rows.start[j] + rows.used[j]):
        for c in range(2):
            d = dof[rows.node[i], c]
            if d >= 0:
                _add_scaled(rows.normal[i, c], of_dof[local[d]], normal)
                _add_scaled(tangent(rows, i, c), of_dof[local[d]], tangential)


@kernel
def _add_scaled(factor, x, out):  # type: ignore[no-untyped-def]
    """Add factor · x to out."""
    if factor != 0.0:
        for k in range(len(x)):
            out[k] += factor * x[k]


@njit
def dofs_of(chosen, dof, size, *matrix):  # type: ignore[no-untyped-def]
    """Return the contact dofs, of `size`, that the chosen rows of a matrix act on."""
    rows = unpacked(matrix[0], matrix[1], matrix[2])
    seen, dofs, count = np.zeros(size, np.bool_), np.empty(size, np.int64), 0
    for j in chosen:
        for i in range(rows.start[j], rows.start[j] + rows.used[j]):
            for c in range(2):
                d = dof[rows.node[i], c]
                if d >= 0 and not seen[d]:
                    seen[d] = True
                    dofs[count] = d
                    count += 1
    return dofs[:count]


@njit
def squares(rows, dof, scale):  # type: ignore[no-untyped-def]
    """Return the diagonal of B diag(scale) Bᵀ (2m,)."""
    m = len(rows.weight)
    out = np.zeros(2 * m)
    for j in range(m):
        for i in range(rows.start[j], rows.start[j] + rows.used[j]):
            for c in range(2):
                d = dof[rows.node[i], c]
                if d >= 0:
                    out[j] += scale[d] * rows.normal[i, c] ** 2
                    out[m + j] += scale[d] * tangent(rows, i, c) ** 2
    return out


@kernel
def difference_on_free_dofs(dof, a_places, a_normal, a_of_row, b_places, b_normal, b_of_row):  # type: ignore[no-untyped-def]
    """Return the largest relative difference of the entries of two constraint matrices on free
    dofs; infinite if their nodes differ.
    """
    a, b = unpacked(a_places, a_normal, a_of_row), unpacked(b_places, b_normal, b_of_row)
    largest = 0.0
    for j in range(len(a.weight)):
        i, k = a.start[j], b.start[j]
        end_i, end_k = i + a.used[j], k + b.used[j]
        while True:
            while i < end_i and dof[a.node[i], 0] < 0 and dof[a.node[i], 1] < 0:
                i += 1
            while k < end_k and dof[b.node[k], 0] < 0 and dof[b.node[k], 1] < 0:
                k += 1
            if i == end_i or k == end_k:
                break
            if a.node[i] != b.node[k]:
                return np.inf
            scale = max(abs(a.normal[i, 0]), abs(a.normal[i, 1]))
            for c in range(2):
                change = abs(a.normal[i, c] - b.normal[k, c])
                if change > largest * scale:
                    largest = change / scale if scale > 0.0 else np.inf
            i += 1
            k += 1
        if i != end_i or k != end_k:
            return np.inf
    return largest


@kernel
def add_up(rows, force, status, pair, slave_of, slaves, out):  # type: ignore[no-untyped-def]
    """Set out for each pair (P, 7): contact force on its slave as x, y, normal, tangential, and the
    number of sticking, slipping and open slave nodes.

    pair: (m,) of the multipliers; the first `slaves` multipliers belong to slave nodes;
    slave_of: (P, k) multiplier of each slave node of a pair, −1 for other nodes.
    """
    for p in range(len(out)):
        for c in range(7):
            out[p, c] = 0.0
    for j in range(len(rows.weight)):
        p, fn, ft = pair[j], force[j], force[len(rows.weight) + j]
        out[p, 2] += rows.weight[j] * fn
        out[p, 3] += rows.weight[j] * ft
        if j < slaves:
            out[p, 4 if status[j] == STICK else 5 if status[j] == SLIP else 6] += 1.0
        for i in range(rows.start[j], rows.start[j] + rows.used[j]):
            if slave_of[p, rows.node[i]] >= 0:
                for c in range(2):
                    out[p, c] += rows.normal[i, c] * fn + tangent(rows, i, c) * ft


@njit
def positions(rest, prescribed, u, dof):  # type: ignore[no-untyped-def]
    """Return rest + prescribed + u at the contact nodes (k, 2); u: at the contact dofs."""
    x = np.empty(rest.shape)
    place_nodes(rest, prescribed, u, dof, x)
    return x


@kernel
def place_nodes(rest, prescribed, u, dof, x):  # type: ignore[no-untyped-def]
    """Set x = rest + prescribed + u at the contact nodes (k, 2); u: at the contact dofs."""
    for c in range(len(rest)):
        for i in range(2):
            x[c, i] = rest[c, i] + prescribed[c, i] + (u[dof[c, i]] if dof[c, i] >= 0 else 0.0)
