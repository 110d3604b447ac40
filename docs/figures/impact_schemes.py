"""Draw docs/pictures/impact-schemes.png: impact of a bar on a wall with every scheme of the study.

Run from the root of the repository: docker/run python3 docs/figures/impact_schemes.py
"""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

from fecontact.record import RunRecord
from fecontact.simulation import Simulation
from fecontact.study import load
from fecontact.study.solutions import solution_of

ROOT = Path(__file__).parents[2]
STUDY = ROOT / "studies" / "impact" / "bar-impact.toml"
FORCE, ENERGY = 4.0e6, 400.0  # N and J per m: ρ c v A and ½ m v²
SHOWN = {
    None: "average acceleration, massless contact nodes",
    "stabilized": "average acceleration, contact-stabilised",
    "hht": "HHT, α = −0.3",
    "hht-velocity": "HHT, α = −0.3, velocity constraint",
    "implicit-euler": "implicit Euler",
    "average-acceleration": "average acceleration (do not use)",  # no variant: not trusted
}


def energy(record: RunRecord) -> np.ndarray:
    """Return kinetic and strain energy in units of the energy of the bar before the impact."""
    columns = record.history.columns
    return (columns["energy.kinetic"] + columns["energy.strain"]) / ENERGY


def main() -> None:
    figure, axes = plt.subplots(
        len(SHOWN), 2, figsize=(10, 1.7 * len(SHOWN)), sharex=True, layout="constrained"
    )
    for (variant, name), (left, right) in zip(SHOWN.items(), axes, strict=True):
        if variant == "average-acceleration":
            study = load(STUDY, overrides=["time.impact=implicit"])
        else:
            study = load(STUDY, variant=variant)
        record = Simulation(study).run()
        time = 1e3 * record.history.time
        exact = solution_of(study, "wave").history(record.history.time)
        left.plot(time, record.history.columns["force"] / FORCE, lw=1)
        left.plot(time, exact["force"] / FORCE, "k--", lw=0.8)
        left.set_ylim(-0.3, 3.7 if variant == "average-acceleration" else 1.9)
        left.set_title(name, loc="left", fontsize=9)
        right.plot(time, energy(record), lw=1.2)
        right.axhline(1.0, color="k", ls="--", lw=0.8)
        right.set_ylim((0, 12) if variant == "average-acceleration" else (0.75, 1.05))
        last = energy(record)[-1]
        right.set_title(f"energy kept: {100 * last:.1f} %", loc="left", fontsize=9)
    axes[0, 0].legend(["computed", "exact"], fontsize=8, loc="upper right")
    axes[len(SHOWN) // 2, 0].set_ylabel("contact force / ρcvA")
    axes[len(SHOWN) // 2, 1].set_ylabel("energy / energy before impact")
    for axis in axes[-1]:
        axis.set_xlabel("time [ms]")
    figure.savefig(ROOT / "docs" / "pictures" / "impact-schemes.png", dpi=120)


if __name__ == "__main__":
    main()
