"""A case is run, again with roles swapped and refined, and judged: correct, flagged or wrong."""

from __future__ import annotations

import tempfile
import traceback
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from agreement import nearby, same
from dimensions import Units
from evidence import Evidence
from generator import UNITS, exchanged, halved, in_units, refined
from ingredients import Case
from judge import broken_laws
from pieces import mesh_text
from rotation import ANGLE, can_turn, rotated

import fecontact
from fecontact.simulation import Simulation
from fecontact.study import InputError, RunError

COMPARED = frozenset({"roles", "refinement"})
# Warnings of trusted runs whose error depends on mesh, roles or step by as much as the warning
# says, so that two such runs need not agree. Every other law holds for them, too.
EXCUSES = {
    "generates energy": COMPARED,  # undamped impacts: up to 10 % more energy
    "the time integration generated": COMPARED,  # 5 % to 10 % more energy
    "without numerical damping": COMPARED,  # undamped rotations
    "the time step does not resolve": COMPARED,  # the bounce on a penalty
    "the strain reaches": COMPARED,  # 3 % to 25 % strain in the linear theory
    "the rotation reaches": COMPARED,  # 0.03 to 0.35 rad in the linear theory
}
EXACT = 1e-6  # resultants that equilibrium alone gives
ODD_UNITS = "mm, t, s"
ROUNDING = 1e-5  # of the largest value: Newton's iterations end at 1e-8 of the forces
AMPLIFIED = 1e-3  # likewise after impacts and iterations of wear
SPRINGY = 1e-2  # likewise with penalties, which follow from the compliance in x and y
COARSE = 0.25  # resultants of bodies of a few cells that supports press


@dataclass
class Verdict:
    """What became of a case: laws broken with a message (flagged) and without (wrong)."""

    case: Case
    messages: dict[str, list[str]] = field(default_factory=dict)
    wrong: dict[str, list[str]] = field(default_factory=dict)

    @property
    def word(self) -> str:
        return "silently wrong" if self.wrong else "not trusted" if self.messages else "right"

    def __str__(self) -> str:
        lines = [f"{self.case.name} ({self.case.keys['title']}, {self.case.units}): {self.word}"]
        for how, found in (("WRONG", self.wrong), ("flagged", self.messages)):
            lines += [f"    {how} {law}: {text}" for law, texts in found.items() for text in texts]
        return "\n".join(lines)


@dataclass(frozen=True)
class Run:
    """One run of a case: its evidence or why it has none; the excused laws."""

    evidence: Evidence | None
    rejection: str = ""
    crash: str = ""
    excused: frozenset[str] = frozenset()
    distrusted: str = ""


def run(case: Case) -> Run:
    """Compute a case as a user would from Python."""
    with tempfile.TemporaryDirectory() as folder:
        keys = dict(case.keys)
        if case.pieces:
            file = Path(folder) / "pieces.inp"
            file.write_text(mesh_text(case.pieces, keys["mesh"]["element"].startswith("tri")))
            keys["mesh"] = {"file": str(file)}
        try:
            study = fecontact.define(keys)
            record = Simulation(study).run()
        except (InputError, RunError) as error:
            return Run(None, rejection=str(error))
        except Exception:  # anything that a user would see as a traceback
            return Run(None, crash=traceback.format_exc(limit=-2))
    if record.failure is not None:
        return Run(None, rejection=record.failure)
    excused = [laws for words, laws in EXCUSES.items() if any(words in w for w in record.warnings)]
    beyond = [name for name, scalar in record.scalars.items() if not scalar.within_limit]
    beyond += [warning.split(":")[0] for warning in record.warnings if warning.wrong]
    return Run(
        Evidence(study, record),
        excused=frozenset().union(*excused),
        distrusted=", ".join(beyond),
    )


