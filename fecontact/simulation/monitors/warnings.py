"""Warnings about settings that commonly degrade results."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from fecontact.arrays import Array
from fecontact.contact.interface.layout import Pair
from fecontact.contact.interface.rigid_surface import sharpest_corner
from fecontact.contact.problem import ContactProblem
from fecontact.contact.step import SETTLED
from fecontact.dynamics.failure import instability_message
from fecontact.dynamics.loop import TimeLoop
from fecontact.dynamics.schemes import Scheme
from fecontact.mesh.cells import areas
from fecontact.record import ModelMesh, RunWarning, wrong
from fecontact.simulation.output.totals import Totals
from fecontact.simulation.owners import cells_of, owners
from fecontact.solid.fem.measures import MEASURES
from fecontact.study.common import SAME_TIME
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.plausibility import doubtful_units

FINER = 1.5  # a master is finer than its slave if its edges are shorter by more than this
STEPS_PER_PERIOD = 6  # fewer cannot follow a bounce
OVERLAP = 1e-4  # of the shortest contact edge: less is how meshes follow curves
TURN = 0.12  # rad in a step: at 0.1 HHT loses 2e-4 of the angular momentum in each radian
CONSERVED_TURN = 0.25  # rad in a step of a conserving scheme: the angle lags by 0.5 % (Δφ²/12)
LAGS = 0.5  # rad in such a step: the angle lags by 2 %
LOCKING = 40.0  # κ/μ; at 50 a bonded block 4 QUAD4 cells high is 19 % too stiff, at 500 160 %


def choice_warnings(study: FiniteElementStudy, mesh: ModelMesh, loop: TimeLoop) -> list[RunWarning]:
    """Return a warning for every doubtful choice, found at the start of a run or a stage."""
    sentences = list(_undamped_impact(study.time, loop.contact))
    if study.corotational:
        sentences += _undamped_turns(study.time)
    sentences += _without_effect(study)
    sentences += _locked(study, mesh)
    edge = float(np.median(np.sqrt(areas(mesh.points, mesh.cells))))
    sentences += doubtful_units(study, float(np.ptp(mesh.points, axis=0).max()), edge)
    thrown: list[str] = []
    for pair in (pair for pair in loop.contact.pairs if pair.settings.active):
        sentences += _different_thickness(pair, study, mesh, loop.contact)
        sentences += _fine_master(pair, loop.contact)
        sentences += _sharp_tool(pair, loop.contact)
        if not any(
            study.turns(name) or name in study.finite for name in owners(pair.slave, study, mesh)
        ):
            sentences += _turned_away(pair, loop.contact)
        if study.time.inertia:
            thrown += _overlap(pair, study.time, loop.contact)
            sentences += _massless_friction(pair, loop)
            sentences += _unresolved_bounce(pair, study, mesh, loop.contact)
    return [*map(wrong, thrown), *_closed_gaps(loop.contact), *map(RunWarning, sentences)]


def _without_effect(study: FiniteElementStudy) -> Iterator[str]:
    """Absorbing edges where nothing moves; fields asked for after the end."""
    for name, foundation in study.foundations.items():
        if foundation.type == "absorbing" and not (study.time.inertia or study.stages):
            yield (
                f"foundations.{name}: an absorbing edge does nothing in statics, where nothing "
                "moves; hold the edge, or let it stand on an elastic foundation"
            )
    late = max(study.output.fields_at, default=0.0)
    if late > study.time.end * (1.0 + SAME_TIME) and "time.end" not in study.changed:
        yield (
            f"output.fields_at: no fields are kept at {late:g} s, the run ends at time.end = "
            f"{study.time.end:g} s"
        )


def _locked(study: FiniteElementStudy, mesh: ModelMesh) -> Iterator[str]:
    """Bodies of linear cells that hardly change their volume, and must keep it at every point of a
    cell: little freedom to strain is left. Plane stress lets them grow thicker instead."""
    if study.plane == "stress":
        return
    prescribed = {s.on for s in study.supports.values() if s.x is not None and s.y is not None}
    for name, body in study.bodies.items():
        material, nodes = study.materials[body.material], mesh.cells.shape[1]
        spared = nodes > 4 or (nodes == 4 and not material.locks) or name in prescribed
        c = material.stiffness()
        bulk, shear = c[:3, :3].sum() / 9, c[3, 3]
        if spared or bulk < LOCKING * shear:
            continue
        quadratic = 'set mesh.element = "quad8" or "tri6"'
        soft = f'law = "mooney-rivlin" with c_10 = {shear / 2:.6g} Pa and bulk = {bulk:.6g} Pa'
        yield (
            f"materials.{body.material}: it hardly changes its volume (κ = {bulk / shear:.3g} μ), "
            f"for which the linear cells of bodies.{name} have too little freedom: they lock, and "
            f"are far too stiff where they cannot bulge; {quadratic}"
            + (f", or {soft}, on quadrilaterals" if material.locks else ", or quadrilaterals")
        )


def _turned_away(pair: Pair, contact: ContactProblem) -> Iterator[str]:
    """A slave edge of which every node over the tool has its outside where the tool's is."""
    if pair.tool is None:
        return
    edge = contact.layout.edges[pair.name]
    multipliers = np.arange(edge.multipliers.start, edge.multipliers.stop)
    over = contact.over_tools(multipliers)
    place = np.full(contact.nodes.node.max() + 1, -1)
    place[contact.nodes.node] = np.arange(len(contact.nodes.node))
    index = place[pair.slave[:, :2]]
    ends = contact.position[index]
    along = ends[:, 1] - ends[:, 0]
    outward = np.zeros((len(contact.nodes.node), 2))
    np.add.at(outward, index, np.stack([along[:, 1], -along[:, 0]], axis=1)[:, None])
    own = outward[contact.layout.node[multipliers]]
    seen = np.isfinite(over[:, 0]) & own.any(axis=1)
    if seen.any() and (np.einsum("nx,nx->n", own, over[:, 1:])[seen] > 0.0).all():
        yield (
            f"contact.{pair.name}: the slave {pair.settings.slave!r} has its back to the tool "
            f"{pair.settings.master!r}: the body is on the inner side of its outline, and contact "
            "never acts; turn the tool round (`normal`, `contact_side`, the order of its points: "
            "the tool lies to their left)"
        )


