"""What a run leaves for people to look at: result folder, fields, plots, report, checks."""

from fecontact.results.checks import CheckRow, all_passed, evaluate_checks
from fecontact.results.folder import load_folder, prepare_folder
from fecontact.results.output import (
    draw_all,
    make_report,
    write_numbers,
    write_results,
    write_views,
)
from fecontact.results.references import require_references
from fecontact.results.result import Result
from fecontact.results.summary import SummaryEntry, make_summary
from fecontact.results.tables import check_table, print_outcome, print_table

__all__ = [
    "CheckRow",
    "Result",
    "SummaryEntry",
    "all_passed",
    "check_table",
    "draw_all",
    "evaluate_checks",
    "load_folder",
    "make_report",
    "make_summary",
    "prepare_folder",
    "print_outcome",
    "print_table",
    "require_references",
    "write_numbers",
    "write_results",
    "write_views",
]
