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

# page → for each study on it: the pictures of its report that the page shows, and their names
PICTURES = {
    "first-study": [
        {
            "model": "block-model",
            "centroid-displacement": "block-mean-displacement",
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
    """The code of a tutorial in a language."""
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
    """The mesh that a script of a page writes, and the picture of an example."""
    (script,) = blocks("own-mesh", "python")
    found: dict = {}
    exec(
        compile(script.replace("blocks.msh", str(folder / "blocks.msh")), "own-mesh", "exec"), found
    )
    found["result"].plot("mesh").save(target("mesh"))
    sys.argv = ["own_forms.py", str(folder)]
    runpy.run_path(str(DOCS.parent / "examples" / "own_forms.py"))
    shutil.copy(folder / "own_forms.png", target("own-forms"))


def notebook() -> str:
    """The cells of the page on Python as a notebook: its code, and the sentence before it."""
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
    with tempfile.TemporaryDirectory() as folder:
        of_scripts(Path(folder))
    NOTEBOOK.write_text(notebook(), encoding="utf-8")
