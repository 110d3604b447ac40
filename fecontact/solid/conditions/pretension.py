"""Pretension sections: bolt preload by a displacement jump at a cut (force or shortening given).

A line cuts a body into two sides. The elements on the side of the normal n are displaced at the cut
nodes by u − δ n, those on the other side by u: the two faces overlap by the shortening δ. With K₊,
the stiffness of the elements on the side of the normal, and g = n at the cut nodes, 0 elsewhere,

    E = ½ uᵀK u − δ Pᵀu + ½ δ² k,    P = K₊ g,    k = gᵀK₊ g,

so the section carries N = ∂E/∂δ = k δ − Pᵀu. A given shortening is the load δ P. A given force F
leaves δ free: δ = (F + Pᵀu)/k, hence

    (K − P Pᵀ/k) u = f + F P/k,

which stays symmetric and positive, and needs neither a cut mesh nor an additional unknown. A locked
section retains the δ of the start of the stage. The jump is uniform along the cut, so the result
does not depend on the element boundary chosen for the cut.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mpi4py import MPI
from petsc4py import PETSc

from fecontact.arrays import Array, Index
from fecontact.mesh.parts import connected_parts
from fecontact.record import ModelMesh
from fecontact.restart_file import PRETENSION
from fecontact.solid.conditions.discrete import add_entries
from fecontact.solid.conditions.loads import Pattern, add_pattern
from fecontact.solid.fem.forms import Forms
from fecontact.solid.fem.materials import CellMaterials
from fecontact.solid.fem.regions import Places
from fecontact.solid.fem.space import NodalSpace
from fecontact.study.errors import InputError
from fecontact.study.models.functions import TimeFunction
from fecontact.study.models.loads import Load, Pretension
from fecontact.timefunctions import compile_functions, evaluate


@dataclass(frozen=True)
class Section:
    """Cut through a body.

    load: its study keys.
    jump: (N, 2) g.
    pull: (N, 2) P, N/m.
    stiffness: k, N/m.
    above: cells on the side of the normal.
    """

    name: str
    load: Pretension
    jump: Array
    pull: Array
    stiffness: float
    above: Index


def sections(
    loads: Mapping[str, Load], forms: Forms, materials: CellMaterials, places: Places
) -> list[Section]:
    """Return the pretension sections of a study. Collective."""
    return [
        _section(name, load, forms, materials, places)
        for name, load in loads.items()
        if isinstance(load, Pretension)
    ]


def _section(
    name: str, load: Pretension, forms: Forms, materials: CellMaterials, places: Places
) -> Section:
    mesh, space = forms.space.mesh, forms.space
    cells = places.cells(load.on, f"loads.{name}.on")
    if not materials.linear[cells].all():
        raise InputError(
            f"loads.{name}.on: bodies.{load.on} is not linear elastic. A pretension section needs "
            "a body with a linear law; give the bolt a separate material."
        )
    normal = np.asarray(load.normal) / np.hypot(*load.normal)
    side = (mesh.points[mesh.cells[cells]].mean(axis=1) - load.point) @ normal > 0.0
    above, below = cells[side], cells[~side]
    cut = np.intersect1d(mesh.cells[above], mesh.cells[below])
    if not len(cut):
        raise InputError(
            f"loads.{name}.point: the line through {list(load.point)} m with the normal "
            f"{list(load.normal)} does not cut bodies.{load.on}. Choose a point inside the body."
        )
    jump = np.zeros(mesh.points.shape)
    jump[cut] = normal
    mine = np.zeros(len(mesh.cells), dtype=bool)
    mine[above] = True
    matrix = forms.stiffness(np.where(mine[:, None, None], materials.stiffness, 0.0))
    x, y = matrix.createVecs()
    x.setArray(space.owned(jump))
    matrix.mult(x, y)
    pull = np.zeros_like(jump)
    pull[space.node[: space.owned_blocks]] = y.getArray().reshape(-1, 2)
    space.comm.Allreduce(MPI.IN_PLACE, pull)
    return Section(name, load, jump, pull, float(np.sum(jump * pull)), above)


def released_modes(found: Sequence[Section], mesh: ModelMesh) -> Array:
    """Return rigid-body motions (N, 2, s) allowed by sections with a given force.

    The side of the normal moves along it, unless both sides are also connected elsewhere.
    """
    modes = []
    for section in found:
        if section.load.force is None or section.load.locked:
            continue
        count, cut = len(mesh.points), np.flatnonzero(section.jump.any(axis=1))
        number = np.arange(count)
        number[cut] = count + np.arange(len(cut))
        cells = mesh.cells.copy()
        cells[section.above] = number[cells[section.above]]
        points = np.concatenate([mesh.points, mesh.points[cut]])
        part = connected_parts(replace(mesh, points=points, cells=cells))
        if not (part[cut] == part[number[cut]]).any():
            moves = np.isin(part[:count], part[number[cut]])
            normal = section.jump[cut[0]]
            modes.append(moves[:, None] * normal)
    return np.stack(modes, axis=2) if modes else np.zeros((*mesh.points.shape, 0))


def add_pretension(
    patterns: dict[Pattern, Array], found: Sequence[Section], space: NodalSpace
) -> None:
    """Add the loads of the sections: F P/k for a force, δ P for a shortening, 0 if locked."""
    for section in found:
        load = section.load
        factor = load.value / section.stiffness if load.force is not None else load.value
        function = None if load.locked else load.function
        own = space.owned(section.pull) * (0.0 if load.locked else factor)
        add_pattern(patterns, (function, 0), own)


class PretensionSections:
    """Pretension sections of a model.

    shared: nodes ↦ an object whose `motion(u, t)` is their displacement (S, 2), on every rank.
    """

    def __init__(
        self,
        found: Sequence[Section],
        functions: Mapping[str, TimeFunction],
        shared: Callable[[Index], object],
    ) -> None:
        self.sections = found
        self._nodes = [np.flatnonzero(section.pull.any(axis=1)) for section in found]
        self._shared = [shared(nodes) for nodes in self._nodes]
        self._program = compile_functions(functions, [section.load.function for section in found])
        self._jets = np.zeros((len(found), 3))
        self._locked = np.zeros(len(found))

    def __len__(self) -> int:
        return len(self.sections)

    def soften(self, matrix: PETSc.Mat, space: NodalSpace) -> None:
        """Subtract P Pᵀ/k of sections with a given force from K."""
        for section, nodes in zip(self.sections, self._nodes, strict=True):
            if section.load.force is None or section.load.locked:
                continue
            dofs: Index = (2 * space.block[nodes, None] + np.arange(2)).ravel()
            pull = section.pull[nodes].ravel()
            values = np.asarray(-np.outer(pull, pull).ravel() / section.stiffness, np.float64)
            rows, columns = np.repeat(dofs, len(dofs)), np.tile(dofs, len(dofs))
            add_entries(matrix, rows, columns, values)

    def shortenings(self, u: Array, t: float) -> Array:
        """Return δ, m, of each section at free displacements u and time t. Collective."""
        evaluate(self._program, t, self._jets)
        found = np.zeros(len(self))
        for i, section in enumerate(self.sections):
            load, value = section.load, section.load.value * self._jets[i, 0]
            if load.locked:
                found[i] = self._locked[i]
            elif load.force is not None:
                found[i] = (value + self._moved(i, u, t)) / section.stiffness
            else:
                found[i] = value
        return found

    def forces(self, u: Array, t: float) -> Array:
        """Return N, N, of each section, tension positive. Collective."""
        found = self.shortenings(u, t)
        stiffness = np.array([section.stiffness for section in self.sections])
        moved = np.array([self._moved(i, u, t) for i in range(len(self))])
        return np.asarray(stiffness * found - moved)

    def energy(self, u: Array, t: float) -> float:
        """Return E − ½ uᵀ A u, J, with the matrix A of the model; collective.

        It is N²/(2k) for a given force, A = K − P Pᵀ/k, and (N² − (Pᵀu)²)/(2k) otherwise, A = K.
        """
        total = 0.0
        for i, (section, force) in enumerate(zip(self.sections, self.forces(u, t), strict=True)):
            fixed = section.load.locked or section.load.force is None
            square = force**2 - (self._moved(i, u, t) ** 2 if fixed else 0.0)
            total += 0.5 * float(square) / section.stiffness
        return total

    def _moved(self, i: int, u: Array, t: float) -> float:
        """Return Pᵀu of a section, N."""
        motion = self._shared[i].motion(u, t)  # type: ignore[attr-defined]
        return float(np.sum(self.sections[i].pull[self._nodes[i]] * motion))

    def index(self, name: str) -> int:
        """Return the number of a section; −1 if it is inactive."""
        names = [section.name for section in self.sections]
        return names.index(name) if name in names else -1

    def state(self, u: Array, t: float) -> dict[str, Array]:
        """Return the shortenings by name, for the next stage. Collective."""
        found = self.shortenings(u, t)
        return {
            f"{PRETENSION}{section.name}": np.array(value)
            for section, value in zip(self.sections, found, strict=True)
        }

    def lock(self, state: Mapping[str, Array]) -> Array:
        """Set the shortenings of locked sections; return their load Σ δ P, (N, 2)."""
        total: Array = np.zeros(self.sections[0].pull.shape) if len(self) else np.zeros((0, 2))
        for i, section in enumerate(self.sections):
            if not section.load.locked:
                continue
            name = f"{PRETENSION}{section.name}"
            if name not in state:
                raise InputError(
                    f"loads.{section.name}.locked: the section was not tightened before. Lock it "
                    "in a stage that follows one with its force or shortening."
                )
            self._locked[i] = float(state[name])
            total += self._locked[i] * section.pull
        return total

    def locked_state(self) -> dict[str, Array]:
        """Return the shortenings of locked sections by name, for a checkpoint."""
        return {
            f"{PRETENSION}{section.name}": np.array(self._locked[i])
            for i, section in enumerate(self.sections)
            if section.load.locked
        }

    def jumps(self, space: NodalSpace) -> list[tuple[Array, Index]]:
        """Return −g on the dofs owned by this rank, and the displaced cells, of each section."""
        return [(-space.owned(section.jump), section.above) for section in self.sections]
