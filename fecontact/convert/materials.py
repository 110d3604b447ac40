"""Elements, sections and materials of an input file."""

from __future__ import annotations

from typing import Any

from fecontact.convert.model import Model
from fecontact.mesh.readers.deck import Card

_PLANES = {"CPE": "strain", "CPS": "stress", "CAX": "axisymmetric"}
_DISCRETE = ("SPRING", "DASHPOT", "MASS", "R2D2", "RAX2")
FINITE_STRAIN = ("mooney-rivlin", "yeoh", "ogden")  # laws that *HYPERELASTIC becomes
INCOMPRESSIBLE = 1000.0  # bulk over shear modulus for incompressible materials of the file


def element(model: Model, card: Card) -> None:
    """Set the plane model of the study from the element type; the mesh reader reads the
    elements.
    """
    kind = card.options.get("TYPE", "").upper()
    plane = _PLANES.get(kind[:3])
    if plane is None:
        if not kind.startswith(_DISCRETE):
            model.leave(card, f"{kind}: only continuum elements, springs and masses are translated")
    elif model.plane not in ("", plane) and {model.plane, plane} != {"axisymmetric", "stress"}:
        raise model.wrong(
            card, f"has {kind}, but other elements are of plane = {model.plane!r}. Use one kind."
        )
    else:
        model.plane = "axisymmetric" if model.plane == "axisymmetric" else plane
        if plane == "stress":
            model.sheets.add(card.options.get("ELSET", ""))
        for letter, why in (
            ("R", "elements are fully integrated"),
            ("H", "a material with a bulk modulus is used instead of a pressure field"),
            ("I", "incompatible modes are not supported; use quadratic elements for bending"),
        ):
            if letter in kind[4:]:
                model.leave(card, f"{letter} of {kind}: {why}")


def material(model: Model, card: Card) -> None:
    """Start a new material; the cards that follow belong to it."""
    model.material = card.options.get("NAME", "")
    if not model.material:
        raise model.wrong(card, "has no NAME=…")
    model.material = model.add("materials", model.material, {})


def _of_material(model: Model, card: Card, lines: int = 1) -> dict[str, Any]:
    if model.material not in model.tables["materials"]:
        raise model.wrong(card, "must follow a *MATERIAL")
    if len(card.lines) > lines:
        model.leave(card, "only its first line is read: properties do not depend on temperature")
    return model.tables["materials"][model.material]


def elastic(model: Model, card: Card) -> None:
    """Translate *ELASTIC: Young's modulus and Poisson's ratio."""
    keys, line = _of_material(model, card), model.first_line(card)
    if card.options.get("TYPE", "ISOTROPIC").upper()[:3] != "ISO":
        raise model.wrong(card, 'is not isotropic. Use law = "orthotropic".')
    model.leave_options(card, "TYPE")
    keys["young"] = model.number(card, line, 0) * model.units.stress
    keys["poisson"] = model.number(card, line, 1)


def density(model: Model, card: Card) -> None:
    """Translate *DENSITY."""
    model.leave_options(card)
    value = model.number(card, model.first_line(card), 0)
    _of_material(model, card)["density"] = value * model.units.density


def damping(model: Model, card: Card) -> None:
    """Translate *DAMPING: Rayleigh coefficients."""
    keys = _of_material(model, card)
    for name, own in (("ALPHA", "rayleigh_mass"), ("BETA", "rayleigh_stiffness")):
        if name in card.options:
            keys[own] = model.number(card, [card.options[name]], 0)
    model.leave_options(card, "ALPHA", "BETA")


def plastic(model: Model, card: Card) -> None:
    """Translate *PLASTIC: yield stress and linear hardening, from the first two lines of its
    table.
    """
    keys = _of_material(model, card, len(card.lines))
    model.first_line(card)
    if card.options.get("HARDENING", "ISOTROPIC").upper() != "ISOTROPIC":
        hardening = card.options["HARDENING"]
        model.leave(card, f"hardening is isotropic, not {hardening.lower()}")
    model.leave_options(card, "HARDENING")
    rows = [(model.number(card, row, 0), model.number(card, row, 1)) for row in card.lines]
    keys["law"], keys["yield_stress"] = "elastoplastic", rows[0][0] * model.units.stress
    if len(rows) > 1 and rows[1][1] > rows[0][1]:
        slope = (rows[1][0] - rows[0][0]) / (rows[1][1] - rows[0][1])
        keys["hardening"] = slope * model.units.stress
    if len(rows) > 2:
        model.leave(card, "hardening is linear: only the first two lines of its table are read")


def _ogden(model: Model, card: Card, order: int) -> tuple[dict[str, Any], float, float]:
    """Return the keys of Ogden's law; in Abaqus W = Σ 2μ_i/α_i² (…), so the shear modulus is
    Σ μ_i.
    """
    values = [value for row in card.lines for value in row]
    given = [model.number(card, values, i) for i in range(2 * order + 1)]
    moduli, exponents = given[0 : 2 * order : 2], given[1 : 2 * order : 2]
    if not all(exponents):
        raise model.wrong(card, "has an exponent of 0; each exponent must differ from 0")
    stress = model.units.stress
    constants = [2 * m / a * stress for m, a in zip(moduli, exponents, strict=True)]
    return {"law": "ogden", "mu": constants, "alpha": exponents}, sum(moduli), given[2 * order]


