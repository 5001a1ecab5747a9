// The judge's page: one key grades, saves and moves on.

const BOUNCE = 150; // milliseconds in which a second act is a key or finger that bounced
const form = byId("card");
const ahead = JSON.parse(byId("cards").textContent);
const trail = []; // cards that were dealt with, the oldest first
let at = 0; // where in the trail the judge looks; beyond its end is the present
let shown = null;
let lastAct = -Infinity;
let reachedStart = false;
let fetching = null;
let isAskedAgain = false;

const boxes = [...form.querySelectorAll(".document")];
const isNow = () => at >= trail.length;

function show(card, { focus = true } = {}) {
  keepDraft();
  shown = card;
  byId("judging").hidden = !card;
  byId("nothing").hidden = Boolean(card);
  if (!card) return;
  form.dataset.item = card.item;
  byId("query").textContent = card.query;
  byId("description").textContent = card.description;
  byId("description").hidden = !card.description;
  boxes.forEach((box, number) => fillDocument(box, card.documents[number]));
  showGrade(form, card.current);
  byId("note").value = recallDraft(card.item) ?? card.note;
  byId("note-box").open = Boolean(byId("note").value);
  byId("earlier").hidden = isNow();
  byId("given").textContent = isNow() ? "" : card.current ? `You gave: ${nameOfLabel(card.current)}.` : "You gave no grade.";
  if (byId("passage-kept")) byId("passage-kept").hidden = true;
  clearFind();
  clock.restart();
  window.scrollTo(0, 0);
  if (focus) boxes[0].querySelector(".title").focus({ preventScroll: true });
  boxes.forEach((box, number) => box.querySelector(".whole").open && fetchWhole(card, number, box));
}

// What a judge reads where a card would be.
function withoutCard(title, text) {
  byId("nothing-title").textContent = title;
  byId("nothing-text").textContent = text;
}

// Without a server, what was put off comes again when all else is done.
function takeUpLater() {
  const putOff = trail.filter((card) => card.current?.kind === "later");
  for (const card of putOff) trail.splice(trail.indexOf(card), 1);
  ahead.push(...putOff);
}

function present(options) {
  if (settings.offline && !ahead.length) takeUpLater();
  at = trail.length;
  if (!ahead.length && !settings.offline) withoutCard("One moment", "The next documents are on their way.");
  show(ahead[0] ?? null, options);
  if (ahead.length < 2) refill();
}

// Draft of a note: survives a reload, is no label.
const draftName = (item) => `${remembered}-draft-${item}`;

function recallDraft(item) {
  try {
    return sessionStorage.getItem(draftName(item));
  } catch {
    return null;
  }
}

function keepDraft() {
  if (!shown) return;
  try {
    const text = byId("note").value;
    if (text === shown.note) sessionStorage.removeItem(draftName(shown.item));
    else sessionStorage.setItem(draftName(shown.item), text);
  } catch {
    // Only a draft.
  }
}

// An act on the shown card: on the shelf at once, and the next card in the same moment.
function give(kind, grade, how, more) {
  const now = performance.now();
  if (!shown || now - lastAct < BOUNCE) return;
  lastAct = now;
  const card = shown;
  const note = byId("note").value.slice(0, settings.noteLength);
  const entry = entryFor(card, kind, grade, how, note === card.note && kind !== "note" ? "" : note, more);
  card.note = note;
  byId("note").value = note;
  keepDraft();
  if (kind === "note" || kind === "passage") {
    outbox.add(entry);
    return say(kind === "note" ? "Note kept" : "Passage kept");
  }
  card.current = { seq: null, kind, grade, key: entry.key };
  if (isNow()) {
    ahead.shift();
    trail.push(card);
  }
  present();
  outbox.add(entry);
}

async function back() {
  if (at > 0) {
    at -= 1;
    return show(trail[at]);
  }
  if (reachedStart || settings.offline) return say("There is nothing before this one.");
  const seqs = trail.map((card) => card.first ?? card.current?.seq).filter((seq) => typeof seq === "number");
  const known = new Set([...trail, ...ahead].map((card) => card.item));
  let before = seqs.length ? Math.min(...seqs) : null;
  try {
    for (;;) {
      const answer = await fetch(before === null ? "/mine" : `/mine?before=${before}`, { cache: "no-store" });
      if (!answer.ok) throw new Error(String(answer.status));
      const { card } = await answer.json();
      if (!card) {
        reachedStart = true;
        return say("There is nothing before this one.");
      }
      if (!known.has(card.item)) {
        card.first = card.current?.seq;
        trail.unshift(card);
        at = 0;
        return show(card);
      }
      before = card.current.seq;
    }
  } catch {
    say("Earlier documents cannot be loaded without a connection.");
  }
}

