"""Abaqus input files become studies that run; untranslated parts are reported."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import fecontact
from fecontact.cli.main import cli
from fecontact.convert import convert
from fecontact.mesh import write
from fecontact.mesh.readers import abaqus
from fecontact.study.errors import InputError

PRESS = Path(__file__).with_name("press.inp")
MM = ("--units", "mm")


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Meshes are read in this process, which is faster than in one of their own."""
    monkeypatch.setattr("fecontact.convert.groups.read", abaqus.read)


def changed(folder: Path, *changes: tuple[str, str]) -> Path:
    """The file with some of its text replaced."""
    text = PRESS.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / "part.inp"
    path.write_text(text, encoding="utf-8")
    return path


def tables(path: Path, units: str = "mm") -> dict[str, Any]:
    return tomllib.loads(convert(path, "part.msh", units).study)


def test_a_converted_study_runs_and_carries_the_load(tmp_path: Path) -> None:
    """20 MPa on 20 mm × 5 mm and a force of 100 N: the joint carries 2100 N, in any units."""
    result = CliRunner().invoke(cli, ["convert", str(PRESS), "--out", str(tmp_path / "p"), *MM])
    assert result.exit_code == 0, result.output
    assert "not translated: line 55: *STEP: NLGEOM: plastic materials assume small" in result.output
    assert "line 64: *OUTPUT: choose histories" in result.output
    text = (tmp_path / "p.toml").read_text(encoding="utf-8")
    assert "# - line 55: *STEP: NLGEOM: plastic" in text and "# kg/m³" in text
    assert "yield_stress = 250000000.0    # Pa" in text
    computed = fecontact.run(fecontact.load(tmp_path / "p.toml"))
    assert computed.passed and not computed.record.warnings
    assert computed["Slave-Master-force"][-1] == pytest.approx(2100.0, rel=1e-6)
    again = CliRunner().invoke(cli, ["convert", str(PRESS), "--out", str(tmp_path / "p"), *MM])
    assert isinstance(again.exception, InputError) and "exists already" in str(again.exception)


@pytest.mark.usefixtures("here")
def test_units_supports_amplitudes_and_bodies_are_translated(tmp_path: Path) -> None:
    step = "*Dynamic, alpha=-0.1\n0.01, 2.\n*Boundary, amplitude=saw\nRight, 1, 1, 0.25"
    path = changed(
        tmp_path,
        ("*Static\n0.5, 1., 1e-05, 1.\n*Boundary\nRight, 1, 1, 0.", step),
        ("*Step, name", "*Amplitude, name=Saw\n0., 0., 1., 1.,\n2., 0.\n*Step, name"),
        ("Top, P, 20.", "Top, TRVEC, 20., 3., 4.\n*Dload\n, GRAV, 9810., 0., -1."),
        ("*Step, name", "*Initial Conditions, type=VELOCITY\nAll, 2, -3.\n*Step, name"),
        ("*Nset, nset=Base", "*Nset, nset=All, generate\n11, 16\n*Nset, nset=Base"),
        ("*Contact Pair, ", "*Contact Pair, adjust=0.1, "),
    )
    study = tables(path)
    assert study["time"] == {"scheme": "hht", "step": 0.01, "end": 2.0, "alpha": -0.1}
    assert study["supports"]["Right"] == {"on": "Right", "x": 2.5e-4, "function": "Saw"}
    assert study["functions"] == {
        "Saw": {"type": "table", "times": [0.0, 1.0, 2.0], "values": [0.0, 1.0, 0.0]}
    }
    assert study["loads"]["load-Top"]["value"] == [1.2e7, 1.6e7]
    assert study["loads"]["weight-Upper"]["value"] == [0.0, -9.81]
    assert study["bodies"]["Upper"]["velocity"] == [0.0, -0.003]
    steel = {"young": 2.1e11, "poisson": 0.0, "density": 7800.0}
    assert study["materials"]["Steel"] == steel | {"law": "elastoplastic", "yield_stress": 2.5e8}
    assert study["contact"]["Slave-Master"]["gap_closure_tolerance"] == 1e-4
    assert study["watch"]["Right-x"] == {"type": "reaction", "at": "Right", "component": "x"}
    assert "velocity" not in study["bodies"]["Lower"]


