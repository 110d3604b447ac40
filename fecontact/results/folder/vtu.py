"""VTK XML files of unstructured grids (.vtu) and their time series (.pvd).

Every array is a zlib stream in base64 (VTK User's Guide, VTK File Formats). The grid is the same at
all times and is compressed once. The fields are stored uncompressed: the digits of computed numbers
are nearly random, so compression would take longer than the computation and save little.
"""

from __future__ import annotations

import sys
import zlib
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from fecontact.results.folder.files import write_text, written_whole

CELL_TYPES = {2: 3, 3: 5, 4: 9, 6: 22, 8: 23}
"""VTK's numbers of line, triangle, quad, quadratic triangle and quadratic quad, by their nodes."""

_TYPES = {"f8": "Float64", "f4": "Float32", "i4": "Int32", "u1": "UInt8"}
_COMPRESSED, _STORED = 6, 0  # levels of zlib

Data = Mapping[str, np.ndarray]
"""Name → array with a row for each point or cell."""


@dataclass(frozen=True)
class Grid:
    """Points (N, 2), m, and cells (M, k) with their time-independent data."""

    points: np.ndarray
    cells: np.ndarray
    cell_data: Data

    @cached_property
    def xml(self) -> bytes:
        """Return the sections of the file that do not change in time."""
        from fecontact.mesh.cells import TRIANGLE_IN, by_kind  # not for lumped runs

        size, kind = np.zeros(len(self.cells), np.int32), np.zeros(len(self.cells), np.uint8)
        taken = np.zeros(self.cells.shape, dtype=bool)
        for rows, own in by_kind(self.cells):
            nodes, width = own.shape[1], self.cells.shape[1]
            size[rows], kind[rows] = nodes, CELL_TYPES[nodes]
            columns = np.arange(width) if nodes == width else TRIANGLE_IN[width]
            taken[np.ix_(rows, columns)] = True
        cells: Data = {
            "connectivity": self.cells[taken].astype(np.int32),
            "offsets": np.cumsum(size, dtype=np.int32),
            "types": kind,
        }
        return (
            _section("Points", {"Points": spatial(self.points)}, _COMPRESSED)
            + _section("Cells", cells, _COMPRESSED)
            + _section("CellData", self.cell_data, _COMPRESSED)
        )


def spatial(plane: np.ndarray) -> np.ndarray:
    """Return (N, 2) as (N, 3), as VTK requires for points and vectors."""
    return np.column_stack([plane, np.zeros(len(plane))])


def write_vtu(path: Path, grid: Grid, point_data: Data) -> None:
    """Write a grid and its point data at one time."""
    order = "LittleEndian" if sys.byteorder == "little" else "BigEndian"
    head = (
        '<?xml version="1.0"?>\n<VTKFile type="UnstructuredGrid" version="1.0" '
        f'byte_order="{order}" header_type="UInt64" compressor="vtkZLibDataCompressor">\n'
        "<UnstructuredGrid>\n"
        f'<Piece NumberOfPoints="{len(grid.points)}" NumberOfCells="{len(grid.cells)}">\n'
    )
    carried = _section("PointData", point_data, _STORED)
    with written_whole(path) as temporary, temporary.open("wb") as file:
        file.writelines([head.encode(), grid.xml, carried])
        file.write(b"</Piece>\n</UnstructuredGrid>\n</VTKFile>\n")


def write_pvd(path: Path, times: Sequence[float], files: Sequence[str]) -> None:
    """Write ParaView's list of times and files."""
    entries = "".join(
        f'    <DataSet timestep="{time!r}" file="{file}"/>\n'
        for time, file in zip(times, files, strict=True)
    )
    write_text(
        path,
        '<?xml version="1.0"?>\n<VTKFile type="Collection" version="0.1">\n  <Collection>\n'
        f"{entries}  </Collection>\n</VTKFile>\n",
    )


def _section(name: str, arrays: Data, level: int) -> bytes:
    content = [part for one, values in arrays.items() for part in _data_array(one, values, level)]
    return b"".join([f"<{name}>\n".encode(), *content, f"</{name}>\n".encode()])


def _data_array(name: str, values: np.ndarray, level: int) -> tuple[bytes, ...]:
    """Return an array in one block. Header: blocks, size, size of a partial block, packed size."""
    packed = zlib.compress(np.ascontiguousarray(values).data, level)
    header = np.array([1, values.nbytes, 0, len(packed)], dtype=np.uint64)
    columns = f' NumberOfComponents="{values.shape[1]}"' if values.ndim == 2 else ""
    kind = _TYPES[values.dtype.str[1:]]
    tag = f'<DataArray type="{kind}" Name="{name}"{columns} format="binary">'
    base64 = b64encode(header.tobytes()), b64encode(packed)
    return tag.encode(), *base64, b"</DataArray>\n"
