"""Base class of the schemes of a lumped study: time steps and numerical parameters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from fecontact.study.base import Number, Problem, StudyModel, key, short, si


class Steps(StudyModel):
    """Time steps of a run.

    event_driven: True if the run advances from event to event, with rigid stick, instead of step by
    step.
    """

    event_driven: ClassVar[bool] = False

    scheme: str = key("scheme")
    step: Number = si(
        "s", "step; first step of an adaptive scheme; sampling interval of `exact`", gt=0
    )
    end: Number = si("s", "end of the run", gt=0)

    def controls(self) -> dict[str, float]:
        """Return the parameters of the kernel by their names in
        :class:`fecontact.lumped.integrators.Controls`.
        """
        return {}

    def problems(self) -> Iterator[Problem]:
        if self.step > self.end:
            yield (
                ("step",),
                f"is {short(self.step)}; it must not be longer than the run (`end` = "
                f"{short(self.end)} s)",
            )
        elif self.end / self.step > 1e10:
            yield (
                ("step",),
                (f"is {short(self.step)}, which gives more than 1e10 steps. Increase it."),
            )
