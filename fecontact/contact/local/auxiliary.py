"""Auxiliary contact problems: initial contact forces and predictors of a stabilised scheme.

Both use the compliance of the mass matrix: forces change accelerations, impulses change predictors.
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array, Mask
from fecontact.contact.interface.constraint_matrix import apply, positions, squares
from fecontact.contact.local import active_set
from fecontact.contact.local.active_set import LocalProblem
from fecontact.contact.local.delassus import DelassusOperator
from fecontact.contact.local.solver import LocalSolver, Pairing, solve_active_set, with_bonds
from fecontact.contact.problem import ContactProblem
from fecontact.contact.step import SETTLED
from fecontact.record import OPEN


def push_out(
    contact: ContactProblem, free: Array, prescribed: Array, operator: DelassusOperator
) -> Array:
    """Return frictionless impulses on the contact dofs that remove the penetration of slaves at
    `free`.

    Penalties are treated as rigid here.
    """
    nodes, rows, none = contact.nodes, contact.start_rows, np.zeros((2, contact.size))
    x = positions(nodes.coordinates, prescribed, free, nodes.dof)
    contact.basis.use(operator, rows, np.zeros(2 * contact.size))
    status, direction = contact.status.copy(), np.zeros(contact.size, np.int8)
    constraint = contact.gap_constraint(x)
    local = contact.assemble_local_problem(
        rows, x, operator, constraint, status, direction, np.zeros(0)
    )
    local = local._replace(friction=none, static_friction=none)
    solution = active_set.solve(local, operator, status, direction)
    contact.check_solved(solution, solution.iterations)
    return contact.forces_on_dofs(rows, solution.force)


def starting_forces(
    contact: ContactProblem,
    acceleration: Array,
    velocity: Array,
    massless: Array,
    prescribed_velocity: Array,
    operator: DelassusOperator,
    step: float,
) -> Array:
    """Return initial forces on the contact dofs that prevent touching nodes from accelerating
    inwards.

    The local problem for B_n a ≥ 0 and B_t (v/Δt + a) is solved on nodes that touch without
    approaching. acceleration, velocity and massless are values at the contact dofs; the drives of
    the rows are those of the first step. Other multipliers are excluded and keep their statuses;
    :func:`keep_force` lists those that also keep their forces, which are zero at t = 0.
    """
    a, m, rows, dof = contact.layout, contact.size, contact.start_rows, contact.nodes.dof
    contact.basis.use(operator, rows, np.zeros(2 * m))
    zero, b = np.zeros_like(prescribed_velocity), rows.rows
    v = positions(zero, prescribed_velocity, velocity, dof)
    x = positions(zero, zero, acceleration, dof)
    near = SETTLED * a.shortest
    can_act = np.abs(contact.gap) <= near
    can_act &= np.abs(apply(b, v, True) * step + b.drive[0]) <= near * rows.weight
    kept = keep_force(contact, massless)
    can_act &= (operator.diagonal[:m] > 0) & ~kept
    slip = apply(b, v / step + x, False) + b.drive[1] / step**2
    free = np.concatenate([apply(b, x, True), slip])
    weight = np.where(rows.weight > 0.0, rows.weight, np.inf)
    speed = (apply(b, v, False) + b.drive[1] / step) / weight
    local = LocalProblem(
        operator.diagonal,
        free,
        a.friction,
        a.static_friction,
        a.pair,
        a.augmentation,
        can_act,
        np.zeros(m),
    )
    statuses, hard, excluded = (contact.status, contact.direction), np.zeros(m), ~can_act
    before = contact.status[excluded], contact.direction[excluded]
    contact.status[excluded], contact.direction[excluded] = OPEN, 0
    given = np.where(np.tile(kept, 2), contact.force, 0.0)
    solver: LocalSolver = solve_active_set
    if contact.adhesion.any:
        contact.adhesion.begin()
        solver = with_bonds(contact.adhesion, lambda: hard, can_act, solver)
    for _ in contact.friction.starting(speed, contact):
        solution = solver(Pairing(local, operator, *statuses, rows, contact.force, step))
        contact.check_solved(solution, solution.iterations)
        contact.force = solution.force + given
    if contact.adhesion.any:
        contact.adhesion.accept()
    contact.status[excluded], contact.direction[excluded] = before
    return contact.forces_on_dofs(rows, solution.force)


def keep_force(contact: ContactProblem, massless: Array) -> Mask:
    """Return the multipliers (m,) whose forces do not follow from accelerations: penalties, and
    multipliers on nodes without mass.
    """
    m = contact.size
    on_massless = squares(contact.start_rows.rows, contact.nodes.dof, np.abs(massless))[:m] > 0.0
    return np.asarray((contact.compliance[:m] > 0.0) | on_massless)


def kept_forces(contact: ContactProblem, massless: Array) -> Array:
    """Return the current forces of these multipliers on the contact dofs, N."""
    given = np.where(np.tile(keep_force(contact, massless), 2), contact.force, 0.0)
    return contact.forces_on_dofs(contact.rows, given)
