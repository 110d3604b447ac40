"""Laws of tools, friction, wear, bonds and plasticity, from the literature and the histories."""

from __future__ import annotations

import numpy as np
from edges import leaned_on
from evidence import Evidence, Sentences
from polygons import Array, distance, inside

from fecontact.record import OPEN, SLIP

DEPTH = 0.02  # of the shortest edge of a pair: by what a node may be inside a tool
LAW = 1e-5  # of the largest pressure: by what a law may be missed
SUMS = 0.05  # of wear and impulses: sums over steps, in which pressures change


# Rigid tools --------------------------------------------------------------------------------------


def motion(e: Evidence, name: str) -> Array:
    """The displacement of a tool at the kept times, (T, 2) m."""
    tool = e.study.tools[name]
    if tool.free:
        ways = [e.column(f"tool.{name}.displacement_{way}") for way in "xy"]
        return np.stack(ways, axis=1)
    ways = [getattr(tool, way) * e.factor(getattr(tool, f"{way}_function")) for way in "xy"]
    return np.stack(ways, axis=1)


def inside_tool(tool: object, points: Array) -> Array:
    """How deep points (n, 2) are inside a tool at its place at t = 0, m; negative outside."""
    if tool.type == "circle":
        return np.asarray(tool.radius - np.linalg.norm(points - np.array(tool.center), axis=1))
    if tool.type == "half-plane":
        normal = np.array(tool.normal) / np.linalg.norm(tool.normal)
        return np.asarray(-(points - np.array(tool.point)) @ normal)
    # A wedge from above: the polygon of its points and a lid far away; its rounded corner is
    # r(1/cos(φ/2) − 1) from the sharp one.
    corners = np.array(tool.points)
    first, second = np.diff(corners, axis=0)
    turn = np.arccos(first @ second / np.linalg.norm(first) / np.linalg.norm(second))
    lid = corners[[2, 0]] + (corners[1] - corners.mean(axis=0)) * -50.0
    outline = np.vstack([corners, lid])
    deep = np.where(inside(points, outline), distance(points, outline), -1.0)
    return np.asarray(deep - tool.radius * (1 / np.cos(turn / 2) - 1))


def tools(e: Evidence) -> Sentences:
    """Slave nodes are not inside their tool, by more than DEPTH of the shortest edge and what a
    penalty reports; the force on a tool is that of its pair, reversed."""
    points, fields = e.record.mesh.points, e.record.fields
    for name, pair in e.study.contact.items():
        if name in e.pairs:
            continue
        tool, way, surface = e.study.tools[pair.master], motion(e, pair.master), e.record.surfaces
        edge = float(np.diff(surface[name].arc).min())
        allowed = DEPTH * edge
        if pair.method == "penalty":
            gap = surface[name].gap
            allowed += max(0.0, -float(gap[np.isfinite(gap)].min(initial=0.0)))
        if pair.method == "continuous":  # holds in the mean over an edge
            allowed += 0.1 * edge
        nodes = surface[name].nodes
        deep = [
            inside_tool(tool, points[nodes] + fields.displacement[k, nodes] - way[k]).max()
            for k in range(len(fields.time))
        ]
        if max(deep) > allowed:
            yield f"{name}: a node is {max(deep):.3g} m inside its tool (allowed {allowed:.2g} m)"
        for axis in "xy":
            force = e.column(f"force-{name}-{axis}") + e.column(f"tool.{pair.master}.{axis}")
            scale = np.abs(e.column(f"contact.{name}.normal")).max()
            if np.abs(force).max() > 1e-6 * max(scale, 1e-300):
                yield f"{pair.master}: its force is not that of {name}"


def free_tools(e: Evidence) -> Sentences:
    """Static: force, spring and contact on a free tool sum up to nothing. Dynamic: the momentum of
    the tool changes by the impulse of weight and contact, but for SUMS."""
    for name, tool in e.study.tools.items():
        if not tool.free:
            continue
        contact = e.column(f"tool.{name}.y")
        given = tool.force[1] * e.factor(tool.force_function)
        if e.static:
            spring = -tool.stiffness[1] * e.column(f"tool.{name}.displacement_y")
            error = np.abs(contact + given + spring)[1:].max()
            if error > 1e-5 * max(np.abs(given).max(), 1e-300):
                yield f"{name}: forces on the tool sum up to {error:.3g} N/m"
        elif e.study.time.step != "auto":
            step, speed = e.column("solver.step"), e.column(f"tool.{name}.velocity_y")
            impulse = ((contact + given + tool.mass * tool.gravity[1]) * step)[1:].sum()
            change = tool.mass * (speed[-1] - speed[0])
            last = np.abs(contact).max() * step.max()  # inertia lags by part of a step
            scale = tool.mass * np.abs(speed).max() + np.abs(contact * step).sum()
            if abs(change - impulse) > SUMS * scale + last:
                yield f"{name}: momentum changes by {change:.3g}, impulses are {impulse:.3g} N·s/m"


# Friction laws, wear, bonds -----------------------------------------------------------------------


