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
from fecontact.study.validation.plausibility import doubtful_units

BONDS = 2  # bonded ends of edges: fewer than three have no distribution of stress
COARSE = 2.0  # ratio of edge lengths beyond which one or two bonded nodes are too few
FINER = 1.5  # ratio of edge lengths beyond which a master is finer than its slave
STEPS_PER_PERIOD = 6  # fewer do not resolve a bounce
OVERLAP = 1e-4  # of the shortest contact edge: less results from the mesh approximation of curves
TURN = 0.12  # rad in a step: at 0.1 HHT loses 2e-4 of the angular momentum in each radian
CONSERVED_TURN = 0.25  # rad in a step of a conserving scheme: the angle lags by 0.5 % (Δφ²/12)
LAGS = 0.5  # rad in such a step: the angle lags by 2 %
LOCKING = 40.0  # κ/μ; at 50 a bonded block of 4 quad4 layers is 19 % too stiff, at 500 160 %
LOCKS = 100.0  # κ/μ: such a block is 35 % too stiff


def choice_warnings(study: FiniteElementStudy, mesh: ModelMesh, loop: TimeLoop) -> list[RunWarning]:
    """Return a warning for each doubtful setting at the start of a run or a stage."""
    sentences = list(_undamped_impact(study.time, loop.contact))
    if study.corotational:
        sentences += _undamped_turns(study.time)
    sentences += _without_effect(study)
    sentences += [text for _, ratio, text in locked_bodies(study, mesh) if ratio < LOCKS]
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
    return [
        *map(wrong, thrown),
        *_closed_gaps(loop.contact),
        *_unbonded(loop.contact),
        *_coarse_bonds(mesh, loop.contact),
        *map(RunWarning, sentences),
    ]


def _without_effect(study: FiniteElementStudy) -> Iterator[str]:
    """Yield warnings for settings without effect.

    These are absorbing boundaries in a static analysis and fields saved after the end.
    """
    for name, foundation in study.foundations.items():
        if foundation.type == "absorbing" and not (study.time.inertia or study.stages):
            yield (
                f"foundations.{name}: an absorbing boundary has no effect in a static analysis. "
                'Fix the edge with [supports] or use type = "elastic".'
            )
    late = max(study.output.fields_at, default=0.0)
    if late > study.time.end * (1.0 + SAME_TIME) and "time.end" not in study.changed:
        yield (
            f"output.fields_at: no fields are saved at {late:g} s, because the run ends at "
            f"time.end = {study.time.end:g} s. Remove this time."
        )


def locked_bodies(study: FiniteElementStudy, mesh: ModelMesh) -> Iterator[tuple[str, float, str]]:
    """Yield name, κ/μ and a warning for nearly incompressible bodies with linear elements.

    They lock. Plane stress does not lock, because the thickness can change.
    """
    if study.plane == "stress":
        return
    fixed = {s.on for s in study.supports.values() if s.x is not None and s.y is not None}
    for name, body in study.bodies.items():
        material, nodes = study.materials[body.material], mesh.cells.shape[1]
        spared = nodes > 4 or (nodes == 4 and not material.locks) or name in fixed
        c = material.stiffness()
        bulk, shear = c[:3, :3].sum() / 9, max(c[3, 3], (c[0, 0] + c[1, 1] - 2 * c[0, 1]) / 4)
        if spared or bulk < LOCKING * shear:
            continue
        quadratic = 'Set mesh.element = "quad8" or "tri6"'
        soft = f'law = "mooney-rivlin" with c_10 = {shear / 2:.6g} Pa and bulk = {bulk:.6g} Pa'
        yield (
            name,
            bulk / shear,
            (
                f"materials.{body.material}: the material is nearly incompressible (κ/μ = "
                f"{bulk / shear:.3g}). The linear elements of bodies.{name} lock (response too "
                "stiff). "
                f"{quadratic}"
                + (
                    f", or {soft} on quadrilaterals."
                    if material.locks
                    else ", or use quadrilaterals."
                )
            ),
        )


