"""Quality limits of contact: penalties, prescribed nodes, wear, resolution."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from fecontact.contact.interface.layout import Pair
from fecontact.contact.interface.rigid_surface import sharpest_corner
from fecontact.contact.problem import ContactProblem
from fecontact.dynamics.loop import TimeLoop
from fecontact.mesh.parts import connected_parts
from fecontact.record import OPEN, ModelMesh, RunWarning, SurfaceSeries, wrong
from fecontact.simulation.monitors.chords import height_over_chords
from fecontact.simulation.output.totals import Totals
from fecontact.simulation.owners import owners
from fecontact.study.finite_element import FiniteElementStudy

MAX_WEAR_FRACTION = 0.5  # of the thickness of a body: more wear needs a new mesh
SPRINGY = 0.1  # of the elastic energy: with more, the penalties dominate the deformation
MATTERS = 0.02  # of the energy input: less energy in the penalties is negligible
EDGES = 4  # edges across a contact whose pressure is evaluated
UNEVEN = 0.2  # of the pressure next to the axis, where the pressure is uniform
JUMPED = 0.5  # of the wear of a cycle: largest change over skipped cycles
POINTS = 2  # acting contact points: more resolve the local deformation to about 20 %
UNRESOLVED = 0.25  # of the approach: unresolved local deformation
SHARP = 1e-6  # of the node spacing: radius of a sharp corner
FLAT = 1e-9  # of an edge: height of a straight edge over its chord, due to round-off
SPANNED = 3  # free master nodes that one slave node with friction may replace
NEGLIGIBLE = 0.01  # of the largest force of a node of a pair


def soft_penalties(loop: TimeLoop, allowed: float) -> list[RunWarning]:
    """Return a warning for each penalty pair with excessive penetration.

    allowed: penetration limit, relative to the shortest contact edge.
    """
    deepest = loop.statistics.deepest_penetration / loop.contact.layout.shortest.min(initial=np.inf)
    if deepest <= allowed:
        return []
    return [
        wrong(
            f"contact.{pair.name}: the penetration reaches {deepest:.2g} of the shortest contact "
            f"edge (limit {allowed:g}). Increase normal_penalty by a factor of "
            f'{math.ceil(deepest / allowed)} or use method = "lagrangian".'
        )
        for pair in loop.contact.pairs
        if pair.settings.soft
    ]


def springy_penalties(loop: TimeLoop, totals: Totals) -> list[RunWarning]:
    """Return a warning for each penalty pair if penalties store much of the elastic energy.

    The penalties, not the bodies, then determine forces and motion.
    """
    stored, elastic = totals.penalties, totals.penalties + totals.beside_penalties
    if stored <= max(SPRINGY * elastic, MATTERS * totals.put_in):
        return []
    share = stored / elastic
    return [
        wrong(
            f"contact.{pair.name}: the penalties store {share:.2g} of the elastic energy (limit "
            f"{SPRINGY:g}), so penetration and elastic slip are not small compared with the "
            "deformation of the bodies. Increase or remove normal_penalty and tangential_penalty, "
            'or use method = "lagrangian".'
        )
        for pair in loop.contact.pairs
        if pair.settings.soft
    ]


def penetrating_prescribed_nodes(contact: ContactProblem, allowed: float) -> Iterator[RunWarning]:
    """Return a warning for each pair with prescribed slave nodes inside the tool at the end.

    allowed: limit relative to the shortest contact edge.
    """
    gaps, shortest = contact.gaps_of_prescribed(), contact.layout.shortest
    for pair in (pair for pair in contact.pairs if pair.settings.active):
        edge = contact.layout.edges[pair.name]
        gap = gaps[edge.multipliers]
        if (gap < -allowed * shortest[edge.multipliers]).any():
            yield wrong(
                f"contact.{pair.name}: {np.count_nonzero(gap < 0.0)} constrained node(s) of slave "
                f"{pair.settings.slave!r} penetrate tool {pair.settings.master!r} at the end (node "
                f"{edge.node[np.argmin(gap)]} by {-gap.min():.3g} m). Contact cannot move them. "
                "Remove them from the support or exclude them from the pair with `exclude`."
            )


def excessive_wear(
    mesh: ModelMesh, contact: ContactProblem, surfaces: dict[str, SurfaceSeries]
) -> Iterator[RunWarning]:
    """Return a warning for each pair in which wear removes a large part of the slave body."""
    part = connected_parts(mesh)
    for pair in contact.pairs:
        depth = surfaces[pair.name].wear_depth if pair.name in surfaces else None
        if depth is None or not depth.size:
            continue
        thick = float(np.ptp(mesh.points[part == part[pair.slave[0, 0]]], axis=0).min())
        if depth.max() > MAX_WEAR_FRACTION * thick:
            yield wrong(
                f"contact.{pair.name}: the wear depth of slave {pair.settings.slave!r} reaches "
                f"{depth.max():.3g} m (limit {MAX_WEAR_FRACTION:g} of the body thickness of "
                f"{thick:.3g} m). Wear "
                "moves the surface but does not change mesh and stiffness. Reduce the wear or the "
                "sliding distance."
            )


def long_jumps(contact: ContactProblem) -> list[RunWarning]:
    """Return a warning if the wear of a cycle changes much over a jump of skipped cycles."""
    change = float(contact.wear.change[0])
    if change <= JUMPED:
        return []
    return [
        wrong(
            f"cycle_jump: the wear depth of a cycle changes by {change:.2g} of its largest value "
            f"between two computed cycles (limit {JUMPED:g}), so the wear of the skipped cycles is "
            "wrong. Reduce cycle_jump.cycles or cycle_jump.depth."
        )
    ]


def coarse_pressures(
    study: FiniteElementStudy, contact: ContactProblem, totals: Totals
) -> Iterator[RunWarning]:
    """Return a warning for each evaluated pressure of a pair that is closed on few edges.

    A completely closed slave edge is not reported.
    """
    types = ("contact-pressure", "peak-pressure")
    requested: set[str | None] = {watch.at for watch in study.watch.values() if watch.type in types}
    requested |= {chart.pair for chart in study.charts.values() if chart.pair}
    for number, pair in enumerate(contact.pairs):
        checked = [f"contact.{pair.name}.{name}" for name in ("peak_pressure", "max_pressure")]
        if pair.name not in requested and not any(
            check.quantity in checked for check in study.checks.values()
        ):
            continue
        edge = contact.layout.edges[pair.name]
        closed = int(totals.widest[number])
        if 0 < closed <= EDGES and closed < len(edge.node):
            yield RunWarning(
                f"contact.{pair.name}: at most {closed} slave nodes are in contact. With fewer "
                f"than about {EDGES} edges across the contact the pressure is in error by 10 % or "
                "more. Refine the slave edge there."
            )


def point_contacts(
    study: FiniteElementStudy, mesh: ModelMesh, loop: TimeLoop
) -> Iterator[RunWarning]:
    """Return a warning for each pair of a static analysis with an unresolved local deformation.

    The approach of a line load F on n nodes of spacing h exceeds that of Hertz's half-width a,
    a² = 4FR/(πE), by −(2F/πE) ln(nh/2a) (K. L. Johnson 1985, "Contact mechanics", sections 2.2 and
    4.2). With n ≤ 2 it is related to the approach 2W/F of the strain energy W. A corner pressed on
    a flat side that is inclined by θ has the half-width W/(F θ). On the symmetry axis, the approach
    exceeds that of the radius a, a³ = 3FR/(4E), by (3F/4E) (1/a − 1/nh).
    """
    if study.time.inertia:
        return
    contact = loop.contact
    for number, pair in enumerate(contact.pairs):
        count = np.count_nonzero(contact.force[: contact.size][contact.layout.pair == number] > 0.0)
        if not 0 < count <= POINTS:
            continue
        bodies = [study.bodies[name] for name in owners(pair.slave, study, mesh)]
        stiff = min(study.materials[body.material].stiffness()[0, 0] for body in bodies)
        edge = contact.layout.edges[pair.name]
        spacing, acting = float(np.diff(edge.arc).min()), contact.force[edge.multipliers] > 0.0
        from_axis = float(mesh.points[edge.node, 0][acting].min(initial=np.inf))
        depth = min(body.depth for body in bodies)
        if study.axisymmetric and math.isfinite(from_axis):
            depth = 2.0 * math.pi * max(from_axis, spacing)
        force = float(contact.resultants()[number, 2]) / depth
        radius, approach = _radius(mesh, pair), 2.0 * loop.ledger.strain / depth / force
        if math.isinf(radius):
            if pair.settings.given_stiffness is not None:
                continue  # a given stiffness is the local stiffness of the model
            width = approach / max(_inclination(contact, pair), SHARP)
        else:
            width = math.sqrt(16.0 * force * max(radius, SHARP * spacing) / (math.pi * stiff))
        missing = 2.0 * force / (math.pi * stiff) * math.log(max(count * spacing / width, 1.0))
        if study.axisymmetric and from_axis < spacing and math.isfinite(radius):
            width = 2.0 * (0.75 * force * depth * max(radius, SHARP * spacing) / stiff) ** (1 / 3)
            missing = 0.75 * force * depth / stiff
            missing *= max(2.0 / width - 1.0 / (count * spacing), 0.0)
        if missing > UNRESOLVED * approach:
            yield wrong(
                f"contact.{pair.name}: the contact between {pair.settings.slave!r} and "
                f"{pair.settings.master!r} acts at {count} point(s) {spacing:.3g} m apart, but its "
                f"width is about {width:.2g} m. The mesh does not resolve the local deformation, "
                "so force and approach depend on the element size. Refine both edges there."
            )


def averaged_friction(study: FiniteElementStudy, contact: ContactProblem) -> Iterator[RunWarning]:
    """Return a warning for each pair of a static analysis in which one or two slave nodes represent
    the friction on many master nodes.

    The integrated constraint prevents the mean slip over the edges of a slave node. Between these
    edges' ends, a finer master can slide although the node sticks.
    """
    if study.time.inertia:
        return
    free = contact.nodes.node[(contact.nodes.dof >= 0).any(axis=1)]
    rows = contact.rows.rows
    for number, pair in enumerate(contact.pairs):
        settings = pair.settings
        if not settings.integrated or pair.tool is not None or settings.friction == 0.0:
            continue
        own = contact.layout.pair == number
        carried = np.where(own, rows.weight * contact.force[: contact.size], 0.0)
        acting = np.flatnonzero(carried > NEGLIGIBLE * max(carried.max(initial=0.0), 1e-300))
        if not 0 < len(acting) <= POINTS:
            continue
        places = [rows.node[rows.start[j] : rows.start[j] + rows.used[j]] for j in acting]
        nodes = contact.nodes.node[np.concatenate(places)]
        spanned = len(np.intersect1d(nodes, np.intersect1d(free, pair.master)))
        if spanned > SPANNED * len(acting):
            yield wrong(
                f"contact.{pair.name}: the friction on {spanned} nodes of master "
                f"{settings.master!r} is computed at {len(acting)} node(s) of slave "
                f"{settings.slave!r}, so the master can slide between them. Swap slave and master "
                "or refine the slave edge."
            )


def _inclination(contact: ContactProblem, pair: Pair) -> float:
    """Return the smallest angle between a slave edge, from a closed to an open node, and the
    master, rad; 0 without such an edge.
    """
    edge = contact.layout.edges[pair.name]
    closed = contact.force[edge.multipliers] > 0.0
    gap, length = contact.gap[edge.multipliers], np.diff(edge.arc)
    after, before = closed[:-1] & ~closed[1:], closed[1:] & ~closed[:-1]
    rising = np.concatenate([(gap[1:] / length)[after], (gap[:-1] / length)[before]])
    rising = rising[np.isfinite(rising)]
    return float(rising.min()) if len(rising) else 0.0


def _radius(mesh: ModelMesh, pair: Pair) -> float:
    """Return the smallest radius of curvature of the sides of a pair, m; 0 for a corner."""
    if pair.tool is not None:
        sharpest = max(float(np.abs(pair.tool.piece[:, 4]).max()), sharpest_corner(pair.tool))
        return 1.0 / sharpest if sharpest > 0.0 else math.inf
    found = [math.inf]
    for side in (pair.slave, pair.master):
        height = height_over_chords(mesh.points, side)
        ends = mesh.points[side[:, :2]]
        longest = float(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1).max())
        if height > FLAT * longest:
            found.append(longest**2 / (8.0 * height))
    return min(found)


def uneven_at_axis(
    study: FiniteElementStudy,
    mesh: ModelMesh,
    contact: ContactProblem,
    surfaces: dict[str, SurfaceSeries],
) -> Iterator[RunWarning]:
    """Return a warning for each pair with a pressure on the symmetry axis that differs from the
    pressure next to it.

    A node on the axis has a small area, πh²/3 of the ring of width h. For non-matching nodes of
    slave and master, nodal forces fail the patch test there by up to half of the pressure (R.
    Taylor & P. Papadopoulos 1991, "On a patch test for contact problems in two dimensions").
    """
    if study.plane != "axisymmetric":
        return
    for pair in contact.pairs:
        if pair.tool is not None or pair.settings.integrated or pair.name not in surfaces:
            continue
        found = surfaces[pair.name]
        order = np.argsort(mesh.points[found.nodes, 0])[:3]
        near = mesh.points[found.nodes[order], 0]
        if len(order) < 3 or near[0] > 1e-9 * near[2] or pair.slave.shape[1] > 2:
            continue
        pressure = found.pressure[:, order]
        if not len(pressure):
            continue
        axis, beside, _ = pressure[np.argmax(pressure.sum(axis=1))]
        pressed = (found.status[np.argmax(pressure.sum(axis=1)), order] != OPEN).all()
        if pressed and abs(axis - beside) > UNEVEN * beside:
            yield wrong(
                f"contact.{pair.name}: the pressure on the axis is {axis:.3g} Pa, at the next "
                f"slave node {beside:.3g} Pa (limit of the difference: {UNEVEN:g} of it). The "
                "meshes do not match, so the nodal forces at the axis are inaccurate. Set "
                f'contact.{pair.name}.method = "continuous" or use matching meshes.'
            )
