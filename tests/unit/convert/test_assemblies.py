"""Input files of Abaqus/CAE: parts, instances, steps, rigid surfaces, springs, ties."""

from __future__ import annotations

import time
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fecontact
from fecontact.convert import convert
from fecontact.mesh import write
from fecontact.mesh.readers import abaqus
from fecontact.study.errors import InputError

MATERIAL = "*Material, name=Steel\n*Density\n7.8e-9,\n*Elastic\n210000., 0.3\n"


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Meshes are read in this process, which is faster than in one of their own."""
    monkeypatch.setattr("fecontact.convert.groups.read", abaqus.read)


def grid(
    nx: int, ny: int, size: float, corner: tuple[float, float] = (0, 0), first: int = 0
) -> tuple[str, str]:
    """Nodes and elements of a rectangle, row by row."""
    nodes = [
        f"{first + 1 + i + j * (nx + 1)}, {corner[0] + i * size}, {corner[1] + j * size}"
        for j in range(ny + 1)
        for i in range(nx + 1)
    ]
    cells = []
    for j in range(ny):
        for i in range(nx):
            a = first + 1 + i + j * (nx + 1)
            cells.append(f"{first + 1 + i + j * nx}, {a}, {a + 1}, {a + nx + 2}, {a + nx + 1}")
    return "\n".join(nodes) + "\n", "\n".join(cells) + "\n"


NODES, CELLS = grid(4, 2, 5.0)
PART = f"""*Part, name=Pad
*Node
{NODES}*Element, type=CPE4
{CELLS}*Nset, nset=Low, generate
1, 5, 1
*Nset, nset=High, generate
11, 15, 1
*Elset, elset=All, generate
1, 8, 1
*Elset, elset=_top, internal, generate
5, 8
*Elset, elset=_bottom, internal, generate
1, 4
*Surface, type=ELEMENT, name=Top
_top, S3
*Surface, type=ELEMENT, name=Bottom
_bottom, S1
*Solid Section, elset=All, material=Steel
2.,
*End Part
"""
TWO = f"""*Heading
two pads
{PART}*Assembly, name=Assembly
*Instance, name=Lower, part=Pad
*End Instance
*Instance, name=Upper, part=PAD
0., 10., 0.
*End Instance
*Nset, nset=Load, instance=Upper, generate
11, 15
*End Assembly
{MATERIAL}*Surface Interaction, name=Dry
*Friction
0.1,
*Boundary
Lower.Low, ENCASTRE
*Contact Pair, interaction=Dry
Upper.Bottom, Lower.Top
*Step, name=press
*Static
0.5, 1.
*Boundary
Load, 1, 1
Load, 2, 2, -0.01
*End Step
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "part.inp"
    path.write_text(text, encoding="utf-8")
    return path


def tables(folder: Path, text: str) -> dict[str, Any]:
    return tomllib.loads(convert(written(folder, text), "part.msh", "mm").study)


def computed(folder: Path, text: str, *, trusted: bool = True) -> Any:
    """The result of a converted file; trusted: whether its mesh resolves the contact."""
    done = convert(written(folder, text), "part.msh", "mm")
    write(done.mesh, folder / "part.msh")
    (folder / "part.toml").write_text(done.study, encoding="utf-8")
    result = fecontact.run(fecontact.load(folder / "part.toml"))
    assert result.passed == trusted
    return result


def test_two_instances_of_one_part_touch(tmp_path: Path) -> None:
    study = tables(tmp_path, TWO)
    assert study["bodies"]["Upper"] == {
        "material": "Steel",
        "cells": "Upper.All",
        "thickness": 0.002,
    }
    assert study["contact"]["Upper.Bottom-Lower.Top"] == {
        "slave": "Upper.Bottom",
        "master": "Lower.Top",
        "friction": 0.1,
    }
    assert study["supports"]["Lower.Low"] == {"on": "Lower.Low", "x": 0.0, "y": 0.0}
    result = computed(tmp_path, TWO)
    assert result["Upper.Bottom-Lower.Top-force"][-1] == pytest.approx(
        -result["Load-2-y"][-1], rel=1e-9
    )


