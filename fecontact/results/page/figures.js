// Key figures: a click on a row of their table shows its time and its node in the view. Printing.

/** The host of each figure: sections in the order in which their names first occur. */
function sectionHosts(names, sections) {
  const order = [...new Set(names)];
  return names.map((name) => sections[order.indexOf(name)]);
}

function followFigures(player, link) {
  const rows = [...document.querySelectorAll("table.figures tbody tr[data-time]")];
  for (const row of rows) {
    row.addEventListener("click", () => {
      for (const other of rows) other.classList.toggle("chosen", other === row);
      const time = Number(row.dataset.time), node = row.dataset.node === undefined ? -1 : Number(row.dataset.node);
      if (player) {
        player.mark(node, row.dataset.label);
        document.getElementById("stage").scrollIntoView({ block: "center" });
      }
      link.set(time);
      if (player && node >= 0 && player.stage.bringInto) { player.stage.bringInto(node, player.frame); player.paint(); }
    });
  }
}

/** A point of a sweep leads to the report of its run, if it is saved, and to its row of the table. The runs
 *  are numbered like the rows: the first axis varies slowest. */
function showRun(first, second, seconds, firsts) {
  const table = document.querySelector("table[data-runs]");
  if (!table) return;
  const others = Number(table.dataset.runs) / (firsts * seconds);
  const row = table.querySelector(`tr[data-run="${(first * seconds + second) * others}"]`);
  for (const one of table.querySelectorAll("tr.chosen")) one.classList.remove("chosen");
  row?.classList.add("chosen");
  row?.scrollIntoView({ block: "center" });
  row?.querySelector("a")?.click();
}

function isPrinting() { return document.documentElement.classList.contains("printing"); }

/** Printing draws all charts, also those that were never scrolled into view, in light colours and at
 *  the width of the paper. */
function drawAllToPrint(player) {
  const redraw = (printing) => {
    document.documentElement.classList.toggle("printing", printing);
    for (const chart of window.charts) chart.draw();
    player?.paint();
  };
  window.addEventListener("beforeprint", () => redraw(true));
  window.addEventListener("afterprint", () => redraw(false));
}
