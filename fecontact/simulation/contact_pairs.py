"""Contact pairs of a study on its mesh, and what is found of them at t = 0."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from fecontact.contact.force_driven import DrivenTool
from fecontact.contact.problem import ContactProblem
from fecontact.contact.rigid import tool_in_time
from fecontact.contact.setup import Pair
from fecontact.contact.step import SETTLED
from fecontact.record import ModelMesh
from fecontact.solid.solid import Solid
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.timefunctions import function_of_time

NO_EDGES = np.zeros((0, 2), np.int64)


def driven_tools(study: FiniteElementStudy, mesh: ModelMesh) -> dict[str, DrivenTool]:
    """The tools that forces drive, by name; their contact nodes are numbered after the mesh's."""
    found: dict[str, DrivenTool] = {}
    for name in study.tools_used:
        tool, first = study.tools[name], len(mesh.points) + 2 * len(found)
        if tool.free:
            slaves = [mesh.edge_groups[p.slave] for p in study.contact.values() if p.master == name]
            nodes = np.unique(np.concatenate([edges.ravel() for edges in slaves]))
            arms = mesh.points[nodes] - np.array(tool.about)
            length = float(np.hypot(*arms.T).max())
            found[name] = DrivenTool(name, tool, study.functions, (first, first + 1), length)
    return found


def contact_pairs(
    study: FiniteElementStudy, mesh: ModelMesh, solid: Solid, driven: Mapping[str, DrivenTool]
) -> list[Pair]:
    """The pairs with their edges, or with the tools that are their masters."""
    pairs = []
    for name, settings in study.contact.items():
        slave, function = mesh.edge_groups[settings.slave], settings.offset_function
        tool = None
        if settings.master in study.tools and settings.active:
            own = driven.get(settings.master)
            dofs = () if own is None else (own.nodes, own.length)
            tool = tool_in_time(settings.master, study.tools, study.functions, *dofs)
        meshed = tool is None and settings.active
        pairs.append(
            Pair(
                name,
                settings,
                slave,
                mesh.edge_groups[settings.master] if meshed else NO_EDGES,
                solid.depth(slave),
                None if function is None else function_of_time(study.functions, function),
                tool,
            )
        )
    return pairs


def notes_on_the_start(contact: ContactProblem) -> Iterator[str]:
    """What was found at t = 0, and done with it: overlaps, and gaps that were closed."""
    for pair, gap in zip(contact.pairs, contact.gaps_found, strict=True):
        edge, settings = contact.arrangement.edges[pair.name], pair.settings
        near = SETTLED * contact.arrangement.shortest[edge.multipliers]
        if (gap < -near).any():
            over = settings.resolve_overlap_over
            done = "" if over is None else f"; it is given back over {over:g} s"
            yield (
                f"contact.{pair.name}: at t = 0 {np.count_nonzero(gap < -near)} slave node(s) "
                f"overlap the master, node {edge.node[np.argmin(gap)]} by {-gap.min():.4g} m{done}"
            )
        if settings.close_gaps_below is not None:
            closed = np.where((gap > 0.0) & (gap < settings.close_gaps_below), gap, 0.0)
            yield (
                f"contact.{pair.name}: at t = 0 the gaps of {np.count_nonzero(closed)} slave "
                f"node(s) are closed without moving them, the largest of {closed.max():.4g} m at "
                f"node {edge.node[np.argmax(closed)]}"
            )
