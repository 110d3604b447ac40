"""Every reference solution has the interface by which studies name it."""

from __future__ import annotations

import dataclasses
import re
import subprocess
import sys

import pytest

from fecontact.reference import SOLUTIONS


@pytest.mark.parametrize("name", sorted(SOLUTIONS))
def test_solution_is_a_frozen_record_with_curves(name: str) -> None:
    solution = SOLUTIONS[name]
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", name)
    assert dataclasses.is_dataclass(solution)
    assert solution.__dataclass_params__.frozen  # type: ignore[attr-defined]
    assert hasattr(solution, "history") != hasattr(solution, "profile")
    documented = "\n".join(base.__doc__ or "" for base in solution.__mro__)
    for field in dataclasses.fields(solution):
        assert re.search(rf"^ *([\w, ]+, )?{field.name}\b[\w, ]*:", documented, re.MULTILINE)


def test_references_stand_alone_and_load_no_scipy() -> None:
    code = (
        "import sys, fecontact.reference;"
        "print([m for m in sys.modules if m.split('.')[0] == 'scipy' or "
        "(m.startswith('fecontact.') and not m.startswith('fecontact.reference'))])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "['fecontact.arrays']"
