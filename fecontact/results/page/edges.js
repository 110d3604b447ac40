// Diagrams of contact quantities along the slave edges, drawn outwards from the edge.

/** Quantities that can be drawn along an edge: name, unit, and saved quantity. */
const DIAGRAMS = [
  { name: "pressure", unit: "Pa" }, { name: "traction", unit: "Pa" }, { name: "gap", unit: "m" },
  { name: "slip", unit: "m" }, { name: "wear depth", unit: "m" },
];

/** The order in which statuses are drawn over each other: open, slip, stick. */
const STATUS_ORDER = [0, 2, 1];
const REACH = 0.13;  // of the height of the view: the largest value of a diagram
const WIDE = 0.45;   // a view that is lower than this fraction of its width is wide

class EdgeDiagrams {
  constructor(bodies) {
    this.bodies = bodies;
    this.surfaces = bodies.data.surfaces;
    this.largest = {};
    for (const s of this.surfaces) {
      for (const name of Object.keys(s.scales)) {
        let most = this.largest[name] || 0;
        for (let k = 0; k < bodies.frames; k++) {
          for (let i = 0; i < s.nodes; i++) most = Math.max(most, Math.abs(bodies.surfaceValue(s, name, i, k)));
        }
        this.largest[name] = most;
      }
    }
    this.shown = this.largest.pressure ? "pressure" : "none";
  }

  /** Names of the choices: quantities that are not zero everywhere, and the forces as arrows. */
  get choices() {
    const kept = DIAGRAMS.filter((d) => this.largest[d.name]).map((d) => d.name);
    return this.surfaces.length ? [...kept, ...(this.largest.pressure ? ["forces as arrows"] : []), "none"] : [];
  }

  get unit() { return (DIAGRAMS.find((d) => d.name === this.shown) || { unit: "Pa" }).unit; }

  draw(g, camera, p, k) {
    if (this.shown === "none") return;
    const { rect } = camera, reach = (REACH * Math.min(rect.height, WIDE * rect.width)) / camera.scale;
    g.lineJoin = "round";
    for (const s of this.surfaces) {
      if (this.shown === "forces as arrows") this.arrows(g, camera, p, k, s, reach / this.largest.pressure);
      else if (s.scales[this.shown]) this.area(g, camera, p, k, s, reach / (this.largest[this.shown] || 1));
    }
  }

  /** Outward normals at the slave nodes at positions p: those of the mesh, turned with the edge. */
  normals(s, p) {
    const { a } = this.bodies, nodes = a[`surface ${s.number} nodes`], rest = a[`surface ${s.number} normals`];
    return turnedNormals(nodes, rest, a.points, p);
  }

  /** The quantity as an area outside the slave edge, its height in proportion. */
  area(g, camera, p, k, s, reach) {
    const nodes = this.bodies.a[`surface ${s.number} nodes`], normals = this.normals(s, p);
    const tip = (i, length) => [
      camera.x(p[2 * nodes[i]] + length * normals[2 * i]), camera.y(p[2 * nodes[i] + 1] + length * normals[2 * i + 1]),
    ];
    g.fillStyle = "rgba(213,94,0,.3)";
    g.strokeStyle = "#d55e00";
    g.lineWidth = 1.3;
    g.beginPath();
    g.moveTo(...tip(0, 0));
    for (let i = 0; i < s.nodes; i++) g.lineTo(...tip(i, reach * this.bodies.surfaceValue(s, this.shown, i, k)));
    for (let i = s.nodes - 1; i >= 0; i--) g.lineTo(...tip(i, 0));
    g.fill();
    g.stroke();
  }

  /** Contact stress on the slave as arrows that end on its edge: −p n + τ t, t = (−n_y, n_x). */
  arrows(g, camera, p, k, s, reach) {
    const nodes = this.bodies.a[`surface ${s.number} nodes`], normals = this.normals(s, p);
    g.strokeStyle = g.fillStyle = "#d55e00";
    g.lineWidth = 1.3;
    for (let i = 0; i < s.nodes; i++) {
      const pressure = this.bodies.surfaceValue(s, "pressure", i, k), traction = this.bodies.surfaceValue(s, "traction", i, k);
      const [nx, ny] = [normals[2 * i], normals[2 * i + 1]];
      const force = [-pressure * nx - traction * ny, -pressure * ny + traction * nx].map((c) => c * reach * camera.scale);
      if (Math.hypot(...force) < 2) continue;
      const [x, y] = [camera.x(p[2 * nodes[i]]), camera.y(p[2 * nodes[i] + 1])];
      drawArrow(g, [x - force[0], y + force[1]], [x, y]);
    }
  }

  /** Slave nodes that ever carry pressure; all if none does. */
  touched(s) {
    const nodes = this.bodies.a[`surface ${s.number} nodes`], enough = 1e-3 * this.largest.pressure;
    const carries = (i) => { for (let k = 0; k < this.bodies.frames; k++) if (this.bodies.surfaceValue(s, "pressure", i, k) > enough) return true; return false; };
    const found = Array.from(nodes).filter((_, i) => carries(i));
    return found.length > 1 ? found : Array.from(nodes);
  }

  /** Statuses as dots. Where pairs share a slave edge, stick lies over slip and slip over open. */
  drawStatus(g, camera, p, k) {
    for (const which of STATUS_ORDER) {
      g.fillStyle = STATUS[which][1];
      for (const s of this.surfaces) {
        const nodes = this.bodies.a[`surface ${s.number} nodes`], status = this.bodies.a[`surface ${s.number} status`];
        const apart = s.nodes > 1 ? Math.hypot(camera.x(p[2 * nodes[1]]) - camera.x(p[2 * nodes[0]]), camera.y(p[2 * nodes[1] + 1]) - camera.y(p[2 * nodes[0] + 1])) : 20;
        const size = Math.max(1.5, Math.min(4, apart / 3));
        g.beginPath();
        for (let i = 0; i < s.nodes; i++) {
          if (status[k * s.nodes + i] !== which) continue;
          const [x, y] = [camera.x(p[2 * nodes[i]]), camera.y(p[2 * nodes[i] + 1])];
          g.moveTo(x + size, y);
          g.arc(x, y, size, 0, 7);
        }
        g.fill();
      }
    }
  }
}

/** Normals (x, y, …) of nodes in order along an edge, turned as the edge between their neighbours has. */
function turnedNormals(nodes, normals, before, now) {
  const turned = new Float64Array(normals.length), last = nodes.length - 1;
  const angle = (places, i) => {
    const [m, n] = [nodes[Math.max(0, i - 1)], nodes[Math.min(last, i + 1)]];
    return Math.atan2(places[2 * n + 1] - places[2 * m + 1], places[2 * n] - places[2 * m]);
  };
  for (let i = 0; i <= last; i++) {
    const by = angle(now, i) - angle(before, i), [c, s] = [Math.cos(by), Math.sin(by)];
    turned[2 * i] = c * normals[2 * i] - s * normals[2 * i + 1];
    turned[2 * i + 1] = s * normals[2 * i] + c * normals[2 * i + 1];
  }
  return turned;
}

function drawArrow(g, from, to) {
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
  g.beginPath();
  g.moveTo(...from);
  g.lineTo(...to);
  g.stroke();
  g.beginPath();
  g.moveTo(...to);
  for (const side of [2.7, -2.7]) g.lineTo(to[0] + 7 * Math.cos(angle + side), to[1] + 7 * Math.sin(angle + side));
  g.fill();
}