def test_a_flat_file_gives_the_same_answer(tmp_path: Path) -> None:
    upper, cells = grid(4, 2, 5.0, (0, 10), 100)
    flat = f"""*Node
{NODES}{upper}*Element, type=CPE4, elset=Lower
{CELLS}*Element, type=CPE4, elset=Upper
{cells}*Nset, nset=Low, generate
1, 5
*Nset, nset=Load, generate
111, 115
*Surface, name=Top
5, S3
6, S3
7, S3
8, S3
*Surface, name=Bottom
101, S1
102, S1
103, S1
104, S1
*Solid Section, elset=Lower, material=Steel
2.,
*Solid Section, elset=Upper, material=Steel
2.,
""" + TWO[TWO.index("*Material") :].replace("Lower.Low,", "Low,").replace(
        "Upper.Bottom, Lower.Top", "Bottom, Top"
    )
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one, other = computed(tmp_path / "a", TWO), computed(tmp_path / "b", flat)
    assert one["Load-2-y"][-1] == pytest.approx(other["Load-2-y"][-1], rel=1e-10)


def test_an_instance_is_translated_then_rotated(tmp_path: Path) -> None:
    turned = TWO.replace("0., 10., 0.\n", "0., 10., 0.\n0., 10., 0., 0., 10., 1., 90.\n")
    mesh = convert(written(tmp_path, turned), "part.msh", "mm").mesh
    corner = mesh.points[np.unique(mesh.cells[mesh.cell_groups["Upper.All"]])]
    assert corner.min(axis=0) == pytest.approx([-0.01, 0.01])
    assert corner.max(axis=0) == pytest.approx([0.0, 0.03])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("part=PAD", "part=Pod", "line 49: *INSTANCE refers to the part 'Pod', which is not found"),
        ("name=Upper", "name=lower", "name 'lower'"),
        ("0., 10., 0.\n", "0., 10., 0.\n0,0,0, 0,0,0, 90.\n", "between two equal points"),
        ("0., 10., 0.\n", "0., 10., 0.\n0,0,0, 1,0,0, 90.\n", "not parallel to z"),
        ("0., 10., 0.\n", "0., 10., 5.\n", "out of the plane"),
        ("0., 10., 0.\n", "0., ten, 0.\n", "has 'ten'"),
        ("instance=Upper", "instance=Oops", "refers to the instance 'Oops', which is not found"),
        ("*End Part\n", "", "has no *END PART. The file is truncated."),
        ("*Part, name=Pad", "*Part", "*PART has no NAME=…"),
    ],
)
def test_wrong_instances(old: str, new: str, said: str, tmp_path: Path) -> None:
    assert old in TWO
    with pytest.raises(InputError) as messages:
        convert(written(tmp_path, TWO.replace(old, new)), "part.msh")
    assert said in str(messages.value) and "part.inp: line" in str(messages.value)


def test_steps_become_stages(tmp_path: Path) -> None:
    later = """*Step, name=slide
*Static
0.25, 2.
*Boundary
Load, 1, 1, 0.02
*Dsload
Upper.Top, P, 3.
*End Step
*Step, name=lift
*Static
1., 1.
*Boundary, op=NEW
Lower.Low, ENCASTRE
Load, 1, 1
Load, 2, 2, -0.004
*End Step
"""
    study = tables(tmp_path, TWO + later)
    assert list(study["stages"]) == ["press", "slide", "lift"]
    assert study["stages"]["slide"]["time"] == {"scheme": "static", "step": 0.25, "end": 3.0}
    assert study["stages"]["slide"]["loads"] == {"load-Upper.Top": {"active": True}}
    assert study["loads"]["load-Upper.Top"]["active"] is False
    assert study["functions"]["ramp-slide"] == {"type": "ramp", "start": 1.0, "end": 3.0}
    assert study["functions"]["Load-x"]["times"] == [0.0, 1.0, 3.0, 4.0]
    assert study["functions"]["Load-x"]["values"] == [0.0, 0.0, 1.0, 0.0]
    assert study["functions"]["Load-y"]["times"] == [0.0, 1.0, 3.0, 4.0]
    assert study["functions"]["Load-y"]["values"] == [0.0, 1.0, 1.0, 0.4]
    assert study["time"]["end"] == 4.0
    assert computed(tmp_path, TWO + later).record.history.time[-1] == pytest.approx(4.0)


