"""Fields and contact surfaces of a run at the saved times."""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.dynamics.loop import TimeLoop
from fecontact.record import FieldSeries, SurfaceSeries
from fecontact.simulation.output.append_buffer import AppendBuffer, rate
from fecontact.solid.solid import Solid

FIELDS = {"displacement": 2, "velocity": 2, "stress": 4}  # number of components
OF_YIELD = {"plastic_strain": 1}  # additional field with elastoplastic bodies


class Snapshots:
    """Displacement, velocity, stress and (elastoplastic bodies) plastic strain of all nodes.

    The fields are stored on rank 0.
    """

    def __init__(self, solid: Solid, loop: TimeLoop) -> None:
        self._solid, self._loop = solid, loop
        nodes = len(solid.mesh.points)
        self._time = AppendBuffer(())
        self.fields = FIELDS | OF_YIELD if solid.yields else FIELDS
        self._saved = {name: AppendBuffer((nodes, n)) for name, n in self.fields.items()}

    def present(self, name: str) -> Array:
        """Return a field at the current time, (N, components), on rank 0 (collective)."""
        solid, t = self._solid, self._loop.time
        u, v = (x[: solid.size] for x in (self._loop.now.u, self._loop.now.v))
        if name == "stress":
            return solid.stress(u, t)
        if name == "plastic_strain":
            return solid.plastic_strain()[:, None]
        return solid.nodal(v, t, 1) if name == "velocity" else solid.nodal(u, t)

    def keep(self) -> dict[str, Array]:
        """Append the current fields and return them, on rank 0 (collective)."""
        fields = {name: self.present(name) for name in self.fields}
        if self._solid.comm.rank == 0:
            self._time.append(self._loop.time)
            for name, values in fields.items():
                self._saved[name].append(values)
        return fields

    def series(self) -> FieldSeries | None:
        """Return the fields saved so far; None if no fields were saved."""
        if self._time.count == 0:
            return None
        saved = {name: table.rows.copy() for name, table in self._saved.items()}
        return FieldSeries(self._time.rows.copy(), **saved)

    def state(self) -> dict[str, Array]:
        """Return all saved fields as arrays."""
        return {"time": self._time.rows} | {k: table.rows for k, table in self._saved.items()}

    def restore(self, state: dict[str, Array]) -> None:
        """Replace all saved fields."""
        self._time.restore(state["time"])
        for name, table in self._saved.items():
            table.restore(state[name])


class Surfaces:
    """Pressure, traction, gap, slip, wear, friction state and status of the slave nodes of each
    pair, and wear of the masters.
    """

    def __init__(self, loop: TimeLoop) -> None:
        self._loop = loop
        self._time = AppendBuffer(())
        self._saved = AppendBuffer(loop.contact.surface_state().shape)
        self._master_wear = AppendBuffer(loop.contact.wear.of_master.shape)

    def keep(self, surface: Array) -> None:
        """Append the current state of all pairs; surface: as :meth:`ContactState.surface_state`."""
        self._master_wear.append(self._loop.contact.wear.of_master)
        self._time.append(self._loop.time)
        self._saved.append(surface)

    def series(self) -> dict[str, SurfaceSeries]:
        """Return the surfaces saved so far, by pair."""
        contact, time = self._loop.contact, self._time.rows.copy()
        series = {}
        for pair, edge in contact.layout.edges.items():
            saved = contact.surface(pair, self._saved.rows)
            power = rate(time, saved.pop("wear_work"))
            status = saved.pop("status").astype(np.int8)
            own = SurfaceSeries(
                time,
                edge.node,
                edge.arc,
                saved["pressure"],
                saved["traction"],
                saved["gap"],
                saved["slip"],
                status,
                power,
                saved["wear_depth"],
                saved["friction_state"] if contact.friction.stateful(pair) else None,
                saved["bonded"] if contact.adhesion.bonds(pair) else None,
            )
            own.length = edge.length
            series[pair] = own
            if pair in contact.wear.masters:
                nodes, own.master_arc = contact.wear.masters[pair]
                own.master_nodes = contact.nodes.node[nodes]
                own.master_wear = self._master_wear.rows[:, nodes].copy()
        return series

    def state(self) -> dict[str, Array]:
        """Return all saved surfaces as arrays."""
        return {
            "time": self._time.rows,
            "saved": self._saved.rows,
            "master_wear": self._master_wear.rows,
        }

    def restore(self, state: dict[str, Array]) -> None:
        """Replace all saved surfaces."""
        self._time.restore(state["time"])
        self._saved.restore(state["saved"])
        self._master_wear.restore(state["master_wear"])
