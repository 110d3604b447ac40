"""What a run leaves: histories, scalars, snapshots of fields and of the contact surfaces.

Plain arrays, no physics: the finite-element part and the lumped part fill the same record, and
:mod:`fecontact.results` writes, draws and checks it without knowing how it was computed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from fecontact.arrays import Array, Integers, Statuses

OPEN, STICK, SLIP = 0, 1, 2
"""Status of a contact node."""


@dataclass
class History:
    """Columns against time: one row per kept step.

    ``columns[name]`` has shape (n,); ``units[name]`` is its SI unit ("1" for a pure number).
    """

    time: Array
    columns: dict[str, Array] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Scalar:
    """One number of a run with its unit and its meaning.

    A number that tells how far the run is to be trusted (contact residual, penetration, energy
    closure) states its limit: beyond it the run is not, and its table, report and exit code say so.
    """

    value: float
    unit: str
    meaning: str = ""
    limit: float | None = None  # largest |value| of an honest run

    @property
    def within_limit(self) -> bool:
        """False if the value is beyond its limit, or not a number."""
        return self.limit is None or abs(self.value) <= self.limit


Level = Literal["worth a look", "not trusted"]


class RunWarning(str):
    """A warning of a run: its text, and what follows from it.

    level: "not trusted" if the results are wrong, "worth a look" if they may be. The text begins
    with the key or the quantity that it is about, and a colon.
    """

    level: Level

    def __new__(cls, text: str, level: Level = "worth a look") -> RunWarning:
        self = super().__new__(cls, text)
        self.level = level
        return self

    @property
    def wrong(self) -> bool:
        """True if the results of the run are wrong."""
        return self.level == "not trusted"


def wrong(text: str) -> RunWarning:
    """Return a warning after which a run is not trusted."""
    return RunWarning(text, "not trusted")


@dataclass(frozen=True)
class ModelMesh:
    """The undeformed mesh as it is drawn: nodes, cells in VTK node order, groups.

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
    """Nodal fields at the kept times: displacement (T, N, 2) m, velocity (T, N, 2) m/s,
    stress (T, N, 4) Pa as xx, yy, zz, xy (averaged to the nodes of each body); of runs with bodies
    that may yield plastic_strain (T, N, 1), the equivalent one."""

    time: Array
    displacement: Array
    velocity: Array
    stress: Array
    plastic_strain: Array | None = None


@dataclass
class SurfaceSeries:
    """One contact pair at every kept step, slave nodes in order along the edge.

    nodes: (S,) indices into ``ModelMesh.points``; arc: (S,) arc length along the slave edge, m.
    pressure, traction: (T, S) Pa (pressure ≥ 0, but of bonds; traction along the tangent); gap:
    (T, S) m; slip: (T, S) accumulated slip distance, m; status: (T, S) of OPEN, STICK, SLIP.
    work_rate: (T, S) pressure times slip velocity, W/m²; wear_depth: (T, S) off the slave, m;
    friction_state: (T, S) of the friction law, in its unit; bonded: (T, S) 1 or 0. Where the master
    wears: master_nodes, master_arc (M,) m, master_worn (T, M) off it, m.
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
    master_worn: Array | None = None


@dataclass
class Interval:
    """A stretch of time in one state, of one mass, obstacle or contact pair."""

    name: str
    state: str  # "stick", "slip", "contact", "open"
    start: float
    end: float


@dataclass
class RunRecord:
    """Everything a run leaves."""

    history: History
    every_step: History | None = None  # columns that are asked for, where the history is thinned
    scalars: dict[str, Scalar] = field(default_factory=dict)
    intervals: list[Interval] = field(default_factory=list)
    mesh: ModelMesh | None = None
    fields: FieldSeries | None = None
    surfaces: dict[str, SurfaceSeries] = field(default_factory=dict)
    warnings: list[RunWarning] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # choices made for the user, with their reasons
    statistics: dict[str, Any] = field(default_factory=dict)  # steps, iterations, cuts
    timings: dict[str, float] = field(default_factory=dict)  # s, by stage
    failure: str | None = None  # why the run could not go on, if it did not end
    end: dict[str, Array] = field(default_factory=dict)  # its state then, for a run that begins so
    origin: dict[str, str] = field(default_factory=dict)  # date, host, ranks, command, digests

    @property
    def trusted(self) -> bool:
        """True if all quality limits are met and no warning says that results are wrong."""
        within = all(scalar.within_limit for scalar in self.scalars.values())
        return within and not any(warning.wrong for warning in self.warnings)


@dataclass
class SweepRecord:
    """What a sweep leaves: the kept numbers of every combination of the axes' values.

    axes: swept key → its values, in the study's order; results[name] has the shape
    (len of axis 1, len of axis 2, …), NaN where a run failed; units[name] its SI unit.
    """

    axes: dict[str, list[float | str]]
    results: dict[str, Array]
    units: dict[str, str] = field(default_factory=dict)
    failed: int = 0  # combinations without a result
    doubtful: int = 0  # combinations with a number beyond its limit
    warnings: list[RunWarning] = field(default_factory=list)
    timings: dict[str, float] = field(default_factory=dict)  # s, by stage
    origin: dict[str, str] = field(default_factory=dict)  # date, host, ranks, command, digests


class StepReport(NamedTuple):
    """What a callback (the progress bar) is told after each step."""

    time: float
    end: float
    step: float
    number: int
    iterations: int = 0
    stick: int = 0
    slip: int = 0
    open: int = 0
