// Starts the page: the animation first, then plotly and the plots.

const LAYOUT = {
  height: 400,
  margin: { l: 74, r: 24, t: 72, b: 52 },
  font: { family: "system-ui, sans-serif", size: 13, color: "#222222" },
  paper_bgcolor: "#ffffff",
  plot_bgcolor: "#ffffff",
  legend: { orientation: "h", x: 0, y: 1.02, yanchor: "bottom" },
  hovermode: "closest",
};
const AXIS = { gridcolor: "#e3e6ea", linecolor: "#999999", ticks: "outside", zeroline: false, automargin: true, exponentformat: "power" };

function drawFigure(parent, figure) {
  const place = document.createElement("div");
  place.className = "plot";
  place.id = `plot-${figure.key}`;
  parent.append(place);
  const layout = { ...LAYOUT, ...figure.layout };
  layout.title = { ...figure.layout.title, font: { size: 15 }, x: 0, xref: "paper", y: 0.97, yanchor: "top" };
  layout.xaxis = { ...AXIS, ...figure.layout.xaxis };
  layout.yaxis = { ...AXIS, ...figure.layout.yaxis };
  place.style.height = `${layout.height}px`;
  return Plotly.newPlot(place, figure.data, layout, { responsive: true, displaylogo: false });
}

async function start() {
  const data = JSON.parse(document.getElementById("data").textContent);
  if (data.animation) {
    const animation = data.animation;
    const stage = animation.kind === "solid"
      ? new SolidStage(animation, await unpackArrays(animation.packed))
      : new MassStage(animation);
    window.player = new Player(stage, animation);
  }
  const plots = document.getElementById("plots");
  plots.hidden = data.figures.length === 0;
  if (data.figures.length) {
    const script = document.createElement("script");
    script.textContent = new TextDecoder().decode(await unpackBytes(document.getElementById("plotly").textContent));
    document.head.append(script);
    for (const figure of data.figures) await drawFigure(plots, figure);
  }
  document.body.dataset.ready = "yes";
}

start().catch((error) => {
  const box = document.createElement("p");
  box.className = "box warning";
  box.textContent = `This browser cannot show the animation and the plots (${error}); pictures are in the folder plots/.`;
  document.querySelector("main").prepend(box);
  console.error(error);
});
