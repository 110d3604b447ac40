"""Draw the pictures of the validation documents.

`docker/run python docs/figures/documents.py` writes docs/pictures/document-CASE.png.
"""

from __future__ import annotations

from pathlib import Path

import fecontact

PICTURES = Path(__file__).parents[1] / "pictures"
PLOTS = {
    "sdnv104": ("sdnv104a", "model", 0.1),
    "sdnd100": ("sdnd100a", "displacement", 0.2),
    "sdnd104": ("sdnd104-1.5", "work-rate", 2.0),
    "sdnd121": ("sdnd121", "model", 0.1),
}
"""Page in docs/documents → its study, the plot that it shows, and the end of the run, s."""


if __name__ == "__main__":
    for page, (name, plot, end) in PLOTS.items():
        short = fecontact.load(name, {"time.end": end, "checks": None, "statistics": None})
        fecontact.run(short).plot(plot).save(PICTURES / f"document-{page}.png")
