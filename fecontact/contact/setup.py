"""From contact pairs of a study to the flat arrays of the contact problem."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fecontact.contact.bulk import Array, ContactNodes, Integers
from fecontact.contact.points import Pieces, Points, edge_pieces, joined, nodal_points
from fecontact.contact.projection import Master
from fecontact.contact.surface import chained, nodes_along, tributary
from fecontact.study.errors import InputError
from fecontact.study.finite_element import ContactPair


@dataclass(frozen=True)
class Pair:
    """A contact pair with its edges: (E, 2 or 3) mesh node numbers, body on the left of each."""

    name: str
    settings: ContactPair
    slave: Integers
    master: Integers


@dataclass(frozen=True)
class SlaveEdge:
    """The slave side of a pair: where its multipliers are, node numbers, arc, tributary length."""

    multipliers: slice
    node: Integers
    arc: Array
    length: Array


@dataclass(frozen=True)
class Arrangement:
    """All pairs as flat arrays; m multipliers, one per slave node of each pair.

    points: the slave nodes of nodal methods; pieces: the slave edges of `continuous`; gauss,
    gauss_weight: (P, n); slave: (P, k) True at slave nodes; pair, friction, augmentation, wear,
    shortest (edge length, m), integrated (True for `continuous`): (m,).
    """

    master: Master
    points: Points
    pieces: Pieces
    gauss: Array
    gauss_weight: Array
    slave: NDArray[np.bool_]
    pair: Integers
    friction: Array
    augmentation: Array
    wear: Array
    shortest: Array
    integrated: NDArray[np.bool_]
    edges: dict[str, SlaveEdge]


def arrange(nodes: ContactNodes, pairs: list[Pair]) -> Arrangement:
    """Number the multipliers pair by pair along the slave edges and collect all arrays."""
    index = np.full(nodes.node.max(initial=-1) + 1, -1)
    index[nodes.node] = np.arange(len(nodes.node))
    edges: dict[str, SlaveEdge] = {}
    points, pieces, masters, per_multiplier = [], [], [], []
    slave = np.zeros((len(pairs), len(nodes.node)), bool)
    count = 0
    for p, pair in enumerate(pairs):
        _refuse_overlap(pair)
        slave_edges, master_edges = chained(index[pair.slave]), chained(index[pair.master])
        along = nodes_along(slave_edges)
        length, arc = tributary(slave_edges, along, nodes.coordinates)
        numbers = np.arange(count, count + len(along))
        edges[pair.name] = SlaveEdge(
            slice(count, count + len(along)), nodes.node[along], arc, length
        )
        slave[p, along] = True
        if pair.settings.method == "continuous":
            multiplier_of = np.full(len(nodes.node), -1)
            multiplier_of[along] = numbers
            pieces.append(edge_pieces(p, slave_edges, multiplier_of))
        else:
            points.append(nodal_points(np.full(len(along), p), along, numbers))
        masters.append(master_edges)
        sizes = [_lengths(edge, nodes.coordinates) for edge in (slave_edges, master_edges)]
        s = pair.settings
        row = (p, s.friction, s.augmentation, s.wear, min(map(np.min, sizes)))
        per_multiplier.append(np.tile((*row, s.method == "continuous"), (len(along), 1)))
        count += len(along)
    table = np.concatenate(per_multiplier) if pairs else np.zeros((0, 6))
    gauss, weight = _gauss([pair.settings.quadrature for pair in pairs])
    empty = np.zeros(0, np.int64)
    points.append(nodal_points(empty, empty, empty))
    pieces.append(edge_pieces(0, np.zeros((0, 2), np.int64), empty))
    return Arrangement(
        _master(masters, pairs, slave, nodes.coordinates),
        joined(points, Points),  # type: ignore[arg-type]
        joined(pieces, Pieces),  # type: ignore[arg-type]
        gauss,
        weight,
        slave,
        table[:, 0].astype(np.int64),
        *(table[:, i].copy() for i in range(1, 5)),
        table[:, 5] > 0,
        edges,
    )


def _refuse_overlap(pair: Pair) -> None:
    for side, edges in (("slave", pair.slave), ("master", pair.master)):
        if len(edges) == 0:
            raise InputError(f"contact.{pair.name}.{side}: the edge group has no edge")
    shared = np.intersect1d(pair.slave, pair.master)
    if len(shared):
        raise InputError(
            f"contact.{pair.name}: slave {pair.settings.slave!r} and master "
            f"{pair.settings.master!r} share node {shared[0]}; they must be edges of bodies that "
            "have no node in common"
        )


def _lengths(edges: Integers, coordinates: Array) -> Array:
    return np.linalg.norm(coordinates[edges[:, 1]] - coordinates[edges[:, 0]], axis=1)


def _gauss(orders: list[int]) -> tuple[Array, Array]:
    """Gauss points and weights of each pair, padded with weight 0 to the longest."""
    points = np.zeros((len(orders), max(orders, default=1)))
    weights = np.zeros_like(points)
    for p, order in enumerate(orders):
        points[p, :order], weights[p, :order] = np.polynomial.legendre.leggauss(order)
    return points, weights


def _master(
    edges: list[Integers], pairs: list[Pair], slave: NDArray[np.bool_], coordinates: Array
) -> Master:
    """The segments of all pairs with their neighbours and the limits of the search."""
    segments, before, after, first, axis, reach = [], [], [], [0], [], []
    for p, _ in enumerate(pairs):
        own, offset = edges[p], first[-1]
        starts = {int(edge[0]): offset + i for i, edge in enumerate(own)}
        ends = {int(edge[1]): offset + i for i, edge in enumerate(own)}
        before += [ends.get(int(edge[0]), -1) for edge in own]
        after += [starts.get(int(edge[1]), -1) for edge in own]
        segments.append(own if own.shape[1] == 3 else np.column_stack([own, np.full(len(own), -1)]))
        first.append(offset + len(own))
        axis.append(int(np.argmax(np.ptp(coordinates[own[:, :2]].reshape(-1, 2), axis=0))))
        span = np.ptp(coordinates[slave[p]], axis=0).max()
        reach.append(max(span, _lengths(own, coordinates).max()))
    return Master(
        np.concatenate(segments) if segments else np.zeros((0, 3), np.int64),
        np.array(before, np.int64),
        np.array(after, np.int64),
        np.array(first, np.int64),
        np.array(axis, np.int64),
        np.array(reach, float),
    )
