"""The image of docker/Dockerfile, built if the tools are available."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from clones import PROJECT

SCRIPT = PROJECT / "tests" / "packaging" / "build_image"


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_the_image_is_built_and_computes_a_study(tmp_path: Path) -> None:
    missing = [tool for tool in ("buildah", "mmdebstrap") if not shutil.which(tool)]
    if missing or os.geteuid() != 0:
        pytest.skip(f"an image is built by root with buildah and mmdebstrap; missing: {missing}")
    done = subprocess.run([SCRIPT, tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "; 2 passed" in done.stdout
