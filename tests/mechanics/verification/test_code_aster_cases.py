"""Further claims of the code_aster cases beyond the checks of their studies."""

import numpy as np
from verification_runs import computed

from fecontact.results.checks.evaluation import limits_exceeded

SDND102 = [-1.565203e-4, -5.148320e-4, 2.812914e-4, -4.493425e-4, -3.757078e-4]


def test_code_asters_digits_of_sdnd102_are_those_of_a_run_that_is_not_to_be_trusted():
    record, _ = computed("sdnd102", None, "time.scheme=central-difference")
    x = np.interp(np.arange(1, 6) / 10.0, record.history.time, record.history.columns["x"])
    np.testing.assert_allclose(x, SDND102, atol=5.1e-11)  # the last digit that code_aster prints
    assert "energy.error" in limits_exceeded(record)
