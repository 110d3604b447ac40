// The camera: the visible part of the plane in a rectangle of the canvas, y upwards.

class Camera {
  constructor() {
    this.rect = { x: 0, y: 0, width: 1, height: 1 };
    this.centre = [0, 0];   // m, of the window that is fitted
    this.origin = [0, 0];   // m, moves with what the camera follows
    this.scale = 1;         // pixels per metre
    this.home = [[0, 1], [0, 1]];
    this.moved = false;     // by the user: a resized page then keeps what is seen
  }

  /** Show a window ((x from, x to), (y from, y to)) whole. */
  fit(home = this.home) {
    this.home = home;
    const [[x0, x1], [y0, y1]] = home;
    this.scale = Math.min(this.rect.width / (x1 - x0 || 1), this.rect.height / (y1 - y0 || 1));
    this.centre = [(x0 + x1) / 2, (y0 + y1) / 2];
    this.moved = false;
  }

  place(rect) {
    const same = ["x", "y", "width", "height"].every((k) => rect[k] === this.rect[k]);
    this.rect = rect;
    if (!same && !this.moved) this.fit();
  }

  x(value) { return this.left + this.scale * value; }
  y(value) { return this.base - this.scale * value; }
  get left() { return this.rect.x + this.rect.width / 2 - this.scale * (this.centre[0] + this.origin[0]); }
  get base() { return this.rect.y + this.rect.height / 2 + this.scale * (this.centre[1] + this.origin[1]); }
  worldX(pixel) { return (pixel - this.left) / this.scale; }
  worldY(pixel) { return (this.base - pixel) / this.scale; }

  /** Magnify by a factor about the given pixel. */
  zoom(factor, px, py) {
    const [x, y] = [this.worldX(px), this.worldY(py)];
    this.scale *= factor;
    this.centre[0] += x - this.worldX(px);
    this.centre[1] += y - this.worldY(py);
    this.moved = true;
  }

  pan(dx, dy) {
    this.centre[0] -= dx / this.scale;
    this.centre[1] += dy / this.scale;
    this.moved = true;
  }
}
