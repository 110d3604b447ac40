// One time for the whole page: the stage and all charts over time show the same instant.

class TimeLink {
  constructor() {
    this.time = null;
    this.range = null;     // what part of the run the charts show; null: all
    this.listeners = [];
  }

  listen(listener) { this.listeners.push(listener); return () => { this.listeners = this.listeners.filter((l) => l !== listener); }; }

  set(time) {
    this.time = time;
    for (const listener of this.listeners) listener(time);
  }

  zoom(range) { this.range = range; this.set(this.time); }
}
