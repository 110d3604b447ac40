"""Update of an accepted step: positions, gaps, slips, wear, energies, resultants, residuals."""

from __future__ import annotations

from typing import NamedTuple

from fecontact.arrays import Array, Integers, Mask, Statuses
from fecontact.contact.interface.constraint_matrix import (
    add_up,
    entry_value,
    place_nodes,
    unpacked,
)
from fecontact.contact.local.residual import contact_residual
from fecontact.contact.step import EPSILON, difference, largest, set_gaps
from fecontact.kernels import njit
from fecontact.record import OPEN, SLIP


class Accepted(NamedTuple):
    """Arrays of an accepted step: constraint matrices of the step and of the next one (places,
    normal, of_row each); displacement of the contact dofs and of prescribed nodes; positions and
    forces λ at the start; λ and statuses; diagonal of W; (m,) multipliers with a velocity
    constraint; accumulated slip and work per area of pressure and of friction (m,), which are
    incremented; positions (k, 2), gaps (m,) and sums of each pair (P, 7), which are set.
    """

    places: Integers
    normal: Array
    of_row: Array
    next_places: Integers
    next_normal: Array
    next_of_row: Array
    u: Array
    prescribed: Array
    x_before: Array
    force_before: Array
    force: Array
    status: Statuses
    diagonal: Array
    velocity_constrained: Mask
    slip: Array
    wear_work: Array
    friction_energy: Array
    x: Array
    gap: Array
    sums: Array


@njit
def account(context, *arrays):  # type: ignore[no-untyped-def]
    """Return the three residuals of :func:`contact_residual`, the largest penetration, whether
    master vertices are active in this step or the next one, and the six energies of
    :func:`accumulate_energies`; arrays: :class:`Accepted`.
    """
    a = Accepted(*arrays)
    rows, new = (
        unpacked(a.places, a.normal, a.of_row),
        unpacked(a.next_places, a.next_normal, a.next_of_row),
    )
    before, solution, history = (
        (a.x_before, a.force_before),
        (a.force, a.status),
        (a.slip, a.wear_work, a.friction_energy),
    )
    x = a.x
    place_nodes(context.rest, a.prescribed, a.u, context.dof, x)
    friction, work, stored, stored_before, rounding, driven = accumulate_energies(
        context, rows, x, before, solution, history
    )
    residual, strongest, rounded = contact_residual(
        context, rows, x, before, solution, a.diagonal, a.velocity_constrained
    )
    deepest = set_gaps(new, x, a.gap)
    add_up(new, a.force, a.status, context.pair, context.vertices.slave_of, context.slaves, a.sums)
    vertices_act = False
    for j in range(context.slaves, len(a.gap)):
        vertices_act = vertices_act or rows.weight[j] > 0.0 or new.weight[j] > 0.0
    return (
        residual,
        strongest,
        rounded,
        deepest,
        vertices_act,
        friction,
        work,
        stored,
        stored_before,
        rounding,
        driven,
    )


@njit
def accumulate_energies(context, rows, x, before, solution, history):  # type: ignore[no-untyped-def]
    """Return the energies of an accepted step and update the history.

    The slips are added to the accumulated slip (m,). Times the normal and tangential force over the
    tributary area, they are added to the work of pressure and of friction (m,), J/m², whose
    integral is the friction loss.

    Return friction loss −Σ λ_t s (s: slip beyond the elastic slip of a penalty), work of the
    contact forces on the nodes, energy stored in penalties now and before, round-off of the work
    due to the positions, and the work −λ·d of the drives of the rows, including the wear of the
    step.
    """
    (x_before, force_before), (force, status) = before, solution
    (distance, pressed, rubbed), wearing = history, context.wearing
    compliance, tributary, m = context.compliance, context.tributary, len(rows.weight)
    moved, farthest = difference(x, x_before), largest(x)
    friction, work, stored, stored_before, rounding, driven = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for j in range(m):
        for i in range(j, 2 * m, m):
            stored += 0.5 * compliance[i] * force[i] * force[i]
            stored_before += 0.5 * compliance[i] * force_before[i] * force_before[i]
        if status[j] == OPEN:
            continue
        slip = entry_value(rows, j, moved, False)
        work += force[j] * entry_value(rows, j, moved, True) + force[m + j] * slip
        driven -= force[j] * (rows.drive[0, j] + wearing[j] * force[j])
        driven -= force[m + j] * rows.drive[1, j]
        slip += rows.drive[1, j]
        rounding += EPSILON * farthest * rows.weight[j] * (abs(force[j]) + abs(force[m + j]))
        if status[j] == SLIP:
            slip += compliance[m + j] * (force[m + j] - force_before[m + j])
            friction -= force[m + j] * slip
            distance[j] += abs(slip) / rows.weight[j]
            pressed[j] += max(force[j], 0.0) * abs(slip) / tributary[j]
            rubbed[j] += abs(force[m + j] * slip) / tributary[j]
    return friction, work, stored, stored_before, rounding, driven
