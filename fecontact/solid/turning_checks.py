"""Which parts of a mesh turn, and what a turning body cannot have, said before anything is
assembled."""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Integers
from fecontact.mesh.parts import connected_parts
from fecontact.record import Array, ModelMesh
from fecontact.solid.discrete import Discretes
from fecontact.solid.places import Places
from fecontact.solid.supports import Supports
from fecontact.study.errors import InputError
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.loads import Load, Pressure, Traction


def turning_parts(
    study: FiniteElementStudy, mesh: ModelMesh, places: Places
) -> tuple[Integers, Array]:
    """A node of each connected part that turns, and the spins of these parts, rad/s."""
    part = connected_parts(mesh)
    found: dict[int, tuple[int, float]] = {}
    for name, body in study.bodies.items():
        if body.motion == "turning":
            for node in _first_nodes(part, places.nodes(name, f"bodies.{name}")):
                found.setdefault(int(part[node]), (int(node), body.spin))
    nodes, spins = zip(*found.values(), strict=True)
    return np.array(nodes), np.array(spins)


def refuse_impossible_turns(
    study: FiniteElementStudy,
    mesh: ModelMesh,
    places: Places,
    supports: Supports,
    springs: Discretes,
) -> None:
    """Raise an InputError for what a turning body cannot have."""
    part = connected_parts(mesh)
    owner: dict[int, str] = {}
    turning = {name for name, body in study.bodies.items() if body.motion == "turning"}
    for name in study.bodies:
        for node in _first_nodes(part, places.nodes(name, f"bodies.{name}")):
            other = owner.setdefault(int(part[node]), name)
            mine, theirs = study.bodies[name], study.bodies[other]
            if (mine.motion, mine.spin) != (theirs.motion, theirs.spin):
                raise InputError(
                    f"bodies.{name}: it hangs together with bodies.{other}, so both must have the "
                    "same motion and spin"
                )
    for name in sorted(turning):
        nodes = places.nodes(name, f"bodies.{name}")
        for support, held in supports.nodes.items():
            if np.isin(held, nodes).any():
                raise InputError(
                    f"supports.{support}: it holds nodes of bodies.{name}, which turns (motion = "
                    '"turning") and cannot be held; leave one of them out'
                )
        ends = springs.ends
        if np.isin(ends[ends >= 0], nodes).any():
            raise InputError(
                f'springs: one ends on bodies.{name}, which turns (motion = "turning"); springs '
                "and dashpots on turning bodies are not supported, hold it by contact instead"
            )
        for foundation_name, foundation in study.foundations.items():
            if np.isin(mesh.edge_groups[foundation.on], nodes).any():
                raise InputError(
                    f"foundations.{foundation_name}: it lies behind an edge of bodies.{name}, "
                    'which turns (motion = "turning") and cannot be held; leave one of them out'
                )
        for load_name, load in study.loads.items():
            if _follows(load) and np.isin(mesh.edge_groups[load.on], nodes).any():
                raise InputError(
                    f"loads.{load_name}: a load in the directions of an edge of bodies.{name}, "
                    'which turns (motion = "turning"), would have to follow its surface, which is '
                    "not supported; use a traction in x and y, which keeps its direction"
                )


def _follows(load: Load) -> bool:
    """Whether a load has the directions of its edge."""
    return isinstance(load, Pressure) or (
        isinstance(load, Traction) and load.directions == "normal-tangential"
    )


def _first_nodes(part: Integers, nodes: Integers) -> Integers:
    """One node of each connected part that some nodes belong to."""
    return np.asarray(nodes[np.unique(part[nodes], return_index=True)[1]])
