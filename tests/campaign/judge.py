"""Laws of mechanics by which a run is judged, from its results alone.

Each law is a function of the :class:`Evidence` of one run and yields a message for each
violation. Bounds are stated where they are used.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, permutations
from typing import NamedTuple

import capability_laws
import numpy as np
from bodies import edge_weights
from edges import facing, leaned_on, outward, sagitta, straight
from evidence import Evidence, Sentences
from polygons import Array, crosses, crosses_itself, depth

from fecontact.record import OPEN, SLIP, STICK

DEPTH = 0.02  # of the shortest contact edge: allowed overlap of bodies
BULGE = 0.04  # likewise at finite strain, where a quadratic edge bulges between its nodes
BALANCE = 1e-6  # of the forces in play: rounding of sums over a few hundred dofs
MADE = 0.05  # of the energy in play: what a time scheme may make of impacts, as the program says
LAW = 1e-6  # of the largest pressure: by what complementarity and Coulomb's law may be missed
LEVER = 0.02  # of the width of a body: by what the line of its contact force may be beside


# Geometry ---------------------------------------------------------------------------------------


def overlap(e: Evidence) -> Sentences:
    """No two bodies overlap, at any kept time, by more than DEPTH of the shortest edge in contact
    (without a pair: of the shortest edge of both), and none overlaps itself.

    A penalty may be compressed by λ/E_N besides, which is the negative gap it reports; `continuous`
    contact, which holds in the mean over an edge, may leave the sagitta of a curved edge. Wear
    lets bodies approach by its depth.
    """
    times = e.record.fields.time
    for one, other in combinations(e.bodies, 2):
        allowed = _allowed_overlap(e, one, other)
        depths = [depth(e.outline(one, k), e.outline(other, k)) for k in range(len(times))]
        k = int(np.argmax(depths))
        if depths[k] > allowed:
            yield (
                f"{one} and {other} overlap by {depths[k]:.3g} m at t = {times[k]:.4g} s "
                f"(allowed {allowed:.2g} m)"
            )
    for name in e.bodies:
        crossed = [k for k in range(len(times)) if crosses_itself(e.outline(name, k))]
        if crossed:
            yield f"{name} overlaps itself at t = {times[crossed[0]]:.4g} s"


def _allowed_overlap(e: Evidence, one: str, other: str) -> float:
    pairs = [(n, p) for n, p in e.pairs.items() if {one, other} == set(e.sides(p))]
    if not pairs:
        return DEPTH * min(e.bodies[name].shortest_edge for name in (one, other))
    allowed = 0.0
    for name, pair in pairs:
        deep = DEPTH if all(body.linear for body in e.bodies.values()) else BULGE
        own, surface = deep * e.edge(pair), e.record.surfaces[name]
        if pair.method == "penalty":
            gap = surface.gap
            own += max(0.0, -float(gap[np.isfinite(gap)].min(initial=0.0)))
        if pair.method == "continuous":
            own += max(sagitta(e, group) for group in (pair.slave, pair.master))
        for worn in (surface.wear_depth, surface.master_wear):
            if worn is not None and pair.wear_updates_gap:
                own += float(worn.max(initial=0.0))
        allowed = max(allowed, own)
    return allowed


def passage(e: Evidence) -> Sentences:
    """No body passes through another between two kept times: its centre, seen from the other,
    does not cross the other's outline."""
    moved = e.record.fields.displacement
    for a, b in permutations(e.bodies, 2):
        centre = e.bodies[a].centre + e.bodies[a].mean(moved) - e.bodies[b].mean(moved)
        for k in range(1, len(moved)):
            outline = e.outline(b, k) - e.bodies[b].mean(moved[k])
            if crosses(centre[k - 1], centre[k], outline):
                yield f"{a} passes through {b} at t = {e.record.fields.time[k]:.4g} s"
                break


# Balance of forces ------------------------------------------------------------------------------


