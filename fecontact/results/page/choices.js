// Settings above the view: colours and their range, edge diagram, focus, saved pictures.

function offerChoices(player, data) {
  const { stage } = player, by = (id) => document.getElementById(id);
  const offer = (id, entries, chosen, act) => {
    const select = by(id);
    for (const [name, value] of entries) select.add(new Option(name, value));
    select.value = chosen;
    by(`${id}-choice`).hidden = entries.length < 2;
    select.addEventListener("change", () => { act(select.value); player.showLegend(); player.draw(); });
  };
  const tick = (id, offered, act) => {
    by(`${id}-choice`).hidden = !offered;
    by(id).addEventListener("change", () => { act(by(id).checked); player.draw(); });
  };
  const fields = stage.bodies ? stage.bodies.fields : [];
  offer("colour", fields.map((f, n) => [f.name, n]), 0, (n) => { stage.field = fields[n]; showHand(); player.probe?.plot(); });
  offer("range", fields.length ? [["whole run", "run"], ["this time", "time"], ["by hand", "hand"]] : [], "run", (kind) => {
    if (kind === "hand") { const now = stage.range(player.frame); stage.hand = [now.low, now.high]; }
    stage.rangeKind = kind;
    showHand();
  });
  offer("edge", (stage.edges ? stage.edges.choices : []).map((n) => [n, n]), stage.edges?.shown, (name) => { stage.edges.shown = name; });
  offer("focus", (stage.targets || []).map((t) => [t.name, t.value]), stage.target, (target) => stage.focus(target));
  tick("magnify", data.magnification > 1, (on) => { stage.magnified = on; });
  by("magnify").checked = Boolean(stage.magnified);
  by("factor").textContent = `deformation × ${data.magnification}`;
  for (const name of ["bands", "extremes", "undeformed"]) tick(name, Boolean(stage.bodies), (on) => { stage[name] = on; });
  tick("mirror", Boolean(data.mirror), (on) => { stage.mirrored = on; stage.focus(stage.target); });

  /** The two numbers of a range by hand, in the unit of the field. */
  function showHand() {
    by("hand").hidden = stage.rangeKind !== "hand";
    if (stage.rangeKind !== "hand") return;
    by("low").value = Number(stage.hand[0].toPrecision(4));
    by("high").value = Number(stage.hand[1].toPrecision(4));
    by("hand-unit").textContent = stage.field.unit;
  }
  for (const [i, id] of ["low", "high"].entries()) {
    by(id).addEventListener("change", () => {
      const value = Number(by(id).value), hand = [...stage.hand];
      hand[i] = value;
      if (hand[0] < hand[1]) { stage.hand = hand; player.draw(); }
    });
  }
  by("fit").addEventListener("click", () => { stage.camera.fit(); player.draw(); });
  by("save").addEventListener("click", () => player.canvas.toBlob((blob) => download(blob, "stage.png")));
  by("film").hidden = !window.MediaRecorder;
  by("film").addEventListener("click", () => film(player));
}

function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Record the view at every saved time and save it as WebM. */
function film(player) {
  const recorder = new MediaRecorder(player.canvas.captureStream(25), { mimeType: "video/webm" }), parts = [];
  recorder.ondataavailable = (event) => parts.push(event.data);
  recorder.onstop = () => download(new Blob(parts, { type: "video/webm" }), "stage.webm");
  const pictures = 200, last = player.times.length - 1;
  let shown = 0;
  player.pause();
  recorder.start();
  const timer = setInterval(() => {
    player.go(Math.round((last * shown) / pictures));
    if (shown++ >= pictures) { clearInterval(timer); recorder.stop(); }
  }, 40);
}
