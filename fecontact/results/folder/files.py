"""Files of a result folder: atomic writing, and no links to files elsewhere."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from fecontact.results.folder.ownership import FILES, note, partial
from fecontact.study.errors import InputError


def slug(text: str) -> str:
    """Return a file name for a key or name of a study: letters, digits, dots and dashes only.

    Such a name cannot refer outside the folder in which it is written.
    """
    return re.sub(r"[^A-Za-z0-9.]+", "-", text).strip("-.")[:60] or "unnamed"


def require_links_inside(folder: Path) -> None:
    """Raise InputError if a result folder, which may be untrusted, contains links to files outside
    it or something other than a file under the name of a file.
    """
    inside = os.path.realpath(folder)
    for path in folder.rglob("*"):
        if path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(inside):
            raise InputError(f"{path}: is a link out of the result folder. Replace it by a file.")
    for path in (folder / name for name in FILES):
        if path.exists() and not path.is_file():
            raise InputError(f"{path}: is not a file. Replace it by the file of a result.")


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Yield a temporary name in the folder of `path`; the file gets its final name at the end.

    The suffix is preserved, because writers choose the format by it. If writing fails, no file is
    left. In a result folder the file is recorded as ours; a file that is not ours is not
    overwritten.
    """
    temporary = partial(path, os.getpid())
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield temporary
        note(path)
        os.replace(temporary, path)
    except BaseException as error:
        with suppress(OSError):
            temporary.unlink()
        if isinstance(error, OSError):
            raise InputError(f"{path}: cannot be written: {error.strerror or error}") from None
        raise


def write_text(path: Path, text: str) -> None:
    """Write UTF-8 text completely or not at all."""
    with written_whole(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")
