"""`fecontact compile` fills the cache of kernels."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("dolfinx")


@pytest.mark.slow
def test_a_run_after_compile_adds_no_kernel_to_the_cache(tmp_path: Path) -> None:
    cache = tmp_path / "numba"
    variables = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}

    def kernels(*command: str) -> set[str]:
        line = [sys.executable, "-m", "fecontact", *command]
        subprocess.run(line, env=variables, cwd=tmp_path, check=True, capture_output=True)
        return {path.name for path in cache.rglob("*.nbc")}

    compiled = kernels("compile")
    assert len(compiled) > 100
    assert kernels("run", "sdnv104a", "--no-report") == compiled
    assert kernels("run", "sdnd121", "--no-report") == compiled
