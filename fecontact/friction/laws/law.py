"""What a friction law is: the keys all laws have, and the question each of them answers.

Friction bears a traction up to the strength τ = μ p of the contact at pressure p. A law says what
the coefficient μ is while two points slide: a plain function `coefficient(n, at)` of its numbers n
and of the sliding, in its own file, which :mod:`fecontact.friction.strength` compiles. What sticks
bears τ at speed 0. A law with a state also has a function `evolved(n, speed, step, state)`: the
state after a step of constant speed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple, get_args

from fecontact.study.base import Number, StudyModel, si

Numbers = Sequence[float]
"""The constants of a law, as a compiled function takes them: what `numbers` gives."""


class Sliding(NamedTuple):
    """How two points slide: direction of the slip (+1 along the tangent, −1 against it), its speed
    (m/s), pressure (Pa; of a lumped obstacle its normal force, N), path slipped so far (m), state
    of the law (its own unit)."""

    direction: float
    speed: float
    pressure: float
    distance: float
    state: float


class FrictionLaw(StudyModel):
    """A friction law of a contact pair or of an obstacle.

    constant: whether μ is the same in all steps, or at most another one in stick. stateful: whether
    there is a state that evolves.
    """

    law: str
    shear_limit: Number | None = si(
        "Pa",
        "largest friction traction, whatever the pressure; for a lumped obstacle a force, N",
        None,
        gt=0,
    )

    stateful: ClassVar[bool] = False

    @classmethod
    def name(cls) -> str:
        """What `law` says in a study."""
        return str(get_args(cls.model_fields["law"].annotation)[0])

    @property
    def constant(self) -> bool:
        return False

    @property
    def first_state(self) -> float:
        """The state at t = 0."""
        return 0.0

    @property
    def to_begin_with(self) -> tuple[float, float]:
        """Coefficients of slip and of stick before the first step, > 0."""
        return 1.0, 1.0

    def numbers(self) -> tuple[float, ...]:
        """What the law's function takes."""
        raise NotImplementedError

    def in_words(self) -> str:
        """The law for the legend of a picture."""
        raise NotImplementedError
