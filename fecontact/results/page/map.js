// A map: values over a plane, as colours; classes (stick, slip, open) or numbers with a bar.

class MapChart extends Plot {
  prepare() {
    const { figure } = this;
    this.edges = { x: cellEdges(figure.x.at, figure.x.log), y: cellEdges(figure.y.at, figure.y.log) };
    const ends = (edges) => [Math.min(edges[0], edges.at(-1)), Math.max(edges[0], edges.at(-1))];
    this.whole = ends(figure.overTime ? figure.x.at : this.edges.x);
    this.x = new Axis({ ...figure.x, places: figure.x.at }, ...this.whole);
    this.y = new Axis({ ...figure.y, places: figure.y.at }, ...ends(this.edges.y));
    for (const [name, colour] of figure.classes || []) this.chip(name, name === STATUS[0][0] ? "var(--open)" : colour);
    this.reading = document.createElement("b");
    this.keys.append(this.reading);
    if (!figure.classes) this.z = new Axis({ label: figure.z.label, power: figure.z.power, log: figure.z.log }, ...figure.z.ends);
  }

  chip(name, colour) {
    const mark = document.createElement("i");
    mark.style.background = colour;
    this.keys.append(mark, name);
  }

  paint(g, width, height) {
    drawAxes(g, this.x, this.y, width, height, this.z ? 78 : 14);
    const ratio = window.devicePixelRatio || 1, columns = Math.max(1, Math.round((this.x.to - this.x.from) * ratio)), rows = Math.max(1, Math.round((this.y.from - this.y.to) * ratio));
    const image = new ImageData(columns, rows), pixels = new Uint32Array(image.data.buffer);
    const column = Array.from({ length: columns }, (_, i) => cellOf(this.edges.x, this.x.value(this.x.from + (i + 0.5) / ratio)));
    const row = Array.from({ length: rows }, (_, j) => cellOf(this.edges.y, this.y.value(this.y.to + (j + 0.5) / ratio)));
    const table = this.colours();
    for (let j = 0; j < rows; j++) for (let i = 0; i < columns; i++) pixels[j * columns + i] = table(row[j] * this.figure.x.at.length + column[i]);
    g.putImageData(image, Math.round(this.x.from * ratio), Math.round(this.y.to * ratio));
    if (this.z) this.bar(g, width);
  }

  /** From the index of a value to a pixel. */
  colours() {
    const { values, classes, z } = this.figure;
    const pixel = (hex) => { const [r, g, b] = rgbOf(hex); return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0; };
    if (classes) { const all = classes.map(([name, colour]) => pixel(shownColour(name, colour))); return (i) => all[values[i]]; }
    const none = pixel("#bbbbbb"), [low, high] = z.log ? z.ends.map(Math.log10) : z.ends;
    return (i) => {
      const v = z.log ? Math.log10(values[i]) : values[i];
      if (!Number.isFinite(v)) return none;
      return RAMPS.sequential.pixels[Math.max(0, Math.min(255, Math.round((255 * (v - low)) / (high - low || 1))))];
    };
  }

  bar(g, width) {
    const x = width - 66, height = this.y.from - this.y.to;
    for (let i = 0; i < 256; i++) {
      g.fillStyle = RAMPS.sequential.css[255 - i];
      g.fillRect(x, this.y.to + (i * height) / 256, 12, height / 256 + 1);
    }
    this.z.span(this.y.from, this.y.to);
    g.fillStyle = themed("quiet");
    g.textAlign = "left";
    for (const [value, text] of this.z.marks(height / 48)) g.fillText(text, x + 16, this.z.pixel(value) + 4, 48);
  }

  /** Show the run of the cell at a pixel. */
  pick(px, py) {
    const { x, y } = this.figure;
    showRun(cellOf(this.edges.x, this.x.value(px)), cellOf(this.edges.y, this.y.value(py)), y.at.length, x.at.length);
  }

  cursor(g) {
    if (this.figure.overTime && this.link.time !== null) this.upright(g, this.link.time, themed("ink"));
    this.reading.textContent = this.z ? this.figure.z.label : "";
    if (!this.hover) return;
    const i = cellOf(this.edges.x, this.x.value(this.hover[0])), j = cellOf(this.edges.y, this.y.value(this.hover[1]));
    const { figure } = this, value = figure.values[j * figure.x.at.length + i];
    const said = figure.classes ? figure.classes[value][0] : `${figure.z.label}: ${this.z.text(value)}`;
    const at = (axis, n) => (axis.ticks ? axis.ticks[n] : axis.text(axis.places[n]));
    this.reading.textContent = `${said} at (${at(this.x, i)}, ${at(this.y, j)})`;
  }
}

/** The colour of a class; nodes that do not touch recede into the paper, dark or light. */
function shownColour(name, colour) { return name === STATUS[0][0] ? themed("open") : colour; }

/** Edges of the cells around given centres: half-way between them, of logarithms on such an axis. */
function cellEdges(centres, log) {
  const c = Array.from(centres, log ? Math.log : Number), n = c.length;
  const edges = n < 2 ? [c[0] - 0.5, c[0] + 0.5] : [1.5 * c[0] - 0.5 * c[1], ...c.slice(1).map((v, i) => (v + c[i]) / 2), 1.5 * c[n - 1] - 0.5 * c[n - 2]];
  return log ? edges.map(Math.exp) : edges;
}

/** The number of the cell in which a value lies. */
function cellOf(edges, value) {
  let low = 0, high = edges.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (edges[middle] <= value) low = middle; else high = middle;
  }
  return low;
}
