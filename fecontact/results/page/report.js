// Start of the page: the view first, then the charts, all showing one time.

/** The arrays of a figure are in the packed block under their names. */
function withArrays(figure, arrays, player) {
  const take = (name) => (name === undefined ? undefined : arrays[name]);
  if (figure.kind === "map") {
    for (const axis of [figure.x, figure.y]) axis.at = take(axis.at);
    return { ...figure, values: take(figure.values) };
  }
  const live = figure.live && player?.stage.profile
    ? (time) => player.stage.profile(figure.live.surface, figure.live.quantity, nearest(player.times, time)) : undefined;
  return { ...figure, live, series: figure.series.map((s) => ({ ...s, x: take(s.x), y: take(s.y), t: take(s.t) })) };
}

async function start() {
  const data = JSON.parse(document.getElementById("data").textContent), link = new TimeLink();
  let player = null;
  if (data.animation) {
    const animation = data.animation;
    const stage = animation.kind === "solid"
      ? new SolidStage(animation, await unpackArrays(animation.packed))
      : new MassStage(animation);
    player = new Player(stage, animation, link, data.timeAxis);
    window.player = player;
  }
  const hosts = sectionHosts(data.figures.map((figure) => figure.section || "Plots"), [...document.querySelectorAll("section.plots")]);
  const arrays = data.figures.length ? await unpackArrays(data.arrays) : {};
  window.charts = data.figures.map((figure, n) => (
    new (figure.kind === "map" ? MapChart : CurveChart)(hosts[n], withArrays(figure, arrays, player), link)
  ));
  followFigures(player, link);
  drawAllToPrint(player);
  document.body.dataset.ready = "yes";
}

start().catch((error) => {
  const box = document.createElement("p");
  box.className = "box warning";
  box.textContent = `This browser cannot show the animation and the plots (${error}); pictures are in the folder plots/.`;
  document.querySelector("main").prepend(box);
  console.error(error);
});
