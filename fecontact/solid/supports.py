"""Prescribed displacements: which components are held, and how held nodes move."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from fecontact.mesh.cells import Index
from fecontact.record import Array, ModelMesh
from fecontact.solid.places import Places
from fecontact.solid.profiles import at_nodes
from fecontact.study.errors import InputError
from fecontact.study.functions import TimeFunction
from fecontact.study.parts import Support
from fecontact.timefunctions import compile_functions, evaluate


class Supports:
    """The held components of all nodes, u_h(t) = Σ_j amplitude_j f_j(t).

    held: (N, 2) whether x, y of a node is held. functions: names of the f_j (None: constant 1).
    amplitudes: (J, N, 2) m. nodes: support → its nodes; components: support → (holds x, holds y).
    """

    def __init__(
        self,
        supports: Mapping[str, Support],
        functions: Mapping[str, TimeFunction],
        mesh: ModelMesh,
        places: Places,
        axis: Index,
    ) -> None:
        """axis: nodes that symmetry holds in x (`fecontact.solid.axis`)."""
        shape = mesh.points.shape
        self.held: NDArray[np.bool_] = np.zeros(shape, dtype=bool)
        self.nodes: dict[str, Index] = {}
        self.components: dict[str, tuple[bool, bool]] = {}
        self.functions: list[str | None] = []
        amplitude, function = np.zeros(shape), np.full(shape, -1)
        by = np.full(shape, "", dtype=object)
        self.held[axis, 0], by[axis, 0] = True, "the axis of symmetry"
        for name, support in supports.items():
            nodes = self.nodes[name] = places.nodes(support.on, f"supports.{name}.on")
            self.components[name] = (support.x is not None, support.y is not None)
            if support.function not in self.functions:
                self.functions.append(support.function)
            number = self.functions.index(support.function)
            edges = mesh.edge_groups.get(support.on)
            factor = at_nodes(support.along, nodes, edges, mesh.points, f"supports.{name}")
            for i, given in enumerate((support.x, support.y)):
                if given is None:
                    continue
                value = given * factor
                twice = self.held[nodes, i] & (
                    (amplitude[nodes, i] != value)
                    | ((function[nodes, i] != number) & (value != 0.0))
                )
                if twice.any():
                    node = nodes[twice][0]
                    x, y = mesh.points[node]
                    raise InputError(
                        f"supports.{name} and {by[node, i]} prescribe different "
                        f"displacements in {'xy'[i]} at x = {x:g} m, y = {y:g} m"
                    )
                self.held[nodes, i] = True
                amplitude[nodes, i], function[nodes, i] = value, number
                by[nodes, i] = f"supports.{name}"
        self.amplitudes: Array = np.array(
            [np.where(function == j, amplitude, 0.0) for j in range(len(self.functions))]
        ).reshape(-1, *shape)
        self._at = np.flatnonzero(self.held.ravel())
        self._amplitudes_at: Array = self.amplitudes[:, self.held]
        self._program = compile_functions(functions, self.functions)
        self._jets = np.zeros((len(self.functions), 3))

    def jets(self, t: float) -> Array:
        """(f_j, f_j', f_j'') at time t, shape (J, 3)."""
        evaluate(self._program, t, self._jets)
        return self._jets

    def put(self, t: float, derivative: int, field: Array) -> None:
        """Write the displacement of held components, or its derivative, into a field (N, 2)."""
        field.reshape(-1)[self._at] = self.jets(t)[:, derivative] @ self._amplitudes_at

    def motion(self, t: float, nodes: Index) -> Array:
        """Displacement, velocity and acceleration (3, S, 2) of held components, 0 where free."""
        return np.einsum("jd,jnx->dnx", self.jets(t), self.amplitudes[:, nodes])
