// Gestures on the view: wheel and pinch zoom, drag, double click to fit, keys.

class Gestures {
  constructor(player) {
    this.player = player;
    this.canvas = player.canvas;
    this.touches = new Map();
    this.travelled = 0;
    const on = (name, act, options) => this.canvas.addEventListener(name, act.bind(this), options);
    on("wheel", this.wheel, { passive: false });
    on("pointerdown", this.down);
    on("pointermove", this.move);
    on("pointerup", this.up);
    on("pointercancel", this.up);
    on("pointerleave", () => this.player.probe?.hide());
    on("dblclick", () => { this.player.stage.camera.fit(); this.player.draw(); });
    on("keydown", this.key);
  }

  get camera() { return this.player.stage.camera; }

  at(event) {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  wheel(event) {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    this.camera.zoom(Math.exp(-0.0015 * lines * event.deltaY), ...this.at(event));
    this.player.draw();
  }

  down(event) {
    this.touches.set(event.pointerId, this.at(event));
    this.travelled = 0;
    this.canvas.setPointerCapture?.(event.pointerId);
  }

  move(event) {
    const now = this.at(event), before = this.touches.get(event.pointerId);
    if (!before) { this.player.probe?.show(...now); return; }
    const others = [...this.touches].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    if (others.length) {
      const [other] = others, far = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]);
      this.camera.zoom(far(now) / (far(before) || 1), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
    }
    this.camera.pan((now[0] - before[0]) / (1 + others.length), (now[1] - before[1]) / (1 + others.length));
    this.travelled += Math.abs(now[0] - before[0]) + Math.abs(now[1] - before[1]);
    this.touches.set(event.pointerId, now);
    this.player.draw();
  }

  up(event) {
    const clicked = this.touches.delete(event.pointerId) && this.travelled < 4 && event.type === "pointerup";
    if (clicked && event.detail < 2) this.player.probe?.pin(...this.at(event));
  }

  key(event) {
    const { rect } = this.camera, middle = [rect.x + rect.width / 2, rect.y + rect.height / 2];
    const acts = {
      " ": () => this.player.toggle(),
      ArrowRight: () => this.player.step(1),
      ArrowLeft: () => this.player.step(-1),
      Home: () => this.player.go(0),
      End: () => this.player.go(this.player.times.length - 1),
      "+": () => this.camera.zoom(1.25, ...middle),
      "-": () => this.camera.zoom(0.8, ...middle),
      0: () => this.camera.fit(),
      Escape: () => this.player.probe?.clear(),
    };
    if (!(event.key in acts) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    acts[event.key]();
    this.player.draw();
  }
}
