// Pure functions of the report's scripts, run by node's own test runner.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import vm from "node:vm";

const PAGE = new URL("../../../../fecontact/results/page/", import.meta.url);

/** The named functions of scripts of the page, evaluated together in a context of their own. */
function load(files, names) {
  const source = files.map((file) => readFileSync(new URL(file, PAGE), "utf8")).join("\n");
  return vm.runInNewContext(`${source}\n;({ ${names.join(", ")} })`, {});
}

const plain = (value) => JSON.parse(JSON.stringify(value));

test("numbers are read in SI prefixes, with round ticks", () => {
  const { withUnit, niceTicks, nearest, handyPower } = load(["numbers.js"], ["withUnit", "niceTicks", "nearest", "handyPower"]);
  assert.equal(withUnit(12500, "Pa"), "12.5 kPa");
  assert.equal(withUnit(-2.5e-5, "m"), "−25 µm");
  assert.equal(withUnit(0, "N"), "0 N");
  assert.equal(handyPower(3e9), 9);
  assert.deepEqual(plain(niceTicks(0, 10, 5)), [0, 2, 4, 6, 8, 10]);
  assert.equal(nearest([0, 1, 2, 5], 3.2), 2);
  assert.equal(nearest([0, 1, 2, 5], 3.8), 3);
});

test("bands take one colour for each tenth of the range", () => {
  const { banded, RAMPS } = load(["colours.js"], ["banded", "RAMPS"]);
  const bands = banded(RAMPS.sequential, 10);
  assert.equal(new Set(bands.css).size, 10);
  assert.equal(bands.css[0], bands.css[25]);
  assert.notEqual(bands.css[0], bands.css[26]);
});

test("the extremes are taken among nodes that count", () => {
  const { extremeNodes } = load(["marks.js"], ["extremeNodes"]);
  assert.deepEqual(plain(extremeNodes([3, -9, 5, 1], (n) => n !== 1)), [3, 2]);
  assert.deepEqual(plain(extremeNodes([1], () => false)), [-1, -1]);
});

test("marks of a moving surface travel along it and come back after their distance", () => {
  const { placesAlong } = load(["marks.js"], ["placesAlong"]);
  const line = [0, 0, 100, 0];
  assert.deepEqual(plain(placesAlong(line, 40, 10)).map(([x]) => x), [10, 50, 90]);
  assert.deepEqual(plain(placesAlong(line, 40, 50)), plain(placesAlong(line, 40, 10)));
  assert.deepEqual(plain(placesAlong(line, 40, -30)).map(([x]) => x), [10, 50, 90]);
});

test("normals turn with their edge", () => {
  const { turnedNormals } = load(["edges.js"], ["turnedNormals"]);
  const before = [0, 0, 1, 0, 2, 0], quarter = [0, 0, 0, 1, 0, 2];
  const turned = turnedNormals([0, 1, 2], [0, -1, 0, -1, 0, -1], before, quarter);
  for (let i = 0; i < 3; i++) {
    assert.ok(Math.abs(turned[2 * i] - 1) < 1e-12);
    assert.ok(Math.abs(turned[2 * i + 1]) < 1e-12);
  }
});

test("principal stresses are those of the tensor, the one out of the plane included", () => {
  const { principalStress } = load(["bodies.js"], ["principalStress"]);
  assert.equal(principalStress(0, 0, 0, 5), 5);
  assert.equal(principalStress(-3, -4, 2, 0), 2);
  assert.equal(principalStress(7, 1, 0, 4), 9);
});

test("figures stand in the sections of their names", () => {
  const { sectionHosts } = load(["figures.js"], ["sectionHosts"]);
  assert.deepEqual(plain(sectionHosts(["Forces", "Energy", "Forces"], ["a", "b"])), ["a", "b", "a"]);
});
