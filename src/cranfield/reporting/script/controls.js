// What can be chosen: measure, baseline and run; which queries; the order of a table; copies of it.

function picker(id, label, names, value, onPick, allowed = null) {
  const select = html(
    "select",
    { id, onchange: () => onPick(Number(select.value)) },
    ...names.map((name, at) => (allowed && !allowed.includes(at) ? null : html("option", { value: at }, seen(name, 60)))),
  );
  select.value = value;
  return html("label", { for: id }, html("span", {}, label), select);
}

function drawControls() {
  const bar = byId("controls");
  const names = data.measures.map((measure) => measure.name);
  bar.replaceChildren(
    picker("pick-measure", "Measure", names, state.measure, (measure) => choose({ measure, x: null, y: null, d: null })),
    ...(hasPair()
      ? [
          picker("pick-baseline", "Baseline", data.systems, state.baseline, (baseline) => choose({ baseline, x: null, y: null, d: null }), data.baselines),
          picker("pick-run", "Compared", data.systems, state.run, (run) => choose({ run, x: null, y: null, d: null }), data.systems.map((_, at) => at).filter((at) => at !== state.baseline)),
        ]
      : []),
  );
  bar.hidden = false;
}

// The parts that Python has written for each measure and baseline; their markup is its own, and all names in it are text.
function drawView() {
  const view = data.views[state.measure][Math.max(data.baselines.indexOf(state.baseline), 0)];
  for (const name of ["verdict", "systems", "effects", "notes"]) {
    const holder = byId(`view-${name}`);
    if (holder) holder.innerHTML = view[name];
  }
  byId("view-failing").innerHTML = data.failing[state.measure];
  for (const button of byId("view-failing").querySelectorAll(".open-query")) {
    button.disabled = false;
    button.addEventListener("click", () => {
      choose({ query: Number(button.dataset.query) });
      showQuery();
    });
  }
  const pair = byId("pair");
  const sentence = hasPair() ? view.pairs[state.run] : "";
  pair.replaceChildren(...(sentence ? prose(sentence) : []));
  pair.hidden = !sentence || data.systems.length < 3;
  makeSortable(byId("view-systems").querySelector("table"));
  drawSlices();
  for (const line of document.querySelectorAll("#curves .line")) {
    const at = Number(line.dataset.run);
    line.classList.toggle("base", hasPair() && at === state.baseline);
    line.classList.toggle("run", at === state.run);
  }
  const copies = byId("copies");
  copies.replaceChildren(
    ...Object.entries(view.copies).map(([name, text]) => html("button", { type: "button", onclick: () => copy(text, `The table as ${name}`) }, `Copy as ${name}`)),
  );
  copies.hidden = false;
  for (const row of byId("view-systems").querySelectorAll("tbody tr")) {
    const at = Number(row.dataset.run);
    row.classList.toggle("run", at === state.run && hasPair());
  }
}

// Slices are compared with one baseline only.
function drawSlices() {
  const holder = byId("view-slices");
  if (!holder) return;
  const markup = data.sliced[state.measure][state.run];
  const baseline = data.systems[data.first.baseline];
  const about = byId("slices-about");
  if (markup) {
    holder.innerHTML = markup;
    about.replaceChildren(`${data.measures[state.measure].name} of `, bdi(data.systems[state.run], 40), " compared with ", bdi(baseline, 40), ", in slices of the queries. Click a slice to see its queries.");
  } else {
    holder.replaceChildren();
    about.replaceChildren("Slices are compared with ", bdi(baseline, 40), " only. Choose it as the baseline, and another system to compare.");
  }
  for (const button of holder.querySelectorAll("button.slice")) {
    button.disabled = false;
    button.addEventListener("click", () => {
      const column = Object.keys(data.slices)[button.dataset.column];
      choose({ slice: JSON.stringify([column, data.slices[column].values[button.dataset.value]]) });
      byId("queries").scrollIntoView();
    });
  }
}

