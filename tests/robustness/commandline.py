"""The `fecontact` command inside the test process, without the start-up time."""

from __future__ import annotations

import contextlib
import io
import sys
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from fecontact.cli import main


@dataclass(frozen=True)
class Ended:
    """How a command ended: exit code and output."""

    code: int
    out: str
    err: str

    @property
    def message(self) -> str:
        """The one line that says what went wrong."""
        lines = self.err.splitlines()
        assert len(lines) == 1, self.err
        return lines[0]


def fecontact(*arguments: str | Path) -> Ended:
    """Run `fecontact ARGUMENTS`."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    with (
        mock.patch.object(sys, "argv", ["fecontact", *map(str, arguments)]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
    return Ended(code, out.getvalue(), err.getvalue())


def changed(*overrides: str) -> list[str]:
    """The options that change keys of a study."""
    return [text for override in overrides for text in ("--set", override)]