def judged(case: Case, compare: bool = True, more: bool = False) -> Verdict:
    """The verdict on a case.

    compare: run it with roles swapped and refined, too.
    more: run it with half the step, in other units and rotated, too.
    """
    verdict = Verdict(case)
    base = _examined(run(case), verdict, "")
    if base is None or not compare:
        return verdict
    share = EXACT if case.determinate and case.keys["time"]["scheme"] == "static" else COARSE
    coarse = [("refinement", refined(case), 1.0)]
    if not case.keys.get("tools") and case.keys["contact"]:
        coarse.append(("roles", exchanged(case), -1.0))
    if more:
        coarse.append(("step", halved(case), 1.0))
    for law, variant, sign in coarse:
        other = _examined(run(variant), verdict, f"{law}: ")
        if _comparable(law, base, other):
            _book(verdict, law, nearby(base.evidence, other.evidence, sign, share))
    if more:
        _same(case, base, verdict)
    return verdict


def _comparable(law: str, base: Run, other: Run | None) -> bool:
    if other is None or law in base.excused | other.excused:
        return False
    return not (base.distrusted or other.distrusted)


def _book(verdict: Verdict, law: str, found: Iterable[str]) -> None:
    sentences = list(found)
    if sentences:
        verdict.wrong.setdefault(law, []).extend(sentences)


def _same(case: Case, base: Run, verdict: Verdict) -> None:
    """Compare with the study in other units, and rotated where its keys can say it.

    Adaptive steps and meshes of polygons depend on rounding, so their runs are only compared with
    coarse bounds.
    """
    shapes = case.keys["mesh"].get("shapes", {}).values()
    if case.keys["time"]["step"] == "auto" or any(s["type"] == "polygon" for s in shapes):
        return
    name = ODD_UNITS if case.units == "SI" else "SI"
    factors = [new / old for new, old in zip(UNITS[name], UNITS[case.units], strict=True)]
    other = _examined(run(in_units(case, *factors)), verdict, "units: ")
    soft = any(pair["method"] == "penalty" for pair in case.keys["contact"].values())
    pairs = case.keys["contact"].values()
    static = case.keys["time"]["scheme"] == "static" and not any("wear" in pair for pair in pairs)
    share = SPRINGY if soft else ROUNDING if static else AMPLIFIED
    if _comparable("units", base, other):
        found = same(base.evidence, other.evidence, Units(*factors, False), 0.0, share)
        _book(verdict, "units", found)
    if can_turn(case):
        with tempfile.TemporaryDirectory() as folder:
            other = _examined(run(rotated(case, Path(folder))), verdict, "rotation: ")
        if _comparable("rotation", base, other):
            found = same(base.evidence, other.evidence, Units(1, 1, 1, False), ANGLE, share)
            _book(verdict, "rotation", found)


def _examined(run: Run, verdict: Verdict, label: str) -> Run | None:
    """Book what a run breaks; None if it gave no result."""
    if run.crash:
        verdict.wrong.setdefault("crash", []).append(label + run.crash)
        return None
    if run.evidence is None:
        verdict.messages.setdefault("rejected", []).append(label + run.rejection)
        return None
    if run.distrusted:
        verdict.messages.setdefault("distrusted", []).append(
            f"{label}{run.distrusted} beyond limit"
        )
    for law, sentences in broken_laws(run.evidence).items():
        messages = law in run.excused or bool(run.distrusted)
        (verdict.messages if messages else verdict.wrong).setdefault(law, []).extend(
            label + sentence for sentence in sentences
        )
    return run


def table(verdicts: Iterable[Verdict]) -> str:
    """Count by family; runs that stop count as not trusted. Of each law: how often it was broken
    by a run that is trusted."""
    verdicts = list(verdicts)
    laws = sorted({law for v in verdicts for law in v.wrong})
    lines = ["family            right  not trusted  silently wrong  " + "  ".join(laws)]
    families = dict.fromkeys(v.case.family for v in verdicts)
    for family in [*families, "all"]:
        own = [v for v in verdicts if family in (v.case.family, "all")]
        words = Counter(v.word for v in own)
        broken = Counter(law for v in own for law in v.wrong)
        counts = "  ".join(f"{broken[law] or '·':>{len(law)}}" for law in laws)
        lines.append(
            f"{family:16s} {words['right']:6d} {words['not trusted']:12d} "
            f"{words['silently wrong']:15d}  {counts}"
        )
    return "\n".join(lines)
