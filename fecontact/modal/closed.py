"""Closed contact as linear constraints on the contact dofs.

A small motion δu of the contact dofs keeps closed nodes closed, and sticking ones in place:

    Q δu + e δλ = 0,     forces on the contact dofs: P δλ,

where the rows of Q are B_n of all closed nodes and B_t of those that stick, and e is the compliance
of a penalty (0 of a multiplier). Without friction P = Qᵀ. A node that slips has the friction force
λ_t = r λ_n, so that its column of P is B_nᵀ + r B_tᵀ: friction makes the problem unsymmetric (N.
Hoffmann, M. Fischer, R. Allgaier & L. Gaul 2002, doi:10.1016/S0093-6413(02)00254-9).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse

from fecontact.arrays import Array, Integers, Mask
from fecontact.contact.interface.constraint_matrix import Rows
from fecontact.contact.problem import ContactProblem
from fecontact.record import SLIP, STICK

TOUCHING = 1e-6  # fraction of the shortest edge: smaller gaps of the undeformed model are closed


@dataclass(frozen=True)
class Constraints:
    """Q (p, size), P (size, p) and e (p,), m/N, of the closed nodes.

    tied, sliding: numbers of closed slave nodes that stick and that slide.
    """

    rows: scipy.sparse.csr_array
    forces: scipy.sparse.csr_array
    compliance: Array
    tied: int
    sliding: int

    @property
    def count(self) -> int:
        """Return the number of constraints."""
        return len(self.compliance)


def closed_contact(
    contact: ContactProblem, treatment: str, computed: bool, friction: bool
) -> Constraints:
    """Return the constraints of the closed nodes.

    treatment: `status`, `open`, `tied` or `frictionless`; computed: True if statuses come from a
    step, False at t = 0, where gaps decide; friction: True if slipping nodes have friction forces.
    """
    m = contact.size
    nothing: Mask = np.zeros(m, bool)
    stick, slip = _statuses(contact, computed)
    if treatment == "tied":
        stick, slip = stick | slip, nothing
    elif treatment == "frictionless":
        stick, slip = nothing, stick | slip
    elif treatment == "open":
        stick = slip = nothing
    normal, tangential = constraint_rows(contact.rows.rows, contact.nodes.dof, contact.nodes.size)
    closed = np.flatnonzero(stick | slip)
    stuck = np.flatnonzero(stick)
    rows = scipy.sparse.vstack([normal[closed], tangential[stuck]]).tocsr()
    forces = rows.T.tocsr()
    if friction and slip.any():
        ratio = np.zeros(m)
        acting = slip & (contact.force[:m] > 0.0)
        ratio[acting] = contact.force[m:][acting] / contact.force[:m][acting]
        drag = scipy.sparse.diags_array(ratio[closed]) @ tangential[closed]
        none = scipy.sparse.csr_array((len(stuck), rows.shape[1]))
        forces = (forces + scipy.sparse.vstack([drag, none]).T).tocsr()
    compliance = np.concatenate([contact.compliance[closed], contact.compliance[m + stuck]])
    slave = np.arange(m) < contact.layout.slaves
    return Constraints(
        rows, forces, compliance, int(np.sum(stick & slave)), int(np.sum(slip & slave))
    )


def _statuses(contact: ContactProblem, computed: bool) -> tuple[Mask, Mask]:
    """Return masks of the multipliers (m,) that stick, and of those that slip.

    Without a computed step, slave nodes without a gap are closed; they stick if they have friction.
    """
    acting = contact.rows.weight > 0.0
    if computed:
        return (contact.status == STICK) & acting, (contact.status == SLIP) & acting
    layout = contact.layout
    gap = np.full(contact.size, np.inf)
    gap[acting] = contact.gap[acting] / contact.rows.weight[acting]
    shortest = layout.shortest.min(initial=np.inf)
    closed = acting & (gap <= TOUCHING * shortest) & (np.arange(contact.size) < layout.slaves)
    rough = (layout.friction > 0.0).any(axis=0)
    return closed & rough, closed & ~rough


def constraint_rows(
    rows: Rows, dof: Integers, size: int
) -> tuple[scipy.sparse.csr_array, scipy.sparse.csr_array]:
    """Return B_n and B_t (m, size) over the contact dofs; dof: (k, 2), −1 where prescribed."""
    m = len(rows.weight)
    first = np.cumsum(rows.used) - rows.used
    entry = np.arange(int(rows.used.sum())) + np.repeat(rows.start[:-1] - first, rows.used)
    row = np.repeat(np.arange(m), rows.used)
    at, b = dof[rows.node[entry]], rows.normal[entry]
    across = np.column_stack([b[:, 1], -b[:, 0]])
    free = at >= 0
    rows_of = np.broadcast_to(row[:, None], at.shape)[free]
    both = []
    for values in (b, across):
        entries = (values[free], (rows_of, at[free]))
        both.append(scipy.sparse.coo_array(entries, shape=(m, size)).tocsr())
    return both[0], both[1]
