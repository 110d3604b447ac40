"""`fecontact convert`: conversion of an input file of another program to a study."""

from __future__ import annotations

from pathlib import Path

import click

from fecontact.cli.commands.inspect import write_new, write_schema
from fecontact.cli.output import NamedPath, print_line
from fecontact.isolation import named
from fecontact.study.errors import InputError


@click.command()
@click.argument("source", type=NamedPath(path_type=Path))
@click.option("--out", metavar="NAME", help="Name of the study (default: the name of SOURCE).")
@click.option(
    "--units",
    type=click.Choice(["m", "mm"]),
    default="m",
    show_default=True,
    help="Units of SOURCE: m, kg, s (N, Pa) or mm, t, s (N, MPa).",
)
def convert(source: Path, out: str | None, units: str) -> None:
    """Convert SOURCE, a two-dimensional input file of Abaqus or CalculiX (.inp), to a study.

    Writes NAME.toml and its mesh NAME.msh, in SI units, and fecontact-schema.json for editors.
    Parts that are not translated are listed in a comment at the head of the study and printed.
    """
    from fecontact.convert import convert as converted
    from fecontact.mesh import write
    from fecontact.study.schema import with_schema_line

    if source.suffix.lower() != ".inp":
        raise InputError(
            f"{source}: not an input file of Abaqus or CalculiX. Use a file with the extension "
            ".inp."
        )
    name = Path(out.removesuffix(".toml") if out else source.stem)
    if name.name in ("", ".."):
        raise InputError(
            f"--out {out}: is a folder. Give a file name, for example {name / 'mine'}."
        )
    study = named(name.with_name(f"{name.name}.toml"))
    mesh = study.with_suffix(".msh")
    for file in (study, mesh):
        if file.exists():
            raise InputError(f"{file}: exists already. Choose another name with --out.")
    done = converted(source, mesh.name, units)
    write_new(study, with_schema_line(done.study).encode())
    write_schema(study.parent)
    write(done.mesh, mesh)
    print_line(f"wrote {study} and {mesh}. Check the study, then run it: fecontact run {study}")
    for line in done.left:
        print_line(f"not translated: {line}")
    if units == "m" and _probably_in_mm(study):
        print_line(
            f"note: materials of {source} look like N and mm, but were taken as SI. Convert it "
            f"again: fecontact convert {source} --units mm --out {name.name}-mm"
        )


def _probably_in_mm(study: Path) -> bool:
    """Return True if moduli or densities of a study are plausible in MPa or t/mm³ alone."""
    from fecontact.study import load
    from fecontact.study.finite_element import FiniteElementStudy
    from fecontact.study.validation.plausibility import doubtful_units

    try:
        loaded = load(study)
    except InputError:
        return False  # `fecontact check` reports the reason
    return isinstance(loaded, FiniteElementStudy) and any(doubtful_units(loaded))
