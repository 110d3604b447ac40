// Masses in motion between their springs and obstacles; phase portrait and contact force beside.

class MassStage {
  constructor(data) {
    this.data = data;
    this.frames = data.times.length;
    this.camera = new Camera();
    this.camera.home = this.findWorld();
  }

  /** The window that contains every mass at every time, and the obstacles near them. */
  findWorld() {
    const span = (values) => [Math.min(...values), Math.max(...values)];
    const ranges = this.data.masses.map((m) => [span(m.x), span(m.y)]);
    let x = span(ranges.flatMap((r) => r[0])), y = span(ranges.flatMap((r) => r[1]));
    const size = Math.max(x[1] - x[0], y[1] - y[0]) || 1;
    for (const o of this.data.obstacles) {
      for (const w of o.walls || []) {
        if (Math.abs(w.at[0] - x[0]) < 3 * size) x = span([...x, w.at[0]]);
        if (Math.abs(w.at[1] - y[0]) < 3 * size) y = span([...y, w.at[1]]);
      }
      if (o.center) {
        x = span([...x, o.center[0] - o.radius, o.center[0] + o.radius]);
        y = span([...y, o.center[1] - o.radius, o.center[1] + o.radius]);
      }
    }
    const pad = 0.35 * Math.max(x[1] - x[0], y[1] - y[0], 1e-12);
    return [[x[0] - pad, x[1] + pad], [y[0] - pad, y[1] + pad]];
  }

  draw(g, width, height, k) {
    const bottom = this.data.forces.length ? 150 : 0;
    const right = this.data.portrait && width > 600 ? Math.min(400, width * 0.42) : 0;
    const rect = { x: 10, y: 10, width: width - right - 20, height: height - bottom - 34 };
    const view = this.camera;
    if (rect.width < 1 || rect.height < 1) return;  // before the page has its layout
    view.place(rect);
    g.save();
    g.beginPath(); g.rect(rect.x, rect.y, rect.width, rect.height); g.clip();
    this.drawObstacles(g, view);
    this.drawMasses(g, view, k);
    g.restore();
    this.drawScale(g, view);
    if (right) this.drawPortrait(g, { x: width - right + 74, y: 10, width: right - 88, height: rect.height }, k);
    if (bottom) this.drawForces(g, { x: 78, y: height - bottom + 14, width: width - 92, height: bottom - 48 }, k);
  }

  /** Half the side of a drawn mass, in pixels. */
  get half() { return Math.min(26, 0.09 * Math.min(this.camera.rect.width, this.camera.rect.height)); }

  /** Obstacles, half a mass further away, so that a mass touches them with its side. */
  drawObstacles(g, view) {
    g.strokeStyle = "#009e73";
    for (const o of this.data.obstacles) {
      g.lineWidth = 2;
      if (o.center) {
        g.beginPath(); g.arc(view.x(o.center[0]), view.y(o.center[1]), o.radius * view.scale + this.half, 0, 7); g.stroke();
      }
      for (const w of o.walls || []) {
        const [nx, ny] = [w.outward[0], -w.outward[1]], half = 0.35 * view.rect.height;
        const [x, y] = [view.x(w.at[0]) + this.half * nx, view.y(w.at[1]) + this.half * ny];
        g.lineWidth = 2;
        g.beginPath(); g.moveTo(x - half * ny, y + half * nx); g.lineTo(x + half * ny, y - half * nx); g.stroke();
        g.lineWidth = 1;
        for (let s = -half; s <= half; s += 12) {
          g.beginPath(); g.moveTo(x + s * ny, y - s * nx);
          g.lineTo(x + s * ny + 9 * (nx + ny), y - s * nx + 9 * (ny - nx)); g.stroke();
        }
      }
    }
  }

  drawMasses(g, view, k) {
    const { half } = this, at = {};
    for (const m of this.data.masses) at[m.name] = [view.x(m.x[k]), view.y(m.y[k])];
    g.strokeStyle = themed("ink");
    g.lineWidth = 1.3;
    for (const [a, b] of this.data.springs) {
      if (at[a] && at[b]) { drawCoil(g, at[a], at[b], 7); continue; }
      const end = at[a] || at[b];
      if (end) drawCoil(g, [view.rect.x + 4, end[1]], end, 7);
    }
    g.font = "13px system-ui, sans-serif";
    g.textAlign = "center";
    for (const [name, [x, y]] of Object.entries(at)) {
      g.fillStyle = "#56b4e9";
      g.fillRect(x - half, y - half, 2 * half, 2 * half);
      g.strokeRect(x - half, y - half, 2 * half, 2 * half);
      g.fillStyle = themed("ink");
      g.beginPath(); g.arc(x, y, 3, 0, 7); g.fill();
      g.fillText(name, x, y - half - 6);
    }
  }

