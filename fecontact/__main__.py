"""The command `fecontact`, also as `python -m fecontact`."""

from __future__ import annotations

import sys

from fecontact.isolation import isolate


def main() -> None:
    """Start the command line; Ctrl-C while it is still being loaded ends it quietly."""
    try:
        isolate()
        from fecontact.cli import main as command_line

        command_line()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
