"""The numbers that a finished run is asked for by name."""

import fecontact
from fecontact.study.kept import OF_A_SURFACE, OF_CONTACT, OF_MOTION, OF_SEVERAL, SCALARS


def test_a_study_knows_the_scalars_that_its_run_will_have() -> None:
    result = fecontact.run(
        fecontact.load("wear-shoe", {"time.end": 0.05, "contact.sole.master_wear_fraction": 0.5})
    )
    of_pairs = [f"contact.{pair}.{name}" for pair in result.study.contact for name in OF_A_SURFACE]
    assert set(result.record.scalars) == {
        *SCALARS,
        *OF_CONTACT,
        *OF_MOTION,
        *OF_SEVERAL,
        *of_pairs,
    }
