"""Draw the pictures of the validation documents.

`docker/run python docs/figures/documents.py` writes docs/pictures/document-CASE-PLOT.png.
"""

from __future__ import annotations

from pathlib import Path

import fecontact

PICTURES = Path(__file__).parents[1] / "pictures"
PLOTS = {
    "sdnv104": ("sdnv104a", {"model": 0.1, "displacement": None}),
    "sdnd100": ("sdnd100a", {"displacement": None}),
    "sdnd104": ("sdnd104-1.5", {"work-rate": 2.0}),
    "sdnd121": ("sdnd121", {"model": 0.1}),
}
"""Page in docs/documents → its study and its plots, with the end of a shorter run, s."""


def run(name: str, end: float | None) -> fecontact.Result:
    """Run a study, up to a time without its checks if one is given."""
    changes = {} if end is None else {"time.end": end, "checks": None, "statistics": None}
    return fecontact.run(fecontact.load(name, changes))


if __name__ == "__main__":
    for page, (name, plots) in PLOTS.items():
        for plot, end in plots.items():
            run(name, end).plot(plot).save(PICTURES / f"document-{page}-{plot}.png")
