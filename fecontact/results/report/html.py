"""Elements of a web page. All text passes through `text`, so that it is shown
and never executed.
"""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterable, Sequence
from importlib import resources
from pathlib import Path

from fecontact.results.checks.evaluation import CheckRow
from fecontact.results.checks.tables import check_cells

_CHECKED = ("quantity", "outcome", "reference", "code_aster", "fecontact", "error",
            "relative error", "tolerance")  # fmt: skip
_LARGEST_SVG = 60_000  # bytes; a larger figure is stored as PNG


def text(value: object) -> str:
    """Return text of a study or a run, escaped for HTML, in elements and in attributes."""
    return html.escape(str(value), quote=True)


def prose(words: str) -> str:
    """Return prose of a study, escaped for HTML; text between `…` is set as code."""
    return re.sub(r"`([^`\n]+)`", r"<code>\1</code>", text(words))


def page(template: str, **pieces: str) -> str:
    """Return a template of page/ with each @@NAME@@ replaced once (replacements are
    not searched).
    """
    found = asset(template)
    return re.sub(r"@@(\w+)@@", lambda match: pieces[match[1]], found)


def asset(name: str) -> str:
    """Return a file of page/: template, style sheet or script."""
    return (resources.files("fecontact.results") / "page" / name).read_text(encoding="utf-8")


def table(header: Sequence[str], rows: Iterable[Sequence[object]], kind: str = "") -> str:
    """Return a table of texts; on a phone, each row of a "stacked" one becomes lines of text."""
    head = "".join(f"<th>{text(name)}</th>" for name in header)
    names = [f' data-name="{text(name)}"' if kind == "stacked" else "" for name in header]
    body = "".join(
        "<tr>"
        + "".join(f"<td{name}>{text(cell)}</td>" for name, cell in zip(names, row, strict=True))
        + "</tr>\n"
        for row in rows
    )
    start = f'<div class="wide"><table class="{text(kind)}">'
    return f"{start}<thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table></div>"


def checks_table(rows: Sequence[CheckRow], identity: bool) -> str:
    """Return the checks, failed ones marked, regression checks in grey; with case, model and
    variant if `identity`.
    """
    texts = [check_cells(row) for row in rows]
    names = [name for name in _CHECKED if name != "code_aster" or any(c[name] for c in texts)]
    if identity:
        names = ["model", "variant", *names]
    return lines_of_checks((*names, "source"), rows, texts)


def lines_of_checks(
    names: Sequence[str], rows: Sequence[CheckRow], texts: Sequence[dict[str, str]]
) -> str:
    """Return a table of checks with these columns; texts: of each row by column, except outcome and
    source. On a phone, each cell shows the name of its column.
    """
    lines = []
    for row, cells in zip(rows, texts, strict=True):
        shown = cells | {"source": row.source}
        shown["outcome"] = f"{row.outcome}: {row.reason}" if row.reason else row.outcome
        line = "".join(
            f'<td class="{"mark" if name == "outcome" else ""}" data-name="{text(name)}">'
            f"{text(shown[name])}</td>"
            for name in names
        )
        kind = "failed" if row.failed else "passed" if row.passed else "apart"
        lines.append(f'<tr class="{kind}">{line}</tr>\n')
    head = "".join(f"<th>{text(name)}</th>" for name in names)
    start = '<div class="wide"><table class="checks">'
    return f"{start}<thead><tr>{head}</tr></thead>\n<tbody>{''.join(lines)}</tbody></table></div>"


def picture(stem: Path, description: str) -> str:
    """Return a figure drawn to stem.svg, embedded in the page; as stem.png if that is smaller."""
    svg, png = stem.with_name(stem.name + ".svg"), stem.with_name(stem.name + ".png")
    large = png.exists() and svg.stat().st_size > _LARGEST_SVG
    file, kind = (png, "png") if large else (svg, "svg+xml")
    data = base64.b64encode(file.read_bytes()).decode("ascii")
    return f'<img alt="{text(description)}" src="data:image/{kind};base64,{data}">'


def drawing(svg: str, legend: Iterable[tuple[str, str]], description: str) -> str:
    """Return an SVG element with its legend as a list of samples with their texts."""
    rows = "".join(
        f'<li><svg width="26" height="14" viewBox="-1 -7 22 14">{sample}</svg>{text(label)}</li>'
        for sample, label in legend
    )
    figure = f'<figure class="drawing" role="img" aria-label="{text(description)}">{svg}</figure>'
    return f'{figure}<ul class="samples">{rows}</ul>'


def messages(kind: str, lines: Sequence[str]) -> str:
    """Return a box of messages: warnings or a failure."""
    items = "".join(f"<li>{text(line)}</li>" for line in lines)
    return f'<ul class="box {kind}">{items}</ul>' if items else ""
