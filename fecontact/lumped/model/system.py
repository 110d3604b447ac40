"""Modal equations of motion of a lumped study.

With the displacements u of all masses and coordinates, M ü + C u̇ + K u = f(t) and A u = b
(constraints), u = u_p + T r solves the constraints (T spans the null space of A). The
mass-normalised modes of TᵀMT, TᵀKT give u = u_p + Φ q with

    q̈ + ΦᵀCΦ q̇ + diag(ω²) q = Φᵀ f(t) + contact forces.

A linear one-step scheme is invariant under a linear change of coordinates. With all modes this is
therefore identical to direct integration; with the first n modes it is modal superposition.
Massless displacements are condensed or become additional coordinates
(:mod:`fecontact.lumped.model.massless`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy.linalg

from fecontact.arrays import Array
from fecontact.lumped.model.anchors import rate_of
from fecontact.lumped.model.massless import Condensed, branch_modes, condense
from fecontact.lumped.model.obstacle_arrays import Obstacles, Stretch, lower_obstacles
from fecontact.lumped.model.parts import Physical, add, lower_parts
from fecontact.study.errors import InputError
from fecontact.study.lumped import LumpedStudy
from fecontact.study.models.functions import TimeFunction
from fecontact.timefunctions import Program, compile_functions, evaluate, kinks

FASTEST = 1e12  # rad/s; beyond it powers of ω overflow
_RESIDUAL_ROUNDING = 1e-9  # relative size below which a residual of the constraints is rounding


class Equations(NamedTuple):
    """Input of the compiled kernels: n modes, L loads, m obstacles.

    stiffness: (n,) ω², 1/s².
    damping: (n, n), 1/s; damped: 1 if any entry is not zero.
    branches: number of coordinates at the end that are branches; their ½ q̇² is spring energy.
    loads: (n, L) patterns of the functions of time in `program`.
    kinks: (k,) times at which a function of time has a kink, s.
    obstacles: see :class:`fecontact.lumped.model.obstacle_arrays.Obstacles`.
    watched: (w, n), watched_offset: (w,): displacements among the study's history outputs (zero
    rows for the others).
    """

    stiffness: Array
    damping: Array
    damped: int
    branches: int
    loads: Array
    program: Program
    kinks: Array
    obstacles: Obstacles
    watched: Array
    watched_offset: Array


@dataclass(frozen=True)
class LumpedSystem:
    """Equations, and the map from modal coordinates to masses, points and coordinates.

    places[name]: (U, u_p) with displacement = u_p + U q, U of shape (3, n), m.
    coordinates[name]: likewise with U of shape (n,).
    links: nonlinear springs, which follow the obstacles in the arrays.
    pulls[name]: (n,) force of a Maxwell spring over q̇, N·s/m.
    functions: functions of time by the names in `timed`, which include the derivatives that moving
    anchors need.
    start: (2, n), q and q̇ at t = 0.
    frequencies: of the modes, Hz.
    """

    equations: Equations
    places: dict[str, tuple[Array, Array]]
    coordinates: dict[str, tuple[Array, float]]
    obstacles: tuple[str, ...]
    links: tuple[str, ...]
    pulls: dict[str, Array]
    functions: tuple[str | None, ...]
    timed: dict[str, TimeFunction]
    start: Array
    frequencies: Array

    def furthest(self, q: Array) -> str:
        """Return the name of the mass, point or coordinate with the largest displacement."""
        sizes = {name: float(np.abs(p + u @ q).max()) for name, (u, p) in self.places.items()}
        sizes |= {name: abs(float(p + u @ q)) for name, (u, p) in self.coordinates.items()}
        return max(sizes, key=lambda name: np.nan_to_num(sizes[name], nan=np.inf))


def assemble(study: LumpedStudy) -> LumpedSystem:
    """Return the system of a study; raise InputError if its parts are incompatible."""
    timed = dict(study.functions)
    physical = lower_parts(study, timed)
    particular, free = _solve_constraints(study, physical)
    constant = physical.patterns.get(None, np.zeros(len(physical.index)))
    condensed = condense(
        physical.mass, physical.stiffness, constant, particular, free, list(physical.index)
    )
    _check_massless(study, physical, condensed)
    omega2, modes = _modes(study, physical, condensed.basis)
    count, branches = len(omega2), len(physical.branches.damping)
    start = _start(study, physical, modes, condensed.particular)
    at_rest = condensed.particular + modes @ start[0]
    offset = _offsets(physical.pulled, timed)
    extra = branch_modes(physical.branches, condensed, modes, at_rest, offset)
    damping = np.zeros((count + branches, count + branches))
    own = np.diag(2.0 * study.modal.damping * np.sqrt(omega2))
    damping[:count, :count] = modes.T @ physical.damping @ modes + own
    damping[:count, count:], damping[count:, :count] = extra.coupling, -extra.coupling.T
    damping[count:, count:] = extra.damping
    modes = np.hstack((modes, np.zeros((len(modes), branches))))
    omega2 = np.concatenate((omega2, np.zeros(branches)))
    functions, loads = _loads(physical, modes, condensed.particular)
    functions, loads = _anchor_rates(physical, extra.shapes, timed, functions, loads)
    places = {name: (d @ modes, d @ condensed.particular) for name, d in physical.places.items()}
    coordinates = {
        name: (modes[physical.index[name]], float(condensed.particular[physical.index[name]]))
        for name in study.coordinates
    }
    stretches = [
        Stretch(
            part.row @ modes,
            float(part.row @ condensed.particular + part.moved.get(None, 0.0)),
            link,
        )
        for part, link in physical.links.values()
    ]
    watched, watched_offset = _watched(study, places, len(omega2))
    program = compile_functions(timed, functions)
    equations = Equations(
        stiffness=omega2,
        damping=np.ascontiguousarray(damping),
        damped=int(np.any(damping != 0.0)),
        branches=branches,
        loads=np.ascontiguousarray(loads),
        program=program,
        kinks=kinks(program),
        obstacles=lower_obstacles(study, places, omega2, stretches),
        watched=watched,
        watched_offset=watched_offset,
    )
    return LumpedSystem(
        equations=equations,
        places=places,
        coordinates=coordinates,
        obstacles=tuple(study.obstacles),
        links=tuple(physical.links),
        pulls={
            name: np.concatenate((np.zeros(count), physical.branches.damping[i] * extra.shapes[i]))
            for name, i in physical.maxwell.items()
        },
        functions=functions,
        timed=timed,
        start=np.hstack((start, np.array([np.zeros(branches), extra.start]))),
        frequencies=np.sqrt(omega2[:count]) / (2.0 * np.pi),
    )


def _watched(
    study: LumpedStudy, places: Mapping[str, tuple[Array, Array]], size: int
) -> tuple[Array, Array]:
    """Return the history output as rows over the modes; zero rows unless it is a displacement."""
    watched, offset = np.zeros((len(study.watch), size)), np.zeros(len(study.watch))
    for i, watch in enumerate(study.watch.values()):
        if watch.type == "displacement":
            moves, constant = places[watch.at]
            axis = "xyz".index(watch.component or "x")
            watched[i], offset[i] = moves[axis], constant[axis]
    return watched, offset


def _check_massless(study: LumpedStudy, physical: Physical, condensed: Condensed) -> None:
    """Raise InputError for forces, obstacles or history outputs that massless displacements do
    not support.
    """
    flexibility = condensed.flexibility
    if not flexibility.any():
        return
    for function, pattern in physical.patterns.items():
        moved = np.abs(flexibility @ pattern)
        if function is not None and moved.any():
            name = list(physical.index)[int(np.argmax(moved))].rpartition(".")[0]
            raise InputError(
                f"functions.{function} moves masses.{name}, which has no mass. Use a constant "
                "force or set a mass."
            )
    for name, obstacle in study.obstacles.items():
        for place in (obstacle.on, obstacle.carrier):
            if place is not None and (physical.places[place] @ flexibility).any():
                raise InputError(f"obstacles.{name}: {place!r} has no mass. Set one.")
    for name, (part, _) in physical.links.items():
        if (part.row @ flexibility).any():
            raise InputError(f"springs.{name}.law needs a mass at both ends. Set the missing mass.")
    dragged = flexibility @ physical.branches.rows.T
    for name, watch in study.watch.items():
        if (
            watch.type in ("displacement", "velocity", "acceleration")
            and (physical.places[watch.at] @ dragged).any()
        ):
            raise InputError(
                f"watch.{name}: the motion of {watch.at!r} is not available, because it has no "
                "mass and is connected to a dashpot. Set a mass or use another mass."
            )


def _offsets(pulled: list[dict[str | None, float]], timed: dict[str, TimeFunction]) -> Array:
    """Return the contribution of anchors to the stretches of the branches at t = 0, m."""
    names = list({name for moved in pulled for name in moved})
    values = np.empty((len(names), 3))
    evaluate(compile_functions(timed, names), 0.0, values)
    at_start = dict(zip(names, values[:, 0], strict=True))
    return np.array([sum(o * at_start[name] for name, o in moved.items()) for moved in pulled])


def _anchor_rates(
    physical: Physical,
    shapes: Array,
    timed: dict[str, TimeFunction],
    functions: tuple[str | None, ...],
    loads: Array,
) -> tuple[tuple[str | None, ...], Array]:
    """Add the load of moving anchors on branches: c · offset · f'(t) on each coordinate z."""
    count, names = len(shapes), list(functions)
    for i, moved in enumerate(physical.pulled):
        for function, offset in moved.items():
            rate = rate_of(timed, function)
            if rate is None:
                continue
            if rate not in names:
                names.append(rate)
                loads = np.hstack((loads, np.zeros((len(loads), 1))))
            pull = physical.branches.damping[i] * offset * shapes[i]
            loads[len(loads) - count :, names.index(rate)] += pull
    return tuple(names), loads


