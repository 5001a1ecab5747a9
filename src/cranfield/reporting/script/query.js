// One query: what each system returned, what moved, and how the scores are calculated.

function showQuery() {
  if (state.query < 0) return;
  const section = byId("query");
  const box = section.getBoundingClientRect();
  if (box.top < 0 || box.top > window.innerHeight * 0.6) section.scrollIntoView({ block: "start" });
}

async function drawQuery() {
  const section = byId("query");
  section.hidden = state.query < 0;
  if (state.query < 0) return;
  const query = state.query;
  const place = chosen.order.indexOf(query);
  byId("query-title").replaceChildren("Query ", bdi(data.queries[query], 80));
  byId("query-text").textContent = data.texts ? visible(data.texts[query]) : "";
  byId("query-text").hidden = !data.texts || !data.texts[query];
  byId("query-place").textContent = place < 0 ? "not in the list above" : `${(place + 1).toLocaleString("en")} of ${chosen.order.length.toLocaleString("en")}`;
  byId("query-before").disabled = place === 0;
  byId("query-after").disabled = place === chosen.order.length - 1;
  drawScores(query);
  section.setAttribute("aria-busy", "true");
  const found = (await withLists()).of(query);
  if (state.query !== query) return;
  byId("query-lists").replaceChildren(...(found ? drawLists(found, query) : [html("p", { class: "soft" }, data.withoutLists)]));
  byId("query-moved").replaceChildren(...(found && hasPair() ? prose(whatMoved(found)) : []));
  drawLines();
  const systems = hasPair() ? [state.baseline, state.run] : [state.run];
  byId("query-working").replaceChildren(...systems.map((system) => drawWorking(found, system, query)));
  section.removeAttribute("aria-busy");
  if (document.documentElement.dataset.ready) say(`Query ${data.queries[query].slice(0, 60)}. ${byId("query-moved").textContent}`);
}

function drawScores(query) {
  const measure = data.measures[state.measure];
  const [base, run] = [hasPair() ? chosen.base[query] : NaN, chosen.run[query]];
  byId("query-score").replaceChildren(
    `${measure.name}: `,
    ...(hasPair() ? [bdi(data.systems[state.baseline], 30), " ", html("b", {}, shown(base)), " → ", bdi(data.systems[state.run], 30), " ", html("b", {}, shown(run)), " ", html("b", { class: direction(query) }, `(${signed(chosen.moved[query])})`)] : [html("b", {}, shown(run))]),
  );
  const order = data.systems.map((_, at) => at).sort((one, other) => (isLower() ? 1 : -1) * (scoresOf(state.measure, one)[query] - scoresOf(state.measure, other)[query]) || one - other);
  byId("query-systems").hidden = data.systems.length < 3;
  byId("query-systems").replaceChildren(
    ...order.slice(0, 64).map((at) =>
      html(
        "button",
        { type: "button", class: "system", "aria-pressed": String(at === state.run), disabled: at === state.baseline, onclick: () => choose({ run: at }) },
        bdi(data.systems[at], 24),
        ` ${shown(scoresOf(state.measure, at)[query])}`,
        at === state.baseline ? html("small", {}, " baseline") : null,
      ),
    ),
  );
}

function gradeOf(grade, found) {
  if (grade === null) return html("span", { class: "grade unjudged", title: "Not judged" }, html("span", { "aria-hidden": "true" }, "?"), html("span", { class: "aside" }, "unjudged"));
  const top = found.allGrades[found.allGrades.length - 1];
  const level = found.isRelevant(grade) ? Math.max(1, Math.round((4 * grade) / (top || 1))) : 0;
  return html("span", { class: `grade g${level}`, title: `Grade ${grade}` }, html("span", { class: "aside" }, "grade "), String(grade));
}

// As in excerpts.py.
const COMMON = new Set(
  "and are but can did does for from had has have how not should that the this was were what when where which who why will with would you your".split(" "),
);

function termsOf(query) {
  const words = data.texts && data.texts[query] ? data.texts[query].toLocaleLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [] : [];
  const long = words.filter((word) => !COMMON.has(word) && (word.length > 2 || /[^\u0000-\u007f]/u.test(word)));
  return [...new Set(long.length ? long : words)];
}

