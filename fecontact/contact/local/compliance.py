"""Compliance G = S A⁻¹ Sᵀ of the contact dofs, computed row by row on demand.

Row d of G is the displacement of all contact dofs under a unit force at dof d, m/N. Forces act only
where surfaces are in contact, so for a short shoe on a long rail only the rows near the shoe are
needed. Rows are computed in fixed blocks of neighbours, so that a row does not depend on the
contact history or on an interruption of the run. With few contact dofs there is one block. When the
memory limit is reached, the least recently used blocks are dropped.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from fecontact.arrays import Array, Integers
from fecontact.bulk import Factor
from fecontact.kernels import kernel, summing
from fecontact.machine import available

Product = Callable[[Array], Array]
MAX_DENSE_DOFS = 1000  # contact dofs up to which all rows are computed together, 8 MB
BLOCK = 32  # default number of rows of a block otherwise
LIMIT = 9_000_000  # entries that can always be stored, 72 MB
SHARE = 0.1  # largest fraction of the free memory for more entries


def room(ranks: int) -> int:
    """Return the number of entries of G that each rank can store in the free memory."""
    free = available()
    return max(LIMIT, int(SHARE * free / (8 * ranks))) if math.isfinite(free) else LIMIT


class Compliance:
    """The rows of G computed so far.

    rows: (r, n);
    place: (n,) row of each contact dof, −1 if not computed;
    span: (r, 2) range of nonzero entries of a row: a force on one body does not move the others.
    """

    def __init__(
        self,
        factor: Factor,
        size: int,
        few: int = MAX_DENSE_DOFS,
        block: int = BLOCK,
        room: int | None = None,
    ) -> None:
        """Prepare an empty compliance.

        few: contact dofs up to which all rows are computed together.
        block: rows of a block otherwise.
        room: largest number of stored entries; default LIMIT.
        """
        self._factor, self._size = factor, size
        # A dense factor has all of G and keeps the last product for its own solution.
        own: Product | None = getattr(factor, "displacement", None)
        if own is not None:
            self.times = own  # type: ignore[assignment, method-assign]
        self._room = LIMIT if room is None else room
        self._width = size if size <= few else block
        self.rows: Array = np.zeros((0, size))
        self.place: Integers = np.full(size, -1)
        self.span: Integers = np.zeros((0, 2), np.int64)
        self._used: dict[int, None] = {}  # stored blocks, the most recently used last

    def need(self, dofs: Integers) -> None:
        """Compute the missing rows of these contact dofs. Collective."""
        if self._width == self._size and len(self.rows):
            return
        blocks = [int(b) for b in np.unique(dofs // max(self._width, 1))]
        missing = [b for b in blocks if b not in self._used]
        for block in blocks:
            self._used.pop(block, None)
            self._used[block] = None
        if missing:
            self._make_room(len(blocks))
            for block in missing:
                self._make(block)

    def _make_room(self, needed: int) -> None:
        """Drop the least recently used blocks, except those needed now."""
        max_blocks = max(needed, self._room // max(1, self._size * self._width))
        for block in list(self._used)[: max(0, len(self._used) - max_blocks)]:
            del self._used[block]
            self.place[self._dofs(block)] = -1

    def _make(self, block: int) -> None:
        dofs = self._dofs(block)
        made = self._factor.compliance(dofs)
        taken = np.zeros(len(self.rows), bool)
        taken[self.place[self.place >= 0]] = True
        free = np.flatnonzero(~taken)
        if len(free) < len(dofs):
            more = max(len(dofs), len(self.rows)) if self._width < self._size else len(dofs)
            free = np.concatenate([free, len(self.rows) + np.arange(more)])
            self.rows = np.concatenate([self.rows, np.zeros((more, self._size))])
            self.span = np.concatenate([self.span, np.zeros((more, 2), np.int64)])
        self.place[dofs] = where = free[: len(dofs)]
        self.rows[where] = made
        moved = made != 0.0
        self.span[where, 0] = np.argmax(moved, axis=1)
        self.span[where, 1] = self._size - np.argmax(moved[:, ::-1], axis=1)

    def _dofs(self, block: int) -> Integers:
        return np.arange(block * self._width, min((block + 1) * self._width, self._size))

    def diagonal(self, dofs: Integers) -> Array:
        """Return G_dd of the given contact dofs. Collective."""
        found = np.zeros(len(dofs))
        for block in np.unique(dofs // max(self._width, 1)):
            own = dofs // self._width == block
            self.need(dofs[own])
            found[own] = self.rows[self.place[dofs[own]], dofs[own]]
        return found

    def times(self, force: Array) -> Array:
        """Return G r for forces r on the contact dofs, most of which are zero. Collective."""
        out = np.empty(self._size)
        if not product(self.rows, self.span, self.place, force, out):
            self.need(np.flatnonzero(force))
            product(self.rows, self.span, self.place, force, out)
        return out


@summing
def product(rows, span, place, force, out):  # type: ignore[no-untyped-def]
    """Set out = G r; return False if a row is missing."""
    out[:] = 0.0
    for d in range(len(force)):
        if force[d] != 0.0:
            if place[d] < 0:
                return False
            f, (first, last) = force[d], span[place[d]]
            row, moved = rows[place[d], first:last], out[first:last]
            for k in range(len(moved)):  # from 0, which the compiler can vectorise
                moved[k] += row[k] * f
    return True


@kernel
def take(rows, place, dofs, out):  # type: ignore[no-untyped-def]
    """Set out (d, d) to G of the given dofs (d,).

    A stored row is the motion of all dofs by a force on one: a column of G.
    """
    for i in range(len(dofs)):
        row = rows[place[dofs[i]]]
        for k in range(len(dofs)):
            out[k, i] = row[dofs[k]]
