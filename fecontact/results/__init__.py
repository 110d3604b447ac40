"""Output of a run: result folder, fields, plots, report, checks."""

from fecontact.results.checks import CheckRow, all_passed, evaluate_checks, exit_code
from fecontact.results.folder import load_folder, prepare_folder
from fecontact.results.output import (
    draw_all,
    make_report,
    write_numbers,
    write_results,
    write_views,
)
from fecontact.results.result import Result
from fecontact.results.tables import (
    print_checks,
    print_decisions,
    print_files,
    print_outcome,
    print_wrong,
)

__all__ = [
    "CheckRow",
    "Result",
    "all_passed",
    "draw_all",
    "evaluate_checks",
    "exit_code",
    "load_folder",
    "make_report",
    "prepare_folder",
    "print_checks",
    "print_decisions",
    "print_files",
    "print_outcome",
    "print_wrong",
    "write_numbers",
    "write_results",
    "write_views",
]
