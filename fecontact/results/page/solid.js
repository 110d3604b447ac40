// The bodies in motion: coloured by stress, contact pressure drawn under the slave edges.

const VIRIDIS = ["#440154", "#482878", "#3e4989", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725"];
const SIGNED = ["#0072b2", "#7fb8d8", "#f2f2f2", "#eaae7f", "#d55e00"];
const STATUS = [["open", "#bbbbbb"], ["stick", "#0072b2"], ["slip", "#e69f00"]];

/** 256 colours through the given ones. */
function ramp(stops) {
  const rgb = stops.map((s) => [1, 3, 5].map((i) => parseInt(s.slice(i, i + 2), 16)));
  return Array.from({ length: 256 }, (_, n) => {
    const at = (n / 255) * (stops.length - 1);
    const i = Math.min(Math.floor(at), stops.length - 2);
    const mix = rgb[i].map((c, j) => Math.round(c + (at - i) * (rgb[i + 1][j] - c)));
    return `rgb(${mix.join(",")})`;
  });
}

/** A few digits, without the noise of binary fractions. */
function short(value) {
  return String(Number(value.toPrecision(4)));
}

/** The power of a thousand in which a value is read best: [divisor, prefix of its unit]. */
function thousands(value) {
  const prefixes = { "-9": "n", "-6": "µ", "-3": "m", 0: "", 3: "k", 6: "M", 9: "G" };
  const power = value ? 3 * Math.floor(Math.log10(Math.abs(value)) / 3 + 1e-9) : 0;
  return power in prefixes ? [10 ** power, prefixes[power]] : [1, ""];
}

/** A window of the world drawn in a rectangle of the canvas, y upwards, same scale both ways. */
class View {
  constructor(rect, world) {
    const [[x0, x1], [y0, y1]] = world;
    this.rect = rect;
    this.scale = Math.min(rect.width / (x1 - x0), rect.height / (y1 - y0));
    this.left = rect.x + (rect.width - this.scale * (x1 - x0)) / 2 - this.scale * x0;
    this.base = rect.y + (rect.height + this.scale * (y1 - y0)) / 2 + this.scale * y0;
  }
  x(value) { return this.left + this.scale * value; }
  y(value) { return this.base - this.scale * value; }
  worldX(pixel) { return (pixel - this.left) / this.scale; }
}

class SolidStage {
  constructor(data, arrays) {
    this.data = data;
    this.a = arrays;
    this.count = arrays.bodyOf.length;
    this.frames = data.times.length;
    this.place = new Float64Array(2 * this.count);
    this.pressureMax = 0;
    for (const s of data.surfaces) {
      for (const p of arrays[`surface ${s.number} pressure`]) this.pressureMax = Math.max(this.pressureMax, p);
    }
    this.fields = Object.keys(data.stressScales);
    this.field = this.fields[0];
    this.magnified = data.magnification > 1;
    this.world = this.findWorld();
  }

  /** The window that holds every body at every time. */
  findWorld() {
    const x = [Infinity, -Infinity], y = [Infinity, -Infinity];
    for (let k = 0; k < this.frames; k++) {
      const p = this.positions(k);
      for (let n = 0; n < this.count; n++) {
        x[0] = Math.min(x[0], p[2 * n]); x[1] = Math.max(x[1], p[2 * n]);
        y[0] = Math.min(y[0], p[2 * n + 1]); y[1] = Math.max(y[1], p[2 * n + 1]);
      }
    }
    const pad = ([low, high]) => [low - 0.04 * (high - low), high + 0.04 * (high - low)];
    return [pad(x), pad(y)];
  }

  translation(body, k) {
    const at = 2 * (body * this.frames + k);
    return [this.a.translations[at], this.a.translations[at + 1]];
  }

  positions(k) {
    const [a, b] = this.data.deformationScale;
    const factor = this.magnified ? this.data.magnification : 1;
    const q = this.a.deformation, first = 2 * this.count * k;
    for (let n = 0; n < this.count; n++) {
      const [tx, ty] = this.translation(this.a.bodyOf[n], k);
      this.place[2 * n] = this.a.points[2 * n] + tx + factor * (a + b * q[first + 2 * n]);
      this.place[2 * n + 1] = this.a.points[2 * n + 1] + ty + factor * (a + b * q[first + 2 * n + 1]);
    }
    return this.place;
  }

  draw(g, width, height, k) {
    const p = this.positions(k);
    const range = this.range();
    const bar = 84;
    let top = 10;
    if (this.data.window) {
      const strip = { x: 10, y: 6, width: width - 20, height: 76 };
      const whole = new View(strip, this.world);
      this.drawBodies(g, whole, p, k, range, false);
      this.drawSprings(g, whole, p, 3);
      top = strip.y + strip.height + 8;
      g.strokeStyle = "#d5dae0";
      g.beginPath(); g.moveTo(0, top - 4); g.lineTo(width, top - 4); g.stroke();
    }
    const rect = { x: 10, y: top, width: width - bar - 20, height: height - top - 26 };
    const view = new View(rect, this.followed(k));
    g.save();
    g.beginPath(); g.rect(rect.x, rect.y, rect.width, rect.height); g.clip();
    this.drawBodies(g, view, p, k, range, true);
    this.drawPressure(g, view, p, k);
    this.drawSprings(g, view, p, 6);
    this.drawStatus(g, view, p, k);
    g.restore();
    this.drawRuler(g, view);
    this.drawBar(g, width - bar + 6, top + 14, rect.height - 40, range);
  }

  /** The close-up's window moves with the small bodies. */
  followed(k) {
    if (!this.data.window) return this.world;
    const shift = [0, 0];
    for (const body of this.data.small) {
      const t = this.translation(body, k);
      shift[0] += t[0] / this.data.small.length;
      shift[1] += t[1] / this.data.small.length;
    }
    return this.data.window.map((span, i) => span.map((v) => v + shift[i]));
  }

  /** Signed stresses have white at zero, von Mises stress starts at zero. */
  range() {
    const [low, high] = this.data.stressRanges[this.field];
    if (this.field === "von Mises") return { low: 0, high: high || 1, colours: SolidStage.sequential };
    const most = Math.max(Math.abs(low), Math.abs(high)) || 1;
    return { low: -most, high: most, colours: SolidStage.signed };
  }

  drawBodies(g, view, p, k, range, withLines) {
    const [a, b] = this.data.stressScales[this.field];
    const q = this.a[`stress ${this.field}`], first = this.count * k, t = this.a.triangles;
    const scale = 255 / (range.high - range.low || 1);
    // Coarse meshes have large triangles: these are cut in four, once or twice, to shade them.
    const cuts = !withLines || t.length > 9000 ? 0 : t.length > 2400 ? 1 : 2;
    g.lineWidth = 1.2;
    for (let i = 0; i < t.length; i += 3) {
      const corners = [t[i], t[i + 1], t[i + 2]].map((n) => [
        view.x(p[2 * n]), view.y(p[2 * n + 1]), (a + b * q[first + n] - range.low) * scale,
      ]);
      const colours = this.data.unstressed.includes(this.a.bodyOf[t[i]]) ? null : range.colours;
      paintTriangle(g, corners, colours, colours ? cuts : 0);
    }
    if (!withLines) return;
    g.strokeStyle = "rgba(30,30,30,.35)";
    g.lineWidth = 0.6;
    g.beginPath();
    const lines = this.a.lines;
    for (let i = 0; i < lines.length; i += 2) {
      g.moveTo(view.x(p[2 * lines[i]]), view.y(p[2 * lines[i] + 1]));
      g.lineTo(view.x(p[2 * lines[i + 1]]), view.y(p[2 * lines[i + 1] + 1]));
    }
    g.stroke();
  }

  /** Pressure as an area outside the slave edge, its height in proportion. */
  drawPressure(g, view, p, k) {
    if (!this.pressureMax) return;
    const reach = (0.16 * view.rect.height) / view.scale / this.pressureMax;
    g.fillStyle = "rgba(213,94,0,.3)";
    g.strokeStyle = "#d55e00";
    g.lineWidth = 1.3;
    for (const s of this.data.surfaces) {
      const nodes = this.a[`surface ${s.number} nodes`], normals = this.a[`surface ${s.number} normals`];
      const pressure = this.a[`surface ${s.number} pressure`].subarray(k * s.nodes, (k + 1) * s.nodes);
      const tip = (i, length) => [
        view.x(p[2 * nodes[i]] + length * normals[2 * i]),
        view.y(p[2 * nodes[i] + 1] + length * normals[2 * i + 1]),
      ];
      g.beginPath();
      g.moveTo(...tip(0, 0));
      for (let i = 0; i < s.nodes; i++) g.lineTo(...tip(i, reach * pressure[i]));
      for (let i = s.nodes - 1; i >= 0; i--) g.lineTo(...tip(i, 0));
      g.fill();
      g.stroke();
    }
  }

  drawStatus(g, view, p, k) {
    for (const s of this.data.surfaces) {
      const nodes = this.a[`surface ${s.number} nodes`], status = this.a[`surface ${s.number} status`];
      const size = s.nodes > 60 ? 2 : 4;
      for (let i = 0; i < s.nodes; i++) {
        g.fillStyle = STATUS[status[k * s.nodes + i]][1];
        g.beginPath();
        g.arc(view.x(p[2 * nodes[i]]), view.y(p[2 * nodes[i] + 1]), size, 0, 7);
        g.fill();
      }
    }
  }

  drawSprings(g, view, p, half) {
    g.strokeStyle = "#222222";
    g.lineWidth = 1.2;
    for (const [m, n] of this.data.springs) {
      const from = [view.x(p[2 * m]), view.y(p[2 * m + 1])], to = [view.x(p[2 * n]), view.y(p[2 * n + 1])];
      drawCoil(g, from, to, half);
      g.strokeRect(to[0] - half / 2, to[1] - half / 2, half, half);
    }
  }

  /** Marks along x under the close-up: the ground by which one sees the body slide. */
  drawRuler(g, view) {
    const { x, y, width, height } = view.rect, bottom = y + height;
    g.strokeStyle = "#888888";
    g.fillStyle = "#555566";
    g.font = "12px system-ui, sans-serif";
    g.textAlign = "center";
    g.lineWidth = 1;
    for (const value of niceTicks(view.worldX(x), view.worldX(x + width), 8)) {
      const at = view.x(value);
      g.beginPath(); g.moveTo(at, bottom); g.lineTo(at, bottom + 5); g.stroke();
      if (at < x + width - 20) g.fillText(short(value), at, bottom + 18);
    }
    g.textAlign = "left";
    g.fillText("x [m]", x + width + 8, bottom + 18);
  }

  drawBar(g, x, y, height, range) {
    for (let i = 0; i < 256; i++) {
      g.fillStyle = range.colours[255 - i];
      g.fillRect(x, y + (i * height) / 256, 14, height / 256 + 1);
    }
    g.fillStyle = "#222222";
    g.font = "12px system-ui, sans-serif";
    g.textAlign = "left";
    const [unit, prefix] = thousands(Math.max(Math.abs(range.low), range.high));
    for (const part of [0, 0.25, 0.5, 0.75, 1]) {
      const value = ((range.high + part * (range.low - range.high)) / unit).toPrecision(3);
      const text = Number(value) === 0 ? "0" : value;
      g.fillText(part ? text : `≥ ${text}`, x + 19, y + 4 + part * height);
    }
    g.fillText(`[${prefix}Pa]`, x, y - 8);
  }

  legend() {
    const rows = this.data.surfaces.length ? STATUS.map(([name, colour]) => [colour, `${name} node`]) : [];
    if (this.pressureMax) {
      const [unit, prefix] = thousands(this.pressureMax);
      rows.push(["#d55e00", `contact pressure, largest ${short(this.pressureMax / unit)} ${prefix}Pa`]);
    }
    return rows;
  }
}
SolidStage.sequential = ramp(VIRIDIS);
SolidStage.signed = ramp(SIGNED);

/** A triangle of corners [x, y, colour level], cut in four `cuts` times; null colours: grey. */
function paintTriangle(g, [a, b, c], colours, cuts) {
  if (cuts > 0) {
    const middle = (p, q) => [0, 1, 2].map((i) => (p[i] + q[i]) / 2);
    const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
    for (const part of [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]) paintTriangle(g, part, colours, cuts - 1);
    return;
  }
  const level = Math.max(0, Math.min(255, Math.round((a[2] + b[2] + c[2]) / 3)));
  g.fillStyle = colours ? colours[level] : "#d9d4cc";
  g.strokeStyle = g.fillStyle;  // closes the seams between triangles
  g.beginPath();
  g.moveTo(a[0], a[1]);
  g.lineTo(b[0], b[1]);
  g.lineTo(c[0], c[1]);
  g.closePath();
  g.fill();
  g.stroke();
}

/** Round values between two ends, about `count` of them. */
function niceTicks(low, high, count) {
  const raw = (high - low) / count, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].find((m) => m * power >= raw) * power;
  const ticks = [];
  for (let n = Math.ceil(low / step); n * step <= high; n++) ticks.push(n * step);
  return ticks;
}

/** A coil spring between two places of the canvas. */
function drawCoil(g, from, to, half) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]], length = Math.hypot(dx, dy) || 1;
  const turns = Math.max(4, Math.min(14, Math.round(length / 6)));
  g.beginPath();
  g.moveTo(...from);
  for (let i = 1; i < turns; i++) {
    const side = i === 1 || i === turns - 1 ? 0 : i % 2 ? half : -half, part = 0.1 + (0.8 * i) / turns;
    g.lineTo(from[0] + part * dx - (side * dy) / length, from[1] + part * dy + (side * dx) / length);
  }
  g.lineTo(...to);
  g.stroke();
}