class Weights(NamedTuple):
    """Newmark's γ, and where in a step inertia and loads are taken (Chung & Hulbert 1993)."""

    gamma: float
    early: float
    alpha_m: float
    alpha_f: float


def weights_of(e: Evidence) -> Weights:
    """The coefficients of the study's scheme, from the literature."""
    t = e.study.time
    if t.impact == "stabilized" or t.scheme == "energy-momentum":  # midpoint rule
        return Weights(1.0, 0.0, 0.0, 0.5)
    if t.scheme == "implicit-euler":
        return Weights(1.0, 0.0, 0.0, 0.0)
    if t.scheme == "hht":
        gamma = 0.5 - t.alpha
        return Weights(gamma, 1 - gamma, 0.0, -t.alpha if t.modified_equilibrium else 0.0)
    if t.scheme == "generalized-alpha":
        rho = t.rho_infinity
        alpha_m, alpha_f = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
        gamma = 0.5 - alpha_m + alpha_f
        return Weights(gamma, 1 - gamma, alpha_m, alpha_f)
    gamma = t.gamma if t.scheme == "newmark" else 0.5
    return Weights(gamma, 1 - gamma, 0.0, 0.0)


def momentum(e: Evidence) -> Sentences:
    """A body without supports: in every step the change of its momentum is the impulse of contact
    and loads, as the time scheme weighs them.

    Summed over a body, K u vanishes and the scheme's equations become those of a point mass:
    P' = P + Δt[(1−γ) A + γ A'], (1−α_m) A' + α_m A = contact' + (1−α_f) load' + α_f load. The
    inertia A at t = 0 is taken from the first step; all others must then agree. Where the mass is
    redistributed, momentum is not ∫ρv and cannot be computed from the fields.
    """
    if e.static or e.staged or e.study.time.impact == "redistributed-mass":
        return
    if e.study.time.step == "auto":  # its steps are not all of one scheme
        return
    for name in e.bodies:
        if e.supports(name):
            continue
        error, scale, k = _momentum_error(e, name)
        if error > BALANCE * scale:
            yield (
                f"momentum of {name} misses the impulses by {error:.3g} N·s/m at t = "
                f"{e.time[k]:.4g} s ({error / scale:.2g} of the total)"
            )


def _momentum_error(e: Evidence, name: str) -> tuple[float, float, int]:
    """Largest error of a step, the impulse in play, the step."""
    w, step = weights_of(e), e.column("solver.step")
    contact, load, p = e.contact_force(name), e.load(name), e.momentum(name)
    forces = np.abs(contact).max() + np.abs(load).max()
    moving = max(np.abs(e.momentum(body)).max() for body in e.bodies)
    scale = float(moving + forces * step.max() + e.rounding(name) * step.max() / BALANCE)
    late = 1 - w.alpha_m
    outer = contact[1:] + (1 - w.alpha_f) * load[1:] + w.alpha_f * load[:-1]
    known = w.early - w.gamma * w.alpha_m / late  # weight of A in the first step
    inertia = np.zeros(2)
    if abs(known) > 1e-12:
        inertia = ((p[1] - p[0]) / step[1] - w.gamma * outer[0] / late) / known
    worst, where = 0.0, 0
    for k in range(1, len(p)):
        following = (outer[k - 1] - w.alpha_m * inertia) / late
        missing = p[k] - p[k - 1] - step[k] * (w.early * inertia + w.gamma * following)
        if np.abs(missing[e.axes]).max() > worst:
            worst, where = float(np.abs(missing[e.axes]).max()), k
        inertia = following
    return worst, max(scale, 1e-300), where


