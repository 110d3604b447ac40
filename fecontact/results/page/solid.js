// View of a finite-element run: the moving bodies, coloured, with contact quantities.

const MAP_HEIGHT = 76;      // pixels of the strip that shows the whole model above a close-up
const SEEN_SIDE = 5;        // pixels; cell sides closer together would hide the colours

class SolidStage {
  constructor(data, arrays) {
    this.data = data;
    this.bodies = new Bodies(data, arrays);
    this.edges = new EdgeDiagrams(this.bodies);
    this.painter = makePainter();
    this.painter.canvas.addEventListener("webglcontextlost", () => { this.painter = new SoftwarePainter(); });
    this.field = this.bodies.fields[0];
    this.magnified = data.magnification > 1;
    this.mirrored = false;
    this.rangeKind = "run";
    this.hand = [0, 1];
    this.pinned = [];
    this.marked = null;
    this.bands = this.undeformed = this.extremes = false;
    this.camera = new Camera();
    this.overview = new Camera();
    this.pixels = new Float32Array(2 * this.bodies.count);
    this.levels = new Float32Array(this.bodies.count);
    this.focus(data.focus);
  }

  get factor() { return this.magnified ? this.data.magnification : 1; }

  /** Targets of the camera: the model, a body, the slave edge of a pair. */
  get targets() {
    const bodies = this.data.bodies.map((body, n) => ({ name: body.name, value: `body ${n}` }));
    const pairs = this.data.surfaces.map((s, n) => ({ name: `contact ${s.name}`, value: `pair ${n}` }));
    return [{ name: "whole model", value: "all" }, ...(bodies.length > 1 ? bodies : []), ...pairs];
  }

  /** Point the camera at a target; it then moves with that body. */
  focus(target) {
    const [kind, number] = target.split(" ");
    this.target = target;
    this.followed = null;
    let home = this.bodies.window(null, this.factor, this.edges);
    this.overview.home = home;
    if (kind === "body") {
      this.followed = Number(number);
      home = this.bodies.window(this.followed, this.factor);
    } else if (kind === "pair") {
      const s = this.data.surfaces[Number(number)], nodes = this.bodies.a[`surface ${s.number} nodes`];
      const near = this.edges.touched(s), at = (i) => near.map((n) => this.bodies.a.points[2 * n + i]);
      this.followed = this.bodies.a.bodyOf[nodes[0]];
      home = padded([least(at(0)), greatest(at(0))], [least(at(1)), greatest(at(1))], 0.6);
    }
    if (this.mirrored) home = [[-home[0][1], home[0][1]], home[1]];
    this.camera.fit(home);
  }

  draw(g, width, height, k) {
    const p = this.bodies.positions(k, this.factor), range = this.range(k);
    this.setLevels(k, range);
    const bar = width < 600 ? 66 : 84;
    let top = 10;
    if (this.data.focus !== "all") {
      this.overview.place({ x: 10, y: 6, width: width - 20, height: MAP_HEIGHT });
      this.paint(g, this.overview, p, range, false);
      this.drawTools(g, this.overview, k);
      this.drawSprings(g, this.overview, p, 3);
      top = MAP_HEIGHT + 14;
    }
    this.camera.place({ x: 10, y: top, width: width - bar - 20, height: height - top - 26 });
    this.camera.origin = this.followed === null ? [0, 0] : this.bodies.translation(this.followed, k);
    const { rect } = this.camera;
    g.save();
    g.beginPath(); g.rect(rect.x, rect.y, rect.width, rect.height); g.clip();
    this.paint(g, this.camera, p, range, true);
    this.drawTools(g, this.camera, k);
    this.edges.draw(g, this.camera, p, k);
    this.drawSprings(g, this.camera, p, 6);
    this.edges.drawStatus(g, this.camera, p, k);
    if (this.undeformed) drawUndeformed(g, this.camera, this.bodies, this.mirrored);
    if (this.extremes) drawExtremes(g, this.camera, p, this.bodies, this.field, k);
    this.drawPins(g, p);
    g.restore();
    if (top > 10) this.drawSeen(g);
    this.drawRuler(g, this.camera);
    this.drawBar(g, width - bar + 6, top + 26, rect.height - 40, range);
  }

