"""What a contact step comes to: its solution, and the energies it takes when accepted."""

from __future__ import annotations

from typing import NamedTuple

from fecontact.bulk import Array
from fecontact.contact.interface.constraint_matrix import ConstraintMatrix
from fecontact.contact.local.active_set import Mask
from fecontact.contact.local.delassus import Statuses


class ContactStep(NamedTuple):
    """The solution of a step, not yet accepted.

    rows: the pairing it was solved with; next_rows: the one at the solution, made at the positions
    `paired_at`, where the next step starts; force: λ (2m,); nodal_force: (k, 2); dof_force: on the
    contact dofs; pushed: the same with what takes stabilising springs away; diagonal: of W; kept:
    nodes that were asked for a closing rate, not for a gap; awake: (m,) master vertices that took
    part (:mod:`fecontact.contact.interface.vertices`); overlap: the deepest of those that sleep, m;
    settled: whether the pairing at the solution is that it was solved with.
    """

    rows: ConstraintMatrix
    next_rows: ConstraintMatrix
    paired_at: Array
    force: Array
    status: Statuses
    direction: Statuses
    nodal_force: Array
    dof_force: Array
    force_with_stabilisation: Array
    diagonal: Array
    kept: Mask
    active: Statuses
    overlap: float
    iterations: int
    pairings: int
    settled: bool


class ContactWork(NamedTuple):
    """Energies of a step, J per m: dissipated by friction; lost by normal contact (impacts,
    turning normals); stored by penalties; work of what moves by itself, held nodes, offsets and
    tools, through contact; rounding of these."""

    friction: float
    loss: float
    stored: float
    support: float
    rounding: float
