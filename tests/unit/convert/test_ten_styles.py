"""One model in the files of ten programs, compared with a study written by hand.

A steel block (20 mm × 10 mm) on another one (40 mm × 10 mm), pressed by 50 MPa with friction 0.3.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fecontact
from fecontact import define
from fecontact.convert import convert
from fecontact.mesh import build, write
from fecontact.study.shapes import MeshSource

MM = 1e-3
SHAPES = {
    "lower": {"type": "rectangle", "corner": [0.0, 0.0], "size": [0.04, 0.01], "cells": [8, 2]},
    "upper": {"type": "rectangle", "corner": [0.01, 0.01], "size": [0.02, 0.01], "cells": [5, 2]},
}
MODEL: dict[str, Any] = {
    "title": "A block on a block",
    "kind": "finite-element",
    "materials": {"steel": {"young": 2.1e11, "poisson": 0.3, "density": 7800.0}},
    "bodies": {"lower": {"material": "steel"}, "upper": {"material": "steel"}},
    "supports": {"base": {"on": "lower.bottom", "x": 0.0, "y": 0.0}},
    "loads": {"press": {"type": "pressure", "on": "upper.top", "value": 5e7, "function": "up"}},
    "functions": {"up": {"type": "ramp", "end": 1.0}},
    "contact": {"joint": {"slave": "upper.bottom", "master": "lower.top", "friction": 0.3}},
    "time": {"scheme": "static", "step": 0.25, "end": 1.0},
}
GROUPS = {  # mm; of meshes without groups
    "lower": {"select": "cells", "box": [[-1.0, -1.0], [41.0, 10.0]]},
    "upper": {"select": "cells", "connected_to": [20.0, 20.0]},
    "lower.bottom": {"line": [[0.0, 0.0], [40.0, 0.0]], "of": "lower"},
    "lower.top": {"line": [[0.0, 10.0], [40.0, 10.0]], "of": "lower"},
    "upper.bottom": {"line": [[10.0, 10.0], [30.0, 10.0]], "of": "upper"},
    "upper.top": {"line": [[10.0, 20.0], [30.0, 20.0]], "of": "upper"},
}


def answer(result: fecontact.Result, pair: str = "joint") -> np.ndarray:
    """Slave nodes by x: position, pressure, traction; then the displacements by place."""
    surface, mesh = result.record.surfaces[pair], result.record.mesh
    x = mesh.points[surface.nodes, 0]
    order = np.argsort(x)
    traction = np.abs(surface.traction[-1][order])
    return np.array([x[order], surface.pressure[-1][order], traction])


@pytest.fixture(scope="module")
def by_hand() -> np.ndarray:
    return answer(fecontact.run(fecontact.define(MODEL | {"mesh": {"shapes": SHAPES}})))


@pytest.fixture(scope="module")
def blocks() -> Any:
    return build(MeshSource.model_validate({"shapes": SHAPES}), Path())


def agree(found: np.ndarray, expected: np.ndarray) -> None:
    for own, reference in zip(found, expected, strict=True):
        np.testing.assert_allclose(own, reference, atol=1e-10 * np.abs(expected[1]).max())
    np.testing.assert_allclose(found[0], expected[0], atol=1e-12)


def run_file(folder: Path, mesh: dict[str, Any]) -> np.ndarray:
    """Run the model with a mesh file; its picture is drawn too."""
    path = str(folder / mesh["file"])
    result = fecontact.run(fecontact.define(MODEL | {"mesh": mesh | {"file": path}}))
    result.plot("model").save(folder / "model.png")
    assert (folder / "model.png").stat().st_size > 1000
    return answer(result)


@pytest.mark.parametrize("ending", [".vtu", ".vtk", ".xdmf", ".bdf", ".mesh"])
def test_meshes_in_millimetres_without_groups(ending, tmp_path, blocks, by_hand) -> None:
    meshio = pytest.importorskip("meshio")
    points = np.column_stack([blocks.points / MM, np.zeros(len(blocks.points))])
    meshio.Mesh(points, [("quad", blocks.cells)]).write(tmp_path / f"part{ending}")
    mesh = {"file": f"part{ending}", "unit": "mm", "groups": GROUPS}
    agree(run_file(tmp_path, mesh), by_hand)


def test_gmsh_with_physical_groups(tmp_path, blocks, by_hand) -> None:
    write(blocks, tmp_path / "part.msh")
    agree(run_file(tmp_path, {"file": "part.msh"}), by_hand)


GEO = """// lengths in millimetres
Macro Plate
  a = newp; Point(a) = {x, y, 0}; Point(a+1) = {x+w, y, 0};
  Point(a+2) = {x+w, y+h, 0}; Point(a+3) = {x, y+h, 0};
  l = newl; Line(l) = {a, a+1}; Line(l+1) = {a+1, a+2}; Line(l+2) = {a+2, a+3};
  Line(l+3) = {a+3, a};
  s = news; Curve Loop(s) = {l, l+1, l+2, l+3}; Plane Surface(s) = {s};
  Transfinite Curve {l, l+2} = n+1; Transfinite Curve {l+1, l+3} = m+1;
  Transfinite Surface {s}; Recombine Surface {s};
