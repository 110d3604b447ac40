"""Entry point of the command `fecontact` and of `python -m fecontact`; runs before any import."""

import os
import signal
import sys
from types import FrameType

# modules whose frames are on the stack while code is being loaded
_LOADING = ("importlib.", "pydantic.")


def main() -> None:
    """Start the command line."""
    # otherwise the caller ignores it
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)
    from fecontact.isolation import isolate

    try:
        isolate()
    except FileNotFoundError:
        sys.exit(_gone())
    _open_standard_streams()
    from fecontact.cli import main as command_line

    command_line()


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Handle Ctrl-C: end the process. Libraries that are being loaded turn a KeyboardInterrupt into
    other errors, and nothing needs cleaning up yet.
    """
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith(_LOADING):
            os._exit(130)
        frame = frame.f_back
    raise KeyboardInterrupt


def _gone() -> int:
    print(
        "fecontact: error: the working directory no longer exists. Change to another directory.",
        file=sys.stderr,
    )
    return 2


def _open_standard_streams() -> None:
    """Open closed standard streams to the null device; otherwise the next opened file would take
    their number.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(number)
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8"))


if __name__ == "__main__":
    main()
