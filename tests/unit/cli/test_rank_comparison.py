"""`fecontact verify --ranks`: a run that stops does not prevent other comparisons."""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np
import pytest

from fecontact.cli.commands import rank_comparison
from fecontact.record import History
from fecontact.study.errors import RunError
from fecontact.study.library import file_of

STUDIES = [file_of("sdnv104a"), file_of("sdnv104b"), file_of("sdnv104c")]


def history(value: float) -> History:
    return History(np.array([0.0, 1.0]), {"x": np.array([0.0, value])}, {"x": "m"})


@pytest.mark.parametrize(
    ("stops", "off", "code"), [("", 0.0, 0), ("", 1e-6, 5), ("sdnv104a", 0.0, 3)]
)
def test_exit_code_and_all_studies_are_compared(
    stops: str,
    off: float,
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def run(path: Path, ranks: int, folder: Path) -> History:
        if path.stem == stops:
            raise RunError(f"{path} on {ranks} ranks: stopped")
        return history(1.0 + off * (ranks - 1))

    monkeypatch.setattr(rank_comparison, "_run", run)
    try:
        rank_comparison.compare_ranks(STUDIES, "1,2")
        found = 0
    except click.exceptions.Exit as ended:
        found = ended.exit_code
    assert found == code
    messages = capsys.readouterr().out
    assert [path.stem for path in STUDIES if path.stem in messages] == [
        path.stem for path in STUDIES
    ]
    assert messages.count("FAILED") == {0: 0, 5: 3, 3: 1}[code]