Return
x = 0; y = 0; w = 40; h = 10; n = 8; m = 2; Call Plate;
Physical Surface("lower") = {s}; Physical Curve("lower.bottom") = {l};
Physical Curve("lower.top") = {l+2};
x = 10; y = 10; w = 20; h = 10; n = 5; m = 2; Call Plate;
Physical Surface("upper") = {s}; Physical Curve("upper.bottom") = {l};
Physical Curve("upper.top") = {l+2};
"""


def test_a_script_of_gmsh(tmp_path, by_hand) -> None:
    (tmp_path / "part.geo").write_text(GEO, encoding="utf-8")
    agree(run_file(tmp_path, {"file": "part.geo", "unit": "mm", "size": 100.0}), by_hand)


def mail(blocks: Any) -> str:
    """The mesh as code_aster's `.mail` text, in metres."""
    lines = ["TITRE", "A block on a block", "FINSF", "COOR_2D"]
    lines += [f"N{i} {x!r} {y!r}" for i, (x, y) in enumerate(blocks.points.tolist())]
    lines += ["FINSF", "QUAD4"]
    lines += [f"M{i} " + " ".join(f"N{n}" for n in c) for i, c in enumerate(blocks.cells)]
    lines += ["FINSF", "SEG2"]
    names: dict[str, list[str]] = {n: [f"M{c}" for c in cs] for n, cs in blocks.cell_groups.items()}
    number = len(blocks.cells)
    for group, edges in blocks.edge_groups.items():
        for a, b in edges[:, :2]:
            lines.append(f"M{number} N{a} N{b}")
            names.setdefault(group, []).append(f"M{number}")
            number += 1
    lines += ["FINSF"]
    for group, members in names.items():
        lines += ["GROUP_MA", group.replace(".", "_"), *members, "FINSF"]
    return "\n".join([*lines, "FIN", ""])


def test_a_mesh_of_code_aster(tmp_path, blocks, by_hand) -> None:
    (tmp_path / "part.mail").write_text(mail(blocks), encoding="utf-8")
    model = MODEL | {"mesh": {"file": str(tmp_path / "part.mail")}}
    model["supports"] = {"base": MODEL["supports"]["base"] | {"on": "lower_bottom"}}
    model["loads"] = {"press": MODEL["loads"]["press"] | {"on": "upper_top"}}
    pair = MODEL["contact"]["joint"] | {"slave": "upper_bottom", "master": "lower_top"}
    model["contact"] = {"joint": pair}
    agree(answer(fecontact.run(fecontact.define(model))), by_hand)


