"""Two runs that ought to agree: roles exchanged, a mesh refined."""

from __future__ import annotations

import numpy as np
from evidence import Evidence, Sentences
from polygons import Array


def impulses(e: Evidence) -> dict[str, Array]:
    """∫ force on the slave dt of each pair, N·s per m; static: the last force, N per m."""
    step = e.column("solver.step")[:, None]
    found = {}
    for name in e.study.contact:
        force = e.vector(f"force-{name}")
        found[name] = force[-1] if e.static else (force * step).sum(axis=0)
    return found


def nearby(one: Evidence, other: Evidence, sign: float, share: float) -> Sentences:
    """Resultants (dynamic: impulses) of two runs differ by less than `share` of the larger, and
    by less than half the momentum in play, which is what a restitution between 0 and 1 that the
    meshes do not resolve leaves open; so do the ways of the bodies.

    sign: of the other's force on its slave.
    """
    mine, theirs = impulses(one), impulses(other)
    bounce = 0.0
    if not one.static:
        bounce = 0.5 * max(np.abs(one.momentum(b)).max() for b in one.bodies)
    largest = max(
        (np.abs(j).max() for found in (mine, theirs) for j in found.values()), default=0.0
    )
    for name, j in mine.items():
        difference = np.abs(j - sign * theirs[name]).max()
        if difference > share * largest + bounce:
            unit = "N/m" if one.static else "N·s/m"
            yield f"{name}: {j} and {sign * theirs[name]} {unit} differ by {difference:.3g}"
    if one.static:
        return
    span = one.time[-1] - one.time[0]
    for body in one.bodies:
        ways = [e.bodies[body].mean(e.record.fields.displacement) for e in (one, other)]
        speed = max(np.abs(e.momentum(body)).max() / e.bodies[body].mass for e in (one, other))
        apart = np.abs(ways[0][-1] - ways[1][-1]).max()
        if apart > (share + 0.5) * speed * span:
            yield f"{body} ends {apart:.3g} m from where it ends in the other run"
