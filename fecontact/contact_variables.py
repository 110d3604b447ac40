"""State variables of contact: one list for checkpoints, state transfer, restart files and their
validation.

A variable in this list is saved and restored by :class:`ContactInterface`, transferred between
stages and runs by :mod:`fecontact.contact.state_transfer`, and validated by
:mod:`fecontact.restart_file`.
"""

from __future__ import annotations

from typing import Literal, NamedTuple


class Variable(NamedTuple):
    """One state variable.

    name: in checkpoints and restart files;
    attribute: of :class:`ContactInterface`;
    per: one value per multiplier (m), per contact node (k, or none if no master wears), or per run;
    rule: of the transfer to the next stage, by node:

        history      always
        bond         if the pair was bonded
        load         if the pair is active
        force        as load, as nodal forces or pressures
        law          if the friction law is the same
        stiffness    if the penalty stiffness is chosen automatically
        none         follows from the positions of the nodes

    rows: number of values of each multiplier if not one, or number of values of a run.
    """

    name: str
    attribute: str
    per: Literal["multiplier", "node", "run"]
    rule: Literal["history", "bond", "load", "force", "law", "stiffness", "none"]
    rows: int = 0


VARIABLES = (
    Variable("status", "status", "multiplier", "load"),
    Variable("direction", "direction", "multiplier", "load"),
    Variable("force", "force", "multiplier", "force", 2),
    Variable("compliance", "compliance", "multiplier", "stiffness", 2),
    Variable("slip", "slip", "multiplier", "history"),
    Variable("friction_energy", "friction_energy", "multiplier", "history"),
    Variable("friction_state", "friction.state", "multiplier", "law"),
    Variable("friction_coefficient", "friction.coefficient", "multiplier", "law", 2),
    Variable("friction_speed", "friction.speed", "multiplier", "load"),
    Variable("friction_step", "friction.step", "run", "history", 1),
    Variable("bonded", "adhesion.bonded", "multiplier", "bond"),
    Variable("wear_work", "wear_work", "multiplier", "history"),
    Variable("wear_depth", "wear.depth", "multiplier", "history"),
    Variable("wear_begun", "wear.begun", "multiplier", "history"),
    Variable("wear_last", "wear.last", "multiplier", "history"),
    Variable("wear_compliance", "wear.compliance", "multiplier", "history"),
    Variable("wear_of_master", "wear.of_master", "node", "history"),
    Variable("wear_master_begun", "wear.master_begun", "node", "history"),
    Variable("wear_cycles", "wear.cycles", "run", "history", 2),
    Variable("wear_change", "wear.change", "run", "history", 1),
    Variable("thickness", "surfaces.thickness_before", "multiplier", "history"),
    Variable("master_wear", "surfaces.master_wear_before", "node", "history"),
    Variable("kept_depth", "kept_depth", "multiplier", "none"),
    Variable("position", "position", "node", "none", 2),
)


def variables(per: str) -> tuple[Variable, ...]:
    """Return the variables that are transferred, of one kind."""
    return tuple(v for v in VARIABLES if v.per == per and v.rule != "none")
