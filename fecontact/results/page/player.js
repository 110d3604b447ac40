// Time: slider, play, loop, speed, steps; and the settings of the view.

class Player {
  constructor(stage, data, link, timeAxis) {
    this.stage = stage;
    this.times = data.times;
    this.link = link;
    this.timeAxis = timeAxis;
    this.canvas = document.getElementById("stage");
    this.slider = document.getElementById("time");
    this.button = document.getElementById("play");
    this.clock = document.getElementById("clock");
    this.calm = window.matchMedia("(prefers-reduced-motion: reduce)");
    this.playing = false;
    this.slider.max = this.times.length - 1;
    this.slider.value = data.openAt || 0;
    this.slider.addEventListener("input", () => { this.pause(); this.draw(); });
    this.button.addEventListener("click", () => this.toggle());
    document.getElementById("back").addEventListener("click", () => this.step(-1));
    document.getElementById("forth").addEventListener("click", () => this.step(1));
    window.addEventListener("resize", () => this.draw());
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    if (stage.nodeAt) this.probe = new Probe(this);
    new Gestures(this);
    offerChoices(this, data);
    link.listen((time) => this.follow(time));
    this.showLegend();
    this.draw();
  }

  get frame() { return Number(this.slider.value); }

  showLegend() {
    const legend = document.getElementById("legend");
    legend.replaceChildren();
    for (const [colour, name] of this.stage.legend()) {
      const entry = document.createElement("span"), mark = document.createElement("i");
      mark.style.background = colour;
      entry.append(mark, name);
      legend.append(entry, " ");
    }
  }

  go(frame) {
    this.slider.value = Math.max(0, Math.min(this.times.length - 1, frame));
    this.draw();
  }

  /** Mark and name a node for a row of the key figures; −1 for none. */
  mark(node, label) {
    this.pause();
    this.stage.marked = node >= 0 ? { node, label } : null;
    this.draw();
  }

  step(by) { this.pause(); this.go(this.frame + by); }

  /** A chart was clicked: show the nearest saved time. */
  follow(time) {
    const frame = nearest(this.times, time);
    if (frame !== this.frame) { this.pause(); this.slider.value = frame; this.paint(); }
  }

  toggle() { if (this.playing) this.pause(); else this.play(); }

  /** The whole run takes about eight seconds at speed 1, for any length; with reduced motion,
   *  two frames per second. */
  play() {
    const last = this.times.length - 1, span = this.times[last] - this.times[0];
    let time = this.times[this.frame >= last ? 0 : this.frame], before = performance.now();
    this.playing = true;
    this.button.textContent = "Pause";
    const step = (now) => {
      if (!this.playing) return;
      if (this.calm.matches && now - before < 500) { requestAnimationFrame(step); return; }
      time += ((now - before) / 8000) * span * Number(document.getElementById("speed").value);
      before = now;
      if (time >= this.times[last]) {
        if (document.getElementById("loop").checked) time = this.times[0];
        else { this.go(last); this.pause(); return; }
      }
      let frame = nearest(this.times, time);
      if (this.times[frame] > time && frame > 0) frame--;
      if (frame !== this.frame) this.go(frame);
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  pause() {
    this.playing = false;
    this.button.textContent = "Play";
  }

  /** Draw, and move the cursor of all charts along. */
  draw() {
    this.paint();
    this.link.set(this.times[this.frame]);
  }

  /** Values of the settings around the view, which are not printed. */
  caption() {
    const { stage } = this, magnified = stage.magnified ? document.getElementById("factor").textContent : "";
    return [stage.field?.name, this.clock.textContent, magnified].filter(Boolean).join(", ");
  }

  paint() {
    const ratio = window.devicePixelRatio || 1, { clientWidth: width, clientHeight: height } = this.canvas;
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    const g = this.canvas.getContext("2d");
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.fillStyle = themed("paper");
    g.fillRect(0, 0, width, height);
    this.stage.draw(g, width, height, this.frame);
    this.clock.textContent = `t = ${withUnit(this.times[this.frame], "s", this.timeAxis.power)}`;
    this.slider.setAttribute("aria-valuetext", this.clock.textContent);
    document.getElementById("caption").textContent = this.caption();
    this.probe?.tell();
  }
}