def _solve_constraints(study: LumpedStudy, physical: Physical) -> tuple[Array, Array]:
    """Return a particular solution u_p of A u = b and a basis T of the null space of A."""
    size, names = len(physical.index), list(study.constraints)
    a, b = np.zeros((len(names), size)), np.zeros(len(names))
    for row, constraint in enumerate(study.constraints.values()):
        b[row] = constraint.value
        for term, coefficient in constraint.coefficients.items():
            if term in physical.index:  # a fixed displacement is zero
                a[row, physical.index[term]] += coefficient
    if not names:
        return np.zeros(size), np.eye(size)
    particular = np.linalg.pinv(a) @ b
    _check_residual(names, a @ particular - b, b, "contradicts other constraints or itself")
    free = scipy.linalg.null_space(a)
    if free.shape[1] == 0:
        raise InputError("constraints: no degree of freedom remains. Remove a constraint.")
    u, v = _initial(study, physical)
    _check_residual(names, a @ u - b, np.append(u, b), "is violated by the initial displacement")
    _check_residual(names, a @ v, v, "is violated by the initial velocity")
    return particular, free


def _check_residual(names: list[str], residual: Array, scale: Array, what: str) -> None:
    worst = int(np.argmax(np.abs(residual)))
    if abs(residual[worst]) > _RESIDUAL_ROUNDING * max(np.abs(scale).max(), 1e-300):
        raise InputError(f"constraints.{names[worst]}: {what} (by {residual[worst]:.3g})")


