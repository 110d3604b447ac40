"""Draw the pictures of the tutorials from the studies on their pages, and write the notebook.

python docs/figures/tutorials.py
"""

from __future__ import annotations

import json
import re
import runpy
import shutil
import sys
import tempfile
import tomllib
from pathlib import Path

import fecontact

DOCS = Path(__file__).parents[1]
NOTEBOOK = DOCS.parent / "examples" / "first_notebook.ipynb"

# page → for each study on it: the plots of its report that the page shows, and their names
PICTURES = {
    "first-study": [
        {
            "model": "block-model",
            "centroid-displacement": "block-centroid-displacement",
            "status-sole": "block-status",
            "deformed": "block-deformed",
        }
    ],
    "own-geometry": [
        {"mesh": "cam-mesh", "pressure-foot": "cam-pressure", "deformed": "cam-deformed"}
    ],
    "impact": [{"contact-force": "impact-force", "energy": "impact-energy"}],
    "friction-and-wear": [
        {"displacement": "slider-x"},
        {"model": "pad-model", "wear-depth-foot": "pad-worn", "pressure-foot": "pad-pressure"},
    ],
}


def blocks(page: str, language: str) -> list[str]:
    """Return the code blocks of a tutorial in a language."""
    text = (DOCS / "tutorials" / f"{page}.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def target(name: str) -> Path:
    return DOCS / "pictures" / f"tutorial-{name}.png"


def of_studies() -> None:
    for page, pictures in PICTURES.items():
        for text, names in zip(blocks(page, "toml"), pictures, strict=True):
            result = fecontact.run(fecontact.define(tomllib.loads(text)))
            for picture, name in names.items():
                result.plot(picture).save(target(name))


def of_scripts(folder: Path) -> None:
    """Draw the mesh that a script of a page writes, and the figure of an example."""
    (script,) = blocks("own-mesh", "python")
    found: dict = {}
    exec(
        compile(script.replace("blocks.msh", str(folder / "blocks.msh")), "own-mesh", "exec"), found
    )
    found["result"].plot("mesh").save(target("mesh"))
    sys.argv = ["own_forms.py", str(folder)]
    runpy.run_path(str(DOCS.parent / "examples" / "own_forms.py"))
    shutil.copy(folder / "own_forms.png", target("own-forms"))
    sys.argv = ["viscoelastic_pad.py", str(folder)]
    runpy.run_path(str(DOCS.parent / "examples" / "viscoelastic_pad.py"))
    shutil.copy(folder / "viscoelastic_pad.png", target("viscoelastic-pad"))


def of_squeal() -> None:
    """Draw the pad, its unstable mode, and frequencies and growth rates over the friction
    coefficient.
    """
    import matplotlib.pyplot as plt
    import numpy as np

    (text,) = blocks("squeal", "toml")
    study = fecontact.define(tomllib.loads(text))
    fecontact.run(study).plot("model").save(target("squeal-model"))
    found = fecontact.modes(study)
    shape, mesh = found.shapes[found.unstable[0]], found.mesh
    figure, axes = plt.subplots(1, 2, figsize=(9, 3), sharey=True)
    edges = np.concatenate(
        [mesh.edge_groups[f"pad.{s}"] for s in ("bottom", "right", "top", "left")]
    )
    for panel, part, title in zip(
        axes, (shape.real, -shape.imag), ("t = 0", "t = T/4"), strict=True
    ):
        moved = 1e3 * (mesh.points + 5e-3 * part)
        for edge in edges[:, [0, 2, 1]]:
            panel.plot(*(1e3 * mesh.points[edge]).T, color="#999999", lw=0.8)
            panel.plot(*moved[edge].T, color="#0072b2", lw=1.6)
        panel.scatter(*moved.T, c=np.linalg.norm(part, axis=1), s=8, cmap="viridis")
        panel.set(title=title, xlabel="x [mm]", aspect="equal")
    axes[0].set_ylabel("y [mm]")
    figure.savefig(target("squeal-mode"), dpi=110, bbox_inches="tight")
    figure, (upper, lower) = plt.subplots(2, 1, figsize=(8, 6), sharex=True)
    for friction in np.linspace(0.0, 1.0, 41):
        sweep = fecontact.modes(
            fecontact.changed(study, {"contact.lining.friction": float(friction)})
        )
        grows = np.isin(np.arange(len(sweep.frequency)), sweep.unstable)
        at = np.full(len(grows), friction)
        for mask, colour in ((~grows, "#999999"), (grows, "#d55e00")):
            upper.plot(at[mask], sweep.frequency[mask] / 1e3, ".", color=colour, ms=5)
            lower.plot(at[mask], sweep.growth[mask] / 1e3, ".", color=colour, ms=5)
    upper.set_ylabel("frequency [kHz]")
    lower.set(ylabel="growth rate [1/ms]", xlabel="friction coefficient")
    lower.axhline(0.0, color="black", lw=0.8)
    figure.savefig(target("squeal-map"), dpi=110, bbox_inches="tight")


def notebook() -> str:
    """Write the page on Python as a notebook: its code blocks, and the text before each block."""
    text = (DOCS / "tutorials" / "from-python.md").read_text(encoding="utf-8")
    cells = []
    for number, part in enumerate(re.split(r"^```(?:python)?\n", text, flags=re.MULTILINE)):
        shown = re.sub(r"!\[.*?\]\(.*?\)|\[(.*?)\]\(.*?\)", r"\1", part).strip()
        lines = (part.strip() if number % 2 else shown).splitlines(keepends=True)
        cell = {"id": f"cell-{number}", "metadata": {}, "source": lines}
        code = {"cell_type": "code", "execution_count": None, "outputs": []}
        cells.append(cell | (code if number % 2 else {"cell_type": "markdown"}))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    page = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(page, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    of_studies()
    of_squeal()
    with tempfile.TemporaryDirectory() as folder:
        of_scripts(Path(folder))
    NOTEBOOK.write_text(notebook(), encoding="utf-8")
