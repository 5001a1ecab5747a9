// One card: a query and a document, or two, filled into the elements that the server wrote.

const parts = (texts) => texts.map((text, at) => (at % 2 ? html("mark", {}, text) : text)).filter((part) => part !== "");

function fillDocument(box, shown) {
  box.querySelector(".title").textContent = shown.title || shown.name;
  box.querySelector(".name-of").textContent = shown.name;
  const link = box.querySelector(".open-document");
  link.hidden = !shown.url;
  if (shown.url) link.href = shown.url;
  box.querySelector(".excerpt").replaceChildren(...parts(shown.excerpt));
  const whole = box.querySelector(".whole");
  whole.hidden = shown.whole === null;
  whole.open = shown.whole !== null && choices.whole;
  box.querySelector(".words").textContent = `Whole text (${counted(shown.words, "word")})`;
  fillWhole(box, shown);
  box.querySelector(".no-text").hidden = shown.words > 0;
}

function fillWhole(box, shown) {
  box.querySelector(".whole-text").replaceChildren(...parts(shown.whole ?? []));
  const cut = box.querySelector(".cut");
  cut.hidden = !shown.cut;
  cut.textContent = shown.cut ? `The text goes on: ${counted(shown.cut, "character")} in all.` : "";
}

// A long text comes when somebody wants to see it.
async function fetchWhole(card, at, box) {
  const shown = card.documents[at];
  if (!shown.whole || shown.whole.length) return;
  const text = box.querySelector(".whole-text");
  text.textContent = "Loading …";
  try {
    const answer = await fetch(`/text?item=${card.item}&document=${at}`, { cache: "no-store" });
    if (!answer.ok) throw new Error(String(answer.status));
    shown.whole = (await answer.json()).whole ?? [];
    if (box.isConnected && text.closest("[data-item]").dataset.item === String(card.item)) fillWhole(box, shown);
  } catch {
    text.textContent = "The whole text could not be loaded. Close and open it to try again.";
  }
}

function showGrade(form, current) {
  for (const button of form.querySelectorAll("button[name=grade]")) {
    const chosen = current && (current.kind === "label" || current.kind === "adjudicate") && current.grade === Number(button.value);
    button.setAttribute("aria-pressed", String(Boolean(chosen)));
  }
  for (const button of form.querySelectorAll("button[name=kind][data-state]")) button.setAttribute("aria-pressed", String(Boolean(current && current.kind === button.value)));
}

function entryFor(card, kind, grade, how, note, more) {
  const current = card.current;
  return {
    key: newKey(),
    project: settings.project,
    judge: settings.judge,
    item: card.item,
    kind,
    grade,
    before: current ? current.seq : null,
    after: current && current.seq === null ? current.key : null,
    ...clock.read(),
    how,
    note,
    more: more ?? {},
    tab: settings.tab,
    title: card.documents.map((shown) => shown.title || shown.name).join(" / "),
  };
}

// What the server says of a card holds, unless something newer waits.
function learn(card, entry, told) {
  if (card.current && card.current.seq === null && card.current.key !== entry.key) return;
  card.current = told.current;
}

// Two labels for one card, from two places: the judge chooses.
function showConflicts(entries) {
  const box = byId("conflicts");
  const disputed = entries.filter((entry) => entry.conflict);
  const state = disputed.map((entry) => `${entry.key} ${entry.conflict.seq}`).join();
  if (box.dataset.state === state) return;
  box.dataset.state = state;
  const rows = disputed.map((entry) =>
    html(
      "div",
      { class: "conflict" },
      html("p", {}, html("b", {}, html("bdi", {}, visible(entry.title))), `: here you gave ${nameOfLabel(entry)}, elsewhere ${nameOfLabel(entry.conflict)}. Which one counts?`),
        html("div", { class: "buttons" }, html("button", { type: "button", onclick: () => outbox.settle(entry, true) }, `${nameOfLabel(entry)} (here)`), html("button", { type: "button", onclick: () => outbox.settle(entry, false) }, `${nameOfLabel(entry.conflict)} (elsewhere)`)),
    ),
  );
  box.replaceChildren(...rows);
  box.hidden = !rows.length;
}

const WORDS_OF_KINDS = { skip: "skipped", cannot: "cannot be judged", later: "later", clear: "no grade", note: "a note", passage: "a passage" };

function nameOfLabel({ kind, grade }) {
  if (kind !== "label" && kind !== "adjudicate") return WORDS_OF_KINDS[kind] ?? kind;
  const known = settings.grades.find((button) => Number(button.value) === grade);
  return known ? (known.word ? (settings.task === "preferences" ? known.word : `${known.value} · ${known.word}`) : known.value) : String(grade);
}

// How far the judge is.
function showTally(tally) {
  byId("progress").textContent = tally.progress;
  for (const name of ["countdown", "batch", "speed"]) {
    byId(name).textContent = tally[name];
    byId(name).hidden = !tally[name];
  }
}
