"""Contact pairs of a study on its mesh, and their initial gaps and overlaps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from fecontact.arrays import Array, Index
from fecontact.contact.driven_tool import DrivenTool, driven_tools
from fecontact.contact.interface.layout import FluidPressure, Jump, Pair, SlaveEdge
from fecontact.contact.interface.rigid_surface import tool_in_time
from fecontact.contact.methods import ContactPair
from fecontact.contact.methods.base import ContactMethod
from fecontact.contact.problem import ContactProblem
from fecontact.contact.processes.fluid import FluidFronts
from fecontact.contact.step import SETTLED
from fecontact.mesh.cells import edge_table
from fecontact.mesh.parts import connected_parts
from fecontact.record import ModelMesh
from fecontact.solid.solid import Solid
from fecontact.study.base import there_are
from fecontact.study.errors import InputError
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.models.loads import PressurePenetration
from fecontact.study.models.outlines import is_outline
from fecontact.timefunctions import function_of_time

FLAT = 0.98  # chord over length of an edge that counts as flat
NO_EDGES = np.zeros((0, 2), np.int64)


def tools_of_study(study: FiniteElementStudy, mesh: ModelMesh) -> dict[str, DrivenTool]:
    """Return the force-controlled tools by name.

    Their contact nodes are numbered after the mesh's.
    """
    slaves: dict[str, Array] = {}
    for name in study.tools_used:
        pairs = [pair for pair in study.contact.values() if pair.master == name]
        edges = [mesh.edge_groups[pair.slave].ravel() for pair in pairs]
        slaves[name] = mesh.points[np.unique(np.concatenate(edges))]
    return driven_tools(study.tools, study.functions, slaves, len(mesh.points))


def left_out(name: str, settings: ContactPair, mesh: ModelMesh) -> Index:
    """Return the slave nodes without contact force: those of named points, edges and node
    groups.
    """
    found: list[Index] = [np.zeros(0, np.int64)]
    for i, place in enumerate(settings.exclude):
        if place in mesh.point_groups:
            nodes = np.array([mesh.point_groups[place]])
        elif place in mesh.edge_groups:
            nodes = mesh.edge_groups[place].ravel()
        elif place in mesh.node_groups:
            nodes = mesh.node_groups[place]
        else:
            known = there_are([*mesh.point_groups, *mesh.edge_groups, *mesh.node_groups])
            where = f"contact.{name}.exclude[{i}]"
            raise InputError(f"{where}: point or edge {place!r} not found{known}")
        if not np.isin(nodes, mesh.edge_groups[settings.slave]).any():
            raise InputError(
                f"contact.{name}.exclude[{i}]: {place!r} contains no node of slave "
                f"{settings.slave!r}. Remove it."
            )
        found.append(nodes)
    return np.unique(np.concatenate(found))


def overridden(settings: ContactPair, study: FiniteElementStudy, mesh: ModelMesh) -> Index:
    """Return the slave nodes of a pair of general contact that carry no force: nodes of pairs
    between the same two bodies that the study defines, and nodes that both bodies share.
    """
    own, other = np.unique(mesh.edge_groups[settings.slave]), settings.master
    tool = other in study.tools
    sides = own, np.zeros(0, np.int64) if tool else np.unique(mesh.edge_groups[other])
    found: list[Index] = [np.zeros(0, np.int64)]
    if settings.slave != settings.master:
        found.append(np.intersect1d(*sides))
    for pair in study.contact.values():
        if is_outline(pair.slave) or (pair.master in study.tools) != tool:
            continue
        if tool:
            edges = [mesh.edge_groups[pair.slave]] if pair.master == other else []
        else:
            edges = [mesh.edge_groups[name] for name in (pair.slave, pair.master)]
            both = [[np.isin(e, side).all() for side in sides] for e in edges]
            edges = edges if all(any(row) for row in both) and np.any(both, axis=0).all() else []
        found += [np.intersect1d(own, e) for e in edges]
    return np.unique(np.concatenate(found))


def contact_pairs(
    study: FiniteElementStudy, mesh: ModelMesh, solid: Solid, driven: Mapping[str, DrivenTool]
) -> list[Pair]:
    """Return the pairs with their edges, or with the tools that are their masters."""
    pairs, skipped = [], study.cycle_jump
    jump = None if skipped is None else Jump(*(getattr(skipped, name) for name in Jump._fields))
    for name, settings in study.contact.items():
        without = left_out(name, settings, mesh)
        if is_outline(settings.slave):
            without = np.union1d(without, overridden(settings, study, mesh))
        slave, function = mesh.edge_groups[settings.slave], settings.offset_function
        tool = None
        if settings.master in study.tools and settings.active:
            own = driven.get(settings.master)
            tool = tool_in_time(settings.master, study.tools, study.functions, own)
        meshed = tool is None and settings.active
        pairs.append(
            Pair(
                name,
                settings,
                slave,
                mesh.edge_groups[settings.master] if meshed else NO_EDGES,
                depth=solid.depth(slave),
                offset_in_time=(
                    None if function is None else function_of_time(study.functions, function)
                ),
                tool=tool,
                master_depth=solid.depth(mesh.edge_groups[settings.master]) if meshed else None,
                jump=jump,
                left_out=without,
                fluid=fluid_at(name, study, mesh),
                thickness=_reach(settings, mesh) if meshed else np.inf,
            )
        )
    return pairs


def fluid_at(pair: str, study: FiniteElementStudy, mesh: ModelMesh) -> FluidPressure | None:
    """Return the fluid that penetrates a pair; None without one."""
    for name, load in study.loads.items():
        if not isinstance(load, PressurePenetration) or load.on != pair or not load.active:
            continue
        exposed = np.array([mesh.point_groups[point] for point in load.exposed])
        slave = study.contact[pair].slave
        for i, node in enumerate(exposed):
            if node not in mesh.edge_groups[slave]:
                raise InputError(
                    f"loads.{name}.exposed[{i}]: the point {load.exposed[i]!r} is not a node of "
                    f"the slave {slave!r}. Name a point of that edge."
                )
        pressure = _pressure(load, study)
        return FluidPressure(name, pressure, exposed, load.critical_pressure)
    return None


def _pressure(load: PressurePenetration, study: FiniteElementStudy) -> Callable[[float], float]:
    """Return the pressure of a fluid as a function of time, Pa."""
    if load.function is None:
        return lambda t: load.value
    factor = function_of_time(study.functions, load.function)
    return lambda t: load.value * factor(t)


def notes_on_fluids(fluids: FluidFronts) -> Iterator[str]:
    """Yield the sealed pressure of each fluid, or the time at which it leaks."""
    for name, front in fluids.fronts.items():
        sealed = f"sealed up to {1e-6 * front.sealed:.4g} MPa"
        if front.leak is None:
            yield f"loads.{name}: contact.{front.pair.name} {sealed}"
        else:
            t, pressure = front.leak
            yield (
                f"loads.{name}: contact.{front.pair.name} leaks from t = {t:g} s, at "
                f"{1e-6 * pressure:.4g} MPa; before it {sealed}"
            )


def wall_thickness(mesh: ModelMesh, edges: Index) -> float:
    """Return the smallest distance through a body from the middle of one of these boundary edges
    along its inward normal, m.
    """
    table = edge_table(mesh.cells, len(mesh.points))
    a, b = (mesh.points[table.nodes[table.boundary][:, i]] for i in range(2))
    along, least = b - a, np.inf
    for start, end in mesh.points[edges[:, :2]]:
        inward = np.array([start[1] - end[1], end[0] - start[0]]) / np.linalg.norm(end - start)
        away = a - 0.5 * (start + end)
        across = along[:, 0] * inward[1] - along[:, 1] * inward[0]
        with np.errstate(divide="ignore", invalid="ignore"):
            depth = (along[:, 0] * away[:, 1] - along[:, 1] * away[:, 0]) / across
            place = (inward[0] * away[:, 1] - inward[1] * away[:, 0]) / across
        met = (across < 0.0) & (depth > 0.0) & (place >= 0.0) & (place <= 1.0)
        least = min(least, float(depth[met].min(initial=np.inf)))
    return least


def _reach(settings: ContactPair, mesh: ModelMesh) -> float:
    """Return the limit of the penetration of a meshed master, m: for outlines and in self-contact
    half a wall, so that the far face of a wall is not taken for a surface in contact.
    """
    slave, master = (mesh.edge_groups[name] for name in (settings.slave, settings.master))
    if settings.slave == settings.master or is_outline(settings.slave):
        return 0.5 * min(wall_thickness(mesh, edges) for edges in (slave, master))
    return _thickness(mesh, master)


def _thickness(mesh: ModelMesh, edges: Index) -> float:
    """Return the extent of the body behind edges along their mean normal, m.

    Return infinity for curved edges, which have no common normal.
    """
    along = mesh.points[edges[:, 1]] - mesh.points[edges[:, 0]]
    mean, length = along.sum(axis=0), float(np.linalg.norm(along, axis=1).sum())
    if np.linalg.norm(mean) < FLAT * length:
        return np.inf
    part = connected_parts(mesh)
    normal = np.array([mean[1], -mean[0]]) / np.linalg.norm(mean)
    return float(np.ptp(mesh.points[part == part[edges[0, 0]]] @ normal))


def notes_on_tools(study: FiniteElementStudy) -> Iterator[str]:
    """Return notes on tools without a contact pair."""
    parts = {part for tool in study.tools.values() for part in getattr(tool, "of", ())}
    for name in study.tools:
        if name not in study.tools_used and name not in parts:
            yield (
                f"tools.{name} has no effect, because it is the master of no contact pair. Remove "
                "it or name it in a pair."
            )


def check_bodies_inside_tools(contact: ContactProblem) -> None:
    """Raise InputError if a body lies completely inside a tool at t = 0.

    This is the case if all facing slave nodes penetrate by more than an edge length; then the tool
    outline has the wrong orientation.
    """
    for pair, gap in zip(contact.pairs, contact.gaps_found, strict=True):
        multipliers = contact.layout.edges[pair.name].multipliers
        facing = np.isfinite(gap)
        deep = gap < -contact.layout.shortest[multipliers]
        if pair.tool is not None and facing.any() and deep[facing].all():
            raise InputError(
                f"contact.{pair.name}: slave {pair.settings.slave!r} is initially inside "
                f"tools.{pair.settings.master} ({-gap[facing].max():.3g} to "
                f"{-gap[facing].min():.3g} m deep). Reverse the order of the points of the tool "
                "(the tool lies to the left of its outline), or move the tool or the body."
            )


def notes_on_the_start(contact: ContactProblem) -> Iterator[str]:
    """Return notes on initial overlaps and closed gaps at t = 0, and their treatment."""
    found = zip(contact.pairs, contact.gaps_found, contact.gaps_filled, strict=True)
    for pair, gap, closed in found:
        edge, settings = contact.layout.edges[pair.name], pair.settings
        near = SETTLED * contact.layout.shortest[edge.multipliers]
        if (gap < -near).any():
            over = settings.overlap_ramp_time
            done = "" if over is None else f"; it is removed gradually over {over:g} s"
            mean = " on average over an edge" if settings.integrated else ""
            yield (
                f"contact.{pair.name}: at t = 0 the slave overlaps the master{mean} at "
                f"{np.count_nonzero(gap < -near)} of {len(gap)} nodes, by up to {-gap.min():.4g} m "
                f"(node {edge.node[np.argmin(gap)]}){done}"
            )
        if settings.gap_closure_tolerance is not None:
            yield f"contact.{pair.name}: at t = 0 " + _closed(closed, edge, settings)


def _closed(closed: Array, edge: SlaveEdge, settings: ContactMethod) -> str:
    """Return a note on the effect of `gap_closure_tolerance` at the slave nodes of a pair."""
    count = np.count_nonzero(closed)
    if not count:
        limit = settings.gap_closure_tolerance
        return f"no gap below {limit:g} m was found"
    text = (
        f"the gaps of {count} slave node(s) are closed, the largest of {closed.max():.4g} m at "
        f"node {edge.node[np.argmax(closed)]}"
    )
    return text if settings.largest_offset == 0.0 else f"{text}; the offset acts on them"
