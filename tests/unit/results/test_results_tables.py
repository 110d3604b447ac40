"""The table of checks: complete numbers if piped, names shown without markup."""

from __future__ import annotations

import io
from dataclasses import replace

from rich.console import Console

import fecontact
from fecontact.record import RunWarning
from fecontact.results import evaluate_checks, print_checks, print_files, print_outcome
from fecontact.results.checks.tables import check_table


def test_a_piped_table_is_plain_lines_with_every_number(capsys, shoe_study, shoe):
    print_checks(evaluate_checks(shoe_study, shoe))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert lines[1].split() == [
        "x_A", "at", "1.7", "s", "[m]", "14.898649", "14.83", "14.898649", "2.73e-08", "2.98e-03",
        "yes",
    ]  # fmt: skip
    assert "\x1b" not in "".join(lines)


def test_a_failed_row_is_marked_and_names_in_brackets_are_not_markup(capsys, shoe_study, shoe):
    row = evaluate_checks(shoe_study, shoe)[0]
    print_checks([row, replace(row, outcome="failed", variant="[red]x")])
    out = capsys.readouterr().out
    assert "NO" in out and "[red]x" in out


def test_a_common_reason_is_reported_once_below_the_table(capsys, shoe_study, shoe):
    study = fecontact.changed(shoe_study, {"contact.sole.friction": 0.2})
    print_checks(evaluate_checks(study, shoe))
    messages = capsys.readouterr().out.splitlines()[3:]
    assert messages == ["not applicable: x_A at 1.7 s, x_A at 3.4 s: contact.sole.friction changed"]


def test_the_outcome_gives_warnings_checks_and_the_place_of_the_results(
    capsys, tmp_path, shoe_study, shoe
):
    shoe.warnings.append(RunWarning("the step is large for the contact's own frequency"))
    print_outcome(shoe_study, shoe, evaluate_checks(shoe_study, shoe))
    out = capsys.readouterr().out
    assert "warning: " in out
    assert out.splitlines()[-1].startswith("trusted, 1 warning: ")
    assert "; 2 passed" in out
    print_files(tmp_path)
    assert capsys.readouterr().out == f"results: {tmp_path}\n"


def test_a_terminal_of_80_columns_shows_every_quantity_and_number_whole(shoe_study, shoe):
    rows = evaluate_checks(shoe_study, shoe)
    terminal = Console(file=io.StringIO(), width=80, force_terminal=True, color_system=None)
    terminal.print(check_table(rows))
    shown = terminal.file.getvalue()
    assert "…" not in shown
    assert max(map(len, shown.splitlines())) <= 80
    for part in ("x_A at 1.7 s [m]", "14.898649", "14.83", "2.98e-03", "yes"):
        assert part in shown


def test_rows_of_several_cases_name_their_case(shoe_study, shoe):
    row = evaluate_checks(shoe_study, shoe)[0]
    table = check_table([row, replace(row, case="SDND100", model="A")])
    assert [column.header for column in table.columns][:3] == ["quantity", "case", "model"]