def test_a_med_file_of_salome(tmp_path, blocks, by_hand) -> None:
    meshio = pytest.importorskip("meshio")
    pytest.importorskip("h5py")
    points = blocks.points / MM
    tags = np.zeros(len(blocks.cells), int)
    tags[blocks.cell_groups["lower"]], tags[blocks.cell_groups["upper"]] = -1, -2
    mesh = meshio.Mesh(points, [("quad", blocks.cells)], cell_data={"cell_tags": [tags]})
    mesh.cell_tags = {-1: ["lower"], -2: ["upper"]}
    mesh.write(tmp_path / "part.med")
    edges = {name: group for name, group in GROUPS.items() if "." in name}
    agree(run_file(tmp_path, {"file": "part.med", "unit": "mm", "groups": edges}), by_hand)


def grid(nodes: tuple[int, int], corner: tuple[float, float], size: tuple[float, float]) -> Any:
    """Nodes and elements of a rectangle, in millimetres, numbered from 1 as programs do."""
    n, m = nodes
    x = corner[0] + size[0] * np.arange(n + 1) / n
    y = corner[1] + size[1] * np.arange(m + 1) / m
    points = [(a, b) for b in y for a in x]
    first = [j * (n + 1) + i + 1 for j in range(m) for i in range(n)]
    cells = [(k, k + 1, k + n + 2, k + n + 1) for k in first]
    return points, cells


def listing(points: Any, cells: Any, first_node: int = 0, first_cell: int = 0) -> tuple[str, str]:
    nodes = "\n".join(f"{i + first_node}, {x:g}, {y:g}" for i, (x, y) in enumerate(points, 1))
    elements = "\n".join(
        ", ".join(map(str, [i + first_cell, *(n + first_node for n in cell)]))
        for i, cell in enumerate(cells, 1)
    )
    return nodes, elements


LOWER = grid((8, 2), (0.0, 0.0), (40.0, 10.0))
UPPER = grid((5, 2), (10.0, 10.0), (20.0, 10.0))
UPPER_PART = grid((5, 2), (0.0, 0.0), (20.0, 10.0))
PHYSICS = """*Material, name=Steel
*Density
7.8e-09,
*Elastic
210000., 0.3
*Surface Interaction, name=Rough
*Friction
0.3,
*Amplitude, name=Up
0., 0., 1., 1.
"""
STEP = """*Step, name=Press
*Static
0.25, 1., 1e-05, 0.25
*Boundary
{base}, ENCASTRE
*Dsload, amplitude=Up
{top}, P, 50.
*End Step
"""


def converted(text: str, folder: Path) -> np.ndarray:
    (folder / "part.inp").write_text(text, encoding="utf-8")
    made = convert(folder / "part.inp", "part.msh", "mm")
    (folder / "part.toml").write_text(made.study, encoding="utf-8")
    write(made.mesh, folder / "part.msh")
    result = fecontact.run(fecontact.load(folder / "part.toml"))
    (pair,) = result.record.surfaces
    return answer(result, pair)


def flat(element: str, keyword: Any, pair: str) -> str:
    nodes, cells = listing(*LOWER)
    more_nodes, more_cells = listing(*UPPER, first_node=100, first_cell=100)
    top = "\n".join(f"{100 + i}, S3" for i in range(6, 11))
    bottom = "\n".join(f"{100 + i}, S1" for i in range(1, 6))
    master = "\n".join(f"{i}, S3" for i in range(9, 17))
    text = f"""*Heading
 A block on a block, mm, t, s
*Node
{nodes}
{more_nodes}
*Element, type={element}, elset=Lower
{cells}
*Element, type={element}, elset=Upper
{more_cells}
*Nset, nset=Base
1, 2, 3, 4, 5, 6, 7, 8, 9
*Surface, type=ELEMENT, name=Top
{top}
*Surface, type=ELEMENT, name=Slave
{bottom}
*Surface, type=ELEMENT, name=Master
{master}
*Solid Section, elset=Lower, material=Steel
1000.,
*Solid Section, elset=Upper, material=Steel
1000.,
{PHYSICS}{pair}
Slave, Master
{STEP.format(base="Base", top="Top")}"""
    return "\n".join(keyword(line) if line.startswith("*") else line for line in text.splitlines())