function forward() {
  if (!isNow()) {
    at += 1;
    return isNow() ? present() : show(trail[at]);
  }
  if (ahead.length > 1) ahead.push(ahead.shift());
  present();
}

// Two cards are read ahead, so that the next one is there at once.
async function refill() {
  if (settings.offline) return null;
  if (fetching) {
    isAskedAgain = true; // the answer on its way may not have what is needed now
    return fetching;
  }
  fetching = (async () => {
    try {
      const answer = await fetch(`/next?tab=${settings.tab}`, { cache: "no-store" });
      if (answer.ok) await take(await answer.json());
      else if (!ahead.length) withoutCard("The next documents cannot be loaded", "What you judged is kept.");
    } catch {
      if (!ahead.length) withoutCard("No connection", "The next documents cannot be loaded. What you judged is kept.");
    } finally {
      fetching = null;
      if (isAskedAgain && !ahead.length) setTimeout(refill);
      isAskedAgain = false;
    }
  })();
  return fetching;
}

// An answer may have been on its way when its card was judged; an item that is shown again on purpose comes much later.
const DEALT_WITH = new Set(["label", "skip", "cannot"]);

async function take(told) {
  const waiting = new Set((await outbox.entries()).filter((entry) => entry.kind !== "note" && entry.kind !== "passage").map((entry) => entry.item));
  const known = new Set([...ahead.map((card) => card.item), ...trail.slice(-20).filter((card) => DEALT_WITH.has(card.current?.kind)).map((card) => card.item)]);
  const hadNone = !ahead.length;
  for (const card of told.cards ?? []) if (!known.has(card.item) && !waiting.has(card.item)) ahead.push(card);
  if (told.tally) showTally(told.tally);
  if (hadNone && isNow()) {
    if (ahead.length) show(ahead[0]);
    else {
      if (waiting.size) withoutCard("Waiting for your labels to be saved", "The next documents come then.");
      else withoutCard("Nothing is left here", told.nothing ?? "");
      show(null);
    }
  }
}


function toggleWhole() {
  const open = !boxes.some((box) => box.querySelector(".whole").open);
  for (const box of boxes) if (!box.querySelector(".whole").hidden) box.querySelector(".whole").open = open;
}

// Find in the text: marks what is typed, and goes from one place to the next.
let foundAt = -1;

function clearFind() {
  foundAt = -1;
  byId("find").value = "";
  byId("find-box").hidden = true;
}

function openFind() {
  byId("find-box").hidden = false;
  byId("find").focus();
  for (const box of boxes) if (!box.querySelector(".whole").hidden) box.querySelector(".whole").open = true;
}

function markFound() {
  const wanted = byId("find").value.toLocaleLowerCase();
  foundAt = -1;
  let count = 0;
  boxes.forEach((box, number) => {
    const documentShown = shown.documents[number];
    const place = documentShown.whole?.length ? ".whole-text" : ".excerpt";
    const texts = documentShown.whole?.length ? documentShown.whole : documentShown.excerpt;
    if (!wanted) return box.querySelector(place).replaceChildren(...parts(texts));
    const text = texts.join("");
    const lower = text.toLocaleLowerCase();
    const pieces = [];
    let from = 0;
    for (let hit = lower.indexOf(wanted); hit >= 0 && pieces.length < 2000; hit = lower.indexOf(wanted, from)) {
      pieces.push(text.slice(from, hit), html("mark", { class: "found" }, text.slice(hit, hit + wanted.length)));
      from = hit + wanted.length;
      count += 1;
    }
    box.querySelector(place).replaceChildren(...pieces, text.slice(from));
    return null;
  });
  byId("find-count").textContent = wanted ? counted(count, "place") : "";
}

function nextFound() {
  const marks = [...form.querySelectorAll("mark.found")].filter((mark) => mark.checkVisibility());
  if (!marks.length) return;
  foundAt = (foundAt + 1) % marks.length;
  marks[foundAt].scrollIntoView({ block: "center" });
}

// A passage: what is selected in the text; the server finds its place there.
const LONGEST_PASSAGE = 10000;

function keepPassage(how) {
  const chosen = window.getSelection();
  const number = boxes.findIndex((box) => chosen.rangeCount && box.contains(chosen.getRangeAt(0).commonAncestorContainer));
  const quote = chosen.toString().trim();
  if (number < 0 || !quote) return say("Select the passage in the text first.");
  if (quote.length > LONGEST_PASSAGE) return say("This passage is too long: select the part that answers.");
  byId("passage-text").textContent = begun(quote.replace(/\s+/g, " "), 160);
  byId("passage-kept").hidden = false;
  give("passage", null, how, { document: number, text: quote });
  return null;
}

