"""Spatial functions at the Gauss points and nodes of edges."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fecontact.arrays import Array, Index
from fecontact.solid.fem.edges import GAUSS, EdgePoints, arc_length, in_order, shapes
from fecontact.study.errors import InputError
from fecontact.study.models.profiles import UNITS, BaseProfile, PlaceTable
from fecontact.tables import lost_share

SAMPLES = 9
"""Points of an edge between which a coordinate is assumed monotonic."""

REACH = 1e-9
"""Fraction of its range by which a table may fall short of an edge (round-off)."""


def along_edge(profile: BaseProfile | None, at: EdgePoints, points: Array, where: str) -> Array:
    """Return g at the Gauss points (E, Q) of edges; `where` names the table for the error message.

    On edges with kinks of g between their ends, return the polynomial of degree Q − 1 with the same
    moments as g, so that integrals of g with shape functions are exact.
    """
    if profile is None:
        return np.ones(at.area.shape)
    _require_cover(profile, at.edges, points, where)
    start: Array = np.zeros(len(at.edges))
    if profile.coordinate == "arc":
        start = _start_of_edges(at.edges, points, where)

    def coordinate(rows: Index, parameter: Array) -> Array:
        edges = at.edges[rows]
        place = np.einsum("qk,ekx->eqx", shapes(edges.shape[1], parameter)[0], points[edges])
        arc = np.zeros(place.shape[:2])
        if profile.coordinate == "arc":
            arc = start[rows, None] + arc_length(points, edges, parameter)
        return profile.coordinate_at(place, arc)

    every = np.arange(len(at.edges))
    factor = profile.factor(coordinate(every, at.parameter))
    s = coordinate(every, np.linspace(-1.0, 1.0, SAMPLES, dtype=float))
    for e in every:
        breaks = profile.breaks(s[e].min(), s[e].max())
        if len(breaks):

            def along(parameter: Array, row: Index = every[e : e + 1]) -> Array:
                return np.asarray(coordinate(row, parameter)[0])

            x, weight = _gauss_between(_parameters(along, s[e], breaks))
            factor[e] = _same_moments(x, weight * profile.factor(along(x)), at.parameter)
    return factor


def _parameters(coordinate: Callable[[Array], Array], samples: Array, breaks: Array) -> Array:
    """Return parameters −1 … 1 of an edge at its ends and at breaks, in order."""
    grid, found = np.linspace(-1.0, 1.0, SAMPLES), [-1.0, 1.0]
    for value in breaks:
        beyond = samples > value
        for i in np.flatnonzero(beyond[1:] != beyond[:-1]):
            low, high = grid[i], grid[i + 1]
            for _ in range(50):
                middle = 0.5 * (low + high)
                same = (coordinate(np.array([middle]))[0] > value) == beyond[i]
                low, high = (middle, high) if same else (low, middle)
            found.append(0.5 * (low + high))
    return np.unique(found)


def _gauss_between(ends: Array) -> tuple[Array, Array]:
    """Return Gauss points and weights of all intervals between parameters."""
    inside, weight = GAUSS
    half = np.diff(ends) / 2
    x = ends[:-1, None] + half[:, None] * (1 + inside)
    return x.ravel(), (half[:, None] * weight).ravel()


def _same_moments(x: Array, weighted: Array, parameter: Array) -> Array:
    """Return values at Gauss points of the polynomial with the moments of values × weights at x."""
    legendre, degree = np.polynomial.legendre.legvander, len(parameter) - 1
    coefficients = (np.arange(degree + 1) + 0.5) * (legendre(x, degree).T @ weighted)
    return np.asarray(legendre(parameter, degree) @ coefficients)


def lost_at_nodes(
    profile: BaseProfile | None, nodes: Index, edges: Index | None, points: Array, where: str
) -> float:
    """Return the fraction of the narrowest peak of a table that its values at nodes miss."""
    if not isinstance(profile, PlaceTable) or len(nodes) < 2:
        return 0.0
    s = _coordinates(profile, nodes, edges, points, where)
    return lost_share(np.array(profile.at), np.array(profile.values), s)


def at_nodes(
    profile: BaseProfile | None, nodes: Index, edges: Index | None, points: Array, where: str
) -> Array:
    """Return g at nodes; edges: their edges, if the nodes are those of edges."""
    if profile is None:
        return np.ones(len(nodes))
    s = _coordinates(profile, nodes, edges, points, where)
    _check_range(profile, s, where)
    return profile.factor(s)


def _coordinates(
    profile: BaseProfile, nodes: Index, edges: Index | None, points: Array, where: str
) -> Array:
    """Return s at nodes."""
    arc = np.zeros(len(points))
    if profile.coordinate == "arc":
        if edges is None:
            raise InputError(
                f'{where}.profile: coordinate = "arc" needs an edge. Use an edge, or "x", "y" or '
                '"angle".'
            )
        ends = np.array([-1.0, 1.0, 0.0])[: edges.shape[1]]
        start = _start_of_edges(edges, points, where)
        arc[edges] = start[:, None] + arc_length(points, edges, ends)
    return profile.coordinate_at(points[nodes], arc[nodes])


def _start_of_edges(edges: Index, points: Array, where: str) -> Array:
    """Return the length along a chain of edges at the start of each, (E,) m."""
    order = in_order(edges)
    if order is None:
        raise InputError(
            f'{where}.profile: coordinate = "arc" needs a connected edge with two ends. Use "x", '
            '"y" or "angle".'
        )
    whole = arc_length(points, edges, np.array([1.0]))[:, 0]
    start = np.empty(len(edges))
    start[order] = np.concatenate([[0.0], np.cumsum(whole[order])[:-1]])
    return start


def _require_cover(profile: BaseProfile, edges: Index, points: Array, where: str) -> None:
    """Raise InputError if a table does not reach the ends of the edges."""
    if profile.covered is None:
        return
    at_nodes(profile, np.unique(edges), edges, points, where)


def _check_range(profile: BaseProfile, s: Array, where: str) -> None:
    if profile.covered is None:
        return
    (low, high), unit = profile.covered, UNITS[profile.coordinate]
    slack = REACH * max(high - low, float(np.abs(s).max(initial=0.0)))
    if s.min() < low - slack or s.max() > high + slack:
        raise InputError(
            f"{where}.profile: the table covers {profile.coordinate} = {low:g} {unit} to {high:g} "
            f"{unit}, but the edge covers {s.min():g} {unit} to {s.max():g} {unit}. Extend the "
            "table."
        )
