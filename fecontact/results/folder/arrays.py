"""Mesh, fields, contact surfaces and intervals of a run in one .npz file of plain arrays.

Names (of groups, of contact pairs) are stored as arrays of text and never used as file or member
names, so a name cannot reach outside the file. Nothing is pickled.
"""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from fecontact.record import FieldSeries, Interval, ModelMesh, RunRecord, SurfaceSeries
from fecontact.results.folder.files import written_whole
from fecontact.study.errors import InputError

_FIELDS = ("time", "displacement", "velocity", "stress")
_SURFACE = ("time", "nodes", "arc", "pressure", "traction", "gap", "slip", "status")
# By slaves, for runs that have them:
_CARRIED = ("work_rate", "wear_depth", "friction_state", "bonded")
_ALONG = ("length",)  # by slaves, at all times
_OF_MASTER = ("master_nodes", "master_arc", "master_wear")  # if it wears


def write_arrays(path: Path, record: RunRecord) -> None:
    """Write the data that plots and report need besides the history."""
    content: dict[str, Any] = {
        "intervals.what": np.array([(i.name, i.state) for i in record.intervals], dtype=np.str_),
        "intervals.span": np.array([(i.start, i.end) for i in record.intervals], dtype=float),
        "surfaces": np.array(list(record.surfaces), dtype=np.str_),
    }
    if record.mesh is not None:
        content |= _pack_mesh(record.mesh)
    if record.fields is not None:
        content |= {f"fields.{name}": getattr(record.fields, name) for name in _FIELDS}
        if record.fields.plastic_strain is not None:
            content["fields.plastic_strain"] = record.fields.plastic_strain
    for number, surface in enumerate(record.surfaces.values()):
        content |= {f"surface.{number}.{name}": getattr(surface, name) for name in _SURFACE}
        for name in (*_CARRIED, *_ALONG, *_OF_MASTER):
            if getattr(surface, name) is not None:
                content[f"surface.{number}.{name}"] = getattr(surface, name)
    with written_whole(path) as temporary, temporary.open("wb") as file:
        np.savez(file, **content)


def read_arrays(path: Path, record: RunRecord) -> None:
    """Read mesh, fields, surfaces and intervals of a record from the file."""
    try:
        with np.load(path, allow_pickle=False) as file:
            content = {name: file[name] for name in file.files}
        _unpack(content, record)
    except (
        OSError,
        ValueError,
        KeyError,
        IndexError,
        EOFError,
        MemoryError,
        zipfile.BadZipFile,
    ) as error:
        raise InputError(f"{path}: not the arrays of a run: {error}") from None


def _unpack(content: dict[str, np.ndarray], record: RunRecord) -> None:
    what = content["intervals.what"].reshape(-1, 2)
    span = content["intervals.span"].reshape(-1, 2)
    record.intervals = [
        Interval(str(name), str(state), float(start), float(end))
        for (name, state), (start, end) in zip(what, span, strict=True)
    ]
    if "mesh.points" in content:
        record.mesh = _unpack_mesh(content)
    if "fields.time" in content:
        record.fields = FieldSeries(**{name: content[f"fields.{name}"] for name in _FIELDS})
        record.fields.plastic_strain = content.get("fields.plastic_strain")
        _require_fields(record.fields, record.mesh)
    for number, name in enumerate(content["surfaces"].tolist()):
        prefix = f"surface.{number}."
        surface = SurfaceSeries(**{one: content[prefix + one] for one in _SURFACE})
        for one in (*_CARRIED, *_ALONG, *_OF_MASTER):
            setattr(surface, one, content.get(prefix + one))
        _require_surface(surface, record.mesh)
        record.surfaces[name] = surface


