"""Screenshot of the report of SDNV104 A in a browser, for the README and the page on runs.

Usage: docker/run --extra browser python3 docs/figures/report_view.py RESULT_FOLDER
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).parents[2]
sys.path.insert(0, str(PROJECT / "tests" / "browser"))

from chromium import Browser  # noqa: E402
from pictures import PICTURES, reduce  # noqa: E402

SIZE = (1000, 712)  # px
PREPARE = """
document.head.insertAdjacentHTML("beforeend", "<style>::-webkit-scrollbar{display:none}</style>");
document.querySelector(".player").scrollIntoView();
"""


def main() -> None:
    """Write docs/pictures/report-sdnv104.png."""
    with tempfile.TemporaryDirectory() as folder, Browser(Path(folder)) as browser:
        page = browser.open(Path(sys.argv[1]).resolve() / "report.html")
        page.resize(*SIZE)
        page.wait_for("document.querySelector('#clock').textContent.includes('t =')")
        page.evaluate(PREPARE)
        box = "document.querySelector('#stage').getBoundingClientRect()"
        left, top, width, height = (
            float(str(page.evaluate(f"{box}.{name}")))
            for name in ("left", "top", "width", "height")
        )
        page.mouse("mouseMoved", left + 0.42 * width, top + 0.85 * height)
        page.wait_for("document.querySelector('#probe').textContent.includes('node')", 10)
        path = PICTURES / "report-sdnv104.png"
        page.picture(path)
        reduce(path)


if __name__ == "__main__":
    main()
