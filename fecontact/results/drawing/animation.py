"""Animation of the bodies in the report: translations, deformation, stress, contact surfaces.

The translation of each body is stored separately from its deformation, so that the report can show
a shoe that slides metres and deforms by micrometres, magnified or not, from 16-bit numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fecontact.mesh.tool_outlines import with_outlines
from fecontact.record import FieldSeries, ModelMesh, RunRecord
from fecontact.results.drawing.geometry import (
    bodies,
    box,
    length_power,
    nearest_steps,
    node_normals,
    nodes_of,
    outline,
    place_of,
    unstressed,
)
from fecontact.results.drawing.largest_load import most_loaded
from fecontact.results.drawing.motion import Motion, motion_of
from fecontact.results.drawing.tools import Outline, outline_of
from fecontact.results.report.packing import in_steps, pack_arrays, quantised
from fecontact.stress import COMPONENTS
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.timefunctions import function_of_time

LARGEST = 3_500_000  # characters of the packed animation
_FRAMES = 400
_WHOLE = 3.0  # model sizes up to which a tool is shown completely
_SMALL = 1 / 6  # fraction of its body below which a contact is shown in close-up
_CARRIED = ("pressure", "traction", "gap", "slip", "wear_depth")  # by slave nodes


@dataclass
class Animation:
    """Data from which the report draws the motion, and a note if times were omitted."""

    data: dict[str, Any]
    note: str = ""


def solid_animation(study: FiniteElementStudy, record: RunRecord) -> Animation | None:
    """Return the animation of a finite-element run; None if it saved no fields."""
    if record.mesh is None or record.fields is None or len(record.fields.time) < 2:
        return None
    study = with_outlines(study, record.mesh)
    count = len(record.fields.time)
    frames = min(count, _FRAMES)
    while True:
        chosen = np.unique(np.linspace(0, count - 1, frames).round().astype(int))
        data = _data(study, record, record.mesh, record.fields, chosen)
        size = len(data["packed"]["data"])
        if size <= LARGEST or frames <= 2:
            break
        frames = max(2, int(0.95 * frames * LARGEST / size))
    shown = f"the animation shows {len(chosen)} of {count} saved times"
    return Animation(data, shown if len(chosen) < count else "")


def _data(
    study: FiniteElementStudy,
    record: RunRecord,
    mesh: ModelMesh,
    fields: FieldSeries,
    chosen: np.ndarray,
) -> dict[str, Any]:
    motion = motion_of(study, record, chosen)
    count = len(motion.translations)
    # ground nodes: an additional body,
    body_of = np.where(motion.body_of < 0, count, motion.body_of)
    still = np.zeros((1, len(chosen), 2))  # which does not move
    around = outline(mesh.cells)
    packed_deformation, *deformation_scale = quantised(motion.deformation)
    arrays: dict[str, np.ndarray] = {
        "points": mesh.points,
        "cells": around.astype(np.uint32),
        "bodyOf": body_of.astype(np.uint32),
        "translations": np.concatenate([motion.translations, still]),
        "deformation": in_steps(packed_deformation),
    }
    scales = {}
    moving = study.time.inertia or bool(study.stages)
    for name, values in _nodal(fields, chosen, moving).items():
        whole, *scales[name] = quantised(values)
        arrays[name] = in_steps(whole)
    return {
        "kind": "solid",
        "times": [float(f"{t:.9g}") for t in fields.time[chosen]],
        "openAt": most_loaded(fields.stress[chosen]),
        "cellNodes": around.shape[1],
        "bodies": _bodies(mesh, fields),
        "focus": _focus(study, mesh, motion, record),
        "mirror": _is_half(study, mesh),
        "lengthPower": length_power(mesh),
        "magnification": motion.magnification,
        "deformationScale": deformation_scale,
        "scales": scales,
        "surfaces": _surfaces(study, record, mesh, fields.time[chosen], arrays),
        "springs": _springs(study, mesh),
        "tools": _tools(study, mesh, motion, fields.time[chosen], arrays),
        "packed": pack_arrays(arrays),
    }


def _nodal(fields: FieldSeries, chosen: np.ndarray, moving: bool) -> dict[str, np.ndarray]:
    """Return the nodal quantities other than displacement: (T, N) each.

    moving: False for a static analysis, which has no velocities.
    """
    carried = {f"stress {c}": fields.stress[chosen, :, i] for i, c in enumerate(COMPONENTS)}
    if moving:
        carried |= {f"velocity {c}": fields.velocity[chosen, :, i] for i, c in enumerate("xy")}
    if fields.plastic_strain is not None:
        carried["plastic strain"] = fields.plastic_strain[chosen, :, 0]
    return carried


def _surfaces(
    study: FiniteElementStudy,
    record: RunRecord,
    mesh: ModelMesh,
    times: np.ndarray,
    arrays: dict[str, np.ndarray],
) -> list[dict[str, Any]]:
    """Return the contact surfaces; add their nodal values at the given times to the arrays."""
    surfaces = []
    for number, (name, surface) in enumerate(record.surfaces.items()):
        edges = mesh.edge_groups.get(study.contact[name].slave if name in study.contact else "")
        if edges is None:
            continue
        steps = nearest_steps(surface.time, times)
        arrays[f"surface {number} nodes"] = surface.nodes.astype(np.uint32)
        arrays[f"surface {number} arc"] = surface.arc.astype(np.float32)
        normals = node_normals(mesh, edges, surface.nodes)
        arrays[f"surface {number} normals"] = normals.astype(np.float32)
        arrays[f"surface {number} status"] = surface.status[steps].astype(np.uint8)
        scales = {}
        for quantity in _CARRIED:
            values = getattr(surface, quantity)
            if values is not None:
                shown = quantity.replace("_", " ")
                whole, *scales[shown] = quantised(_finite(values[steps]))
                arrays[f"surface {number} {shown}"] = in_steps(whole)
        count = len(surface.nodes)
        surfaces.append({"name": name, "number": number, "nodes": count, "scales": scales})
    return surfaces


def _finite(values: np.ndarray) -> np.ndarray:
    """Return the values; the infinite gap of a node without opposite surface becomes the largest
    one.
    """
    known = np.isfinite(values)
    return np.where(known, values, values[known].max(initial=0.0))


def _bodies(mesh: ModelMesh, fields: FieldSeries) -> list[dict[str, Any]]:
    """Return the names of the bodies, and which have no stress at any time."""
    plain = unstressed(mesh, fields.stress)
    return [
        {"name": _name(mesh, cells, number), "unstressed": number in plain}
        for number, cells in enumerate(bodies(mesh))
    ]


def _name(mesh: ModelMesh, cells: np.ndarray, number: int) -> str:
    """Return the element groups of a body, as in the study; a number if it has none."""
    own = [name for name, group in mesh.cell_groups.items() if np.isin(group, cells).any()]
    return ", ".join(own) if own else f"body {number + 1}"


def _focus(study: FiniteElementStudy, mesh: ModelMesh, motion: Motion, record: RunRecord) -> str:
    """Return the initial target of the view: the whole model, a body, or a contact in close-up.

    A contact if it is the only one and all nodes that ever carry pressure cover less than a sixth
    of their body, as in Hertz contact. A body if the one with a contact edge that travels furthest
    is a quarter of its travel and of the other bodies.
    """
    small = motion.magnification > 1.0  # a body that deforms visibly is shown completely
    if small and len(record.surfaces) == 1 and _small_contact(mesh, motion, record):
        return "pair 0"
    edges = [name for pair in study.contact.values() for name in (pair.slave, pair.master)]
    nodes = [mesh.edge_groups[name].ravel() for name in edges if name in mesh.edge_groups]
    touching = np.unique(motion.body_of[np.concatenate(nodes)]) if nodes else np.zeros(0, int)
    way = np.ptp(motion.translations, axis=1).max(axis=1)
    if len(touching) < 2:
        return "all"
    body = int(touching[way[touching].argmax()])
    own = float(np.ptp(mesh.points[motion.body_of == body], axis=0).max())
    whole = float(np.ptp(mesh.points[motion.body_of >= 0], axis=0).max())
    return f"body {body}" if own <= whole / 4.0 else "all"


def _small_contact(mesh: ModelMesh, motion: Motion, record: RunRecord) -> bool:
    """Return True if the nodes that ever carry pressure cover a small part of their body."""
    (surface,) = record.surfaces.values()
    enough = 1e-3 * float(surface.pressure.max(initial=0.0))
    pressed = np.flatnonzero((surface.pressure > enough).any(axis=0))
    if len(pressed) < 2:
        return False
    touched = np.ptp(mesh.points[surface.nodes[pressed]], axis=0).max()
    own = motion.body_of == motion.body_of[surface.nodes[0]]
    return bool(touched <= _SMALL * np.ptp(mesh.points[own], axis=0).max())


def _is_half(study: FiniteElementStudy, mesh: ModelMesh) -> bool:
    """Return True for half a section: axisymmetric, or an edge on x = 0 fixed only in x."""
    if study.plane == "axisymmetric":
        return True
    slack = 1e-9 * float(np.ptp(mesh.points[:, 0]))
    edges_fixed_in_x = [
        mesh.points[mesh.edge_groups[support.on].ravel(), 0]
        for support in study.supports.values()
        if support.x == 0.0 and support.y is None and support.on in mesh.edge_groups
    ]
    on_axis = any(np.abs(x).max() <= slack for x in edges_fixed_in_x)
    return on_axis and bool(mesh.points[:, 0].min() >= -slack)


def _tools(
    study: FiniteElementStudy,
    mesh: ModelMesh,
    motion: Motion,
    times: np.ndarray,
    arrays: dict[str, np.ndarray],
) -> list[dict[str, Any]]:
    """Return the rigid tools; add their outlines and motions to the arrays."""
    tools, size = [], float(np.ptp(mesh.points, axis=0).max())
    for number, (name, moved) in enumerate(motion.tools.items()):
        line = outline_of(study, name, box(mesh.points, 0.0))
        arrays[f"tool {number} points"] = line.points - line.reference_point
        arrays[f"tool {number} strokes"] = line.strokes - line.reference_point
        arrays[f"tool {number} motion"] = moved
        tool = {
            "name": name,
            "number": number,
            "reference_point": [float(value) for value in line.reference_point],
            "small": line.size <= _WHOLE * size,
            "near": _nearest(line, mesh),
        }
        tools.append(tool | _travel(study, name, times))
    return tools


def _nearest(line: Outline, mesh: ModelMesh) -> list[float]:
    """Return the point of a tool nearest to the middle of the model, relative to its centre."""
    low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
    start, step = line.points[:-1], np.diff(line.points, axis=0)
    square = np.maximum(np.sum(step**2, axis=1), 1e-300)
    part = np.sum((0.5 * (low + high) - start) * step, axis=1) / square
    feet = start + np.clip(part, 0.0, 1.0)[:, None] * step
    nearest = np.linalg.norm(feet - 0.5 * (low + high), axis=1).argmin()
    return [float(value) for value in feet[nearest] - line.reference_point]


def _travel(study: FiniteElementStudy, name: str, times: np.ndarray) -> dict[str, Any]:
    """Return the distance a tool's surface has moved along itself, m, and its present direction; an
    empty dictionary without such motion.
    """
    tool = study.tools[name]
    if tool.speed == 0.0:
        return {}
    factor = function_of_time(study.functions, tool.speed_function)
    speed = tool.speed * np.array([factor(float(t)) for t in times])
    steps = 0.5 * (speed[1:] + speed[:-1]) * np.diff(times)
    travel = np.concatenate([[0.0], np.cumsum(steps)])
    return {"travel": travel.tolist(), "direction": np.sign(speed).tolist()}


def _springs(study: FiniteElementStudy, mesh: ModelMesh) -> list[list[int]]:
    """Return the node pairs of the springs between two places of the mesh."""
    ends = [[_node_of(study, mesh, p) for p in s.between] for s in study.springs.values()]
    return [pair for pair in ends if -1 not in pair]


def _node_of(study: FiniteElementStudy, mesh: ModelMesh, end: str) -> int:
    """Return the node nearest to an end of a spring, −1 for the ground."""
    nodes, place = nodes_of(study, mesh, end), place_of(study, mesh, end)
    if place is None:
        return -1
    return int(nodes[np.argmin(np.hypot(*(mesh.points[nodes] - place).T))])