def _closed_gaps(contact: ContactProblem) -> Iterator[RunWarning]:
    """Return a warning for each pair in which `gap_closure_tolerance` closes more than an edge."""
    for pair, closed in zip(contact.pairs, contact.gaps_filled, strict=True):
        shortest = contact.layout.shortest[contact.layout.edges[pair.name].multipliers]
        if len(closed) and (closed > shortest).any():
            yield wrong(
                f"contact.{pair.name}.gap_closure_tolerance: it closes gaps of up to "
                f"{closed.max():.3g} m, but the edges are only {shortest.min():.3g} "
                "m long: bodies that are this far apart do not touch. Move the body "
                "(bodies.NAME.displacement), or close only gaps that "
                "the mesh leaves between curved edges"
            )


def rounded_away(loop: TimeLoop, totals: Totals, trusted: float) -> list[RunWarning]:
    """Return a warning if numbers have too few digits for contact or energy to be trusted.

    trusted: largest error, relative to the largest contact force or to the energy put in.
    """
    counts, ledger = loop.statistics, loop.ledger
    energy = max(totals.put_in, ledger.kinetic, ledger.strain)  # an interference strains bodies
    errors = {  # error and what of it may be rounding, relative to the scale
        "the largest contact force": counts.contact_error,
        "the energy put in": (totals.balance_error, ledger.rounding, energy),
    }
    return [
        wrong(
            f"rounding alone may amount to {rounding / max(scale, 1e-300):.2g} of {what}: "
            "coordinates or motions are so large that few significant digits remain; move the "
            "model near the origin"
        )
        for what, (error, rounding, scale) in errors.items()
        if min(error, rounding) > trusted * scale
    ]


def unstable_equilibria(loop: TimeLoop) -> list[RunWarning]:
    """Return a warning if a static analysis has continued beyond a bifurcation."""
    return [RunWarning(instability_message(loop.unstable))] if loop.unstable[1] else []