def _turned_away(pair: Pair, contact: ContactProblem) -> Iterator[str]:
    """Yield a warning if all slave nodes over the tool face away from it."""
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
    valid = np.isfinite(over[:, 0]) & own.any(axis=1)
    if valid.any() and (np.einsum("nx,nx->n", own, over[:, 1:])[valid] > 0.0).all():
        yield (
            f"contact.{pair.name}: slave {pair.settings.slave!r} faces away from tool "
            f"{pair.settings.master!r}, so contact is never detected. Reverse the tool (`normal`, "
            "`contact_side`, or the order of its points; the tool lies to the left of its outline)."
        )


def _closed_gaps(contact: ContactProblem) -> Iterator[RunWarning]:
    """Return a warning for each pair in which `gap_closure_tolerance` closes more than an edge."""
    for pair, closed in zip(contact.pairs, contact.gaps_filled, strict=True):
        shortest = contact.layout.shortest[contact.layout.edges[pair.name].multipliers]
        if len(closed) and (closed > shortest).any():
            yield wrong(
                f"contact.{pair.name}.gap_closure_tolerance: gaps of up to {closed.max():.3g} m "
                f"are closed, but the edges are only {shortest.min():.3g} m long. Move the body "
                "(bodies.NAME.displacement) or reduce the tolerance."
            )


def _unbonded(contact: ContactProblem) -> Iterator[RunWarning]:
    """Return a warning for each pair with `adhesion` of which no slave node is bonded."""
    for pair in contact.pairs:
        own = contact.layout.edges[pair.name].multipliers
        if (
            pair.settings.active
            and pair.settings.adhesion
            and not contact.adhesion.bonded[own].any()
        ):
            yield wrong(
                f"contact.{pair.name}.adhesion: no node of slave {pair.settings.slave!r} is in "
                f"contact with {pair.settings.master!r}, so nothing is bonded. Swap slave and "
                "master, refine the slave edge, or set gap_closure_tolerance."
            )


def _coarse_bonds(mesh: ModelMesh, contact: ContactProblem) -> Iterator[RunWarning]:
    """Return a warning for each pair bonded at one or two nodes of a slave that is much coarser
    than its master.

    Stresses of a bond that peels off are largest at its ends. One or two nodes carry their mean.
    """
    for pair in contact.pairs:
        edge = contact.layout.edges[pair.name]
        corners = np.isin(edge.node, pair.slave[:, :2])
        bonded = np.count_nonzero(contact.adhesion.bonded[edge.multipliers][corners])
        if pair.tool is not None or not pair.settings.active or not 0 < bonded <= BONDS:
            continue
        slave, master = (_usual_length(mesh.points, edges) for edges in (pair.slave, pair.master))
        if slave > COARSE * master:
            yield wrong(
                f"contact.{pair.name}.adhesion: the bond acts at {bonded} edge end(s) of slave "
                f"{pair.settings.slave!r}, whose edges are {slave / master:.2g} times as long as "
                f"those of {pair.settings.master!r}, so it cannot peel off. Swap slave and master "
                "or refine the slave edge."
            )


def rounded_away(loop: TimeLoop, totals: Totals, trusted: float) -> list[RunWarning]:
    """Return a warning if round-off affects contact or energy.

    trusted: largest error, relative to the largest contact force or to the energy input.
    """
    counts, ledger = loop.statistics, loop.ledger
    energy = max(totals.put_in, ledger.kinetic, ledger.strain)  # an interference strains bodies
    errors = {  # error and its possible round-off, relative to the scale
        "the largest contact force": counts.contact_error,
        "the energy input": (totals.balance_error, ledger.rounding, energy),
    }
    return [
        wrong(
            f"mesh: round-off may reach {100 * rounding / max(scale, 1e-300):.2g} % of {what}, "
            "because coordinates or displacements are very large. Move the model close to the "
            "origin."
        )
        for what, (error, rounding, scale) in errors.items()
        if min(error, rounding) > trusted * scale
    ]


def unstable_equilibria(loop: TimeLoop) -> list[RunWarning]:
    """Return a warning if a static analysis has continued beyond a bifurcation."""
    return [wrong(instability_message(loop.unstable))] if loop.unstable[1] else []


