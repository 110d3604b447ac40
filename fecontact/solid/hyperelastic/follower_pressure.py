"""Follower pressures on finite-strain bodies.

A pressure p acts along the current normal on the current area, −p n da = −p J F⁻ᵀ N dA (Nanson). On
an edge x(s) with the body on its left, the nodal forces have the closed form

    f_k = −p ∫ N_k (y', −x') d(x) ds,    x = Σ N_l x_l,    ' = ∂/∂s,

with the depth d of the bodies: their thickness, or 2πr with the current radius in axisymmetric
models. The load stiffness −∂f/∂x is added to K. It is symmetric except for contributions of the
ends of the edge (K. Schweizerhof & E. Ramm 1984, doi:10.1016/0045-7949(84)90103-7). As K is
factorised as a symmetric matrix, only the symmetric part is added; this affects only the
convergence of Newton's method.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from petsc4py import PETSc

from fecontact.arrays import Array, Index, Mask
from fecontact.solid.conditions.discrete import add_entries
from fecontact.solid.conditions.loads import LoadHistory
from fecontact.solid.fem.edges import GAUSS, shapes
from fecontact.solid.fem.forms import Forms
from fecontact.solid.fem.profiles import along_edge
from fecontact.solid.fem.regions import Places
from fecontact.study.errors import InputError
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.models.functions import TimeFunction
from fecontact.study.models.loads import Pressure

TURN = np.array([[0.0, 1.0], [-1.0, 0.0]])  # (x', y') ↦ (y', −x'), the normal times the length


@dataclass(frozen=True)
class PressedEdges:
    """Loaded edges (E, k) of one pressure.

    pressure: (E, Q) at the Gauss points, Pa.
    thickness: (E,), m.
    function: function of time.
    """

    edges: Index
    pressure: Array
    thickness: Array
    function: str | None


def pressed_edges(
    study: FiniteElementStudy, forms: Forms, places: Places, finite: Mask
) -> dict[str, PressedEdges]:
    """Return the pressures on finite-strain bodies by name; finite: (N,) nodes of these bodies.

    Raise InputError for a pressure that also acts on other bodies.
    """
    found = {}
    for name, load in study.loads.items():
        if not isinstance(load, Pressure):
            continue
        where = f"loads.{name}"
        edges = places.boundary(load.on, f"{where}.on")
        here = finite[edges].all(axis=1)
        if not here.any():
            continue
        if not here.all():
            raise InputError(
                f"{where}.on: {load.on!r} contains edges of finite-strain bodies (follower "
                "pressure) and of other bodies. Use separate loads."
            )
        at = forms.edge_points(edges)
        along = along_edge(load.profile, at, forms.space.mesh.points, where)
        thickness = forms.thickness(edges)
        found[name] = PressedEdges(edges, load.value * along, thickness, load.function)
    return found


class FollowingPressures:
    """Nodal forces of all follower pressures.

    node: (S,) loaded nodes.
    """

    def __init__(
        self, loads: Sequence[PressedEdges], functions: Mapping[str, TimeFunction], forms: Forms
    ) -> None:
        self._loads, self._forms = loads, forms
        every = [load.edges.ravel() for load in loads]
        self.node: Index = np.unique(np.concatenate([np.zeros(0, np.int64), *every]))
        patterns: dict[tuple[str | None, int], Array] = {}
        for number, load in enumerate(loads):
            one = patterns.setdefault((load.function, 0), np.zeros(len(loads)))
            one[number] = 1.0
        self._history = LoadHistory(functions, patterns, len(loads))
        self._factor = np.zeros(len(loads))

    def __bool__(self) -> bool:
        return bool(self._loads)

    def at(self, t: float) -> None:
        """Set the pressures to their values at time t, s."""
        self._history(t, self._factor)

    def forces(self, x: Array) -> Array:
        """Return forces (N, 2), N, for node positions x (N, 2).

        Only nodes of loaded edges are used.
        """
        total = np.zeros(x.shape)
        for load, factor in zip(self._loads, self._factor, strict=True):
            shape, slope, weight, depth, _ = self._geometry(load, x)
            normal = np.einsum("qk,ekx->eqx", slope, x[load.edges]) @ TURN.T
            pressed = -factor * load.pressure * depth * weight
            np.add.at(total, load.edges, np.einsum("eq,qk,eqx->ekx", pressed, shape, normal))
        return total

    def add_stiffness(self, x: Array, matrix: PETSc.Mat) -> None:
        """Subtract the symmetric part of ∂f/∂x from matrix, over all dofs. Collective."""
        block = self._forms.space.block
        for load, factor in zip(self._loads, self._factor, strict=True):
            shape, slope, weight, depth, deeper = self._geometry(load, x)
            normal = np.einsum("qk,ekx->eqx", slope, x[load.edges]) @ TURN.T
            pressed = factor * load.pressure * weight
            turned = np.einsum("eq,qk,xy,ql->ekxly", pressed * depth, shape, TURN, slope)
            widened = np.einsum("eq,qk,eqx,ql->ekxl", pressed * deeper, shape, normal, shape)
            turned[..., 0] += widened
            blocks = 0.5 * (turned + turned.transpose(0, 3, 4, 1, 2))
            dofs = 2 * block[load.edges][:, :, None] + np.arange(2)
            rows = np.broadcast_to(dofs[:, :, :, None, None], blocks.shape).ravel()
            columns = np.broadcast_to(dofs[:, None, None, :, :], blocks.shape).ravel()
            add_entries(matrix, rows, columns, blocks.ravel())

    def _geometry(self, load: PressedEdges, x: Array) -> tuple[Array, Array, Array, Array, Array]:
        """Return shape functions and derivatives (Q, k), weights (Q,), depth (E, Q) and
        ∂depth/∂x.
        """
        s, weight = GAUSS
        shape, slope = shapes(load.edges.shape[1], s)
        place = np.einsum("qk,ekx->eqx", shape, x[load.edges])
        thickness = load.thickness[:, None]
        further = self._forms.measure.depth(place + np.array([1.0, 0.0]))  # depth is linear in x
        depth = np.broadcast_to(self._forms.measure.depth(place), place.shape[:2])
        return shape, slope, weight, depth * thickness, (further - depth) * thickness