@pytest.mark.usefixtures("here")
def test_in_metres_numbers_stay_as_they_are_and_the_plane_follows_the_elements(
    tmp_path: Path,
) -> None:
    study = tables(changed(tmp_path, ("CPE4", "CAX4R")), "m")
    assert study["plane"] == "axisymmetric"
    assert study["bodies"]["Upper"] == {"material": "Steel"}
    assert study["loads"]["load-Top"]["value"] == 20.0


@pytest.mark.usefixtures("here")
def test_plane_stress_elements_of_an_axisymmetric_model_keep_their_thickness(
    tmp_path: Path,
) -> None:
    """As in published models of flanges, whose bolts are plane-stress elements."""
    lower, upper = "CPE4, elset=Lower", "CPE4, elset=Upper"
    for kinds in (("CAX4", "CPS4R"), ("CPS4R", "CAX4")):
        changes = [(lower, f"{kinds[0]}, elset=Lower"), (upper, f"{kinds[1]}, elset=Upper")]
        study = tables(changed(tmp_path, *changes, ("*Plastic\n250., 0.\n", "")))
        assert study["plane"] == "axisymmetric"
        own, other = ("Upper", "LOWER") if kinds[1] == "CPS4R" else ("LOWER", "Upper")
        found = {name.upper(): body for name, body in study["bodies"].items()}
        assert found[own.upper()]["plane"] == "stress"
        assert found[own.upper()]["thickness"] == pytest.approx(5e-3)
        assert not {"plane", "thickness"} & found[other.upper()].keys()


