// Mode shapes in motion: Re(φ exp(iωt)), one mode at a time, over the undeformed outline.

const FRAMES_A_CYCLE = 96;
const LARGEST = 0.25; // of the size of the model: the displacement at full amplitude

class ModeStage {
  constructor(data, arrays) {
    Object.assign(this, data, arrays);
    this.canvas = document.getElementById("stage");
    this.rows = [...document.querySelectorAll("table.modes tbody tr")];
    this.phase = 0;
    this.playing = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    const box = [Infinity, -Infinity, Infinity, -Infinity];
    for (const node of this.cells) {
      const x = this.points[2 * node], y = this.points[2 * node + 1];
      box[0] = Math.min(box[0], x); box[1] = Math.max(box[1], x);
      box[2] = Math.min(box[2], y); box[3] = Math.max(box[3], y);
    }
    this.box = box;
    this.size = Math.max(box[1] - box[0], box[3] - box[2]);
    this.outline = this.boundary();
    this.choose(data.opens);
    this.listen();
  }

  /** Edges that belong to one element only. */
  boundary() {
    const seen = new Map(), n = this.cellNodes;
    for (let c = 0; c < this.cells.length; c += n) {
      for (let i = 0; i < n; i++) {
        const a = this.cells[c + i], b = this.cells[c + ((i + 1) % n)];
        if (a === b) continue;
        const key = a < b ? `${a} ${b}` : `${b} ${a}`;
        seen.set(key, seen.has(key) ? null : [a, b]);
      }
    }
    return [...seen.values()].filter(Boolean);
  }

  listen() {
    this.rows.forEach((row, n) => {
      row.addEventListener("click", () => this.choose(n));
      if (this.unstable.includes(n)) row.classList.add("unstable");
    });
    const play = document.getElementById("play");
    play.textContent = this.playing ? "Pause" : "Play";
    play.addEventListener("click", () => {
      this.playing = !this.playing;
      play.textContent = this.playing ? "Pause" : "Play";
    });
    this.canvas.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      this.choose((this.mode + step + this.frequencies.length) % this.frequencies.length);
    });
  }

  choose(mode) {
    this.mode = mode;
    this.rows.forEach((row, n) => row.classList.toggle("chosen", n === mode));
    const growth = this.growth.length ? `, growth rate ${this.growth[mode].toPrecision(4)} 1/s` : "";
    document.getElementById("shown").textContent =
      `mode ${mode + 1}: ${this.frequencies[mode].toPrecision(6)} Hz${growth}`;
  }

  /** Displacement (2 N) at the present phase. */
  displacement() {
    const count = 2 * this.nodes, first = this.mode * count, out = new Float64Array(count);
    const c = Math.cos(this.phase), s = Math.sin(this.phase), complex = this.imaginary.length > 0;
    for (let i = 0; i < count; i++) {
      out[i] = this.real[first + i] * c - (complex ? this.imaginary[first + i] * s : 0);
    }
    return out;
  }

  draw() {
    const ratio = devicePixelRatio || 1, { clientWidth: width, clientHeight: height } = this.canvas;
    this.canvas.width = width * ratio; this.canvas.height = height * ratio;
    const g = this.canvas.getContext("2d"), [left, right, low, high] = this.box;
    g.scale(ratio, ratio);
    const pad = LARGEST * this.size;
    const scale = Math.min(width / (right - left + 2 * pad), height / (high - low + 2 * pad));
    const middle = [(left + right) / 2, (low + high) / 2];
    const factor = Number(document.getElementById("amplitude").value) * LARGEST * this.size;
    const moved = this.displacement();
    const x = (n, f) => width / 2 + scale * (this.points[2 * n] + f * moved[2 * n] - middle[0]);
    const y = (n, f) => height / 2 - scale * (this.points[2 * n + 1] + f * moved[2 * n + 1] - middle[1]);
    this.fill(g, moved, factor, x, y);
    this.trace(g, x, y, 0, themed("quiet"), [3, 4]);
    this.trace(g, x, y, factor, themed("ink"), []);
  }

  fill(g, moved, factor, x, y) {
    const n = this.cellNodes, colours = RAMPS.sequential.css;
    for (let c = 0; c < this.cells.length; c += n) {
      let size = 0;
      g.beginPath();
      for (let i = 0; i < n; i++) {
        const node = this.cells[c + i];
        size += Math.hypot(moved[2 * node], moved[2 * node + 1]) / n;
        g.lineTo(x(node, factor), y(node, factor));
      }
      g.fillStyle = g.strokeStyle = colours[Math.min(255, Math.round(255 * size))];
      g.lineWidth = 0.7;
      g.fill(); g.stroke();
    }
  }

  trace(g, x, y, factor, colour, dashes) {
    g.setLineDash(dashes); g.strokeStyle = colour; g.lineWidth = 1.2;
    g.beginPath();
    for (const [a, b] of this.outline) {
      g.moveTo(x(a, factor), y(a, factor)); g.lineTo(x(b, factor), y(b, factor));
    }
    g.stroke();
    g.setLineDash([]);
  }

  run() {
    this.draw();
    if (this.playing) this.phase = (this.phase + (2 * Math.PI) / FRAMES_A_CYCLE) % (2 * Math.PI);
    requestAnimationFrame(() => this.run());
  }
}

async function showModes() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const stage = new ModeStage(data, await unpackArrays(data.packed));
  window.stage = stage;
  stage.run();
  document.body.dataset.ready = "yes";
}

showModes().catch((error) => {
  const box = document.createElement("p");
  box.className = "box warning";
  box.textContent = `This browser cannot show the mode shapes (${error}); open fields/modes.pvd in ParaView.`;
  document.querySelector("main").prepend(box);
  console.error(error);
});
