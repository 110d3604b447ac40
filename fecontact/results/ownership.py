"""Which files of a result folder fecontact wrote: those, and no others, may it replace or remove.

A result folder may be any folder (`--out .`), with files of the user's beside ours and in folders
of the same names. So every file is noted in a list, in the folder itself, before it gets its final
name: a run that is killed leaves no file of ours that is not on the list.
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
    "end.npz",
    "report.html",
    "report.pdf",
    "modes.csv",
    "modes.npz",
    "modes.html",
)
SUMMARY = "index.html"  # of a verification; a run has none, and may stand beside a user's
PRINTED = "manual.pdf"  # of a verification
PAGES = "cases"  # of a verification: the pages of its cases
FOLDERS = ("fields", "plots", PAGES)
CHECKPOINTS = "checkpoints"
_PARTIAL = re.compile(r"\.(?P<stem>.+)\.\d+\.part(?P<suffix>\.\w+)?")


def partial(path: Path, process: int) -> Path:
    """The name under which a process writes a file before it gets its final one."""
    return path.with_name(f".{path.stem}.{process}.part{path.suffix}")


def require_no_links(folder: Path) -> None:
    """Refuse a folder whose sub-folders or list are links: what is written to and removed from them
    would be files elsewhere. A result folder may have come from anybody."""
    for name in (LIST, CHECKPOINTS, *FOLDERS):
        if (folder / name).is_symlink():
            raise InputError(
                f"{folder / name}: is a symbolic link. Remove it or choose another folder with "
                "--out."
            )


def begin(folder: Path) -> None:
    """Make the folder a result folder: from now on its files are noted."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / LIST).touch()


def note(path: Path) -> None:
    """Note a file that is about to be written; refuse to write over a file that is not ours.

    Nothing is noted outside of result folders (a picture that is saved elsewhere).
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
    """Refuse to write over a file that is there and is not on the folder's list."""
    if path.exists() and path.relative_to(folder).as_posix() not in owned(folder):
        raise InputError(f"{path} was not written by fecontact and is not changed. Move it.")


def owned(folder: Path) -> list[str]:
    """The names on the folder's list, relative to it.

    The list is data that may have been changed: a name that leads elsewhere is not believed.
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
        with suppress(OSError):  # it is not there, is not empty, or is a link
            (folder / name).rmdir()


def _left_by_kills(folder: Path) -> list[Path]:
    """Files of ours that a kill has left half written."""
    found = []
    for place in (folder, *(folder / name for name in FOLDERS)):
        for path in place.glob(".*.part*"):
            match = _PARTIAL.fullmatch(path.name)
            final = f"{match['stem']}{match['suffix'] or ''}" if match else ""
            if final and (place != folder or final in (*FILES, SUMMARY, PRINTED)):
                found.append(path)
    return found
