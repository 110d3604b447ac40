"""How well an accepted step obeys contact: the residual of the Alart–Curnier equations, N.

    λ_n − (λ_n − r_n g)₊    and    λ_t − projection of λ_t − r_t s on |·| ≤ μ(λ_n − r_n g)₊

with gaps g and slips s of the motion as it was in the end, not as the small problem foresaw it,
and r = 1/diag(W): the force by which a gap is closed. A penalty's own compression belongs to g
and s, and to g what the step wears off; λ_n is counted from the tension that a bond bears. Nothing
here is relative to a tolerance of the iteration.
Positions are rounded, and so are gaps: what force would close the rounding of the farthest position
is the least that can be asked.
"""

from __future__ import annotations

from fecontact.contact.interface.constraint_matrix import gap_value, slip_value
from fecontact.contact.step import EPSILON, difference, largest
from fecontact.kernels import njit
from fecontact.record import STICK


@njit
def contact_residual(context, rows, x, before, solution, diagonal, kept):  # type: ignore[no-untyped-def]
    """The largest residual force of all multipliers, the largest contact force, and the largest
    force that is rounding.

    before: positions and forces λ at the begin of the step; solution: λ and statuses; diagonal: of
    W; kept: multipliers that obey a closing rate instead of their gap, of which only signs and
    friction are looked at.
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
        if not kept[j]:
            gap = gap_value(rows, j, x) + (compliance[j] + wearing[j]) * force[j]
            pressing -= gap / diagonal[j]
        pressing = max(pressing, 0.0)
        slip = slip_value(rows, j, moved)
        slip += compliance[m + j] * (tangential - force_before[m + j])
        across = diagonal[m + j] if diagonal[m + j] > 0.0 else diagonal[j]
        trial = tangential - slip / across
        bound = sticking if status[j] == STICK else sliding
        most, least = pressing * bound[1, j], -pressing * bound[0, j]
        off = max(abs(normal - pressing), abs(tangential - min(max(trial, least), most)))
        residual = max(residual, off * rows.weight[j])
        strongest = max(strongest, max(abs(normal), abs(tangential)) * rows.weight[j])
        rounding = max(rounding, rounded * rows.weight[j] ** 2 / min(diagonal[j], across))
    return residual, strongest, rounding
