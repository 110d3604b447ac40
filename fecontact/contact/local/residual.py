"""Contact residual of an accepted step: residual of the Alart–Curnier equations, N.

λ_n − (λ_n − r_n g)₊    and    λ_t − projection of λ_t − r_t s on |·| ≤ μ(λ_n − r_n g)₊

with gaps g and slips s of the final motion, not those predicted by the local problem, and r =
1/diag(W), the force that closes a gap. g and s include the compression of penalties, and g the wear
depth of the step; λ_n is measured from the tension of a bond. The residual does not depend on any
tolerance of the iteration.

Positions, and therefore gaps, have round-off. The force that closes a gap as large as the round-off
of the farthest position is the smallest meaningful residual.
"""

from __future__ import annotations

from fecontact.contact.interface.constraint_matrix import gap_value, slip_value
from fecontact.contact.step import EPSILON, difference, largest
from fecontact.kernels import njit
from fecontact.record import STICK


@njit
def contact_residual(context, rows, x, before, solution, diagonal, velocity_constrained):  # type: ignore[no-untyped-def]
    """Return the largest residual force of all multipliers, the largest contact force, and the
    largest force due to round-off.

    before: positions and forces λ at the start of the step;
    solution: λ and statuses;
    diagonal: of W;
    velocity_constrained: multipliers with a velocity constraint instead of a gap constraint; only
    signs and friction are checked for these.
    """
    (x_before, force_before), (force, status) = before, solution
    compliance, wearing, m = context.compliance, context.wearing, len(status)
    bond_force = context.bond_force
    sticking, sliding = context.static_friction, context.friction
    residual, strongest, rounding = 0.0, 0.0, 0.0
    moved, rounded = difference(x, x_before), EPSILON * largest(x)
    for j in range(m):
        if rows.weight[j] == 0.0 or diagonal[j] <= 0.0:
            continue
        normal, tangential = force[j] + bond_force[j], force[m + j]
        pressing = normal
        if not velocity_constrained[j]:
            gap = gap_value(rows, j, x) + (compliance[j] + wearing[j]) * force[j]
            pressing -= gap / diagonal[j]
        pressing = max(pressing, 0.0)
        slip = slip_value(rows, j, moved)
        slip += compliance[m + j] * (tangential - force_before[m + j])
        across = diagonal[m + j] if diagonal[m + j] > 0.0 else diagonal[j]
        trial = tangential - slip / across
        bound = sticking if status[j] == STICK else sliding
        upper, lower = pressing * bound[1, j], -pressing * bound[0, j]
        off = max(abs(normal - pressing), abs(tangential - min(max(trial, lower), upper)))
        residual = max(residual, off * rows.weight[j])
        strongest = max(strongest, max(abs(normal), abs(tangential)) * rows.weight[j])
        rounding = max(rounding, rounded * rows.weight[j] ** 2 / min(diagonal[j], across))
    return residual, strongest, rounding
