// Data of the bodies: positions of the nodes at a time, and field values at the nodes.

/** Triangulation of an element with a given number of nodes. */
const CUTS = {
  3: [[0, 1, 2]],
  4: [[0, 1, 2], [0, 2, 3]],
  6: [[5, 0, 1], [1, 2, 3], [3, 4, 5], [5, 1, 3]],
  8: [[7, 0, 1], [1, 2, 3], [3, 4, 5], [5, 6, 7], [7, 1, 3], [7, 3, 5]],
};

class Bodies {
  constructor(data, arrays) {
    this.data = data;
    this.a = arrays;
    this.count = arrays.bodyOf.length;
    this.frames = data.times.length;
    this.places = new Float64Array(2 * this.count);
    this.values = new Float64Array(this.count);
    for (const name of ["deformation", ...Object.keys(data.scales)]) accumulate(arrays[name], this.frames);
    for (const s of data.surfaces) {
      for (const name of Object.keys(s.scales)) accumulate(arrays[`surface ${s.number} ${name}`], this.frames);
    }
    this.grey = new Set(data.bodies.flatMap((body, n) => (body.unstressed ? [n] : [])));
    this.cut();
    this.fields = this.listFields();
    this.ranges = new Map();
  }

  /** Triangles, all sides of cells and those on the boundary, from the nodes around each cell. */
  cut() {
    const { cells } = this.a, size = this.data.cellNodes, count = cells.length / size, cuts = CUTS[size];
    this.triangles = new Uint32Array(3 * cuts.length * count);
    const sides = new Map();
    let at = 0;
    for (let c = 0; c < cells.length; c += size) {
      for (const cut of cuts) for (const corner of cut) this.triangles[at++] = cells[c + corner];
      for (let i = 0; i < size; i++) {
        const m = cells[c + i], n = cells[c + ((i + 1) % size)], key = m < n ? m * this.count + n : n * this.count + m;
        sides.set(key, (sides.get(key) || 0) + 1);
      }
    }
    const ends = (keys) => Uint32Array.from(keys.flatMap((k) => [Math.floor(k / this.count), k % this.count]));
    this.lines = ends([...sides.keys()]);
    this.outline = ends([...sides].filter(([, cells]) => cells === 1).map(([key]) => key));
    this.inCells = new Uint8Array(this.count);
    for (const n of cells) this.inCells[n] = 1;
    let length = 0;
    for (let i = 0; i < this.lines.length; i += 2) {
      const [m, n] = [this.lines[i], this.lines[i + 1]], p = this.a.points;
      length += Math.hypot(p[2 * m] - p[2 * n], p[2 * m + 1] - p[2 * n + 1]);
    }
    this.meanSide = (2 * length) / this.lines.length;
  }

  translation(body, k) {
    const at = 2 * (body * this.frames + k);
    return [this.a.translations[at], this.a.translations[at + 1]];
  }

  /** Positions (x, y) of all nodes at frame k, the deformation multiplied by `factor`. */
  positions(k, factor) {
    const [a, b] = this.data.deformationScale, { points, deformation, translations, bodyOf } = this.a;
    for (let n = 0, at = 2 * this.count * k; n < this.count; n++, at += 2) {
      const t = 2 * (bodyOf[n] * this.frames + k);
      this.places[2 * n] = points[2 * n] + translations[t] + factor * (a + b * deformation[at]);
      this.places[2 * n + 1] = points[2 * n + 1] + translations[t + 1] + factor * (a + b * deformation[at + 1]);
    }
    return this.places;
  }

  /** Positions of the points of a tool, given relative to its reference point, at frame k. */
  toolPlace(tool, k, factor) {
    const m = this.a[`tool ${tool.number} motion`], at = 5 * k, [ax, ay] = tool.reference_point;
    const [c, s] = [Math.cos(m[at + 4]), Math.sin(m[at + 4])];
    const [x, y] = [ax + m[at] + factor * m[at + 2], ay + m[at + 1] + factor * m[at + 3]];
    return (px, py) => [x + c * px - s * py, y + s * px + c * py];
  }

  /** Every field that can be shown: its name, unit, whether it has a sign, and its value at a node. */
  listFields() {
    const [a, b] = this.data.deformationScale, { deformation, translations, bodyOf } = this.a;
    const u = (i) => (n, k) => translations[2 * (bodyOf[n] * this.frames + k) + i] + a + b * deformation[2 * (this.count * k + n) + i];
    const kept = (name) => {
      const [low, step] = this.data.scales[name], q = this.a[name];
      return (n, k) => low + step * q[this.count * k + n];
    };
    const size = (f, g) => (n, k) => Math.hypot(f(n, k), g(n, k));
    const s = Object.fromEntries(["xx", "yy", "zz", "xy"].map((c) => [c, kept(`stress ${c}`)]));
    const v = this.a["velocity x"] ? ["x", "y"].map((c) => kept(`velocity ${c}`)) : [];
    const mises = (n, k) => {
      const [x, y, z, t] = [s.xx(n, k), s.yy(n, k), s.zz(n, k), s.xy(n, k)];
      return Math.sqrt(0.5 * ((x - y) ** 2 + (y - z) ** 2 + (z - x) ** 2) + 3 * t * t);
    };
    const principal = (sign) => (n, k) => sign * principalStress(sign * s.xx(n, k), sign * s.yy(n, k), sign * s.zz(n, k), s.xy(n, k));
    const field = (name, unit, signed, at, stress = false) => ({ name, unit, signed, at, stress });
    return [
      field("von Mises stress", "Pa", false, mises, true),
      field("largest principal stress", "Pa", true, principal(1), true),
      field("smallest principal stress", "Pa", true, principal(-1), true),
      ...Object.entries(s).map(([c, at]) => field(`stress σ${c}`, "Pa", true, at, true)),
      field("displacement magnitude", "m", false, size(u(0), u(1))),
      field("displacement x", "m", true, u(0)),
      field("displacement y", "m", true, u(1)),
      ...(v.length ? [field("velocity magnitude", "m/s", false, size(...v)), field("velocity x", "m/s", true, v[0]), field("velocity y", "m/s", true, v[1])] : []),
      ...(this.a["plastic strain"] ? [field("plastic strain", "1", false, kept("plastic strain"))] : []),
    ];
  }

