"""Additions of the documentation site: the Python API, generated from docstrings, and KaTeX."""

from __future__ import annotations

import inspect
import shutil
from pathlib import Path
from typing import Any

import fecontact

MARK = "<!-- fecontact.__all__ -->"
KATEX = Path("/usr/share/javascript/katex")  # from the Debian package libjs-katex
SHIM = "https://unpkg.com/iframe-worker/shim"  # loaded by the theme for search from a folder
WIDTH = 50  # characters of a signature on one line


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Insert the API reference into the page that requests it (called by MkDocs for every page)."""
    return markdown.replace(MARK, api()) if MARK in markdown else markdown


def on_post_page(output: str, page: Any, **_: Any) -> str:
    """Load docs/worker.js in place of the script that the theme loads from a network."""
    return output.replace(SHIM, "../" * page.url.count("/") + "worker.js")


def on_post_template(output_content: str, **_: Any) -> str:
    """Do the same in pages that are no documents (404.html)."""
    return output_content.replace(SHIM, "/worker.js")


def on_post_build(config: Any) -> None:
    """Copy KaTeX to the site, so that formulas are displayed without a network."""
    shutil.copytree(KATEX, Path(config["site_dir"]) / "katex", dirs_exist_ok=True)


def api() -> str:
    """Return all public names with signature and docstring; classes with their public members."""
    return "\n\n".join(_entry(f"fecontact.{n}", getattr(fecontact, n)) for n in fecontact.__all__)


def _entry(name: str, thing: Any, level: int = 2) -> str:
    call = f"```python\n{name}{_signature(thing)}\n```"
    parts = [f"{'#' * level} `{name}`", *([call] if _signature(thing) else []), _text(thing)]
    if inspect.isclass(thing):
        members = {n: m for n, m in vars(thing).items() if not n.startswith("_") and _shown(m)}
        short = name.rpartition(".")[2]
        parts += [_entry(f"{short}.{n}", _plain(m), level + 1) for n, m in members.items()]
    return "\n\n".join(parts)


def _shown(member: Any) -> bool:
    return bool(inspect.getdoc(_plain(member))) and (
        inspect.isfunction(_plain(member)) or isinstance(member, property)
    )


def _plain(member: Any) -> Any:
    return getattr(member, "__func__", member)


def _signature(thing: Any) -> str:
    if isinstance(thing, property) or (inspect.isclass(thing) and issubclass(thing, Exception)):
        return ""
    found = inspect.signature(thing)
    text = str(found).replace("'", "")
    if len(text) < WIDTH:
        return text
    arguments = (str(one).replace("'", "") for one in found.parameters.values())
    lines = ",\n    ".join(arguments)
    return f"(\n    {lines},\n){text[text.rindex(')') + 1 :]}"


def _text(thing: Any) -> str:
    """Return a docstring as a quotation, which keeps its lines."""
    return f"```text\n{inspect.getdoc(thing) or ''}\n```"
