"""Finished combinations of a sweep on disk, from which an interrupted sweep continues.

Each process that obtains results (the process that distributes the work, or each MPI rank) appends
to a separate file, one line per combination:

    number, result, …, reason

where the reason states why a combination has no result. The first line is a hash of the sweep that
the lines belong to. If a process is killed, its last line can be cut short: only complete lines
count.
"""

from __future__ import annotations

import csv
import hashlib
import json
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import numpy as np

from fecontact import __version__
from fecontact.arrays import Array
from fecontact.study.errors import InputError

_NAME = re.compile(r"combinations-\d{4}\.csv")
_END = "."  # end of a complete line


def belonging(data: Any) -> str:
    """Return a hash of all inputs of the combinations of a sweep."""
    text = json.dumps([__version__, data], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


class Combinations:
    """The finished combinations of one sweep in a folder."""

    def __init__(self, folder: Path, sweep: str, results: int, rank: int = 0) -> None:
        self._folder, self._sweep, self._results = folder, sweep, results
        self._path = folder / f"combinations-{rank:04d}.csv"
        self._file: IO[str] | None = None

    def keep(self, numbers: Sequence[int], rows: Array, reasons: Sequence[str]) -> None:
        """Append the results of the combinations with these numbers."""
        try:
            if self._file is None:
                self._folder.mkdir(parents=True, exist_ok=True)
                self._file = self._path.open("a", encoding="utf-8", newline="")
                # Terminate a line that was cut short when a process was killed.
                self._file.write(f"\n{self._sweep}\n")
            writer = csv.writer(self._file, lineterminator="\n")
            for number, row, reason in zip(numbers, rows, reasons, strict=True):
                short = " ".join(reason.split())
                writer.writerow([number, *map(float, np.atleast_1d(row)), short, _END])
            self._file.flush()
        except OSError as error:
            raise InputError(
                f"{self._path}: cannot be written: {error.strerror or error}"
            ) from None

    def read(self, count: int) -> tuple[Array, list[str], Array]:
        """Return results, reasons and a mask of the finished combinations among `count`."""
        table, found = np.full((count, self._results), np.nan), np.zeros(count, bool)
        reasons = [""] * count
        for path in list_files(self._folder):
            with path.open(encoding="utf-8", errors="replace", newline="") as file:
                lines = [line for line in file if line.strip()]
            if not lines or lines[0].strip() != self._sweep:
                raise InputError(
                    f"--resume: the study has changed since {path} was written. Undo the change "
                    "or start again without --resume."
                )
            for line in lines:
                # cut short, or a different first line
                with suppress(ValueError, IndexError, csv.Error):
                    number, values, reason = self._parsed(line)
                    table[number], reasons[number], found[number] = values, reason, True
        return table, reasons, found

    def _parsed(self, line: str) -> tuple[int, list[float], str]:
        number, *values, reason, end = next(csv.reader([line]))
        if end != _END or len(values) != self._results or int(number) < 0:
            raise ValueError("not a whole line")
        return int(number), [float(value) for value in values], reason

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()


def list_files(folder: Path) -> list[Path]:
    """Return the files of finished combinations in a folder."""
    with suppress(OSError):
        found = (path for path in folder.iterdir() if _NAME.fullmatch(path.name))
        return sorted(path for path in found if path.is_file() and not path.is_symlink())
    return []


def remove(folder: Path) -> None:
    """Remove the files, and their folder if it is then empty."""
    for path in list_files(folder):
        path.unlink()
    with suppress(OSError):
        folder.rmdir()