def test_a_flat_file_of_abaqus(tmp_path, by_hand) -> None:
    pair = "*Contact Pair, interaction=Rough, type=NODE TO SURFACE"
    found = converted(flat("CPE4", str, pair), tmp_path)
    agree(found, by_hand)


def test_a_file_in_capitals_as_calculix_has_it(tmp_path, by_hand) -> None:
    pair = "*Contact Pair, interaction=ROUGH, type=NODE TO SURFACE"
    agree(converted(flat("CPE4", str.upper, pair).replace("UP", "Up"), tmp_path), by_hand)


def test_a_file_of_prepomax(tmp_path, by_hand) -> None:
    """Sections of asterisks, sets of selections, face loads, and keywords of CalculiX."""
    nodes, cells = listing(*LOWER)
    more_nodes, more_cells = listing(*UPPER, first_node=100, first_cell=100)
    rule = "************************************************************"
    text = f"""{rule}
**
** Heading +++++++++++++++++++++++++++++++++++++++++++++++++
**
*Heading
Hash: 3vQ9x, Date: 11/02/2025, Unit system: MM_TON_S_C
**
** Nodes +++++++++++++++++++++++++++++++++++++++++++++++++++
**
*Node
{nodes}
{more_nodes}
**
** Elements ++++++++++++++++++++++++++++++++++++++++++++++++
**
*Element, Type=CPE4, Elset=Lower
{cells}
*Element, Type=CPE4, Elset=Upper
{more_cells}
**
** Node sets +++++++++++++++++++++++++++++++++++++++++++++++
**
*Nset, Nset=Internal_Selection-1_Fixed
1, 2, 3, 4, 5, 6, 7, 8,
9
**
** Element sets ++++++++++++++++++++++++++++++++++++++++++++
**
*Elset, Elset=Section-1
Lower,
Upper
*Elset, Elset=Top_S3
106, 107, 108, 109, 110
*Elset, Elset=Slave_S1
101, 102, 103, 104, 105
*Elset, Elset=Master_S3, Generate
9, 16
**
** Surfaces ++++++++++++++++++++++++++++++++++++++++++++++++
**
*Surface, Name=Top, Type=Element
Top_S3, S3
*Surface, Name=Slave, Type=Element
Slave_S1, S1
*Surface, Name=Master, Type=Element
Master_S3, S3
**
** Materials +++++++++++++++++++++++++++++++++++++++++++++++
**
*Material, Name=S235
*Density
7.8E-09
*Elastic
210000, 0.3
**
** Sections ++++++++++++++++++++++++++++++++++++++++++++++++
**
*Solid section, Elset=Section-1, Material=S235
1000
**
** Surface interactions ++++++++++++++++++++++++++++++++++++
**
*Surface interaction, Name=Surface_interaction-1
*Surface behavior, Pressure-overclosure=Hard
*Friction
0.3
**
** Contact pairs +++++++++++++++++++++++++++++++++++++++++++
**
*Contact pair, Interaction=Surface_interaction-1, Type=Node to surface
Slave, Master
**
** Amplitudes ++++++++++++++++++++++++++++++++++++++++++++++
**
*Amplitude, Name=Up
0, 0
1, 1
**
** Steps +++++++++++++++++++++++++++++++++++++++++++++++++++
**
*Step, Inc=100
*Static, Solver=Pardiso, Direct
0.25, 1, 1E-05, 0.25
*Output, Frequency=1
*Boundary, op=New
*Boundary
Internal_Selection-1_Fixed, 1, 1, 0
Internal_Selection-1_Fixed, 2, 2, 0
*Cload, op=New
*Dload, op=New
*Dload, Amplitude=Up
Top_S3, P3, 50
*Node file
RF, U
*El file
S, E, NOE
*Contact file
CDIS, CSTR
*End step
"""
    agree(converted(text, tmp_path), by_hand)