def test_what_a_step_removes_is_switched_off(tmp_path: Path) -> None:
    later = (
        "*Step\n*Static\n1., 1.\n*Boundary, op=NEW\nLower.Low, ENCASTRE\nLoad, 1, 1\n*End Step\n"
    )
    study = tables(tmp_path, TWO + later)
    assert study["stages"]["Step-2"]["supports"] == {"Load-2": {"active": False}}
    assert "switched" not in str(study)


def test_amplitudes_of_later_steps_start_with_them(tmp_path: Path) -> None:
    saw = "*Amplitude, name=Saw\n0., 0., 1., 1.\n*Step, name=press"
    text = TWO.replace("*Step, name=press", saw)
    later = "*Step\n*Static\n1., 1.\n*Dsload, amplitude=SAW\nUpper.Top, P, 3.\n*End Step\n"
    study = tables(tmp_path, text + later)
    name = study["loads"]["load-Upper.Top"]["function"]
    assert study["functions"][name]["times"] == [1.0, 2.0]


RIGID = """*Surface, type=SEGMENTS, name=Roof
START, {0}, {1}
LINE, {2}, {3}
*Rigid Body, ref node=Ref, analytical surface=Roof
"""


@pytest.mark.parametrize("turned", [False, True])
def test_analytical_surfaces_become_tools(turned: bool, tmp_path: Path) -> None:
    """A flat tool pressed on a pad from above, drawn to either side."""
    ends = (-5, 10, 25, 10)
    surface = RIGID.format(*(ends[2:] + ends[:2] if turned else ends))
    text = f"""{PART}*Assembly, name=A
*Instance, name=P, part=Pad
*End Instance
*Node
1, 10., 20.
*Nset, nset=Ref
1,
{surface}*End Assembly
{MATERIAL}*Boundary
P.Low, ENCASTRE
*Contact Pair, interaction=None
P.Top, Roof
*Step
*Static
1., 1.
*Boundary
Ref, 1, 1
Ref, 2, 2, -0.01
Ref, 6, 6
*End Step
"""
    study = tables(tmp_path, text)
    assert study["tools"]["Roof"]["reference_point"] == [0.01, 0.02]
    assert study["tools"]["Roof"]["y"] == -1e-5
    assert study["contact"]["P.Top-Roof"]["master"] == "Roof"
    assert computed(tmp_path, text)["P.Top-Roof-force"][-1] > 1000.0
    pair = "*Contact Pair, interaction=None\nP.Top, Roof"
    everywhere = tables(tmp_path, text.replace(pair, "*Contact\n*Contact Inclusions, ALL EXTERIOR"))
    assert everywhere["tools"] == study["tools"]  # drawn to the same side
    pushed = text.replace("Ref, 2, 2, -0.01\n", "").replace("*End Step", "*Cload\nRef, 2, -50.\n")
    study = tables(tmp_path, pushed)
    assert study["tools"]["Roof"]["free"] == ["y"]
    assert study["tools"]["Roof"]["force"] == [0.0, -50.0]
    force = computed(tmp_path, pushed)["P.Top-Roof-force"][-1]
    assert force == pytest.approx(50.0, rel=1e-6)


def test_arcs_of_analytical_surfaces(tmp_path: Path) -> None:
    surface = "*Surface, type=SEGMENTS, name=Roof\nSTART, 0., 20.\nCIRCL, 10., 10., 10., 20.\n"
    surface += "CIRCL, 20., 20., 10., 20.\nLINE, 30., 20.\n"
    text = f"""{PART}*Assembly, name=A
*Instance, name=P, part=Pad
*End Instance
*Node
1, 10., 20.
*Nset, nset=Ref
1,
{surface}*Rigid Body, ref node=Ref, analytical surface=Roof
*End Assembly
{MATERIAL}*Boundary
P.Low, ENCASTRE
*Contact Pair
P.Top, Roof
*Step
*Static
1., 1.
*Boundary
Ref, 2, 2, -0.01
*End Step
"""
    study = tables(tmp_path, text)
    assert study["tools"]["Roof"]["of"] == ["Roof-1", "Roof-2", "Roof-3"]
    assert study["tools"]["Roof-1"]["radius"] == 0.01
    # The round roof touches the coarse pad at one node.
    assert computed(tmp_path, text, trusted=False)["P.Top-Roof-force"][-1] > 10.0


