"""Solution of a contact step and the work done by contact in it."""

from __future__ import annotations

from typing import NamedTuple

from fecontact.bulk import Array
from fecontact.contact.interface.constraint_matrix import ConstraintMatrix
from fecontact.contact.local.active_set import Mask
from fecontact.contact.local.delassus import Statuses


class ContactStep(NamedTuple):
    """Solution of a step that is not yet committed.

    rows: constraint matrix of the solution;
    next_rows: constraint matrix at the positions `paired_at`, where the next step starts;
    force: λ (2m,);
    nodal_force: (k, 2) N;
    dof_force: forces on the contact dofs, N;
    force_with_stabilisation: the same with the forces that cancel the stabilising springs;
    diagonal: of W;
    velocity_constrained: multipliers with a velocity constraint instead of a gap constraint;
    active: (m,) active master vertices (:mod:`fecontact.contact.interface.vertices`);
    overlap: largest penetration of inactive vertices, m;
    settled: True if the pairing at the solution is the pairing it was solved with.
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
    velocity_constrained: Mask
    active: Statuses
    overlap: float
    iterations: int
    pairings: int
    settled: bool


class ContactWork(NamedTuple):
    """Energies of a step, J/m.

    friction: dissipated by friction;
    loss: lost by normal contact (impacts, rotation of normals);
    stored: stored by penalties;
    support: work of prescribed motion through contact: prescribed nodes, offsets and tools;
    rounding: round-off of these energies.
    """

    friction: float
    loss: float
    stored: float
    support: float
    rounding: float
