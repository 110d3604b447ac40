"""Commands that compute nothing: check, list, new, mesh, schema."""

from __future__ import annotations

import re
from pathlib import Path
from shlex import quote

import click

from fecontact.cli.output import NamedPath, print_line
from fecontact.isolation import named
from fecontact.study.base import closest, in_toml, there_are
from fecontact.study.errors import InputError


@click.command()
@click.argument("study")
@click.option("--set", "overrides", multiple=True, metavar="KEY=VALUE", help="Change a key.")
@click.option("--variant", metavar="NAME", help="One of the study's variants.")
@click.option("--import", "modules", multiple=True, metavar="MODULE", help="As for `run`.")
def check(
    study: str, overrides: tuple[str, ...], variant: str | None, modules: tuple[str, ...]
) -> None:
    """Validate STUDY and list all errors, each with its key and the expected value.

    Without --variant, checks the study itself and all its variants.
    """
    from fecontact.study import StudyError, load
    from fecontact.study.finite_element import FiniteElementStudy
    from fecontact.study.library import find
    from fecontact.study.plugins import import_modules
    from fecontact.study.validation.plausibility import doubtful_units

    import_modules(modules)
    path = find(study)
    checked = load(path, overrides, variant)
    variants = checked.variants if variant is None else ()
    wrong: list[str] = []
    for name in variants:
        try:
            load(path, overrides, name)
        except StudyError as error:
            wrong += [message for message in error.messages if message not in wrong]
    if wrong:
        raise StudyError(wrong)
    if isinstance(checked, FiniteElementStudy):
        if checked.mesh.file is not None:
            from fecontact.cli.commands.meshing import check_places

            check_places(checked, path, overrides, variant)
        for note in doubtful_units(checked):
            print_line(f"note: {note}")
    count = len(variants)
    also = f", also in {count} variant{'s' * (count > 1)}" if variants else ""
    print_line(f"{path}: valid{also}: {checked.title}")


@click.command(name="list")
def list_studies() -> None:
    """List the bundled studies by topic, one line each."""
    from fecontact.study.library import file_of, gallery_names, names_by_topic
    from fecontact.study.load import resolve

    topics = names_by_topic() | {"gallery, machine parts": gallery_names()}
    width = max((len(name) for found in topics.values() for name in found), default=0)
    for heading, found in topics.items():
        print_line(f"{heading}:")
        for name in found:
            print_line(f"  {name:<{width}}  {resolve(file_of(name)).get('title', '')}")


@click.command()
@click.argument("name")
@click.option("--template", metavar="STUDY", help="Start from a bundled study.")
def new(name: str, template: str | None) -> None:
    """Write a commented starter study, NAME.toml, for you to edit.

    Also writes fecontact-schema.json, with which editors complete and check the keys.

    With --template, writes a copy of STUDY and the files it needs. STUDY is a name (see `fecontact
    list`) or words such as "press fit" that match one bundled study.
    """
    path = named(name if name.endswith(".toml") else f"{name}.toml")
    if path.name == ".toml":
        raise InputError(f"invalid study name {in_toml(name)}. Example: fecontact new mine")
    if template is None:
        starter = Path(__file__).with_name("starter.toml").read_text(encoding="utf-8")
        title = re.sub(r"[^\w .-]", "", path.stem) or "my study"
        write_new(path, starter.replace("TITLE", title).encode())
        write_schema(path.parent)
    else:
        from fecontact.study.library import needed

        source = _source(template)
        write_new(path, _copied(source))
        write_schema(path.parent)
        for file in needed(source):
            copy = path.parent / file.name
            if not copy.exists():
                write_new(copy, _copied(file))
                print_line(f"wrote {copy}, which it needs")
    print_line(f"wrote {path}. Run it with: fecontact run {quote(str(path))}")


