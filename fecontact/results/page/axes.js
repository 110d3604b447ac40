// Axes of a chart: values to pixels, ticks with SI prefixes, labels.

const LEFT = { wide: 78, narrow: 62 };  // pixels before the y axis, the same in charts above each other
const EDGE = 12;                        // pixels beyond the x axis that its last label may take
const FLAT = 1e-3;                      // of the largest value: what varies less is shown as constant

/** One axis: {label, power, log, ticks} of the figure, its ends and its range of pixels. */
class Axis {
  constructor(description, low, high) {
    Object.assign(this, description);
    this.power = description.power || 0;
    this.ends(low, high);
  }

  ends(low, high) { this.low = low; this.high = high; }
  span(from, to) { this.from = from; this.to = to; }

  pixel(value) {
    const [a, b, v] = this.log ? [this.low, this.high, value].map(Math.log10) : [this.low, this.high, value];
    return this.from + ((v - a) / (b - a || 1)) * (this.to - this.from);
  }

  value(pixel) {
    const part = (pixel - this.from) / (this.to - this.from);
    return this.log ? this.low * (this.high / this.low) ** part : this.low + part * (this.high - this.low);
  }

  /** [position, text] of each tick. */
  marks(count) {
    if (this.ticks) return this.ticks.map((name, i) => [this.places ? this.places[i] : i, name]);
    if (this.log) return logTicks(this.low, this.high).map((v) => [v, short(v / 10 ** this.power)]);
    const unit = 10 ** this.power, low = this.low / unit, high = this.high / unit;
    let ticks = niceTicks(low, high, count);
    if (this.whole) ticks = ticks.filter((v) => Number.isInteger(v));
    return ticks.map((v) => [v * unit, short(v, 6)]);
  }

  text(value) { return short(value / 10 ** this.power, 5); }
}

/** Least and greatest of several arrays, with a margin; on a logarithmic axis of positive values. */
function extent(arrays, log, margin) {
  let low = Infinity, high = -Infinity;
  for (const values of arrays) {
    for (const v of values) {
      if (v === null || !Number.isFinite(v) || (log && v <= 0)) continue;
      if (v < low) low = v;
      if (v > high) high = v;
    }
  }
  if (low > high) return log ? [1, 10] : [0, 1];
  if (log) return low === high ? [low / 2, high * 2] : [low * (low / high) ** margin, high * (high / low) ** margin];
  const size = Math.max(Math.abs(low), Math.abs(high));
  const pad = margin && high - low < FLAT * size ? 0.5 * size : margin * (high - low) || 0.5 * size || 1;
  return margin === 0 && high > low ? [low, high] : [low - pad, high + pad];
}

/** Place two axes in a canvas and draw grid, ticks and labels; `right`: pixels kept free there. */
function drawAxes(g, x, y, width, height, right = 14) {
  g.font = "12px system-ui, sans-serif";
  const down = y.marks(Math.max(2, height / 48)), wide = Math.max(...down.map(([, text]) => g.measureText(text).width), 10);
  const least = width < 500 ? LEFT.narrow : LEFT.wide;
  const left = Math.min(width * 0.4, Math.max(least, wide + (y.label ? 34 : 14))), bottom = height - 42;
  x.span(left, width - right);
  y.span(bottom, 8);
  g.lineWidth = 1;
  g.fillStyle = themed("quiet");
  g.textAlign = "right";
  for (const [value, text] of down) {
    const at = y.pixel(value);
    if (at < 4 || at > bottom + 2) continue;
    g.strokeStyle = themed("grid");
    g.beginPath(); g.moveTo(left, at); g.lineTo(width - right, at); g.stroke();
    g.fillText(text, left - 7, at + 4, left - 20);
  }
  drawAcross(g, x, bottom);
  g.textAlign = "center";
  g.fillStyle = themed("ink");
  g.fillText(x.label, (left + width - right) / 2, height - 6, width - left);
  if (!y.label) return;
  g.save();
  g.translate(12, bottom / 2 + 4);
  g.rotate(-Math.PI / 2);
  g.fillText(y.label, 0, 0, bottom);
  g.restore();
}

/** Ticks along x; texts that would overlap are omitted. */
function drawAcross(g, x, bottom) {
  let free = -Infinity;
  g.textAlign = "center";
  for (const [value, text] of x.marks(Math.max(2, (x.to - x.from) / 85))) {
    const at = x.pixel(value), half = g.measureText(text).width / 2;
    if (at < x.from - 1 || at > x.to + 1) continue;
    g.strokeStyle = themed("quiet");
    g.beginPath(); g.moveTo(at, bottom); g.lineTo(at, bottom + 5); g.stroke();
    const middle = Math.min(at, x.to + EDGE - half);
    if (middle - half < free) continue;
    g.fillText(text, middle, bottom + 18);
    free = middle + half + 8;
  }
  g.strokeStyle = themed("quiet");
  g.beginPath(); g.moveTo(x.from, bottom); g.lineTo(x.to, bottom); g.stroke();
}
