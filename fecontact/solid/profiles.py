"""Functions of place at the Gauss points and nodes of edges."""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array, Index
from fecontact.solid.edges import EdgePoints, arc_length, in_order
from fecontact.study.errors import InputError
from fecontact.study.profiles import UNITS, BaseProfile

REACH = 1e-9
"""By how much of its range a table may fall short of an edge: rounding."""


def along_edge(profile: BaseProfile | None, at: EdgePoints, points: Array, where: str) -> Array:
    """g at the Gauss points (E, Q) of edges; `where` names the table for the error message."""
    if profile is None:
        return np.ones(at.area.shape)
    _require_cover(profile, at.edges, points, where)
    arc = np.zeros(at.area.shape)
    if profile.over == "arc":
        arc = _arc(at.edges, points, at.parameter, where)
    return profile.factor(profile.coordinate(at.place, arc))


def at_nodes(
    profile: BaseProfile | None, nodes: Index, edges: Index | None, points: Array, where: str
) -> Array:
    """g at nodes; edges: those they are the nodes of, if they are."""
    if profile is None:
        return np.ones(len(nodes))
    arc = np.zeros(len(points))
    if profile.over == "arc":
        if edges is None:
            raise InputError(
                f'{where}.along: over = "arc" needs an edge; name one, or take "x", "y" or "angle"'
            )
        ends = np.array([-1.0, 1.0, 0.0])[: edges.shape[1]]
        arc[edges] = _arc(edges, points, ends, where)
    s = profile.coordinate(points[nodes], arc[nodes])
    _refuse_beyond(profile, s, where)
    return profile.factor(s)


def _arc(edges: Index, points: Array, parameter: Array, where: str) -> Array:
    """Length along a chain of edges at parameters −1 … 1 of each, (E, Q) m."""
    order = in_order(edges)
    if order is None:
        raise InputError(
            f'{where}.along: over = "arc" needs an edge in one piece with two ends; take "x", "y" '
            'or "angle"'
        )
    whole = arc_length(points, edges, np.array([1.0]))[:, 0]
    start = np.empty(len(edges))
    start[order] = np.concatenate([[0.0], np.cumsum(whole[order])[:-1]])
    return start[:, None] + arc_length(points, edges, parameter)


def _require_cover(profile: BaseProfile, edges: Index, points: Array, where: str) -> None:
    """Raise an InputError if a table does not reach the ends of the edges."""
    if profile.covered is None:
        return
    at_nodes(profile, np.unique(edges), edges, points, where)


def _refuse_beyond(profile: BaseProfile, s: Array, where: str) -> None:
    if profile.covered is None:
        return
    (low, high), unit = profile.covered, UNITS[profile.over]
    slack = REACH * max(high - low, float(np.abs(s).max(initial=0.0)))
    if s.min() < low - slack or s.max() > high + slack:
        raise InputError(
            f"{where}.along: its table says what holds from {profile.over} = {low:g} {unit} to "
            f"{high:g} {unit}, but the edge reaches from {s.min():g} {unit} to {s.max():g} {unit}; "
            "extend the table"
        )