  setLevels(k, range) {
    const values = this.bodies.valuesOf(this.field, k), scale = 1 / (range.high - range.low || 1);
    const grey = this.data.bodies.map((_, body) => this.bodies.isGrey(this.field, body));
    const { bodyOf } = this.bodies.a;
    for (let n = 0; n < values.length; n++) this.levels[n] = grey[bodyOf[n]] ? -1e6 : (values[n] - range.low) * scale;
  }

  /** Bodies in the camera's rectangle; a mirrored model is painted on both sides of x = 0. */
  paint(g, camera, p, range, withLines) {
    const ratio = Math.min(window.devicePixelRatio || 1, 2), { rect, left, base, scale } = camera;
    const width = Math.max(1, Math.round(rect.width * ratio)), height = Math.max(1, Math.round(rect.height * ratio));
    this.painter.begin(width, height);
    for (const side of this.mirrored ? [1, -1] : [1]) {
      for (let n = 0; n < this.bodies.count; n++) {
        this.pixels[2 * n] = (left + side * scale * p[2 * n] - rect.x) * ratio;
        this.pixels[2 * n + 1] = (base - scale * p[2 * n + 1] - rect.y) * ratio;
      }
      this.painter.triangles(this.bodies.triangles, this.pixels, this.levels, range.colours, themed("fixed"));
      if (withLines && this.bodies.meanSide * scale > SEEN_SIDE) this.painter.lines(this.bodies.lines);
    }
    this.painter.end();
    g.drawImage(this.painter.canvas, rect.x, rect.y, rect.width, rect.height);
    if (withLines) this.drawOutline(g, camera, p);
  }

  drawOutline(g, camera, p) {
    const { outline } = this.bodies;
    g.strokeStyle = themed("ink");
    g.lineWidth = 0.8;
    g.beginPath();
    for (const side of this.mirrored ? [1, -1] : [1]) {
      for (let i = 0; i < outline.length; i += 2) {
        g.moveTo(camera.x(side * p[2 * outline[i]]), camera.y(p[2 * outline[i] + 1]));
        g.lineTo(camera.x(side * p[2 * outline[i + 1]]), camera.y(p[2 * outline[i + 1] + 1]));
      }
    }
    g.stroke();
  }

  /** Frame of the close-up in the strip above it. */
  drawSeen(g) {
    const { rect } = this.camera, o = this.overview;
    const [x0, x1] = [rect.x, rect.x + rect.width].map((x) => Math.max(o.rect.x, Math.min(o.rect.x + o.rect.width, o.x(this.camera.worldX(x)))));
    const [y0, y1] = [rect.y, rect.y + rect.height].map((y) => Math.max(2, Math.min(MAP_HEIGHT + 6, o.y(this.camera.worldY(y)))));
    g.strokeStyle = themed("blue");
    g.lineWidth = 1;
    g.strokeRect(x0, y0, x1 - x0, y1 - y0);
    g.strokeStyle = themed("line");
    g.beginPath(); g.moveTo(0, MAP_HEIGHT + 10); g.lineTo(rect.x + rect.width + 90, MAP_HEIGHT + 10); g.stroke();
  }

  /** The ends of the colours: of the run, of this time, or by hand; round, and zero where it should be. */
  range(k) {
    const smooth = this.field.signed ? RAMPS.signed : RAMPS.sequential;
    const colours = this.bands ? banded(smooth, BANDS) : smooth;
    if (this.rangeKind === "hand") return { low: this.hand[0], high: this.hand[1], colours };
    let [low, high] = this.bodies.range(this.field, this.rangeKind === "time" ? k : null);
    if (this.field.signed) { high = Math.max(Math.abs(low), Math.abs(high)) || 1; low = -high; } else { low = 0; high = high || 1; }
    const step = niceTicks(low, high, 8), size = step.length > 1 ? step[1] - step[0] : high;
    return { low: low && -Math.ceil(high / size - 1e-9) * size, high: Math.ceil(high / size - 1e-9) * size, colours };
  }

