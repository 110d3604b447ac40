"""Every bundled study, interrupted once and resumed, has the results of an uninterrupted run.

All of them: ``pytest -n 2 -m slow tests/robustness/test_resume_studies.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fecontact.dynamics.statistics import Statistics
from fecontact.record import RunRecord, StepReport
from fecontact.simulation import Simulation
from fecontact.study import AnyStudy, load
from fecontact.study.library import file_of, names
from fecontact.study.lumped import LumpedStudy

SINGLE = 20  # first steps of a lumped run made one by one: short runs end in their first chunk
OWN_TO_A_RUN = ("timings", "mesh")  # in a record, but not part of the answer
FACTORED = list(vars(Statistics())).index("factorisations")
FACTORISATIONS = "statistics.factorisations"  # a resumed run has to factor again


def study_of(name: str, *overrides: str) -> AnyStudy:
    """A bundled study, with at least four steps."""
    study = load(file_of(name), list(overrides))
    if isinstance(study, LumpedStudy) or study.time.longest < study.time.end / 3:
        return study
    return load(file_of(name), [*overrides, f"time.step={study.time.end / 4}"])


def interrupted(study: AnyStudy, folder: Path) -> RunRecord:
    """The record of a whole run that leaves a checkpoint of about its middle."""
    run, saved = Simulation(study, checkpoints=folder), False
    for _ in range(SINGLE if isinstance(study, LumpedStudy) else 0):
        if not run.finished:
            run.step()
            if not run.finished:
                run.save_checkpoint()

    def save_in_the_middle(report: StepReport) -> None:
        nonlocal saved
        if not saved and not run.finished and report.time >= 0.4 * report.end:
            run.save_checkpoint()
            saved = True

    return run.run(save_in_the_middle)


def leaves(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """All arrays, numbers and texts in a record, with their names."""
    if is_dataclass(value):
        value = {entry.name: getattr(value, entry.name) for entry in fields(value)}
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if key not in OWN_TO_A_RUN:
                yield from leaves(f"{name}.{key}".lstrip("."), inner)
    elif name == "notes":  # free memory changes between the runs
        yield name, [note for note in value if not note.startswith("memory:")]
    else:
        yield name, value


def differences(one: RunRecord, other: RunRecord) -> list[str]:
    """Differences of two records, to the last bit."""
    a, b = dict(leaves("", one)), dict(leaves("", other))
    found = [f"{name} is in one of both only" for name in a.keys() ^ b.keys()]
    for name in [name for name in a if name in b and name != FACTORISATIONS]:
        x, y = np.asarray(a[name]), np.asarray(b[name])
        if name == "end.counts":
            x, y = (np.delete(counts, FACTORED) for counts in (x, y))
        if x.shape != y.shape:
            found.append(f"{name}: {x.shape}, resumed {y.shape}")
        elif x.dtype.kind in "fc":
            if not np.array_equal(x, y, equal_nan=True):
                with np.errstate(invalid="ignore"):
                    off = np.nanmax(np.abs(x - y)) / max(np.nanmax(np.abs(x)), 1e-300)
                found.append(f"{name} differs by {off:.1e} of its largest value")
        elif repr(a[name]) != repr(b[name]):  # NaN, the time of a count, is equal to NaN
            found.append(f"{name}: {a[name]!r:.80}, resumed {b[name]!r:.80}")
    return found


def assert_resumes(study: AnyStudy, folder: Path) -> None:
    whole = interrupted(study, folder)
    assert any(folder.glob("step-*.npz")), "the run was over before it could be interrupted"
    resumed = Simulation(study, checkpoints=folder, resume=True).run()
    assert resumed.failure == whole.failure
    assert not differences(whole, resumed)


CAPABILITIES = {  # one study of each, shortened where it is long
    "linear dynamics": ["sdnv104a", "time.end=0.3"],
    "contact rows that change in number": ["flat-punch"],
    "slave nodes off the master": ["hertz-block", "time.step=0.0005"],
    "nodes with axes of their own": ["inclined-roller"],
    "force-driven tool": ["driven-wedge"],
    "wear": ["worn-slot"],
    "adhesion": ["glued-block"],
    "self-contact": ["self-contact", "time.scheme=hht", "time.step=2e-5", "time.end=2e-4"],
    "general contact": ["general-contact", "time.scheme=hht", "time.step=2e-5", "time.end=2e-4"],
    "friction law": ["incline-law"],
    "stages": ["lap-joint"],
    "corotational bodies": ["rolling-disc", "time.end=0.02"],
    "finite strain, static": ["elastica"],
    "finite strain, dynamic": ["rubber-bounce", "time.end=0.0008"],
    "finite strain in plane stress": ["ssnp501", "time.end=1.5"],
    "follower pressure": ["inflated-sector"],
    "elastoplastic bodies": ["uniform-yield"],
    "corotational and hyperelastic bodies": ["lever-and-strip", "time.end=0.2"],
    "corotational and hyperelastic bodies, dynamic": ["tyred-wheel", "time.end=0.0625"],
    "corotational and elastoplastic bodies": ["shakedown", "time.end=0.5"],
    "viscoelastic bodies": ["creep", "time.end=0.02"],
    "viscoelastic rubber": ["sheared-rubber", "time.end=0.1"],
    "lumped, fixed steps": ["buffer"],
    "lumped, adaptive steps": ["rate-state-lumped"],
    "lumped, from event to event": ["sdnd121-exact"],
}


@pytest.mark.parametrize("capability", CAPABILITIES)
def test_one_study_of_each_capability_resumes_exactly(capability: str, tmp_path: Path) -> None:
    assert_resumes(study_of(*CAPABILITIES[capability]), tmp_path)


def test_a_lumped_run_takes_any_number_of_checkpoints(tmp_path: Path) -> None:
    study = load(file_of("buffer"), ["output.checkpoint_every=1"])
    whole = Simulation(study).run()
    assert whole.statistics["steps"] > 400
    assert not differences(whole, Simulation(study, checkpoints=tmp_path).run())


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_every_bundled_study_resumes_exactly(name: str, tmp_path: Path) -> None:
    assert_resumes(study_of(name), tmp_path)
