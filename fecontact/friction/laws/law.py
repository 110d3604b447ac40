"""Base class of the friction laws: common keys, and the interface of each law.

Friction transmits a traction up to the strength τ = μ p of the contact at pressure p. A law defines
μ during sliding as a plain function `coefficient(n, at)` of its numbers n and of the sliding state,
in its own file; :mod:`fecontact.friction.strength` compiles it. The sticking region transmits τ at
speed 0. A law with a state variable also has a function `evolved(n, speed, step, state)`: the state
after a step of constant speed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, NamedTuple, get_args

from fecontact.study.base import Number, Problem, StudyModel, si

Numbers = Sequence[float]
"""Constants of a law as passed to compiled functions: the return value of `numbers`."""


class Sliding(NamedTuple):
    """Sliding state of a contact point: slip direction (+1 along the tangent, −1 against it),
    slip rate (m/s), pressure (Pa; for a lumped obstacle its normal force, N), accumulated
    slip (m), state variable of the law (its own unit).
    """

    direction: float
    speed: float
    pressure: float
    distance: float
    state: float


class FrictionLaw(StudyModel):
    """Friction law of a contact pair or of an obstacle.

    constant: True if μ is the same in all steps, except for a different value in stick.
    stateful: True if the law has an evolving state variable.
    """

    law: str
    shear_limit: Number | None = si(
        "Pa",
        "upper limit of the friction traction; for a lumped obstacle a force, N",
        None,
        gt=0,
    )

    stateful: ClassVar[bool] = False

    @classmethod
    def name(cls) -> str:
        """Return the value of `law` in a study."""
        return str(get_args(cls.model_fields["law"].annotation)[0])

    @property
    def constant(self) -> bool:
        return False

    @property
    def first_state(self) -> float:
        """Return the state at t = 0."""
        return 0.0

    @property
    def initial_coefficients(self) -> tuple[float, float]:
        """Return the slip and stick coefficients before the first step, > 0."""
        return 1.0, 1.0

    def numbers(self) -> tuple[float, ...]:
        """Return the constants passed to the law's function."""
        raise NotImplementedError

    def describe(self) -> str:
        """Return the law as text for the legend of a figure."""
        raise NotImplementedError


def above_static(name: str, value: float, static: float) -> Iterator[Problem]:
    """Yield the problem of a coefficient of key `name` that is larger than the static one."""
    if value > static:
        yield (name,), f"is {value:g}; it must not be larger than static = {static:g}"
