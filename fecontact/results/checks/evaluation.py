"""Checks of a study: numbers of the run with reference, source and tolerance.

Outcomes of a row:

    passed          the reference is met within its tolerance
    failed          it is not met, or the run has no such number (see `reason`)
    known deviation met, but a regression check only: its reference is fecontact's own value, or its
                    tolerance exceeds a tenth of the reference. It does not verify the result.
    not applicable  the study was changed in a key on which the result depends
    not trusted     a quality limit is exceeded, or a warning marks the results as wrong
    stopped         the run did not reach its end

The last two are rows of the run itself, in addition to its checks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Literal, get_args

from fecontact.record import RunRecord, RunWarning, wrong
from fecontact.results.checks.measures import label, measure, unit_of
from fecontact.results.checks.profiles import profile_errors
from fecontact.results.checks.references import outdated_references
from fecontact.study import AnyStudy
from fecontact.study.common import Check
from fecontact.study.errors import InputError
from fecontact.study.validation.changes import outdating_check

Outcome = Literal["passed", "failed", "known deviation", "not applicable", "not trusted", "stopped"]
EXIT_CODES: dict[str, int] = {"stopped": 3, "not trusted": 4, "failed": 5}
"""Exit code of a run with such a row, the most severe first. 1 has no meaning: a shell, Python and
mpirun, which a signal ended, return it too."""

_NAMED = 3  # keys named in a verdict; more are counted
PROVES = 0.1  # largest relative tolerance of a check that verifies a result


@dataclass(frozen=True)
class CheckRow:
    """One line of the verification table.

    reference, code_aster (code_aster's own value), value, error = |value − reference| and tolerance
    are all in the unit of the quantity; value and error are NaN if the run has no such number.
    """

    case: str
    model: str
    variant: str
    quantity: str
    reference: float
    source: str
    code_aster: float | None
    value: float
    error: float
    tolerance: float
    outcome: Outcome
    reason: str = ""
    unit: str = ""  # "" for a pure number

    @property
    def passed(self) -> bool:
        """Return True if the reference is met and the check verifies the result."""
        return self.outcome == "passed"

    @property
    def failed(self) -> bool:
        """Return True if the outcome is a failure."""
        return self.outcome in EXIT_CODES

    def to_json(self) -> dict[str, Any]:
        """Return the row with the names of `fecontact verify --json`; NaN becomes null."""
        return {name: _json_number(value) for name, value in vars(self).items()}

    @classmethod
    def from_json(cls, row: dict[str, Any]) -> CheckRow:
        """Return the row that `to_json` wrote."""
        if row["outcome"] not in get_args(Outcome):
            raise ValueError(f"a check came out as {row['outcome']!r}")
        values = dict(row)
        for name in ("value", "error"):
            values[name] = math.nan if values[name] is None else float(values[name])
        return cls(**values)


def evaluate_checks(study: AnyStudy, record: RunRecord) -> list[CheckRow]:
    """Return the rows of all checks of the study, then those of the run itself (see `doubts`).

    The errors of its distributions against exact ones are added to the record as scalars, with
    notes on exact solutions that no longer apply to the study.
    """
    record.scalars |= profile_errors(study, record)
    record.notes += [note for note in outdated_references(study) if note not in record.notes]
    rows = [_row(study, name, check, record) for name, check in study.checks.items()]
    return rows + doubts(study, record)


def doubts(study: AnyStudy, record: RunRecord) -> list[CheckRow]:
    """Return rows for a run that stopped early, whose warnings mark it as wrong, or whose quality
    limits are exceeded.
    """
    rows = []
    if record.failure is not None:
        rows.append(stopped(study, record.failure))
    for warning in record.warnings:
        if warning.wrong:
            where = warning.partition(":")[0]
            row = _make(study, where, 0.0, "warning", math.nan, 0.0, "not trusted", str(warning))
            rows.append(row)
    source = "quality limit"
    for name, sentence in limits_exceeded(record).items():
        scalar = record.scalars[name]
        assert scalar.limit is not None
        limit = scalar.limit
        row = _make(study, name, 0.0, source, scalar.value, limit, "not trusted", sentence)
        rows.append(replace(row, unit=_unit(scalar.unit).strip()))
    return rows


def study_rows(rows: Sequence[CheckRow]) -> list[CheckRow]:
    """Return the rows of the study's checks, without those of the run itself, whose reasons are
    printed as messages.
    """
    return [row for row in rows if row.outcome not in ("not trusted", "stopped")]


def stopped(study: AnyStudy, reason: str) -> CheckRow:
    """Return the row of a run that did not reach its end."""
    return _make(study, "run reached its end", 1.0, "the study", 0.0, 0.5, "stopped", reason)


def judged(
    study: AnyStudy, quantity: str, reference: float, source: str, value: float, tolerance: float
) -> CheckRow:
    """Return the row of a number from several runs, such as an order of convergence."""
    outcome: Outcome = "passed" if abs(value - reference) <= tolerance else "failed"
    if outcome == "passed" and tolerance > PROVES * abs(reference):
        outcome = "known deviation"
    return _make(study, quantity, reference, source, value, tolerance, outcome)


def limits_exceeded(record: RunRecord) -> dict[str, str]:
    """Return number of the run beyond its limit → message."""
    return {
        name: f"{name} = {scalar.value:.3g} {_unit(scalar.unit)}exceeds its limit "
        f"{scalar.limit:.3g}" + (f" ({scalar.meaning})" if scalar.meaning else "")
        for name, scalar in record.scalars.items()
        if not scalar.within_limit
    }


def limit_warnings(record: RunRecord) -> list[RunWarning]:
    """Return one message for every number of the run beyond its limit."""
    return [wrong(sentence) for sentence in limits_exceeded(record).values()]


def all_passed(rows: Sequence[CheckRow]) -> bool:
    """Return True if no row failed."""
    return not any(row.failed for row in rows)


def exit_code(rows: Sequence[CheckRow]) -> int:
    """Return the exit code of runs with these rows: 3 stopped, 4 not trusted, 5 a check failed,
    else 0.
    """
    outcomes = {row.outcome for row in rows}
    return next((code for outcome, code in EXIT_CODES.items() if outcome in outcomes), 0)


def tally(rows: Sequence[CheckRow]) -> str:
    """Return the number of rows by outcome: `41 passed, 2 known deviations, 1 failed`."""
    of = {outcome: sum(row.outcome == outcome for row in rows) for outcome in get_args(Outcome)}
    bad = sum(of[outcome] for outcome in EXIT_CODES)
    parts = [f"{of['passed']} passed"]
    if known := of["known deviation"]:
        parts.append(f"{known} known {'deviation' if known == 1 else 'deviations'}")
    if of["not applicable"]:
        parts.append(f"{of['not applicable']} not applicable")
    return ", ".join([*parts, f"{bad} failed"])


def same_as_printed(row: CheckRow) -> bool:
    """Return True if the value agrees with code_aster's in all printed digits."""
    if row.code_aster is None or not math.isfinite(row.value):
        return False
    decimals = -int(Decimal(repr(row.code_aster)).as_tuple().exponent)
    return round(row.value, decimals) == row.code_aster


def nearer_than_aster(rows: Sequence[CheckRow]) -> str:
    """Return a text that counts where fecontact is closer to an exact value than code_aster."""
    errors = [
        (0.0, 0.0) if same_as_printed(row) else (row.error, abs(row.code_aster - row.reference))
        for row in rows
        if row.code_aster is not None
        and row.source.startswith("exact")
        and math.isfinite(row.error)
    ]
    nearer, level = sum(o < t for o, t in errors), sum(o == t for o, t in errors)
    return (
        f"{len(errors)} quantities have an exact value and a code_aster value; fecontact is "
        f"closer to the exact value in {nearer}, equal in {level}, further away in "
        f"{len(errors) - nearer - level}"
        if errors
        else ""
    )


def judgement(rows: Sequence[CheckRow], warnings: Sequence[RunWarning]) -> str:
    """Return the verdict of a run: `trusted`, `trusted, 2 warnings` or `not trusted`."""
    if any(row.failed for row in rows):
        return "not trusted"
    count = len(warnings)
    return "trusted" + (f", {count} warning{'s' * (count > 1)}" if count else "")


def verdict(rows: Sequence[CheckRow], warnings: Sequence[RunWarning] = ()) -> str:
    """Return the verdict of a run as text: the outcome of its checks or, if it is not trusted, the
    keys and quantities concerned. Their messages are printed before it.
    """
    bad = [row for row in rows if row.failed]
    if not bad:
        checks = tally(rows).removesuffix(", 0 failed") if rows else "the study has no checks"
        return f"{judgement(rows, warnings)}: all quality limits met; {checks}"
    gravest = next(outcome for outcome in EXIT_CODES if any(r.outcome == outcome for r in bad))
    if gravest == "stopped":
        return "not trusted: the run did not complete"
    names = list(dict.fromkeys(row.quantity for row in bad if row.outcome == gravest))
    listed = ", ".join(names[:_NAMED]) + (
        f" and {len(names) - _NAMED} more" * (len(names) > _NAMED)
    )
    if gravest == "failed":
        return f"not trusted: the check of {listed} failed"
    return f"not trusted: see the messages on {listed}, and docs/troubleshooting.md"


def _row(study: AnyStudy, name: str, check: Check, record: RunRecord) -> CheckRow:
    reason = ""
    try:
        value = measure(record, check)
    except InputError as error:
        value, reason = math.nan, str(error)
    tolerance = check.tolerance * (abs(check.reference) if check.relative else 1.0)
    keys = outdating_check(study.changed, name, check, study.time.end)
    outcome: Outcome
    if keys:
        outcome, reason = "not applicable", f"{', '.join(keys)} changed"
    elif not abs(value - check.reference) <= tolerance:
        outcome = "failed"
    else:
        outcome = "known deviation" if _regression_only(check, tolerance) else "passed"
    quantity, reference, source = label(check), check.reference, check.source
    row = _make(study, quantity, reference, source, value, tolerance, outcome, reason)
    return replace(row, code_aster=check.code_aster, unit=_unit(unit_of(record, check)).strip())


def _regression_only(check: Check, tolerance: float) -> bool:
    return check.regression_only or (
        check.reference != 0.0 and tolerance > PROVES * abs(check.reference)
    )


def _make(
    study: AnyStudy,
    quantity: str,
    reference: float,
    source: str,
    value: float,
    tolerance: float,
    outcome: Outcome,
    reason: str = "",
) -> CheckRow:
    return CheckRow(
        case=study.case,
        model=study.model,
        variant=study.variant,
        quantity=quantity,
        reference=reference,
        source=source,
        code_aster=None,
        value=value,
        error=abs(value - reference),
        tolerance=tolerance,
        outcome=outcome,
        reason=reason,
    )


def _json_number(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _unit(unit: str) -> str:
    return "" if unit in ("", "1") else f"{unit} "
