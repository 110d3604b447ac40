"""What fecontact raises when the input is wrong or a run cannot go on."""

from __future__ import annotations


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
