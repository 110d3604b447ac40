"""Results of a refinement series: errors over sizes, and the order of convergence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fecontact.results.charts.charts_data import Chart, Series
from fecontact.results.checks.evaluation import CheckRow, judged
from fecontact.results.checks.measures import label
from fecontact.study import AnyStudy
from fecontact.study.models.refinements import Refinement


@dataclass(frozen=True)
class Convergence:
    """A computed series: errors of the check on its levels, NaN where a run has none."""

    study: AnyStudy
    name: str
    errors: Sequence[float]

    @property
    def refinement(self) -> Refinement:
        return self.study.refinements[self.name]

    @property
    def sizes(self) -> list[float]:
        return [level.size for level in self.refinement.levels]

    @property
    def order(self) -> float:
        """Return the slope of log error over log size, by least squares; NaN if an error is 0 or
        unknown.
        """
        errors = np.array(self.errors)
        if not np.all(errors > 0.0):
            return math.nan
        return float(np.polyfit(np.log(self.sizes), np.log(errors), 1)[0])

    @property
    def row(self) -> CheckRow:
        """Return the row of the computed order and the expected one."""
        series = self.refinement
        quantity = f"order of {label(self.study.checks[series.check])} in {series.parameter}"
        return judged(
            self.study, quantity, series.order, series.source, self.order, series.tolerance
        )

    @property
    def chart(self) -> Chart:
        """Return the chart of errors over sizes, with the expected slope through the
        finest level.
        """
        series, sizes, errors = self.refinement, np.array(self.sizes), np.array(self.errors)
        slope = errors[-1] * (sizes / sizes[-1]) ** series.order
        what = label(self.study.checks[series.check])
        return Chart(
            key=f"convergence-{self.name}",
            title=f"{what}: order {self.order:.2f} in {series.parameter}",
            x_label=f"{series.parameter} [{series.unit}]",
            y_label="error",
            series=[
                Series("computed", sizes, errors),
                Series(f"order {series.order:g}", sizes, slope, style="exact"),
            ],
            logarithmic="xy",
        )
