"""Loads as patterns F and functions of time: f(t) = Σ_j F_j φ_j(t)."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping

import numpy as np

from fecontact.kernels import njit
from fecontact.record import Array
from fecontact.solid.fem.edges import EdgePoints
from fecontact.solid.fem.forms import Forms
from fecontact.solid.fem.profiles import along_edge
from fecontact.solid.fem.regions import Places
from fecontact.study.errors import InputError
from fecontact.study.models.functions import TimeFunction
from fecontact.study.models.loads import (
    BodyForce,
    Gravity,
    Load,
    PointForce,
    Pressure,
    PressurePenetration,
    Pretension,
    Traction,
)
from fecontact.timefunctions import Program, compile_functions, evaluate

Pattern = tuple[str | None, int]
"""A function of time (None: constant 1) and the order of its derivative."""


def load_vectors(
    loads: Mapping[str, Load], forms: Forms, density: Array, places: Places
) -> dict[Pattern, Array]:
    """Return the load vectors on the dofs owned by this rank, summed by function of time.

    density: (cells,) kg/m³, for gravity.
    """
    patterns: dict[Pattern, Array] = {}
    for name, load in loads.items():
        if isinstance(load, Pretension | PressurePenetration):  # sections and contact add them
            continue
        vector = _vector(load, f"loads.{name}.on", forms, density, places)
        add_pattern(patterns, (load.function, 0), vector)
    return patterns


def add_pattern(patterns: dict[Pattern, Array], key: Pattern, vector: Array) -> None:
    """Add a vector to the pattern of a function of time."""
    patterns[key] = patterns[key] + vector if key in patterns else vector


def _vector(load: Load, where: str, forms: Forms, density: Array, places: Places) -> Array:
    space = forms.space
    match load:
        case Pressure(on=on) | Traction(on=on):
            at = forms.edge_points(places.boundary(on, where))
            factor = along_edge(load.profile, at, space.mesh.points, where.removesuffix(".on"))
            return forms.edge_load(at, factor[..., None] * _traction(load, at))
        case BodyForce(on=on, value=direction) | Gravity(on=on, value=direction):
            cells = places.cells(on, where)
            loaded = np.zeros(len(density))
            loaded[cells] = density[cells] if isinstance(load, Gravity) else 1.0
            return forms.body_force(loaded, direction)
        case PointForce(on=on, value=force):
            node = places.point(on, where)
            if space.block[node] < 0:
                raise InputError(f"{where}: the point {on!r} belongs to no body. Use a mesh node.")
            vector = np.zeros((space.owned_blocks, 2))
            if space.local_block[node] >= 0:
                vector[space.local_block[node]] = force
            return vector.ravel()
    raise AssertionError(load)


def _traction(load: Pressure | Traction, at: EdgePoints) -> Array:
    """Return the traction (E, Q, 2), Pa, before its profile along the edge is applied."""
    if isinstance(load, Pressure):
        return -load.value * at.normal
    if load.directions == "xy":
        return np.broadcast_to(load.value, at.place.shape)
    return np.asarray(load.value[0] * at.normal + load.value[1] * at.tangent)


class LoadHistory:
    """Load f(t) = Σ_j F_j φ_j(t) for vectors F_j of equal length."""

    def __init__(
        self, functions: Mapping[str, TimeFunction], patterns: Mapping[Pattern, Array], size: int
    ) -> None:
        self._vectors: Array = np.array(list(patterns.values())).reshape(len(patterns), size)
        self._program = compile_functions(functions, [function for function, _ in patterns])
        self._derivative = np.array([derivative for _, derivative in patterns], dtype=np.int64)
        self._jets = np.zeros((len(patterns), 3))
        self._constant = [*patterns].index((None, 0)) if (None, 0) in patterns else -1
        self._given = self._vectors[self._constant].copy() if self._constant >= 0 else self._vectors

    def put_constant(self, vector: Array) -> None:
        """Add a vector to the constant pattern; it replaces the previously added one."""
        self._vectors[self._constant] = self._given + vector

    @property
    def patterns(self) -> Array:
        """Return the vectors F_j, (J, size)."""
        return self._vectors

    def projected(self, project: Callable[[Array], Array]) -> LoadHistory:
        """Return the load with the vectors P F_j; project: F ↦ P F."""
        other = copy.copy(self)
        other._vectors = np.array([project(vector) for vector in self._vectors])
        if not len(self._vectors):
            other._vectors = project(np.zeros(self._vectors.shape[1]))[None][:0]
        other._jets = self._jets.copy()
        return other

    def __call__(self, t: float, out: Array) -> Array:
        """Compute out = f(t)."""
        _combine(out, t, self._jets, self._derivative, self._vectors, *self._program)
        return out


@njit
def _combine(out, t, jets, derivative, vectors, *arrays):  # type: ignore[no-untyped-def]
    """Compute out = Σ_j F_j φ_j⁽ᵈ⁾(t); jets: work array; arrays: compiled functions of time."""
    evaluate(Program(*arrays), t, jets)
    out[:] = 0.0
    for j in range(len(vectors)):
        factor = jets[j, derivative[j]]
        for i in range(len(out)):
            out[i] += factor * vectors[j, i]
