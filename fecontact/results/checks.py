"""The checks of a study: each number of the run beside its reference, source and tolerance.

Two kinds of rows fail a run besides its own checks: a number that tells how far the run is to be
trusted (contact residual, penetration, energy closure) beyond its stated limit, and a run that
did not reach its end.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fecontact.record import RunRecord
from fecontact.results.measures import NotReached, label, measure
from fecontact.results.profiles import profile_errors
from fecontact.study.common import Check, Study
from fecontact.study.errors import InputError


@dataclass(frozen=True)
class CheckRow:
    """One line of the verification table.

    reference, aster (code_aster's own value), value, error = |value − reference| and tolerance
    are all in the unit of the quantity; value and error are NaN if the run did not get there.
    """

    case: str
    model: str
    variant: str
    quantity: str
    reference: float
    source: str
    aster: float | None
    value: float
    error: float
    tolerance: float
    passed: bool

    def to_json(self) -> dict[str, Any]:
        """The row by the names of `fecontact verify --json`; NaN becomes null."""
        row = {name: _json_number(value) for name, value in vars(self).items()}
        row["pass"] = row.pop("passed")
        return row

    @classmethod
    def from_json(cls, row: dict[str, Any]) -> CheckRow:
        """The row that `to_json` wrote."""
        values = {name: value for name, value in row.items() if name != "pass"}
        for name in ("value", "error"):
            values[name] = math.nan if values[name] is None else float(values[name])
        return cls(**values, passed=bool(row["pass"]))


def evaluate_checks(study: Study, record: RunRecord) -> list[CheckRow]:
    """All checks of the study, then what makes the run itself doubtful (see `doubts`).

    The record gains the errors of its distributions against exact ones, as scalars.
    """
    record.scalars |= profile_errors(study, record)
    rows = [_row(study, name, check, record) for name, check in study.checks.items()]
    return rows + doubts(study, record)


def doubts(study: Study, record: RunRecord) -> list[CheckRow]:
    """Failing rows of a run that stopped early or whose stated limits are exceeded."""
    rows = []
    if record.failure is not None:
        rows.append(_make(study, "run reached its end", 1.0, "the study", None, 0.0, 0.5))
    for name, scalar in record.scalars.items():
        if scalar.limit is not None and not scalar.within_limit:
            source = "limit of a run to be trusted"
            rows.append(_make(study, name, 0.0, source, None, scalar.value, scalar.limit))
    return rows


def limit_warnings(record: RunRecord) -> list[str]:
    """One sentence for every number of the run that is beyond its stated limit."""
    return [
        f"{name} = {scalar.value:.3g} {_unit(scalar.unit)}exceeds its limit {scalar.limit:.3g}"
        + (f" ({scalar.meaning})" if scalar.meaning else "")
        for name, scalar in record.scalars.items()
        if not scalar.within_limit
    ]


def all_passed(rows: Sequence[CheckRow]) -> bool:
    """True if no row failed."""
    return all(row.passed for row in rows)


def _row(study: Study, name: str, check: Check, record: RunRecord) -> CheckRow:
    try:
        value = measure(record, check)
    except NotReached:
        value = math.nan
    except InputError as error:
        raise InputError(f"checks.{name}: {error}") from None
    scale = abs(check.reference) if check.relative else 1.0
    tolerance = check.tolerance * scale
    return _make(study, label(check), check.reference, check.source, check.aster, value, tolerance)


def _make(
    study: Study,
    quantity: str,
    reference: float,
    source: str,
    aster: float | None,
    value: float,
    tolerance: float,
) -> CheckRow:
    error = abs(value - reference)
    return CheckRow(
        case=study.case,
        model=study.model,
        variant=study.variant,
        quantity=quantity,
        reference=reference,
        source=source,
        aster=aster,
        value=value,
        error=error,
        tolerance=tolerance,
        passed=bool(error <= tolerance),
    )


def _json_number(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _unit(unit: str) -> str:
    return "" if unit in ("", "1") else f"{unit} "
