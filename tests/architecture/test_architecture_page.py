"""docs/architecture.md lists every package, and nothing that does not exist."""

from __future__ import annotations

import re
from importlib import import_module

import pytest
from page import PAGE, packages
from sources import MODULES, PACKAGE

PROSE = re.sub(r"```.*?```", "", PAGE, flags=re.DOTALL)
DOTTED = sorted(
    set(re.findall(r"`((?:study|mesh|dynamics|simulation|lumped|results|record)\.\w+)", PROSE))
)


def test_the_page_lists_the_packages_inside_the_parts() -> None:
    there = {
        module.removeprefix(f"{PACKAGE}.")
        for module, file in MODULES.items()
        if file.name == "__init__.py" and module.count(".") > 1
    }
    assert sorted(packages()) == sorted(there)


@pytest.mark.parametrize("name", DOTTED)
def test_what_the_page_calls_by_its_whole_name_exists(name: str) -> None:
    package, _, inside = name.partition(".")
    found = f"{PACKAGE}.{name}" in MODULES
    assert found or hasattr(import_module(f"{PACKAGE}.{package}"), inside)