@pytest.mark.usefixtures("here")
def test_a_set_with_the_name_of_a_body_is_distinguished(tmp_path: Path) -> None:
    path = changed(tmp_path, ("nset=Right", "nset=Upper"), ("Right, 1, 1", "Upper, 1, 1"))
    done = convert(path, "part.msh", "mm")
    assert tomllib.loads(done.study)["supports"]["Upper-nodes"]["on"] == "Upper-nodes"
    write(done.mesh, tmp_path / "part.msh")
    (tmp_path / "part.toml").write_text(done.study, encoding="utf-8")
    force = fecontact.run(fecontact.load(tmp_path / "part.toml"))["Slave-Master-force"]
    assert force[-1] == pytest.approx(2100.0, rel=1e-6)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("*Plastic\n250., 0.", "*Viscosity\n1.", "*VISCOSITY: not supported"),
        ("HARD", "LINEAR", 'contact is hard; method = "penalty"'),
        ("=HARD", "=HARD, penalty", 'method = "penalty" is the equivalent'),
        ("=HARD", "=HARD, augmented lagrange", 'method = "augmented-lagrangian" is the equivalent'),
        ("interaction=dry,", "interaction=dry, ", 'method = "continuous" is the equivalent'),
        ("14, 2, -100.", "14, 6, -100.", "degree of freedom 6 of 14"),
        ("Base, ENCASTRE", "Base, ENCASTRE\nBase, ZSYMM", "ZSYMM of Base does not apply"),
        ("Top, P, 20.", "Top, TRSHR, 20., 1., 0.", "only P and TRVEC are translated"),
        ("type=CPE4, elset=L", "type=CPE4R, elset=L", "elements are fully integrated"),
        ("*Cload", "*Contact Exclusions\n*Cload", "`contact.all.bodies`"),
        ("*Cload", "*Dload\nUpper, HP3, 1.\n*Cload", "only P1 to P4, GRAV, BX and BY"),
        ("250., 0.", "250., 0.\n300., 0.1\n310., 0.2", "first two lines"),
        ("*Plastic", "*Plastic, hardening=KINEMATIC", "hardening is isotropic"),
        ("*Cload", "*Coupling\n*Cload", "surface itself"),
    ],
)
def test_untranslated_cards_are_reported(old: str, new: str, said: str, tmp_path: Path) -> None:
    left = convert(changed(tmp_path, (old, new)), "part.msh").left
    assert any(said in line for line in left), left


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("*Static\n0.5, 1., 1e-05, 1.", "", "*STATIC or *DYNAMIC not found"),
        ("*Elastic\n210000., 0.", "", "*ELASTIC of the material Steel not found"),
        ("210000., 0.", "21O000., 0.", "part.inp:43: *ELASTIC has '21O000.' where a number"),
        ("210000., 0.", "nan, 0.", "*ELASTIC has 'nan'"),
        ("14, 2, -100.", "14, 1e400, -100.", "*CLOAD has '1e400' where a finite number"),
        ("0.5, 1., 1e-05, 1.", "1., inf", "*STATIC has 'inf'"),
        ("*Elastic\n210000., 0.", "*Elastic, type=ISO", "*ELASTIC has no data line"),
        ("Steel\n", "Ste\x7fel\n", "contains the control character U+007F. Remove it."),
        ("*Friction\n", "*Friction, foo=a\x01b\n", "contains the control character U+0001"),
        ("Base, ENCASTRE", "Bass, ENCASTRE", "set or node 'Bass' not found"),
        ("14, 2, -100.", "99, 2, -100.", "set or node '99' not found"),
        ("Slave, Master", "Slave, Mister", "uses 'Mister', which is not a *SURFACE"),
        ("*Dsload", "*Dsload, amplitude=a", "the amplitude 'a'"),
        (
            "CPE4, elset=Lower",
            "CPS4, elset=Lower",
            "plane = 'stress'",
        ),
        ("*Static", "*Dynamic, explicit", "implicit steps"),
        ("*Step", "*Instance, name=a\n1., 0.\n*Step", "line 55: *INSTANCE has no *END INSTANCE"),
        ("*Static\n0.5, 1., 1e-05, 1.", "*Static\n-0.5, 1.", "*STATIC has a negative time"),
        ("*Static\n0.5, 1., 1e-05, 1.", "*Static\nnan, 1.", "finite number"),
        ("*Elastic\n210000., 0.", "*Elastic", "part.inp:43: *ELASTIC has no data line"),
        ("*Elastic\n210000., 0.", "*Elastic\n1e99, 0.", "finite number"),
        ("*Step, name", "*Step, perturbation, name", "is a perturbation"),
        ("0.3,", "-0.3,", "as a study: key `contact.Slave-Master.friction` is -0.3"),
    ],
)
def test_errors_are_reported(old: str, new: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as messages:
        convert(changed(tmp_path, (old, new)), "part.msh")
    assert said in str(messages.value)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("times", ["0., 1.", "0., 0.", ", 1.", ""])
def test_a_step_of_0_is_the_default(times: str, tmp_path: Path) -> None:
    done = convert(changed(tmp_path, ("0.5, 1., 1e-05, 1.", times)), "part.msh")
    assert tomllib.loads(done.study)["time"] == {"scheme": "static", "step": 1.0, "end": 1.0}


@pytest.mark.parametrize(("units", "noted"), [((), True), (MM, False)])
def test_a_file_in_mm_that_is_read_as_si_is_noted(
    units: tuple[str, ...], noted: bool, tmp_path: Path
) -> None:
    out = str(tmp_path / "p")
    result = CliRunner().invoke(cli, ["convert", str(PRESS), "--out", out, *units])
    assert result.exit_code == 0, result.output
    assert ("--units mm --out p-mm" in result.output) is noted


@pytest.mark.parametrize("out", [".", "..", "/", "./", "a/.."])
def test_a_folder_is_no_name_of_a_study(out: str) -> None:
    result = CliRunner().invoke(cli, ["convert", str(PRESS), "--out", out])
    assert isinstance(result.exception, InputError)
    assert str(result.exception).startswith(f"--out {out}: is a folder. Give a file name")


def test_other_files_are_rejected_before_anything_is_written(tmp_path: Path) -> None:
    for name, said in (("part.cdb", "not an input file"), ("none.inp", "file not found")):
        result = CliRunner().invoke(cli, ["convert", str(tmp_path / name)])
        assert isinstance(result.exception, InputError) and said in str(result.exception)
    assert not list(tmp_path.iterdir())
