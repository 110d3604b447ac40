"""Key figures of a lumped run: largest motions of the masses, largest forces of the obstacles.

    masses.NAME         largest displacement, m, and largest speed, m/s, at the saved steps
    obstacles.NAME      largest normal force at all steps, N; largest tangential force at the saved
                        steps, N; number of impacts; wear depth at the end, m

Displacement and speed are the lengths of the vectors.
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.lumped.model.system import LumpedSystem
from fecontact.lumped.state import ENERGIES, ROW_CONTACT
from fecontact.record import KeyFigure, Scalar

_LOST = 0.01  # part of a force that the saved steps may miss for its time to be shown


def key_figures(
    system: LumpedSystem, rows: Array, scalars: dict[str, Scalar], end: float
) -> list[KeyFigure]:
    """Return the key figures of all masses and obstacles.

    rows: saved steps, as :class:`fecontact.lumped.recording.Kept`; end: time reached, s.
    """
    n = system.equations.stiffness.size
    time, q, v = rows[:, 0], rows[:, 1 : 1 + n], rows[:, 1 + n : 1 + 2 * n]
    moves = {name: (u, constant) for name, (u, constant) in system.places.items()}
    moves |= {name: (u[None], np.array([p])) for name, (u, p) in system.coordinates.items()}
    found = []
    for name, (u, constant) in moves.items():
        of = f"masses.{name}"
        for key, label, unit, motion in (
            ("max_displacement", "largest displacement", "m", q @ u.T + constant),
            ("max_speed", "largest speed", "m/s", v @ u.T),
        ):
            length = np.linalg.norm(motion, axis=1)
            at = int(length.argmax())
            found.append(
                KeyFigure(f"{of}.{key}", of, label, float(length[at]), unit, float(time[at]))
            )
    for number, name in enumerate(system.obstacles):
        first = 1 + 3 * n + ENERGIES + ROW_CONTACT * number
        normal, tangential = (
            rows[:, first + 1],
            np.linalg.norm(rows[:, first + 2 : first + 4], axis=1),
        )
        found += _of_obstacle(name, time, normal, tangential, scalars, end)
    return found


def _of_obstacle(
    name: str,
    time: Array,
    normal: Array,
    tangential: Array,
    scalars: dict[str, Scalar],
    end: float,
) -> list[KeyFigure]:
    of, found = f"obstacles.{name}", []
    force, impacts = scalars.get(f"{name}.largest_force"), scalars.get(f"{name}.impacts")
    depth = scalars.get(f"{name}.wear_depth")
    at = int(normal.argmax())
    if force is not None:
        is_resolved = normal[at] >= (1.0 - _LOST) * force.value
        when = float(time[at]) if is_resolved else np.nan
        label = "largest normal force"
        found.append(KeyFigure(f"{name}.largest_force", of, label, force.value, "N", when))
    at = int(tangential.argmax())
    label, value, when = "largest tangential force", float(tangential[at]), float(time[at])
    found.append(KeyFigure(f"{of}.max_tangential_force", of, label, value, "N", when))
    if impacts is not None:
        found.append(KeyFigure(f"{name}.impacts", of, "impacts", impacts.value, "1", np.nan))
    if depth is not None:
        found.append(KeyFigure(f"{name}.wear_depth", of, "wear depth", depth.value, "m", end))
    return found
