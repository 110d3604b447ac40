"""docs/how-to-add.md shows the current sources, and choices of a study import no heavy modules."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from fecontact.contact.methods.augmented import AugmentedLagrangian
from fecontact.dynamics.schemes import SCHEMES
from fecontact.lumped.obstacles import GEOMETRIES
from fecontact.lumped.schemes import SCHEMES as LUMPED
from fecontact.study.shapes.polygon import Polygon
from fecontact.study.shapes.trapezoid import Trapezoid

PROJECT = Path(__file__).parents[3]
PAGE = (PROJECT / "docs" / "how-to-add.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"<!-- (added to )?(\S+) -->\n```\w+\n(.*?)```\n", PAGE, re.DOTALL)


@pytest.mark.parametrize(("part", "path", "block"), SHOWN, ids=[path for _, path, _ in SHOWN])
def test_the_page_shows_the_sources_as_they_are(part, path, block):
    source = (PROJECT / path).read_text(encoding="utf-8")
    if part:
        added = [line[1:] for line in block.splitlines() if line.startswith("+")]
        assert added
        assert set(added) <= set(source.splitlines())
    else:
        assert block == source


@pytest.mark.parametrize(
    ("registry", "choice"),
    (
        ("fecontact/dynamics/schemes", "wbz_alpha"),
        ("fecontact/contact/methods", "augmented"),
        ("fecontact/lumped/obstacles", "slot"),
        ("fecontact/study/shapes", "trapezoid"),
    ),
)
def test_the_page_shows_a_choice_and_its_line_in_the_registry(registry, choice):
    shown = {path for _, path, _ in SHOWN}
    assert {f"{registry}/{choice}.py", f"{registry}/__init__.py"} <= shown


def test_the_page_shows_a_mesh_format_and_its_line():
    shown = {path for _, path, _ in SHOWN}
    assert {"fecontact/mesh/readers/aster_mail.py", "fecontact/study/shapes/__init__.py"} <= shown


CHOICES = (
    *SCHEMES.values(),
    *LUMPED.values(),
    *GEOMETRIES,
    AugmentedLagrangian,
    Polygon,
    Trapezoid,
)


@pytest.mark.parametrize("module", sorted({model.__module__ for model in CHOICES}))
def test_a_choice_can_be_imported_first_and_brings_nothing_heavy(module):
    """Its settings are part of the study, its package of the numerics: no import order matters."""
    code = (
        f"import sys, {module}\n"
        "own = {'fecontact.contact.interface.constraint_matrix', 'fecontact.solid.solid'}\n"
        "heavy = {'numpy', 'numba', 'scipy', 'dolfinx'} | own\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