// Words of the query, and words that begin alike.
const isTerm = (word, terms) => terms.some((term) => word === term || (Math.min(word.length, term.length) >= 4 && Math.abs(word.length - term.length) <= 3 && (word.startsWith(term) || term.startsWith(word))));

function lit(text, terms) {
  const parts = visible(text).split(/([\p{L}\p{N}]+)/u);
  return parts.map((part, at) => (at % 2 && isTerm(part.toLocaleLowerCase(), terms) ? html("mark", {}, part) : part));
}

// How a document's rank in one list differs from the other: of the baseline's list, where it went; of the run's, whence it came.
function change(found, document, system, other, isBaseline) {
  const here = found.ranks[system].get(document);
  const there = found.ranks[other].get(document);
  if (!there) {
    // A list that is shorter than it might be holds all there is.
    const unknown = there === undefined && found.orders[other].length >= lists.depth;
    if (isBaseline) return html("span", { class: "change down" }, unknown ? `below ${lists.depth}` : "gone");
    return html("span", { class: "change up" }, unknown ? `from below ${lists.depth}` : "new");
  }
  if (isBaseline) return there > lists.depth ? html("span", { class: "change down" }, `now ${there.toLocaleString("en")}`) : null;
  const by = there - here;
  if (!by) return html("span", { class: "change" }, "=", html("span", { class: "aside" }, " same rank"));
  return html(
    "span",
    { class: `change ${by > 0 ? "up" : "down"}` },
    html("span", { "aria-hidden": "true" }, by > 0 ? "▲ " : "▼ "),
    html("span", { class: "aside" }, by > 0 ? "up " : "down "),
    Math.abs(by).toLocaleString("en"),
    html("small", {}, ` was ${there.toLocaleString("en")}`),
  );
}

function drawList(found, query, system, other, isBaseline, terms) {
  const order = found.orders[system];
  const items = order.map((document, place) => {
    const about = found.about(document);
    return html(
      "li",
      { "data-document": document },
      html("span", { class: "rank" }, String(place + 1)),
      gradeOf(found.grades[document], found),
      html("span", { class: "what" }, about.title ? html("b", { dir: "auto" }, ...lit(about.title, terms)) : null, html("span", { class: "id" }, bdi(found.ids[document], 60)), about.text ? html("span", { class: "snippet", dir: "auto" }, ...lit(about.text, terms)) : null),
      other === null ? null : change(found, document, system, other, isBaseline),
    );
  });
  return html(
    "div",
    { class: "list" },
    html("h3", {}, bdi(data.systems[system], 40), html("small", {}, ` ${shown(scoresOf(state.measure, system)[query])}`)),
    items.length ? html("ol", {}, ...items) : html("p", { class: "soft" }, "No documents were returned."),
  );
}

function drawLists(found, query) {
  const terms = termsOf(query);
  const parts = hasPair()
    ? [html("div", { class: "lists" }, drawList(found, query, state.baseline, state.run, true, terms), svg("svg", { class: "lines", "aria-hidden": "true" }), drawList(found, query, state.run, state.baseline, false, terms))]
    : [html("div", { class: "lists alone" }, drawList(found, query, state.run, null, true, terms))];
  const systems = hasPair() ? [state.baseline, state.run] : [state.run];
  const missed = found.ids.map((_, document) => document).filter((document) => found.isRelevant(found.grades[document]) && systems.every((system) => !found.orders[system].includes(document)));
  missed.sort((one, other) => found.grades[other] - found.grades[one]);
  if (missed.length) parts.push(drawMissed(found, missed, systems));
  return parts;
}

function drawMissed(found, missed, systems) {
  const rank = (system, document) => (found.ranks[system].get(document) || "never").toLocaleString("en");
  const most = 15;
  return html(
    "div",
    { class: "missed" },
    html("h3", {}, `Relevant documents below rank ${lists.depth}`),
    html(
      "table",
      {},
      html("caption", { class: "aside" }, "Relevant documents that are in none of the lists"),
      html("thead", {}, html("tr", {}, html("th", { scope: "col" }, "document"), html("th", { scope: "col" }, "grade"), ...systems.map((system) => html("th", { scope: "col", class: "number" }, "rank in ", bdi(data.systems[system], 24))))),
      html("tbody", {}, ...missed.slice(0, most).map((document) => html("tr", {}, html("th", { scope: "row", class: "name" }, ...called(found, document, 60)), html("td", {}, gradeOf(found.grades[document], found)), ...systems.map((system) => html("td", { class: "number" }, rank(system, document)))))),
    ),
    missed.length > most ? html("p", { class: "soft" }, `and ${(missed.length - most).toLocaleString("en")} more`) : null,
  );
}

