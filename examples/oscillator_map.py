"""Parameter sweep of a friction oscillator: when does dry friction limit a resonance?

A mass on a spring is driven by the force F₀ sin(2πft) and slides on a floor with the friction force
μN. Den Hartog (1931, Forced vibrations with combined Coulomb and viscous friction) derived the
amplitude of its steady motion without stops,

    a = F₀/k · √( 1/(1−r²)² − (μN/F₀)² U² ),   U = sin(π/r) / (r (1 + cos(π/r))),   r = f/f₀.

The map shows his conclusions: for μN > F₀ the mass sticks, and for μN < π/4 F₀ friction does not
limit the resonance.

    python examples/oscillator_map.py [FOLDER]     # writes FOLDER/oscillator_map.png
"""

import sys
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import fecontact

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "results/examples")
stiffness = (2 * np.pi) ** 2  # N/m; with a mass of 1 kg the natural frequency is f₀ = 1 Hz
pressed = 10.0  # N, normal force; F₀ = 1 N

# A lumped study: a mass that moves in x, a spring, a force, and a plane with a penetration of 0.1 m
# × 100 N/m. The integrator `exact` solves the motion between stick and slip events in closed form.
# The sweep defines two keys with their values and the output saved for each run: the 71st reversal
# of x, when the motion is steady.

study = fecontact.define(
    {
        "title": "Forced oscillator with dry friction",
        "kind": "lumped",
        "masses.block": {"mass": 1.0, "directions": ["x"]},
        "springs.hold": {"between": ["block", "ground"], "stiffness": [stiffness, 0.0, 0.0]},
        "functions.shake": {"type": "sine", "frequency": 1.0},
        "forces.push": {"on": "block", "value": [1.0, 0.0, 0.0], "function": "shake"},
        "obstacles.floor": {
            "type": "plane", "on": "block", "normal": [0.0, 0.0, -1.0], "gap": -pressed / 100,
            "normal_stiffness": 100.0, "friction": 0.05,
        },
        "time": {"scheme": "exact", "step": 0.02, "end": 60.0},
        "watch.x": {"type": "displacement", "at": "block", "component": "x"},
        "sweep.axes": {
            "functions.shake.frequency": {"start": 0.6, "stop": 1.6, "count": 21},
            "obstacles.floor.friction": {"start": 0.025, "stop": 0.115, "count": 10},
        },
        "sweep.results.peak": {"quantity": "x", "measure": "extremum", "index": 71},
    }
)  # fmt: skip

# All sweep points are computed on all cores. Each output is an array over the axes, with NaN where
# a run has no such number: here, where the block never moves.

result = fecontact.run(study)
frequencies, frictions = (np.array(values) for values in result.record.axes.values())
ratios = frictions * pressed  # μN / F₀
amplitudes = stiffness * result["peak"]  # k a / F₀


def den_hartog(r: np.ndarray, ratio: float) -> np.ndarray:
    """Return k a / F₀ of a motion without stops, NaN where no such motion exists."""
    u = np.sin(np.pi / r) / (r * (1 + np.cos(np.pi / r)))
    square = 1 / (1 - r**2) ** 2 - (ratio * u) ** 2
    return np.sqrt(np.where(square > 0, square, np.nan))


# `result.plot().save(…)` draws the map. This script draws it with Matplotlib and adds slices. The
# points leave the curves where the block stops in every cycle: high friction, far from resonance.

figure = Figure(figsize=(10.0, 4.2), layout="constrained")
plane, slices = figure.subplots(1, 2)
shown = plane.pcolormesh(frequencies, ratios, amplitudes.T, vmin=0.0, vmax=6.0, cmap="viridis")
figure.colorbar(shown, ax=plane, label="amplitude k a / F₀", extend="max")
plane.axhline(np.pi / 4, color="white", linestyle="--")
plane.text(frequencies[-1], np.pi / 4 + 0.01, "μN = π/4 F₀ ", color="white", ha="right")
plane.text(frequencies.mean(), 1.1, "the mass sticks", ha="center", va="center")
plane.set(xlabel="frequency f / f₀", ylabel="friction μN / F₀")

fine = np.concatenate([np.linspace(0.6, 0.97, 200), [np.nan], np.linspace(1.03, 1.6, 200)])
for column in (1, 3, 5):
    ratio = ratios[column]
    (line,) = slices.plot(frequencies, amplitudes[:, column], "o", label=f"μN = {ratio:.2f} F₀")
    slices.plot(fine, den_hartog(fine, ratio), color=line.get_color())
slices.set(xlabel="frequency f / f₀", ylabel="amplitude k a / F₀", ylim=(0, 6))
slices.legend(title="lines: Den Hartog")
slices.grid(alpha=0.3)
figure.suptitle(study.title)
folder.mkdir(parents=True, exist_ok=True)
figure.savefig(folder / "oscillator_map.png", dpi=130)