function makeSortable(table) {
  for (const head of table.querySelectorAll("thead th[data-by]")) {
    const by = head.dataset.by;
    const button = html("button", { type: "button" });
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const falling = head.getAttribute("aria-sort") === "ascending";
      for (const other of table.querySelectorAll("thead th")) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", falling ? "descending" : "ascending");
      const rows = [...table.tBodies[0].rows];
      const value = (row) => (Number.isNaN(Number(row.dataset[by])) ? Infinity : Number(row.dataset[by]));
      rows.sort((one, other) => (falling ? -1 : 1) * (value(one) - value(other)));
      table.tBodies[0].append(...rows);
    });
  }
}

function drawFilters() {
  const bar = byId("filters");
  const words = hasPair() ? { "": "all", worse: "worse", equal: "equal", better: "better" } : { "": "all" };
  const counts = { "": data.queries.length, better: 0, equal: 0, worse: 0 };
  for (const at of chosen.byMoved) counts[direction(at)] += 1;
  const search = byId("search") ?? html("input", { id: "search", type: "search", placeholder: "Search queries", "aria-label": "Search queries", autocomplete: "off", spellcheck: "false", oninput: () => choose({ search: search.value }) });
  if (search.value !== state.search) search.value = state.search;
  const choices = html(
    "div",
    { class: "choices", role: "group", "aria-label": "Which queries" },
    ...Object.entries(words).map(([only, word]) =>
      html("button", { type: "button", "aria-pressed": String(state.only === only), onclick: () => choose({ only }) }, `${word} `, html("small", {}, counts[only].toLocaleString("en"))),
    ),
  );
  const marked = [
    ["x", () => `${seen(data.systems[state.baseline], 20)} ${state.x.map(shown).join(" to ")}`],
    ["y", () => `${seen(data.systems[state.run], 20)} ${state.y.map(shown).join(" to ")}`],
    ["d", () => `difference ${state.d.map(signed).join(" to ")}`],
    ["slice", () => sliceOf(state.slice).map((part) => seen(part, 30)).join(": ")],
  ]
    .filter(([name]) => state[name])
    .map(([name, words]) => html("button", { type: "button", class: "chip", title: "Remove", onclick: () => choose({ [name]: name === "slice" ? "" : null }) }, words(), html("span", { "aria-hidden": "true" }, " ×")));
  const count = html("span", { class: "count", id: "count" }, isFiltered() ? `${chosen.kept.length.toLocaleString("en")} of ${counted(data.queries.length, "query", "queries")}` : counted(data.queries.length, "query", "queries"));
  const clear = isFiltered() ? html("button", { type: "button", class: "clear", onclick: clearFilters }, "Show all") : null;
  const focused = document.activeElement === search;
  bar.replaceChildren(search, choices, ...marked, count, ...(clear ? [clear] : []));
  if (focused) search.focus();
}

const clearFilters = () => choose({ search: "", only: "", x: null, y: null, d: null, slice: "" });

function drawDownloads() {
  const bar = byId("downloads");
  bar.replaceChildren(
    html("button", { type: "button", onclick: () => download("scores.csv", allScores()) }, "All scores (CSV)"),
    html("button", { type: "button", onclick: () => download("listed-queries.csv", shownScores()) }, "Scores of the listed queries (CSV)"),
  );
  bar.hidden = false;
}

function allScores() {
  const head = ["query", ...(data.texts ? ["text"] : []), "measure", ...data.systems];
  const rows = data.measures.flatMap((measure, of) =>
    data.queries.map((query, at) => [query, ...(data.texts ? [data.texts[at]] : []), measure.name, ...data.systems.map((_, system) => scoresOf(of, system)[at])]),
  );
  return csv([head, ...rows]);
}

function shownScores() {
  const head = ["query", ...(data.texts ? ["text"] : []), ...(hasPair() ? ["difference"] : []), ...data.systems];
  const rows = chosen.order.map((at) => [
    data.queries[at],
    ...(data.texts ? [data.texts[at]] : []),
    ...(hasPair() ? [chosen.moved[at]] : []),
    ...data.systems.map((_, system) => scoresOf(state.measure, system)[at]),
  ]);
  return csv([head, ...rows]);
}
