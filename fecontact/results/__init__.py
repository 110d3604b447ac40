"""Output of a run: result folder, fields, plots, report, checks."""

from fecontact.results.checks.evaluation import CheckRow, all_passed, evaluate_checks, exit_code
from fecontact.results.checks.tables import (
    print_checks,
    print_decisions,
    print_files,
    print_outcome,
    print_wrong,
)
from fecontact.results.folder.output import (
    draw_all,
    make_report,
    write_numbers,
    write_results,
    write_views,
)
from fecontact.results.folder.result import Result
from fecontact.results.folder.result_folder import load_folder, prepare_folder

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
