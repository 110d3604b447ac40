"""Export of a result to pandas, xarray, and CSV along a contact edge."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from fecontact.record import RunRecord, SurfaceSeries
from fecontact.results.folder.tabular import write_table
from fecontact.study.base import closest, in_toml, there_are
from fecontact.study.errors import InputError

_CARRIED = {
    "pressure": "Pa",
    "traction": "Pa",
    "gap": "m",
    "slip": "m",
    "status": "0 open, 1 stick, 2 slip",
    "work_rate": "W/m²",
    "wear_depth": "m",
    "friction_state": "of the law",
    "bonded": "1 bonded, 0 not",
}
_FIELDS = {
    "displacement": ("m", ["x", "y"]),
    "velocity": ("m/s", ["x", "y"]),
    "stress": ("Pa", ["xx", "yy", "zz", "xy"]),
    "plastic_strain": ("1", ["equivalent"]),
}


def to_pandas(record: RunRecord) -> Any:
    """Return the histories as a pandas DataFrame over time, s; units: ``frame.attrs["units"]``."""
    pandas = _imported("pandas")
    index = pandas.Index(record.history.time, name="time")
    frame = pandas.DataFrame(record.history.columns, index=index)
    frame.attrs["units"] = dict(record.history.units)
    return frame


def to_xarray(record: RunRecord) -> Any:
    """Return histories, fields and contact surfaces as one xarray Dataset with
    units as attributes.

    Fields are over (field_time, node, component), contact quantities over (PAIR_time, PAIR_arc).
    """
    xarray = _imported("xarray")
    variables: dict[str, Any] = {}
    coordinates: dict[str, Any] = {"time": ("time", record.history.time, {"units": "s"})}
    for name, values in record.history.columns.items():
        variables[name] = ("time", values, {"units": record.history.units.get(name, "")})
    if record.fields is not None:
        coordinates["field_time"] = ("field_time", record.fields.time, {"units": "s"})
        for name, (unit, components) in _FIELDS.items():
            if getattr(record.fields, name) is None:
                continue
            along = f"{name}_component"
            coordinates[along] = components
            values = getattr(record.fields, name)
            variables[name] = (("field_time", "node", along), values, {"units": unit})
    if record.mesh is not None:
        coordinates["x"] = ("node", record.mesh.points[:, 0], {"units": "m"})
        coordinates["y"] = ("node", record.mesh.points[:, 1], {"units": "m"})
    for pair, surface in record.surfaces.items():
        coordinates[f"{pair}_time"] = (f"{pair}_time", surface.time, {"units": "s"})
        coordinates[f"{pair}_arc"] = (f"{pair}_arc", surface.arc, {"units": "m"})
        for name, values in _carried(surface).items():
            variables[f"{pair}.{name}"] = (
                (f"{pair}_time", f"{pair}_arc"), values, {"units": _CARRIED[name]},
            )  # fmt: skip
    return xarray.Dataset(variables, coordinates)


def write_edge(record: RunRecord, pair: str, path: Path) -> Path:
    """Write the contact quantities along a slave edge as CSV: one row per saved step and node."""
    if pair not in record.surfaces:
        known = record.surfaces
        near = closest(pair, known) or there_are(known)
        raise InputError(f"contact pair {in_toml(pair)} not found{near}")
    surface = record.surfaces[pair]
    carried = _carried(surface)
    steps, nodes = len(surface.time), len(surface.nodes)
    columns = [np.repeat(surface.time, nodes), np.tile(surface.arc, steps)]
    columns += [np.asarray(values, dtype=float).ravel() for values in carried.values()]
    header = ["time [s]", "arc [m]", *(f"{name} [{_CARRIED[name]}]" for name in carried)]
    write_table(path, header, np.column_stack(columns))
    return path


def _carried(surface: SurfaceSeries) -> dict[str, np.ndarray]:
    found = {name: getattr(surface, name) for name in _CARRIED}
    return {name: values for name, values in found.items() if values is not None}


def _imported(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise InputError(f"{name} is not installed. Install it to export results.") from None