def _different_thickness(
    pair: Pair, study: FiniteElementStudy, mesh: ModelMesh, contact: ContactProblem
) -> Iterator[str]:
    """Yield a warning if slave and master have different thicknesses and the master can move."""
    fixed = np.isin(pair.master, contact.nodes.node[(contact.nodes.dof < 0).all(axis=1)])
    slave, master = (_thicknesses(edges, study, mesh) for edges in (pair.slave, pair.master))
    bodies = {name for edges in (pair.slave, pair.master) for name in owners(edges, study, mesh)}
    if fixed.all() or slave == master or bodies & set(study.sheets):
        return
    deep = [" and ".join(f"{t:g} m" for t in sorted(side)) for side in (slave, master)]
    yield (
        f"contact.{pair.name}: slave {pair.settings.slave!r} ({deep[0]}) and master "
        f"{pair.settings.master!r} ({deep[1]}) have different thickness. Each is loaded over its "
        "full thickness, and the contact pressure is that on the slave. Check "
        "bodies.NAME.thickness."
    )


def _thicknesses(edges: np.ndarray, study: FiniteElementStudy, mesh: ModelMesh) -> set[float]:
    """Return the thicknesses of the bodies adjacent to edges, m."""
    return {study.bodies[name].depth for name in owners(edges, study, mesh)}


def _fine_master(pair: Pair, contact: ContactProblem) -> Iterator[str]:
    """Yield a warning if the master is finer than the slave."""
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
            f"contact.{pair.name}: master {pair.settings.master!r} (element edge {master:.3g} m) "
            f"is finer than slave {pair.settings.slave!r} ({slave:.3g} m); contact pressures will "
            "be "
            'inaccurate. Swap slave and master or use method = "continuous".'
        )


def _sharp_tool(pair: Pair, contact: ContactProblem) -> Iterator[str]:
    """Yield a warning if the radius of a tool is smaller than the node spacing of the slave."""
    if pair.tool is None:
        return
    edge = contact.layout.edges[pair.name]
    length = float(np.diff(edge.arc).max())
    sharpest = max(float(pair.tool.piece[:, 4].max()), sharpest_corner(pair.tool))
    if sharpest * length > 1.0:
        radius = 0.0 if np.isinf(sharpest) else 1.0 / sharpest
        yield (
            f"contact.{pair.name}: the radius of tool {pair.settings.master!r} ({radius:.3g} m) is "
            f"smaller than the node spacing of the slave ({length:.3g} m), so the tool can "
            "penetrate between two nodes. Refine the slave edge or round the tool."
        )


def _undamped_impact(scheme: Scheme, contact: ContactProblem) -> Iterator[str]:
    """Yield a warning for impacts with a scheme without numerical damping.

    In the trapezoidal rule, (v_n + v_{n+1}) Δt/2 = u_{n+1} − u_n, a node stopped at a wall gets a
    velocity away from it. The node keeps bouncing, and forces at the ends of steps generate energy.
    Numerical damping removes the bouncing.
    """
    treatment = scheme.on_impact
    apart = np.isfinite(contact.gap) & (contact.gap > SETTLED * contact.layout.shortest)
    bouncing = scheme.coefficients().undamped and not treatment.massless_contact_nodes
    if bouncing and apart.any():
        yield (
            f'time.impact = "{treatment.name}" generates energy at impact if the scheme has no '
            'numerical damping (γ = ½). Set time.impact = "redistributed-mass" or "stabilized", or '
            'time.scheme = "generalized-alpha".'
        )


def _undamped_turns(scheme: Scheme) -> Iterator[str]:
    """Yield a warning for schemes that are unstable for stiff corotational bodies."""
    coefficients = scheme.coefficients()
    damped = not coefficients.undamped and coefficients.alpha_f != 0.5
    if not (damped or scheme.conserving):
        yield (
            "time.scheme: without numerical damping this scheme is unstable if a corotational body "
            "rotates by more than a few hundredths of a radian per step. Set time.scheme = "
            '"energy-momentum" or "hht".'
        )


