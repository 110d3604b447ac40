"""The `fecontact` command: its subcommands, error handling and exit codes.

Exit codes: 0 computed and trusted; 5 a check failed; 2 the input is invalid; 3 the run did not
complete; 4 computed, but a quality limit is exceeded; 70 an internal error (a bug in fecontact);
130 interrupted, 143 terminated, 129 hung up. Of several, the most severe of 3, 4, 5 determines the
exit code.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import MutableMapping
from typing import Any

import click

from fecontact.cli import interruption, ranks
from fecontact.study.errors import InputError, Interrupted, RunError

COMMANDS = {
    "run": "fecontact.cli.commands.run:run",
    "modes": "fecontact.cli.commands.modes:modes",
    "response": "fecontact.cli.commands.response:response",
    "sweep": "fecontact.cli.commands.sweep:sweep",
    "verify": "fecontact.cli.commands.verify:verify",
    "check": "fecontact.cli.commands.inspect:check",
    "list": "fecontact.cli.commands.inspect:list_studies",
    "new": "fecontact.cli.commands.inspect:new",
    "convert": "fecontact.cli.commands.convert:convert",
    "mesh": "fecontact.cli.commands.inspect:mesh",
    "schema": "fecontact.cli.commands.inspect:schema",
    "compare": "fecontact.cli.commands.compare:compare",
    "plot": "fecontact.cli.commands.postprocess:plot",
    "report": "fecontact.cli.commands.postprocess:report",
    "animate": "fecontact.cli.commands.postprocess:animate",
    "compile": "fecontact.cli.commands.compile:compile_kernels",
}
SUMMARIES = {
    "run": "Run a study: progress, key figures, checks, report.",
    "modes": "Compute natural frequencies, mode shapes and the stability of sliding.",
    "response": "Compute periodic motions under harmonic load, with their stability.",
    "sweep": "Run a study for all combinations of key values.",
    "verify": "Run the verification studies and compare them with their references.",
    "check": "Check a study file without running it.",
    "list": "List the bundled studies.",
    "new": "Write a commented starter study.",
    "convert": "Convert an Abaqus or CalculiX input file to a study.",
    "mesh": "Describe and draw the mesh of a study or of a mesh file.",
    "schema": "Print the reference of all keys of a study file.",
    "compare": "Compare results: largest differences, curves, one page.",
    "plot": "Draw the figures of a result folder again.",
    "report": "Generate the report of a result folder again.",
    "animate": "Write an animation of a result folder: .gif, .mp4 or .webm.",
    "compile": "Compile the kernels in advance.",
}


class LazyGroup(click.Group):
    """Subcommands imported when they are called, so that `--help` costs no import."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[name].partition(":")
        from importlib import import_module

        command: click.Command = getattr(import_module(module), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, SUMMARIES[name]) for name in COMMANDS])

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            import difflib

            close = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"one of: {', '.join(COMMANDS)}"
            raise click.UsageError(f"unknown command {args[0]!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)


def _print_versions(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from fecontact.versions import versions

        for name, version in versions().items():
            click.echo(f"{name} {version}")
        ctx.exit()


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=(
        "First steps: `fecontact new mine` writes a study to start from, `fecontact run "
        "mine.toml` runs it, and `fecontact schema` explains every key. With MPI: `mpirun -n 2 "
        "fecontact run STUDY`. Exit codes: 0 completed and trusted, 2 invalid input, 3 the "
        "run did not complete, 4 completed but not trusted, 5 a check failed, 70 internal error, "
        "129, 130, 143 stopped by SIGHUP, SIGINT, SIGTERM."
    ),
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_versions,
    help="Print the versions of fecontact and its libraries.",
)
def cli() -> None:
    """2D finite-element analysis of contact, friction, impact and wear.

    A study is one TOML file with bodies or lumped masses, loads, contact, the time scheme, history
    output and checks. Numbers without a unit are in SI units.
    """
    ranks.require_one_world()


def main() -> None:
    """Run the command line; print input errors as messages, never a traceback."""
    _set_defaults(os.environ)
    interruption.last_heard = 0  # left by an earlier command in the same process
    # Overflowing numbers end a run with a message of fecontact; the warning of numpy is
    # redundant.
    warnings.simplefilter("ignore", RuntimeWarning)
    try:
        code = cli.main(prog_name="fecontact", standalone_mode=False)
        _leave(code if isinstance(code, int) else 0)
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx is not None else "fecontact"
        message = error.format_message().rstrip(".")
        stop = "" if message.endswith("?") else "."
        ranks.fail(f"error: {message}{stop} See `{command} --help`.", 2)
    except click.ClickException as error:
        ranks.fail(f"error: {error.format_message()}", 2)
    except InputError as error:
        ranks.fail("\n".join(f"error: {line}" for line in str(error).split("\n")), 2)
    except RunError as error:
        ranks.fail(f"error: {error} See docs/troubleshooting.md.", 3)
    except Interrupted as error:
        ranks.fail(f"interrupted: {error}", error.code)
    except (KeyboardInterrupt, click.Abort):
        ranks.fail("interrupted", 130)
    except BrokenPipeError:  # the reader of the output has closed the pipe: nothing to report
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        _leave(141)
    except OSError as error:  # of the machine: a full disk, an unreadable folder
        if interruption.last_heard:
            interrupted = Interrupted(interruption.last_heard)
            ranks.fail(f"interrupted: {interrupted}", interrupted.code)
        place = "" if error.filename is None else f"{error.filename}: "
        ranks.fail(f"error: {place}{error.strerror or error}", 2)
    except Exception as error:
        if os.environ.get("FECONTACT_TRACEBACK"):
            raise
        if interruption.last_heard:  # a library has converted the signal to another error
            interrupted = Interrupted(interruption.last_heard)
            ranks.fail(f"interrupted: {interrupted}", interrupted.code)
        if missing := _missing_of_the_machine(error):
            ranks.fail(f"error: {missing}", 2)
        ranks.fail(
            f"internal error (a bug in fecontact): {type(error).__name__}: {error}. Run again "
            "with FECONTACT_TRACEBACK=1 and report the output.",
            70,
        )


def _missing_of_the_machine(error: Exception) -> str:
    """Return a capability missing on the machine, as compiled kernels report it; "" for other
    errors.
    """
    if isinstance(error, ImportError) and "failed to map segment" in str(error):
        folder = os.path.dirname(str(error).partition(":")[0])
        return (
            f"{folder}: the file system of the kernel cache does not allow programs to be executed "
            "(noexec). Set XDG_CACHE_HOME, or FECONTACT_CACHE of docker/run, to another folder."
        )
    if type(error).__name__ in ("CompileError", "VerificationError"):  # of cffi, not imported here
        return (
            f"kernels cannot be compiled: {error}. Check that a C compiler is installed and that "
            "there is room in the kernel cache (XDG_CACHE_HOME, or FECONTACT_CACHE of docker/run)."
        )
    return ""


def _set_defaults(environment: MutableMapping[str, str]) -> None:
    """Set defaults that libraries read when they are loaded, unless the user has set them."""
    environment.setdefault("OMP_NUM_THREADS", "1")  # ranks share the processors
    # PETSc would report a crash when the reader of a pipe closes it (`fecontact run … | head`).
    environment.setdefault("PETSC_OPTIONS", "-no_signal_handler")


def _leave(code: int) -> None:
    sys.stdout.flush()
    sys.exit(code)