def equilibrium(e: Evidence) -> Sentences:
    """Static: contact, loads and reactions on each body sum up to nothing. Dynamic: so do they on
    a body that is fixed completely."""
    for name in e.bodies:
        fixed = (e.study.supports[s] for s in e.supports(name))
        prescribed = any(s.on == name and s.function is None for s in fixed)
        if (not e.static or e.staged) and not prescribed:
            continue
        total = e.contact_force(name) + e.load(name) + e.reaction(name)
        pairs = [e.vector(f"force-{p}") for p, c in e.study.contact.items() if name in e.sides(c)]
        scale = max(np.abs(f).max() for f in (*pairs, e.load(name), e.reaction(name)))
        scale += e.rounding(name) / BALANCE
        error = np.abs(total[1:, e.axes]).max()
        if error > BALANCE * max(scale, 1e-300):
            yield f"forces on {name} sum up to {error:.3g} N/m; the largest is {scale:.3g} N/m"


def moments(e: Evidence) -> Sentences:
    """Static: the contact forces along the edges of a body without supports balance the moment of
    its loads, but for LEVER of its width.

    Nodal forces are pressure times tributary length; of `continuous` contact only while all slave
    nodes are over the master, else a pressure acts on the covered part of that length."""
    if not e.static or not e.plain:
        return
    for name, body in e.bodies.items():
        pairs = [p for p, pair in e.study.contact.items() if name in e.sides(pair)]
        if e.supports(name) or not e.study.loads:
            continue
        if not all(straight(e, e.study.contact[p].master) and _covered(e, p) for p in pairs):
            continue
        torque, scale = 0.0, 1e-300
        for force, place in e.loads(name):
            arm = place - body.centre
            torque += arm[0] * force[-1, 1] - arm[1] * force[-1, 0]
            scale += float(np.linalg.norm(force[-1]))
        for pair in pairs:
            scale += float(np.linalg.norm(e.vector(f"force-{pair}")[-1]))
            torque += _contact_torque(e, pair, name)
        width = float(np.ptp(body.points[body.nodes, 0]))
        if abs(torque) > LEVER * scale * width:
            yield (
                f"contact leaves a moment of {torque:.3g} N·m/m on {name}: its force acts "
                f"{abs(torque) / scale:.3g} m beside where it must"
            )


def _covered(e: Evidence, pair_name: str) -> bool:
    """Whether pressures act on the whole tributary lengths of their nodes at the end."""
    every_node_over_it = bool(np.isfinite(e.record.surfaces[pair_name].gap[-1]).all())
    return e.study.contact[pair_name].method != "continuous" or every_node_over_it


def _contact_torque(e: Evidence, pair_name: str, body: str) -> float:
    """Moment of a pair's last pressures and tractions about the centre of a body, N·m per m."""
    pair, surface = e.study.contact[pair_name], e.record.surfaces[pair_name]
    mesh = e.record.mesh
    place = mesh.points[surface.nodes] + e.record.fields.displacement[-1, surface.nodes]
    length = edge_weights(e.edges(pair.slave), mesh.points)[surface.nodes]
    normal = outward(e, pair.master)
    tangent = np.array([normal[1], -normal[0]])
    force = np.outer(surface.pressure[-1] * length, normal)
    force += np.outer(surface.traction[-1] * length, tangent)
    arm = place - e.bodies[body].centre - e.bodies[body].mean(e.record.fields.displacement[-1])
    torque = float((arm[:, 0] * force[:, 1] - arm[:, 1] * force[:, 0]).sum())
    return torque if body == e.owner(pair.slave) else -torque


# Energy -----------------------------------------------------------------------------------------