function startActs() {
  for (const button of settings.grades) act(`grade-${button.value}`, [button.key], settings.task === "preferences" ? button.word : `grade ${button.value}${button.word ? ` · ${button.word}` : ""}`, (how) => give("label", Number(button.value), how));
  act("skip", ["s"], "skip it", (how) => give("skip", null, how));
  act("cannot", ["x"], "it cannot be judged", (how) => give("cannot", null, how));
  act("later", ["l"], "judge it later", (how) => give("later", null, how));
  act("clear", ["Delete"], "take the grade away", (how) => shown?.current && give("clear", null, how));
  act("back", ["z", "Backspace"], "back to the one before", back);
  act("forward", ["ArrowRight"], "go on without a grade", forward);
  act("note", ["n"], "write a note", () => ((byId("note-box").open = true), byId("note").focus()));
  if (settings.passages) act("passage", ["p"], "mark the selected passage", keepPassage);
  act("whole", [" "], "show or hide the whole text", toggleWhole);
  act("find", ["/"], "find in the text", openFind);
  act("guidelines", ["i"], "show or hide the guidelines", () => byId("guidelines") && (byId("guidelines").open = !byId("guidelines").open));
  if (byId("to-list")) act("view", ["v"], "list or card", () => byId("to-list").click());
  startHelp();
}

function startButtons() {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const button = event.submitter;
    const how = lastPointer === "touch" ? "touch" : "click";
    if (button?.name === "grade") give("label", Number(button.value), how);
    else if (button?.value === "passage") keepPassage(how);
    else if (button?.name === "kind") give(button.value, null, how);
  });
  let lastPointer = "mouse";
  form.addEventListener("pointerdown", (event) => (lastPointer = event.pointerType));
  byId("back").addEventListener("click", (event) => (event.preventDefault(), back()));
  byId("to-now").addEventListener("click", () => present());
  byId("forward").addEventListener("click", forward);
  byId("note").addEventListener("input", keepDraft);
  byId("note").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) (event.preventDefault(), give("note", null, "key"));
    if (event.key === "Escape") (event.preventDefault(), boxes[0].querySelector(".title").focus());
  });
  byId("find").addEventListener("input", markFound);
  byId("find").addEventListener("keydown", (event) => {
    if (event.key === "Enter") (event.preventDefault(), nextFound());
    if (event.key === "Escape") (event.preventDefault(), clearFind(), boxes[0].querySelector(".title").focus());
  });
  boxes.forEach((box, number) =>
    box.querySelector(".whole").addEventListener("toggle", (event) => {
      if (!shown || box.querySelector(".whole").hidden) return;
      if (event.target.open) fetchWhole(shown, number, box);
      if (choices.whole !== event.target.open) {
        choices.whole = event.target.open;
        remember("choices", choices);
      }
    }),
  );
}

// The server keeps cards for a tab that is open, and gives them to others once it is closed.
function startLeases() {
  setInterval(() => document.hidden || post("/hold", { tab: settings.tab }), 60000);
  window.addEventListener("pagehide", () => navigator.sendBeacon?.("/release", new Blob([JSON.stringify({ tab: settings.tab, visit: settings.visit })], { type: "application/json" })));
  window.addEventListener("pageshow", (event) => event.persisted && location.reload());
  setInterval(() => document.hidden || ahead.length || !isNow() || refill(), 15000);
}

const post = (path, body) => fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), keepalive: true }).catch(() => null);

async function start() {
  document.documentElement.classList.add("scripted");
  outbox.onSaved = (entry, told) => {
    outbox.everSaved += 1;
    for (const card of [...trail, ...ahead]) if (card.item === entry.item && entry.kind !== "note" && entry.kind !== "passage") learn(card, entry, told);
    say("saved");
    take(told);
  };
  outbox.onCount = showConflicts;
  startActs();
  startButtons();
  startKeys();
  await outbox.open();
  // What waits was judged: it is behind the judge, not ahead.
  const waiting = new Map((await outbox.entries()).filter((entry) => entry.kind !== "note" && entry.kind !== "passage").map((entry) => [entry.item, entry]));
  for (const card of ahead.splice(0)) {
    const entry = waiting.get(card.item);
    if (entry) trail.push({ ...card, current: { seq: null, kind: entry.kind, grade: entry.grade, key: entry.key } });
    else ahead.push(card);
  }
  const earlier = JSON.parse(byId("earlier-card").textContent);
  if (earlier) {
    trail.push(earlier);
    at = trail.length - 1;
    show(earlier, { focus: false });
  } else present({ focus: false });
  if (!settings.offline) {
    startLeases();
    outbox.hurry();
  }
  document.documentElement.dataset.ready = "";
}

start();
