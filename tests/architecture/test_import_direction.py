"""Data flows one way through the package: no import, a late one included, goes against it."""

from __future__ import annotations

import subprocess
import sys

import pytest
from sources import MODULES, PACKAGE, imports, part

LAYERS = (
    {"arrays", "isolation", "kernel_cache"},
    {"compat", "exact", "kernels", "record", "versions"},
    {"study"},
    {"timefunctions"},
    {"lumped", "mesh"},
    {"solid"},
    {"contact"},
    {"dynamics"},
    {"simulation"},
    {"results"},
    {"combinations"},
    {"sweep"},
    {"api", "bench", "external"},
    {"cli"},
    {"__main__"},
)
"""A part imports only from itself and from layers above it in this list."""

LEVEL = {name: level for level, layer in enumerate(LAYERS) for name in layer}

DOES_NOT_IMPORT = {
    "contact": {"mesh", "solid", "dolfinx", "petsc4py", "mpi4py", "lumped"},
    "dynamics": {"mesh", "solid", "dolfinx", "petsc4py", "lumped"},
    "exact": (LAYERS[0] | LAYERS[1]) - {"arrays", "exact"} | {"numba", "scipy"},
    "lumped": {"dolfinx", "petsc4py", "mpi4py"},
    "mesh": {"dolfinx", "petsc4py"},
    "results": {"contact", "dynamics", "lumped", "simulation"},
    "simulation": {"results", "matplotlib", "plotly"},
    "solid": {"lumped", "numba"},
    "study": {"numba", "scipy", "dolfinx", "petsc4py", "mpi4py"},
}
"""What a part could import without going against the flow, and yet does not."""

OF_PACKAGE = [module for module in MODULES if module != PACKAGE]
"""All modules but the package's own, which only names where its public names live."""


def test_every_part_has_its_layer() -> None:
    assert {part(module) for module in OF_PACKAGE} == set(LEVEL)


@pytest.mark.parametrize("name", sorted(LEVEL))
def test_a_part_imports_only_from_layers_above_it(name: str) -> None:
    against = [
        f"{module}:{line} imports {other}"
        for module in OF_PACKAGE
        if part(module) == name
        for other, line in imports(module)
        if other.startswith(f"{PACKAGE}.") and part(other) != name
        if LEVEL[part(other)] >= LEVEL[name]
    ]
    assert against == []


@pytest.mark.parametrize("name", sorted(DOES_NOT_IMPORT))
def test_a_part_keeps_out_of_what_is_not_its_business(name: str) -> None:
    found = [
        f"{module}:{line} imports {other}"
        for module in OF_PACKAGE
        if part(module) == name
        for other, line in imports(module)
        if (part(other) if other.startswith(f"{PACKAGE}.") else other.split(".")[0])
        in DOES_NOT_IMPORT[name]
    ]
    assert found == []


def test_contact_around_own_matrices_needs_no_mesh_generator() -> None:
    code = "import sys, fecontact.external; print({'gmsh', 'h5py', 'matplotlib'} & {*sys.modules})"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"