def energy(e: Evidence) -> Sentences:
    """Kinetic and strain energy are those of the fields; the energy balance is satisfied; energy
    beyond the initial one and the work of loads and supports stays below MADE of the total;
    friction only dissipates."""
    own = list(e.bodies.values())
    strain = e.column("energy.strain")
    if all(body.linear for body in own):
        strain = sum(b.strain_energy(e.record.fields.displacement) for b in own)
    kinetic = sum(b.kinetic(e.record.fields.velocity) for b in own)
    if e.static:
        kinetic = np.zeros_like(strain)
    elif e.staged or e.study.tools or e.study.time.impact == "redistributed-mass":
        kinetic = e.column("energy.kinetic")  # of tools too, or of another matrix than ∫ρ|v|²
    work, stored = e.column("energy.external"), e.column("energy.contact")
    stored = stored + e.column("energy.springs")
    if e.staged:
        work = work + e.column("energy.stage_change")
    in_play = max(np.abs(work).max(), kinetic.max(), strain.max(), 1e-300)
    # On cells that are no parallelograms strain energy depends on the Gauss points, a little.
    for name, value, share in (("kinetic", kinetic, 1e-6), ("strain", strain, 0.02)):
        error = np.abs(value - e.column(f"energy.{name}")).max()
        if error > share * in_play:
            yield f"{name} energy is wrong by {error / in_play:.2g} of the energy in play"
    closure = np.abs(e.column("energy.balance_error")).max()
    if closure > 1e-6 * in_play:
        yield f"the energy balance is violated by {closure / in_play:.2g} of the energy in play"
    total = kinetic + strain + stored
    made = (total - total[0] - work).max()
    if made > MADE * in_play:
        yield f"energy is made: {made / in_play:.2g} of the energy in play"
    given = (-np.diff(e.column("energy.friction"))).max(initial=0.0)
    if given > MADE * in_play:
        yield f"friction gives energy: {given / in_play:.2g} of the energy in play in a step"
    yield from _work_of_weight(e, work, in_play)


def _work_of_weight(e: Evidence, work: Array, in_play: float) -> Sentences:
    """With weight as the only load and supports at rest, its work is force times fall."""
    acting = (*e.study.supports.values(), *e.study.loads.values())
    weights = all(load.type == "gravity" for load in e.study.loads.values())
    if not weights or e.staged or e.study.tools or e.study.plane == "axisymmetric":
        return
    if any(one.function is not None for one in acting):
        return
    fallen = np.zeros(len(e.time))
    for name, body in e.bodies.items():
        path = body.mean(e.record.fields.displacement)
        fallen += ((path - path[0]) * e.load(name)).sum(axis=1)
    error = np.abs(fallen - work).max()
    if error > 1e-6 * in_play:
        yield f"work of the weight is wrong by {error / in_play:.2g} of the energy in play"


# Laws of contact --------------------------------------------------------------------------------


def coulomb(e: Evidence) -> Sentences:
    """At every slave node: p ≥ 0, |τ| ≤ μ p, nothing where open, |τ| = μ p where it slips and no
    master vertex leans on its edges; of the resultants |T| ≤ μ N, N ≥ 0. Bound: LAW of the largest
    pressure or force of the run."""
    for name, pair in e.study.contact.items():
        if pair.adhesion or not isinstance(pair.friction, float | int):
            continue  # laws of their own, capability_laws
        s, mu = e.record.surfaces[name], pair.coefficients[1]
        p, tau = s.pressure[1:], np.abs(s.traction[1:])
        status = s.status[1:]
        slips = (status == SLIP) & ~leaned_on(e, name)[1:]
        if e.study.plane == "axisymmetric":  # a node on the axis cannot slip, for any status
            radius = e.record.mesh.points[s.nodes, 0]
            slips &= radius > 1e-9 * radius.max()
        bound = LAW * max(p.max(initial=0.0), 1e-300)
        broken = {
            "pulls": -p.min(initial=0.0),
            "exceeds Coulomb's limit": (tau - mu * p).max(initial=0.0),
            "acts where it is open": (np.abs(p) + tau)[status == OPEN].max(initial=0.0),
            "slips below its limit": (pair.coefficients[0] * p - tau)[slips].max(initial=0.0),
        }
        for what, size in broken.items():
            if size > bound:
                share = size * LAW / bound
                yield f"{name}: contact {what} by {size:.3g} Pa, {share:.2g} of the most"
        normal, tangential = (
            e.column(f"contact.{name}.normal"),
            e.column(f"contact.{name}.tangential"),
        )
        most = LAW * max(np.abs(normal).max(), 1e-300)
        if normal.min() < -most or (np.abs(tangential) - mu * normal).max() > most:
            yield f"{name}: the resultants break Coulomb's law"