def _different_thickness(
    pair: Pair, study: FiniteElementStudy, mesh: ModelMesh, contact: ContactProblem
) -> Iterator[str]:
    """In the plane a body is loaded over all of its thickness, also by a thinner one. A master that
    is held as a whole, or a tool, may have any."""
    prescribed = np.isin(pair.master, contact.nodes.node[(contact.nodes.dof < 0).all(axis=1)])
    slave, master = (_thicknesses(edges, study, mesh) for edges in (pair.slave, pair.master))
    if prescribed.all() or slave == master:
        return
    deep = [" and ".join(f"{t:g} m" for t in sorted(side)) for side in (slave, master)]
    yield (
        f"contact.{pair.name}: the slave {pair.settings.slave!r} is {deep[0]} thick, the master "
        f"{pair.settings.master!r} {deep[1]}; each is loaded over its whole thickness, and the "
        "pressure given is that on the slave"
    )


def _thicknesses(edges: np.ndarray, study: FiniteElementStudy, mesh: ModelMesh) -> set[float]:
    """Of the bodies that edges belong to, m."""
    return {study.bodies[name].depth for name in owners(edges, study, mesh)}


def _fine_master(pair: Pair, contact: ContactProblem) -> Iterator[str]:
    """Vertices of a master that is finer than the slave bear it between its nodes, whose pressures
    are then few and coarse."""
    if pair.settings.integrated or pair.tool is not None:
        return
    points = np.zeros((contact.nodes.node.max() + 1, 2))
    points[contact.nodes.node] = contact.nodes.coordinates
    free = np.zeros(len(points), bool)
    free[contact.nodes.node] = (contact.nodes.dof >= 0).any(axis=1)
    straight = _straight(points[np.unique(pair.master)])
    slave, master = (_usual_length(points, edges) for edges in (pair.slave, pair.master))
    if slave > FINER * master and (free[pair.master].any() or not straight):
        yield (
            f"contact.{pair.name}: the master {pair.settings.master!r} (edges of {master:.3g} m) "
            f"is finer than the slave {pair.settings.slave!r} ({slave:.3g} m), whose pressures are "
            "coarse and uneven then; exchange them or use the method `continuous`"
        )


def _sharp_tool(pair: Pair, contact: ContactProblem) -> Iterator[str]:
    """Only slave nodes are kept out of a tool: one narrower than their edges goes in between."""
    if pair.tool is None:
        return
    edge = contact.layout.edges[pair.name]
    length = float(np.diff(edge.arc).max())
    sharpest = max(float(pair.tool.piece[:, 4].max()), sharpest_corner(pair.tool))
    if sharpest * length > 1.0:
        radius = 0.0 if np.isinf(sharpest) else 1.0 / sharpest
        yield (
            f"contact.{pair.name}: the tool {pair.settings.master!r} is rounded by {radius:.3g} m, "
            f"less than the slave's nodes are apart ({length:.3g} m), and may go in between them; "
            "refine the slave edge or round the tool"
        )


def _undamped_impact(scheme: Scheme, contact: ContactProblem) -> Iterator[str]:
    """By the trapezoidal rule, (v_n + v_{n+1}) Δt/2 = u_{n+1} − u_n, a node that is stopped at a
    wall has a velocity away from it: it keeps bouncing, and forces at the ends of steps create
    energy. Numerical damping takes the bouncing away."""
    treatment = scheme.on_impact
    apart = np.isfinite(contact.gap) & (contact.gap > SETTLED * contact.layout.shortest)
    bouncing = scheme.coefficients().undamped and not treatment.massless_contact_nodes
    if bouncing and apart.any():
        yield (
            f'time.impact: "{treatment.name}" with a scheme without numerical damping (γ = ½) '
            'creates energy when nodes land; for impacts set time.impact = "redistributed-mass" or '
            '"stabilized", or time.scheme = "generalized-alpha"'
        )


def _undamped_turns(scheme: Scheme) -> Iterator[str]:
    """The trapezoidal rule, stable for linear bodies, is not for stiff ones that turn."""
    coefficients = scheme.coefficients()
    damped = not coefficients.undamped and coefficients.alpha_f != 0.5
    if not (damped or scheme.conserving):
        yield (
            "time.scheme: without numerical damping this scheme is unstable for bodies that turn "
            "by more than a few hundredths of a radian in a step; set time.scheme = "
            '"energy-momentum", which keeps their energy, or "hht"'
        )


