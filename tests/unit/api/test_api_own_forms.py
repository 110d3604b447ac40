"""Contact with user-defined nonlinear dolfinx forms, and the result of such a run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ufl
from dolfinx import fem, mesh
from dolfinx.fem import petsc
from mpi4py import MPI

import fecontact

LENGTH, HEIGHT, DOWN = 1.0, 0.5, 0.1
YOUNG, POISSON, DENSITY = 2.5e6, 0.25, 1000.0
LAME = YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON))
SHEAR = YOUNG / (2 * (1 + POISSON))
GROUND = {"ground": {"type": "half-plane"}}
PAIR = {"sole": {"slave": "sole", "master": "ground", "friction": 0.3}}
STATIC = {"scheme": "static", "step": 0.25, "end": 1.0}
DYNAMIC = {"scheme": "generalized-alpha", "step": 1e-3, "end": 0.03}


class Block:
    """A block above the ground whose upper edge is moved."""

    def __init__(self, gap: float = 0.0) -> None:
        corners = [(0.0, gap), (LENGTH, gap + HEIGHT)]
        kind = mesh.CellType.quadrilateral
        self.domain = mesh.create_rectangle(MPI.COMM_SELF, corners, [8, 4], kind)
        self.space = fem.functionspace(self.domain, ("Lagrange", 1, (2,)))
        self.u, self.v = fem.Function(self.space), ufl.TestFunction(self.space)
        self.dx = ufl.dx(domain=self.domain, metadata={"quadrature_degree": 3})
        sole = mesh.locate_entities_boundary(self.domain, 1, lambda x: np.isclose(x[1], gap))
        self.facets = {"sole": sole}
        self.top = fem.locate_dofs_geometrical(self.space, lambda x: np.isclose(x[1], gap + HEIGHT))
        self.place = fem.Constant(self.domain, np.zeros(2))
        self.lid = fem.dirichletbc(self.place, self.top, self.space)

    def move(self, t: float) -> None:
        self.place.value[1] = -DOWN * t

    def gradient(self, w: Any) -> Any:
        g = ufl.grad(w)
        rows = [[1 + g[0, 0], g[0, 1], 0], [g[1, 0], 1 + g[1, 1], 0], [0, 0, 1]]
        return ufl.as_tensor(rows)

    def energy(self) -> Any:
        F = self.gradient(self.u)
        growth = ufl.ln(ufl.det(F))
        psi = SHEAR / 2 * (ufl.inner(F, F) - 3) - SHEAR * growth + LAME / 2 * growth**2
        return psi * self.dx

    def stress(self, w: Any) -> Any:
        F = self.gradient(w)
        J = ufl.det(F)
        one = ufl.Identity(3)
        return (SHEAR * (F * F.T - one) + LAME * ufl.ln(J) * one) / J

    def linear(self, w: Any) -> Any:
        strain = ufl.sym(ufl.grad(w))
        return LAME * ufl.tr(strain) * ufl.Identity(2) + 2 * SHEAR * strain

    def bulk(self, **changes: Any) -> fecontact.FormBulk:
        residual = changes.pop("residual", None)
        if residual is None:
            residual = ufl.derivative(self.energy(), self.u, self.v)
        given = {"bcs": [self.lid], "update_bcs": self.move} | changes
        return fecontact.FormBulk(residual, self.u, self.facets, **given)

    def matrix(self, form: Callable[[Any, Any], Any]) -> Any:
        matrix = petsc.assemble_matrix(fem.form(form(ufl.TrialFunction(self.space), self.v)))
        matrix.assemble()
        return matrix

    def mass(self) -> Any:
        return self.matrix(lambda w, v: DENSITY * ufl.inner(w, v) * self.dx)


def pressed(bulk: fecontact.FormBulk, time: dict[str, Any] = STATIC) -> Any:
    return fecontact.contact_loop(bulk, PAIR, time, tools=GROUND)


def study(**changes: Any) -> fecontact.Study:
    shape = {"type": "rectangle", "corner": [0.0, 0.0], "size": [LENGTH, HEIGHT], "cells": [8, 4]}
    return fecontact.define(
        {
            "title": "A neo-Hookean block",
            "kind": "finite-element",
            "mesh.shapes": {"b": shape},
            "materials.m": {
                "law": "neo-hookean",
                "young": YOUNG,
                "poisson": POISSON,
                "density": DENSITY,
            },
            "bodies.b": {"material": "m"},
            "tools": GROUND,
            "functions.down": {"type": "table", "times": [0.0, 1.0], "values": [0.0, 1.0]},
            "supports.lid": {"on": "b.top", "x": 0.0, "y": -DOWN, "function": "down"},
            "contact.sole": PAIR["sole"] | {"slave": "b.bottom"},
            "time": STATIC,
        }
        | changes
    )


def test_a_neo_hookean_form_and_the_law_of_a_study_agree() -> None:
    block = Block()
    result = fecontact.run_loop(pressed(block.bulk(energy=block.energy())), stress=block.stress)
    expected = fecontact.run(study())
    for name in ("contact.sole.normal", "energy.strain", "energy.external"):
        scale = np.abs(expected[name]).max()
        np.testing.assert_allclose(result[name], expected[name], atol=1e-9 * scale)


@pytest.mark.parametrize("symmetric", [True, False])
def test_the_work_takes_the_place_of_an_energy_that_is_not_given(symmetric: bool) -> None:
    loop = pressed(Block().bulk(symmetric=symmetric))
    while not loop.finished:
        loop.advance()
    work, stored = loop.ledger.strain, fecontact.run(study())["energy.strain"][-1]
    assert work == pytest.approx(stored, rel=0.02)  # the trapezoidal rule of four steps
    assert loop.quality["energy.balance_error"] < 1e-9


def test_a_linear_form_and_its_matrices_have_the_same_impact() -> None:
    loops = []
    for nonlinear in (True, False):
        block = Block(gap=1e-3)
        thrown = fem.Function(block.space)
        thrown.interpolate(lambda x: np.stack([0 * x[0], -1.0 + 0 * x[0]]))
        mass, pair = block.mass(), {"sole": PAIR["sole"] | {"friction": 0.0}}
        form = ufl.inner(block.linear(block.u), ufl.sym(ufl.grad(block.v))) * block.dx
        given: dict[str, Any] = {"mass": mass, "bcs": [], "update_bcs": None}
        if nonlinear:
            bulk = block.bulk(residual=form, **given)
        else:
            stiffness = block.matrix(
                lambda w, v, b=block: ufl.inner(b.linear(w), ufl.sym(ufl.grad(v))) * b.dx
            )
            none = np.zeros(2 * block.space.dofmap.index_map.size_local)
            bulk = fecontact.PetscBulk(
                block.space, mass, stiffness, lambda t, f=none: f, block.facets
            )
        loops.append(fecontact.contact_loop(bulk, pair, DYNAMIC, v=thrown, tools=GROUND))
    forces = [fecontact.run_loop(loop)["contact.sole.normal"] for loop in loops]
    assert forces[0].max() > 1e4
    np.testing.assert_allclose(forces[0], forces[1], atol=1e-8 * forces[0].max())


def test_a_viscoelastic_block_relaxes_as_its_modulus() -> None:
    """Standard linear solid between plates: p(t) = E' ε [1 − g + g e^(−t/τ)] after a fast ramp."""
    part, tau, end, block = 0.6, 0.2, 0.025, Block()
    before, history = fem.Function(block.space), fem.Function(block.space)
    decay, rate = (fem.Constant(block.domain, 1.0) for _ in range(2))

    def on_step(t: float, step: float) -> None:
        decay.value = np.exp(-step / tau)
        rate.value = (1 - np.exp(-step / tau)) * tau / step

    def on_accept(t: float) -> None:
        moved = block.u.x.array - before.x.array
        history.x.array[:] = decay.value * history.x.array + rate.value * moved
        before.x.array[:] = block.u.x.array

    spring = block.linear(decay * history + rate * (block.u - before))
    sigma = (1 - part) * block.linear(block.u) + part * spring
    lid = fem.dirichletbc(
        fem.Constant(block.domain, 0.0),
        fem.locate_dofs_topological(
            (block.space.sub(0)), 0, mesh.locate_entities_boundary(
                block.domain, 0, lambda x: np.isclose(x[0], 0.0) & np.isclose(x[1], HEIGHT)
            )
        ),
        block.space.sub(0),
    )  # fmt: skip
    facets = mesh.locate_entities_boundary(block.domain, 1, lambda x: np.isclose(x[1], HEIGHT))
    down = fem.Constant(block.domain, 0.0)
    top = fem.dirichletbc(
        down, fem.locate_dofs_topological(block.space.sub(1), 1, facets), block.space.sub(1)
    )

    def press(t: float) -> None:
        down.value = -1e-3 * min(t / end, 1.0)

    bulk = fecontact.FormBulk(
        ufl.inner(sigma, ufl.sym(ufl.grad(block.v))) * block.dx, block.u, block.facets,
        bcs=[lid, top], update_bcs=press, on_step=on_step, on_accept=on_accept,
    )  # fmt: skip
    pair = {"sole": {"slave": "sole", "master": "ground"}}
    time = {"scheme": "static", "step": end, "end": 0.5}
    loop = fecontact.contact_loop(bulk, pair, time, tools=GROUND)
    result = fecontact.run_loop(loop)
    t = result.time[1:]
    ramp = tau / end * (1 - np.exp(-end / tau)) * np.exp(-(t - end) / tau)
    modulus = YOUNG / (1 - POISSON**2) * ((1 - part) + part * ramp)
    expected = modulus * 1e-3 / HEIGHT * LENGTH
    np.testing.assert_allclose(result["contact.sole.normal"][1:], expected, rtol=1e-9)
    assert loop.quality["energy.balance_error"] < 1e-9


