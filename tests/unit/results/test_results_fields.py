"""ParaView files contain the computed values: read by meshio at the times of the .pvd."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import meshio
import numpy as np
import pytest

from fecontact.mesh import build
from fecontact.mesh.cells import by_kind
from fecontact.record import SLIP
from fecontact.results.folder.fields import write_fields
from fecontact.results.folder.vtu import Grid, write_vtu
from fecontact.stress import von_mises
from fecontact.study import library
from fecontact.study.shapes import MeshSource


@pytest.fixture
def fields(tmp_path, shoe):
    write_fields(tmp_path, shoe)
    return tmp_path / "fields"


def series(path):
    """(time, mesh) of every entry of a .pvd."""
    for entry in ElementTree.parse(path).getroot().iter("DataSet"):
        yield float(entry.get("timestep")), meshio.read(path.parent / entry.get("file"))


def test_the_bodies_carry_the_computed_fields_at_every_saved_time(fields, shoe):
    read = list(series(fields / "solid.pvd"))
    assert [time for time, _ in read] == shoe.fields.time.tolist()
    for k, (_, mesh) in enumerate(read):
        np.testing.assert_array_equal(mesh.points[:, :2], shoe.mesh.points)
        np.testing.assert_array_equal(mesh.cells_dict["quad8"], shoe.mesh.cells)
        data, computed = mesh.point_data, shoe.fields
        np.testing.assert_array_equal(data["displacement"][:, :2], computed.displacement[k])
        np.testing.assert_array_equal(data["velocity"][:, :2], np.float32(computed.velocity[k]))
        np.testing.assert_array_equal(data["stress"][:, :4], np.float32(computed.stress[k]))


def test_the_contact_surface_carries_pressure_gap_slip_and_status(fields, shoe):
    surface = shoe.surfaces["sole"]
    read = list(series(fields / "contact.pvd"))
    assert len(read) == len(shoe.fields.time)
    for k, (time, mesh) in enumerate(read):
        step = int(np.argmin(abs(surface.time - time)))
        assert mesh.cells_dict["line"].shape == (10, 2)
        for name in ("pressure", "traction", "gap", "slip", "status"):
            np.testing.assert_array_equal(mesh.point_data[name], getattr(surface, name)[step])
        np.testing.assert_array_equal(
            mesh.point_data["displacement"][:, :2], shoe.fields.displacement[k][surface.nodes]
        )
    assert read[20][1].point_data["status"][0] == SLIP


def test_a_run_that_saved_no_fields_writes_none(tmp_path, shoe):
    shoe.fields = None
    assert write_fields(tmp_path, shoe) == []
    assert not (tmp_path / "fields").exists()


def test_von_mises_stress_of_uniaxial_tension_and_of_pure_shear():
    assert von_mises(np.array([5.0, 0.0, 0.0, 0.0])) == pytest.approx(5.0)
    assert von_mises(np.array([0.0, 0.0, 0.0, 2.0])) == pytest.approx(2.0 * np.sqrt(3.0))
    assert von_mises(np.array([7.0, 7.0, 7.0, 0.0])) == 0.0


@pytest.mark.parametrize("file", ["mixed-cells.msh", "mixed-cells-quadratic.msh"])
def test_triangles_among_quadrilaterals_come_back_from_vtk_as_they_were(file, tmp_path):
    """Cells, each kind with its own nodes, what they carry, and nodal values."""
    mesh = build(MeshSource(file=file), library.directory() / "contact")
    values = np.arange(3.0 * len(mesh.points)).reshape(-1, 3)
    number = np.arange(len(mesh.cells), dtype=np.int32)
    write_vtu(
        tmp_path / "mixed.vtu", Grid(mesh.points, mesh.cells, {"body": number}), {"u": values}
    )
    found = meshio.read(tmp_path / "mixed.vtu")
    assert found.points[:, :2] == pytest.approx(mesh.points, abs=0)
    assert (found.point_data["u"] == values).all()
    kinds = {len(own[0]): (rows, own) for rows, own in by_kind(mesh.cells)}
    assert len(kinds) == 2
    for block, body in zip(found.cells, found.cell_data["body"], strict=True):
        rows, own = kinds[block.data.shape[1]]
        place = np.searchsorted(rows, body)
        assert (block.data == own[place]).all()
    assert sum(len(block.data) for block in found.cells) == len(mesh.cells)
