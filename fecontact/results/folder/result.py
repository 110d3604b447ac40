"""Result of a run or a sweep in Python: histories, fields, checks, plots."""

from __future__ import annotations

import base64
import html
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from fecontact.arrays import Array
from fecontact.record import RunRecord, SweepRecord
from fecontact.results.checks.evaluation import CheckRow, all_passed, evaluate_checks, tally
from fecontact.results.folder.provenance import note_origin
from fecontact.study import AnyStudy, InputError
from fecontact.study.base import closest, in_toml, there_are
from fecontact.versions import used_versions

if TYPE_CHECKING:
    from dolfinx import fem
    from mpi4py import MPI

    from fecontact.results.drawing.pictures import Picture


@dataclass(frozen=True)
class Page:
    """A self-contained web page."""

    text: str

    def save(self, path: str | Path) -> Path:
        """Write the page to a file."""
        from fecontact.results.folder.files import write_text

        write_text(Path(path), self.text)
        return Path(path)

    def __repr__(self) -> str:
        return f"<Page of {len(self.text) // 1000} kB: .save('report.html')>"

    def _repr_html_(self) -> str:
        """Return a separate frame for a notebook, with its own name space."""
        inside = html.escape(self.text, quote=True)
        return f'<iframe srcdoc="{inside}" width="100%" height="760" style="border:0"></iframe>'


@dataclass(frozen=True, eq=False)
class Result(Mapping[str, Array]):
    """Results of a run or a sweep, with the study.

    As a mapping it contains the histories: ``result["x_A"]`` is an array against ``result.time``
    (for a sweep: the saved numbers over the axes). rows: the checks, each with value, reference,
    tolerance and outcome. A notebook shows the checks and a plot.

    >>> result = fecontact.run(fecontact.load("sdnv104a"))
    >>> result["x_A"].max(), result.passed
    >>> result.plot("x_A").save("x.png")
    >>> result.save("results/shoe")                   # with report.html
    """

    study: AnyStudy
    record: RunRecord | SweepRecord
    rows: list[CheckRow]
    versions: dict[str, str]

    @classmethod
    def of(
        cls,
        study: AnyStudy,
        record: RunRecord | SweepRecord,
        rows: Sequence[CheckRow] | None = None,
    ) -> Result:
        """Return the result of a run of this process; checks are evaluated if they are
        not given.
        """
        note_origin(study, record)
        if rows is None:
            rows = evaluate_checks(study, record) if isinstance(record, RunRecord) else []
        return cls(study, record, list(rows), used_versions())

    # Numbers ------------------------------------------------------------------------------------

    @property
    def time(self) -> Array:
        """Return the times of the histories, s."""
        return self._run.history.time

    @property
    def passed(self) -> bool:
        """Return True if no check failed and all quality limits are met."""
        return all_passed(self.rows)

    def __getitem__(self, name: str) -> Array:
        if name not in self._columns:
            raise KeyError(_missing("history", name, self._columns))
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def _columns(self) -> dict[str, Array]:
        record = self.record
        return record.results if isinstance(record, SweepRecord) else record.history.columns

    @property
    def _run(self) -> RunRecord:
        if isinstance(self.record, SweepRecord):
            raise InputError("a sweep has no histories and no fields. Run one of its points.")
        return self.record

    # Fields -------------------------------------------------------------------------------------

    def field(self, name: str, index: int = -1, comm: MPI.Comm | None = None) -> fem.Function:
        """Return a saved "displacement" (m), "velocity" (m/s) or "stress" (Pa) as a dolfinx
        function.

        index: which of the saved times, ``result.record.fields.time`` (the last by default). A
        stress has the components xx, yy, zz, xy, averaged to the nodes. Collective over `comm`, the
        communicator of the run (the world by default).
        """
        from mpi4py import MPI

        from fecontact.solid.fem.space import NodalSpace

        comm = MPI.COMM_WORLD if comm is None else comm
        run = self._run
        series = comm.bcast(None if run.fields is None else getattr(run.fields, name, None))
        if run.mesh is None or series is None:
            raise InputError(
                f"field {name} was not saved. Set output.fields_every or output.fields_at; "
                "available fields are displacement, velocity and stress."
            )
        return NodalSpace(run.mesh, comm).function(series[index])

    # Other packages -----------------------------------------------------------------------------

    def to_pandas(self) -> Any:
        """Return the histories as a pandas DataFrame over time; units in ``.attrs["units"]``."""
        from fecontact.results.folder.exports import to_pandas

        return to_pandas(self._run)

    def to_xarray(self) -> Any:
        """Return histories, fields and contact surfaces as an xarray Dataset with units."""
        from fecontact.results.folder.exports import to_xarray

        return to_xarray(self._run)

    def edge_csv(self, pair: str, path: str | Path) -> Path:
        """Write pressure, traction, gap, slip and status along a pair's slave edge as CSV."""
        from fecontact.results.folder.exports import write_edge

        return write_edge(self._run, pair, Path(path))

    # Plots and files -----------------------------------------------------------------------------

    @property
    def pictures(self) -> list[str]:
        """Return the names of all available plots."""
        from fecontact.results.drawing.pictures import pictures_of

        return list(pictures_of(self))

    def plot(self, name: str | None = None) -> Picture:
        """Return a plot by its name, the first history if none is given.

        A notebook shows it; ``result.plot("energy").save("energy.png")`` writes it.
        """
        from fecontact.results.drawing.pictures import first_picture, pictures_of

        drawings = pictures_of(self)
        chosen = first_picture(self) if name is None else name
        if chosen not in drawings:
            raise InputError(_missing("picture", chosen, drawings))
        return drawings[chosen]

    def save(self, folder: str | Path, *, report: bool = True, overwrite: bool = False) -> Path:
        """Write the result folder, as `fecontact run` does; `report`: with plots and report."""
        from fecontact.results.folder.output import write_results

        return write_results(Path(folder), self.study, self.record, self.rows, report, overwrite)

    def page(self) -> Page:
        """Return the report with view and charts: a notebook shows it, ``.save(path)``
        writes it.
        """
        from fecontact.results.report.page import write_report

        with TemporaryDirectory() as folder:
            return Page(write_report(Path(folder), self).read_text(encoding="utf-8"))

    def __repr__(self) -> str:
        return f"<Result of {self.study.title!r}: {self._verdict()}>"

    def _verdict(self) -> str:
        if isinstance(self.record, RunRecord) and self.record.failure:
            return f"stopped early: {self.record.failure}"
        return tally(self.rows) if self.rows else "no checks"

    def _repr_html_(self) -> str:
        """Return the HTML shown by a notebook: title, verdict, checks and the first plot."""
        from fecontact.results.report.html import checks_table, text

        checks = checks_table(self.rows, identity=False) if self.rows else ""
        png = base64.b64encode(self.plot()._repr_png_()).decode("ascii")
        head = f"<b>{text(self.study.title)}</b><br>{text(self._verdict())}"
        return f'{head}{checks}<img alt="first figure" src="data:image/png;base64,{png}">'


def _missing(what: str, name: str, known: Collection[str]) -> str:
    return f"{what} {in_toml(name)} not found{closest(name, known) or there_are(known)}"
