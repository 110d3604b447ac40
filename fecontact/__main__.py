"""The command `fecontact`, also as `python -m fecontact`: what comes before it is loaded."""

import os
import signal
import sys
from types import FrameType

_LOADING = ("importlib.", "pydantic.")  # whose frames are on the stack while code is being loaded


def main() -> None:
    """Start the command line."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else the caller ignores it
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
    """Ctrl-C. Libraries that are being loaded turn a KeyboardInterrupt into errors of their own;
    nothing is there to be tidied up yet, so the process just ends."""
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
    """Streams that the caller has closed lead nowhere; else the next file opened would be one."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(number)
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8"))


if __name__ == "__main__":
    main()
