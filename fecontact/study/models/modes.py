"""Keys of a modal analysis, `[modes]`."""

from __future__ import annotations

from typing import Literal

from fecontact.study.base import StudyModel, key

MAX_MODES = 1000


class Modes(StudyModel):
    """Natural frequencies and mode shapes about a state of the run."""

    number: int = key("number of modes; rigid-body modes are not counted", 10, ge=1, le=MAX_MODES)
    at: Literal["start", "end"] = key(
        "state about which the motion is linearised: `start` is the model at t = 0, `end` the "
        "state at the end of the run, with its stresses and its contact",
        "start",
    )
    contact: Literal["status", "open", "tied", "frictionless"] = key(
        "nodes in contact: `status` ties sticking nodes and lets slipping ones slide (at t = 0: "
        "closed nodes with friction stick); `tied` ties all closed nodes, `frictionless` lets them "
        "slide, `open` ignores contact",
        "status",
    )
    sliding: bool = key(
        "compute complex modes of steady sliding: friction forces of slipping nodes follow their "
        'normal forces, and modes can grow (squeal); needs at = "end"',
        False,
    )

    def scalars(self, complex_modes: bool) -> list[str]:
        """Return the names of the scalars that a run with these modes has."""
        of_mode = (
            "frequency",
            "damping",
            *(("growth",) if complex_modes else ("mass_x", "mass_y")),
        )
        names = [f"modes.{n}.{name}" for n in range(1, self.number + 1) for name in of_mode]
        more = ("max_growth", "max_growth_frequency", "unstable") if complex_modes else ()
        return ["modes.rigid", *names, *(f"modes.{name}" for name in more)]