  drawBar(g, x, y, height, range) {
    for (let i = 0; i < 256; i++) {
      g.fillStyle = range.colours.css[255 - i];
      g.fillRect(x, y + (i * height) / 256, 14, height / 256 + 1);
    }
    const power = handyPower(Math.max(Math.abs(range.low), Math.abs(range.high))), unit = 10 ** power;
    g.fillStyle = g.strokeStyle = themed("ink");
    g.font = "12px system-ui, sans-serif";
    g.textAlign = "left";
    g.lineWidth = 1;
    g.fillText(`[${PREFIXES[power]}${this.field.unit}]`, x, y - 14);
    const ticks = niceTicks(range.low, range.high, Math.min(8, height / 36));
    const ends = { [short(range.high / unit)]: "≥ ", [short(range.low / unit)]: range.low < 0 || this.rangeKind === "hand" ? "≤ " : "" };
    for (const value of ticks) {
      const at = y + height * (1 - (value - range.low) / (range.high - range.low)), text = short(value / unit);
      g.beginPath(); g.moveTo(x + 14, at); g.lineTo(x + 17, at); g.stroke();
      g.fillText(`${this.rangeKind === "time" ? "" : ends[text] || ""}${text}`, x + 20, at + 4);
    }
  }

  /** Rigid tools where they are at frame k: a line, with strokes on the side of the tool. */
  drawTools(g, camera, k) {
    g.strokeStyle = themed("ink");
    for (const tool of this.data.tools) {
      const place = this.bodies.toolPlace(tool, k, this.factor);
      for (const [part, length, width] of [["points", 0, 2], ["strokes", 2, 0.8]]) {
        const a = this.bodies.a[`tool ${tool.number} ${part}`];
        g.lineWidth = width;
        g.beginPath();
        for (const side of this.mirrored ? [1, -1] : [1]) {
          for (let i = 0; i < a.length / 2; i++) {
            const [x, y] = place(a[2 * i], a[2 * i + 1]);
            if (length ? i % length === 0 : i === 0) g.moveTo(camera.x(side * x), camera.y(y));
            else g.lineTo(camera.x(side * x), camera.y(y));
          }
        }
        g.stroke();
      }
      if (tool.travel) drawMovingSurface(g, camera, place, this.bodies.a[`tool ${tool.number} points`], tool.travel[k], tool.direction[k]);
    }
  }

  drawSprings(g, camera, p, half) {
    g.strokeStyle = themed("ink");
    g.lineWidth = 1.2;
    for (const [m, n] of this.data.springs) {
      const [from, to] = [m, n].map((i) => [camera.x(p[2 * i]), camera.y(p[2 * i + 1])]);
      drawCoil(g, from, to, half);
      g.strokeRect(to[0] - half / 2, to[1] - half / 2, half, half);
    }
  }

  /** Marks along x under the picture: a scale that makes sliding visible. */
  drawRuler(g, camera) {
    const { x, y, width, height } = camera.rect, bottom = y + height, power = this.data.lengthPower;
    g.strokeStyle = themed("quiet");
    g.fillStyle = themed("quiet");
    g.font = "12px system-ui, sans-serif";
    g.textAlign = "center";
    g.lineWidth = 1;
    for (const value of niceTicks(camera.worldX(x), camera.worldX(x + width), width / 90)) {
      const at = camera.x(value);
      g.beginPath(); g.moveTo(at, bottom); g.lineTo(at, bottom + 5); g.stroke();
      if (at > x + 14 && at < x + width - 20) g.fillText(short(value / 10 ** power, 6), at, bottom + 18);
    }
    g.textAlign = "left";
    g.fillText(`x [${PREFIXES[power]}m]`, x + width + 8, bottom + 18);
  }

  /** Show the whole model if a node is not in the picture at frame k. */
  bringInto(node, k) {
    const p = this.bodies.positions(k, this.factor);
    if (!within(this.camera.rect, this.camera.x(p[2 * node]), this.camera.y(p[2 * node + 1]))) this.focus("all");
  }

