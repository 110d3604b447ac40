"""The end of a run as plain nodal arrays, and another run that begins with it.

Which dofs are free, and on which rank, may differ between the two: so fields are handed over at all
nodes, the motion of held ones included. A stage hands over to the next one in memory, a run to one
that names it as its `initial_state` in a file; that one must have the same mesh and the same
bodies on it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

import numpy as np

from mpi4py import MPI

from fecontact import ending
from fecontact.arrays import Array
from fecontact.contact.force_controlled import WithTools
from fecontact.dynamics.energy.balance import Energies
from fecontact.dynamics.loop import TimeLoop
from fecontact.dynamics.state_transfer import FIELDS, TransferState
from fecontact.ending import CONTACT, MEMORY, TOOLS
from fecontact.isolation import named
from fecontact.record import ModelMesh
from fecontact.simulation.restart.checkpoint import digest
from fecontact.solid.solid import Solid
from fecontact.study.errors import InputError
from fecontact.study.finite_element import FiniteElementStudy

MOTION = ("u", "v", "a")
ACCOUNTS = ("ledger", "counts")
"""What goes on where a run does, and begins anew in another one."""


def export_state(solid: Solid, loop: TimeLoop, tools: WithTools | None) -> dict[str, Array]:
    """The present state of a run, with that of the tools that forces drive, the same on every rank;
    collective."""
    transferred, t = loop.export_state(), loop.time
    out: dict[str, Array] = {}
    for name in FIELDS:
        x = getattr(transferred, name)
        own, moving = x[: solid.size], name in MOTION
        field = solid.nodal(own, t, MOTION.index(name)) if moving else solid.spread(own)
        out[name] = np.asarray(solid.comm.bcast(field))
        if tools is not None:
            out[f"{TOOLS}{name}"] = tools.shared(x[solid.size :])
    out["free"] = np.where(solid.held_components, 0.0, 1.0)
    out["largest"] = np.array(solid.comm.allreduce(transferred.largest, MPI.MAX))
    out["energies"] = np.array(transferred.energies)
    out |= {name: getattr(transferred, name) for name in ACCOUNTS}
    if solid.yields:
        out[MEMORY] = solid.memory()
    out |= solid.pretension_state(transferred.u[: solid.size], t)
    return out | {f"{CONTACT}{name}": values for name, values in transferred.contact.items()}


def import_state_of(
    state: Mapping[str, Array], solid: Solid, tools: WithTools | None, accounts: bool
) -> TransferState:
    """What was handed over, on the free dofs of a solid and of tools; accounts: whether ledger and
    counts go on. Tools that were not driven before begin as at t = 0."""
    behind: dict[str, Array] = {name: np.zeros(0) for name in (*FIELDS, "free")}
    if tools is not None and tools.owner:
        first = tools.initial(np.zeros(0), np.zeros(0))
        behind = dict.fromkeys(behind, np.zeros(len(first[0]))) | {"u": first[0], "v": first[1]}
        if len(state.get(f"{TOOLS}u", ())) == len(first[0]):
            behind = {name: state[f"{TOOLS}{name}"] for name in FIELDS}
            behind["free"] = np.ones(len(first[0]))

    def take(name: str) -> Array:
        return np.append(solid.at_free_dofs(state[name]), behind[name])

    contact = {k.removeprefix(CONTACT): v for k, v in state.items() if k.startswith(CONTACT)}
    return TransferState(
        **{name: take(name) for name in FIELDS},
        was_free=np.append(solid.marked(state["free"]), behind["free"]) > 0.0,
        largest=float(state["largest"]),
        energies=Energies(*map(float, state["energies"])),
        contact=contact,
        ledger=state["ledger"] if accounts else None,
        counts=state["counts"] if accounts else None,
    )


def remember(solid: Solid, state: Mapping[str, Array]) -> None:
    """Let points of bodies that yield remember what they did in a state, if they did."""
    if solid.yields and MEMORY in state:
        if state[MEMORY].shape != solid.memory().shape:
            raise InputError("initial_state: different bodies are elastoplastic in that run")
        solid.remember(state[MEMORY])


def belongs_to(study: FiniteElementStudy, mesh: ModelMesh) -> dict[str, Array]:
    """What the end of a run belongs to, as arrays of text: a mesh, and the bodies on it."""
    bodies = {n: [b.cells or n, b.thickness, b.motion] for n, b in study.bodies.items()}
    return {"mesh": np.array(digest(mesh)), "bodies": np.array(json.dumps(bodies, sort_keys=True))}


def read_start(
    study: FiniteElementStudy, mesh: ModelMesh, comm: MPI.Comm
) -> dict[str, Array] | None:
    """What the run begins with, if it begins where another ended; collective. An InputError says
    why it cannot."""
    if study.initial_state is None:
        return None
    found: dict[str, Array] | InputError | None = None
    if comm.rank == 0:
        try:
            found = ending.read(named(study.initial_state))
            for what, now in belongs_to(study, mesh).items():
                if str(found.get(what)) != str(now) or len(found["u"]) != len(mesh.points):
                    other = "another mesh" if what == "mesh" else "different bodies on its mesh"
                    raise InputError(f"the run in {study.initial_state} has {other}")
        except InputError as error:
            found = InputError(f"initial_state: {error}")
    found = comm.bcast(found)
    if isinstance(found, InputError):
        raise found
    return found
