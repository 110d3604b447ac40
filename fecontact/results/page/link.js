// One time for the whole page: the view and all charts over time show the same instant.

class TimeLink {
  constructor() {
    this.time = null;
    this.range = null;     // what part of the run the charts show; null: all
    this.whole = null;     // the times of all charts together
    this.listeners = [];
  }

  listen(listener) { this.listeners.push(listener); return () => { this.listeners = this.listeners.filter((l) => l !== listener); }; }

  set(time) {
    this.time = time;
    for (const listener of this.listeners) listener(time);
  }

  /** A chart over these times is on the page. */
  include([low, high]) { this.whole = this.whole ? [Math.min(low, this.whole[0]), Math.max(high, this.whole[1])] : [low, high]; }

  zoom(range) { this.range = range; this.set(this.time); }
}
