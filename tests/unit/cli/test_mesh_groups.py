"""`check` and `mesh` on files whose groups are missing."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from fecontact.cli.main import cli
from fecontact.mesh.build import build
from fecontact.mesh.gmsh_model import session
from fecontact.study import StudyError, load
from fecontact.study.errors import InputError

STUDY = """
title = "block"
kind = "finite-element"
mesh.file = "nog.msh"
materials.steel = {young = "210 GPa", poisson = 0.3, density = 7800}
bodies.block.material = "steel"
supports.base = {on = "bottom", x = 0.0, y = 0.0}
loads.push = {type = "pressure", on = "top", value = "1 MPa"}
time = {scheme = "static", step = 1.0, end = 1.0}
watch.u = {type = "displacement", at = "corner", component = "y"}
"""
GROUPS = """
[mesh.groups.block]
select = "cells"
[mesh.groups.bottom]
normal = [0, -1]
[mesh.groups.top]
line = [["0 mm", "1 m"], [1, 1]]
[mesh.groups.corner]
select = "nodes"
nearest = [0, 1]
"""


@pytest.fixture
def block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A mesh of a square without groups."""
    monkeypatch.chdir(tmp_path)
    with session() as gmsh:
        gmsh.model.occ.addRectangle(0, 0, 0, 1, 1)
        gmsh.model.occ.synchronize()
        gmsh.option.setNumber("Mesh.MeshSizeMax", 0.3)
        gmsh.model.mesh.generate(2)
        gmsh.write("nog.msh")
    (tmp_path / "block.toml").write_text(STUDY)
    return tmp_path / "block.toml"


def test_check_reports_all_missing_groups_at_once(block: Path) -> None:
    result = CliRunner().invoke(cli, ["check", "block.toml"])
    assert isinstance(result.exception, StudyError)
    said = result.exception.messages
    assert [line.partition(": ")[0] for line in said] == [f"block.toml:{n}" for n in (6, 7, 8, 10)]
    assert "element group" in said[0] and "None is defined" in said[2]


def test_a_group_of_cells_is_the_rest_of_another(block: Path) -> None:
    """Left and right cells are all cells, each once; the message names a group that is missing."""
    groups = """
[mesh.groups.block]
select = "cells"
[mesh.groups.left]
select = "cells"
box = [[0, 0], [0.6, 1]]
[mesh.groups.right]
select = "cells"
exclude = "left"
"""
    block.write_text(STUDY + groups)
    found = build(load(block).mesh, block.parent).cell_groups
    assert len(found["left"]) and len(found["right"])
    assert sorted([*found["left"], *found["right"]]) == list(found["block"])
    block.write_text(STUDY + groups.replace('exclude = "left"', 'exclude = "lef"'))
    with pytest.raises(InputError, match=r"groups\.right\.exclude: element group 'lef' not found"):
        build(load(block).mesh, block.parent)


def test_mesh_explains_how_to_define_groups(block: Path) -> None:
    result = CliRunner().invoke(cli, ["mesh", "nog.msh", "--out", "drawn"])
    assert result.exit_code == 0
    assert "groups of elements" in result.output and "[mesh.groups.block]" in result.output


def test_a_mesh_without_groups_is_computed_with_selected_ones(block: Path) -> None:
    import fecontact

    block.write_text(STUDY + GROUPS)
    assert CliRunner().invoke(cli, ["check", "block.toml"]).exit_code == 0
    result = fecontact.run(fecontact.load(block))
    # p h (1 − ν²)/E with a free bottom edge; the fixed one stiffens the block by a few percent.
    assert result.passed and result["u"][-1] == pytest.approx(-4.3e-6, rel=0.1)
