// Marks on the view: a named node, extremes, the undeformed outline, surfaces that move.

/** A ring round a node with a name beside it, inside the camera's rectangle. */
function drawCallout(g, camera, p, node, label) {
  const [x, y] = [camera.x(p[2 * node]), camera.y(p[2 * node + 1])], { rect } = camera;
  if (!within(rect, x, y)) return;
  g.strokeStyle = themed("bad");
  g.lineWidth = 2.5;
  g.beginPath(); g.arc(x, y, 9, 0, 7); g.stroke();
  g.font = "13px system-ui, sans-serif";
  const wide = g.measureText(label).width + 12, left = Math.max(rect.x, Math.min(x + 14, rect.x + rect.width - wide));
  const top = y - 34 > rect.y ? y - 34 : y + 12;
  g.fillStyle = themed("paper");
  g.globalAlpha = 0.85;
  g.fillRect(left, top, wide, 20);
  g.globalAlpha = 1;
  g.fillStyle = themed("ink");
  g.textAlign = "left";
  g.fillText(label, left + 6, top + 14);
}

/** True if a position lies in a rectangle of the canvas. */
function within(rect, x, y) {
  return x >= rect.x && x <= rect.x + rect.width && y >= rect.y && y <= rect.y + rect.height;
}

/** The nodes with the least and the greatest value among those that count: [least, greatest]. */
function extremeNodes(values, counts) {
  let low = -1, high = -1;
  for (let n = 0; n < values.length; n++) {
    if (!counts(n)) continue;
    if (low < 0 || values[n] < values[low]) low = n;
    if (high < 0 || values[n] > values[high]) high = n;
  }
  return [low, high];
}

/** Least and greatest value of the field at frame k, each with its node. */
function drawExtremes(g, camera, p, bodies, field, k) {
  const grey = bodies.data.bodies.map((_, body) => bodies.isGrey(field, body));
  const nodes = extremeNodes(bodies.valuesOf(field, k), (n) => bodies.inCells[n] && !grey[bodies.a.bodyOf[n]]);
  ["min", "max"].forEach((name, i) => {
    if (nodes[i] >= 0) drawCallout(g, camera, p, nodes[i], `${name} ${withUnit(field.at(nodes[i], k), field.unit)}`);
  });
}

/** The undeformed outline of the mesh, dashed. */
function drawUndeformed(g, camera, bodies, mirrored) {
  const { outline } = bodies, { points } = bodies.a;
  g.strokeStyle = themed("quiet");
  g.lineWidth = 1.2;
  g.setLineDash([5, 4]);
  g.beginPath();
  for (const side of mirrored ? [1, -1] : [1]) {
    for (let i = 0; i < outline.length; i += 2) {
      g.moveTo(camera.x(side * points[2 * outline[i]]), camera.y(points[2 * outline[i] + 1]));
      g.lineTo(camera.x(side * points[2 * outline[i + 1]]), camera.y(points[2 * outline[i + 1] + 1]));
    }
  }
  g.stroke();
  g.setLineDash([]);
}

/** Positions along a line of pixels, `apart` from each other and moved on by `travel`: [x, y, angle]. */
function placesAlong(line, apart, travel) {
  const found = [];
  let next = ((travel % apart) + apart) % apart, passed = 0;
  for (let i = 2; i < line.length && found.length < 400; i += 2) {
    const [dx, dy] = [line[i] - line[i - 2], line[i + 1] - line[i - 1]], length = Math.hypot(dx, dy);
    while (length > 0 && next <= passed + length && found.length < 400) {
      const part = (next - passed) / length;
      found.push([line[i - 2] + part * dx, line[i - 1] + part * dy, Math.atan2(dy, dx)]);
      next += apart;
    }
    passed += length;
  }
  return found;
}

/** A surface that moves along itself (belt, drum): arrow heads on it that travel with it. Outlines
 *  have their tool on the left, and a positive speed leads to +x on a floor: against the outline. */
function drawMovingSurface(g, camera, place, points, travel, direction) {
  const line = [];
  for (let i = 0; i < points.length; i += 2) {
    const [x, y] = place(points[i], points[i + 1]);
    line.push(camera.x(x), camera.y(y));
  }
  g.strokeStyle = themed("blue");
  g.lineWidth = 2;
  for (const [x, y, angle] of placesAlong(line, 44, -travel * camera.scale)) {
    const ahead = direction < 0 ? angle : angle + Math.PI;
    g.beginPath();
    g.moveTo(x - 7 * Math.cos(ahead - 0.6), y - 7 * Math.sin(ahead - 0.6));
    g.lineTo(x, y);
    g.lineTo(x - 7 * Math.cos(ahead + 0.6), y - 7 * Math.sin(ahead + 0.6));
    g.stroke();
  }
}