  /** Values of a field at all nodes at frame k. */
  valuesOf(field, k) {
    for (let n = 0; n < this.count; n++) this.values[n] = field.at(n, k);
    return this.values;
  }

  /** True if a field does not apply to a body: the stress of one that is fixed or moved as a whole. */
  isGrey(field, body) { return body >= this.data.bodies.length || (field.stress && this.grey.has(body)); }

  /** Least and greatest value: of a frame, or of the run without a few peaks at corners. */
  range(field, k = null) {
    const key = k === null ? field.name : null;
    if (key !== null && this.ranges.has(key)) return this.ranges.get(key);
    const found = [], nodes = Math.max(1, Math.floor(this.count / 4000)), frames = Math.max(1, Math.floor(this.frames / 30));
    const step = k === null ? nodes : 1;
    for (let frame = k ?? 0; frame < (k === null ? this.frames : k + 1); frame += frames) {
      for (let n = 0; n < this.count; n += step) {
        if (this.inCells[n] && !this.isGrey(field, this.a.bodyOf[n])) found.push(field.at(n, frame));
      }
    }
    const sorted = Float64Array.from(found).sort(), last = sorted.length - 1;
    const part = k !== null ? 0 : this.data.focus.startsWith("pair") ? 0.002 : 0.03;
    const range = last < 0 ? [0, 0] : [sorted[Math.floor(part * last)], sorted[Math.ceil((1 - part) * last)]];
    if (key !== null) this.ranges.set(key, range);
    return range;
  }

  /** Contact quantities of slave node i of a surface at frame k. */
  surfaceValue(s, name, i, k) {
    const [low, step] = s.scales[name];
    return low + step * this.a[`surface ${s.number} ${name}`][k * s.nodes + i];
  }

  /** The window around nodes of a body (of all bodies, tools and times if null), with room for the
   *  diagrams along edges. */
  window(body, factor, edges = null) {
    const x = [Infinity, -Infinity], y = [Infinity, -Infinity];
    const add = (p, n) => {
      if (p[2 * n] < x[0]) x[0] = p[2 * n];
      if (p[2 * n] > x[1]) x[1] = p[2 * n];
      if (p[2 * n + 1] < y[0]) y[0] = p[2 * n + 1];
      if (p[2 * n + 1] > y[1]) y[1] = p[2 * n + 1];
    };
    if (body === null) {
      const stride = Math.max(1, Math.floor(this.frames / 60));
      for (let k = 0; k < this.frames; k += stride) {
        const p = this.positions(k, factor);
        for (let n = 0; n < this.count; n++) add(p, n);
      }
      const p = this.positions(this.frames - 1, factor);
      for (let n = 0; n < this.count; n++) add(p, n);
      for (const tool of this.data.tools) {
        const a = tool.small ? this.a[`tool ${tool.number} points`] : tool.near;
        for (let k = 0; k < this.frames; k = k + stride < this.frames || k === this.frames - 1 ? k + stride : this.frames - 1) {
          const place = this.toolPlace(tool, k, factor);
          for (let i = 0; i < a.length; i += 2) add(place(a[i], a[i + 1]), 0);
        }
      }
      if (edges && edges.largest.pressure) this.addDiagrams(edges, x, y, add, factor);
    } else {
      for (let n = 0; n < this.count; n++) if (this.a.bodyOf[n] === body) add(this.a.points, n);
    }
    return padded(x, y, body === null ? 0.04 : 0.22);
  }

  /** Room for the diagrams of the pressure along the edges, at about 60 times. */
  addDiagrams(edges, x, y, add, factor) {
    const reach = REACH * Math.max(y[1] - y[0], WIDE * (x[1] - x[0]));
    for (let k = this.frames - 1; k >= 0; k -= Math.max(1, Math.floor(this.frames / 60))) {
      const p = this.positions(k, factor);
      for (const s of this.data.surfaces) {
        const nodes = this.a[`surface ${s.number} nodes`], normals = edges.normals(s, p);
        for (let i = 0; i < s.nodes; i++) {
          const length = (reach * this.surfaceValue(s, "pressure", i, k)) / edges.largest.pressure;
          if (length > 0) add([p[2 * nodes[i]] + length * normals[2 * i], p[2 * nodes[i] + 1] + length * normals[2 * i + 1]], 0);
        }
      }
    }
  }
}

/** The largest principal stress from the components in the plane and out of it. */
function principalStress(xx, yy, zz, xy) {
  return Math.max((xx + yy) / 2 + Math.hypot((xx - yy) / 2, xy), zz);
}

/** A window with a margin, relative to its larger side. */
function padded(x, y, part) {
  const pad = part * Math.max(x[1] - x[0], y[1] - y[0]);
  return [[x[0] - pad, x[1] + pad], [y[0] - pad, y[1] + pad]];
}
