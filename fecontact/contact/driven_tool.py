"""Force-controlled tools of a study in the coordinates of the contact problem."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from fecontact.arrays import Array, Mask
from fecontact.contact.tools import RigidTool
from fecontact.contact.tools.driving import MOTIONS_OF_TOOL
from fecontact.study.models.functions import TimeFunction
from fecontact.timefunctions import compile_functions, evaluate


class DrivenTool:
    """A free tool of a study, in the coordinates (x, y, L θ).

    nodes: numbers of its two contact nodes, after those of the mesh;
    length: L, m;
    free: (3,);
    mass, damping, stiffness: (3,) kg, N·s/m, N/m;
    velocity: (3,) at t = 0, m/s;
    prescribed_moves: True if a prescribed dof moves.
    """

    def __init__(
        self,
        name: str,
        tool: RigidTool,
        functions: Mapping[str, TimeFunction],
        nodes: tuple[int, int],
        length: float,
    ) -> None:
        self.name, self.nodes, self.length = name, nodes, length
        scale = np.array([1.0, 1.0, length])
        self.free: Mask = np.array([name in tool.free for name in MOTIONS_OF_TOOL])
        self.mass: Array = np.array(tool.inertias) / scale**2
        self.damping: Array = np.array([*tool.damping, tool.rotational_damping]) / scale**2
        self.stiffness: Array = np.array(tool.springs) / scale**2
        self.velocity: Array = np.array([*tool.velocity, tool.angular_velocity]) * scale
        self._amplitude = np.array([tool.x, tool.y, np.radians(tool.angle)]) * scale
        self._force = np.array([*tool.force, tool.moment]) / scale
        self._weight = tool.mass * np.array([*tool.gravity, 0.0])
        motions = tool.x_function, tool.y_function, tool.angle_function
        forces = tool.force_function, tool.force_function, tool.moment_function
        self._program = compile_functions(functions, (*motions, *forces))
        self._jets = np.zeros((6, 3))
        self.prescribed_moves = any(np.array([name is not None for name in motions]) & ~self.free)

    def given(self, t: float) -> Array:
        """Return the prescribed displacement and velocity (2, 3), m and m/s."""
        evaluate(self._program, t, self._jets)
        return self._amplitude * self._jets[:3, :2].T

    def load(self, t: float) -> Array:
        """Return the forces (3,) at a time, N, including those of the far ends of its springs."""
        pulled: Array = self.stiffness * self.given(t)[0]
        return pulled + self._force * self._jets[3:, 0] + self._weight


def driven_tools(
    tools: Mapping[str, RigidTool],
    functions: Mapping[str, TimeFunction],
    slaves: Mapping[str, Array],
    first: int,
) -> dict[str, DrivenTool]:
    """Return the force-controlled tools by name.

    slaves: positions (n, 2) of the slave nodes of each tool, m;
    first: number of their first contact node.
    """
    found: dict[str, DrivenTool] = {}
    for name, places in slaves.items():
        if tools[name].free:
            number = first + 2 * len(found)
            length = float(np.hypot(*(places - np.array(tools[name].reference_point)).T).max())
            nodes = (number, number + 1)
            found[name] = DrivenTool(name, tools[name], functions, nodes, length)
    return found
