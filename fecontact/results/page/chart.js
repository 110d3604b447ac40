// Common part of curve charts and maps: a title and two canvases, one for the static drawing and one
// for the cursor; pointer and zoom.

class Plot {
  constructor(host, figure, link) {
    this.figure = figure;
    this.link = link;
    this.place = document.createElement("section");
    this.place.className = "plot";
    this.place.id = `plot-${figure.key}`;
    const title = document.createElement("h3");
    title.textContent = figure.title;
    this.keys = document.createElement("div");
    this.keys.className = "keys-of-plot";
    this.box = document.createElement("div");
    this.box.className = "canvases";
    this.base = document.createElement("canvas");
    this.over = document.createElement("canvas");
    this.over.setAttribute("role", "img");
    this.over.setAttribute("aria-label", `${figure.title}: ${figure.y.label} over ${figure.x.label}`);
    this.box.append(this.base, this.over);
    this.place.append(title, this.keys, this.box);
    host.append(this.place);
    if (figure.height) this.box.style.height = `${figure.height}px`;
    this.hover = null;
    this.visible = false;
    this.prepare();
    if (figure.overTime) link.include(this.whole);
    this.listen();
  }

  listen() {
    this.stop = figureIsLinked(this.figure) ? this.link.listen(() => this.told()) : () => {};
    this.watcher = new IntersectionObserver(([entry]) => { this.visible = entry.isIntersecting; if (this.visible) this.draw(); }, { rootMargin: "300px" });
    this.watcher.observe(this.box);
    new ResizeObserver(() => { if (this.visible) this.draw(); }).observe(this.box);
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    this.over.addEventListener("pointermove", (event) => this.pointer(event));
    this.over.addEventListener("pointerleave", () => { this.hover = null; this.drawOver(); });
    this.over.addEventListener("pointerdown", (event) => { this.dragged = this.where(event)[0]; });
    this.over.addEventListener("pointerup", (event) => this.release(event));
    this.over.addEventListener("dblclick", () => this.zoom(null));
  }

  close() { this.stop(); this.watcher.disconnect(); }

  told() {
    if (!this.visible) return;
    if (this.link.range !== this.drawnRange) this.draw(); else this.drawOver();
  }

  where(event) {
    const box = this.over.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  pointer(event) {
    this.hover = this.where(event);
    this.drawOver();
  }

  /** A click sets the time of the page; a drag shows that part of the x axis, in all charts over time. */
  release(event) {
    const [x, y] = this.where(event), from = this.dragged;
    this.dragged = undefined;
    if (from === undefined) return;
    if (Math.abs(x - from) > 6) this.zoom([from, x].map((p) => this.x.value(p)).sort((a, b) => a - b));
    else if (this.figure.overTime) this.link.set(this.x.value(x));
    else if (this.figure.key.startsWith("sweep-")) this.pick(x, y);
  }

  zoom(range) {
    if (this.figure.overTime) this.link.zoom(range);
    else { this.own = range; this.draw(); }
  }

  /** Visible range of x. */
  get range() { return this.figure.overTime ? this.link.range || this.link.whole : this.own || this.whole; }

  /** Fit a canvas to its container; its context in CSS pixels, cleared. */
  sheet(canvas) {
    const ratio = window.devicePixelRatio || 1, { clientWidth: width, clientHeight: height } = this.box;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const g = canvas.getContext("2d");
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, width, height);
    return [g, width, height];
  }

  draw() {
    const [g, width, height] = this.sheet(this.base);
    this.drawnRange = this.link.range;
    this.x.ends(...this.range);
    this.paint(g, width, height);
    this.drawOver();
  }

  /** On paper the cursor is drawn on the chart itself: a cleared canvas above would erase the curves there. */
  drawOver() {
    const [g] = isPrinting() ? [this.base.getContext("2d")] : this.sheet(this.over);
    if (this.x.from === undefined) return;
    this.cursor(g);
    if (this.dragged !== undefined && this.hover) {
      g.fillStyle = "rgba(0,114,178,.15)";
      g.fillRect(Math.min(this.dragged, this.hover[0]), this.y.to, Math.abs(this.hover[0] - this.dragged), this.y.from - this.y.to);
    }
  }

  /** A vertical line at a value of x. */
  upright(g, value, colour) {
    const at = this.x.pixel(value);
    if (at < this.x.from - 1 || at > this.x.to + 1) return;
    g.strokeStyle = colour;
    g.lineWidth = 1;
    g.beginPath(); g.moveTo(at, this.y.to); g.lineTo(at, this.y.from); g.stroke();
  }
}

/** True if a figure shows the time of the page: over time, or a state at that time. */
function figureIsLinked(figure) {
  return figure.overTime || Boolean(figure.live) || (figure.series || []).some((s) => s.t);
}
