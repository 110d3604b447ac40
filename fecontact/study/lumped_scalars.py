"""Names of the scalar results of a lumped run (computed in `fecontact.lumped.recording`).

The number of contacts is known only after the run: `stop.contact_start.7` is a possible name even
if there is no seventh impact. Impossible names are reported before the run.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fecontact.study.lumped import LumpedStudy

ERRORS = ("energy.error", "energy.error_at_end", "force.error")
STATISTICS = (
    "work_rate", "wear_work", "slip", "impacts", "contact_fraction", "mean_force", "rms_force",
    "largest_force",
)  # fmt: skip
_EVENT = re.compile(
    r"(contact_start|contact_end)\.([1-9]\d*|last)(\.step)?|(stick|slip)\.([1-9]\d*|last)|final_stick_time"
)
_EXTREMUM = re.compile(r"extremum\.[1-9]\d*(\.time)?")
_FREQUENCY = re.compile(r"frequency\.[1-9]\d*")


def is_possible(study: LumpedStudy, name: str) -> bool:
    """Return True if a run of the study can have a scalar of this name."""
    if name in lasting(study) or _FREQUENCY.fullmatch(name):
        return True
    events = any(_ends(name, obstacle, _EVENT) for obstacle in study.obstacles)
    return events or (
        study.time.event_driven and any(_ends(name, watch, _EXTREMUM) for watch in study.watch)
    )


def lasting(study: LumpedStudy) -> list[str]:
    """Return the scalars that every run of the study has."""
    wear_depths = [f"{name}.wear_depth" for name, o in study.obstacles.items() if any(o.wear_rates)]
    modes = [] if study.modes is None else study.modes.scalars(complex_modes=True)
    response = [] if study.response is None else study.response.scalars(study.watch)
    return [*ERRORS, *_statistics(study), *_yielding(study), *wear_depths, *modes, *response]


def _yielding(study: LumpedStudy) -> Iterator[str]:
    for name, obstacle in study.obstacles.items():
        curve = obstacle.curve()
        if curve is not None and math.isfinite(curve.elastic_limit):
            yield from (f"{name}.permanent_set", f"{name}.yield_time")


def _statistics(study: LumpedStudy) -> Iterator[str]:
    for window in ("", *(f"{name}." for name in study.statistics)):
        for obstacle in study.obstacles:
            yield from (f"{window}{obstacle}.{quantity}" for quantity in STATISTICS)


def _ends(name: str, owner: str, pattern: re.Pattern[str]) -> bool:
    return name.startswith(f"{owner}.") and bool(pattern.fullmatch(name[len(owner) + 1 :]))
