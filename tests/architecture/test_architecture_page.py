"""docs/architecture.md names every module of the package, and none that does not exist."""

from __future__ import annotations

import re
from importlib import import_module

import pytest
from page import PAGE, modules, packages
from sources import MODULES, PACKAGE

IN_PACKAGES = [
    module.removeprefix(f"{PACKAGE}.")
    for module, file in MODULES.items()
    if file.name != "__init__.py" and module.count(".") > 1
]
"""Modules that are not at the top of the package; those are parts of their own."""

PROSE = re.sub(r"```.*?```", "", PAGE, flags=re.DOTALL)
DOTTED = sorted(
    set(re.findall(r"`((?:study|mesh|dynamics|simulation|lumped|results|record)\.\w+)", PROSE))
)


def package_of(module: str) -> str:
    return module.rpartition(".")[0]


def test_each_package_has_one_table() -> None:
    assert sorted(packages()) == sorted({package_of(module) for module in IN_PACKAGES})


@pytest.mark.parametrize("package", packages())
def test_the_page_names_the_modules_of_a_package(package: str) -> None:
    there = [module.rpartition(".")[2] for module in IN_PACKAGES if package_of(module) == package]
    assert sorted(modules(package)) == sorted(there)


@pytest.mark.parametrize("name", DOTTED)
def test_what_the_page_calls_by_its_whole_name_exists(name: str) -> None:
    package, _, inside = name.partition(".")
    found = f"{PACKAGE}.{name}" in MODULES
    assert found or hasattr(import_module(f"{PACKAGE}.{package}"), inside)
