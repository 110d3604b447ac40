"""Prescribed displacements: constrained components and their motion."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from fecontact.mesh.cells import Index
from fecontact.record import Array, ModelMesh
from fecontact.solid.conditions.directed import PARALLEL, Holding, LocalAxes, normals
from fecontact.solid.fem.profiles import at_nodes, lost_at_nodes
from fecontact.solid.fem.regions import Places
from fecontact.study.errors import InputError
from fecontact.study.models.functions import TimeFunction
from fecontact.study.models.parts import Support
from fecontact.timefunctions import compile_functions, evaluate


class Supports:
    """Prescribed components of all nodes, u_h(t) = Σ_j amplitude_j f_j(t).

    prescribed: (N, 2) True if x, y of a node, or its component in local `axes`
        (`fecontact.solid.conditions.directed`), is prescribed.
    functions: names of the f_j (None: constant 1).
    amplitudes: (J, N, 2) m, in x and y.
    nodes: support → its nodes.
    components: support → (constrains x, constrains y).
    lost: fraction of a peak of its table that lies between nodes.
    """

    def __init__(
        self,
        supports: Mapping[str, Support],
        functions: Mapping[str, TimeFunction],
        mesh: ModelMesh,
        places: Places,
        axis: Index,
        depth: Callable[[Array], Array],
    ) -> None:
        """Collect the prescribed components.

        axis: nodes with symmetry constraint in x (`fecontact.solid.conditions.axis`).
        depth: dA/ds at positions.
        """
        shape = mesh.points.shape
        self.prescribed: NDArray[np.bool_] = np.zeros(shape, dtype=bool)
        self.nodes: dict[str, Index] = {}
        self.lost: dict[str, float] = {}
        self.components: dict[str, tuple[bool, bool]] = {}
        self.functions: list[str | None] = []
        amplitude, function = np.zeros(shape), np.full(shape, -1)
        by = np.full(shape, "", dtype=object)
        self.prescribed[axis, 0], by[axis, 0] = True, "the axis of symmetry"
        for name, support in supports.items():
            nodes = self.nodes[name] = places.nodes(support.on, f"supports.{name}.on")
            self.components[name] = (support.x is not None, support.y is not None)
            if support.function not in self.functions:
                self.functions.append(support.function)
            number = self.functions.index(support.function)
            edges, where = mesh.edge_groups.get(support.on), f"supports.{name}"
            factor = at_nodes(support.profile, nodes, edges, mesh.points, where)
            self.lost[where] = lost_at_nodes(support.profile, nodes, edges, mesh.points, where)
            for i, given in enumerate((support.x, support.y)):
                if given is None:
                    continue
                value = given * factor
                other = amplitude[nodes, i] != value
                other |= (function[nodes, i] != number) & (value != 0.0)
                twice = nodes[self.prescribed[nodes, i] & other]
                if len(twice):
                    x, y = mesh.points[twice[0]]
                    raise InputError(
                        f"supports.{name} and {by[twice[0], i]} prescribe different displacements "
                        f"in {'xy'[i]} at x = {x:g} m, y = {y:g} m. Remove one of them."
                    )
                self.prescribed[nodes, i] = True
                amplitude[nodes, i], function[nodes, i] = value, number
                by[nodes, i] = f"supports.{name}"
        self.amplitudes: Array = np.array(
            [np.where(function == j, amplitude, 0.0) for j in range(len(self.functions))]
        ).reshape(-1, *shape)
        self._shares: dict[str, dict[int, Array]] = {name: {} for name in supports}
        directed = self._directed(supports, mesh, places, depth)
        self.axes = self._constrain(directed, by, mesh)
        plain = self.prescribed.copy()
        plain[self.axes.node] = False
        self._at = np.flatnonzero(plain.ravel())
        self._amplitudes_at: Array = self.amplitudes[:, plain]
        self._program = compile_functions(functions, self.functions)
        self._jets = np.zeros((len(self.functions), 3))

    def _directed(
        self,
        supports: Mapping[str, Support],
        mesh: ModelMesh,
        places: Places,
        depth: Callable[[Array], Array],
    ) -> dict[int, list[tuple[Array, Array, str]]]:
        """Return node → constraints along normals and tangents: direction, value, name."""
        found: dict[int, list[tuple[Array, Array, str]]] = {}
        for name, support in supports.items():
            if not support.directed:
                continue
            edges = places.boundary(support.on, f"supports.{name}.on")
            nodes, normal = normals(mesh.points, edges, depth)
            factor = at_nodes(support.profile, nodes, edges, mesh.points, f"supports.{name}")
            tangent = np.stack([-normal[:, 1], normal[:, 0]], 1)
            number = self.functions.index(support.function)
            for given, direction in ((support.normal, normal), (support.tangential, tangent)):
                if given is None:
                    continue
                value = np.zeros((len(nodes), len(self.functions)))
                value[:, number] = given * factor
                for i, node in enumerate(nodes):
                    found.setdefault(int(node), []).append(
                        (direction[i, :], value[i, :], f"supports.{name}")
                    )
        return found

    def _constrain(
        self,
        directed: Mapping[int, list[tuple[Array, Array, str]]],
        by: NDArray[np.object_],
        mesh: ModelMesh,
    ) -> LocalAxes:
        """Constrain nodes along inclined directions, in addition to constraints in x and y."""
        inclined: dict[int, Array] = {}
        for node, directions in directed.items():
            rows = [*self._in_x_and_y(node, by), *directions]
            holding = Holding(
                np.array([direction for direction, _, _ in rows]),
                np.array([value for _, value, _ in rows]),
                [name for _, _, name in rows],
            )
            if (wrong := holding.contradiction()) is not None:
                x, y = mesh.points[node]
                raise InputError(
                    f"{wrong[0]} and {wrong[1]} prescribe different displacements at x = {x:g} m, "
                    f"y = {y:g} m. Change or remove one of them."
                )
            for name, share in holding.shares().items():
                self._shares.get(name.removeprefix("supports."), {})[node] = share
            self.amplitudes[:, node] = holding.displacement()
            n = holding.direction[0]
            if len(holding.axes()) == 2:
                self.prescribed[node] = True
            elif np.abs(n).min() <= PARALLEL:
                self.prescribed[node, int(np.argmax(np.abs(n)))] = True
            else:
                self.prescribed[node] = True, False
                inclined[node] = np.array([n, [-n[1], n[0]]])
        if not inclined:
            return LocalAxes()
        return LocalAxes(np.array(list(inclined)), np.array(list(inclined.values())))

    def _in_x_and_y(self, node: int, by: NDArray[np.object_]) -> Iterator[tuple[Array, Array, str]]:
        """Return the constraints of supports in x and y on a node."""
        for i in np.flatnonzero(self.prescribed[node]):
            yield np.eye(2)[i], self.amplitudes[:, node, i], by[node, i]

    @property
    def resists(self) -> NDArray[np.bool_]:
        """Return (N, 2) True if a node cannot move freely in x, y."""
        prescribed = self.prescribed.copy()
        prescribed[self.axes.node] = True
        return prescribed

    def shares(self, name: str, nodes: Index) -> Array:
        """Return (S, 2, 2) matrices that give a support its part of the reaction at each node."""
        own = np.diag(np.array(self.components[name], dtype=float))
        shares: Array = np.isin(nodes, self.nodes[name])[:, None, None] * own
        different = self._shares[name]
        for k, node in enumerate(nodes) if different else ():
            if int(node) in different:
                shares[k] = different[int(node)]
        return shares

    def jets(self, t: float) -> Array:
        """Return (f_j, f_j', f_j'') at time t, shape (J, 3)."""
        evaluate(self._program, t, self._jets)
        return self._jets

    def put(self, t: float, derivative: int, field: Array) -> None:
        """Add the prescribed displacement, or its derivative, to a field (N, 2) of the free
        components.
        """
        factor = self.jets(t)[:, derivative]
        field.reshape(-1)[self._at] = factor @ self._amplitudes_at
        if len(self.axes.node):
            inclined = self.axes.node
            field[inclined] += np.einsum("j,jnx->nx", factor, self.amplitudes[:, inclined])

    def motion(self, t: float, nodes: Index) -> Array:
        """Return displacement, velocity, acceleration (3, S, 2) of prescribed components, 0 where
        free.
        """
        return np.einsum("jd,jnx->dnx", self.jets(t), self.amplitudes[:, nodes])
