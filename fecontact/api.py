"""Python interface: run a study and read its result.

>>> import fecontact
>>> study = fecontact.load("sdnv104a", {"time.end": 0.1, "checks": None})
>>> result = fecontact.run(study)
>>> len(result.time), len(result["x_A"])
(11, 11)
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fecontact.record import ModeSet, PeriodicBranch
from fecontact.results.folder.result import Result
from fecontact.results.folder.result_folder import load_folder
from fecontact.simulation.simulation import Callback, Simulation
from fecontact.study import AnyStudy, RunError
from fecontact.study.script import plain

if TYPE_CHECKING:
    from mpi4py import MPI


def run(study: AnyStudy, callback: Callback | None = None, comm: MPI.Comm | None = None) -> Result:
    """Run a study; `callback` is called after every step (not in a sweep).

    A study with a [sweep] is computed for all combinations of its axes, on all cores or over the
    ranks of `comm`. The result then contains one array over the axes for each entry of
    [sweep.results].

    Raise RunError if the run does not complete. To keep the results computed before the error, or
    to inspect fields during the run, step a :class:`Simulation` yourself::

        simulation = fecontact.Simulation(study)
        while not simulation.finished:
            report = simulation.step()              # time, step, iterations, stick, slip, open
            u = simulation.field("displacement")    # a dolfinx function
        result = fecontact.Result.of(study, simulation.record)

    comm: MPI communicator of a finite-element run, default the world communicator; fields are saved
    on its rank 0, histories on all ranks.
    """
    if study.sweep is not None:
        from fecontact.sweep import sweep_study

        return Result.of(study, sweep_study(plain(study), comm=comm))
    record = Simulation(study, comm=comm).run(callback)
    if record.failure is not None:
        raise RunError(record.failure)
    return Result.of(study, record)


def read(folder: str | os.PathLike[str]) -> Result:
    """Return the result saved in a folder by `fecontact run` or :meth:`Result.save`.

    >>> result = fecontact.read("results/sdnv104a")
    >>> result.time[-1], result.record.key_figures
    """
    return load_folder(Path(folder))


def modes(
    source: AnyStudy | str | os.PathLike[str], *, comm: MPI.Comm | None = None, **chosen: Any
) -> ModeSet:
    """Return the natural modes of a study, or about the end of the run in a result folder.

    chosen: keys of the table `[modes]` of the study that are changed: number, at, contact, sliding.
    With `sliding=True` the modes are complex: `growth` has their growth rates, 1/s.

    >>> found = fecontact.modes(study, number=6)
    >>> found.frequency, found.rigid          # Hz; names of the rigid-body modes

    comm: MPI communicator, the world if not given; collective.
    """
    from fecontact.simulation.modes import modes_of_folder, modes_of_study

    if isinstance(source, str | os.PathLike):
        return modes_of_folder(Path(source), load_folder(Path(source)).study, chosen, comm)
    return modes_of_study(source, chosen, comm)


def response(study: AnyStudy, **chosen: Any) -> PeriodicBranch:
    """Return the periodic motions of a lumped study over the frequency of its harmonic load.

    chosen: keys of the table `[response]` of the study that are changed: type, frequency, points,
    at, periods, settle, energy, mode. A branch that could not be continued to its end has a
    warning, and the points found before.

    >>> found = fecontact.response(study, frequency=(10.0, 20.0), points=40)
    >>> found.frequency, found.measures["y"]["amplitude"], found.stable
    """
    from fecontact.simulation.response import response_of_study

    return response_of_study(study, chosen)
