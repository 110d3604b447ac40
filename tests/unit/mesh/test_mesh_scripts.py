"""The scripts beside the studies write the meshes of these studies."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from fecontact.mesh import build
from fecontact.study.shapes import MeshSource

STUDIES = Path(__file__).parents[3] / "studies"


@pytest.mark.parametrize("script", ["code_aster/ssnp503.py", "contact/mixed-cells.py"])
def test_a_script_writes_the_meshes_beside_it(script: str, tmp_path: Path) -> None:
    source = STUDIES / script
    shutil.copy(source, tmp_path)
    subprocess.run([sys.executable, tmp_path / source.name], check=True, capture_output=True)
    written = sorted(tmp_path.glob("*.msh"))
    assert written
    for file in written:
        made, bundled = (build(MeshSource(file=file.name), f.parent) for f in (file, source))
        assert np.allclose(made.points, bundled.points)
        assert made.cell_groups.keys() == bundled.cell_groups.keys()