  drawScale(g, view) {
    const { x, y, width, height } = view.rect, bottom = y + height;
    g.strokeStyle = themed("quiet"); g.fillStyle = themed("quiet"); g.lineWidth = 1;
    g.font = "12px system-ui, sans-serif"; g.textAlign = "center";
    const power = handyPower(Math.max(...[x, x + width].map((p) => Math.abs(view.worldX(p)))));
    if (this.data.factor === 1) {
      for (const value of niceTicks(view.worldX(x), view.worldX(x + width), 6)) {
        g.beginPath(); g.moveTo(view.x(value), bottom); g.lineTo(view.x(value), bottom + 5); g.stroke();
        if (view.x(value) > x + 24) g.fillText(short(value / 10 ** power), view.x(value), bottom + 18);
      }
    }
    g.textAlign = "left";
    const note = this.data.factor === 1 ? `[${PREFIXES[power]}m] of the centres` : `, motion × ${this.data.factor}`;
    g.fillText(`${this.data.axes[0]} ${note}`, x + 4, bottom - 6);
  }

  drawPortrait(g, rect, k) {
    const { x, v, name, frames } = this.data.portrait, at = frames[k];
    const plot = frame(g, rect, x, v, [`displacement of ${name}`, "m"], ["velocity", "m/s"]);
    curve(g, plot, x, v, x.length, themed("line"), 1);
    curve(g, plot, x, v, at + 1, "#0072b2", 1.6);
    dot(g, plot(x[at], v[at]));
  }

  drawForces(g, rect, k) {
    const colours = ["#d55e00", "#009e73", "#cc79a7", "#e69f00"], times = this.data.times;
    const all = this.data.forces.flatMap((f) => [least(f.values), greatest(f.values)]);
    const plot = frame(g, rect, [times[0], times[times.length - 1]], all, ["time", "s"], ["force", this.data.forces[0].unit]);
    this.data.forces.forEach((f, n) => {
      curve(g, plot, f.times, f.values, f.times.length, colours[n % colours.length], 1.3);
      dot(g, plot(times[k], f.frames[k]));
    });
    const [at] = plot(times[k], 0);
    g.strokeStyle = themed("quiet"); g.lineWidth = 1;
    g.beginPath(); g.moveTo(at, rect.y); g.lineTo(at, rect.y + rect.height); g.stroke();
  }

  legend() {
    const colours = ["#d55e00", "#009e73", "#cc79a7", "#e69f00"];
    return this.data.forces.map((f, n) => [colours[n % colours.length], f.name]);
  }
}

/** Axes around a rectangle, each with a name and a unit; returns the map from values to positions in it. */
function frame(g, rect, xs, ys, xName, yName) {
  const pad = (low, high) => { const p = 0.06 * (high - low) || 1; return [low - p, high + p]; };
  const [x0, x1] = pad(least(xs), greatest(xs)), [y0, y1] = pad(least(ys), greatest(ys));
  const plot = (x, y) => [
    rect.x + ((x - x0) / (x1 - x0)) * rect.width,
    rect.y + rect.height - ((y - y0) / (y1 - y0)) * rect.height,
  ];
  g.strokeStyle = themed("line"); g.lineWidth = 1;
  g.strokeRect(rect.x, rect.y, rect.width, rect.height);
  g.fillStyle = themed("quiet"); g.font = "11px system-ui, sans-serif";
  const scaled = ([name, unit], low, high) => {
    const power = handyPower(Math.max(Math.abs(low), Math.abs(high)));
    return [10 ** power, `${name} [${PREFIXES[power]}${unit}]`];
  };
  const [xUnit, xLabel] = scaled(xName, x0, x1), [yUnit, yLabel] = scaled(yName, y0, y1);
  g.textAlign = "center";
  for (const x of niceTicks(x0, x1, rect.width / 60)) g.fillText(short(x / xUnit), plot(x, y0)[0], rect.y + rect.height + 13);
  g.fillText(xLabel, rect.x + rect.width / 2, rect.y + rect.height + 26);
  g.textAlign = "right";
  for (const y of niceTicks(y0, y1, rect.height > 100 ? 6 : 4)) g.fillText(short(y / yUnit), rect.x - 4, plot(x0, y)[1] + 4);
  g.save();
  g.translate(rect.x - 62, rect.y + rect.height / 2);
  g.rotate(-Math.PI / 2);
  g.textAlign = "center";
  g.fillText(yLabel, 0, 0);
  g.restore();
  return plot;
}

function curve(g, plot, xs, ys, count, colour, width) {
  g.strokeStyle = colour; g.lineWidth = width;
  g.beginPath();
  for (let i = 0; i < count; i++) i ? g.lineTo(...plot(xs[i], ys[i])) : g.moveTo(...plot(xs[i], ys[i]));
  g.stroke();
}

function dot(g, [x, y]) {
  g.fillStyle = "#d55e00";
  g.beginPath(); g.arc(x, y, 4.5, 0, 7); g.fill();
}
