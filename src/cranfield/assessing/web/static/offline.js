// Without a server: labels stay in this browser until the judge saves them to a file, as often as they like.

const pairsInAll = JSON.parse(byId("cards").textContent).length;
let inFile = 0;

function showOffline(entries) {
  const last = new Map(entries.filter((entry) => entry.kind !== "note" && entry.kind !== "passage").map((entry) => [entry.item, entry.kind]));
  const done = [...last.values()].filter((kind) => kind !== "later" && kind !== "clear").length;
  byId("progress").textContent = `${done.toLocaleString("en")} of ${counted(pairsInAll, "pair")} judged`;
  byId("countdown").hidden = entries.length === inFile;
  byId("countdown").textContent = entries.length === inFile ? "" : "Not in a file yet: save your labels before you stop.";
}

outbox.onCount = showOffline;

async function saveLabels() {
  await outbox.download();
  const entries = await outbox.entries();
  inFile = entries.length;
  showOffline(entries);
}

byId("save-labels").addEventListener("click", saveLabels);
window.addEventListener("beforeunload", (event) => {
  // The browser keeps them, but a file is safer.
  if (outbox.waiting && outbox.waiting !== inFile && !outbox.shelf.lasting) event.preventDefault();
});
