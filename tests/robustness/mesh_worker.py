"""Check of many mesh files by the command line in one process: mesh_worker.py FOLDER.

Reads a name of a command and a file in each line of its input, writes a JSON line with what came
of it. Who started it sees by a missing line which file it died of.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from pathlib import Path

from commandline import fecontact

from fecontact.mesh.conversion import RawMesh
from fecontact.mesh.readers import files, separate_process
from fecontact.study.errors import InputError

STUDY = """
kind = "finite-element"
title = "a stranger's mesh"
[mesh]
file = "{file}"
[materials.steel]
young = 2.0e11
density = 8000.0
[bodies.block]
material = "steel"
[bodies.base]
material = "steel"
[supports.ground]
on = "base"
x = 0.0
y = 0.0
[loads.weight]
type = "gravity"
on = "block"
value = [0.0, -10.0]
[time]
step = 1e-3
end = 3e-3
"""
CONTACT = '[contact.sole]\nslave = "block.bottom"\nmaster = "base.top"\n'


def read_here(path: Path) -> RawMesh:
    """Readers in pure Python cannot crash, and are quicker without a process of their own."""
    try:
        return files.parse(path)
    except Exception as error:
        raise InputError(f"mesh.file: {str(path)!r} cannot be read: {error!r}") from None


def usage() -> list[resource.struct_rusage]:
    """What this process and its children have used."""
    return [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]


def computing_time() -> float:
    """Processor time of this process and its children, s: the same on a busy machine."""
    return sum(use.ru_utime + use.ru_stime for use in usage())


def outcome(command: str, file: Path, out: Path) -> dict[str, object]:
    """Exit code, sentence, seconds and megabytes of one command."""
    before = computing_time()
    if command == "run":
        study = file.with_suffix(".toml")
        contact = "" if file.suffix in (".med", ".mmed") else CONTACT
        study.write_text(STUDY.format(file=file.name) + contact)
        ended = fecontact("run", study, "--out", out, "--overwrite")
    else:
        ended = fecontact("mesh", file, "--out", out)
    return {
        "code": ended.code,
        "err": ended.err,
        "printable": all(line.isprintable() for line in (ended.out + ended.err).splitlines()),
        "seconds": computing_time() - before,
        "megabytes": max(use.ru_maxrss for use in usage()) / 1024,
    }


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    os.chdir(folder)
    answers = os.fdopen(os.dup(1), "w")  # gmsh and PETSc may write to the standard output
    os.dup2(2, 1)
    build = sys.modules["fecontact.mesh.build"]
    for line in sys.stdin:
        command, name = line.split()
        build.read = read_here if name.endswith((".inp", ".mail")) else separate_process.read
        print(json.dumps(outcome(command, folder / name, folder / "out")), file=answers, flush=True)
