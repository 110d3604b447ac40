"""Impact treatments: the choices of `time.impact`.

They are described in :mod:`fecontact.dynamics.steps.impact`.
"""

from __future__ import annotations

from typing import NamedTuple

MEANING = (
    "treatment of impacts; `implicit`: gap constraint; `velocity`: velocity constraint once "
    "closed; `redistributed-mass`: massless contact nodes"
)


class Treatment(NamedTuple):
    """Measures in addition to the constraint g ≥ 0 at the end of each step."""

    name: str
    keeps_closed: bool = False  # closed nodes satisfy B_n v ≥ 0 instead of g ≥ 0
    stabilized: bool = False  # the predictor does not penetrate
    massless_contact_nodes: bool = False  # the mass of slave nodes is moved to other nodes


IMPLICIT = Treatment("implicit")

TREATMENTS = {
    treatment.name: treatment
    for treatment in (
        IMPLICIT,
        Treatment("velocity", keeps_closed=True),
        Treatment("stabilized", stabilized=True),
        Treatment("redistributed-mass", massless_contact_nodes=True),
    )
}
