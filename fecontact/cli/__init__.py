"""Command line. Each command imports its modules when it runs, so that `--help` stays fast."""

from fecontact.cli.main import main

__all__ = ["main"]