def _pack_mesh(mesh: ModelMesh) -> dict[str, Any]:
    content: dict[str, Any] = {
        "mesh.points": mesh.points,
        "mesh.cells": mesh.cells,
        "mesh.point_groups": np.array(list(mesh.point_groups), dtype=np.str_),
        "mesh.point_nodes": np.array(list(mesh.point_groups.values()), dtype=np.int64),
    }
    for kind in ("cell_groups", "edge_groups"):
        groups = getattr(mesh, kind)
        content[f"mesh.{kind}"] = np.array(list(groups), dtype=np.str_)
        content |= {f"mesh.{kind}.{n}": group for n, group in enumerate(groups.values())}
    return content


def _unpack_mesh(content: dict[str, np.ndarray]) -> ModelMesh:
    def groups(kind: str) -> dict[str, np.ndarray]:
        names = content[f"mesh.{kind}"].tolist()
        return {name: content[f"mesh.{kind}.{n}"] for n, name in enumerate(names)}

    points = zip(content["mesh.point_groups"], content["mesh.point_nodes"], strict=True)
    mesh = ModelMesh(
        points=content["mesh.points"],
        cells=content["mesh.cells"],
        cell_groups=groups("cell_groups"),
        edge_groups=groups("edge_groups"),
        point_groups={str(name): int(node) for name, node in points},
    )
    count = len(mesh.points)
    _require_numbers(mesh.points, "points")
    _require(mesh.points.ndim == 2 and mesh.points.shape[1] == 2, "points are not (N, 2)")
    _require(mesh.cells.ndim == 2 and mesh.cells.shape[1] in (3, 4, 6, 8), "unknown cells")
    for nodes_of in (mesh.cells, content["mesh.point_nodes"], *mesh.edge_groups.values()):
        _require_indices(nodes_of, count)
    for cells in mesh.cell_groups.values():
        _require_indices(cells, len(mesh.cells))
    return mesh


def _require_fields(fields: FieldSeries, mesh: ModelMesh | None) -> None:
    _require(mesh is not None, "fields without a mesh")
    assert mesh is not None
    for name in _FIELDS:
        _require_numbers(getattr(fields, name), name)
    shape = (len(fields.time), len(mesh.points))
    for name, components in (("displacement", 2), ("velocity", 2), ("stress", 4)):
        _require(getattr(fields, name).shape == (*shape, components), f"{name} does not fit")
    plastic = fields.plastic_strain
    if plastic is not None:
        _require_numbers(plastic, "plastic_strain")
        _require(plastic.shape == (*shape, 1), "plastic_strain does not fit")


def _require_surface(surface: SurfaceSeries, mesh: ModelMesh | None) -> None:
    _require(mesh is not None, "a contact surface without a mesh")
    assert mesh is not None
    for name in _SURFACE:
        _require_numbers(getattr(surface, name), name)
    _require_indices(surface.nodes, len(mesh.points))
    shape = (len(surface.time), len(surface.nodes))
    for along in (surface.arc, surface.length):
        _require(along is None or along.shape == shape[1:], "arc does not fit")
    for name in ("pressure", "traction", "gap", "slip", "status", *_CARRIED):
        values = getattr(surface, name)
        _require(values is None or values.shape == shape, f"{name} does not fit")
    if surface.master_nodes is not None:
        _require_indices(surface.master_nodes, len(mesh.points))
        arc, wear = surface.master_arc, surface.master_wear
        _require(arc is not None and arc.shape == surface.master_nodes.shape, "arc does not fit")
        whole = (len(surface.time), len(surface.master_nodes))
        _require(wear is not None and wear.shape == whole, "wear of the master does not fit")


def _require_numbers(values: np.ndarray, name: str) -> None:
    _require(np.issubdtype(values.dtype, np.number), f"{name} are not numbers")


def _require_indices(numbers: np.ndarray, count: int) -> None:
    ok = not numbers.size or (
        np.issubdtype(numbers.dtype, np.integer) and 0 <= numbers.min() <= numbers.max() < count
    )
    _require(bool(ok), "numbers of nodes or cells that do not exist")


def _require(ok: bool, what: str) -> None:
    if not ok:
        raise ValueError(what)
