"""Studies, scripts, gallery and messages of the documentation are run."""

from __future__ import annotations

import json
import re
import runpy
import tomllib
from pathlib import Path

import numpy as np
import pytest

import fecontact
from fecontact.contact import failure as contact_failure
from fecontact.dynamics import failure as dynamics_failure

DOCS = Path(__file__).parents[2] / "docs"
TUTORIALS = [DOCS.parent / "README.md", *sorted((DOCS / "tutorials").glob("*.md"))]
GALLERY = sorted((DOCS / "gallery").glob("*.toml"))


def blocks(page: Path, language: str) -> list[str]:
    """The code of a page in a language."""
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_studies_and_scripts_of_a_tutorial_run_and_are_trusted(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    studies, scripts = blocks(page, "toml"), blocks(page, "python")
    assert studies or scripts or blocks(page, "sh")
    for study in studies:
        result = fecontact.run(fecontact.define(tomllib.loads(study)))
        assert result.passed and not result.record.failure, result
        assert not result.record.warnings
    namespace: dict = {}
    for script in scripts:
        exec(compile(script, str(page), "exec"), namespace)


def test_the_notebook_has_the_cells_of_its_page() -> None:
    made = runpy.run_path(str(DOCS / "figures" / "tutorials.py"))
    assert made["NOTEBOOK"].read_text(encoding="utf-8") == made["notebook"]()
    cells = json.loads(made["notebook"]())["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert code == [
        block.strip() for block in blocks(DOCS / "tutorials" / "from-python.md", "python")
    ]


def test_every_picture_of_a_tutorial_is_there() -> None:
    for page in TUTORIALS:
        shown = re.findall(r"!\[.*?\]\((.*?)\)", page.read_text(encoding="utf-8"))
        assert shown, f"{page.name} has no picture"
        assert all((page.parent / picture).is_file() for picture in shown), page.name


def test_a_mass_on_a_rough_floor_loses_the_amplitude_of_the_tutorial() -> None:
    study, _ = blocks(DOCS / "tutorials" / "friction-and-wear.md", "toml")
    x = fecontact.run(fecontact.define(tomllib.loads(study)))["x"]
    turned = x.argmin()
    assert x[0] - x[turned:].max() == pytest.approx(0.012, abs=1e-6)


@pytest.mark.parametrize("path", GALLERY, ids=lambda path: path.stem)
def test_a_study_of_the_gallery_runs_is_trusted_and_stands_on_its_page(path: Path) -> None:
    study = fecontact.load(path)
    page = (DOCS / "gallery.md").read_text(encoding="utf-8")
    for part in (f"## {study.title}\n", f"\n{study.description}\n", f"gallery-{path.stem}.png"):
        assert part in page, "make it again with docs/figures/gallery.py"
    assert (DOCS / "pictures" / f"gallery-{path.stem}.png").exists()
    result = fecontact.run(study)
    assert result.passed and not result.record.warnings, result.record.warnings
    _shows(path.stem, result)


def _shows(name: str, result: fecontact.Result) -> None:
    """What the description of a study claims."""
    scalars = {key: one.value for key, one in result.record.scalars.items()}
    if name == "press-fit":
        slipping = 0.15 * result["normal"][-1]
        assert result["pull"][-1] == pytest.approx(slipping, rel=1e-3)
        assert scalars["contact.joint.stick_width"] == 0.0
        assert result["normal"][-1] < result["normal"].max()
    elif name == "rail-wheel":
        width, stick = (scalars[f"contact.tread.{key}"] for key in ("contact_width", "stick_width"))
        assert 0.0 < stick < width
    elif name == "brake-pad":
        assert result["drag"][-1] == pytest.approx(0.4 * 1e6 * 0.1, rel=1e-3)
        pressure, arc = (getattr(result.record.surfaces["pad"], key) for key in ("pressure", "arc"))
        assert pressure[-1][arc < 0.02].mean() > 1.2 * pressure[-1][arc > 0.08].mean()
    elif name == "wedge":
        assert result["flank"][-1] > 0.5 * result["flank"].max()
    elif name == "snap-hook":
        ratio = result["force"] / np.minimum(result["tool.catch.y"], -1e-9)
        flank, friction = np.radians(20.0), np.arctan(0.2)
        assert ratio[24] == pytest.approx(-np.tan(flank + friction), rel=1e-6)
        assert ratio[45] == pytest.approx(-0.2, rel=1e-6)
        assert ratio[65] == pytest.approx(np.tan(flank - friction), rel=1e-6)
        assert result["force"].max() > 70.0 and abs(result["force"][-1]) < 1e-6
        # The hook has sprung back: all of the work was friction.
        work = result["energy.external"][-1]
        assert work == pytest.approx(result["energy.friction"][-1], rel=2e-3)
        assert np.abs(np.diff(result["energy.external"])).max() < 0.06 * work
    elif name == "dropped-on-a-corner":
        # Rigid body of 3 kg/m: an impulse at the corner, 63 mm beside the centre of mass.
        impulse = 3.0 * (result["fall"][-1] + 1.5)
        inertia = 3.0 * (0.15**2 + 0.008**2) / 12.0
        assert result["angular_velocity"][-1] == pytest.approx(
            -impulse * 0.06295 / inertia, rel=0.01
        )
    elif name == "drum-brake":
        assert result["friction"][-1] == pytest.approx(0.3 * result["normal"][-1], rel=1e-6)
    elif name == "rounded-punch":
        pressure, arc = (
            getattr(result.record.surfaces["sole"], key) for key in ("pressure", "arc")
        )
        assert 0.03 < arc[pressure[-1].argmax()] < 0.045
    elif name == "bolted-flange":
        assert result.record.surfaces["face"].pressure[-1][0] == 0.0
    elif name == "rubber-pad":
        assert result["tool.foot.displacement_y"][-1] == pytest.approx(-7.52e-3, rel=1e-3)
    elif name == "rubber-roller":
        assert result["turned"][-1] == pytest.approx(-result["centre"][-1] / 0.02, rel=0.02)
    elif name == "vibrating-feeder":
        assert result["x"][-1] > 1e-3


@pytest.mark.parametrize("module", (contact_failure, dynamics_failure))
def test_troubleshooting_knows_every_reason_for_which_a_run_stops(module: object) -> None:
    page = (DOCS / "troubleshooting.md").read_text(encoding="utf-8")
    reasons = [
        reason
        for name, reason in vars(module).items()
        if name.isupper() and isinstance(reason, str) and not name.startswith("_")
    ]
    assert reasons and [reason for reason in reasons if f"\n| {reason} |" not in page] == []


def test_troubleshooting_knows_every_limit_of_trust() -> None:
    page = (DOCS / "troubleshooting.md").read_text(encoding="utf-8")
    study = fecontact.changed(fecontact.load("sdnv104a"), {"time.end": 0.02})
    scalars = fecontact.run(study).record.scalars
    limited = [name for name, one in scalars.items() if one.limit is not None]
    assert len(limited) > 4
    for name in limited:
        assert f"`{name}`" in page


def test_the_theory_names_modules_and_studies_that_there_are() -> None:
    text = (DOCS / "theory.md").read_text(encoding="utf-8")
    package = DOCS.parent / "fecontact"
    parts = {folder.name for folder in package.iterdir() if folder.is_dir()}
    named = {name for name in re.findall(r"`(\w+(?:\.\w+)+)`", text) if name.split(".")[0] in parts}
    assert len(named) > 40
    missing = {name for name in named if not list(package.glob(f"{name.replace('.', '/')}*"))}
    assert not missing
    studies = {path.stem for path in (DOCS.parent / "studies").glob("*/*.toml")}
    (claims,) = re.findall(r"## Claims and their checks\n(.*)", text, re.DOTALL)
    checks = [row.split("|")[2] for row in claims.splitlines() if row.startswith("| ")]
    checked = {name for check in checks for name in re.findall(r"`([a-z0-9-]+)`", check)}
    assert len(checked) > 40 and checked <= studies | {"pytest"}


def test_the_grid_of_the_gallery_has_every_study_and_its_links_lead_to_sections() -> None:
    page = (DOCS / "gallery.md").read_text(encoding="utf-8")
    make = runpy.run_path(str(DOCS / "figures" / "gallery.py"))
    titles = {path.stem: fecontact.load(path).title for path in GALLERY}
    assert make["grid"](titles) in page, "make it again with docs/figures/gallery.py"
