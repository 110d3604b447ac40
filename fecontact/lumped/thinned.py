"""Thinning of the written history by `output.every`; histories used by checks and sweeps stay
whole.
"""

from __future__ import annotations

import numpy as np

from fecontact.record import History, RunRecord, RunWarning
from fecontact.study.lumped import LumpedStudy


def rows_every(study: LumpedStudy) -> int:
    """Return the number of steps between two rows of the history during the run."""
    return 1 if measured_quantities(study) else study.output.every


def measured_quantities(study: LumpedStudy) -> list[str]:
    """Return the histories that checks and sweeps use."""
    of_history = (measured for _, measured in study.measured() if measured.measure != "scalar")
    return list(dict.fromkeys(measured.quantity for measured in of_history))


def thin(record: RunRecord, study: LumpedStudy, every: int) -> None:
    """Thin the history of a record to `output.every`, except the histories that checks and
    sweeps use.

    every: steps between its rows; more than one if the history was already thinned.
    """
    names, history = measured_quantities(study), record.history
    if not names:
        return
    if every > 1:
        message = (
            f"the run has too many steps to save all of them: checks of {', '.join(names)} use "
            f"every {every}th step. Shorten the run or check scalars."
        )
        record.warnings.append(RunWarning(message))
    stride, count = max(1, study.output.every // every), len(history.time)
    if stride == 1 or count == 0:
        return
    record.every_step = _part(history, names, np.arange(count))
    kept = np.union1d(np.arange(0, count, stride), [count - 1])
    record.history = _part(history, list(history.columns), kept)


def _part(history: History, names: list[str], rows: np.ndarray) -> History:
    columns = {name: history.columns[name][rows] for name in names}
    return History(history.time[rows], columns, {name: history.units[name] for name in names})
