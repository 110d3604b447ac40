// The same as painter_gl.js without a graphics card: rows of pixels of an ImageData. A path of the
// 2D canvas for each triangle would be ten times slower.

class SoftwarePainter {
  constructor() {
    this.canvas = document.createElement("canvas");
    this.name = "canvas";
  }

  begin(width, height) {
    if (this.canvas.width !== width || this.canvas.height !== height || !this.image) {
      Object.assign(this.canvas, { width, height });
      this.image = new ImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    this.pixels.fill(0);
  }

  triangles(corners, places, levels, colours, grey) {
    const width = this.canvas.width, height = this.canvas.height, table = colours.pixels;
    const [r, g, b] = rgbOf(grey), flat = ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
    this.places = places;
    for (let i = 0; i < corners.length; i += 3) {
      let a = corners[i], m = corners[i + 1], c = corners[i + 2];
      // Sorted by y: a above m above c.
      if (places[2 * m + 1] < places[2 * a + 1]) { const t = a; a = m; m = t; }
      if (places[2 * c + 1] < places[2 * m + 1]) {
        const t = m; m = c; c = t;
        if (places[2 * m + 1] < places[2 * a + 1]) { const s = a; a = m; m = s; }
      }
      const ay = places[2 * a + 1], cy = places[2 * c + 1];
      if (cy < 0.5 || ay > height - 0.5) continue;
      // A row is painted if the middle of its pixels lies inside.
      const top = Math.max(0, Math.ceil(ay - 0.5)), bottom = Math.min(height, Math.ceil(cy - 0.5));
      if (top >= bottom) continue;
      const ax = places[2 * a], mx = places[2 * m], my = places[2 * m + 1], cx = places[2 * c];
      const la = levels[a], plain = la < -1e5;
      const area = (mx - ax) * (cy - ay) - (cx - ax) * (my - ay);
      if (area === 0) continue;
      const lm = levels[m] - la, lc = levels[c] - la;
      const dx = (255 * (lm * (cy - ay) - lc * (my - ay))) / area;   // of the level, along a row …
      const dy = (255 * (lc * (mx - ax) - lm * (cx - ax))) / area;   // … and from row to row
      const long = (cx - ax) / (cy - ay);
      for (let row = top; row < bottom; row++) {
        const y = row + 0.5, x1 = ax + (y - ay) * long;
        const x2 = y < my ? ax + ((y - ay) * (mx - ax)) / (my - ay) : mx + ((y - my) * (cx - mx)) / (cy - my || 1);
        const from = Math.max(0, Math.ceil((x1 < x2 ? x1 : x2) - 0.5));
        const to = Math.min(width, Math.ceil((x1 < x2 ? x2 : x1) - 0.5));
        if (from >= to) continue;
        const first = row * width;
        if (plain) { this.pixels.fill(flat, first + from, first + to); continue; }
        let level = 255 * la + (from + 0.5 - ax) * dx + (y - ay) * dy;
        for (let x = from; x < to; x++, level += dx) {
          this.pixels[first + x] = table[level < 0 ? 0 : level > 255 ? 255 : level | 0];
        }
      }
    }
  }

  /** Lines between pairs of nodes: each pixel column (or row) shares the ink between two pixels. */
  lines(ends) {
    const p = this.places, width = this.canvas.width, height = this.canvas.height;
    for (let i = 0; i < ends.length; i += 2) {
      let x0 = p[2 * ends[i]] - 0.5, y0 = p[2 * ends[i] + 1] - 0.5, x1 = p[2 * ends[i + 1]] - 0.5, y1 = p[2 * ends[i + 1] + 1] - 0.5;
      const steep = Math.abs(y1 - y0) > Math.abs(x1 - x0);
      if (steep) { [x0, y0, x1, y1] = [y0, x0, y1, x1]; }
      if (x0 > x1) { [x0, y0, x1, y1] = [x1, y1, x0, y0]; }
      const along = steep ? height : width, across = steep ? width : height;
      const from = Math.max(0, Math.ceil(x0)), to = Math.min(along - 1, Math.floor(x1));
      if (from > to || (y0 < -1 && y1 < -1) || (y0 > across && y1 > across)) continue;
      const slope = (y1 - y0) / (x1 - x0 || 1);
      for (let x = from; x <= to; x++) {
        const y = y0 + (x - x0) * slope, low = Math.floor(y), part = y - low;
        if (low >= 0 && low < across) this.ink(steep ? x * width + low : low * width + x, 1 - part);
        if (low >= -1 && low + 1 < across) this.ink(steep ? x * width + low + 1 : (low + 1) * width + x, part);
      }
    }
  }

  ink(at, part) {
    const under = this.pixels[at], alpha = (90 * part) | 0, rest = 256 - alpha;
    if (under >>> 24 === 0) {
      this.pixels[at] = ((alpha << 24) | 0x1a1a1a) >>> 0;
      return;
    }
    const redBlue = (((under & 0xff00ff) * rest + 0x1a001a * alpha) >>> 8) & 0xff00ff;
    const green = (((under & 0xff00) * rest + 0x1a00 * alpha) >>> 8) & 0xff00;
    this.pixels[at] = ((under & 0xff000000) | redBlue | green) >>> 0;
  }

  end() {
    this.canvas.getContext("2d").putImageData(this.image, 0, 0);
  }
}

/** The faster painter that this browser has. */
function makePainter() {
  return GlPainter.make() || new SoftwarePainter();
}
