"""What fecontact raises when the input is wrong or a run cannot go on."""

from __future__ import annotations

import re
import signal

from fecontact.isolation import shown

UNPRINTABLE = r"\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff"
"""Characters that steer a terminal or turn the direction of writing, for a character class."""

_UNPRINTABLE = re.compile(f"[{UNPRINTABLE}\\ud800-\\udfff]")  # and halves of characters


def printable(text: object) -> str:
    """Text that may come from anybody, safe to print: what steers a terminal becomes visible, and
    paths are seen from where the command was called."""
    return _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04X}", shown(str(text)))


class InputError(Exception):
    """The input is wrong; the message is for the user: what, where, what would be right.

    The command line prints it and exits with code 2.
    """


class StudyError(InputError):
    """A study file is wrong; holds all its errors, one sentence each."""

    def __init__(self, messages: list[str]) -> None:
        self.messages = messages
        super().__init__("\n".join(messages))


class RunError(Exception):
    """A run cannot go on: why, at which time and where; what was computed is kept.

    The command line prints it, saves what there is and exits with code 3.
    """


class Interrupted(BaseException):
    """A signal asked the command to end; the message says how to go on.

    Like KeyboardInterrupt it is no Exception: nothing that mends errors is to stop it.
    The command line prints it and exits with the shell's code for the signal, 128 + its number.
    """

    def __init__(self, number: int, more: str = "") -> None:
        self.number, self.code = number, 128 + number
        name = signal.Signals(number).name
        super().__init__(f"{name} received{f'; {more}' if more else ''}")
