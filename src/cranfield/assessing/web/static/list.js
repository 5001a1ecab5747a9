// The list: all documents of a batch, one below the other; a click or a key grades and saves.

const cards = new Map(JSON.parse(byId("cards").textContent).map((card) => [card.item, card]));
const rows = [...document.querySelectorAll("#documents form")];
const cardOf = (row) => cards.get(Number(row.dataset.item));
let here = 0;

function give(row, kind, grade, how) {
  const card = cardOf(row);
  const entry = entryFor(card, kind, grade, how, "");
  card.current = { seq: null, kind, grade, key: entry.key };
  showGrade(row, card.current);
  row.querySelector(".row-saved").textContent = "waiting";
  clock.restart();
  outbox.add(entry);
}

function goTo(place) {
  if (!rows.length) return;
  here = Math.max(0, Math.min(rows.length - 1, place));
  const title = rows[here].querySelector(".title");
  title.focus({ preventScroll: true });
  rows[here].scrollIntoView({ block: "nearest" });
}

function startRows() {
  rows.forEach((row, place) => {
    row.addEventListener("focusin", () => (here = place));
    row.addEventListener("submit", (event) => {
      event.preventDefault();
      const button = event.submitter;
      here = place;
      give(row, button.name === "grade" ? "label" : button.value, button.name === "grade" ? Number(button.value) : null, "list");
    });
    [...row.querySelectorAll(".document")].forEach((box, number) =>
      box.querySelector(".whole").addEventListener("toggle", (event) => event.target.open && fetchWhole(cardOf(row), number, box)),
    );
  });
}

function startActs() {
  for (const button of settings.grades)
    act(`grade-${button.value}`, [button.key], settings.task === "preferences" ? button.word : `grade ${button.value}${button.word ? ` · ${button.word}` : ""}`, () => {
      if (!rows.length) return;
      give(rows[here], "label", Number(button.value), "list");
      goTo(here + 1);
    });
  act("next", ["j", "ArrowDown"], "next document", () => goTo(here + 1));
  act("previous", ["k", "ArrowUp"], "document before", () => goTo(here - 1));
  act("whole", [" "], "show or hide the whole text", () => {
    for (const whole of rows[here]?.querySelectorAll(".whole:not([hidden])") ?? []) whole.open = !whole.open;
  });
  act("guidelines", ["i"], "show or hide the guidelines", () => byId("guidelines") && (byId("guidelines").open = !byId("guidelines").open));
  act("view", ["v"], "list or card", () => byId("to-card").click());
  startHelp();
}


async function start() {
  document.documentElement.classList.add("scripted");
  outbox.onSaved = (entry, told) => {
    outbox.everSaved += 1;
    const card = cards.get(entry.item);
    if (card) {
      learn(card, entry, told);
      const row = rows.find((one) => cardOf(one) === card);
      row.querySelector(".row-saved").textContent = card.current?.seq === null ? "waiting" : "saved";
    }
    if (told.tally) showTally(told.tally);
    say("saved");
  };
  outbox.onCount = showConflicts;
  startActs();
  startRows();
  startKeys();
  await outbox.open();
  for (const entry of await outbox.entries()) {
    const card = cards.get(entry.item);
    if (!card) continue;
    card.current = { seq: null, kind: entry.kind, grade: entry.grade, key: entry.key };
    const row = rows.find((one) => cardOf(one) === card);
    showGrade(row, card.current);
    row.querySelector(".row-saved").textContent = "waiting";
  }
  const first = rows.findIndex((row) => !cardOf(row).current);
  here = Math.max(0, first);
  setInterval(() => document.hidden || fetch("/hold", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ tab: settings.tab }) }).catch(() => null), 60000);
  outbox.hurry();
  document.documentElement.dataset.ready = "";
}

start();
