"""Periodic response of a study."""

from __future__ import annotations

from typing import Any

from fecontact.lumped.run import LumpedRun
from fecontact.record import PeriodicBranch, RunRecord
from fecontact.simulation.installed import require_dolfinx
from fecontact.study import AnyStudy
from fecontact.study.errors import InputError
from fecontact.study.lumped import LumpedStudy


def response_of_study(study: AnyStudy, chosen: dict[str, Any]) -> PeriodicBranch:
    """Return the periodic motions of a lumped study; chosen: changed keys of `[response]`."""
    from fecontact.periodic.branch import response_of, settings_of

    if not isinstance(study, LumpedStudy):
        raise InputError(
            "response: a finite-element study is not supported. Write a lumped study with the body "
            "in [bodies], where it is reduced to its modes."
        )
    if study.sweep is not None:
        raise InputError("response: a [sweep] is not supported here. Use `fecontact run`.")
    settings = settings_of(study, chosen)
    if study.bodies:
        require_dolfinx()
        from fecontact.simulation.lumped_bodies import with_coordinates

        study = with_coordinates(study)
    return response_of(study, settings)


class ResponseRun(LumpedRun):
    """Run of a lumped study with `[response]`: its record also has the periodic motions."""

    branch: PeriodicBranch | None = None

    def record(self) -> RunRecord:
        """Return the record of the run; a finished run has the periodic motions."""
        from fecontact.periodic.branch import response_of

        record = super().record()
        if self.branch is None and self.finished and self.study.response is not None:
            self.branch = response_of(self.study, self.study.response)
        if self.branch is not None:
            record.response = self.branch
            record.scalars |= self.branch.scalars()
            record.warnings += self.branch.warnings
            record.notes += [*self.branch.notes, *self.branch.bifurcations]
        return record
