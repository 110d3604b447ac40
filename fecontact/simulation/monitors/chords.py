"""Errors of contact on the straight edges of curved sides, in a static analysis.

A curve with the angle θ between edges of length h is up to h θ/8 off its chords. Contact measures
the gap to the chords: nodal methods that of a slave node to a chord of the master, integrated
methods the mean of the gap between both sides over the slave edges at a node. The mean with
biorthogonal functions is h²/12R below the gap at the node itself for a master of radius R on a flat
slave. The gap has an error δ, which changes the approach of the bodies, 2W/F for a contact force F
and an elastic energy W; the measure is F δ/2W. Where convex and hollow sides have different nodes,
the gap alternates. Its alternation by ±a from node to node at the spacing s
changes the pressure of two half-spaces by π E* a/2s (K. L. Johnson 1985, "Contact mechanics",
section 13.2). Worn surfaces are not judged: their shape is that of the wear.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fecontact.arrays import Array, Integers
from fecontact.contact.interface.detection import masters_at
from fecontact.contact.interface.layout import Pair
from fecontact.contact.interface.projection import project
from fecontact.contact.interface.rigid_surface import LATE, over_tool, place
from fecontact.contact.problem import ContactProblem
from fecontact.dynamics.loop import TimeLoop
from fecontact.kernels import njit
from fecontact.record import ModelMesh, RunWarning, wrong
from fecontact.simulation.owners import owners
from fecontact.study.finite_element import FiniteElementStudy

Surface = dict[str, Array]

SHARE = 0.1  # of the approach of the bodies: as for penalties (SPRINGY)
ALTERNATING = 0.25  # of the largest pressure: as for the local deformation (UNRESOLVED)
REPEATED = 0.25  # of a change of the gap: opposite change at the next node in an alternating gap
SMOOTH = 0.5  # rad over an edge: a larger angle is a corner, not a curve
# Shape functions of an edge at the points at which integrated methods are judged.
HAT = np.array([[0.875, 0.625, 0.375, 0.125], [0.125, 0.375, 0.625, 0.875]])


def chord_height(mesh: ModelMesh, contact: ContactProblem) -> float:
    """Return the possible overlap of two sides of a pair due to polygonal boundaries, m.

    Contact constrains nodes relative to chords and cannot be more accurate.
    """
    heights = [0.0]
    for pair in contact.pairs:
        if pair.tool is None and pair.settings.active:
            sides = [side for side in (pair.slave, pair.master) if side.shape[1] == 2]
            heights.append(sum(height_over_chords(mesh.points, side) for side in sides))
    return max(heights)


def height_over_chords(points: Array, edges: Integers) -> float:
    """Return the largest height of a curve over the chords between the corners of its edges, m."""
    return max(map(abs, heights_at_nodes(points, edges).values()), default=0.0)


def heights_at_nodes(points: Array, edges: Integers) -> dict[int, float]:
    """Return the height of a curve over its chords next to each node between two edges, m;
    negative where the body is hollow.
    """
    along = points[edges[:, 1]] - points[edges[:, 0]]
    before = {int(b): i for i, b in enumerate(edges[:, 1])}
    found = {}
    for i, start in enumerate(edges[:, 0]):
        j = before.get(int(start))
        if j is not None:
            u, v = along[j], along[i]
            turn = math.atan2(u[0] * v[1] - u[1] * v[0], float(u @ v))
            if abs(turn) < SMOOTH:
                found[int(start)] = max(math.hypot(*u), math.hypot(*v)) * turn / 8.0
    return found


class ChordErrors:
    """Largest errors so far due to the chords of curved sides.

    judged: False for bodies on springs, which move like rigid bodies.
    work: largest work of the contact forces in the mean error, its time, s, and largest 2W, J.
    pressures: (P, 2) alternating pressure error and largest pressure of each pair, Pa.
    """

    def __init__(self, study: FiniteElementStudy, mesh: ModelMesh, judged: bool) -> None:
        self._study, self._mesh, self._judged = study, mesh, judged
        self.work: Array = np.zeros(3)
        self.pressures: Array = np.zeros((len(study.contact), 2))
        self._sides: dict[str, tuple[Array, float]] = {}

    def sample(self, loop: TimeLoop) -> None:
        """Include the current state of a static analysis."""
        contact, strain, work = loop.contact, loop.ledger.strain, 0.0
        if not self._judged or loop.scheme.inertia or strain <= 0.0 or contact.wear.opens:
            return
        for number, pair in enumerate(contact.pairs):
            heights, stiffness = self._sides_of(pair, contact)
            if heights.any() or pair.settings.integrated:
                surface = contact.surface(pair.name)
                work += abs(_work(contact, number, heights, surface))
                if heights.any():
                    found = _alternation(contact, number, heights, surface["pressure"])
                    pressures = stiffness * found, surface["pressure"].max()
                    self.pressures[number] = np.maximum(self.pressures[number], pressures)
        if work > self.work[0]:
            self.work[:2] = work, loop.time
        self.work[2] = max(self.work[2], 2.0 * strain)

    def _sides_of(self, pair: Pair, contact: ContactProblem) -> tuple[Array, float]:
        """Return the heights over the chords at the contact nodes (k,), m, and E* of a pair, Pa."""
        if pair.name not in self._sides:
            numbers = contact.nodes.node  # those of tools follow those of the mesh
            heights, compliance = np.zeros(max(len(self._mesh.points), numbers.max() + 1)), 0.0
            settings, free = pair.settings, (contact.nodes.dof >= 0).any(axis=1)
            if pair.tool is None and settings.gap_closure_tolerance is None:
                for side in (pair.slave, pair.master):
                    if side.shape[1] == 2:
                        found = heights_at_nodes(self._mesh.points, side)
                        heights[list(found)] = list(found.values())
                    if np.isin(numbers[free], side).any():
                        body = self._study.bodies[owners(side, self._study, self._mesh)[0]]
                        stiff = self._study.materials[body.material].stiffness()
                        compliance += 1.0 / (stiff[0, 0] - stiff[0, 1] ** 2 / stiff[1, 1])
            stiffness = 1.0 / compliance if compliance > 0.0 else 0.0
            self._sides[pair.name] = heights[numbers], stiffness
        return self._sides[pair.name]

    def warnings(self) -> list[RunWarning]:
        """Return a warning for each exceeded limit."""
        work, time, approached = self.work
        remedy = 'Refine both edges, give them matching nodes, or set mesh.element = "quad8".'
        found = []
        if work > SHARE * approached:
            found.append(
                wrong(
                    "contact: the gap to a curved side is wrong by "
                    f"{work / approached:.2g} of the deformation of the bodies at t = {time:.4g} s "
                    f"because of straight edges (limit {SHARE:g}), so the force is wrong. {remedy}"
                )
            )
        pressures: Any = self.pressures.tolist()
        for name, (change, largest) in zip(self._study.contact, pressures, strict=True):
            if change > ALTERNATING * largest:
                found.append(
                    wrong(
                        f"contact.{name}: the straight edges of the curved sides change the "
                        f"pressure by about {change:.2g} Pa from node to node (largest pressure "
                        f"{largest:.2g} Pa, limit {ALTERNATING:g} of it). {remedy}"
                    )
                )
        return found


def _work(contact: ContactProblem, number: int, heights: Array, surface: Surface) -> float:
    """Return the work of the contact forces of a pair in the errors of the gap, J: the gap at the
    slave nodes minus that of the contact problem.

    heights: (k,) over the chords at the contact nodes, m; surface: fields of the slave nodes.
    """
    pair = contact.pairs[number]
    edge, closed = contact.layout.edges[pair.name], surface["pressure"] > 0.0
    nodes = np.searchsorted(contact.nodes.node, edge.node)
    points = contact.position[nodes]
    if pair.tool is None:
        ends, xi, gap = over_master(contact.context, contact.position, number, points, nodes)
        height = np.where(ends[:, 0] >= 0, (1.0 - xi**2) * heights[ends].mean(axis=1), np.nan)
    else:
        gap, height = (
            over_tools(contact.context, contact.position, number, points),
            np.zeros(len(nodes)),
        )
    error: Array = -height
    if pair.settings.integrated:
        offset = contact.surfaces.thickness[0, edge.multipliers]
        error = gap - height - offset - surface["gap"]
    closed &= np.abs(error) <= SMOOTH / 8.0 * np.diff(edge.arc).max()  # larger ones are of corners
    return float((surface["pressure"][closed] * edge.area[closed]) @ error[closed])


def _alternation(contact: ContactProblem, number: int, heights: Array, pressure: Array) -> float:
    """Return the largest π a/2s of a pair: gaps that alternate by ±a at the spacing s, and not only
    once as at the end of a curve.

    heights: (k,) over the chords at the contact nodes, m; pressure: of the slave nodes, Pa.
    """
    edge = contact.layout.edges[contact.pairs[number].name]
    error, near = _gap_errors(contact, number, heights), pressure > 0.0
    near[1:] |= pressure[:-1] > 0.0
    near[:-1] |= pressure[1:] > 0.0
    bend = 0.5 * (error[1:-1] - 0.5 * (error[2:] + error[:-2]))
    opposite, turned = np.zeros_like(bend), bend[1:] * bend[:-1] < 0.0
    opposite[1:] = np.where(turned, np.abs(bend[:-1]), 0.0)
    opposite[:-1] = np.maximum(opposite[:-1], np.where(turned, np.abs(bend[1:]), 0.0))
    spacing = 0.5 * (edge.arc[2:] - edge.arc[:-2])
    inside = near[1:-1] & (opposite >= REPEATED * np.abs(bend))  # False for nan
    return float((0.5 * np.pi * np.abs(bend) / spacing)[inside].max(initial=0.0))


def _gap_errors(contact: ContactProblem, number: int, heights: Array) -> Array:
    """Return the error of the gap by chords at each slave node of a pair (n,), m, nan off the
    master.

    For integrated methods it is the mean over the edges of a node, weighted by its shape function.
    """
    pair, numbers = contact.pairs[number], contact.nodes.node
    nodes = np.searchsorted(numbers, contact.layout.edges[pair.name].node)
    if not pair.settings.integrated:
        return _master_errors(contact, number, heights, contact.position[nodes], nodes)
    edges = pair.slave if pair.slave.shape[1] == 2 else pair.slave[:, [0, 2, 2, 1]].reshape(-1, 2)
    ends = np.searchsorted(numbers, edges)
    points = np.einsum("eix,ig->egx", contact.position[ends], HAT).reshape(-1, 2)
    error = _master_errors(contact, number, heights, points, np.repeat(ends[:, 0], len(HAT[0])))
    error = (
        error.reshape(len(ends), -1) + 4.0 * HAT[0] * HAT[1] * heights[ends].mean(axis=1)[:, None]
    )
    total, weight = np.zeros((2, len(numbers)))
    for side in range(2):
        np.add.at(total, ends[:, side], error @ HAT[side])
        np.add.at(weight, ends[:, side], HAT[side].sum())
    return np.asarray(total[nodes] / weight[nodes])


def _master_errors(
    contact: ContactProblem, number: int, heights: Array, points: Array, nodes: Integers
) -> Array:
    """Return the height of the master over its chords at points (n, 2) of the slave, m, nan off the
    master; nodes: (n,) slave node of each point.
    """
    ends, xi, _ = over_master(contact.context, contact.position, number, points, nodes)
    height = (1.0 - xi**2) * heights[ends].mean(axis=1)
    return np.where(ends[:, 0] >= 0, height, np.nan)


@njit
def over_master(context, x, pair, points, nodes):  # type: ignore[no-untyped-def]
    """Return the ends of the master segments (n, 2), −1 for none, ξ (n,) and gaps (n,), m, of
    points (n, 2).

    x: (k, 2) positions of the contact nodes, m; nodes: (n,) slave node of each point.
    """
    ends, xi, gap = np.full((len(points), 2), -1), np.zeros(len(points)), np.zeros(len(points))
    master, geometry = context.master, masters_at(context, x)
    for i in range(len(points)):
        px, py = points[i, 0], points[i, 1]
        e, xi[i], _, _, gap[i] = project(master, geometry, x, pair, px, py, nodes[i])
        if e >= 0:
            ends[i, 0], ends[i, 1] = master.segment[e, 0], master.segment[e, 1]
    return ends, xi, gap


@njit
def over_tools(context, x, pair, points):  # type: ignore[no-untyped-def]
    """Return the gaps (n,) of points (n, 2) over the tool of a pair, m, infinite off it."""
    gap = np.full(len(points), np.inf)
    if context.tools is not None:
        place(context.tools, LATE, x)
        for i in range(len(points)):
            found, _, _, own = over_tool(context.tools, pair, points[i, 0], points[i, 1])
            if found:
                gap[i] = own
    return gap
