"""Imports within the package go in one direction only, late imports included."""

from __future__ import annotations

import subprocess
import sys

import pytest
from page import parts
from sources import MODULES, PACKAGE, imports, part

KEEPS_OUT_OF = parts()
ROW = {name: row for row, name in enumerate(KEEPS_OUT_OF)}
OF_PACKAGE = [module for module in MODULES if module != PACKAGE]
"""All modules but the package's own, which only says where its public names live."""


CHOICES = tuple(
    f"{PACKAGE}.{name}"
    for name in (
        "contact.methods",
        "contact.tools",
        "contact.wear_laws",
        "dynamics.schemes",
        "friction.laws",
        "solid.laws",
        "lumped.laws",
        "lumped.obstacles",
        "lumped.schemes",
        "lumped.spring_laws",
    )
)
"""Packages of choices, of which the study's tables are made: leaves beside their parts."""


def imported(name: str) -> list[tuple[str, str]]:
    """What the modules of a part import, by its first name: (where, part or other package). The
    study may import the choices its tables are made of, and these each other."""
    return [
        (f"{module}:{line}", part(other) if other.startswith(f"{PACKAGE}.") else top)
        for module in OF_PACKAGE
        if part(module) == name
        for other, line in imports(module)
        if (top := other.split(".")[0])
        if not ((name == "study" or module.startswith(CHOICES)) and other.startswith(CHOICES))
    ]


@pytest.mark.parametrize("choice", CHOICES)
def test_choices_import_only_each_other_and_the_base_of_the_study(choice: str) -> None:
    light = ("base", "steps", "errors", "plugins")
    allowed = (
        *CHOICES,
        *(f"{PACKAGE}.study.{name}" for name in light),
        f"{PACKAGE}.friction.calling",
    )
    others = {
        other
        for module in OF_PACKAGE
        if module.startswith(choice)
        for other, _ in imports(module)
        if other.startswith(f"{PACKAGE}.") and not other.startswith(allowed)
    }
    assert others <= {f"{PACKAGE}.arrays", f"{PACKAGE}.record"}  # names of types


def test_every_part_has_its_row() -> None:
    assert set(ROW) == {part(module) for module in OF_PACKAGE}


@pytest.mark.parametrize("name", ROW)
def test_a_part_imports_only_from_rows_above_it(name: str) -> None:
    against = [(w, o) for w, o in imported(name) if o != name and ROW.get(o, -1) > ROW[name]]
    assert against == []


@pytest.mark.parametrize("name", [name for name in KEEPS_OUT_OF if KEEPS_OUT_OF[name]])
def test_a_part_keeps_out_of_what_is_not_its_business(name: str) -> None:
    assert [(w, o) for w, o in imported(name) if o in KEEPS_OUT_OF[name]] == []


def test_late_imports_are_seen() -> None:
    assert "reference" in [other for _, other in imported("study")]


def test_contact_around_own_matrices_needs_no_mesh_generator() -> None:
    code = "import sys, fecontact.external; print({'gmsh', 'h5py', 'matplotlib'} & {*sys.modules})"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"
