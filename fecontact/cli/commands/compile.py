"""`fecontact compile`: compilation of kernels in advance."""

from __future__ import annotations

import time

import click

from fecontact.cli.output import print_line
from fecontact.study.errors import RunError
from fecontact.workers import Fault, Lost, ReportProgress, shared_out

REPRESENTATIVE = ("sdnv104a", "sdnd121")


@click.command(name="compile")
def compile_kernels() -> None:
    """Compile the kernels that most studies use, so that the first study starts immediately.

    The kernels are stored in the cache; `docker/run` does this when it has built an environment. A
    finite-element and a lumped study, which share few kernels, are run in two processes.
    """
    start = time.monotonic()
    for number, end in shared_out(_run, REPRESENTATIVE, len(REPRESENTATIVE), REPRESENTATIVE):
        if isinstance(end, Fault | Lost):
            raise RunError(f"compile: {REPRESENTATIVE[number]} did not complete: {end.reason}")
    print_line(f"kernels compiled in {time.monotonic() - start:.0f} s")


def _run(name: str, report: ReportProgress) -> float:
    """Run a bundled study without output; return the time at its end, s."""
    import fecontact

    return float(fecontact.run(fecontact.load(name)).time[-1])
