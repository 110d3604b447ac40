"""The command line. Each command imports what it needs when it runs: `--help` stays quick."""

from fecontact.cli.main import main

__all__ = ["main"]
