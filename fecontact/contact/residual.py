"""How well an accepted step obeys contact: the residual of the Alart–Curnier equations, N per m.

    λ_n − (λ_n − r_n g)₊    and    λ_t − projection of λ_t − r_t s on |·| ≤ μ(λ_n − r_n g)₊

with gaps g and slips s of the motion as it was in the end, not as the small problem foresaw it,
and r = 1/diag(W): the force by which a gap is closed. A penalty's own compression belongs to g
and s. Nothing here is relative to a tolerance of the iteration.
"""

from __future__ import annotations

from numba import njit

from fecontact.contact.rows import entry_value
from fecontact.record import STICK


@njit(cache=True)
def contact_residual(  # type: ignore[no-untyped-def]
    rows, x, moved, force, force_before, compliance, status, posed, kept
):
    """The largest residual force of all multipliers and the largest contact force.

    x: positions, moved: their change in the step, (k, 2); kept: multipliers that obey a closing
    rate instead of their gap, of which only signs and friction are looked at.
    """
    m = len(status)
    residual, largest = 0.0, 0.0
    for j in range(m):
        if not posed.usable[j]:
            continue
        normal, tangential = force[j], force[m + j]
        pressing = normal
        if not kept[j]:
            gap = entry_value(rows, j, x, True) + compliance[j] * normal
            pressing -= gap / posed.diagonal[j]
        pressing = max(pressing, 0.0)
        slip = entry_value(rows, j, moved, False)
        slip += compliance[m + j] * (tangential - force_before[m + j])
        across = posed.diagonal[m + j]
        trial = tangential - slip / (across if across > 0.0 else posed.diagonal[j])
        friction = posed.static_friction[j] if status[j] == STICK else posed.friction[j]
        bound = friction * pressing
        off = max(abs(normal - pressing), abs(tangential - min(max(trial, -bound), bound)))
        residual = max(residual, off * rows.weight[j])
        largest = max(largest, max(abs(normal), abs(tangential)) * rows.weight[j])
    return residual, largest
