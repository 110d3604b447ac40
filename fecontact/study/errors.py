"""Exceptions raised for invalid input and for runs that do not complete."""

from __future__ import annotations

import re
import signal

from fecontact.isolation import shown

UNPRINTABLE = r"\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff"
"""Control characters of terminals and of writing direction, for a character class."""

_UNPRINTABLE = re.compile(f"[{UNPRINTABLE}\\ud800-\\udfff]")  # and lone surrogates


def printable(text: object) -> str:
    """Return untrusted text safe to print: control characters are made visible, and paths are
    relative to the directory in which the command was called.
    """
    return _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04X}", shown(str(text)))


class InputError(Exception):
    """Invalid input; the message states the location, the error and the remedy.

    The command line prints it and exits with code 2.

    >>> try:
    ...     study = fecontact.load("shoe.toml")
    ... except fecontact.InputError as error:
    ...     print(error)
    """


class StudyError(InputError):
    """A study file is invalid; contains all its error messages.

    >>> try:
    ...     fecontact.define({"kind": "lumped"})
    ... except fecontact.StudyError as error:
    ...     print(len(error.messages))
    """

    def __init__(self, messages: list[str]) -> None:
        self.messages = messages
        super().__init__("\n".join(messages))


class RunError(Exception):
    """A run did not complete: why, at which time and where; computed results are saved.

    The command line prints it, saves the results and exits with code 3.

    >>> try:
    ...     result = fecontact.run(study)
    ... except fecontact.RunError as error:
    ...     print(error)                      # time and cause
    """


class Interrupted(BaseException):
    """A signal ended the command; the message states how to continue.

    Derives from BaseException, like KeyboardInterrupt, so that `except Exception` does not catch
    it. The command line prints it and exits with the shell's code for the signal, 128 + its number.
    """

    def __init__(self, number: int, more: str = "") -> None:
        self.number, self.code = number, 128 + number
        name = signal.Signals(number).name
        super().__init__(f"{name} received{f'; {more}' if more else ''}")
