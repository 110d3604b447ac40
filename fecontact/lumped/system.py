"""The equations of motion of a lumped study on its modal basis.

With the displacements u of all masses and coordinates, M ü + C u̇ + K u = f(t) and A u = b
(constraints), u = u_p + T r solves the constraints (T spans the null space of A), and the modes of
TᵀMT, TᵀKT, mass-normalised, give u = u_p + Φ q with

    q̈ + ΦᵀCΦ q̇ + diag(ω²) q = Φᵀ f(t) + contact forces.

A linear change of coordinates changes nothing in a linear one-step scheme, so with all modes this
*is* the direct integration; with the first n it is modal recombination.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy.linalg

from fecontact.arrays import Array
from fecontact.lumped.obstacle_arrays import Obstacles, lower_obstacles
from fecontact.study.common import GROUND
from fecontact.study.errors import InputError
from fecontact.study.lumped import LumpedStudy
from fecontact.timefunctions import Program, compile_functions, kinks

FASTEST = 1e12  # rad/s; beyond it powers of ω overflow
_ALIKE = 1e-9  # relative size below which a residual of the constraints is rounding


class Equations(NamedTuple):
    """What the compiled kernels need: n modes, L loads, m obstacles.

    stiffness: (n,) ω², 1/s². damping: (n, n), 1/s; damped: 1 if any of it is not zero.
    loads: (n, L) patterns of the functions of time in `program`; kinks: (k,) times at which one of
    them has a kink, s. obstacles: see
    :class:`fecontact.lumped.obstacle_arrays.Obstacles`. watched: (w, n), watched_offset: (w,): the
    displacements among the study's watched quantities (zero rows for the others).
    """

    stiffness: Array
    damping: Array
    damped: int
    loads: Array
    program: Program
    kinks: Array
    obstacles: Obstacles
    watched: Array
    watched_offset: Array


@dataclass(frozen=True)
class LumpedSystem:
    """The equations, and how modal coordinates move masses, points and coordinates.

    places[name] is (U, u_p): displacement = u_p + U q, U of shape (3, n), m; coordinates[name]
    likewise with U of shape (n,). start: (2, n), q and q̇ at t = 0. frequencies: (n,), Hz.
    """

    equations: Equations
    places: dict[str, tuple[Array, Array]]
    coordinates: dict[str, tuple[Array, float]]
    obstacles: tuple[str, ...]
    functions: tuple[str | None, ...]
    start: Array
    frequencies: Array

    def furthest(self, q: Array) -> str:
        """Name of the mass, point or coordinate with the largest displacement."""
        sizes = {name: float(np.abs(p + u @ q).max()) for name, (u, p) in self.places.items()}
        sizes |= {name: abs(float(p + u @ q)) for name, (u, p) in self.coordinates.items()}
        return max(sizes, key=lambda name: np.nan_to_num(sizes[name], nan=np.inf))


@dataclass(frozen=True)
class _Physical:
    """M, C, K over the displacements of masses and coordinates, and their index by name."""

    index: dict[str, int]
    mass: Array
    damping: Array
    stiffness: Array
    places: Mapping[str, Array]


def assemble(study: LumpedStudy) -> LumpedSystem:
    """The system of a study; raises an InputError where its parts do not fit together."""
    physical = _physical(study)
    particular, free = _solve_constraints(study, physical)
    omega2, modes = _modes(study, physical, free)
    omega = np.sqrt(omega2)
    damping = modes.T @ physical.damping @ modes + np.diag(2.0 * study.modal.damping * omega)
    functions, loads = _loads(study, physical, modes, particular)
    places = {name: (d @ modes, d @ particular) for name, d in physical.places.items()}
    coordinates = {
        name: (modes[physical.index[name]], float(particular[physical.index[name]]))
        for name in study.coordinates
    }
    watched, watched_offset = np.zeros((len(study.watch), len(omega))), np.zeros(len(study.watch))
    for i, watch in enumerate(study.watch.values()):
        if watch.type == "displacement":
            moves, constant = places[watch.at]
            axis = "xyz".index(watch.component or "x")
            watched[i], watched_offset[i] = moves[axis], constant[axis]
    program = compile_functions(study.functions, functions)
    equations = Equations(
        stiffness=omega2,
        damping=np.ascontiguousarray(damping),
        damped=int(np.any(damping != 0.0)),
        loads=np.ascontiguousarray(loads),
        program=program,
        kinks=kinks(program),
        obstacles=lower_obstacles(study, places, omega2),
        watched=watched,
        watched_offset=watched_offset,
    )
    return LumpedSystem(
        equations=equations,
        places=places,
        coordinates=coordinates,
        obstacles=tuple(study.obstacles),
        functions=functions,
        start=_start(study, physical, modes, particular),
        frequencies=omega / (2.0 * np.pi),
    )


def _physical(study: LumpedStudy) -> _Physical:
    index: dict[str, int] = {}
    for name, mass in study.masses.items():
        index |= {f"{name}.{d}": len(index) + i for i, d in enumerate(mass.directions)}
    for name in study.coordinates:
        index[name] = len(index)
    if not index:
        raise InputError("masses: all are held in place, nothing can move; give `directions`")
    size = len(index)
    m, c, k = np.zeros((size, size)), np.zeros((size, size)), np.zeros((size, size))
    places = {GROUND: np.zeros((3, size))}
    for name, mass in study.masses.items():
        places[name] = np.zeros((3, size))
        for direction in mass.directions:
            i = index[f"{name}.{direction}"]
            m[i, i] = mass.mass
            places[name]["xyz".index(direction), i] = 1.0
    for name, coordinate in study.coordinates.items():
        i = index[name]
        m[i, i], c[i, i], k[i, i] = coordinate.mass, coordinate.damping, coordinate.stiffness
    for name, point in study.points.items():
        places[name] = np.zeros((3, size))
        for coordinate_name, shape in point.shape.items():
            places[name][:, index[coordinate_name]] = shape
    for spring in study.springs.values():
        stretch = places[spring.between[0]] - places[spring.between[1]]
        k += stretch.T @ np.diag(spring.stiffness) @ stretch
        c += stretch.T @ np.diag(spring.damping) @ stretch
        if spring.direction is not None:
            along = np.array(spring.direction) / np.linalg.norm(spring.direction) @ stretch
            k += spring.axial_stiffness * np.outer(along, along)
            c += spring.axial_damping * np.outer(along, along)
    del places[GROUND]
    return _Physical(index, m, c, k, places)


def _solve_constraints(study: LumpedStudy, physical: _Physical) -> tuple[Array, Array]:
    """A particular solution u_p of A u = b and a basis T of the null space of A."""
    size, names = len(physical.index), list(study.constraints)
    a, b = np.zeros((len(names), size)), np.zeros(len(names))
    for row, constraint in enumerate(study.constraints.values()):
        b[row] = constraint.value
        for term, coefficient in constraint.coefficients.items():
            if term in physical.index:  # a held displacement is zero
                a[row, physical.index[term]] += coefficient
    if not names:
        return np.zeros(size), np.eye(size)
    particular = np.linalg.pinv(a) @ b
    _refuse_residual(names, a @ particular - b, b, "contradicts the others or itself")
    free = scipy.linalg.null_space(a)
    if free.shape[1] == 0:
        raise InputError("constraints: together they leave nothing that can move")
    u, v = _initial(study, physical)
    _refuse_residual(names, a @ u - b, np.append(u, b), "is violated by the initial displacement")
    _refuse_residual(names, a @ v, v, "is violated by the initial velocity")
    return particular, free


def _refuse_residual(names: list[str], residual: Array, scale: Array, what: str) -> None:
    worst = int(np.argmax(np.abs(residual)))
    if abs(residual[worst]) > _ALIKE * max(np.abs(scale).max(), 1e-300):
        raise InputError(f"constraints.{names[worst]}: {what} (by {residual[worst]:.3g})")


def _initial(study: LumpedStudy, physical: _Physical) -> tuple[Array, Array]:
    u, v = np.zeros(len(physical.index)), np.zeros(len(physical.index))
    for name, mass in study.masses.items():
        for direction in mass.directions:
            i, axis = physical.index[f"{name}.{direction}"], "xyz".index(direction)
            u[i], v[i] = mass.displacement[axis], mass.velocity[axis]
    for name, coordinate in study.coordinates.items():
        i = physical.index[name]
        u[i], v[i] = coordinate.displacement, coordinate.velocity
    return u, v


def _modes(study: LumpedStudy, physical: _Physical, free: Array) -> tuple[Array, Array]:
    """ω² in ascending order and the modes Φ (columns, mass-normalised, over all displacements)."""
    omega2, shapes = scipy.linalg.eigh(
        free.T @ physical.stiffness @ free, free.T @ physical.mass @ free
    )
    keep = study.modal.modes or len(omega2)
    if keep > len(omega2):
        raise InputError(f"modal.modes = {keep}: the system has only {len(omega2)} mode(s)")
    if not omega2[-1] < FASTEST**2:
        raise InputError(
            f"the fastest mode has ω = {np.sqrt(omega2[-1]):.3g} rad/s, more than {FASTEST:g}; "
            "check the masses and stiffnesses, they are in kg and N/m"
        )
    rounding = 1e-13 * max(omega2[-1], 0.0)
    omega2 = np.where(omega2 > rounding, omega2, 0.0)  # a rigid-body mode is one exactly
    return omega2[:keep], free @ shapes[:, :keep]


def _loads(
    study: LumpedStudy, physical: _Physical, modes: Array, particular: Array
) -> tuple[tuple[str | None, ...], Array]:
    """Functions of time and the modal pattern of each: forces, base, constraints' offsets."""
    patterns: dict[str | None, Array] = {}

    def add(function: str | None, pattern: Array) -> None:
        patterns[function] = patterns.get(function, 0.0) + modes.T @ pattern

    for force in study.forces.values():
        add(force.function, physical.places[force.on].T @ np.array(force.value))
    if study.base is not None:
        shaken = np.zeros(len(physical.index))
        for name in study.masses:
            shaken += physical.places[name].T @ np.array(study.base.acceleration)
        add(study.base.function, -physical.mass @ shaken)
    if np.any(particular != 0.0):
        add(None, -physical.stiffness @ particular)
    functions = tuple(patterns)
    loads = np.array([patterns[f] for f in functions]).T.reshape(modes.shape[1], len(functions))
    return functions, loads


def _start(study: LumpedStudy, physical: _Physical, modes: Array, particular: Array) -> Array:
    u, v = _initial(study, physical)
    return np.array([modes.T @ physical.mass @ (u - particular), modes.T @ physical.mass @ v])
