"""List of the files in a result folder written by fecontact: only these may be
replaced or removed.

A result folder can be any folder (`--out .`), with files of the user next to ours and in folders
of the same names. Every file is therefore recorded in a list, in the folder itself, before it gets
its final name: a killed run leaves no file of ours that is not on the list.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path, PurePosixPath

from fecontact.study.errors import InputError

LIST = ".fecontact-files"
FILES = (
    "result.json",
    "history.csv",
    "sweep.csv",
    "arrays.npz",
    "restart.npz",
    "report.html",
    "report.pdf",
    "modes.csv",
    "modes.npz",
    "modes.html",
    "response.csv",
    "response.json",
    "response.html",
)
SUMMARY = "index.html"  # of a verification; a run has none, and its folder may contain a user's
PRINTED = "manual.pdf"  # of a verification
PAGES = "cases"  # of a verification: the pages of its cases
FOLDERS = ("fields", "plots", PAGES)
CHECKPOINTS = "checkpoints"
_PARTIAL = re.compile(r"\.(?P<stem>.+)\.\d+\.part(?P<suffix>\.\w+)?")


def partial(path: Path, process: int) -> Path:
    """Return the name under which a process writes a file before it gets its final name."""
    return path.with_name(f".{path.stem}.{process}.part{path.suffix}")


def require_no_links(folder: Path) -> None:
    """Raise InputError if sub-folders or list of a folder are links: files elsewhere would be
    written or removed. A result folder may come from an untrusted source.
    """
    for name in (LIST, CHECKPOINTS, *FOLDERS):
        if (folder / name).is_symlink():
            raise InputError(
                f"{folder / name}: is a symbolic link. Remove it or choose another folder with "
                "--out."
            )


def begin(folder: Path) -> None:
    """Make the folder a result folder: from now on its files are recorded."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / LIST).touch()


def note(path: Path) -> None:
    """Record a file before it is written; raise InputError if it would overwrite a file that is not
    ours.

    Nothing is recorded outside result folders (a plot saved elsewhere).
    """
    folder = path.parent.parent if path.parent.name in FOLDERS else path.parent
    if not (folder / LIST).is_file():
        return
    if path.exists():
        check_ownership(path, folder)
        return
    with (folder / LIST).open("a", encoding="utf-8") as file:
        file.write(f"{path.relative_to(folder).as_posix()}\n")


def check_ownership(path: Path, folder: Path) -> None:
    """Raise InputError if an existing file is not on the folder's list."""
    if path.exists() and path.relative_to(folder).as_posix() not in owned(folder):
        raise InputError(f"{path} was not written by fecontact and is not changed. Move it.")


def owned(folder: Path) -> list[str]:
    """Return the names on the folder's list, relative to the folder.

    The list may have been changed by others: names outside the folder are ignored.
    """
    try:
        names = (folder / LIST).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []
    return [name for name in dict.fromkeys(names) if _could_be_ours(name)]


def _could_be_ours(name: str) -> bool:
    match PurePosixPath(name).parts:
        case (file,):
            return file in (*FILES, SUMMARY, PRINTED)
        case (folder, file):
            return folder in FOLDERS and file not in ("", ".", "..")
    return False


def remove_owned(folder: Path) -> None:
    """Remove the files on the list, then the list, then those of our folders that are empty."""
    for name in owned(folder):
        (folder / name).unlink(missing_ok=True)
    (folder / LIST).unlink(missing_ok=True)
    for path in _left_by_kills(folder):
        path.unlink(missing_ok=True)
    for name in FOLDERS:
        with suppress(OSError):  # missing, not empty, or a link
            (folder / name).rmdir()


def _left_by_kills(folder: Path) -> list[Path]:
    """Return our partially written files left by killed runs."""
    found = []
    for place in (folder, *(folder / name for name in FOLDERS)):
        for path in place.glob(".*.part*"):
            match = _PARTIAL.fullmatch(path.name)
            final = f"{match['stem']}{match['suffix'] or ''}" if match else ""
            if final and (place != folder or final in (*FILES, SUMMARY, PRINTED)):
                found.append(path)
    return found