// What a document is called: by its title where that is known, with its id.
function called(found, document, most) {
  const { title } = found.about(document);
  return title ? [html("bdi", {}, begun(title, most)), " ", html("small", {}, bdi(found.ids[document], 40))] : [bdi(found.ids[document], 40)];
}

// Lines join the same document in both lists.
function drawLines() {
  const lines = document.querySelector(".lines");
  if (!lines) return;
  const box = lines.getBoundingClientRect();
  const middle = (item) => {
    const at = item.getBoundingClientRect();
    return at.top - box.top + Math.min(at.height / 2, 18);
  };
  const [left, right] = document.querySelectorAll(".lists .list");
  const rightItems = new Map([...right.querySelectorAll("li")].map((item, place) => [item.dataset.document, [item, place]]));
  const paths = [...left.querySelectorAll("li")].flatMap((item, place) => {
    const other = rightItems.get(item.dataset.document);
    if (!other) return [];
    const [from, to] = [round(middle(item)), round(middle(other[0]))];
    const kind = other[1] < place ? "up" : other[1] > place ? "down" : "same";
    const bend = round(box.width / 2);
    return [svg("path", { class: kind, "data-document": item.dataset.document, d: `M0 ${from}C${bend} ${from} ${bend} ${to} ${round(box.width)} ${to}` })];
  });
  lines.replaceChildren(...paths);
}

// One sentence: the relevant documents whose move weighs most, by grade and by how much further up or down they are seen.
function whatMoved(found) {
  const [before, after] = [found.ranks[state.baseline], found.ranks[state.run]];
  const weight = (rank) => (rank ? discount(rank) : 0);
  const moves = found.ids
    .map((id, document) => ({ id, document, grade: found.grades[document], from: before.get(document), to: after.get(document) }))
    .filter((move) => found.isRelevant(move.grade) && (move.from ?? 0) !== (move.to ?? 0))
    .map((move) => ({ ...move, by: move.grade * (weight(move.to) - weight(move.from)) }));
  if (!moves.length) {
    const same = found.orders[state.baseline].join() === found.orders[state.run].join();
    return same ? "Both lists are the same." : "No relevant document moved.";
  }
  const rank = (value) => (value ? value.toLocaleString("en") : "");
  const tell = (move) => {
    const { title } = found.about(move.document);
    const what = `${title ? `“${begun(title, 60)}”` : seen(move.id, 40)} (grade ${move.grade})`;
    if (!move.from) return `${what} is new at rank ${rank(move.to)}`;
    if (!move.to) return `${what} is gone from rank ${rank(move.from)}`;
    return `${what} ${move.to < move.from ? "rose" : "fell"} from rank ${rank(move.from)} to ${rank(move.to)}`;
  };
  const most = (kind) => moves.filter(kind).sort((one, other) => Math.abs(other.by) - Math.abs(one.by)).slice(0, 2).map(tell);
  const [risen, fallen] = [most((move) => move.by > 0), most((move) => move.by < 0)];
  const sentence = [risen.join(" and "), fallen.join(" and ")].filter(Boolean).join("; ");
  const rest = moves.length - risen.length - fallen.length;
  return `${sentence}${rest ? `; ${counted(rest, "other relevant document")} moved` : ""}.`;
}

function startQuery() {
  byId("query-before").addEventListener("click", () => step(-1));
  byId("query-after").addEventListener("click", () => step(1));
  byId("query-close").addEventListener("click", () => choose({ query: -1 }));
  byId("query-link").addEventListener("click", () => copy(location.href, "The link"));
  const holder = byId("query-lists");
  const light = (event, on) => {
    const item = event.target.closest("li[data-document]");
    for (const each of holder.querySelectorAll(".lit")) each.classList.remove("lit");
    if (item && on) for (const each of holder.querySelectorAll(`[data-document="${item.dataset.document}"]`)) each.classList.add("lit");
  };
  holder.addEventListener("pointerover", (event) => light(event, true));
  holder.addEventListener("pointerleave", (event) => light(event, false));
  new ResizeObserver(drawLines).observe(holder);
}
