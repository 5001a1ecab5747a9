// Everything together, once the data are there.

async function start() {
  const [summary, scores] = await Promise.all([unpacked("summary"), unpacked("scores")]);
  data = { ...summary.meta, scores: asNumbers(summary.meta.measures, scores.columns) };
  Object.assign(state, read());
  document.body.append(tip);
  startKeys();
  startQuery();
  drawDownloads();
  byId("explorer").hidden = false;
  document.documentElement.classList.add("alive");

  const views = hasPair() ? [scatter(byId("scatter")), differences(byId("differences"))] : [differences(byId("differences"))];
  byId("scatter").hidden = !hasPair();
  views.push(grid(byId("grid")));

  function drawAll() {
    compareQueries();
    filterQueries();
    sortQueries();
    drawControls();
    drawView();
    drawFilters();
    for (const view of views) view.draw();
  }

  const filtering = ["search", "only", "x", "y", "d", "slice", "sort", "down"];
  onChange((changed) => {
    if (["measure", "baseline", "run"].some((name) => changed.has(name))) drawAll();
    else if (filtering.some((name) => changed.has(name))) {
      filterQueries();
      sortQueries();
      drawFilters();
      for (const view of views) view.filter();
    } else for (const view of views) view.point();
    if (filtering.some((name) => changed.has(name))) say(byId("count").textContent);
    drawQuery();
  });

  drawAll();
  await drawQuery();
  if (state.query >= 0) showQuery();

  let width = window.innerWidth;
  new ResizeObserver(() => {
    if (window.innerWidth === width) return;
    width = window.innerWidth;
    for (const view of views) view.draw();
  }).observe(document.body);
  window.addEventListener("hashchange", () => {
    if (location.hash.includes("=")) choose(read());
  });
  for (const link of document.querySelectorAll("nav a")) {
    link.addEventListener("click", (event) => {
      // A link within the page must not push what is chosen out of the address.
      event.preventDefault();
      const section = document.querySelector(link.getAttribute("href"));
      section.scrollIntoView();
      section.querySelector("h2").focus({ preventScroll: true });
    });
  }
  document.documentElement.dataset.ready = "true";
}

function asNumbers(measures, columns) {
  return measures.map((measure, at) => {
    const column = columns[at];
    return column instanceof Float64Array ? column : Float64Array.from(column, (value) => (value === 0xffff ? NaN : value / 10000));
  });
}

start().catch((error) => {
  byId("broken").hidden = false;
  byId("broken").textContent = `The interactive part could not start (${error.message}); a newer browser may help. Everything above and below is complete.`;
});
