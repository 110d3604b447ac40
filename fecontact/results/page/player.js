// The time slider, play and pause, and the choices of what is drawn.

class Player {
  constructor(stage, data) {
    this.stage = stage;
    this.times = data.times;
    this.canvas = document.getElementById("stage");
    this.slider = document.getElementById("time");
    this.button = document.getElementById("play");
    this.clock = document.getElementById("clock");
    this.playing = false;
    this.slider.max = this.times.length - 1;
    this.slider.addEventListener("input", () => { this.pause(); this.draw(); });
    this.button.addEventListener("click", () => (this.playing ? this.pause() : this.play()));
    window.addEventListener("resize", () => this.draw());
    this.offerChoices(data);
    this.showLegend();
    this.draw();
  }

  offerChoices(data) {
    const colour = document.getElementById("colour"), magnify = document.getElementById("magnify");
    for (const name of this.stage.fields) colour.add(new Option(`${name} stress`, name));
    document.getElementById("colour-choice").hidden = this.stage.fields.length === 0;
    colour.addEventListener("change", () => { this.stage.field = colour.value; this.draw(); });
    const factor = data.magnification || 1;
    document.getElementById("magnify-choice").hidden = factor <= 1;
    document.getElementById("factor").textContent = `deformation × ${factor}`;
    magnify.checked = Boolean(this.stage.magnified);
    magnify.addEventListener("change", () => { this.stage.magnified = magnify.checked; this.draw(); });
  }

  showLegend() {
    const legend = document.getElementById("legend");
    for (const [colour, name] of this.stage.legend()) {
      const mark = document.createElement("i");
      mark.style.background = colour;
      legend.append(mark, name);
    }
  }

  /** The whole run takes about eight seconds, whatever its own length. */
  play() {
    const last = this.times.length - 1;
    let at = Number(this.slider.value) >= last ? 0 : Number(this.slider.value);
    let before = performance.now();
    this.playing = true;
    this.button.textContent = "Pause";
    const step = (now) => {
      if (!this.playing) return;
      const span = this.times[last] - this.times[0];
      let time = this.times[Math.floor(at)] + (at % 1) * (this.times[Math.min(Math.floor(at) + 1, last)] - this.times[Math.floor(at)]);
      time += ((now - before) / 8000) * span;
      before = now;
      let k = Math.floor(at);
      while (k < last && this.times[k + 1] <= time) k++;
      const gap = k < last ? this.times[k + 1] - this.times[k] : 1;
      at = k < last ? k + Math.max(0, (time - this.times[k]) / gap) : last;
      this.slider.value = Math.floor(at);
      this.draw();
      if (at >= last) this.pause();
      else requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  pause() {
    this.playing = false;
    this.button.textContent = "Play";
  }

  draw() {
    const ratio = window.devicePixelRatio || 1;
    const width = this.canvas.clientWidth, height = this.canvas.clientHeight;
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    const g = this.canvas.getContext("2d");
    g.scale(ratio, ratio);
    const k = Number(this.slider.value);
    this.stage.draw(g, width, height, k);
    this.clock.textContent = `t = ${short(this.times[k])} s`;
  }
}
