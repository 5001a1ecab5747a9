// The list of queries, and with it the heat map: a row for each query, a cell for each system. Only what is seen is made.

const NARROW = window.matchMedia("(max-width: 40rem)");
const rowHeight = () => (NARROW.matches ? 66 : 30); // pixels, as in page.css
const VIEW = 544; // pixels of the list that are seen at most
const WITH_NUMBERS = 12; // systems that leave room for numbers in their cells

function grid(holder) {
  const systems = data.systems.length;
  // A narrow screen lists only the two systems that are compared, with their numbers.
  let roomy = true;
  const head = html("tr");
  const body = html("tbody");
  const caption = html("caption", { class: "aside" });
  const table = html("table", { class: "grid", "aria-colcount": systems + 2 }, caption, html("thead", {}, head), body);
  const scroller = html("div", { class: "scroller", tabindex: "0", role: "region", "aria-label": "List of queries" }, table);
  holder.append(scroller);
  const above = html("tr", { class: "space", "aria-hidden": "true" }, html("td"));
  const below = above.cloneNode(true);
  let rows = [];
  let low = 0;
  let high = 1;

  function button(by, name, about) {
    const isBy = state.sort === by;
    const order = isBy ? (state.down ? "descending" : "ascending") : null;
    return html(
      "button",
      { type: "button", title: about, onclick: () => choose({ sort: by, down: isBy ? !state.down : false }) },
      html("span", {}, bdi(name, 40)),
      isBy ? html("span", { class: "order", "aria-hidden": "true" }, state.down ? " ▼" : " ▲") : null,
      order ? html("span", { class: "aside" }, `, ${order}`) : null,
    );
  }

  function column(by, name, about, kind) {
    const order = state.sort === by ? (state.down ? "descending" : "ascending") : "none";
    return html("th", { scope: "col", class: kind, "aria-sort": order }, button(by, name, about));
  }

  function drawHead() {
    const measure = data.measures[state.measure];
    roomy = NARROW.matches || systems <= WITH_NUMBERS;
    table.classList.toggle("roomy", roomy);
    head.replaceChildren(
      column("query", "query", "Sort as in the judgments", "query"),
      column("difference", hasPair() ? "difference" : measure.name, hasPair() ? "Sort by the difference, worst first" : "Sort by score", "number"),
      ...data.systems.map((name, at) => {
        const role = at === state.baseline ? " base" : at === state.run ? " run" : "";
        return column(`s${at}`, name, `Sort by ${seen(name, 80)}`, `heat${role}`);
      }),
    );
    caption.textContent = `${measure.name} of every system for every query`;
    [low, high] = measure.low === null || measure.high === null ? ends(data.scores[state.measure]) : [measure.low, measure.high];
    for (const space of [above, below]) space.firstChild.colSpan = Math.min(systems, NARROW.matches ? 2 : systems) + 2;
    for (const row of rows) row.remove();
    rows = [];
  }

  function newRow() {
    const link = html("a", { href: "#", onclick: open });
    const text = html("bdi", { class: "text" });
    const row = html(
      "tr",
      { onclick: open },
      html("th", { scope: "row", class: "query" }, html("span", { class: "called" }, link, " ", text)),
      html("td", { class: "number" }),
      ...data.systems.map(() => html("td", { class: "heat" })),
    );
    return Object.assign(row, { link, text, at: -1 });
  }

  function open(event) {
    event.preventDefault();
    event.stopPropagation();
    choose({ query: event.currentTarget.closest("tr").at });
    showQuery();
  }

  function fill(row, at, index) {
    row.at = at;
    row.setAttribute("aria-rowindex", index + 2);
    row.classList.toggle("chosen", at === state.query);
    row.link.replaceChildren(bdi(data.queries[at], 40));
    row.link.setAttribute("aria-current", at === state.query ? "true" : "false");
    row.text.textContent = data.texts ? begun(data.texts[at], 200) : "";
    row.title = data.texts ? begun(data.texts[at], 600) : "";
    const moved = row.cells[1];
    moved.textContent = hasPair() ? signed(chosen.moved[at]) : shown(chosen.moved[at]);
    moved.className = `number ${hasPair() ? direction(at) : ""}`;
    for (let system = 0; system < systems; system++) {
      const value = scoresOf(state.measure, system)[at];
      const cellOf = row.cells[system + 2];
      const share = Number.isNaN(value) ? -1 : Math.round((10 * (value - low)) / (high - low || 1));
      const role = system === state.baseline ? " base" : system === state.run ? " run" : "";
      cellOf.className = `heat h${Math.min(Math.max(share, -1), 10)}${role}`;
      if (roomy) cellOf.textContent = shown(value);
      else {
        cellOf.title = `${seen(data.systems[system], 60)}: ${shown(value)}`;
        cellOf.textContent = "";
        cellOf.setAttribute("aria-label", shown(value));
      }
    }
  }

  function drawRows() {
    const count = chosen.order.length;
    const height = rowHeight();
    const first = Math.max(0, Math.floor(scroller.scrollTop / height) - 8);
    const last = Math.min(count, Math.ceil((scroller.scrollTop + VIEW) / height) + 8);
    table.setAttribute("aria-rowcount", count + 1);
    while (rows.length < last - first) rows.push(newRow());
    while (rows.length > Math.max(last - first, 0)) rows.pop().remove();
    rows.forEach((row, place) => fill(row, chosen.order[first + place], first + place));
    above.firstChild.style.height = `${first * height}px`;
    below.firstChild.style.height = `${Math.max(count - last, 0) * height}px`;
    above.hidden = !first;
    below.hidden = last >= count;
    if (rows.length !== body.rows.length - 2 || body.firstChild !== above) body.replaceChildren(above, ...rows, below);
  }

  let waiting = false;
  scroller.addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      drawRows();
    });
  });
  scroller.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      step(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Enter" && event.target === scroller && state.query >= 0) showQuery();
  });

  function reveal() {
    const place = chosen.order.indexOf(state.query);
    if (place >= 0) {
      const top = place * rowHeight();
      const view = scroller.clientHeight - head.offsetHeight - rowHeight();
      if (top < scroller.scrollTop) scroller.scrollTop = top;
      else if (top > scroller.scrollTop + view) scroller.scrollTop = top - view;
    }
    drawRows();
  }

  return {
    draw() {
      drawHead();
      drawRows();
    },
    filter() {
      drawHead();
      scroller.scrollTop = 0;
      reveal();
    },
    point: reveal,
  };
}