def fast_turns(loop: TimeLoop, turn: float) -> list[RunWarning]:
    """Return a warning if bodies turn too far in a step; turn: by how much at most, rad."""
    conserving = loop.scheme.conserving
    allowed = CONSERVED_TURN if conserving else TURN
    if turn <= allowed:
        return []
    shorter = f"shorten time.step to at most 1/{math.ceil(turn / allowed)} of it"
    what = (
        f"the angle of rotation then lags by about {turn**2 / 12:.2g} of itself: {shorter}"
        if conserving
        else "this time.scheme then loses or makes energy and angular momentum; "
        f'{shorter}, or set time.scheme = "energy-momentum"'
    )
    text = f"bodies turn by up to {turn:.2g} rad in a step, limit {allowed:g}: {what}"
    lags = conserving and turn > LAGS
    return [RunWarning(text, "not trusted" if lags else "worth a look")]


def _overlap(pair: Pair, scheme: Scheme, contact: ContactProblem) -> Iterator[str]:
    """What overlaps at the start leaves its master within one step, with the velocity of that."""
    own = contact.layout.edges[pair.name].multipliers
    gap, close = contact.gap[own], OVERLAP * contact.layout.shortest[own]
    sunk_in = pair.settings.given_stiffness is not None
    if not sunk_in and (gap < -close).any():
        deepest = -float(gap.min())
        mean = pair.settings.integrated  # < 0 also where a curved face just touches
        yield (
            f"contact.{pair.name}: at t = 0 the slave {pair.settings.slave!r} overlaps its master "
            f"{'in the mean over an edge ' if mean else ''}by up to {deepest:.3g} m and is thrown "
            f"out of it in the first step, with {deepest / scheme.longest:.3g} m/s; move the body "
            "(bodies.NAME.displacement), or "
            'find the state of stress with time.scheme = "static"'
            + ("; if they just touch, a finer slave edge or `lagrangian` helps" if mean else "")
        )


def _massless_friction(pair: Pair, loop: TimeLoop) -> Iterator[str]:
    """Friction on a slave node without mass and damping jumps from step to step."""
    if pair.settings.friction == 0.0 or loop.scheme.on_impact.massless_contact_nodes:
        return
    nodes, dofs = loop.contact.nodes, np.empty(loop.bulk.surface.size)
    massless = loop.bulk.gather(loop.bulk.massless.astype(float), dofs) != 0.0
    slave = np.isin(nodes.node, pair.slave)
    of_slave = nodes.dof[slave]
    if massless[of_slave[of_slave >= 0]].any():
        yield (
            f"contact.{pair.name}: slave nodes of {pair.settings.slave!r} are free and have no "
            "mass (density = 0): their friction depends on the step, not on the motion; give the "
            "body a density or hold it"
        )


def _unresolved_bounce(
    pair: Pair, study: FiniteElementStudy, mesh: ModelMesh, contact: ContactProblem
) -> Iterator[str]:
    """A body of mass m that lands on n given penalties bounces on them with ω² = n E_N/m."""
    given = pair.settings.given_stiffness
    if given is None or contact.gap.min() <= 0.0:
        return
    mass = _mass_of_body(pair, study, mesh)
    if mass == 0.0:
        return
    period = 2 * np.pi * np.sqrt(mass / (len(np.unique(pair.slave)) * given))
    shortest = study.time.longest
    if study.time.control is not None:
        shortest *= 2.0**-study.time.control.max_halvings
    if period < STEPS_PER_PERIOD * shortest:
        yield (
            f"contact.{pair.name}: a body that lands on normal_penalty = {given:g} N/m bounces on "
            f"it with a period of {period:.2g} s, {period / shortest:.2g} steps: too few to "
            "resolve it, energy is lost or created; shorten the step or soften the penalty"
        )


def _mass_of_body(pair: Pair, study: FiniteElementStudy, mesh: ModelMesh) -> float:
    """Mass of the body that the slave edge belongs to, kg."""
    for name, body in study.bodies.items():
        cells = cells_of(name, study, mesh)
        if np.isin(pair.slave, cells).all():
            centre = mesh.points[cells].mean(axis=1)
            depth = MEASURES[study.plane].depth(centre) * body.depth
            mass = float(np.sum(areas(mesh.points, cells) * depth))
            return mass * study.materials[body.material].density
    return 0.0


def _usual_length(points: Array, edges: np.ndarray) -> float:
    return float(np.median(np.linalg.norm(points[edges[:, 1]] - points[edges[:, 0]], axis=1)))


def _straight(points: Array) -> bool:
    """Whether points lie on a line, to a millionth of its length."""
    spread = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
    return bool(spread[1] <= 1e-6 * spread[0])
