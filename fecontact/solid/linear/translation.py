"""K u of bodies with large translations: the translation is removed before the product.

For a body that has slid 15 m and is deformed by 1e-6 m, only the deformation contributes to K u,
but the round-off grows with the translation: ε·E·15 m ≈ 3e-4 N per node. In a long sliding run it
accumulates into wrong digits that differ between solvers. Therefore

    K u = K (u − R c) + (K R) c,

where R are the uniform, strain-free translations of the connected bodies in unconstrained
directions, c those of an anchor node, and K R, in which the bodies cancel, are the forces of the
discrete springs alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petsc4py import PETSc

from fecontact.kernels import kernel, summing
from fecontact.mesh.cells import Index
from fecontact.mesh.parts import connected_parts
from fecontact.record import Array, ModelMesh
from fecontact.solid.conditions.discrete import Discretes
from fecontact.solid.conditions.supports import Supports
from fecontact.solid.fem.dofs import FreeDofs, SharedNodes
from fecontact.solid.fem.forms import Forms
from fecontact.solid.solvers.products import (
    Product,
    distributed_product,
    is_small,
    multiply,
    sparse_rows,
)


class Translations:
    """Free translations R of the bodies on the free dofs of this rank, and K R."""

    def __init__(
        self,
        forms: Forms,
        supports: Supports,
        free: FreeDofs,
        discretes: Discretes,
        founded: Index,
    ) -> None:
        """Compute R and K R.

        founded: nodes on foundations, whose bodies cannot translate freely.
        """
        space = forms.space
        prescribed = supports.resists
        prescribed[founded] = True
        number, anchors = _free_translations(space.mesh, prescribed, forms.measure.travels)
        self._anchors = SharedNodes(space, supports, free, anchors)
        # Number of the translation of each free dof of this rank; the last number is no motion.
        mine = free.index >= 0
        self._of: Index = np.full(free.size, -1, dtype=np.int64)
        translation = np.vstack([self._anchors.dof, [-1, -1]])[number, np.arange(2)]
        self._of[free.index[mine]] = translation[mine]
        self._c = np.zeros(self._anchors.size + 1)
        self._of_anchors = self._c[:-1]
        self._row, self._column, self._value = _springs(free, translation, discretes)

    def modes(self) -> Array:
        """Return R, (size, n): the free dofs of this rank moved by each of the n translations."""
        return np.asarray(self._of[:, None] == np.arange(self._anchors.size), dtype=float)

    def product(self, stiffness: PETSc.Mat) -> Product:
        """Return the product with K, without round-off from large translations."""
        still, springs = np.zeros(len(self._of)), (self._row, self._column, self._value)
        if is_small(stiffness):
            rows, anchors = sparse_rows(stiffness), self._anchors.local
            moved = still, self._c, anchors, self._of, *springs

            def times(x: Array, out: Array) -> Array:
                _multiply(x, out, *moved, *rows)
                return out

            return times
        inner = distributed_product(stiffness)

        def distributed(x: Array, out: Array) -> Array:
            self._anchors.gather(x, self._of_anchors)
            _subtract(x, self._c, self._of, still)
            inner(still, out)
            _add_entries(out, *springs, self._c)
            return out

        return distributed


@summing
def _multiply(x, out, still, c, anchors, *arrays):  # type: ignore[no-untyped-def]
    """Compute out = K (x − R c) + (K R) c on one rank.

    still: work array for x − R c; c: translations, set to x at the anchors;
    arrays: number of the translation of each dof; row, translation and value of K R;
    :class:`SparseRows` of K.
    """
    of, row, column, value = arrays[:4]
    start, columns, values, relation = arrays[4:]
    for j in range(len(anchors)):
        c[j] = x[anchors[j]]
    _subtract(x, c, of, still)
    multiply(still, out, start, columns, values, relation)
    _add_entries(out, row, column, value, c)


@kernel
def _subtract(x, c, of, out):  # type: ignore[no-untyped-def]
    """Compute out = x − R c."""
    for i in range(len(x)):
        out[i] = x[i] - c[of[i]]


@kernel
def _add_entries(out, row, column, value, c):  # type: ignore[no-untyped-def]
    """Add (K R) c to out."""
    for k in range(len(row)):
        out[row[k]] += value[k] * c[column[k]]


def _free_translations(
    mesh: ModelMesh, prescribed_nodes: NDArray[np.bool_], travels: tuple[bool, bool]
) -> tuple[Index, Index]:
    """Return the anchor number of each node and direction, (N, 2), and the anchor nodes.

    The number is −1 if the body cannot translate; each connected body has one anchor node.
    """
    body = connected_parts(mesh)
    prescribed = np.tile(~np.array(travels), (body.max() + 1, 1))
    for axis in range(2):
        prescribed[body[prescribed_nodes[:, axis]], axis] = True
    attached = np.zeros(len(mesh.points), dtype=bool)
    attached[mesh.cells] = True
    travelling = np.flatnonzero(attached & ~prescribed[body].all(axis=1))
    bodies, first = np.unique(body[travelling], return_index=True)
    anchor = np.full(body.max() + 1, -1, dtype=np.int64)
    anchor[bodies] = np.arange(len(bodies))
    number = np.where(prescribed[body] | ~attached[:, None], -1, anchor[body][:, None])
    return number, travelling[first]


def _springs(
    free: FreeDofs, translation: Index, discretes: Discretes
) -> tuple[Index, Index, Array]:
    """Return entries (row, translation, value) of K R on this rank."""
    rows, columns, values = [], [], []
    for near, far in ((0, 1), (1, 0)):
        here = discretes.ends[:, near]
        for other, sign in ((near, 1.0), (far, -1.0)):
            there = discretes.ends[:, other]
            row = np.where((here >= 0)[:, None], free.index[here], -1)[:, :, None]
            column = np.where((there >= 0)[:, None], translation[there], -1)[:, None, :]
            felt = (row >= 0) & (column >= 0)
            rows.append(np.broadcast_to(row, felt.shape)[felt])
            columns.append(np.broadcast_to(column, felt.shape)[felt])
            values.append(sign * discretes.stiffness[felt])
    return np.concatenate(rows), np.concatenate(columns), np.concatenate(values)
