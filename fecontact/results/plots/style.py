"""Style of figures: a palette for colour-blind readers, fonts for print, PNG and SVG.

Colours are those of Okabe and Ito (2008), "Color universal design". Lines also differ in their
dashes, so that they can be distinguished in grey.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from fecontact.record import OPEN, SLIP, STICK
from fecontact.results.folder.files import written_whole
from fecontact.results.plots.units import rescale

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#666666")
DASHES = ("-", (0, (6, 1.5)), (0, (4, 1, 1, 1)), (0, (2, 1)), (0, (8, 1, 1, 1, 1, 1)), (0, (1, 1)))
STATUS_COLOURS = {OPEN: "#D9D9D9", STICK: "#0072B2", SLIP: "#E69F00"}
STATE_COLOURS = {"open": "#D9D9D9", "stick": "#0072B2", "slip": "#E69F00", "contact": "#009E73"}
INK, PAPER, BODY, FIXED = "#222222", "#ffffff", "#E8EEF3", "#D9D4CC"
SEQUENTIAL, DIVERGING = "viridis", "PuOr"

_RC = {
    "figure.dpi": 100,
    "savefig.dpi": 130,
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.grid": True,
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "lines.linewidth": 1.5,
    "legend.frameon": False,
    "axes.formatter.useoffset": False,
    "text.parse_math": False,  # a name from a study can contain a dollar sign
    "svg.hashsalt": "fecontact",  # equal figures give identical files
}


@contextmanager
def picture(path: Path, width: float = 7.0, height: float = 4.0) -> Iterator[Figure]:
    """Yield a figure (size in inches) that is saved as path.png and path.svg at the end."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with rc_context(_RC):
        figure = Figure(figsize=(width, height))
        FigureCanvasAgg(figure)
        yield figure
        rescale(figure)
        inked = figure.get_tightbbox().padded(0.1)  # inches; once for both files
        for suffix in (".png", ".svg"):
            with written_whole(path.with_name(path.name + suffix)) as temporary:
                metadata = {"Date": None} if suffix == ".svg" else {"Software": None}
                figure.savefig(temporary, metadata=metadata, bbox_inches=inked)