def _initial(study: LumpedStudy, physical: Physical) -> tuple[Array, Array]:
    u, v = np.zeros(len(physical.index)), np.zeros(len(physical.index))
    for name, mass in study.masses.items():
        for direction in mass.directions:
            i, axis = physical.index[f"{name}.{direction}"], "xyz".index(direction)
            u[i], v[i] = mass.displacement[axis], mass.velocity[axis]
    for name, coordinate in study.coordinates.items():
        i = physical.index[name]
        u[i], v[i] = coordinate.displacement, coordinate.velocity
    return u, v


def _modes(study: LumpedStudy, physical: Physical, free: Array) -> tuple[Array, Array]:
    """Return ω² in ascending order and the mass-normalised modes Φ (columns, over all
    displacements).
    """
    omega2, shapes = scipy.linalg.eigh(
        free.T @ physical.stiffness @ free, free.T @ physical.mass @ free
    )
    keep = study.modal.modes or len(omega2)
    if keep > len(omega2):
        raise InputError(
            f"modal.modes is {keep}, but the system has only {len(omega2)} "
            f"mode(s). Set it to {len(omega2)} or less."
        )
    if not omega2[-1] < FASTEST**2:
        raise InputError(
            f"masses: the fastest mode has ω = {np.sqrt(omega2[-1]):.3g} rad/s (limit "
            f"{FASTEST:g}). Check masses (kg) and stiffnesses (N/m)."
        )
    rounding = 1e-13 * max(omega2[-1], 0.0)
    omega2 = np.where(omega2 > rounding, omega2, 0.0)  # exactly zero for rigid-body modes
    return omega2[:keep], free @ shapes[:, :keep]


def _loads(
    physical: Physical, modes: Array, particular: Array
) -> tuple[tuple[str | None, ...], Array]:
    """Return functions of time and their modal patterns: forces, base, anchors, constraints."""
    patterns = dict(physical.patterns)
    if np.any(particular != 0.0):
        add(patterns, None, -physical.stiffness @ particular)
    functions = tuple(patterns)
    loads = np.array([modes.T @ patterns[f] for f in functions]).T
    return functions, loads.reshape(modes.shape[1], len(functions))


def _start(study: LumpedStudy, physical: Physical, modes: Array, particular: Array) -> Array:
    u, v = _initial(study, physical)
    return np.array([modes.T @ physical.mass @ (u - particular), modes.T @ physical.mass @ v])
