"""Table of all outcomes at the end of a campaign."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from trial import Verdict, table

VERDICTS = pytest.StashKey[list[Verdict]]()


@pytest.fixture(scope="session")
def all_verdicts(pytestconfig: pytest.Config) -> list[Verdict]:
    """Where tests put the verdicts that the table counts."""
    return pytestconfig.stash.setdefault(VERDICTS, [])


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    verdicts = config.stash.get(VERDICTS, [])
    if verdicts:
        seeds = sorted({verdict.case.seed for verdict in verdicts})
        terminalreporter.section("campaign")
        terminalreporter.line(f"{len(verdicts)} studies, seeds {seeds[0]} to {seeds[-1]}")
        terminalreporter.line(table(verdicts))
        if file := os.environ.get("FECONTACT_CAMPAIGN_TABLE"):
            Path(file).write_text(table(verdicts) + "\n", encoding="utf-8")
