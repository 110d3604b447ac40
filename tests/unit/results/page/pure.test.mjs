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

test("an axis takes values to pixels and back, linear and logarithmic", () => {
  const { Axis, logTicks } = load(["numbers.js", "axes.js"], ["Axis", "logTicks"]);
  for (const log of [false, true]) {
    const axis = new Axis({ log }, 1, 100);
    axis.span(50, 250);
    assert.equal(axis.pixel(1), 50);
    assert.equal(axis.pixel(100), 250);
    assert.ok(Math.abs(axis.pixel(10) - (log ? 150 : 50 + (200 * 9) / 99)) < 1e-9);
    assert.ok(Math.abs(axis.value(axis.pixel(37)) - 37) < 1e-9);
  }
  assert.deepEqual(plain(logTicks(1, 100)), [1, 2, 5, 10, 20, 50, 100]);
  const named = new Axis({ ticks: ["A", "B"] }, 0, 1);
  assert.deepEqual(plain(named.marks(5)), [[0, "A"], [1, "B"]]);
});

test("the range of a chart leaves out what is not a number, and shows constants as constant", () => {
  const { extent } = load(["axes.js"], ["extent"]);
  assert.deepEqual(plain(extent([[1, null, 3], [NaN, 2]], false, 0)), [1, 3]);
  assert.deepEqual(plain(extent([[-5, 10, 1000]], true, 0)), [10, 1000]);
  assert.deepEqual(plain(extent([[4, 4]], false, 0.1)), [2, 6]);
  assert.deepEqual(plain(extent([[]], false, 0.1)), [0, 1]);
});

test("cells of a map lie half-way between their centres", () => {
  const { cellEdges, cellOf } = load(["chart.js", "map.js"], ["cellEdges", "cellOf"]);
  assert.deepEqual(plain(cellEdges([1, 3, 5], false)), [0, 2, 4, 6]);
  assert.ok(Math.abs(plain(cellEdges([1, 100], true))[1] - 10) < 1e-9);
  assert.deepEqual([-1, 0.5, 2, 3.9, 9].map((v) => cellOf([0, 2, 4, 6], v)), [0, 0, 1, 1, 2]);
});

test("the camera shows a window whole, and zooms about the pixel under the pointer", () => {
  const { Camera } = load(["camera.js"], ["Camera"]);
  const camera = new Camera();
  camera.place({ x: 0, y: 0, width: 400, height: 200 });
  camera.fit([[0, 2], [0, 2]]);
  assert.equal(camera.scale, 100);
  assert.deepEqual([camera.x(1), camera.y(1), camera.x(0), camera.y(0)], [200, 100, 100, 200]);
  const before = [camera.worldX(120), camera.worldY(30)];
  camera.zoom(3, 120, 30);
  assert.ok(Math.abs(camera.worldX(120) - before[0]) < 1e-12 && Math.abs(camera.worldY(30) - before[1]) < 1e-12);
  camera.pan(10, 0);
  assert.ok(Math.abs(camera.worldX(130) - before[0]) < 1e-12);
  camera.place({ x: 0, y: 0, width: 800, height: 200 });
  assert.equal(camera.scale, 300);  // a resized page keeps what the user sees
});

test("packed differences between frames are summed", () => {
  const { accumulate } = load(["unpack.js"], ["accumulate"]);
  assert.deepEqual(plain(accumulate([1, 2, 10, 20, 0, 5], 3)), [1, 2, 11, 22, 11, 27]);
});

test("a curve is read at a position only if its positions increase", () => {
  const { increasing } = load(["chart.js", "curves.js"], ["increasing"]);
  assert.equal(increasing({ x: [0, 1, 1, 2] }), true);
  assert.equal(increasing({ x: [0, 2, 1] }), false);
});
