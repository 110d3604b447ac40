"""Modes in a result folder: modes.csv, modes.npz, fields/modes.pvd for ParaView and modes.html.

In ParaView the time of modes.pvd is the number of the mode: choose `Warp By Vector` with the field
`shape`. Complex modes have a second field, `shape, quarter period later`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table

from fecontact.arrays import Array
from fecontact.record import ModeSet
from fecontact.results.drawing.geometry import outline
from fecontact.results.folder import tabular
from fecontact.results.folder.files import write_text, written_whole
from fecontact.results.folder.vtu import Data, Grid, spatial, write_pvd, write_vtu
from fecontact.results.report import html
from fecontact.results.report.packing import pack_arrays, script_json

PAGE = "modes.html"
_NEGLIGIBLE = 1e-9  # an effective mass below this, in %, is round-off
_LISTED = 30  # modes on the terminal; all are in modes.csv
_SCRIPTS = ("unpack.js", "colours.js", "modes.js")


def write_modes(folder: Path, title: str, modes: ModeSet, page: bool = True) -> list[Path]:
    """Write the modes into a folder; return the files to open first."""
    header, table = _table(modes)
    tabular.write_table(folder / "modes.csv", header, table)
    _write_arrays(folder / "modes.npz", modes)
    if modes.mesh is None:
        return [folder / "modes.csv"]
    files = [_write_fields(folder, modes)]
    return [*files, _write_page(folder / PAGE, title, modes)] if page else files


def _write_arrays(path: Path, modes: ModeSet) -> None:
    """Write frequencies and shapes as plain arrays."""
    growth = np.zeros(0) if modes.growth is None else modes.growth
    arrays = {
        "frequency": modes.frequency, "growth": growth, "damping": modes.damping,
        "shapes": modes.shapes, "mass": modes.mass, "effective_mass": modes.effective,
        "mesh_error": modes.mesh_error, "rigid": np.array(modes.rigid, np.str_),
    }  # fmt: skip
    if modes.mesh is not None:
        arrays |= {"points": modes.mesh.points, "cells": modes.mesh.cells}
    with written_whole(path) as temporary, temporary.open("wb") as file:
        np.savez(file, **arrays)


def _columns(modes: ModeSet) -> dict[str, Array]:
    """Return the numbers of the modes by name and unit, as the table shows them."""
    columns: dict[str, Array] = {"frequency [Hz]": modes.frequency}
    if modes.growth is not None:
        columns["growth [1/s]"] = modes.growth
    columns["damping [1]"] = modes.damping
    columns[f"modal mass [kg{modes.per_depth}]"] = modes.mass
    if len(modes.effective):
        share = 100.0 * modes.effective / np.maximum(modes.moving, 1e-300)
        share[share < _NEGLIGIBLE] = 0.0
        columns |= {f"effective mass {axis} [%]": share[:, i] for i, axis in enumerate("xy")}
    if len(modes.mesh_error):
        columns["mesh error [1]"] = modes.mesh_error
    return columns


def _table(modes: ModeSet) -> tuple[list[str], Array]:
    """Return the header and the rows of modes.csv."""
    columns = _columns(modes)
    numbers = np.arange(1, len(modes.frequency) + 1, dtype=float)
    return ["mode", *columns], np.column_stack([numbers, *columns.values()])


def _write_fields(folder: Path, modes: ModeSet) -> Path:
    """Write the shapes for ParaView."""
    assert modes.mesh is not None
    grid = Grid(modes.mesh.points, modes.mesh.cells, {})
    files = []
    for n, shape in enumerate(np.asarray(modes.shapes), 1):
        files.append(f"modes-{n:05d}.vtu")
        data: dict[str, np.ndarray] = {"shape": spatial(shape.real.astype(float))}
        if modes.growth is not None:
            data["shape, quarter period later"] = spatial(-shape.imag.astype(float))
        carried: Data = data
        write_vtu(folder / "fields" / files[-1], grid, carried)
    path = folder / "fields" / "modes.pvd"
    write_pvd(path, [float(n) for n in range(1, len(files) + 1)], files)
    return path


def _write_page(path: Path, title: str, modes: ModeSet) -> Path:
    """Write the page with the table and the animated shapes."""
    assert modes.mesh is not None
    shapes = np.asarray(modes.shapes)
    arrays: dict[str, np.ndarray] = {
        "points": modes.mesh.points,
        "cells": outline(modes.mesh.cells).astype(np.uint32),
        "real": shapes.real.astype(np.float32),
        "imaginary": (shapes.imag if modes.growth is not None else shapes[:0]).astype(np.float32),
    }
    data = {
        "packed": pack_arrays(arrays),
        "cellNodes": outline(modes.mesh.cells).shape[1],
        "nodes": len(modes.mesh.points),
        "frequencies": [float(f"{f:.9g}") for f in modes.frequency],
        "growth": [] if modes.growth is None else [float(f"{g:.9g}") for g in modes.growth],
        "unstable": modes.unstable,
        "opens": modes.unstable[0] if modes.unstable else 0,
    }
    header, table = _table(modes)
    rows = [(f"{n + 1}", *(f"{value:.6g}" for value in table[n, 1:])) for n in range(len(table))]
    content = html.page(
        "modes.html",
        title=html.text(title),
        style=html.asset("style.css"),
        state=html.text(describe_state(modes)),
        messages=html.messages("warning", modes.warnings) + html.messages("note", _notes(modes)),
        table=html.table(header, rows, kind="modes"),
        data=script_json(data),
        scripts="\n".join(html.asset(name) for name in _SCRIPTS),
    )
    write_text(path, content)
    return path


def describe_state(modes: ModeSet) -> str:
    """Return the state about which the modes were computed, in one line."""
    kind = "Complex modes of steady sliding" if modes.growth is not None else "Natural modes"
    words = {
        "status": f"{modes.tied} contacts stick, {modes.sliding} slide",
        "tied": f"{modes.tied} closed contact nodes tied",
        "frictionless": f"{modes.sliding} closed contact nodes sliding without friction",
        "open": "contact open",
    }[modes.contact]
    contact = f"; {words}" if modes.tied or modes.sliding or modes.contact == "open" else ""
    return f"{kind} about the state at t = {modes.time:g} s{contact}"


def _notes(modes: ModeSet) -> list[str]:
    """Return notes on rigid-body modes, instabilities and the sum of effective masses."""
    notes = [f"rigid-body mode: {name}" for name in modes.rigid]
    notes += [
        f"mode {n + 1} is unstable: growth rate {modes.growth[n]:.4g} 1/s, "
        f"frequency {modes.frequency[n]:.6g} Hz"
        for n in modes.unstable
        if modes.growth is not None
    ]
    if len(modes.effective):
        share = 100.0 * modes.effective.sum(axis=0) / np.maximum(modes.moving, 1e-300)
        notes.append(
            f"these modes have {share[0]:.1f} % of the mass of the free dofs in x and "
            f"{share[1]:.1f} % in y"
        )
    return [*notes, *modes.notes]


def print_modes(modes: ModeSet) -> None:
    """Print the state, the table of modes and the notes."""
    console = Console(highlight=False)
    console.print(describe_state(modes), soft_wrap=True, markup=False)
    table = Table(header_style="bold", pad_edge=False, box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    columns, grows = _columns(modes), set(modes.unstable)
    for name in ("mode", *columns):
        title, _, unit = name.partition(" [")
        table.add_column(f"{title}\n\\[{unit}" if unit else title, justify="right")
    for n, row in enumerate(zip(*columns.values(), strict=True)):
        style = "bold red" if n in grows else ""
        if n < _LISTED or n in grows:
            table.add_row(str(n + 1), *(f"{value:.6g}" for value in row), style=style)
    console.print(table)
    if len(modes.frequency) > _LISTED:
        console.print(f"modes.csv lists all {len(modes.frequency)} modes", markup=False)
    for note in _notes(modes):
        console.print(f"note: {note}", soft_wrap=True, markup=False)
    for warning in modes.warnings:
        console.print(f"warning: {warning}", soft_wrap=True, markup=False)
