"""Update of an accepted step: positions, gaps, slips, wear, energies, resultants, residuals."""

from __future__ import annotations

from fecontact.contact.interface.constraint_matrix import entry_value, positions, sums
from fecontact.contact.local.residual import contact_residual
from fecontact.contact.step import EPSILON, difference, gaps, largest
from fecontact.kernels import njit
from fecontact.record import OPEN, SLIP


@njit
def account(context, rows, new, motion, before, solution, diagonal, kept, history):  # type: ignore[no-untyped-def]
    """Return positions and gaps at the end of a step, the sums of each pair, the six energies of
    :func:`accumulate_energies`, the three residuals of :func:`contact_residual`, the largest
    penetration, and whether master vertices are active in this step or the next one.

    rows, new: constraint matrices of the step and of the next one;
    motion: of the contact dofs and of prescribed nodes;
    before: positions and forces λ at the start of the step;
    solution: λ and statuses;
    history: accumulated slip and work per area of pressure and of friction (m,), incremented.
    """
    (u, prescribed), (force, status) = motion, solution
    x = positions(context.rest, prescribed, u, context.dof)
    energies = accumulate_energies(context, rows, x, before, solution, history)
    residuals = contact_residual(context, rows, x, before, solution, diagonal, kept)
    gap, deepest = gaps(new, x)
    of_pairs = sums(new, force, status, context.pair, context.vertices.slave_of, context.slaves)
    vertices_act = False
    for j in range(context.slaves, len(gap)):
        vertices_act = vertices_act or rows.weight[j] > 0.0 or new.weight[j] > 0.0
    return x, gap, of_pairs, energies, residuals, deepest, vertices_act


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
        driven -= force[j] * (rows.drive[j, 0] + wearing[j] * force[j])
        driven -= force[m + j] * rows.drive[j, 1]
        slip += rows.drive[j, 1]
        rounding += EPSILON * farthest * rows.weight[j] * (abs(force[j]) + abs(force[m + j]))
        if status[j] == SLIP:
            slip += compliance[m + j] * (force[m + j] - force_before[m + j])
            friction -= force[m + j] * slip
            distance[j] += abs(slip) / rows.weight[j]
            pressed[j] += max(force[j], 0.0) * abs(slip) / tributary[j]
            rubbed[j] += abs(force[m + j] * slip) / tributary[j]
    return friction, work, stored, stored_before, rounding, driven
