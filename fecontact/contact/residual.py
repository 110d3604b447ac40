"""How well an accepted step obeys contact: the residual of the Alart–Curnier equations, N per m.

    λ_n − (λ_n − r_n g)₊    and    λ_t − projection of λ_t − r_t s on |·| ≤ μ(λ_n − r_n g)₊

with gaps g and slips s of the motion as it was in the end, not as the small problem foresaw it,
and r = 1/diag(W): the force by which a gap is closed. A penalty's own compression belongs to g
and s. Nothing here is relative to a tolerance of the iteration.
"""

from __future__ import annotations

from fecontact.contact.rows import entry_value
from fecontact.contact.step import difference
from fecontact.kernels import njit
from fecontact.record import STICK


@njit
def contact_residual(  # type: ignore[no-untyped-def]
    rows, x, x_before, force, force_before, compliance, status, friction, static, diagonal, kept
):
    """The largest residual force of all multipliers, and the largest contact force.

    diagonal: of W; kept: multipliers that obey a closing rate instead of their gap, of which only
    signs and friction are looked at.
    """
    m = len(status)
    residual, largest, moved = 0.0, 0.0, difference(x, x_before)
    for j in range(m):
        if rows.weight[j] == 0.0 or diagonal[j] <= 0.0:
            continue
        normal, tangential = force[j], force[m + j]
        pressing = normal
        if not kept[j]:
            gap = entry_value(rows, j, x, True) + compliance[j] * normal
            pressing -= gap / diagonal[j]
        pressing = max(pressing, 0.0)
        slip = entry_value(rows, j, moved, False)
        slip += compliance[m + j] * (tangential - force_before[m + j])
        across = diagonal[m + j] if diagonal[m + j] > 0.0 else diagonal[j]
        trial = tangential - slip / across
        bound = pressing * (static[j] if status[j] == STICK else friction[j])
        off = max(abs(normal - pressing), abs(tangential - min(max(trial, -bound), bound)))
        residual = max(residual, off * rows.weight[j])
        largest = max(largest, max(abs(normal), abs(tangential)) * rows.weight[j])
    return residual, largest
