"""Schur-complement factorisation on one rank: one solve per step, condensed to the contact dofs.

A step needs the free motion A⁻¹b at the contact dofs to compute the contact forces r, and then the
complete motion under both. The contact solver needs the compliance G of all contact dofs c. With
the other dofs i eliminated first (:mod:`fecontact.solid.solvers.elimination`),

    A = [A_ii  A_ic]    A_ii = L D Lᵀ,    Σ = A_cc − L_ci D L_ciᵀ,    G = S A⁻¹ Sᵀ = Σ⁻¹,
        [A_ci  A_cc]

Σ is the Schur complement of the elimination, and contact needs only its inverse:

    L y_i = b_i,  y_c = b_c − L_ci y_i        once
    (A⁻¹b)_c = G y_c                          the free motion, which determines the forces r
    u_c = G (y_c + r),  Lᵀ u_i = D⁻¹y_i − …   the complete motion

With many contact dofs, for example on a long master or the rim of a disc, the dense last rows cost
more than they save; the order of elimination is then free. The motions A⁻¹Sᵀ, which contain the
rows of G, are stored as far as memory allows, and the complete motion is the sum of that of b and
those of the few loaded dofs; otherwise a step has two solves. The choice is made for each body.

Uncoupled parts of A (:mod:`fecontact.solid.solvers.parts`), such as a linear body below a
finite-strain body, are factorised again only if their entries change. A is positive definite if all
pivots are positive.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.sparse

from petsc4py import PETSc

from fecontact.arrays import Integers
from fecontact.mesh.cells import Index
from fecontact.record import Array
from fecontact.solid.fem.dofs import SharedDofs
from fecontact.solid.linear.balance import NONE, NOTHING, Balance
from fecontact.solid.solvers.elimination import (
    BLOCK,
    Substitution,
    recover,
    reduce_to_contact,
    uncoupled,
)
from fecontact.solid.solvers.factor import BLOCK_BYTES
from fecontact.solid.solvers.parts import Eliminated, MatrixSum, Part

# Contact dofs up to which Σ is worth its n³/3 operations in each Newton iteration.
MAX_CONDENSED_DOFS = 1000
MAX_FILL = 10.0  # times the number of dofs: limit of the entries of the dense last rows …
TWO_SOLVES = 4.0  # … and factor on this limit if a step has two solves otherwise


class PartFactor:
    """A part with its factor, its contact dofs eliminated last.

    sweeps: forward and backward substitutions of all parts so far, which benchmarks count.
    """

    sweeps = 0

    def __init__(self, part: Part, found: Eliminated) -> None:
        self.part = part
        self._y, self._x, self._other = np.zeros((3, part.count, BLOCK))
        ends = (y.reshape(-1)[BLOCK * part.before :] for y in (self._y, self._other))
        self._last, self._last_of_other = ends
        self._tail = part.rows - BLOCK * part.before if part.condensed else part.rows[:0]
        self._contact = part.contact if part.condensed else part.contact[:0]
        self._by = Substitution(
            *(part.inside, part.place, part.start, part.row),
            *(found.lower, found.pivots, found.compliance, found.compliance[self._tail]),
            *(self._x, np.zeros((2, len(self._last)))),
        )

    def solve(self, b: Array, out: Array) -> None:
        """Solve out = A⁻¹ b for this part."""
        PartFactor.sweeps += 2
        y, last = self._other, self._last_of_other
        reduce_to_contact(b, y, last, NONE, NOTHING, *self._by)
        recover(y, last, NOTHING, NONE, NONE, out, *self._by)

    def compliance(self, dofs: Index) -> Array:
        """Return rows of G = S A⁻¹ Sᵀ over the contact dofs of this part, m/N per m."""
        return np.asarray(self._by.of_contact[:, self._tail][dofs])

    def interface_solution(self, b: Array, out: Array) -> None:
        """Set the contact dofs of this part in out = S A⁻¹ b; b is stored for
        :meth:`solution_with_contact`.
        """
        PartFactor.sweeps += 1
        reduce_to_contact(b, self._y, self._last, self._contact, out, *self._by)

    def solution_with_contact(self, force: Array, out: Array) -> None:
        """Compute out = A⁻¹ (b + Sᵀ r) of this part; force: r on all contact dofs, N."""
        PartFactor.sweeps += 1
        recover(self._y, self._last, force, self._contact, self._tail, out, *self._by)


def can_store_motions(dofs: int, contact_dofs: int) -> bool:
    """Return True if the motions A⁻¹Sᵀ of a part fit into the memory reserved for them."""
    return 8 * dofs * contact_dofs <= BLOCK_BYTES


class FreeOrderFactor(PartFactor):
    """Factorised part with the known motions A⁻¹Sᵀ, if they are few enough."""

    def __init__(self, part: Part, found: Eliminated) -> None:
        super().__init__(part, found)
        size, count = self._x.size, len(part.contact)
        self._motions: Array = np.zeros((count if can_store_motions(size, count) else 0, size))
        self._known = np.zeros(count, dtype=bool)
        self._flat, self._free_x = self._x.reshape(-1), np.zeros(size)
        self._stored_right_side, self._out = np.zeros((2, int(part.inside.max(initial=0)) + 1))

    def compliance(self, dofs: Index) -> Array:
        g, unit = np.empty((len(dofs), len(self._known))), np.zeros_like(self._stored_right_side)
        for j, dof in enumerate(dofs):
            unit[self.part.of_contact[dof]] = 1.0
            self.solve(unit, self._out)
            unit[self.part.of_contact[dof]] = 0.0
            g[j] = self._flat[self.part.rows]
            if len(self._motions):
                self._motions[dof], self._known[dof] = self._flat, True
        return g

    def interface_solution(self, b: Array, out: Array) -> None:
        self._stored_right_side[:] = b[: len(self._stored_right_side)]
        self.solve(b, self._out)
        self._free_x[:] = self._flat
        out[self.part.contact] = self._flat[self.part.rows]

    def solution_with_contact(self, force: Array, out: Array) -> None:
        part, force = self.part, force[self.part.contact]
        acting = np.flatnonzero(force)
        if self._known[acting].all():
            np.matmul(force[acting], self._motions[acting], out=self._flat)
            self._flat += self._free_x
            out[part.inside] = self._flat[part.place]
        else:
            loaded = self._stored_right_side.copy()
            loaded[part.of_contact] += force
            self.solve(loaded, out)


class SchurFactor:
    """Factorised A = m M + c C + k K on one rank, with separate uncoupled parts.

    For two bodies joined only by contact, solving for one does not involve the other.

    parts: parts of A.
    entries: entries of A.
    surface: contact dofs.
    stabilised, spring_stiffness: as in :class:`fecontact.solid.solvers.factor.MatrixFactor`.
    definite: True if A is positive definite.
    inside: True if A_ii is positive definite.

    Raise `numpy.linalg.LinAlgError` if A is singular.
    """

    def __init__(
        self,
        parts: Sequence[Part],
        entries: Array,
        surface: SharedDofs,
        stabilised: Index,
        spring_stiffness: Array,
        balance: Balance,
    ) -> None:
        self.stabilised, self.spring_stiffness = stabilised, spring_stiffness
        self._surface, self._balance = surface, balance
        self.eliminated = [part.eliminate(entries) for part in parts]
        self._parts = [
            (PartFactor if part.condensed else FreeOrderFactor)(part, found)
            for part, found in zip(parts, self.eliminated, strict=True)
        ]
        self.definite = all(found.definite for found in self.eliminated)
        self.inside = all(found.inside for found in self.eliminated)
        self._given = np.zeros(sum(len(part.inside) for part in parts))

    def solve(self, b: Array, out: Array) -> Array:
        """Solve out = A⁻¹ b."""
        given = b.copy()  # b and out may be the same array
        for part in self._parts:
            part.solve(given, out)
        self._balance.restore(given, out)
        return out

    def compliance(self, dofs: Index) -> Array:
        """Return rows of G = S A⁻¹ Sᵀ, m/N per m."""
        g = np.zeros((len(dofs), self._surface.size))
        for factor in self._parts:
            contact = factor.part.contact
            mine = np.flatnonzero(np.isin(dofs, contact))
            if len(mine):
                own = np.searchsorted(contact, dofs[mine])
                g[np.ix_(mine, contact)] = factor.compliance(own)
        return g

    def interface_solution(self, b: Array) -> Array:
        """Return S A⁻¹ b; b is stored for :meth:`solution_with_contact`."""
        self._given[:] = b
        out = np.empty(self._surface.size)
        for factor in self._parts:
            factor.interface_solution(b, out)
        return out

    def solution_with_contact(self, force: Array, out: Array) -> Array:
        """Compute out = A⁻¹ (b + Sᵀ r) for contact forces r.

        b is that of the last :meth:`interface_solution`.
        """
        for factor in self._parts:
            factor.solution_with_contact(force, out)
        self._balance.restore(self._given, out, self._surface.local, force)
        return out


class SchurPattern:
    """Data shared by all factors of one pattern.

    matrices: matrices whose sums are factorised.
    owned: (size,) number of each free dof among all dofs, 2·node + component.
    surface: contact dofs.
    few: limit of the entries of the dense last rows of a part, relative to its number of dofs, up
        to which its contact dofs are eliminated last.
    """

    def __init__(
        self,
        matrices: Sequence[PETSc.Mat],
        owned: Index,
        surface: SharedDofs,
        few: float = np.inf,
    ) -> None:
        self.sum = MatrixSum(matrices)
        self._surface = surface
        size = len(owned)
        where = np.empty(surface.size, dtype=np.int64)  # among the free dofs
        where[surface.mine] = surface.local
        places = 1.0 + np.arange(len(self.sum.columns))  # exact up to 2⁵³
        pattern = scipy.sparse.csr_array(
            (places, self.sum.columns, self.sum.start), shape=(size, size)
        )
        part, local = uncoupled(pattern, owned // BLOCK), np.empty(size, dtype=np.int64)
        self.spring_entries: Integers = self.sum.diagonal[where]
        self._parts = []
        for number in range(int(part.max(initial=-1)) + 1):
            inside = np.flatnonzero(part == number)
            local[inside] = np.arange(len(inside))
            contact = np.flatnonzero(part[where] == number)
            stored = can_store_motions(len(inside), len(contact))
            limit = few if stored else TWO_SOLVES * few
            condensed = len(contact) ** 2 <= limit * len(inside)
            at = local[where[contact]]
            self._parts.append(Part(pattern, (inside, owned[inside]), contact, at, condensed))

    def factor(
        self, entries: Array, stabilised: Index, spring_stiffness: Array, balance: Balance
    ) -> SchurFactor:
        """Return the factor of the matrix with these entries plus stabilising springs."""
        entries[self.spring_entries[stabilised]] += spring_stiffness
        return SchurFactor(
            self._parts, entries, self._surface, stabilised, spring_stiffness, balance
        )
