"""The motion of the bodies for the page: translations, deformation, stress, contact surfaces.

Each body's translation is kept apart from its deformation, so that the page can show a shoe that
slides metres and deforms by micrometres, magnified or not, from 16-bit numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fecontact.record import FieldSeries, ModelMesh, RunRecord
from fecontact.results.geometry import (
    bodies,
    close_up,
    nearest_steps,
    node_normals,
    outline,
    triangles,
    unstressed,
)
from fecontact.results.motion import motion_of
from fecontact.results.packing import pack_arrays, quantised
from fecontact.results.stress import COMPONENTS, von_mises
from fecontact.study.finite_element import FiniteElementStudy

LARGEST = 3_500_000  # characters of the packed animation
_FRAMES = 400
_LINES = 20_000  # cell sides drawn; beyond that only the outline of the bodies


@dataclass
class Animation:
    """What the page needs to draw the motion, and a note if times were left out."""

    data: dict[str, Any]
    note: str = ""


def solid_animation(study: FiniteElementStudy, record: RunRecord) -> Animation | None:
    """The animation of a finite-element run; None if it kept no fields."""
    if record.mesh is None or record.fields is None or len(record.fields.time) < 2:
        return None
    count = len(record.fields.time)
    frames = min(count, _FRAMES)
    while True:
        chosen = np.unique(np.linspace(0, count - 1, frames).round().astype(int))
        data = _data(study, record, record.mesh, record.fields, chosen)
        size = len(data["packed"]["data"])
        if size <= LARGEST or frames <= 2:
            break
        frames = max(2, int(0.95 * frames * LARGEST / size))
    shown = f"the animation shows {len(chosen)} of {count} kept times"
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
    body_of = np.where(motion.body_of < 0, count, motion.body_of)  # ground nodes: one more body,
    still = np.zeros((1, len(chosen), 2))  # which rests
    packed_deformation, *deformation_scale = quantised(motion.deformation)
    arrays: dict[str, np.ndarray] = {
        "points": mesh.points.astype(np.float32),
        "triangles": triangles(mesh.cells).astype(np.uint32),
        "lines": _lines(mesh).astype(np.uint32),
        "bodyOf": body_of.astype(np.uint32),
        "translations": np.concatenate([motion.translations, still]),
        "deformation": packed_deformation,
    }
    stress_scales, stress_ranges = {}, {}
    stressed = np.flatnonzero(~np.isin(body_of, [*unstressed(mesh, fields.stress), count]))
    for name, values in _stresses(fields.stress[chosen]).items():
        arrays[f"stress {name}"], *scale = quantised(values)
        stress_scales[name] = scale
        stress_ranges[name] = _range(values[:, stressed])
    surfaces = []
    for number, (name, surface) in enumerate(record.surfaces.items()):
        steps = nearest_steps(surface.time, fields.time[chosen])
        edges = mesh.edge_groups.get(study.contact[name].slave if name in study.contact else "")
        if edges is None:
            continue
        arrays[f"surface {number} nodes"] = surface.nodes.astype(np.uint32)
        normals = node_normals(mesh, edges, surface.nodes)
        arrays[f"surface {number} normals"] = normals.astype(np.float32)
        arrays[f"surface {number} pressure"] = surface.pressure[steps].astype(np.float32)
        arrays[f"surface {number} status"] = surface.status[steps].astype(np.uint8)
        surfaces.append({"name": name, "number": number, "nodes": len(surface.nodes)})
    window = close_up(mesh, mesh.points, margin=0.22)
    return {
        "kind": "solid",
        "times": [float(f"{t:.9g}") for t in fields.time[chosen]],
        "small": _small(mesh) if window else [],
        "unstressed": unstressed(mesh, fields.stress),
        "window": window,
        "magnification": motion.magnification,
        "deformationScale": deformation_scale,
        "stressScales": stress_scales,
        "stressRanges": stress_ranges,
        "surfaces": surfaces,
        "springs": _springs(study, mesh),
        "packed": pack_arrays(arrays),
    }


def _stresses(stress: np.ndarray) -> dict[str, np.ndarray]:
    """Scalars the page can colour by: von Mises and the components in the plane."""
    names = {"von Mises": von_mises(stress)}
    return names | {f"σ{c}": stress[..., COMPONENTS.index(c)] for c in ("xx", "yy", "xy")}


def _range(values: np.ndarray) -> list[float]:
    """The range of the colours: a few peaks at corners and in transients are left beyond it."""
    if not values.size:
        return [0.0, 0.0]
    return [float(f"{v:.4g}") for v in np.percentile(values, [3.0, 97.0])]


def _lines(mesh: ModelMesh) -> np.ndarray:
    """Pairs of nodes: every cell side once, or only the outer ones of a fine mesh."""
    around = outline(mesh.cells)
    sides = np.stack([around, np.roll(around, -1, axis=1)], axis=2).reshape(-1, 2)
    unique, counts = np.unique(np.sort(sides, axis=1), axis=0, return_counts=True)
    return unique if len(unique) <= _LINES else unique[counts == 1]


def _small(mesh: ModelMesh) -> list[int]:
    """Bodies that the close-up follows: those four times smaller than the largest."""
    nodes = [np.unique(mesh.cells[cells]) for cells in bodies(mesh)]
    sides = [float(np.ptp(mesh.points[part], axis=0).max()) for part in nodes]
    return [n for n, side in enumerate(sides) if side <= max(sides) / 4.0]


def _springs(study: FiniteElementStudy, mesh: ModelMesh) -> list[list[int]]:
    """Node pairs of the springs between two points of the mesh."""
    ends = [[mesh.point_groups.get(p, -1) for p in s.between] for s in study.springs.values()]
    return [pair for pair in ends if -1 not in pair]
