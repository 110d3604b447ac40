"""Histories of a finite-element run: requested quantities, energies, contact resultants.

The columns are defined once; each saved step adds one row. All ranks compute the same row from
identical data. If not every step is saved, the columns used by checks and sweeps are stored
separately at all steps (8 bytes each): thinning affects the written output, not the checks.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter

import numpy as np

from fecontact.arrays import Array, Integers
from fecontact.contact.force_controlled import WithTools
from fecontact.dynamics.loop import TimeLoop
from fecontact.mesh.build import COINCIDENT
from fecontact.record import OPEN, History
from fecontact.simulation.monitors.turns import Turns
from fecontact.simulation.output.append_buffer import AppendBuffer, rate
from fecontact.simulation.output.peaks import Peaks
from fecontact.solid.solid import Solid
from fecontact.study.errors import InputError
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.models.parts import OF_STRESS, Watch
from fecontact.study.output_names import (
    LOAD_FACTOR,
    OF_A_DRIVEN_TOOL,
    OF_A_MOVED_TOOL,
    OF_A_PAIR,
    OF_A_TOOL,
    UNITS_OF_A_DEPTH,
    UNITS_OF_WATCHES,
)
from fecontact.timefunctions import function_of_time

LEDGER = {"external": "external_work"}  # energy terms with another output name
_DERIVATIVE = {"displacement": 0, "velocity": 1, "acceleration": 2}
_FORCE = {"x": 0, "y": 1, "normal": 2, "tangential": 3}
NO_FORCE = np.zeros(3)  # on a tool with inactive pairs
_STRESS = {"xx": 0, "yy": 1, "zz": 2, "xy": 3}


class FiniteElementHistory:
    """History rows of a run: time, [watch], energies, contact pairs, step size and iterations."""

    def __init__(
        self,
        study: FiniteElementStudy,
        solid: Solid,
        loop: TimeLoop,
        turns: Turns | None,
        tools: WithTools | None,
        adaptive: bool,
        peaks: Peaks,
    ) -> None:
        self._solid, self._loop, self._turns = solid, loop, turns
        self._bodies, self._peaks = list(study.bodies), peaks
        self._carried = {support: self._carried_by(support) for support in study.supports}
        self.units: dict[str, str] = {}
        moving = [
            (name, watch, solid.point(watch.at, f"watch.{name}.at"))
            for name, watch in study.watch.items()
            if watch.type in _DERIVATIVE
        ]
        self._nodes = solid.shared(np.unique([node for *_, node in moving]).astype(np.int64))
        self._watched = [self._motion_of(watch, node) for _, watch, node in moving]
        self._derivatives = {derivative for derivative, *_ in self._watched}
        self._readers: list[Callable[[Array], float]] = []
        pairs = list(study.contact)
        for name, watch in study.watch.items():
            if watch.type not in _DERIVATIVE:
                self._readers.append(self._reader(name, watch, pairs))
        self._tools, self._driven = study.tools_used, tools
        order = [name for name, *_ in moving]
        order += [name for name, watch in study.watch.items() if watch.type not in _DERIVATIVE]
        self._set_units(study, order)
        self._ledger = attrgetter(*(LEDGER.get(name, name) for name in study.energies))
        self._rates = [name for name, watch in study.watch.items() if watch.type == "work-rate"]
        self._adaptive = adaptive
        self._reserve(study)

    def _set_units(self, study: FiniteElementStudy, watched: list[str]) -> None:
        """Set the units of all columns, in their order, and the motions of tools among them."""
        pairs, per_depth = list(study.contact), study.per_depth
        of_a_depth = {kind: unit + per_depth for kind, unit in UNITS_OF_A_DEPTH.items()}
        units = UNITS_OF_WATCHES | of_a_depth
        units["angular-momentum"] = "N·s" if per_depth else "N·m·s"
        self.units |= {name: units[study.watch[name].type] for name in watched}
        self.units |= {f"energy.{name}": f"J{per_depth}" for name in study.energies}
        for names, unit in ((OF_A_PAIR[:2], f"N{per_depth}"), (OF_A_PAIR[2:], "1")):
            self.units |= {f"contact.{pair}.{name}": unit for pair in pairs for name in names}
        for tool in self._tools:
            force, moment = f"N{per_depth}", "N" if per_depth else "N·m"
            units_of_a_tool = (force, force, moment)
            named = zip(OF_A_TOOL, units_of_a_tool, strict=True)
            self.units |= {f"tool.{tool}.{name}": unit for name, unit in named}
        for tool in study.tools_driven:
            self.units |= {f"tool.{tool}.{name}": unit for name, unit in OF_A_DRIVEN_TOOL.items()}
        moved = [(tool, way, OF_A_MOVED_TOOL[way]) for tool, way in study.tool_motions]
        self._moved = [motion_of_tool(study, tool, way) for tool, way, _ in moved]
        self.units |= {f"tool.{t}.{name}": OF_A_DRIVEN_TOOL[name] for t, _, name in moved}
        self.units |= self._path_columns(study.time.follows_path)
        self.units |= {"solver.step": "s", "solver.iterations": "1"}

    def _reserve(self, study: FiniteElementStudy) -> None:
        """Prepare the rows of all columns, and of those that checks need at all steps."""
        self.table = AppendBuffer((1 + len(self.units),))
        thinned = self._adaptive or study.output.every > 1
        columns = {measured.quantity for _, measured in study.measured()} if thinned else set()
        columns |= {"solver.step"} if self._adaptive else set()
        self._measured = [name for name in self.units if name in columns]
        places = [0, *(1 + list(self.units).index(name) for name in self._measured)]
        self._places = np.array(places)
        self.measured_rows = AppendBuffer((len(places),))

    def _path_columns(self, follows_path: bool) -> dict[str, str]:
        """Add the load factor of a path of equilibria; return its column and unit."""
        self._moved += [lambda _: self._loop.load_factor] if follows_path else []
        return {LOAD_FACTOR: "1"} if follows_path else {}

    def _motion_of(self, watch: Watch, node: int) -> tuple[int, int, int]:
        """Return derivative, row and component of a moving point."""
        row = int(np.searchsorted(self._nodes.node, node))
        return _DERIVATIVE[watch.type], row, "xy".index(watch.component)

    def _reader(self, name: str, watch: Watch, pairs: list[str]) -> Callable[[Array], float]:
        """Return the reader of a quantity that is not a nodal motion.

        It takes the contact resultants.
        """
        solid, loop = self._solid, self._loop
        if watch.type == "contact-force":
            pair, column = pairs.index(watch.at), _FORCE[watch.component]
            return lambda forces: float(forces[pair, column])
        if watch.type == "contact-pressure":
            return self._pressure_reader(name, watch)
        if watch.type in ("peak-pressure", "contact-width"):
            return self._surface_reader(watch)
        if watch.type in OF_STRESS:
            return self._stress_reader(watch)
        if (
            watch.of_pair
        ):  # also the work rate: at the end its column is replaced by the rate of this one
            number = pairs.index(watch.at)
            return lambda _: float(loop.contact.wear_energies()[number])
        if watch.of_turn:
            return self._turn_reader(name, watch)
        if watch.type == "angular-momentum":
            momentum = solid.angular_momentum(watch.at, f"watch.{name}.at")
            return lambda _: momentum(loop.now.u[: solid.size], loop.now.v[: solid.size])
        if watch.of_body:
            mean, axis_number = (
                solid.mean(watch.at, f"watch.{name}.at"),
                "xy".index(watch.component),
            )
            if watch.type == "centroid-velocity":
                return lambda _: float(mean(loop.now.v[: solid.size], loop.time, 1)[axis_number])
            return lambda _: float(mean(loop.now.u[: solid.size], loop.time)[axis_number])
        if watch.type == "stress":
            node, component = solid.point(watch.at, f"watch.{name}.at"), _STRESS[watch.component]
            return lambda _: float(
                solid.stress_at(node, loop.now.u[: solid.size], loop.time)[component]
            )
        if watch.type == "plastic-strain":
            place = solid.point(watch.at, f"watch.{name}.at")
            return lambda _: solid.plastic_strain_at(place)
        if watch.type == "wetted-length":
            return lambda _: loop.wetted_length(watch.at)
        if watch.of_pretension:
            section = solid.pretension(watch.at, watch.type.removeprefix("pretension-"))
            return lambda _: section(loop.now.u[: solid.size], loop.time)
        support, axis = watch.at, "xy".index(watch.component)
        return lambda _: float(self.reaction(support)[axis])

    def _pressure_reader(self, name: str, watch: Watch) -> Callable[[Array], float]:
        """Return the reader of the pressure, or the tangential traction, at a slave node."""
        contact, points = self._loop.contact, self._solid.mesh.points
        assert watch.place is not None  # checked in the study
        edge = contact.layout.edges[watch.at]
        places = points[edge.node]
        distance = np.linalg.norm(places - watch.place, axis=1)
        nearest = int(distance.argmin())
        if distance[nearest] > COINCIDENT * float(np.ptp(points, axis=0).max()):
            x, y = places[nearest]
            raise InputError(
                f"watch.{name}.place: no slave node of contact.{watch.at} found there. Use "
                f"the nearest, at [{x:g}, {y:g}] m."
            )
        quantity, node = int(watch.component == "tangential"), edge.multipliers.start + nearest
        return lambda _: float(contact.surface_state()[quantity, node])

    def _surface_reader(self, watch: Watch) -> Callable[[Array], float]:
        """Return the reader of the largest pressure, or of the closed length, of a pair."""
        contact = self._loop.contact
        edge = contact.layout.edges[watch.at]
        own = edge.multipliers
        if watch.type == "peak-pressure":
            return lambda _: float(contact.surface_state()[0, own].max())
        return lambda _: float(edge.length @ (contact.surface_state()[-1, own] != OPEN))

    def _stress_reader(self, watch: Watch) -> Callable[[Array], float]:
        """Return the reader of the largest stress of a body. Collective."""
        solid, loop, peaks = self._solid, self._loop, self._peaks
        body, kind = self._bodies.index(watch.at), OF_STRESS.index(watch.type)

        def read(_: Array) -> float:
            stress = solid.stress(loop.now.u[: solid.size], loop.time)
            return float(peaks.take(stress, solid.comm, loop.time)[body, kind])

        return read

    def _turn_reader(self, name: str, watch: Watch) -> Callable[[Array], float]:
        """Return the reader of the angle of a corotational body, or of its rate."""
        loop, turns = self._loop, self._turns
        assert turns is not None  # checked in the study
        part = turns.solid.corotational_part(watch.at, f"watch.{name}.at")
        if watch.type == "angular-velocity":
            size = turns.solid.size
            return lambda _: float(turns.solid.spins(loop.now.u[:size], loop.now.v[:size])[part])
        return lambda _: float(turns.angles[part])

    def reaction(self, support: str) -> Array:
        """Return the reaction force of a support without contact forces on its nodes, N."""
        loop = self._loop
        u, v, a = (x[: self._solid.size] for x in (loop.now.u, loop.now.v, loop.now.a))
        bare = self._solid.reaction(support, u, v, a, loop.time)
        nodes, shares = self._carried[support]
        if len(nodes) == 0:
            return bare
        return np.asarray(bare - np.einsum("sij,sj->i", shares, loop.contact.nodal_force()[nodes]))

    def _carried_by(self, support: str) -> tuple[Integers, Array]:
        """Return the contact nodes (n,) whose contact force a support carries, and which part
        (n, 2, 2) of it.
        """
        shares = self._solid.holds(support, self._loop.contact.nodes.node)
        nodes = np.flatnonzero(shares.any(axis=(1, 2)))
        return nodes, shares[nodes]

    def keep(self, step: float, iterations: int, whole: bool) -> None:
        """Append the current state: all columns, or only those required at all steps."""
        if not whole and not self._measured:
            return
        row = self._row(step, iterations)
        if whole:
            self.table.append(row)
        if self._measured:
            self.measured_rows.append(row[self._places])

    def _row(self, step: float, iterations: int) -> Array:
        """Return time and all columns of the current state."""
        loop, now = self._loop, self._loop.now
        row = [loop.time]
        if self._watched:
            state = (now.u, now.v, now.a)
            motion = {d: self._nodes.motion(state[d], loop.time, d) for d in self._derivatives}
            row += [motion[d][node, axis] for d, node, axis in self._watched]
        sums = loop.contact.sums()
        row += [read(sums) for read in self._readers]
        row += self._ledger(loop.ledger)
        row += sums[:, 2:4].ravel().tolist()
        row += sums[:, 4:].ravel().tolist()
        if self._tools:
            forces = loop.contact.tool_forces()
            for tool in self._tools:
                row += [float(value) for value in forces.get(tool, NO_FORCE)]
        if self._driven is not None:
            motion_of_tools = (
                self._driven.poses(now.u, loop.time),
                self._driven.rates(now.v, loop.time),
            )
            row += np.concatenate(motion_of_tools, axis=1).ravel().tolist()
        row += [motion(loop.time) for motion in self._moved]
        row += [step, iterations]
        return np.array(row)

    def history(self) -> History:
        """Return the columns saved so far."""
        return self._history(self.table.rows, list(self.units))

    def step_sizes(self) -> dict[str, float]:
        """Return the number of steps of each size, by name, for adaptive time stepping."""
        if not self._adaptive:
            return {}
        sizes = self.measured_rows.rows[1:, 1 + self._measured.index("solver.step")]
        found, counts = np.unique([float(f"{size:.6g}") for size in sizes], return_counts=True)
        return {f"steps of {size:g} s": int(n) for size, n in zip(found, counts, strict=True)}

    def every_step(self) -> History | None:
        """Return the required columns at all steps; None if the history contains all steps."""
        return self._history(self.measured_rows.rows, self._measured) if self._measured else None

    def _history(self, rows: Array, names: list[str]) -> History:
        columns = {name: rows[:, i].copy() for i, name in enumerate(names, 1)}
        for name in self._rates:
            if name in columns:
                columns[name] = rate(rows[:, 0], columns[name])
        return History(rows[:, 0].copy(), columns, {name: self.units[name] for name in names})


def motion_of_tool(study: FiniteElementStudy, name: str, way: str) -> Callable[[float], float]:
    """Return the prescribed displacement (m; way: x, y) or rotation (rad; angle) of a tool."""
    tool = study.tools[name]
    size = np.radians(tool.angle) if way == "angle" else getattr(tool, way)
    factor = function_of_time(study.functions, getattr(tool, f"{way}_function"))
    return lambda t: float(size * factor(t))