def histories(e: Evidence) -> Sentences:
    """The mean motions are those of the fields; a resultant is no longer than normal and
    tangential force make it (5 %: normals of a deformed edge differ a little)."""
    for name, body in e.bodies.items():
        fields = e.record.fields
        if getattr(e.study.time, "impact", "") == "redistributed-mass":
            continue  # The centroid is then that of the redistributed mass, not of the volume.
        for kind, field in (("displacement", fields.displacement), ("velocity", fields.velocity)):
            error = np.abs(body.mean(field) - e.vector(f"centroid-{kind}-{name}")).max()
            if error > BALANCE * max(np.abs(field[:, body.nodes]).max(), 1e-300):
                yield f"the mean {kind} of {name} is wrong by {error:.3g}"
    for name in e.study.contact:
        force = np.linalg.norm(e.vector(f"force-{name}"), axis=1)
        parts = sum(np.abs(e.column(f"contact.{name}.{way}")) for way in ("normal", "tangential"))
        if (force - parts).max() > 0.05 * max(force.max(), 1e-300):
            yield f"{name}: the resultant is longer than its normal and tangential parts"


def complementarity(e: Evidence) -> Sentences:
    """Nodal methods: a slave node that is closed touches, unless a master vertex leans on its
    edges; one that is open does not overlap (DEPTH of the shortest edge); one that sticks does not
    slip."""
    for name, pair in e.pairs.items():
        if pair.method == "continuous":
            continue
        s, bound = e.record.surfaces[name], DEPTH * e.edge(pair)
        closed = s.status[1:] != OPEN
        gap = np.where(np.isfinite(s.gap[1:]), s.gap[1:], np.inf)
        over = np.isfinite(s.gap[1:])  # a node off the master has shares of vertices only
        far = gap[closed & over & ~leaned_on(e, name)[1:]].max(initial=0.0)
        if far > bound:
            yield f"{name}: force across a gap of {far:.3g} m"
        deep = -gap.min(initial=0.0)
        if deep > bound and pair.method == "lagrangian":
            yield f"{name}: a slave node is {deep:.3g} m inside its master"
        crept = np.diff(s.slip, axis=0)[s.status[1:] == STICK]
        if np.abs(crept).max(initial=0.0) > bound:
            yield f"{name}: a node that sticks slips by {np.abs(crept).max():.3g} m in a step"


def pressures(e: Evidence) -> Sentences:
    """Static, straight edges: no pressure is larger than twice that of the whole force on the
    smallest patch there is, the tributary length of a node or the length over which the edges
    face each other."""
    if not e.static or not e.plain:
        return
    points = e.record.mesh.points
    for name, pair in e.pairs.items():
        if not (straight(e, pair.slave) and straight(e, pair.master)):
            continue
        s = e.record.surfaces[name]
        length = edge_weights(e.edges(pair.slave), points)[s.nodes]
        patch = min(float(length.min()), facing(e, pair))
        most = 2 * np.abs(e.column(f"contact.{name}.normal")[-1]) / max(patch, 1e-300)
        if s.pressure[-1].max() > most * (1 + LAW):
            yield (
                f"{name}: a pressure of {s.pressure[-1].max():.3g} Pa; all of the force on one "
                f"node would be {most / 2:.3g} Pa"
            )


LAWS: dict[str, Callable[[Evidence], Sentences]] = {
    law.__name__: law
    for law in (
        overlap,
        passage,
        momentum,
        equilibrium,
        moments,
        energy,
        histories,
        coulomb,
        complementarity,
        pressures,
    )
} | capability_laws.LAWS


def broken_laws(e: Evidence) -> dict[str, list[str]]:
    """Law → what breaks it, for the laws that are broken."""
    found = {name: list(law(e)) for name, law in LAWS.items()}
    return {name: sentences for name, sentences in found.items() if sentences}
