"""Scalars of a completed run by name."""

import fecontact
from fecontact.study.output_names import (
    OF_A_SURFACE,
    OF_CONTACT,
    OF_MOTION,
    OF_SEVERAL,
    PEAKS_OF_A_BODY,
    PEAKS_OF_A_SUPPORT,
    PEAKS_OF_A_SURFACE,
    SCALARS,
)


def test_a_study_knows_the_scalars_that_its_run_will_have() -> None:
    result = fecontact.run(
        fecontact.load("wear-shoe", {"time.end": 0.05, "contact.sole.master_wear_fraction": 0.5})
    )
    of_pairs = [f"contact.{pair}.{name}" for pair in result.study.contact for name in OF_A_SURFACE]
    of_pairs += [f"contact.{p}.{name}" for p in result.study.contact for name in PEAKS_OF_A_SURFACE]
    of_bodies = [f"bodies.{body}.{n}" for body in result.study.bodies for n in PEAKS_OF_A_BODY]
    of_supports = [f"supports.{s}.{n}" for s in result.study.supports for n in PEAKS_OF_A_SUPPORT]
    assert set(result.record.scalars) == {
        *SCALARS,
        *OF_CONTACT,
        *OF_MOTION,
        *OF_SEVERAL,
        *of_pairs,
        *of_bodies,
        *of_supports,
    }
