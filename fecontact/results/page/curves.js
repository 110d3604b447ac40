// Curves: lines, references, bars of states, with their values at the cursor in the legend.

class CurveChart extends Plot {
  prepare() {
    const { figure } = this, line = figure.series.filter((s) => s.style !== "band");
    this.hidden = new Set();
    this.whole = extent(figure.series.map((s) => s.x), figure.x.log, figure.overTime ? 0 : 0.03);
    this.x = new Axis(figure.x, ...this.whole);
    this.y = new Axis(figure.y, ...(figure.y.ticks ? [-0.6, figure.y.ticks.length - 0.4] : extent([...(line.length ? line : figure.series).map((s) => s.y), ...(figure.y.reach ? [figure.y.reach] : [])], figure.y.log, 0.06)));
    this.readings = figure.series.map((s, n) => this.entry(s, n));
    if (figure.live) {
      this.now = document.createElement("span");
      this.now.className = "now";
      this.keys.append(this.now);
    }
  }

  /** An entry of the legend: a click hides its curve. Returns the element for its value. */
  entry(series, n) {
    const button = document.createElement("button"), mark = document.createElement("canvas"), value = document.createElement("b");
    button.type = "button";
    button.setAttribute("aria-pressed", "true");
    [mark.width, mark.height] = [26, 12];
    const g = mark.getContext("2d");
    this.pen(g, series);
    if (isMark(series)) drawMark(g, series, 13, 6);
    else { g.beginPath(); g.moveTo(1, 6); g.lineTo(25, 6); g.stroke(); }
    button.append(mark, series.label, value);
    button.addEventListener("click", () => {
      if (!this.hidden.delete(n)) this.hidden.add(n);
      button.setAttribute("aria-pressed", String(!this.hidden.has(n)));
      this.draw();
    });
    this.keys.append(button);
    return value;
  }

  pen(g, series) {
    g.strokeStyle = g.fillStyle = series.colour === "ink" ? themed("ink") : series.colour;
    g.lineWidth = series.style === "band" ? 12 : series.style === "exact" ? 1.3 : 1.8;
    g.setLineDash(series.dash || []);
    g.lineJoin = "round";
    g.lineCap = "butt";
  }

  paint(g, width, height) {
    drawAxes(g, this.x, this.y, width, height);
    g.save();
    g.beginPath(); g.rect(this.x.from, this.y.to - 6, this.x.to - this.x.from + 6, this.y.from - this.y.to + 8); g.clip();
    this.figure.series.forEach((s, n) => { if (!this.hidden.has(n)) this.stroke(g, s); });
    g.restore();
  }

  stroke(g, s) {
    this.pen(g, s);
    if (isMark(s)) {
      for (let i = 0; i < s.x.length; i++) drawMark(g, s, this.x.pixel(s.x[i]), this.y.pixel(s.y[i]));
      return;
    }
    g.beginPath();
    let broken = true;
    for (let i = 0; i < s.x.length; i++) {
      const x = s.x[i], y = s.y[i];
      if (x === null || y === null || !Number.isFinite(x) || !Number.isFinite(y)) { broken = true; continue; }
      if (broken) g.moveTo(this.x.pixel(x), this.y.pixel(y)); else g.lineTo(this.x.pixel(x), this.y.pixel(y));
      broken = false;
    }
    g.stroke();
    if (s.style === "band") this.impacts(g, s);
    g.setLineDash([]);
  }

  /** A thin mark where a state begins: an impact is too short for a visible bar. */
  impacts(g, s) {
    g.lineWidth = 1;
    g.beginPath();
    for (let i = 0; i < s.x.length; i += 3) {
      const [x, y] = [this.x.pixel(s.x[i]), this.y.pixel(s.y[i])];
      g.moveTo(x, y - 6); g.lineTo(x, y + 6);
    }
    g.stroke();
  }

  /** Show the run of the point nearest to a pixel. */
  pick(px, py) {
    const { series } = this.figure;
    let best = [Infinity, 0, 0];
    series.forEach((s, n) => s.x.forEach((x, i) => {
      const apart = Math.hypot(this.x.pixel(x) - px, this.y.pixel(s.y[i]) - py);
      if (apart < best[0]) best = [apart, i, n];
    }));
    showRun(best[1], best[2], series.length, series[0].x.length);
  }

  cursor(g) {
    const { figure, link } = this, over = figure.overTime;
    if (over && link.time !== null) this.upright(g, link.time, themed("bad"));
    if (figure.live && link.time !== null) this.drawLive(g);
    if (this.hover) this.upright(g, this.x.value(this.hover[0]), themed("quiet"));
    const at = this.hover ? this.x.value(this.hover[0]) : over ? link.time : null;
    figure.series.forEach((s, n) => {
      const shown = !this.hidden.has(n);
      if (s.t && shown && link.time !== null) this.dot(g, s, nearest(s.t, link.time));
      if (s.style === "band" || isMark(s)) return;
      const i = at !== null && increasing(s) ? nearest(s.x, at) : -1;
      this.readings[n].textContent = i >= 0 ? ` ${this.y.text(s.y[i])}` : "";
      if (i >= 0 && shown) this.dot(g, s, i);
    });
  }

  dot(g, s, i) {
    const [x, y] = [this.x.pixel(s.x[i]), this.y.pixel(s.y[i])];
    if (x < this.x.from - 2 || x > this.x.to + 2) return;
    g.fillStyle = s.colour === "ink" ? themed("ink") : s.colour;
    g.beginPath(); g.arc(x, y, 3.5, 0, 7); g.fill();
  }

  /** The distribution along the edge at the page's time, over those of fixed times. */
  drawLive(g) {
    const now = this.figure.live(this.link.time);
    if (!now) return;
    this.now.textContent = `━ t = ${withUnit(now.time, "s")}, as in the view`;
    g.save();
    g.beginPath(); g.rect(this.x.from, this.y.to - 6, this.x.to - this.x.from, this.y.from - this.y.to + 8); g.clip();
    this.pen(g, { colour: themed("bad"), style: "line" });
    g.lineWidth = 2.6;
    g.beginPath();
    for (let i = 0; i < now.x.length; i++) g[i ? "lineTo" : "moveTo"](this.x.pixel(now.x[i]), this.y.pixel(now.y[i]));
    g.stroke();
    g.restore();
  }
}

function isMark(series) { return series.style === "reference" || series.style === "code_aster"; }

/** True for a curve over an increasing x, of which one value belongs to each x. */
function increasing(series) {
  if (series.grows === undefined) {
    series.grows = true;
    for (let i = 1; i < series.x.length && series.grows; i++) series.grows = series.x[i] >= series.x[i - 1];
  }
  return series.grows;
}

/** A ring for a reference, a cross for code_aster's value. */
function drawMark(g, series, x, y) {
  g.setLineDash([]);
  g.lineWidth = 2;
  g.beginPath();
  if (series.style === "reference") g.arc(x, y, 5, 0, 7);
  else { g.moveTo(x - 4, y - 4); g.lineTo(x + 4, y + 4); g.moveTo(x - 4, y + 4); g.lineTo(x + 4, y - 4); }
  g.stroke();
}
