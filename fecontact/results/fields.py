"""Fields for ParaView: fields/solid.pvd and fields/contact.pvd, one .vtu per kept time each.

A .pvd is ParaView's list of times and files. VTU carries QUAD8 (VTK_QUADRATIC_QUAD) and opens
without conversion or plug-in; of the formats that carry both QUAD8 and time, XDMF needs a choice
among three readers in ParaView and cannot hold a stress of four components.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from fecontact.record import Array, RunRecord, SurfaceSeries
from fecontact.results.files import write_text, written_whole
from fecontact.results.stress import von_mises

if TYPE_CHECKING:
    import meshio

CELLS = {3: "triangle", 4: "quad", 6: "triangle6", 8: "quad8"}
"""meshio's names of the cells of a ModelMesh, by their number of nodes."""


def write_fields(folder: Path, record: RunRecord) -> list[Path]:
    """Write solid and contact series of a run into FOLDER/fields; returns the .pvd files."""
    if record.fields is None or record.mesh is None:
        return []
    times = range(len(record.fields.time))
    written = [_write_series(folder, "solid", record, (solid_at(record, k) for k in times))]
    if record.surfaces:
        contact = (contact_at(record, k) for k in times)
        written.append(_write_series(folder, "contact", record, contact))
    return written


def solid_at(record: RunRecord, k: int) -> meshio.Mesh:
    """The bodies at the k-th kept time of the fields: displacement, velocity, stress."""
    import meshio

    assert record.mesh is not None and record.fields is not None
    mesh, fields = record.mesh, record.fields
    stress = np.zeros((len(mesh.points), 6))  # ParaView's order: xx, yy, zz, xy, yz, xz
    stress[:, :4] = fields.stress[k]
    bodies = np.full(len(mesh.cells), -1)
    for number, cells in enumerate(mesh.cell_groups.values()):
        bodies[cells] = number
    return meshio.Mesh(
        _spatial(mesh.points),
        [(CELLS[mesh.cells.shape[1]], mesh.cells)],
        point_data={
            "displacement": _spatial(fields.displacement[k]),
            "velocity": _spatial(fields.velocity[k]),
            "stress": stress,
            "von Mises stress": von_mises(fields.stress[k]),
        },
        cell_data={"group": [bodies]},
    )


def contact_at(record: RunRecord, k: int) -> meshio.Mesh:
    """The slave edges at the k-th kept time of the fields: pressure, traction, gap, slip, status.

    Status is 0 open, 1 stick, 2 slip. Edges of all pairs stand in one mesh; cell data `pair`
    numbers them in the order of the study.
    """
    import meshio

    assert record.mesh is not None and record.fields is not None
    nodes = np.concatenate([surface.nodes for surface in record.surfaces.values()])
    lines, pairs, first = [], [], 0
    data: dict[str, list[Array]] = {}
    for number, surface in enumerate(record.surfaces.values()):
        count = len(surface.nodes)
        start = first + np.arange(count - 1)
        lines.append(np.column_stack([start, start + 1]))
        pairs.append(np.full(count - 1, number))
        first += count
        for name, values in surface_at(surface, float(record.fields.time[k])).items():
            data.setdefault(name, []).append(values)
    point_data = {name: np.concatenate(parts) for name, parts in data.items()}
    point_data["displacement"] = _spatial(record.fields.displacement[k][nodes])
    return meshio.Mesh(
        _spatial(record.mesh.points[nodes]),
        [("line", np.concatenate(lines))],
        point_data=point_data,
        cell_data={"pair": [np.concatenate(pairs)]},
    )


def surface_at(surface: SurfaceSeries, time: float) -> dict[str, Array]:
    """What a contact surface carries at the kept step nearest to a time."""
    k = int(np.argmin(np.abs(surface.time - time)))
    carried = {
        "pressure": surface.pressure[k],
        "traction": surface.traction[k],
        "gap": surface.gap[k],
        "slip": surface.slip[k],
        "status": surface.status[k].astype(np.int32),
    }
    for name in ("wear_power", "worn_depth"):
        values = getattr(surface, name)
        if values is not None:
            carried[name.replace("_", " ")] = values[k]
    return carried


def _write_series(
    folder: Path, name: str, record: RunRecord, meshes: Iterable[meshio.Mesh]
) -> Path:
    import meshio

    assert record.fields is not None
    entries = []
    for k, (time, mesh) in enumerate(zip(record.fields.time, meshes, strict=True)):
        file = f"{name}-{k:05d}.vtu"
        with written_whole(folder / "fields" / file) as temporary:
            meshio.vtu.write(temporary, mesh)
        entries.append(f'    <DataSet timestep="{float(time)!r}" file="{file}"/>\n')
    path = folder / "fields" / f"{name}.pvd"
    write_text(
        path,
        '<?xml version="1.0"?>\n<VTKFile type="Collection" version="0.1">\n  <Collection>\n'
        f"{''.join(entries)}  </Collection>\n</VTKFile>\n",
    )
    return path


def _spatial(plane: Array) -> Array:
    """(N, 2) as (N, 3), as VTK wants it."""
    return np.column_stack([plane, np.zeros(len(plane))])