def test_parts_and_instances_of_abaqus_cae(tmp_path, by_hand) -> None:
    low, up = listing(*LOWER), listing(*UPPER_PART)
    text = f"""*Heading
** Job name: Job-1 Model name: Model-1
** Generated by: Abaqus/CAE 2023
*Preprint, echo=NO, model=NO, history=NO, contact=NO
**
** PARTS
**
*Part, name=Lower
*Node
{low[0]}
*Element, type=CPE4
{low[1]}
*Elset, elset=Set-1, generate
1, 16, 1
*Solid Section, elset=Set-1, material=Steel
1000.,
*End Part
*Part, name=Upper
*Node
{up[0]}
*Element, type=CPE4
{up[1]}
*Elset, elset=Set-1, generate
1, 10, 1
*Solid Section, elset=Set-1, material=Steel
1000.,
*End Part
**
** ASSEMBLY
**
*Assembly, name=Assembly
*Instance, name=Lower-1, part=Lower
*End Instance
*Instance, name=Upper-1, part=Upper
10., 10., 0.
*End Instance
*Nset, nset=Base, instance=Lower-1, generate
1, 9, 1
*Elset, elset=_Top_S3, internal, instance=Upper-1, generate
6, 10, 1
*Surface, type=ELEMENT, name=Top
_Top_S3, S3
*Elset, elset=_Slave_S1, internal, instance=Upper-1, generate
1, 5, 1
*Surface, type=ELEMENT, name=Slave
_Slave_S1, S1
*Elset, elset=_Master_S3, internal, instance=Lower-1, generate
9, 16, 1
*Surface, type=ELEMENT, name=Master
_Master_S3, S3
*End Assembly
**
{PHYSICS}*Contact Pair, interaction=Rough, type=NODE TO SURFACE
Slave, Master
{STEP.format(base="Base", top="Top")}"""
    agree(converted(text, tmp_path), by_hand)


GENERAL = """*Contact
*Contact Inclusions, ALL EXTERIOR
*Contact Property Assignment
 ,  , Rough"""


def test_general_contact(tmp_path) -> None:
    text = flat("CPE4", str, "*PAIR").replace("*PAIR\nSlave, Master", GENERAL)
    (tmp_path / "part.inp").write_text(text, encoding="utf-8")
    made = convert(tmp_path / "part.inp", "part.msh", "mm")
    assert "[contact.all]" in made.study and not any("CONTACT" in line for line in made.left)
    write(made.mesh, tmp_path / "part.msh")
    (tmp_path / "part.toml").write_text(made.study, encoding="utf-8")
    hand = MODEL | {"mesh": {"shapes": SHAPES}, "contact": {"all": {"friction": 0.3}}}
    results = [fecontact.run(s) for s in (fecontact.load(tmp_path / "part.toml"), define(hand))]
    names = [
        next(n for n in result.record.surfaces if not n.endswith("-self")) for result in results
    ]
    agree(*(answer(result, name) for result, name in zip(results, names, strict=True)))


def test_one_surface_of_a_pair_is_self_contact(tmp_path) -> None:
    text = flat("CPE4", str, "*Contact Pair, interaction=Rough\nTop,\n*Contact Pair")
    (tmp_path / "part.inp").write_text(text, encoding="utf-8")
    study = tomllib.loads(convert(tmp_path / "part.inp", "part.msh", "mm").study)
    pair = study["contact"]["Top-Top"]
    assert pair["slave"] == pair["master"] == "Top" and pair["friction"] == 0.3
