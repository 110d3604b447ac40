"""Run record: histories, scalars, snapshots of fields and of the contact surfaces.

Plain arrays without physics: finite-element and lumped runs fill the same record, and
:mod:`fecontact.results` writes, draws and checks it independently of how it was computed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from fecontact.arrays import Array, Integers, Mask, Statuses

OPEN, STICK, SLIP = 0, 1, 2
"""Status of a contact node."""

GROWING = 1e-6
"""Growth rate over |λ| above which a mode is unstable; below it is round-off."""


@dataclass
class History:
    """Columns against time: one row per saved step.

    ``columns[name]`` has shape (n,); ``units[name]`` is its SI unit ("1" for a pure number).
    """

    time: Array
    columns: dict[str, Array] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Scalar:
    """One number of a run with its unit and its meaning.

    A quality measure (contact residual, penetration, error of the energy balance) has a limit. If
    it exceeds the limit, the run is not trusted; table, report and exit code show this.
    """

    value: float
    unit: str
    meaning: str = ""
    limit: float | None = None  # quality limit of |value|

    @property
    def within_limit(self) -> bool:
        """Return False if the value exceeds its limit or is not a number."""
        return self.limit is None or abs(self.value) <= self.limit


@dataclass(frozen=True)
class KeyFigure:
    """The largest value of a quantity of one body or contact pair over the run.

    name: that of the scalar result of the same value, if there is one; of: `bodies.NAME`,
    `contact.NAME`, `masses.NAME` or `obstacles.NAME`; label: description of the quantity; value in
    SI unit; time: s, NaN if unknown; node, position: of the mesh, m, where the value occurs (None
    for resultants); note: why the value may be wrong.
    """

    name: str
    of: str
    label: str
    value: float
    unit: str
    time: float
    node: int | None = None
    position: tuple[float, float] | None = None
    note: str = ""


Level = Literal["warning", "not trusted"]


class RunWarning(str):
    """A warning of a run: its text and its severity.

    level: "not trusted" if the results are wrong, "warning" if they may be. The text starts
    with the key or quantity concerned, followed by a colon.
    """

    level: Level

    def __new__(cls, text: str, level: Level = "warning") -> RunWarning:
        self = super().__new__(cls, text)
        self.level = level
        return self

    @property
    def wrong(self) -> bool:
        """Return True if the results of the run are wrong."""
        return self.level == "not trusted"


def wrong(text: str) -> RunWarning:
    """Return a warning that makes a run not trusted."""
    return RunWarning(text, "not trusted")


@dataclass(frozen=True)
class ModelMesh:
    """Undeformed mesh for drawing: nodes, elements in VTK node order, groups.

    points: (N, 2) m. cells: (M, k) with k = 3, 4, 6 or 8 nodes, corners first, then mid-sides; a
    triangle among quadrilaterals has its third corner twice (`fecontact.mesh.cells`).
    cell_groups: name → cell indices; edge_groups: name → (E, 2 or 3) nodes, corners first;
    point_groups: name → node index. Isolated nodes (ground ends of springs) are points too.
    node_groups: name → nodes, sets of several nodes that a mesh file names.
    """

    points: Array
    cells: Integers
    cell_groups: dict[str, Integers]
    edge_groups: dict[str, Integers]
    point_groups: dict[str, int]
    node_groups: dict[str, Integers] = field(default_factory=dict)


@dataclass
class FieldSeries:
    """Nodal fields at the saved times.

    displacement: (T, N, 2) m; velocity: (T, N, 2) m/s; stress: (T, N, 4) Pa as xx, yy, zz, xy,
    averaged to the nodes of each body; plastic_strain: (T, N, 1), the equivalent plastic strain,
    for runs with elastoplastic bodies.
    """

    time: Array
    displacement: Array
    velocity: Array
    stress: Array
    plastic_strain: Array | None = None


@dataclass
class SurfaceSeries:
    """One contact pair at every saved step, slave nodes in order along the edge.

    nodes: (S,) indices into ``ModelMesh.points``; arc: (S,) arc length along the slave edge, m.
    pressure, traction: (T, S) Pa (pressure ≥ 0, except for bonds; traction along the tangent); gap:
    (T, S) m; slip: (T, S) accumulated slip distance, m; status: (T, S) of OPEN, STICK, SLIP.
    work_rate: (T, S) pressure times slip velocity, W/m²; wear_depth: (T, S) off the slave, m;
    friction_state: (T, S) of the friction law, in its unit; bonded: (T, S) 1 or 0. Where the master
    wears: master_nodes, master_arc (M,) m, master_wear (T, M) wear depth, m. length: (S,) tributary
    lengths of the slave nodes, m.
    """

    time: Array
    nodes: Integers
    arc: Array
    pressure: Array
    traction: Array
    gap: Array
    slip: Array
    status: Statuses
    work_rate: Array | None = None
    wear_depth: Array | None = None
    friction_state: Array | None = None
    bonded: Array | None = None
    master_nodes: Integers | None = None
    master_arc: Array | None = None
    master_wear: Array | None = None
    length: Array | None = None


@dataclass
class ModeSet:
    """Modes of a model about a state, by ascending frequency, without rigid-body modes.

    frequency: (n,) Hz; growth: (n,) Re λ, 1/s, of complex modes, else None; damping: (n,) damping
    ratio, negative where a mode grows. shapes: (n, N, 2), largest component 1, complex if growth is
    not None; on rank 0. mass: (n,) generalised mass of these shapes, kg. effective: (n, 2)
    effective mass in x and y, and moving: (2,) mass of the free dofs, kg; both empty for complex
    modes. mesh_error: (n,) estimated relative error of the frequency due to the mesh, or empty.
    rigid: a name of each rigid-body mode; time: of the state, s; tied, sliding: closed slave nodes.
    per_depth: "/m" if masses are per metre of depth.
    """

    frequency: Array
    growth: Array | None
    damping: Array
    shapes: Any
    mass: Array
    effective: Array
    moving: Array
    mesh_error: Array
    rigid: list[str]
    time: float
    contact: str
    tied: int
    sliding: int
    mesh: ModelMesh | None = None
    per_depth: str = ""
    notes: list[str] = field(default_factory=list)
    warnings: list[RunWarning] = field(default_factory=list)

    @property
    def unstable(self) -> list[int]:
        """Return the numbers, from 0 on, of modes that grow."""
        if self.growth is None:
            return []
        size = 2.0 * math.pi * self.frequency + abs(self.growth)
        return [n for n, grows in enumerate(self.growth > GROWING * size) if grows]

    def scalars(self) -> dict[str, Scalar]:
        """Return the numbers of the modes as scalars of a run."""
        out = {"modes.rigid": Scalar(float(len(self.rigid)), "1", "number of rigid-body modes")}
        for n in range(len(self.frequency)):
            own, frequency = f"modes.{n + 1}", float(self.frequency[n])
            out[f"{own}.frequency"] = Scalar(frequency, "Hz", f"frequency of mode {n + 1}")
            out[f"{own}.damping"] = Scalar(float(self.damping[n]), "1", "damping ratio")
            if self.growth is not None:
                out[f"{own}.growth"] = Scalar(float(self.growth[n]), "1/s", "growth rate, Re λ")
            for axis, mass in enumerate(self.effective[n : n + 1].ravel().tolist()):
                meaning, unit = f"effective mass in {'xy'[axis]}", f"kg{self.per_depth}"
                out[f"{own}.mass_{'xy'[axis]}"] = Scalar(mass, unit, meaning)
        if self.growth is not None:
            largest = int(self.growth.argmax()) if len(self.growth) else -1
            growth = float(self.growth[largest]) if largest >= 0 else 0.0
            found = float(self.frequency[largest]) if largest >= 0 else 0.0
            out["modes.max_growth"] = Scalar(growth, "1/s", "largest growth rate of all modes")
            out["modes.max_growth_frequency"] = Scalar(found, "Hz", "frequency of that mode")
            out["modes.unstable"] = Scalar(
                float(len(self.unstable)), "1", "number of growing modes"
            )
        return out


@dataclass
class PeriodicBranch:
    """Periodic motions along a branch: forced over the frequency, or free over the energy.

    type: `forced` or `free`. frequency: (n,) Hz; energy: (n,) at t = 0, J. measures[quantity] has
    the arrays (n,) `amplitude`, `harmonic`, `maximum`, `minimum` in units[quantity]. multipliers:
    (n, s) Floquet multipliers, the largest first; stable: (n,). at: number of a requested
    frequency → its point. bifurcations: a description of each change of stability.
    """

    type: str
    frequency: Array
    energy: Array
    measures: dict[str, dict[str, Array]]
    units: dict[str, str]
    multipliers: Any
    stable: Mask
    at: dict[str, int]
    bifurcations: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    warnings: list[RunWarning] = field(default_factory=list)

    def scalars(self) -> dict[str, Scalar]:
        """Return the numbers of the branch as scalars of a run."""
        unstable = float((~self.stable).sum())
        out = {
            "response.points": Scalar(float(len(self.frequency)), "1", "points of the branch"),
            "response.unstable": Scalar(unstable, "1", "unstable points of the branch"),
        }
        for name, arrays in self.measures.items():
            i = int(arrays["amplitude"].argmax())
            own, largest, f = f"response.{name}", arrays["amplitude"][i], self.frequency[i]
            out[f"{own}.largest"] = Scalar(
                float(largest), self.units[name], f"largest amplitude of {name}"
            )
            out[f"{own}.largest_frequency"] = Scalar(float(f), "Hz", "frequency of that point")
        for place, i in {**self.at, "end": len(self.frequency) - 1}.items():
            out |= self._point(f"response.{place}", i)
        return out

    def _point(self, own: str, i: int) -> dict[str, Scalar]:
        """Return the numbers of one point."""
        largest = float(abs(self.multipliers[i, 0]))
        out = {
            f"{own}.frequency": Scalar(float(self.frequency[i]), "Hz", "frequency of the motion"),
            f"{own}.energy": Scalar(float(self.energy[i]), "J", "energy at t = 0"),
            f"{own}.multiplier": Scalar(largest, "1", "largest Floquet multiplier, absolute value"),
        }
        for name, arrays in self.measures.items():
            for measure, values in arrays.items():
                meaning = f"{measure} of {name} over a period"
                out[f"{own}.{name}.{measure}"] = Scalar(float(values[i]), self.units[name], meaning)
        return out


@dataclass
class Interval:
    """A time interval in one state, of one mass, obstacle or contact pair."""

    name: str
    state: str  # "stick", "slip", "contact", "open"
    start: float
    end: float


@dataclass
class RunRecord:
    """All results of a run."""

    history: History
    # columns requested by the study, where the history is thinned
    every_step: History | None = None
    scalars: dict[str, Scalar] = field(default_factory=dict)
    key_figures: list[KeyFigure] = field(default_factory=list)
    intervals: list[Interval] = field(default_factory=list)
    mesh: ModelMesh | None = None
    fields: FieldSeries | None = None
    surfaces: dict[str, SurfaceSeries] = field(default_factory=dict)
    warnings: list[RunWarning] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # automatic choices, with their reasons
    statistics: dict[str, Any] = field(default_factory=dict)  # steps, iterations, cutbacks
    timings: dict[str, float] = field(default_factory=dict)  # s, by stage
    failure: str | None = None  # why the run did not complete, if it did not
    modes: ModeSet | None = None
    response: PeriodicBranch | None = None
    # final state, the initial state of a continued run
    end: dict[str, Array] = field(default_factory=dict)
    origin: dict[str, str] = field(default_factory=dict)  # date, host, ranks, command, digests

    @property
    def trusted(self) -> bool:
        """Return True if all quality limits are met and no warning marks the results as wrong."""
        within = all(scalar.within_limit for scalar in self.scalars.values())
        return within and not any(warning.wrong for warning in self.warnings)


Value = float | str | list[float]
"""A value of a swept key."""


@dataclass
class SweepRecord:
    """Results of a sweep: the saved numbers of every combination of the axis values.

    axes: swept key → its values, in the study's order; results[name] has the shape
    (len of axis 1, len of axis 2, …), NaN where a run failed; units[name] its SI unit. linked:
    further keys → their values, which vary together with those of the first axis.
    """

    axes: dict[str, list[Value]]
    results: dict[str, Array]
    units: dict[str, str] = field(default_factory=dict)
    linked: dict[str, list[Value]] = field(default_factory=dict)
    failed: int = 0  # combinations without a result
    doubtful: int = 0  # combinations with a quality measure beyond its limit
    warnings: list[RunWarning] = field(default_factory=list)
    timings: dict[str, float] = field(default_factory=dict)  # s, by stage
    origin: dict[str, str] = field(default_factory=dict)  # date, host, ranks, command, digests


class StepReport(NamedTuple):
    """Progress data passed to a callback (the progress bar) after each step.

    time, end: current and final time, s; step: size of the step, s; number: of the step, from 1;
    iterations: of the step; stick, slip, open: number of slave nodes or obstacles in each status.

    >>> fecontact.run(study, callback=lambda report: print(report.time, report.iterations))
    """

    time: float
    end: float
    step: float
    number: int
    iterations: int = 0
    stick: int = 0
    slip: int = 0
    open: int = 0