def largest_friction(law: object, pressure: Array, rate: Array, slip: Array) -> tuple[Array, Array]:
    """Lower and upper bound of the traction of a node that slips, Pa.

    rate: |slip rate|, m/s; slip: accumulated slip at the start and the end of a step, m, (2, T, n).
    """
    p, kind = np.maximum(pressure, 0.0), law.law
    if kind == "coulomb":
        low = high = law.coefficient * p
        high = np.maximum(high, (law.static or law.coefficient) * p)
    elif kind == "exponential":
        low = high = (law.kinetic + (law.static - law.kinetic) * np.exp(-law.decay * rate)) * p
    elif kind == "stribeck":
        fall = np.exp(-((rate / law.speed) ** law.exponent))
        low = high = (law.kinetic + (law.static - law.kinetic) * fall + law.viscous * rate) * p
    elif kind == "table":
        low = high = np.interp(rate, law.speeds, law.coefficients) * p
    elif kind == "slip-weakening":
        left = np.clip(1.0 - slip / law.distance, 0.0, 1.0)
        bounds = (law.dynamic + (law.static - law.dynamic) * left) * p
        low, high = bounds[1], bounds[0]
    elif kind == "pressure":
        ratio = np.maximum(p / law.reference, 1e-300)
        low = high = law.coefficient * ratio**law.exponent * p
    elif kind == "directional":
        low, high = min(law.forward, law.backward) * p, max(law.forward, law.backward) * p
    else:
        low = high = law.coefficient * p + np.where(p > 0.0, law.cohesion, 0.0)
    return low, high


def friction_laws(e: Evidence) -> Sentences:
    """At every slave node the traction is below that of the friction law, and equal to it where
    the node slips without a master vertex near it. Only steps of one length are judged. Forces act
    in the second half of a step, at a slip rate between its mean and that at its end."""
    if e.study.time.step == "auto" or e.staged:
        return
    for name, pair in e.study.contact.items():
        law, s = pair.friction, e.record.surfaces[name]
        if isinstance(law, float | int) or pair.adhesion or pair.method == "continuous":
            continue
        step = e.column("solver.step")[1:, None]
        p, tau = s.pressure[1:], np.abs(s.traction[1:])
        rate = np.diff(s.slip, axis=0) / step
        at_end = np.maximum(rate + 0.5 * np.diff(rate, axis=0, prepend=rate[:1]), 0.0)
        slip = np.stack([s.slip[:-1], s.slip[1:]])
        bounds = [largest_friction(law, p, r, slip) for r in (rate, at_end)]
        low, high = np.minimum(*np.array(bounds)[:, 0]), np.maximum(*np.array(bounds)[:, 1])
        bound = 1e-3 * max(p.max(initial=0.0), 1e-300)
        slips = (s.status[1:] == SLIP) & (rate > 1e-9 * max(rate.max(), 1e-300))
        slips &= ~leaned_on(e, name)[1:]
        over = (tau - high)[s.status[1:] != OPEN]
        if slips.any() and (tau - high)[slips].max() > bound:
            excess = (tau - high)[slips].max()
            yield f"{name}: {law.law} friction exceeds its law by {excess:.3g} Pa"
        elif over.max(initial=0.0) > bound and law.law in ("directional", "coulomb", "cohesion"):
            yield f"{name}: {law.law} friction exceeds its limit by {over.max():.3g} Pa"
        if slips.any() and (low - tau)[slips].max() > bound:
            yield f"{name}: {law.law} friction is {(low - tau)[slips].max():.3g} Pa below its law"


def wear(e: Evidence) -> Sentences:
    """Archard: the depth at a slave node is k ∫ p |ds|, by sums over the steps, and less where the
    master wears too."""
    for name, pair in e.study.contact.items():
        s = e.record.surfaces[name]
        if s.wear_depth is None or not pair.wear:
            continue
        work = (s.pressure[1:] * np.diff(s.slip, axis=0)).sum(axis=0)
        expected = pair.wear * work * (1.0 - pair.master_wear_fraction)
        alone = ~leaned_on(e, name).any(axis=0)  # vertices slip between nodes that do not
        error = np.abs(s.wear_depth[-1] - expected)[alone].max(initial=0.0)
        if error > SUMS * max(expected.max(), s.wear_depth[-1].max(), 1e-300):
            yield f"{name}: wear depth is wrong by {error:.3g} of {expected.max():.3g} m"


def bonds(e: Evidence) -> Sentences:
    """Bonded nodes carry at most the tensile strength, others no tension; |τ| ≤ μ (p + σ_t)."""
    for name, pair in e.study.contact.items():
        s = e.record.surfaces[name]
        if not pair.adhesion or s.bonded is None or pair.method == "continuous":
            continue
        strength = pair.adhesion * (s.bonded[1:] > 0)
        p, tau = s.pressure[1:], np.abs(s.traction[1:])
        bound = 1e-3 * max(np.abs(p).max(initial=0.0), pair.adhesion)
        if (-p - strength).max() > bound:
            yield f"{name}: tension of {-p.min():.3g} Pa beyond the bonds' {pair.adhesion:.3g} Pa"
        limit = pair.coefficients[1] * np.maximum(p + strength, 0.0)
        if (tau - limit).max() > bound:
            yield f"{name}: traction exceeds μ (p + σ_t) by {(tau - limit).max():.3g} Pa"


def plasticity(e: Evidence) -> Sentences:
    """Plastic work never decreases; static: external work is strain energy, plastic work, friction
    and penalties."""
    if "energy.plastic" not in e.record.history.columns:
        return
    plastic = e.column("energy.plastic")
    if np.diff(plastic).min(initial=0.0) < -1e-6 * max(plastic.max(), 1e-300):
        yield "plastic work decreases"


LAWS = {law.__name__: law for law in (tools, free_tools, friction_laws, wear, bonds, plasticity)}