def test_the_result_is_saved_and_read_with_its_report(tmp_path: Path) -> None:
    block = Block()
    loop = pressed(block.bulk(energy=block.energy()))
    result = fecontact.run_loop(loop, "Own block", fields_every=2, stress=block.stress)
    result.save(tmp_path / "own")
    back = fecontact.read(tmp_path / "own")
    assert back.record.fields.stress.shape == (3, 45, 4)
    names = {figure.name for figure in back.record.key_figures}
    assert {"bodies.bodies.max_von_mises", "contact.sole.max_pressure"} <= names
    assert back.record.trusted
    page = (tmp_path / "own" / "report.html").read_text(encoding="utf-8")
    assert "Own block" in page and "are not checked" in page
    assert (tmp_path / "own" / "fields" / "solid.pvd").is_file()


def test_a_surface_has_nodes_arc_length_and_coordinates() -> None:
    block = Block()
    loop = pressed(block.bulk())
    loop.advance()
    surface = loop.surface("sole")
    x = block.space.tabulate_dof_coordinates()[surface["node"], :2]
    np.testing.assert_allclose(surface["coordinates"], x, atol=1e-15)
    moved = block.u.x.array.reshape(-1, 2)[surface["node"]]
    np.testing.assert_allclose(surface["position"], x + moved, atol=1e-12)
    assert np.ptp(surface["arc"]) == pytest.approx(LENGTH)
    assert surface["pressure"].min() > 0.0


def test_wrong_forms_are_reported() -> None:
    block = Block()
    with pytest.raises(fecontact.InputError, match=r"residual must be a UFL form with a test"):
        block.bulk(residual=block.energy())
    with pytest.raises(fecontact.InputError, match=r"mass is missing"):
        pressed(block.bulk(), DYNAMIC)
    with pytest.raises(fecontact.InputError, match=r"must come from fecontact.contact_loop"):
        fecontact.run_loop(None)  # type: ignore[arg-type]
