"""Agreement of two runs: slave and master swapped, or a refined mesh."""

from __future__ import annotations

import numpy as np
from dimensions import Units
from evidence import Evidence, Sentences
from polygons import Array
from rotation import turned


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
    if one.static:  # bodies may be unloaded at the end
        forces = [np.abs(one.vector(f"force-{name}")).max() for name in mine]
        largest = max([largest, *forces])
    for name, j in mine.items():
        difference = np.abs(j - sign * theirs[name]).max()
        if difference > share * largest + bounce:
            unit = "N/m" if one.static else "N·s/m"
            yield f"{name}: {j} and {sign * theirs[name]} {unit} differ by {difference:.3g}"
    if one.static:
        yield from _reactions(one, other, share)
        return
    span = one.time[-1] - one.time[0]
    for body in one.bodies:
        ways = [e.bodies[body].mean(e.record.fields.displacement) for e in (one, other)]
        speed = max(np.abs(e.momentum(body)).max() / e.bodies[body].mass for e in (one, other))
        apart = np.abs(ways[0][-1] - ways[1][-1]).max()
        largest = max(np.abs(way).max() for way in ways)
        if apart > (share + 0.5) * speed * span + share * largest:
            yield f"{body} ends {apart:.3g} m from where it ends in the other run"


def _reactions(one: Evidence, other: Evidence, share: float) -> Sentences:
    """The reactions of supports at the end of a static run differ by less than `share`."""
    forces = [
        {name: e.vector(f"reaction-{name}")[-1, e.axes] for name in e.study.supports}
        for e in (one, other)
    ]
    whole = [np.abs(one.vector(f"reaction-{name}")[:, one.axes]).max() for name in forces[0]]
    largest = max(whole, default=0.0)
    for name, force in forces[0].items():
        difference = np.abs(force - forces[1][name]).max()
        if difference > share * largest:
            yield f"{name}: reactions {force} and {forces[1][name]} N/m differ"


def same(one: Evidence, other: Evidence, units: Units, turn: float, share: float) -> Sentences:
    """The forces and ways of a run in other units or rotated are those of the first, to rounding.

    units: of the other run; turn: angle of the other run, rad; share: of the largest value.
    """
    deep = one.study.plane == "axisymmetric" or any(
        body.thickness for body in one.study.bodies.values()
    )
    force = units.factor((1, 1, -2) if deep else (0, 1, -2))
    for kind, names, factor in (
        ("force", one.study.contact, force),
        ("centroid-displacement", one.study.bodies, units.factor((1, 0, 0))),
    ):
        series = {n: (one.vector(f"{kind}-{n}"), other.vector(f"{kind}-{n}")) for n in names}
        largest = max((np.abs(mine).max() for mine, _ in series.values()), default=0.0)
        for name, (mine, theirs) in series.items():
            if mine.shape != theirs.shape:  # a step was cut back in one of them
                continue
            apart = np.abs(turned(mine, turn) - theirs / factor).max()
            if apart > share * largest:
                yield f"{kind} of {name}: differs by {apart / largest:.2g} of the largest"
