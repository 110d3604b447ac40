"""Absurd models: a run is correct, or not trusted with the cause, or stops.

The first line of each study says how it must end:
`# not trusted: KEY` (a scalar beyond its limit, or the key with which a warning starts),
`# invalid: KEY` (exit code 2), `# stops: TEXT` (exit code 3), `# right: HISTORY VALUE TOLERANCE`
(the last value of a history, relative tolerance).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from fecontact.simulation import Simulation
from fecontact.study import InputError, RunError, load

STUDIES = sorted(Path(__file__).with_name("absurd_models").glob("*.toml"))


def expected(path: Path) -> tuple[str, str]:
    outcome, _, what = (
        path.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ").partition(": ")
    )
    return outcome, what


def outcome_of(path: Path) -> tuple[str, set[str] | str, dict[str, float]]:
    """How a study ends, with the keys that name the cause, and the last values of its histories."""
    try:
        record = Simulation(load(path)).run()
    except RunError as error:
        return "stops", str(error), {}
    except InputError as error:
        return "invalid", str(error), {}
    if record.failure is not None:
        return "stops", record.failure, {}
    causes = {name for name, scalar in record.scalars.items() if not scalar.within_limit}
    causes |= {warning.split(": ")[0] for warning in record.warnings if warning.wrong}
    last = {name: float(values[-1]) for name, values in record.history.columns.items()}
    return "not trusted" if causes else "right", causes, last


@pytest.mark.parametrize("path", STUDIES, ids=lambda path: path.stem)
def test_an_absurd_model_ends_right_or_with_its_cause(path: Path) -> None:
    wanted, what = expected(path)
    outcome, causes, last = outcome_of(path)
    assert outcome == wanted, causes
    if wanted == "right":
        name, value, tolerance = what.split()
        assert last[name] == pytest.approx(float(value), rel=float(tolerance))
    else:
        assert what in causes


def test_there_is_a_study_of_every_outcome() -> None:
    assert {expected(path)[0] for path in STUDIES} == {"not trusted", "invalid", "stops", "right"}
