"""Curves of the friction laws, computed with the implemented laws.

`docker/run python docs/figures/friction_curves.py` writes docs/pictures/guide-friction-laws.svg.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from fecontact.friction.laws import (
    cohesion,
    coulomb,
    directional,
    exponential,
    pressure,
    rate_and_state,
    slip_weakening,
    stribeck,
    table,
)
from fecontact.friction.laws.law import FrictionLaw, Sliding

sys.path.insert(0, str(Path(__file__).parent))
from svg import Drawing

Curve = list[tuple[float, float]]
SAMPLES = 60
BOX = (150.0, 86.0)  # width and height of one set of axes, px


def of(law: FrictionLaw, coefficient: Callable[..., float], **sliding: float) -> float:
    """Return μ of a law for a sliding state."""
    given = {"direction": 1.0, "speed": 1.0, "pressure": 1.0, "distance": 0.0, "state": 0.0}
    return coefficient(law.numbers(), Sliding(**(given | sliding)))


def over(largest: float, value: Callable[[float], float], least: float = 0.0) -> Curve:
    """Return a curve sampled from `least` to `largest`, scaled to [0, 1] in x."""
    at = [least + (largest - least) * i / SAMPLES for i in range(SAMPLES + 1)]
    return [((x - least) / (largest - least), value(x)) for x in at]


def by_speed(law: FrictionLaw, coefficient: Callable[..., float]) -> Curve:
    return over(2.0, lambda v: of(law, coefficient, speed=v), 1e-9)


def speed_step() -> Curve:
    """Return μ of rate-and-state friction for a tenfold increase of the slip rate at one third of
    the distance.
    """
    law = rate_and_state.RateAndState(
        law="rate-and-state", coefficient=0.6, a=0.02, b=0.04, length=1e-5
    )
    n, state, curve = law.numbers(), law.first_state, []
    for i in range(180):
        speed = 1e-6 if i < 60 else 1e-5
        step = 5e-7 / speed
        sliding = Sliding(1.0, speed, 1.0, 0.0, state)
        curve.append((i / 179, 3.0 * (rate_and_state.coefficient(n, sliding) - 0.55) + 0.2))
        state = rate_and_state.evolved(n, speed, step, state)
    return curve


def panels() -> Sequence[tuple[str, str, str, Curve]]:
    """Return name, vertical axis, horizontal axis and curve of every law."""
    falls = exponential.Exponential(law="exponential", static=0.5, kinetic=0.25, decay=2.5)
    lubricated = stribeck.Stribeck(
        law="stribeck", static=0.5, kinetic=0.15, speed=0.35, viscous=0.12
    )
    measured = table.Table(law="table", speeds=(0, 0.3, 0.9, 2), coefficients=(0.5, 0.3, 0.22, 0.3))
    weak = slip_weakening.SlipWeakening(law="slip-weakening", static=0.5, dynamic=0.2, distance=0.5)
    pressed = pressure.Pressure(law="pressure", coefficient=0.3, reference=1.0, exponent=-0.3)
    glue = cohesion.Cohesion(law="cohesion", coefficient=0.25, cohesion=0.15)
    fur = directional.Directional(law="directional", forward=0.2, backward=0.45)
    dry = coulomb.Coulomb(law="coulomb", coefficient=0.3, static=0.45)
    stick = of(dry, coulomb.coefficient, speed=0.0)
    constant = [(0.0, stick), *over(2.0, lambda v: of(dry, coulomb.coefficient, speed=v), 1e-9)]
    return (
        ("coulomb", "μ", "slip rate", constant),
        ("exponential", "μ", "slip rate", by_speed(falls, exponential.coefficient)),
        ("stribeck", "μ", "slip rate", by_speed(lubricated, stribeck.coefficient)),
        ("table", "μ", "slip rate", by_speed(measured, table.coefficient)),
        (
            "slip-weakening",
            "μ",
            "accumulated slip",
            over(1.0, lambda s: of(weak, slip_weakening.coefficient, distance=s)),
        ),
        ("rate-and-state", "μ", "slip; rate × 10 at one third", speed_step()),
        (
            "pressure",
            "μ",
            "pressure",
            over(2.0, lambda p: of(pressed, pressure.coefficient, pressure=p), 0.15),
        ),
        (
            "cohesion",
            "τ",
            "pressure",
            over(1.5, lambda p: p * of(glue, cohesion.coefficient, pressure=p), 1e-6),
        ),
        (
            "directional",
            "μ",
            "slip rate along −t | +t",
            over(
                1.0,
                lambda v: of(fur, directional.coefficient, direction=-1.0 if v < 0.5 else 1.0),
            ),
        ),
    )


def draw() -> None:
    """Draw all panels in three columns."""
    d = Drawing(760, 430, "Friction laws: coefficient against slip rate, slip or pressure")
    for i, (name, up, along, curve) in enumerate(panels()):
        x, y = 70 + 240 * (i % 3), 320 - 138 * (i // 3)
        d.line((x, y), (x + BOX[0], y), "outline")
        d.line((x, y), (x, y + BOX[1]), "outline")
        if name == "directional":
            d.line((x + BOX[0] / 2, y), (x + BOX[0] / 2, y + BOX[1]), "dash")
        d.text((x - 10, y + BOX[1] - 6), up, "", "end")
        d.text((x + BOX[0] / 2, y - 13), along, "small")
        d.text((x + BOX[0] / 2, y + BOX[1] + 12), name, "code head")
        d.path([(x + BOX[0] * a, y + BOX[1] * b / 0.55) for a, b in curve], "b")
    d.save("guide-friction-laws")


if __name__ == "__main__":
    draw()
