"""Periodic response in a result folder: response.csv, response.json and response.html."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table

from fecontact.arrays import Array
from fecontact.record import PeriodicBranch
from fecontact.results.charts.charts_data import Chart, Series, labelled
from fecontact.results.folder import tabular
from fecontact.results.folder.files import write_text
from fecontact.results.report import html

PAGE = "response.html"
_LISTED = 40  # points on the terminal; all are in response.csv


def write_response(
    folder: Path, title: str, branch: PeriodicBranch, page: bool = True
) -> list[Path]:
    """Write a branch into a folder; return the files to open first."""
    columns = _columns(branch)
    table = np.column_stack(list(columns.values()))
    tabular.write_table(folder / "response.csv", list(columns), table)
    write_text(folder / "response.json", json.dumps(_plain(branch), indent=1, ensure_ascii=False))
    if not page:
        return [folder / "response.csv"]
    return [folder / "response.csv", _write_page(folder / PAGE, title, branch)]


def response_charts(branch: PeriodicBranch) -> list[Chart]:
    """Return a chart of the amplitudes of each quantity over the frequency."""
    free = branch.type == "free"
    charts = []
    for name, measures in branch.measures.items():
        amplitude = labelled("amplitude", branch.units[name])
        x = branch.energy if free else branch.frequency
        y = branch.frequency if free else measures["amplitude"]
        charts.append(
            Chart(
                key=f"response-{name}",
                title="Frequency of the nonlinear mode" if free else f"Periodic response of {name}",
                x_label="energy [J]" if free else "frequency [Hz]",
                y_label="frequency [Hz]" if free else amplitude,
                series=_by_stability(x, y, branch.stable),
            )
        )
        if free:
            break
    return charts


def _by_stability(x: Array, y: Array, stable: np.ndarray) -> list[Series]:
    """Return the branch as a stable and an unstable line, which meet where stability changes."""
    series = [Series("stable", x, np.where(stable, y, np.nan))]
    if not stable.all():
        unstable = np.where(_with_neighbours(~stable), y, np.nan)
        series.append(Series("unstable", x, unstable, "unstable"))
    return series


def _with_neighbours(mask: np.ndarray) -> np.ndarray:
    """Return the mask, and the points before and after its points."""
    wide: np.ndarray = mask.copy()
    wide[1:] |= mask[:-1]
    wide[:-1] |= mask[1:]
    return wide


def _columns(branch: PeriodicBranch) -> dict[str, Array]:
    """Return the numbers of the points by name and unit."""
    largest = branch.multipliers[:, 0]
    columns = {
        "frequency [Hz]": branch.frequency,
        "energy [J]": branch.energy,
        "stable [1]": branch.stable.astype(float),
        "multiplier, real part [1]": largest.real.copy(),
        "multiplier, imaginary part [1]": largest.imag.copy(),
    }
    for name, measures in branch.measures.items():
        for measure, values in measures.items():
            columns[f"{name}, {measure} [{branch.units[name]}]"] = values
    return columns


def _plain(branch: PeriodicBranch) -> dict[str, object]:
    """Return the branch as plain data, with all multipliers."""
    return {
        "type": branch.type,
        "frequency": branch.frequency.tolist(),
        "energy": branch.energy.tolist(),
        "stable": branch.stable.tolist(),
        "multipliers": [[[m.real, m.imag] for m in row] for row in branch.multipliers.tolist()],
        "quantities": {
            name: {"unit": branch.units[name], **{m: v.tolist() for m, v in measures.items()}}
            for name, measures in branch.measures.items()
        },
        "bifurcations": branch.bifurcations,
        "notes": branch.notes,
        "warnings": [str(warning) for warning in branch.warnings],
    }


def _write_page(path: Path, title: str, branch: PeriodicBranch) -> Path:
    """Write the page with the charts and the table of points."""
    from fecontact.results.plots.curves import draw

    pictures = []
    with TemporaryDirectory() as folder:
        for i, chart in enumerate(response_charts(branch)):
            stem = Path(folder) / f"chart-{i}"
            draw(chart, stem)
            pictures.append(f"<figure>{html.picture(stem, chart.title)}</figure>")
    columns = _columns(branch)
    rows = [
        (f"{n + 1}", *(f"{value:.6g}" for value in row))
        for n, row in enumerate(zip(*columns.values(), strict=True))
    ]
    content = html.page(
        "response.html",
        title=html.text(title),
        style=html.asset("style.css"),
        state=html.text(describe_branch(branch)),
        messages=html.messages("warning", [str(w) for w in branch.warnings])
        + html.messages("note", [*branch.bifurcations, *branch.notes]),
        charts="\n".join(pictures),
        table=html.table(["point", *columns], rows),
    )
    write_text(path, content)
    return path


def describe_branch(branch: PeriodicBranch) -> str:
    """Return the extent of a branch in one line."""
    unstable = int((~branch.stable).sum())
    kind = "Nonlinear normal mode" if branch.type == "free" else "Periodic response"
    return (
        f"{kind}: {len(branch.frequency)} points from {branch.frequency[0]:.6g} to "
        f"{branch.frequency[-1]:.6g} Hz, {unstable} of them unstable"
    )


def print_response(branch: PeriodicBranch) -> None:
    """Print the branch, its table and its changes of stability."""
    console = Console(highlight=False)
    console.print(describe_branch(branch), soft_wrap=True, markup=False)
    table = Table(header_style="bold", pad_edge=False, box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    amplitudes = {
        f"{name}\n\\[{branch.units[name]}]": measures["amplitude"]
        for name, measures in branch.measures.items()
    }
    for title in ("frequency\n\\[Hz]", "energy\n\\[J]", *amplitudes, "multiplier\n\\[1]"):
        table.add_column(title, justify="right")
    shown = np.unique(np.linspace(0, len(branch.frequency) - 1, _LISTED).round().astype(int))
    for i in shown:
        row = [branch.frequency[i], branch.energy[i], *(a[i] for a in amplitudes.values())]
        row.append(abs(branch.multipliers[i, 0]))
        style = "" if branch.stable[i] else "bold red"
        table.add_row(*(f"{value:.6g}" for value in row), style=style)
    console.print(table)
    if len(shown) < len(branch.frequency):
        console.print(f"response.csv lists all {len(branch.frequency)} points", markup=False)
    for note in (*branch.bifurcations, *branch.notes):
        console.print(f"note: {note}", soft_wrap=True, markup=False)
    for warning in branch.warnings:
        console.print(f"warning: {warning}", soft_wrap=True, markup=False)
