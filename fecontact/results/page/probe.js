// Values at a node: as text under the pointer, and as histories of clicked nodes.

const PIN_COLOURS = ["#d55e00", "#0072b2", "#009e73", "#cc79a7"];

class Probe {
  constructor(player) {
    this.player = player;
    this.stage = player.stage;
    this.line = document.getElementById("probe");
    this.place = document.getElementById("pinned");
    this.node = -1;
  }

  show(x, y) {
    this.node = this.stage.nodeAt(x, y, this.player.frame);
    this.tell();
  }

  hide() {
    this.node = -1;
    this.tell();
  }

  tell() {
    this.line.textContent = this.node >= 0 ? this.stage.describe(this.node, this.player.frame) : this.line.dataset.hint;
  }

  /** Pin the node at a pixel, or remove its pin; its history is drawn below. */
  pin(x, y) {
    const node = this.stage.nodeAt(x, y, this.player.frame), pins = this.stage.pinned;
    if (node < 0) return;
    const already = pins.findIndex((pin) => pin.node === node);
    if (already >= 0) pins.splice(already, 1);
    else {
      const free = PIN_COLOURS.find((colour) => !pins.some((pin) => pin.colour === colour));
      if (!free) pins.shift();
      pins.push({ node, colour: free || PIN_COLOURS.find((c) => !pins.some((pin) => pin.colour === c)) });
    }
    this.plot();
    this.player.draw();
  }

  clear() {
    this.stage.pinned.length = 0;
    this.plot();
  }

  plot() {
    const { pinned, field } = this.stage, { timeAxis, times, link } = this.player;
    this.chart?.close();
    this.place.replaceChildren();
    if (!pinned.length) return;
    const values = pinned.map((pin) => this.stage.history(pin.node));
    const power = handyPower(Math.max(...values.map((v) => Math.max(Math.abs(least(v)), Math.abs(greatest(v))))));
    const figure = {
      key: "pinned", title: `${field.name[0].toUpperCase()}${field.name.slice(1)} of pinned nodes`, overTime: true,
      x: timeAxis, y: { label: `${field.name} [${PREFIXES[power]}${field.unit}]`, power },
      series: pinned.map((pin, n) => ({ label: `node ${pin.node}`, style: "line", colour: pin.colour, dash: [], x: times, y: values[n] })),
    };
    this.chart = new CurveChart(this.place, figure, link);
  }
}
