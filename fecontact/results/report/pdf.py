"""Printing of pages to PDF by a Chromium-based browser, without window and network."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from fecontact.results.folder.files import written_whole
from fecontact.study.errors import InputError

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_PATIENCE = 300.0  # time limit, s
_FLAGS = (
    "--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
    "--no-pdf-header-footer", "--virtual-time-budget=20000",
)  # fmt: skip


def require_browser() -> str:
    """Return the path of a browser that can print; raise InputError if none is installed."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        raise InputError(
            f"--pdf: no browser found ({', '.join(BROWSERS)}). Install chromium, or run the "
            "command with `docker/run --extra browser`, or print the page from your own browser."
        )
    return found


def write_pdf(page: Path, path: Path) -> Path:
    """Print an HTML page to a PDF file."""
    browser = require_browser()
    with TemporaryDirectory() as folder, written_whole(path) as temporary:
        printed = Path(folder) / "page.pdf"
        command = [browser, *_FLAGS, f"--user-data-dir={folder}/profile"]
        # required by root; the page is ours
        command += ["--no-sandbox"] if os.geteuid() == 0 else []
        command += [f"--print-to-pdf={printed}", page.resolve().as_uri()]
        try:
            ended = subprocess.run(command, capture_output=True, timeout=_PATIENCE, check=False)
        except subprocess.TimeoutExpired:
            raise InputError(
                f"--pdf: {browser} did not print {page} within {_PATIENCE:g} s. Print the page "
                "from your own browser."
            ) from None
        if not printed.exists():
            last = ended.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
            raise InputError(
                f"--pdf: {browser} printed nothing ({' '.join(last) or 'no message'})."
            )
        shutil.copyfile(printed, temporary)
    return path
