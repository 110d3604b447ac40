"""Fixtures of the tests of the environment."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from clones import NO, Clone, copy_of_project


@pytest.fixture
def clone(tmp_path: Path) -> Iterator[Clone]:
    """A clone on a host with nothing: no fit Python, no Docker engine, an empty cache directory."""
    clone = copy_of_project(tmp_path / "a clone", tmp_path)
    clone.fake("python3", NO)
    clone.fake("docker", NO)
    yield clone
    clone.end()