  drawPins(g, p) {
    if (this.marked) drawCallout(g, this.camera, p, this.marked.node, this.marked.label);
    g.lineWidth = 2;
    for (const { node, colour } of this.pinned) {
      g.strokeStyle = colour;
      g.beginPath(); g.arc(this.camera.x(p[2 * node]), this.camera.y(p[2 * node + 1]), 7, 0, 7); g.stroke();
    }
  }

  /** The node nearest to a pixel at frame k, if it is near. */
  nodeAt(px, py, k) {
    const p = this.bodies.positions(k, this.factor), [x, y] = [this.camera.worldX(px), this.camera.worldY(py)];
    let found = -1, least = (24 / this.camera.scale) ** 2;
    for (let n = 0; n < this.bodies.count; n++) {
      const across = this.mirrored && x < 0 ? -x : x;
      const far = (p[2 * n] - across) ** 2 + (p[2 * n + 1] - y) ** 2;
      if (far < least && this.bodies.inCells[n]) { least = far; found = n; }
    }
    return found;
  }

  /** Description of a node: number, body, position, and the value of the field that is shown. */
  describe(node, k) {
    const p = this.bodies.positions(k, 1), power = this.data.lengthPower, unit = `${PREFIXES[power]}m`;
    const fine = 1e-8 * (this.overview.home[0][1] - this.overview.home[0][0]);  // m; below that is rounding
    const [x, y] = [p[2 * node], p[2 * node + 1]].map((v) => short((Math.round(v / fine) * fine) / 10 ** power, 6));
    const body = this.data.bodies[this.bodies.a.bodyOf[node]];
    let text = `node ${node} of ${body.name} at (${x}, ${y}) ${unit}: ${this.field.name} ${withUnit(this.field.at(node, k), this.field.unit)}`;
    for (const s of this.data.surfaces) {
      const i = this.bodies.a[`surface ${s.number} nodes`].indexOf(node);
      if (i < 0) continue;
      const carried = DIAGRAMS.filter((d) => s.scales[d.name] && this.edges.largest[d.name]).map((d) => `${d.name} ${withUnit(this.bodies.surfaceValue(s, d.name, i, k), d.unit)}`);
      text += `; ${STATUS[this.bodies.a[`surface ${s.number} status`][k * s.nodes + i]][0]} node, ${carried.join(", ")}`;
    }
    return text;
  }

  history(node) {
    return this.data.times.map((_, k) => this.field.at(node, k));
  }

  /** Arc length and a contact quantity along a slave edge at frame k, for the charts. */
  profile(name, quantity, k) {
    const s = this.data.surfaces.find((one) => one.name === name);
    if (!s || !s.scales[quantity]) return null;
    const x = this.bodies.a[`surface ${s.number} arc`];
    return { time: this.data.times[k], x, y: Array.from(x, (_, i) => this.bodies.surfaceValue(s, quantity, i, k)) };
  }

  legend() {
    const rows = this.data.surfaces.length ? STATUS.map(([name, colour]) => [colour, `${name} node`]) : [];
    const largest = this.edges.largest[this.edges.shown];
    if (largest) rows.push(["#d55e00", `contact ${this.edges.shown}, largest ${withUnit(largest, this.edges.unit)}`]);
    return rows;
  }
}

/** A coil spring between two points of the canvas. */
function drawCoil(g, from, to, half) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]], length = Math.hypot(dx, dy) || 1;
  const turns = Math.max(4, Math.min(14, Math.round(length / 6)));
  g.lineJoin = "round";
  g.beginPath();
  g.moveTo(...from);
  for (let i = 1; i < turns; i++) {
    const side = i === 1 || i === turns - 1 ? 0 : i % 2 ? half : -half, part = 0.1 + (0.8 * i) / turns;
    g.lineTo(from[0] + part * dx - (side * dy) / length, from[1] + part * dy + (side * dx) / length);
  }
  g.lineTo(...to);
  g.stroke();
}