def fast_turns(loop: TimeLoop, turn: float) -> list[RunWarning]:
    """Return a warning if bodies rotate too far per step; turn: largest rotation, rad."""
    conserving = loop.scheme.conserving
    allowed = CONSERVED_TURN if conserving else TURN
    if turn <= allowed:
        return []
    shorter = f"Reduce time.step by a factor of {math.ceil(turn / allowed)}"
    what = (
        f"the angle then lags by about {100 * turn**2 / 12:.2g} %. {shorter}."
        if conserving
        else "this scheme then does not conserve energy and angular momentum. "
        f'{shorter} or set time.scheme = "energy-momentum".'
    )
    text = (
        f"time.step: bodies rotate by up to {turn:.2g} rad per step (limit {allowed:g} rad); {what}"
    )
    lags = conserving and turn > LAGS
    return [RunWarning(text, "not trusted" if lags else "warning")]


def _overlap(pair: Pair, scheme: Scheme, contact: ContactProblem) -> Iterator[str]:
    """Yield a warning for an initial overlap, which the first step removes."""
    own = contact.layout.edges[pair.name].multipliers
    gap, close = contact.gap[own], OVERLAP * contact.layout.shortest[own]
    has_penalty = pair.settings.given_stiffness is not None
    if not has_penalty and (gap < -close).any():
        deepest = -float(gap.min())
        mean = pair.settings.integrated  # < 0 also where a curved face just touches
        yield (
            f"contact.{pair.name}: slave {pair.settings.slave!r} initially overlaps its master "
            f"{'on average over an edge ' if mean else ''}by up to {deepest:.3g} m. Removing this "
            f"in the first step gives it a velocity of {deepest / scheme.longest:.3g} m/s. Move "
            "the body (bodies.NAME.displacement), set overlap_ramp_time, or start with a stage "
            "with "
            'time.scheme = "static".'
            + (' If the bodies just touch, refine the slave edge or use "lagrangian".' * mean)
        )


def _massless_friction(pair: Pair, loop: TimeLoop) -> Iterator[str]:
    """Yield a warning for friction at slave nodes without mass."""
    if pair.settings.friction == 0.0 or loop.scheme.on_impact.massless_contact_nodes:
        return
    nodes, dofs = loop.contact.nodes, np.empty(loop.bulk.surface.size)
    massless = loop.bulk.gather(loop.bulk.massless.astype(float), dofs) != 0.0
    slave = np.isin(nodes.node, pair.slave)
    of_slave = nodes.dof[slave]
    if massless[of_slave[of_slave >= 0]].any():
        yield (
            f"contact.{pair.name}: slave nodes of {pair.settings.slave!r} are free and have no "
            "mass (density = 0), so their friction depends on the step. Set a density or "
            "constrain the body."
        )


def _unresolved_bounce(
    pair: Pair, study: FiniteElementStudy, mesh: ModelMesh, contact: ContactProblem
) -> Iterator[str]:
    """Yield a warning if the step does not resolve the vibration ω² = n E_N/m on n penalties."""
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
            f"contact.{pair.name}: the body oscillates on normal_penalty = {given:g} N/m with a "
            f"period of {period:.2g} s ({period / shortest:.2g} steps), which the time step does "
            "not resolve. Reduce time.step or normal_penalty."
        )


def _mass_of_body(pair: Pair, study: FiniteElementStudy, mesh: ModelMesh) -> float:
    """Return the mass of the body of the slave edge, kg."""
    for name, body in study.bodies.items():
        cells = cells_of(name, study, mesh)
        if np.isin(pair.slave, cells).all():
            centre = mesh.points[cells].mean(axis=1)
            measure = MEASURES["stress" if name in study.sheets else study.plane]
            depth = measure.depth(centre) * body.depth
            mass = float(np.sum(areas(mesh.points, cells) * depth))
            return mass * study.materials[body.material].density
    return 0.0


def _usual_length(points: Array, edges: np.ndarray) -> float:
    return float(np.median(np.linalg.norm(points[edges[:, 1]] - points[edges[:, 0]], axis=1)))


def _straight(points: Array) -> bool:
    """Return True if points lie on a line, to a millionth of its length."""
    spread = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
    return bool(spread[1] <= 1e-6 * spread[0])
