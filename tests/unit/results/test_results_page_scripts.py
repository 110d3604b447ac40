"""The pure functions of the report's scripts, by node's own test runner where node is installed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

NODE = shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_the_pure_functions_of_the_page():
    assert NODE is not None
    tests = Path(__file__).parent / "page" / "pure.test.mjs"
    done = subprocess.run([NODE, "--test", str(tests)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
