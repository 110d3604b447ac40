"""Draw the pictures of the guides and validation documents.

The guides use the complete studies on their pages, the validation documents the bundled studies.

`docker/run python docs/figures/guides.py [PAGE …]` writes docs/pictures/guide-PAGE.png or
document-PAGE-PLOT.png. Then run docs/figures/pictures.py.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import fecontact

DOCS = Path(__file__).parents[1]

PLOTS = {
    "study-files": "model",
    "geometry": "mesh",
    "materials": "deformed",
    "supports-and-loads": "model",
    "contact": "pressure-sole",
    "friction-and-wear": "displacement",
    "rigid-tools": "pressure-top",
    "time-and-stages": "displacement",
    "output": "centroid-displacement",
    "lumped-models": "displacement",
}
"""Page of a guide → the plot of its study that it shows."""


def study(page: str) -> str:
    """Return the complete study of a guide: its first TOML block."""
    text = (DOCS / "guide" / f"{page}.md").read_text(encoding="utf-8")
    found = re.search(r"^```toml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def draw(page: str) -> None:
    """Run the study of a guide and save its plot."""
    result = fecontact.run(fecontact.define(tomllib.loads(study(page))))
    result.plot(PLOTS[page]).save(DOCS / "pictures" / f"guide-{page}.png")


if __name__ == "__main__":
    for name in sys.argv[1:] or PLOTS:
        draw(name)
