"""State transfer between contact pairs of successive stages on the same surfaces.

The next pairs have the same names and slave edges, but may have another method, another friction,
or be switched on or off; their masters may change from prescribed to free. The state is therefore
transferred by node: statuses, forces, slips, wear, and state variables of friction laws. A penalty
stiffness chosen automatically is transferred, too: a new choice for another step would change the
penetration, and forces would jump.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from fecontact.arrays import Array, Integers
from fecontact.contact.interface.layout import dividing
from fecontact.contact.methods import ContactMethod
from fecontact.contact.methods.stiffness import WithStiffness
from fecontact.contact.problem import ContactProblem
from fecontact.contact_variables import variables

TransferState = Mapping[str, Array]
"""Plain arrays, by the name of a pair and of the quantity: `sole/status`."""

OF_PAIRS, OF_NODES, OF_RUNS = map(variables, ("multiplier", "node", "run"))


def export_state(contact: ContactProblem) -> dict[str, Array]:
    """Return the contact state passed to the next stage."""
    state, a = _by_multiplier(contact), contact.layout
    transferred: dict[str, Any] = {"nodes": contact.nodes.node}
    transferred |= {v.name: state[v.name] for v in (*OF_NODES, *OF_RUNS)}
    for p, pair in enumerate(contact.pairs):
        own = np.flatnonzero(a.pair == p)
        of_pair = {
            "node": contact.nodes.node[a.node[own]],
            "vertex": own >= a.slaves,
            "integrated": np.array([pair.settings.integrated]),
            "adheres": np.array([contact.adhesion.bonds(pair.name)]),
            "law": contact.friction.law[own],
        }
        of_pair |= {v.name: state[v.name][..., own] for v in OF_PAIRS}
        transferred |= {f"{pair.name}/{name}": values for name, values in of_pair.items()}
    return transferred


def import_state(
    contact: ContactProblem, transferred: TransferState, position: Array, t: float
) -> None:
    """Import the final state of other pairs, at positions (k, 2) of the contact nodes, m, and time
    t, s.
    """
    state, m = _by_multiplier(contact), contact.size
    state["position"] = state["pairing"] = position
    state |= {v.name: transferred[v.name].copy() for v in OF_RUNS}
    _, here, there = np.intersect1d(contact.nodes.node, transferred["nodes"], return_indices=True)
    for name in (v.name for v in OF_NODES):
        if len(state[name]) and len(transferred[name]):
            state[name][here] = transferred[name][there]
    bonded: list[Integers] = [np.zeros(0, np.int64)]  # multipliers whose bonds are unchanged
    for p, pair in enumerate(contact.pairs):
        if f"{pair.name}/node" not in transferred:
            continue
        before = {k.removeprefix(f"{pair.name}/"): v for k, v in transferred.items()}
        own, there = _same_nodes(contact, p, before)
        then = {v.name: before[v.name][..., there] for v in OF_PAIRS}
        then["law"], then["integrated"] = before["law"][there], before["integrated"]
        rules = _rules(contact, p, own, then, bool(before["adheres"][0]))
        for variable in OF_PAIRS:
            now = state[variable.name]
            now[..., own] = rules[variable.rule](now[..., own], then[variable.name])
        if before["adheres"][0]:
            bonded.append(own)
    for name in ("force", "compliance"):
        state[name] = state[name].ravel()
    contact.restore(state, t)
    contact.adhesion.bond(contact.gap, np.setdiff1d(np.arange(m), np.concatenate(bonded)))


Rule = Callable[[Array, Array], Array]
"""Returns the values of a variable in the next stage from its initial and its former values."""


def _rules(
    contact: ContactProblem, p: int, own: Integers, then: TransferState, bonded: bool
) -> dict[str, Rule]:
    """Return the rules of :mod:`fecontact.contact_variables` for multipliers of a pair."""
    settings = contact.pairs[p].settings
    active, same_law = settings.active, contact.friction.law[own] == then["law"]
    chosen = np.array(_chosen(settings))[:, None]

    def convert(now: Array, former: Array) -> Array:
        return _forces(contact, p, own, former, bool(then["integrated"][0])) if active else now

    def soften(now: Array, former: Array) -> Array:
        return np.where((now > 0.0) & (former > 0.0) & chosen & active, former, now)

    return {
        "history": lambda now, former: former,
        "bond": lambda now, former: former if bonded else now,
        "load": lambda now, former: former if active else now,
        "force": convert,
        "law": lambda now, former: np.where(same_law & active, former, now),
        "stiffness": soften,
    }


def _by_multiplier(contact: ContactProblem) -> dict[str, Array]:
    """Return the state with one column for each multiplier."""
    state = contact.state()
    return state | {name: state[name].reshape(2, -1) for name in ("force", "compliance")}


def stored_energy(contact: ContactProblem) -> float:
    """Return the energy currently stored in penalties, J/m."""
    return 0.5 * float(contact.compliance @ contact.force**2)


def _same_nodes(
    contact: ContactProblem, p: int, before: TransferState
) -> tuple[Integers, Integers]:
    """Return multipliers of a pair, and the indices of the previous multipliers of the same nodes:
    all slave nodes, and master vertices that already were candidates.
    """
    a = contact.layout
    own = np.flatnonzero(a.pair == p)
    node, vertex = contact.nodes.node[a.node[own]], own >= a.slaves
    now, then = 2 * node + vertex, 2 * before["node"] + before["vertex"]
    _, here, there = np.intersect1d(now, then, assume_unique=True, return_indices=True)
    return own[here], there


def _forces(
    contact: ContactProblem, p: int, own: Integers, force: Array, integrated: bool
) -> Array:
    """Return the forces (2, n) of multipliers in the form of their method: nodal forces, or
    pressures if it is integrated.
    """
    settings, a = contact.pairs[p].settings, contact.layout
    if settings.integrated == integrated:
        return force
    edge = a.edges[contact.pairs[p].name]
    area = np.ones(contact.size)
    area[edge.multipliers] = dividing(edge.area) if settings.integrated else 1.0 / edge.area
    return force / area[own]


def _chosen(settings: ContactMethod) -> tuple[bool, bool]:
    """Return whether the normal and the tangential stiffness of a method are chosen
    automatically.
    """
    if not isinstance(settings, WithStiffness):
        return False, False
    return settings.normal_penalty == "auto", settings.tangential_penalty == "auto"