def _copied(file: Path) -> bytes:
    """Return the content of a file for another folder, in which a study also has its schema."""
    from fecontact.study.schema import with_schema_line

    if file.suffix != ".toml":
        return file.read_bytes()
    return with_schema_line(file.read_text(encoding="utf-8")).encode()


def _source(template: str) -> Path:
    """Return the study that --template names, or the only one that its words describe."""
    from fecontact.study.library import alike, file_of, find

    try:
        return find(template)
    except InputError:
        best = alike(template)
        if len(best) > 1:  # of equal ones, that with the word in its name
            best = [name for name in best if template.lower() in name.split("-")]
        if len(best) != 1:
            raise
        print_line(f"{template}: using {best[0]}")
        return file_of(best[0])


def write_schema(folder: Path) -> None:
    """Write the schema named in the first line of a starter study, for editors with
    TOML support.
    """
    from fecontact.study.schema import FILE, json_text

    path = folder / FILE
    if not path.exists() or '"title": "fecontact study"' in path.read_text(encoding="utf-8"):
        path.write_text(f"{json_text()}\n", encoding="utf-8")


def write_new(path: Path, content: bytes) -> None:
    """Write a file that must not exist yet."""
    try:
        with path.open("xb") as file:
            file.write(content)
    except FileExistsError:
        raise InputError(f"{path}: exists already. Choose another name.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{in_toml(str(path), 1000)}: cannot be written: {reason}") from None


@click.command()
@click.argument("source")
@click.option("--out", type=NamedPath(path_type=Path), help="Folder for mesh.msh and mesh.png.")
def mesh(source: str, out: Path | None) -> None:
    """Describe and draw the mesh of SOURCE, a study, a mesh file or a geometry file.

    Only the [mesh] table of a study must be valid. Use the listed groups in the other tables.
    """
    from fecontact.study.shapes import MESH_FILES

    suffix = Path(source).suffix.lower()
    if suffix and suffix not in (".toml", *MESH_FILES):
        raise InputError(
            f"{source}: invalid extension of a mesh file. Use one of: {', '.join(MESH_FILES)}."
        )
    from fecontact.cli.commands.meshing import describe_and_draw

    describe_and_draw(source, out)


@click.command()
@click.argument("key", required=False)
@click.option("--json", "as_json", is_flag=True, help="A JSON Schema, for editors.")
@click.option("--markdown", is_flag=True, help="Markdown tables, as in the documentation.")
@click.option("--kind", type=click.Choice(["finite-element", "lumped"]), help="Only this kind.")
def schema(key: str | None, as_json: bool, markdown: bool, kind: str | None) -> None:
    """Print every key of a study file: type, unit, default and meaning. Units are SI.

    With KEY, prints only that key and those below it: `fecontact schema contact`, `fecontact schema
    time.step`. NAME stands for a name that you choose; a.NAME[t].b is a key b that only the choice
    t has, such as time[hht].alpha of scheme = "hht".
    """
    from fecontact.study import schema as reference

    if as_json:
        click.echo(reference.json_text())
        return
    kinds = [kind] if kind else list(reference.KINDS)
    chosen = {name: reference.keys_below(name, key) for name in kinds}
    if not any(chosen.values()):
        known = dict.fromkeys(one.path for name in kinds for one in reference.keys(name))
        named = [path for path in known if path.split(".")[-1] == key]
        near = there_are(named) if named else closest(str(key), known)
        near = near or ". Run `fecontact schema` for all keys."
        raise InputError(f"key {in_toml(str(key))} not found{near}")
    for name, keys in chosen.items():
        if not keys:
            continue
        click.echo(f'## Keys of a study with kind = "{name}"\n')
        if markdown:
            click.echo(reference.markdown(keys) + "\n")
            continue
        for one in keys:
            unit = f" [{one.unit}]" if one.unit else ""
            default = "required" if one.default == "required" else f"default {one.default}"
            click.echo(f"{one.path}{unit}\n    {one.type}; {default}\n    {one.meaning}")
        click.echo()
