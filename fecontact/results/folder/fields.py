"""Fields for ParaView: fields/solid.pvd and fields/contact.pvd, one .vtu per saved time each.

A .pvd is ParaView's list of times and files. VTU carries quad8 (VTK_QUADRATIC_QUAD) and opens
without conversion or plug-in; of the formats that carry both quad8 and time, XDMF needs a choice
among three readers in ParaView and cannot store a stress of four components. Velocities and
stresses are for display and have seven digits; arrays.npz of the result folder has all.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from fecontact.arrays import Array
from fecontact.record import RunRecord, SurfaceSeries
from fecontact.results.folder.vtu import Data, Grid, spatial, write_pvd, write_vtu
from fecontact.stress import von_mises


def write_fields(folder: Path, record: RunRecord) -> list[Path]:
    """Write solid and contact series of a run into FOLDER/fields; return the .pvd files."""
    if record.fields is None or record.mesh is None:
        return []
    times = range(len(record.fields.time))
    solid = (solid_at(record, k) for k in times)
    written = [_write_series(folder, "solid", record, solid_grid(record), solid)]
    if record.surfaces:
        contact = (contact_at(record, k) for k in times)
        grid = contact_grid(record)
        written.append(_write_series(folder, "contact", record, grid, contact))
    return written


def solid_grid(record: RunRecord) -> Grid:
    """Return the grid of the undeformed bodies; cell data `group` numbers the element groups."""
    assert record.mesh is not None
    mesh = record.mesh
    groups = np.full(len(mesh.cells), -1, dtype=np.int32)
    for number, cells in enumerate(mesh.cell_groups.values()):
        groups[cells] = number
    return Grid(mesh.points, mesh.cells, {"group": groups})


def solid_at(record: RunRecord, k: int) -> Data:
    """Return the nodal fields at the k-th saved time: displacement, velocity, stress and, for
    elastoplastic bodies, the equivalent plastic strain.
    """
    assert record.mesh is not None and record.fields is not None
    fields = record.fields
    stress = np.zeros((len(record.mesh.points), 6), np.float32)  # xx, yy, zz, xy, yz, xz
    stress[:, :4] = fields.stress[k]
    flown = fields.plastic_strain
    more = {} if flown is None else {"plastic strain": flown[k, :, 0].astype(np.float32)}
    return more | {
        # For a body that has slid far, the deformation is in the last digits of its displacement.
        "displacement": spatial(fields.displacement[k]),
        "velocity": spatial(fields.velocity[k]).astype(np.float32),
        "stress": stress,
        "von Mises stress": von_mises(fields.stress[k]).astype(np.float32),
    }


def contact_grid(record: RunRecord) -> Grid:
    """Return the slave edges of all pairs; cell data `pair` numbers them in the
    order of the study.
    """
    assert record.mesh is not None
    lines, pairs, first = [], [], 0
    for number, surface in enumerate(record.surfaces.values()):
        count = len(surface.nodes)
        start = first + np.arange(count - 1)
        lines.append(np.column_stack([start, start + 1]))
        pairs.append(np.full(count - 1, number, dtype=np.int32))
        first += count
    points = record.mesh.points[_slave_nodes(record)]
    return Grid(points, np.concatenate(lines), {"pair": np.concatenate(pairs)})


def contact_at(record: RunRecord, k: int) -> Data:
    """Return the contact quantities on the slave edges at the k-th saved time of the fields.

    Pressure, traction, gap, slip and status, which is 0 open, 1 stick, 2 slip.
    """
    assert record.fields is not None
    data: dict[str, list[Array]] = {}
    for surface in record.surfaces.values():
        for name, values in surface_at(surface, float(record.fields.time[k])).items():
            data.setdefault(name, []).append(values)
    moved = spatial(record.fields.displacement[k][_slave_nodes(record)])
    return {name: np.concatenate(parts) for name, parts in data.items()} | {"displacement": moved}


def _slave_nodes(record: RunRecord) -> np.ndarray:
    return np.concatenate([surface.nodes for surface in record.surfaces.values()])


def surface_at(surface: SurfaceSeries, time: float) -> dict[str, Array]:
    """Return the quantities of a contact surface at the saved step nearest to a time."""
    k = int(np.argmin(np.abs(surface.time - time)))
    carried = {
        "pressure": surface.pressure[k],
        "traction": surface.traction[k],
        "gap": surface.gap[k],
        "slip": surface.slip[k],
        "status": surface.status[k].astype(np.int32),
    }
    for name in ("work_rate", "wear_depth", "friction_state", "bonded"):
        values = getattr(surface, name)
        if values is not None:
            carried[name.replace("_", " ")] = values[k]
    return carried


def _write_series(
    folder: Path, name: str, record: RunRecord, grid: Grid, carried: Iterable[Data]
) -> Path:
    assert record.fields is not None
    files = []
    for k, data in enumerate(carried):
        files.append(f"{name}-{k:05d}.vtu")
        write_vtu(folder / "fields" / files[-1], grid, data)
    path = folder / "fields" / f"{name}.pvd"
    write_pvd(path, [float(time) for time in record.fields.time], files)
    return path