def _yeoh(model: Model, card: Card) -> tuple[dict[str, Any], float, float]:
    """Return the keys of Yeoh's law."""
    values = [value for row in card.lines for value in row]
    given = [model.number(card, values, i) for i in range(4)]
    names = ("c_10", "c_20", "c_30")
    keys = {name: c * model.units.stress for name, c in zip(names, given[:3], strict=True)}
    return {"law": "yeoh", **keys}, 2 * given[0], given[3]


def _mooney(model: Model, card: Card, neo: bool) -> tuple[dict[str, Any], float, float]:
    """Return the keys of the Mooney–Rivlin law, W = C10 (I1 − 3) + C01 (I2 − 3)."""
    line = model.first_line(card)
    given = [model.number(card, line, i) for i in range(2 if neo else 3)]
    if neo:
        given.insert(1, 0.0)
    stress = model.units.stress
    keys = {"law": "mooney-rivlin", "c_10": given[0] * stress, "c_01": given[1] * stress}
    return keys, 2 * (given[0] + given[1]), given[2]


def hyperelastic(model: Model, card: Card) -> None:
    """Translate *HYPERELASTIC: neo-Hooke, Mooney–Rivlin, Yeoh and Ogden, with (J − 1)²/D1."""
    keys = _of_material(model, card, len(card.lines))
    kinds = ("NEO HOOKE", "MOONEY-RIVLIN", "YEOH", "OGDEN")
    found = [kind for kind in kinds if kind in card.options]
    if not found or "TEST DATA INPUT" in card.options:
        raise model.wrong(card, f"is translated with {', '.join(kinds)} and given constants only")
    order = card.options.get("N", "1") if found[0] == "OGDEN" else "1"
    if order not in ("1", "2", "3", "4"):
        raise model.wrong(card, f"has N={order}; it must be 1, 2, 3 or 4")
    model.leave_options(card, *kinds, "N")
    if found[0] == "OGDEN":
        constants, shear, inverse = _ogden(model, card, int(order))
    elif found[0] == "YEOH":
        constants, shear, inverse = _yeoh(model, card)
    else:
        constants, shear, inverse = _mooney(model, card, found[0] == "NEO HOOKE")
    if not inverse:
        model.leave(
            card, f"D1 = 0: the bulk modulus is set to {INCOMPRESSIBLE:g} times the shear modulus"
        )
    bulk = 2 / inverse if inverse else INCOMPRESSIBLE * shear
    keys |= constants | {"bulk": bulk * model.units.stress}


def section(model: Model, card: Card) -> None:
    """Translate *SOLID SECTION: a body with the name of its instance or set."""
    elset, of = (card.options.get(name, "") for name in ("ELSET", "MATERIAL"))
    cells = model.groups.cells(elset)
    if cells is None:
        raise model.groups.missing(elset)
    keys: dict[str, Any] = {"material": of, "cells": cells}
    thickness = model.number(card, card.lines[0] if card.lines else [], 0)
    if thickness or model.units.length != 1.0:
        keys["thickness"] = (thickness or 1.0) * model.units.length
    model.section_names.setdefault(card.scope, []).append(model.add("bodies", cells, keys))
    model.leave_options(card, "ELSET", "MATERIAL")


def finish(model: Model) -> None:
    """Complete names of bodies and materials and finite-strain laws; report missing data."""
    for scope, bodies in model.section_names.items():
        if scope and len(bodies) == 1 and scope not in model.tables["bodies"]:
            of = model.tables["bodies"]
            renamed = {scope if n == bodies[0] else n: keys for n, keys in of.items()}
            model.tables["bodies"] = renamed
            for load in model.tables["loads"].values():
                load["on"] = scope if load["on"] == bodies[0] else load["on"]
    for name, body in model.tables["bodies"].items():
        spelt = {own.upper(): own for own in model.tables["materials"]}
        body["material"] = spelt.get(body["material"].upper(), body["material"])
        if model.plane == "axisymmetric":
            if model.groups.contain(model.sheets, body["cells"]):
                body["plane"] = "stress"
            else:
                body.pop("thickness", None)
        if body["cells"] == name:
            del body["cells"]
    nonlinear = next((step.card for step in model.steps if step.nonlinear), None)
    sheets = {body["material"] for body in model.tables["bodies"].values() if "plane" in body}
    for name, keys in model.tables["materials"].items():
        if nonlinear is None:
            continue
        if name in sheets:
            what = "plane-stress bodies of axisymmetric models"
            model.leave(nonlinear, f"NLGEOM: {what} assume small strain and small rotation")
        elif "law" not in keys and "rayleigh_mass" not in keys and "rayleigh_stiffness" not in keys:
            keys["law"] = "hencky"
        elif keys.get("law") not in FINITE_STRAIN:
            what = "plastic materials" if "law" in keys else "materials with Rayleigh damping"
            model.leave(nonlinear, f"NLGEOM: {what} assume small strain and small rotation")