def test_rigid_elements_become_tools(tmp_path: Path) -> None:
    text = f"""*Node
{NODES}100, -5., 10.
101, 25., 10.
102, 10., 20.
*Element, type=CPE4, elset=Pad
{CELLS}*Element, type=R2D2, elset=Plate
201, 100, 101
*Nset, nset=Low, generate
1, 5
*Surface, name=Top
5, S3
6, S3
7, S3
8, S3
*Surface, name=Face
Plate, SNEG
*Rigid Body, ref node=102, elset=Plate
*Solid Section, elset=Pad, material=Steel
2.,
{MATERIAL}*Boundary
Low, ENCASTRE
*Contact Pair
Top, Face
*Step
*Static
1., 1.
*Boundary
102, 1, 6
102, 2, 2, -0.01
*End Step
"""
    assert tables(tmp_path, text)["tools"]["tool-Plate"]["group"] == "Plate"
    assert computed(tmp_path, text)["Top-tool-Plate-force"][-1] > 1000.0


SINGLE = f"""*Node
{NODES}100, 0., 15.
*Element, type=CPE4, elset=Pad
{CELLS}*Element, type=SPRING1, elset=Feet
201, 1
202, 5
*Element, type=SPRINGA, elset=Stay
203, 11, 100
*Element, type=MASS, elset=Lump
204, 13
*Nset, nset=Low, generate
1, 5
*Nset, nset=Anchor
100,
*Spring, elset=Feet
2,
500.,
*Spring, elset=Stay

300.,
*Mass, elset=Lump
1e-6,
*Solid Section, elset=Pad, material=Steel
2.,
{MATERIAL}*Boundary
Low, 1, 1
Anchor, ENCASTRE
*Step
*Static
1., 1.
*Dload
Pad, BY, -1e-3
5, P3, 2.
*End Step
"""


def test_springs_masses_and_loads_on_elements(tmp_path: Path) -> None:
    """Feet and stay carry the loads: 2000 mm² by 1e-3 N/mm³ deep 2 mm, and 2 MPa on 5 by 2 mm."""
    study = tables(tmp_path, SINGLE)
    assert study["springs"]["Feet-node-1"] == {
        "between": ["node-1", "ground"],
        "stiffness": [0.0, 5e5],
    }
    assert study["springs"]["Stay-node-11"]["direction"] == [0.0, 0.005]
    assert study["point_masses"] == {"mass-Lump": {"on": "Lump", "mass": 0.001}}
    assert study["loads"]["weight-Pad"]["value"] == [0.0, -1e6]
    assert study["loads"]["load-5-side-3"]["value"] == 2e6
    result = computed(tmp_path, SINGLE)
    assert result.passed


def test_tied_surfaces_hold_together(tmp_path: Path) -> None:
    """Two pads that are tied stretch as one of both heights does."""
    tied = TWO.replace(
        "*Contact Pair, interaction=Dry\nUpper.Bottom, Lower.Top",
        "*Tie, name=Glue\nUpper.Bottom, Lower.Top",
    ).replace("Load, 2, 2, -0.01", "Load, 2, 2, 0.01")
    study = tables(tmp_path, tied)
    assert study["contact"]["Glue"]["adhesion"] == 1e12
    nodes, cells = grid(4, 4, 5.0)
    one = f"""*Node
{nodes}*Element, type=CPE4, elset=Pad
{cells}*Nset, nset=Low, generate
1, 5
*Nset, nset=Load, generate
21, 25
*Solid Section, elset=Pad, material=Steel
2.,
{MATERIAL}*Boundary
Low, ENCASTRE
*Step
*Static
0.5, 1.
*Boundary
Load, 1, 1
Load, 2, 2, 0.01
*End Step
"""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    glued, whole = computed(tmp_path / "a", tied), computed(tmp_path / "b", one)
    assert glued["Load-2-y"][-1] == pytest.approx(whole["Load-2-y"][-1], rel=1e-9)


