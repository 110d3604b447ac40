"""`fecontact verify --ranks`: comparison of the same studies on several numbers of MPI ranks.

Each history may differ between rank counts only by the round-off of the factorisation: the largest
difference, relative to the largest value of its kind in the run, is shown for every study.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

import click
import numpy as np

from fecontact.isolation import environment, python
from fecontact.record import History, RunRecord
from fecontact.study.errors import InputError, RunError

AGREEMENT = 1e-10  # largest relative difference of a history between two rank counts


def compare_ranks(studies: list[Path], counts: str) -> None:
    """Run the finite-element studies on each number of ranks; exit code 5 if any differs.

    A run that does not complete is reported, and the other studies are compared: exit code 3.
    """
    ranks = _rank_counts(counts)
    studies = [path for path in studies if _is_finite_element(path)]
    if not studies:
        raise InputError(
            "--ranks compares finite-element studies, but none was selected. Select at least one."
        )
    failed = stopped = False
    with tempfile.TemporaryDirectory(prefix="fecontact-ranks-") as folder:
        for path in studies:
            try:
                histories = {n: _run(path, n, Path(folder) / f"{path.stem}-{n}") for n in ranks}
            except RunError as error:
                stopped = True
                click.echo(f"{error}, FAILED")
                continue
            for n in ranks[1:]:
                difference, column = largest_difference(histories[ranks[0]], histories[n])
                passed = difference <= AGREEMENT
                failed |= not passed
                click.echo(
                    f"{path.stem}: {ranks[0]} and {n} ranks differ by {difference:.1e} "
                    f"(in {column}), {'passed' if passed else 'FAILED'}"
                )
    if failed or stopped:
        raise click.exceptions.Exit(3 if stopped else 5)


def largest_difference(one: History, other: History) -> tuple[float, str]:
    """Return the largest difference of two histories relative to the largest value of its kind.

    Columns of one kind (all energies, all forces of contact pairs, …) share a scale, so that the
    error of the energy balance, itself round-off, is measured against the energies.
    """
    if list(one.columns) != list(other.columns) or len(one.time) != len(other.time):
        return np.inf, "the list of steps"
    scale: dict[str, float] = {}
    for name, values in one.columns.items():
        kind = _kind(name, one)
        scale[kind] = max(scale.get(kind, 0.0), float(np.abs(values).max(initial=0.0)))
    worst, where = 0.0, "none"
    for name, values in one.columns.items():
        largest = scale[_kind(name, one)] or 1.0
        difference = float(np.abs(values - other.columns[name]).max(initial=0.0)) / largest
        if not difference <= worst:
            worst, where = difference, name
    return worst, where


def _kind(name: str, history: History) -> str:
    return f"{name.split('.')[0] if '.' in name else ''} {history.units[name]}"


def _run(path: Path, ranks: int, folder: Path) -> History:
    from fecontact.results import load_folder

    command = python("-m", "fecontact", "run", str(path), "--no-report", "--quiet")
    launcher = ["mpirun", "-n", str(ranks), "--oversubscribe"] if ranks > 1 else []
    done = subprocess.run(
        [*launcher, *command, "--out", str(folder)],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 4, 5):  # results are compared, trusted or not
        raise RunError(f"{path} on {ranks} ranks: {done.stderr.strip() or done.returncode}")
    record = load_folder(folder).record
    assert isinstance(record, RunRecord)  # a sweep is not compared: its runs do not use ranks
    return record.history


def _rank_counts(text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) < 2 or not all(part.isdigit() and int(part) > 0 for part in parts):
        raise InputError(
            f"--ranks {text!r}: invalid. Give at least two numbers, for example 1,2,4."
        )
    if shutil.which("mpirun") is None:
        raise InputError("--ranks: mpirun not found on PATH. Install MPI or omit the option.")
    return [int(part) for part in parts]


def _is_finite_element(path: Path) -> bool:
    from fecontact.study.load import resolve

    return resolve(path).get("kind") == "finite-element"
