"""Corotational parts of a mesh, their hinges and follower loads, and checks run before assembly."""

from __future__ import annotations

from collections.abc import Container

import numpy as np
from numpy.typing import NDArray

from fecontact.arrays import Integers
from fecontact.mesh.parts import connected_parts
from fecontact.record import Array, ModelMesh
from fecontact.solid.conditions.discrete import Discretes
from fecontact.solid.conditions.loads import Pattern, add_pattern, load_vectors
from fecontact.solid.conditions.supports import Supports
from fecontact.solid.corotational.links import Hinges
from fecontact.solid.fem.forms import Forms
from fecontact.solid.fem.regions import Places
from fecontact.study.errors import InputError
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.models.loads import Load, Pressure, Traction
from fecontact.study.models.parts import Support

Flags = NDArray[np.bool_]


def corotational_parts(
    study: FiniteElementStudy, mesh: ModelMesh, places: Places
) -> tuple[Integers, Array]:
    """Return a node of each connected corotational part, and the spins of these parts, rad/s."""
    part = connected_parts(mesh)
    found: dict[int, tuple[int, float]] = {}
    for name, body in study.bodies.items():
        if body.motion == "corotational":
            for node in _first_nodes(part, places.nodes(name, f"bodies.{name}")):
                found.setdefault(int(part[node]), (int(node), body.angular_velocity))
    nodes, spins = zip(*found.values(), strict=True)
    return np.array(nodes), np.array(spins)


def corotational_nodes(study: FiniteElementStudy, mesh: ModelMesh, places: Places) -> Flags:
    """Return (N,) True for nodes of corotational bodies."""
    turns = np.zeros(len(mesh.points), dtype=bool)
    for name, body in study.bodies.items():
        if body.motion == "corotational":
            turns[places.nodes(name, f"bodies.{name}")] = True
    return turns


def hinges(
    study: FiniteElementStudy, places: Places, turns: Flags
) -> tuple[dict[str, Support], Hinges]:
    """Return the supports of bodies that are not corotational, and the hinges of corotational ones.

    Raise InputError for supports that are not supported for corotational bodies.
    """
    others: dict[str, Support] = {}
    found: dict[str, tuple[int, Support]] = {}
    for name, support in study.supports.items():
        nodes = places.nodes(support.on, f"supports.{name}.on")
        if not turns[nodes].any():
            others[name] = support
            continue
        body = _corotational_body(study, places, nodes)
        if len(nodes) > 1:
            raise InputError(
                f"supports.{name}: the support fixes {len(nodes)} nodes of {body}, which prevents "
                'the rotation requested by motion = "corotational". Fix a single point (hinge) '
                'or remove motion = "corotational".'
            )
        if support.directed:
            raise InputError(
                f"supports.{name}: a support along the normal or the tangent of an edge is not "
                f"supported for the corotational body {body}. Constrain a point in x, y or both."
            )
        if support.moves:
            raise InputError(
                f"supports.{name}: a moving hinge of the corotational body {body} is not "
                "supported. Set x = 0.0, y = 0.0 or both."
            )
        twice = next((other for other, (node, _) in found.items() if node == nodes[0]), None)
        if twice is not None:
            raise InputError(
                f"supports.{name} and supports.{twice} constrain the same point of a corotational "
                "body. Combine them."
            )
        found[name] = int(nodes[0]), support
    prescribed = [(s.x is not None, s.y is not None) for _, s in found.values()]
    node = np.array([node for node, _ in found.values()], dtype=np.int64)
    return others, Hinges(node, np.array(prescribed, dtype=bool).reshape(-1, 2), tuple(found))


def _corotational_body(study: FiniteElementStudy, places: Places, nodes: Integers) -> str:
    """Return the key of a corotational body that contains any of these nodes."""
    corotational = (name for name, body in study.bodies.items() if body.motion == "corotational")
    mine = (n for n in corotational if np.isin(nodes, places.nodes(n, f"bodies.{n}")).any())
    return f"bodies.{next(mine)}"


def check_rotations(
    study: FiniteElementStudy,
    mesh: ModelMesh,
    places: Places,
    turns: Flags,
    springs: Discretes,
    supports: Supports,
) -> None:
    """Raise InputError for settings that are not supported for corotational bodies."""
    part = connected_parts(mesh)
    owner: dict[int, str] = {}
    for name in study.bodies:
        for node in _first_nodes(part, places.nodes(name, f"bodies.{name}")):
            other = owner.setdefault(int(part[node]), name)
            mine, theirs = study.bodies[name], study.bodies[other]
            if (mine.motion, mine.angular_velocity) != (theirs.motion, theirs.angular_velocity):
                raise InputError(
                    f"bodies.{name} shares nodes with bodies.{other}; they need equal motions. "
                    "Give both the same `motion` and `angular_velocity`."
                )
    for place, foundation in study.foundations.items():
        if turns[mesh.edge_groups[foundation.on]].any():
            body = owner[int(part[mesh.edge_groups[foundation.on].flat[0]])]
            raise InputError(
                f"foundations.{place}: a foundation is not supported on the corotational body "
                f"bodies.{body}. Remove one of them."
            )
    moving = np.abs(supports.amplitudes).sum(axis=(0, 2)) > 0.0
    for number, name in enumerate(springs.names):
        here = springs.ends[number][springs.ends[number] >= 0]
        if turns[here].any() and moving[here].any():
            raise InputError(
                f"springs.{name}: the spring connects a corotational body to a point that a "
                "support moves, which is not supported. Fix that point."
            )


def check_follower_loads(springs: Discretes, turns: Flags) -> None:
    """Raise InputError for an axial spring on bodies that are not corotational."""
    for number, name in enumerate(springs.names):
        ends = springs.ends[number]
        if springs.follows[number] and not turns[ends[ends >= 0]].any():
            raise InputError(
                f"springs.{name}.axial has no effect, because neither of its ends belongs to a "
                'body with motion = "corotational". Remove it.'
            )


def following_loads(
    study: FiniteElementStudy,
    forms: Forms,
    density: Array,
    places: Places,
    turns: Flags,
    without: Container[str],
) -> tuple[dict[Pattern, Array], dict[Pattern, Array]]:
    """Return the load vectors with fixed directions, and those directed by corotational edges.

    As :func:`fecontact.solid.conditions.loads.load_vectors`; without: names of loads to exclude.
    """
    rest: dict[Pattern, Array] = {}
    following: dict[Pattern, Array] = {}
    own = np.repeat(turns[forms.space.node[: forms.space.owned_blocks]], 2)
    for name, load in study.loads.items():
        if name in without:
            continue
        for key, vector in load_vectors({name: load}, forms, density, places).items():
            on_edges = (
                _follows_edge(load) and turns[places.edges(load.on, f"loads.{name}.on")].any()
            )
            if not on_edges:
                add_pattern(rest, key, vector)
                continue
            add_pattern(following, key, np.where(own, vector, 0.0))
            add_pattern(rest, key, np.where(own, 0.0, vector))
    return rest, following


def _follows_edge(load: Load) -> bool:
    """Return True if the direction of a load is that of its edge."""
    return isinstance(load, Pressure) or (isinstance(load, Traction) and load.directions != "xy")


def _first_nodes(part: Integers, nodes: Integers) -> Integers:
    """Return one node of each connected part to which any of the nodes belongs."""
    return np.asarray(nodes[np.unique(part[nodes], return_index=True)[1]])
