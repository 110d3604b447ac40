"""Error of computed distributions over a contact surface against exact ones.

    PAIR.pressure.error = ‖p − p_exact‖ / ‖p_exact‖,   ‖p‖² = ∫ p² ds

at the end of the run, with the trapezoid rule over the slave nodes; likewise for the traction.
"""

from __future__ import annotations

import numpy as np

from fecontact.record import RunRecord, Scalar
from fecontact.results.checks.references import exact_profile
from fecontact.study.common import Study


def profile_errors(study: Study, record: RunRecord) -> dict[str, Scalar]:
    """Return the error of every distribution for which a reference of the study has a profile."""
    errors = {}
    for pair, surface in record.surfaces.items():
        for quantity in ("pressure", "traction"):
            column = f"{pair}.{quantity}"
            exact = exact_profile(study, record, column, surface)
            if exact is None or not exact.any():
                continue
            wrong = getattr(surface, quantity)[-1] - exact
            square = [np.trapezoid(y**2, surface.arc) for y in (wrong, exact)]
            error = float(np.sqrt(square[0] / square[1]))
            meaning = "error of the distribution at the end, relative to the exact one"
            errors[f"{column}.error"] = Scalar(error, "1", meaning)
    return errors
