"""Animation of masses: positions, springs, obstacles, contact forces, phase portrait."""

from __future__ import annotations

from typing import Any

import numpy as np

from fecontact.arrays import Array
from fecontact.record import RunRecord
from fecontact.results.charts.page_charts import numbers
from fecontact.results.charts.thinning import thin
from fecontact.results.drawing.animation import Animation
from fecontact.results.drawing.view import AXES, in_plane, places, view_plane
from fecontact.study.lumped import LumpedStudy

_FRAMES = 1200
_CURVE = 3000  # points of a force curve
_VISIBLE = 0.15  # motion is magnified to this fraction of the distance between masses


def lumped_animation(study: LumpedStudy, record: RunRecord) -> Animation | None:
    """Return the animation of a lumped run; None without displacement output."""
    count = len(record.history.time)
    moves = {name: _motion(study, record, name) for name in places(study)}
    if count < 2 or not any(np.any(motion) for motion in moves.values()):
        return None
    chosen = np.unique(np.linspace(0, count - 1, min(count, _FRAMES)).round().astype(int))
    factor = _factor(places(study), moves)
    across, up = view_plane(study)
    data: dict[str, Any] = {
        "kind": "masses",
        "times": numbers(record.history.time[chosen]),
        "axes": [AXES[across], AXES[up]],
        "factor": factor,
        "masses": [
            {
                "name": name,
                "x": numbers(place[0] + factor * moves[name][chosen, 0]),
                "y": numbers(place[1] + factor * moves[name][chosen, 1]),
            }
            for name, place in places(study).items()
        ],
        "springs": [[end if end in moves else None for end in s.between]
                    for s in study.springs.values()],
        "obstacles": [o for o in (_obstacle(study, n, factor) for n in study.obstacles) if o],
        "forces": _forces(study, record, chosen),
        "portrait": _portrait(study, record, chosen),
    }  # fmt: skip
    shown = f"the animation shows {len(chosen)} of {count} saved steps"
    return Animation(data, shown if len(chosen) < count else "")


def _motion(study: LumpedStudy, record: RunRecord, name: str) -> Array:
    """Return the displacement (T, 2) of a mass or point in the drawn plane, from history output."""
    motion = np.zeros((len(record.history.time), 2))
    plane = view_plane(study)
    for column, watch in study.watch.items():
        if watch.type == "displacement" and watch.at == name and watch.component is not None:
            axis = AXES.index(watch.component)
            if axis in plane and column in record.history.columns:
                motion[:, plane.index(axis)] = record.history.columns[column]
    return motion


def _factor(at: dict[str, Array], moves: dict[str, Array]) -> float:
    """Return 1, or the power of ten that makes the motion visible at the scale of the masses."""
    span = float(np.ptp(np.array(list(at.values())), axis=0).max())
    largest = max(float(np.abs(motion).max()) for motion in moves.values())
    if span == 0.0 or largest >= _VISIBLE * span:
        return 1.0
    return float(10.0 ** np.floor(np.log10(span * _VISIBLE / largest)))


def _obstacle(study: LumpedStudy, name: str, factor: float) -> dict[str, Any] | None:
    """Return an obstacle in the drawn plane: a wall or a circle; None if it is parallel to the
    plane.
    """
    obstacle = study.obstacles[name]
    place = places(study)[obstacle.on]
    if obstacle.carrier is not None:
        return None
    direction = in_plane(study, obstacle.direction)
    ahead, behind = obstacle.clearances(obstacle.away(study.position))
    if obstacle.flat and np.linalg.norm(direction) >= 0.5:
        faces = [(1.0, ahead)] + [(-1.0, behind)] * bool(np.isfinite(behind))
        walls = [
            {
                "at": (place + side * factor * gap * direction).tolist(),
                "outward": (side * direction).tolist(),
            }
            for side, gap in faces
        ]
        return {"name": name, "walls": walls}
    if not obstacle.flat and np.linalg.norm(direction) < 0.5:
        centre = place + factor * (np.array(obstacle.centre)[list(view_plane(study))] - place)
        return {"name": name, "center": centre.tolist(), "radius": factor * ahead}
    return None


def _forces(study: LumpedStudy, record: RunRecord, chosen: np.ndarray) -> list[dict[str, Any]]:
    """Return recorded contact forces: a curve with all its peaks, and the values of the frames."""
    history = record.history
    forces = []
    for name, values in history.columns.items():
        if name in study.watch and study.watch[name].type == "contact-force":
            x, y = thin(history.time, values, _CURVE)
            forces.append(
                {
                    "name": name,
                    "unit": history.units.get(name, ""),
                    "times": numbers(x),
                    "values": numbers(y),
                    "frames": numbers(values[chosen]),
                }
            )
    return forces


def _portrait(study: LumpedStudy, record: RunRecord, chosen: np.ndarray) -> dict[str, Any] | None:
    """Return displacement and velocity of the first mass with history output of both.

    `frames` are the positions of the animation's frames on the curve.
    """
    columns, count = record.history.columns, len(record.history.time)
    kept = np.unique(np.linspace(0, count - 1, min(count, 3 * _CURVE)).round().astype(int))
    kept = np.union1d(kept, chosen)
    for name, watch in study.watch.items():
        for other, partner in study.watch.items():
            same = (watch.at, watch.component) == (partner.at, partner.component)
            known = name in columns and other in columns
            if same and known and (watch.type, partner.type) == ("displacement", "velocity"):
                return {
                    "name": f"{watch.at} {watch.component}",
                    "x": numbers(columns[name][kept]),
                    "v": numbers(columns[other][kept]),
                    "frames": [int(place) for place in np.searchsorted(kept, chosen)],
                }
    return None