def test_interference_clearance_and_pairs_that_are_switched(tmp_path: Path) -> None:
    text = TWO.replace(
        "*Step, name", "*Clearance, slave=Upper.Bottom, master=Lower.Top, value=0.02\n*Step, name"
    ).replace("*End Step", "*Contact Interference, shrink\nUpper.Bottom, Lower.Top\n*End Step")
    later = "*Step\n*Static\n1., 1.\n*Model Change, type=CONTACT PAIR, remove\n"
    pair = tables(tmp_path, text)["contact"]["Upper.Bottom-Lower.Top"]
    assert pair["offset"] == -2e-5 and pair["overlap_ramp_time"] == 1.0
    study = tables(tmp_path, text + later + "Upper.Bottom, Lower.Top\n*End Step\n")
    switched = {"Upper.Bottom-Lower.Top": {"active": False}}
    assert study["stages"]["Step-2"]["contact"] == switched


@pytest.mark.parametrize(
    ("card", "keys"),
    [
        ("*Hyperelastic, mooney-rivlin\n0.5, 0.1, 0.001", (5e5, 1e5, 2e9)),
        ("*Hyperelastic, neo hooke\n0.5, 0.002", (5e5, 0.0, 1e9)),
        ("*Hyperelastic, neo hooke\n0.5, 0.", (5e5, 0.0, 1e9)),
    ],
)
def test_rubber(card: str, keys: tuple[float, ...], tmp_path: Path) -> None:
    text = TWO.replace("*Elastic\n210000., 0.3", card)
    steel = tables(tmp_path, text)["materials"]["Steel"]
    assert (steel["c_10"], steel["c_01"], steel["bulk"]) == keys
    assert steel["law"] == "mooney-rivlin"


def test_rubber_of_ogden_and_yeoh(tmp_path: Path) -> None:
    """Abaqus writes Ogden's constants with the shear modulus Σ μ_i, here it is ½ Σ μ_p α_p."""
    card = "*Hyperelastic, ogden, n=2\n0.4, 1.3, 0.02, -2., 0.001, 0."
    steel = tables(tmp_path, TWO.replace("*Elastic\n210000., 0.3", card))["materials"]["Steel"]
    assert steel["law"] == "ogden" and steel["bulk"] == 2e9
    assert steel["mu"] == pytest.approx([0.8e6 / 1.3, -0.02e6]) and steel["alpha"] == [1.3, -2.0]
    card = "*Hyperelastic, yeoh\n0.5, -0.01, 0.001, 0.002, 0., 0."
    steel = tables(tmp_path, TWO.replace("*Elastic\n210000., 0.3", card))["materials"]["Steel"]
    keys = [steel[name] for name in ("c_10", "c_20", "c_30", "bulk")]
    assert steel["law"] == "yeoh" and keys == pytest.approx([5e5, -1e4, 1e3, 1e9])


def test_large_displacements_take_a_law_of_finite_strain(tmp_path: Path) -> None:
    study = tables(tmp_path, TWO.replace("name=press", "name=press, nlgeom=YES"))
    assert study["materials"]["Steel"]["law"] == "hencky"


