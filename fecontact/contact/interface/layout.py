"""Flat arrays of the contact problem built from the contact pairs of a study."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import NamedTuple

import numpy as np

from fecontact.arrays import Mask
from fecontact.bulk import Array, ContactNodes, Integers
from fecontact.contact.interface.master import Master, master_segments
from fecontact.contact.interface.points import Points, SlaveEdges, joined, nodal_points, slave_edges
from fecontact.contact.interface.rigid_surface import ToolInTime, Tools, tools_of
from fecontact.contact.interface.surface import (
    ON_AXIS,
    arc_length,
    chain,
    neighbours_along,
    neighbours_on,
    nodes_along,
    on_axis,
    tributary,
)
from fecontact.contact.interface.vertices.candidates import Vertices, candidates
from fecontact.contact.interface.vertices.tool_edges import curvature_of
from fecontact.contact.methods import ContactMethod
from fecontact.study.errors import InputError
from fecontact.study.models.outlines import is_outline

OVERHANG = 0.05  # of a pair's shortest edge: limit of the overhang of a point over a master's end

ROUNDING = 1e-6  # of it: limit of the overhang of a master vertex over a slave's end


class Jump(NamedTuple):
    """Cycle jump of wear.

    Fields: duration of a cycle (s); limit of the cycles that one computed cycle represents; limit
    of the wear depth of the skipped cycles (m); start of the first cycle (s).
    """

    period: float
    cycles: int
    depth: float
    start: float = 0.0


class FluidPressure(NamedTuple):
    """Fluid that penetrates a pair: name of the load, pressure at a time (s ↦ Pa), mesh nodes of
    the slave that it reaches from outside, contact pressure up to which it enters (Pa)."""

    name: str
    pressure: Callable[[float], float]
    exposed: Integers
    critical: float


@dataclass(frozen=True)
class Pair:
    """Contact pair with its edges: (E, 2 or 3) mesh node numbers, body on the left of each.

    depth, master_depth: dA/ds of the slave and of the master edges at their nodes, as `slave` and
    `master`, m; 1 m without a thickness.
    offset_in_time: factor of the offset of the pair at a time, s; default 1.
    tool: rigid tool as the master, which has no edges; an inactive pair has no master edges and is
    never in contact.
    jump: cycle jump of wear, the same for all pairs.
    left_out: slave nodes without contact force; None for none.
    thickness: of the master body behind its edges, m; slave nodes farther behind are beyond it.
    fluid: fluid that penetrates between the surfaces.
    """

    name: str
    settings: ContactMethod
    slave: Integers
    master: Integers
    _: KW_ONLY
    depth: Array | None = None
    offset_in_time: Callable[[float], float] | None = None
    tool: ToolInTime | None = None
    master_depth: Array | None = None
    jump: Jump | None = None
    left_out: Integers | None = None
    fluid: FluidPressure | None = None
    thickness: float = np.inf

    @property
    def facing(self) -> bool:
        """Return True if only parts of the edges face each other: outlines and self-contact."""
        return self.self_contact or is_outline(self.settings.slave)

    @property
    def self_contact(self) -> bool:
        """Return True if the slave and the master are the same edges."""
        return self.settings.slave == self.settings.master


@dataclass(frozen=True)
class SlaveEdge:
    """Slave side of a pair: its multipliers, node numbers, arc length, tributary length and area
    (m²).
    """

    multipliers: slice
    node: Integers
    arc: Array
    length: Array
    area: Array


@dataclass(frozen=True)
class ContactLayout:
    """All pairs as flat arrays with m multipliers: one per slave node of each pair (`slaves` of
    them), then one per master vertex that can penetrate a slave.

    points: the slave nodes of nodal methods;
    integrated: the slave edges of `continuous`;
    gauss, gauss_weight: (P, n);
    edges_as_master: the slave edges, for the projection of the vertices.

    For each multiplier (m,): contact node, pair, augmentation, shortest edge of its pair (m), and
    the area that turns it into a pressure (m²; 1 if it is a pressure or belongs to a vertex;
    infinite where a slave node has no area). The friction coefficients for slip and for stick are
    (2, m), for tangential forces against and along the tangent; a friction law sets their current
    values.

    touching: approximate number of contact dofs that can carry forces simultaneously.
    """

    master: Master
    tools: Tools
    points: Points
    integrated: SlaveEdges
    gauss: Array
    gauss_weight: Array
    vertices: Vertices
    edges_as_master: Master
    slaves: int
    node: Integers
    pair: Integers
    friction: Array
    static_friction: Array
    augmentation: Array
    shortest: Array
    area: Array
    edges: dict[str, SlaveEdge]
    touching: int


class _Sides:
    """Slave and master sides of the pairs, collected one by one.

    index: contact node of each mesh node;
    edges: slave side of each pair, by name;
    masters, slaves: chained edges of each pair as contact nodes;
    rubs: slave nodes that can have friction; sizes: shortest edge of each pair, m;
    slave_of: (P, k) multiplier of each slave node of a pair, −1 for other nodes;
    count: number of multipliers of slave nodes so far.
    """

    def __init__(self, nodes: ContactNodes, pairs: int) -> None:
        none = np.zeros(0, np.int64)
        self._nodes = nodes
        self.index = np.full(nodes.node.max(initial=-1) + 1, -1)
        self.index[nodes.node] = np.arange(len(nodes.node))
        self.edges: dict[str, SlaveEdge] = {}
        self.points = [nodal_points(none, none, none, none.reshape(0, 2))]
        self.integrated = [slave_edges(0, none.reshape(0, 2), none, np.zeros((0, 2)))]
        self.masters: list[Integers] = []
        self.slaves: list[Integers] = []
        self.areas: list[Array] = [np.zeros(0)]
        self.rubs: list[Mask] = [np.zeros(0, bool)]
        self.sizes: list[float] = []
        self.slave_of = np.full((pairs, len(nodes.node)), -1)
        self.count = 0

    def add(self, p: int, pair: Pair) -> None:
        """Number the multipliers of a pair along its slave edges."""
        _check_overlap(pair)
        index, order = self.index, chain(pair.slave)
        own_edges, master_edges = index[pair.slave[order]], index[pair.master[chain(pair.master)]]
        depth = np.ones(own_edges.shape) if pair.depth is None else pair.depth[order]
        self.masters.append(master_edges)
        self.slaves.append(own_edges)
        along = nodes_along(own_edges)
        numbers = np.arange(self.count, self.count + len(along))
        self.slave_of[p, along] = numbers
        self.count += len(along)
        edge = _slave_edge(self._nodes, own_edges, along, numbers[0], depth)
        self.edges[pair.name] = edge
        _check_offset_table(pair, edge.arc)
        self.rubs.append(np.isin(along, own_edges[depth > ON_AXIS * depth.max()]))
        lengths = [_lengths(e, self._nodes.coordinates) for e in (own_edges, master_edges)]
        self.sizes.append(float(np.concatenate(lengths).min()))
        taking = _taking_part(pair, edge.node)
        if pair.settings.integrated:
            carried = self.slave_of[p].copy()
            carried[along[~taking]] = -1
            self.integrated.append(slave_edges(p, own_edges, carried, depth))
            self.areas.append(np.ones(len(along)))
        else:
            own = along[taking]
            beside = neighbours_along(own_edges, along)[taking]
            self.points.append(nodal_points(np.full(len(own), p), own, numbers[taking], beside))
            self.areas.append(dividing(edge.area))
        # A corner without area gets the status of its mid-node.
        bare, corner = np.nonzero(on_axis(depth))
        mids = own_edges[bare, -1]
        self.slave_of[p, own_edges[bare, corner]] = self.slave_of[p, mids]


def build_layout(nodes: ContactNodes, pairs: list[Pair]) -> ContactLayout:
    """Number the multipliers pair by pair along the slave edges and collect all arrays."""
    sides = _Sides(nodes, len(pairs))
    for p, pair in enumerate(pairs):
        sides.add(p, pair)
    index, edges, count = sides.index, sides.edges, sides.count
    masters, slaves, sizes = sides.masters, sides.slaves, sides.sizes
    settings = [pair.settings for pair in pairs]
    gauss, weight = _gauss([s.gauss_points for s in settings])
    fixed = np.all(nodes.dof < 0, axis=1)
    x = nodes.coordinates
    longest = [[float(_lengths(e, x).max(initial=0.0)) for e in side] for side in (slaves, masters)]
    spans = [float(np.ptp(x[np.unique(own)], axis=0).max()) for own in slaves]
    thickness = [pair.thickness for pair in pairs]
    reach = np.minimum(np.maximum(spans, longest[1]), thickness)
    overhang = OVERHANG * np.array(sizes)
    own = np.array([pair.self_contact for pair in pairs], np.int64)
    facing = (
        np.array([pair.facing for pair in pairs], bool),
        neighbours_on(slaves + masters, len(x)),
    )
    master = master_segments(masters, x, (reach, overhang, *facing, own))
    below = np.where(facing[0], np.minimum(longest[0], thickness), longest[0])
    edges_as_master = master_segments(slaves, x, (below, ROUNDING * np.array(sizes), *facing, -own))
    convex = np.array([curvature_of(pair.tool) for pair in pairs])
    under_tools = convex, np.array(longest[0]), edges_as_master.first
    vertices = candidates(master, len(pairs), fixed, x, count, sides.slave_of, under_tools)
    ends, under = vertices.node.copy(), vertices.node < 0
    ends[under] = edges_as_master.segment[vertices.into[under], 0]
    pair_of = np.repeat(np.arange(len(pairs)), [len(edge.node) for edge in edges.values()])
    pair_of = np.concatenate([pair_of, vertices.pair])
    # Friction along a radius is odd in the radius, so that it vanishes on the axis, where no slip
    # is possible.
    rubbing = np.concatenate([*sides.rubs, np.ones(len(vertices.pair), bool)])
    return ContactLayout(
        master=master,
        tools=tools_of([pair.tool for pair in pairs], reach, overhang, index),
        points=joined(*sides.points),
        integrated=joined(*sides.integrated),
        gauss=gauss,
        gauss_weight=weight,
        vertices=vertices,
        edges_as_master=edges_as_master,
        slaves=count,
        node=np.concatenate([ends[:0], *(index[edge.node] for edge in edges.values()), ends]),
        pair=pair_of,
        friction=np.tile([s.coefficients[0] for s in settings], (2, 1))[:, pair_of] * rubbing,
        static_friction=np.tile([s.coefficients[1] for s in settings], (2, 1))[:, pair_of]
        * rubbing,
        augmentation=np.array([s.augmentation for s in settings])[pair_of],
        shortest=np.array(sizes)[pair_of],
        area=np.concatenate([*sides.areas, np.ones(len(vertices.pair))]),
        edges=edges,
        touching=sum(_touching(own, other, x) for own, other in zip(slaves, masters, strict=True)),
    )


def _taking_part(pair: Pair, nodes: Integers) -> Mask:
    """Return the mask of slave nodes that may carry a contact force; raise InputError if it is
    empty.
    """
    if pair.left_out is None or not len(pair.left_out):
        return np.ones(len(nodes), bool)
    taking = ~np.isin(nodes, pair.left_out)
    if not taking.any() and pair.settings.exclude:
        raise InputError(
            f"contact.{pair.name}.exclude: all nodes of {pair.settings.slave!r} are excluded. "
            "Remove the pair instead."
        )
    return taking


def _slave_edge(
    nodes: ContactNodes, edges: Integers, along: Integers, first: int, depth: Array
) -> SlaveEdge:
    """Return the slave side of a pair: its chained edges, the nodes along them, their first
    multiplier.
    """
    x = nodes.coordinates
    return SlaveEdge(
        slice(first, first + len(along)),
        nodes.node[along],
        arc_length(along, x),
        tributary(edges, along, x, np.ones(edges.shape)),
        tributary(edges, along, x, depth),
    )


def dividing(area: Array) -> Array:
    """Return tributary areas as divisors of forces: infinite where a node has no area."""
    return np.where(area > 0.0, area, np.inf)


def _touching(slave: Integers, master: Integers, coordinates: Array) -> int:
    """Return the number of dofs of two edges that can be in contact: of the longer edge only the
    length of the other one, plus two elements at the ends.
    """
    lengths = [_lengths(edges, coordinates).sum() for edges in (slave, master)]
    dofs = 0.0
    if not len(master):  # a tool, which can contact the whole slave and can have dofs; or none
        return 2 * len(np.unique(slave)) + 3
    for edges, length in zip((slave, master), lengths, strict=True):
        dofs += 2 * len(np.unique(edges)) * min(1.0, min(lengths) / length + 2.0 / len(edges))
    return math.ceil(dofs)


def _check_overlap(pair: Pair) -> None:
    for side, edges in (("slave", pair.slave), ("master", pair.master)):
        bare = side == "master" and (pair.tool is not None or not pair.settings.active)
        if len(edges) == 0 and not bare:
            raise InputError(
                f"contact.{pair.name}.{side}: the edge group contains no edge. Use another group."
            )
    shared = np.intersect1d(pair.slave, pair.master)
    if pair.left_out is not None:
        shared = np.setdiff1d(shared, pair.left_out)
    if len(shared) and not pair.self_contact:
        raise InputError(
            f"contact.{pair.name}: slave {pair.settings.slave!r} and master "
            f"{pair.settings.master!r} share node {shared[0]}. Use edges without common nodes."
        )


def _check_offset_table(pair: Pair, arc: Array) -> None:
    """Raise InputError if an offset is not defined on all of the slave edge."""
    table, length = pair.settings.offset_profile, float(arc[-1])
    if table is not None and not table.covers(length):
        raise InputError(
            f"contact.{pair.name}.offset_profile.at covers {table.at[0]:g} m to {table.at[-1]:g} "
            f"m, which leaves part of edge {pair.settings.slave!r} undefined. Extend it to 0 … "
            f"{length:g} m."
        )


def _lengths(edges: Integers, coordinates: Array) -> Array:
    return np.linalg.norm(coordinates[edges[:, 1]] - coordinates[edges[:, 0]], axis=1)


def _gauss(orders: list[int]) -> tuple[Array, Array]:
    """Return the Gauss points and weights of each pair, padded with weight 0 to the longest."""
    points = np.zeros((len(orders), max(orders, default=1)))
    weights = np.zeros_like(points)
    for p, order in enumerate(orders):
        points[p, :order], weights[p, :order] = np.polynomial.legendre.leggauss(order)
    return points, weights
