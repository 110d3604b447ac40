"""Modal analysis of a study, or of the run in a result folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from fecontact import restart_file
from fecontact.arrays import Array
from fecontact.record import ModeSet
from fecontact.simulation.installed import require_dolfinx
from fecontact.study import AnyStudy
from fecontact.study.errors import InputError
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.lumped import LumpedStudy
from fecontact.study.models.modes import MAX_MODES, Modes

if TYPE_CHECKING:
    from mpi4py import MPI

    from fecontact.simulation.finite_element import FiniteElementRun


def settings_of(study: AnyStudy, chosen: dict[str, Any]) -> Modes:
    """Return the settings of a modal analysis: those of the study, overridden by `chosen`.

    Complex modes default to the end of a run.
    """
    given = {} if study.modes is None else study.modes.model_dump()
    if chosen.get("sliding") and "at" not in chosen:
        given["at"] = "end"
    number = chosen.get("number", 1)
    if not isinstance(number, int) or not 1 <= number <= MAX_MODES:
        raise InputError(f"modes.number is {number}; it must be from 1 to {MAX_MODES}.")
    try:
        return Modes.model_validate(given | chosen)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"modes.{where} is {first['input']!r}. {first['msg']}.") from None


def modes_of_study(study: AnyStudy, chosen: dict[str, Any], comm: MPI.Comm | None) -> ModeSet:
    """Return the modes of a study about t = 0 or about the end of its run, which is
    computed first.
    """
    settings = settings_of(study, chosen)
    if isinstance(study, LumpedStudy):
        return _modes_of_lumped(study, settings)
    run = _built(finite_element(study), comm)
    if settings.at == "start":
        computed = run.study.initial_state is not None
        return run.compute_modes(settings, computed)
    while not run.finished:
        run.advance()
    return run.compute_modes(settings)


def modes_of_folder(
    folder: Path, study: AnyStudy, chosen: dict[str, Any], comm: MPI.Comm | None
) -> ModeSet:
    """Return the modes about the end of the run in a result folder; study: study of that run."""
    if chosen.get("at") == "start":
        raise InputError("--at start: a result folder has only the final state. Give the study.")
    settings = settings_of(finite_element(study), {**chosen, "at": "end"})
    state = restart_file.read(folder)
    run = _built(finite_element(study), comm)
    _check_state(folder, run, state)
    run.enter_end(state)
    return run.compute_modes(settings)


def _modes_of_lumped(study: LumpedStudy, settings: Modes) -> ModeSet:
    """Return the complex modes of a lumped study."""
    from fecontact.lumped.run import LumpedRun

    run = LumpedRun(study.model_copy(update={"modes": None}))
    while settings.at == "end" and not run.finished:
        run.advance()
    return run.compute_modes(settings)


def finite_element(study: AnyStudy) -> FiniteElementStudy:
    """Return the study; raise InputError for a lumped study or a sweep."""
    if not isinstance(study, FiniteElementStudy):
        raise InputError("modes: the result folder of a lumped run has no state. Give the study.")
    if study.sweep is not None:
        raise InputError("modes: a [sweep] is not supported here. Use `fecontact run`.")
    return study


def _built(study: FiniteElementStudy, comm: MPI.Comm | None) -> FiniteElementRun:
    """Return the run of a study, without the modal analysis requested in the study."""
    require_dolfinx()
    from fecontact.simulation.finite_element import FiniteElementRun

    return FiniteElementRun(study.model_copy(update={"modes": None}), comm)


def _check_state(folder: Path, run: FiniteElementRun, state: dict[str, Array]) -> None:
    """Raise InputError if a state belongs to another mesh or to other bodies."""
    from fecontact.simulation.restart.state_transfer import belongs_to

    for name, now in belongs_to(run.study, run.mesh).items():
        if str(state.get(name)) != str(now):
            raise InputError(
                f"{folder}: the saved state does not match the study (different {name}). Run the "
                "study again."
            )