@pytest.mark.parametrize("text", ["", "\n\n", "hello\n", "** only a comment\n"])
def test_files_without_keywords(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no keyword"):
        convert(written(tmp_path, text), "part.msh")


def test_files_in_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "part.inp"
    path.write_bytes(TWO.encode("utf-16"))
    with pytest.raises(InputError, match="Save it as UTF-8"):
        convert(path, "part.msh")
    path.write_bytes(TWO.replace("two pads", "Größe").encode("latin-1"))
    assert convert(path, "part.msh").mesh.cells.size


def test_truncated_files_give_one_message(tmp_path: Path) -> None:
    """Cut anywhere, a file is read or reported; nothing else happens."""
    reported = []
    for end in range(0, len(TWO), 37):
        try:
            convert(written(tmp_path, TWO[:end]), "part.msh")
        except InputError as error:
            reported.append(str(error))
    assert reported and max(text.count("\n") for text in reported) < 3


def test_an_element_given_twice_is_an_error(tmp_path: Path) -> None:
    twice = TWO.replace("2, 2, 3, 8, 7\n", "1, 2, 3, 8, 7\n")
    assert twice != TWO
    with pytest.raises(InputError, match="element 1 is defined twice"):
        convert(written(tmp_path, twice), "part.msh")


@pytest.mark.extended
def test_many_cards_that_are_not_translated_take_a_time_in_proportion(tmp_path: Path) -> None:
    """With a search among all earlier messages, 10⁵ cards took minutes."""
    part = tmp_path / "part.inp"
    part.write_text("*HEADING\nx\n" + "*UNKNOWN CARD\n" * 100_000, encoding="utf-8")
    started = time.process_time()
    with pytest.raises(InputError, match="MATERIAL"):
        convert(part, "part.msh", "mm")
    assert time.process_time() - started < 30.0


BOLT = """*Node
1, 0., 0.
2, 1., 0.
3, 1., 1.
4, 0., 1.
5, 2., 0.
6, 2., 1.
100, 5., 5.
*Element, type=CPE4, elset=Bar
1, 1, 2, 3, 4
2, 2, 5, 6, 3
*Nset, nset=Ends
1, 4, 5, 6
*Surface, name=Cut
1, S2
*Material, name=Steel
*Elastic
210000., 0.3
*Solid Section, elset=Bar, material=Steel
0.1
*Pre-tension Section, surface=Cut, node=100
*Boundary
Ends, 1, 2
*Step, name=tighten
*Static
1., 1.
*Cload
100, 1, -10.
*End Step
*Step, name=service
*Static
1., 1.
*Cload, op=NEW
*Boundary, fixed
100, 1
*End Step
"""


def test_a_pretension_section_is_tightened_and_locked(tmp_path: Path) -> None:
    """CalculiX's pret5: N and mm; the shortening is 8.1186573e-4 mm."""
    (tmp_path / "bolt.inp").write_text(BOLT, encoding="utf-8")
    found = convert(tmp_path / "bolt.inp", "bolt.msh", "mm")
    assert not found.left
    keys = tomllib.loads(found.study)
    load = keys["loads"]["pretension-Cut"]
    assert (load["on"], load["point"]) == ("Bar", [1e-3, 0.5e-3])
    assert keys["stages"]["service"]["loads"] == {"pretension-Cut": {"locked": True}}
    write(found.mesh, tmp_path / "bolt.msh")
    keys["mesh"]["file"] = str(tmp_path / "bolt.msh")
    keys["watch"]["by"] = {"type": "pretension-shortening", "at": "pretension-Cut"}
    result = fecontact.run(fecontact.define(keys))
    assert result["Cut-force"][1:] == pytest.approx(-10.0)
    assert result["by"][1:] == pytest.approx(-8.1186573e-7)


def test_a_prescribed_shortening_and_a_section_across_two_bodies(tmp_path: Path) -> None:
    shortened = BOLT.replace("*Cload\n100, 1, -10.", "*Boundary\n100, 1, 1, 2e-4")
    (tmp_path / "bolt.inp").write_text(shortened, encoding="utf-8")
    load = tomllib.loads(convert(tmp_path / "bolt.inp", "bolt.msh", "mm").study)["loads"]
    assert load["pretension-Cut"]["shortening"] == pytest.approx(2e-7)
    section = "*Solid Section, elset=Bar, material=Steel\n0.1\n"
    two = section.replace("Bar", "One") + section.replace("Bar", "Two")
    halves = "*Elset, elset=One\n1\n*Elset, elset=Two\n2\n*Surface"
    text = BOLT.replace("*Surface", halves, 1).replace(section, two)
    text = text.replace("*Cload\n100, 1, -10.\n", "").replace("*Boundary, fixed\n100, 1\n", "")
    (tmp_path / "bolt.inp").write_text(text, encoding="utf-8")
    left = convert(tmp_path / "bolt.inp", "bolt.msh", "mm").left
    assert any("PRE-TENSION SECTION: cuts One, Two" in line for line in left)


def test_rough_surfaces_without_separation_are_bonded(tmp_path: Path) -> None:
    rough = "*Surface Interaction, name=Hold\n*Friction, rough\n*Surface Behavior, no separation\n"
    text = BOLT.replace("*Step", rough + "*Contact Pair, interaction=Hold\nCut, Low\n*Step", 1)
    text = text.replace("*Material", "*Surface, name=Low\n2, S1\n*Material", 1)
    (tmp_path / "bolt.inp").write_text(text, encoding="utf-8")
    found = convert(tmp_path / "bolt.inp", "bolt.msh", "mm")
    (pair,) = tomllib.loads(found.study)["contact"].values()
    assert (pair["friction"], pair["adhesion"]) == (10.0, 1e12)
    assert any("NO SEPARATION" in line for line in found.left)
