"""Key figures of a run: largest stresses of bodies, largest forces of contact pairs.

    bodies.NAME.max_von_mises           largest von Mises stress at a node, Pa
    bodies.NAME.max_principal_stress    largest principal stress σ₁ (tension) at a node, Pa
    bodies.NAME.yield_margin            yield_stress / max_von_mises − 1, if the material has one
    bodies.NAME.max_displacement        largest displacement of a node, m
    supports.NAME.max_reaction_x, …_y   reaction of largest magnitude, with its sign, N
    contact.PAIR.max_pressure           largest pressure at a slave node, Pa
    contact.PAIR.max_contact_width      largest closed length of the slave edge, m
    contact.PAIR.max_normal_force       largest normal force, N
    contact.PAIR.max_tangential_force   largest |tangential force|, N
    tool.NAME.max_moment                moment of largest magnitude of a tool, N·m

Forces, pressures and widths of pairs are sampled at every step, saved or not. Displacements,
reactions and stresses are sampled about 100 times in a run and whenever fields are saved; stresses
also at the steps at which a history output needs them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

import numpy as np

from mpi4py import MPI

from fecontact.arrays import Array
from fecontact.contact.problem import ContactProblem
from fecontact.dynamics.loop import TimeLoop
from fecontact.kernels import kernel
from fecontact.record import OPEN, History, KeyFigure, ModelMesh, Scalar
from fecontact.simulation.monitors.contact_limits import EDGES
from fecontact.simulation.output.singular_points import singular_points
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.output_names import (
    LABELS_OF_PEAKS,
    PEAK_OF_A_TOOL,
    PEAKS_OF_A_BODY,
    PEAKS_OF_A_SUPPORT,
    PEAKS_OF_A_SURFACE,
)

_UNITS_OF_BODY = ("Pa", "Pa", "m")
_STRESSES, _DISPLACEMENT = 2, 2  # number of stresses of a body, and place of the displacement
_UNITS_OF_PAIR = ("Pa", "m", "N", "N")
_PRESSURE, _WIDTH, _NORMAL, _TANGENTIAL = range(4)


class Peaks:
    """Largest values of a run so far, identical on every rank.

    bodies: (B, 3, 3) for von Mises stress, largest principal stress (Pa) and displacement (m):
        value, time (s), node.
    supports: (S, 2, 2) for the reaction in x and y: value (N), time (s).
    pairs: (P, 4, 4) for pressure (Pa), width (m), normal and tangential force (N): value, time (s),
        slave node along the edge and number of closed slave nodes (both of the pressure alone).
    samples: number of stress samples.
    """

    def __init__(self, study: FiniteElementStudy, mesh: ModelMesh) -> None:
        self._study, self._mesh = study, mesh
        groups = (mesh.cell_groups[body.cells or name] for name, body in study.bodies.items())
        self._nodes = [np.unique(mesh.cells[group]) for group in groups]
        self.bodies: Array = np.zeros((len(study.bodies), len(PEAKS_OF_A_BODY), 3))
        self.supports: Array = np.zeros((len(study.supports), len(PEAKS_OF_A_SUPPORT), 2))
        self.pairs: Array = np.zeros((len(study.contact), 4, 4))
        self.samples: Array = np.zeros(())
        self._time = -1.0

    def begin_stage(self, contact: ContactProblem) -> None:
        """Use the contact surfaces of a stage."""
        edges = contact.layout.edges.values()
        self._pair = contact.layout.pair[: contact.layout.slaves]
        self._length: Array = np.concatenate([np.zeros(0), *(edge.length for edge in edges)])
        self._edges = list(edges)

    def follow(self, loop: TimeLoop, surface: Array) -> None:
        """Include the contact forces and surfaces of the last step.

        surface: (9, m) as :meth:`ContactState.surface_state`.
        """
        sums = loop.contact.sums()
        follow_pairs(surface, sums, self._pair, self._length, loop.time, self.pairs)

    def take(self, stress: Array, comm: MPI.Comm, time: float) -> Array:
        """Include the stress (N, 4), Pa, on rank 0, at a time, s. Collective.

        Return the current largest values (B, 2) of each body.
        """
        found = np.zeros((len(self._nodes), _STRESSES, 3))
        if comm.rank == 0:
            for body, nodes in enumerate(self._nodes):
                find_largest(stress, nodes, time, found[body])
        if comm.size > 1:
            found = comm.bcast(found)
        stresses = self.bodies[:, :_STRESSES]
        larger = found[:, :, 0] > stresses[:, :, 0]
        stresses[larger] = found[larger]
        self.samples = np.asarray(self.samples + (time != self._time))
        self._time = time
        return found[:, :, 0]

    def take_motion(self, displacement: Array, comm: MPI.Comm, time: float) -> None:
        """Include the displacement (N, 2), m, on rank 0, at a time, s. Collective."""
        if comm.rank == 0:
            for body, nodes in enumerate(self._nodes):
                follow_motion(displacement, nodes, time, self.bodies[body, _DISPLACEMENT])
        if comm.size > 1:
            comm.Bcast(self.bodies)

    def take_reactions(self, reaction: Callable[[str], Array], time: float) -> None:
        """Include the reactions (x, y), N, of all supports by name, at a time, s. Collective."""
        for support, name in enumerate(self._study.supports):
            largest = self.supports[support]
            for axis, value in enumerate(reaction(name)):
                if abs(value) > abs(largest[axis, 0]):
                    largest[axis] = value, time

    def figures(self) -> list[KeyFigure]:
        """Return the key figures of all bodies, pairs and supports."""
        study, found = self._study, []
        force = f"N{study.per_depth}"
        for body, name in enumerate(study.bodies):
            for kind, key in enumerate(PEAKS_OF_A_BODY):
                label = LABELS_OF_PEAKS[key]
                value, time, node = self.bodies[body, kind].tolist()
                of, place, unit = f"bodies.{name}", self._place(int(node)), _UNITS_OF_BODY[kind]
                figure = KeyFigure(f"{of}.{key}", of, label, value, unit, time, int(node), place)
                smooth = name in study.yielding or kind == _DISPLACEMENT
                note = "" if smooth else self._singular.get(int(node), "")
                found.append(replace(figure, note=note))
        for pair, name in enumerate(study.contact):
            of = f"contact.{name}"
            for kind, key in enumerate(PEAKS_OF_A_SURFACE):
                label, unit = LABELS_OF_PEAKS[key], _UNITS_OF_PAIR[kind]
                value, time = (float(self.pairs[pair, kind, column]) for column in (0, 1))
                unit = force if unit == "N" else unit
                figure = KeyFigure(f"{of}.{key}", of, label, value, unit, time)
                found.append(self._with_place(figure, pair) if kind == _PRESSURE else figure)
        for support, name in enumerate(study.supports):
            of = f"supports.{name}"
            for key, (value, time) in zip(
                PEAKS_OF_A_SUPPORT, self.supports[support].tolist(), strict=True
            ):
                found.append(KeyFigure(f"{of}.{key}", of, LABELS_OF_PEAKS[key], value, force, time))
        return found

    @cached_property
    def _singular(self) -> dict[int, str]:
        return singular_points(self._study, self._mesh)

    def _place(self, node: int) -> tuple[float, float]:
        x, y = self._mesh.points[node].tolist()
        return x, y

    def _with_place(self, pressure: KeyFigure, pair: int) -> KeyFigure:
        """Return the largest pressure of a pair with its node and a note on its resolution."""
        nodes = self._edges[pair].node
        slave, closed = (int(self.pairs[pair, _PRESSURE, column]) for column in (2, 3))
        coarse = 0 < closed <= EDGES and closed < len(nodes)
        count = "one slave node is" if closed == 1 else f"{closed} slave nodes are"
        note = "at an end of the slave edge: compare with a finer mesh" * self._at_end(pair, slave)
        if coarse:
            note = f"only {count} closed: too coarse for the pressure"
        node = int(nodes[slave])
        return replace(pressure, node=node, position=self._place(node), note=note)

    def _at_end(self, pair: int, slave: int) -> bool:
        """Return True for the first or last node of a slave edge that is not a closed outline.

        The pressure can be singular there, so it has no limit under refinement.
        """
        edge = self._edges[pair]
        first, last = self._mesh.points[edge.node[[0, -1]]]
        is_open = np.hypot(*(last - first)) > 2.0 * edge.length.max()
        return bool(is_open) and slave in (0, len(edge.node) - 1)

    def scalars(self, figures: list[KeyFigure]) -> dict[str, Scalar]:
        """Return the figures as scalar results, and the margins to yield stresses."""
        scalars = {f.name: Scalar(f.value, f.unit, f"{f.label} of the run") for f in figures}
        study = self._study
        for name, body in study.bodies.items():
            limit = study.materials[body.material].yields_at
            stress = scalars[f"bodies.{name}.max_von_mises"].value
            if limit is not None:
                margin = limit / stress - 1.0 if stress > 0.0 else np.inf
                meaning = "yield_stress / largest von Mises stress − 1"
                scalars[f"bodies.{name}.yield_margin"] = Scalar(margin, "1", meaning)
        return scalars

    def state(self) -> dict[str, Array]:
        """Return the state needed to resume a run."""
        arrays = {"bodies": self.bodies, "pairs": self.pairs, "supports": self.supports}
        return arrays | {"samples": self.samples}

    def restore(self, state: dict[str, Array]) -> None:
        """Restore a state."""
        self.bodies, self.pairs = state["bodies"].copy(), state["pairs"].copy()
        self.supports, self.samples = state["supports"].copy(), state["samples"].copy()


def moments_of_tools(study: FiniteElementStudy, history: History) -> list[KeyFigure]:
    """Return the largest moment of each tool with a reference point, with its sign, over the saved
    steps.
    """
    found = []
    for name in study.tools_with_moment:
        column, of = f"tool.{name}.moment", f"tool.{name}"
        values, unit = history.columns[column], history.units[column]
        at = int(np.abs(values).argmax())
        value, time = float(values[at]), float(history.time[at])
        key = f"{of}.{PEAK_OF_A_TOOL}"
        found.append(KeyFigure(key, of, LABELS_OF_PEAKS[PEAK_OF_A_TOOL], value, unit, time))
    return found


@kernel
def find_largest(stress, nodes, time, found):  # type: ignore[no-untyped-def]
    """Set found (2, 3) to the largest von Mises and principal stress of nodes: value, time, node.

    The invariants are those of :mod:`fecontact.stress`.
    """
    found[:, 0] = -np.inf
    for node in nodes:
        xx, yy, zz, xy = stress[node, 0], stress[node, 1], stress[node, 2], stress[node, 3]
        squares = 0.5 * ((xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2) + 3.0 * xy**2
        principal = max(0.5 * (xx + yy) + np.sqrt(0.25 * (xx - yy) ** 2 + xy**2), zz)
        if squares > found[0, 0]:
            found[0, 0], found[0, 1], found[0, 2] = squares, time, node
        if principal > found[1, 0]:
            found[1, 0], found[1, 1], found[1, 2] = principal, time, node
    found[0, 0] = np.sqrt(found[0, 0])  # of the von Mises stress


@kernel
def follow_motion(displacement, nodes, time, largest):  # type: ignore[no-untyped-def]
    """Update largest (3,), value, time and node, by the displacements (N, 2) of nodes, m."""
    square, farthest = 0.0, -1
    for node in nodes:
        own = displacement[node, 0] ** 2 + displacement[node, 1] ** 2
        if own > square:
            square, farthest = own, node
    if farthest >= 0 and np.sqrt(square) > largest[0]:
        largest[0], largest[1], largest[2] = np.sqrt(square), time, farthest


@kernel
def follow_pairs(surface, sums, pair, length, time, peaks):  # type: ignore[no-untyped-def]
    """Update peaks (P, 4, 4), as in :class:`Peaks`, by the state at a time, s.

    surface: (9, m) as :meth:`ContactState.surface_state`; sums: (P, 7) as
    :meth:`ContactState.sums`; pair, length: (m,) pair and tributary length (m) of slave nodes.
    """
    first, slaves = 0, len(pair)
    while first < slaves:
        p, last, width, closed, highest = pair[first], first, 0.0, 0.0, first
        while last < slaves and pair[last] == p:
            if surface[8, last] != OPEN:
                width += length[last]
                closed += 1.0
            if surface[0, last] > surface[0, highest]:
                highest = last
            last += 1
        if surface[0, highest] > peaks[p, _PRESSURE, 0]:
            peaks[p, _PRESSURE, 0], peaks[p, _PRESSURE, 1] = surface[0, highest], time
            peaks[p, _PRESSURE, 2], peaks[p, _PRESSURE, 3] = highest - first, closed
        if width > peaks[p, _WIDTH, 0]:
            peaks[p, _WIDTH, 0], peaks[p, _WIDTH, 1] = width, time
        for kind in (_NORMAL, _TANGENTIAL):
            force = abs(sums[p, kind])  # columns 2 and 3 are the normal and tangential force
            if force > peaks[p, kind, 0]:
                peaks[p, kind, 0], peaks[p, kind, 1] = force, time
        first = last
