// The manager's pages: numbers that follow the labels, and adjudication by key.

document.documentElement.classList.add("scripted");
const EVERY = 5000;

// A page is fetched as a document, whose parts take the place of those that are shown: nothing is built twice.
function fetchPage() {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("GET", location.href);
    request.responseType = "document";
    request.onload = () => (request.status === 200 && request.response ? resolve(request.response) : reject(new Error(String(request.status))));
    request.onerror = () => reject(new Error("no connection"));
    request.send();
  });
}

async function refresh() {
  const page = await fetchPage();
  for (const part of document.querySelectorAll("[data-live]")) {
    const fresh = page.getElementById(part.id);
    if (!fresh || part.contains(document.activeElement)) continue;
    const open = new Set([...part.querySelectorAll("details[open][id]")].map((box) => box.id));
    part.replaceChildren(...[...fresh.childNodes].map((node) => document.importNode(node, true)));
    for (const id of open) if (byId(id)) byId(id).open = true;
  }
  document.body.dataset.seq = page.body.dataset.seq;
}

async function look() {
  try {
    const answer = await fetch(`/progress.json?after=${document.body.dataset.seq}`, { cache: "no-store" });
    if (answer.status === 401) return showStale("Your link is no longer valid here. Open the manager's link again.");
    if (answer.ok && (await answer.json()).changed) await refresh();
    return showStale("");
  } catch {
    return showStale("No connection to the server: numbers are those of the last connection.");
  }
}

function showStale(text) {
  if (byId("status").textContent !== text) byId("status").textContent = text;
  byId("status").classList.toggle("aside", !text);
  byId("status").classList.toggle("trouble", Boolean(text));
}

if (document.querySelector("[data-live]")) setInterval(() => document.hidden || look(), EVERY);

const link = byId("new-link");
if (link) {
  link.addEventListener("focus", () => link.select());
  byId("copy-link").addEventListener("click", async () => {
    link.select();
    try {
      await navigator.clipboard.writeText(link.value);
    } catch {
      document.execCommand("copy");
    }
    say("The link is copied.");
  });
}

// Adjudication: a digit is the button that shows it.
const decision = byId("decision");
if (decision) {
  let done = false;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || done) return;
    if (event.target.matches("input:not([type=radio]):not([type=checkbox]), textarea, select")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (byId("single-keys")?.checked === false) return;
    const digit = /^Digit(\d)$/.exec(event.code);
    const wanted = (key) => decision.querySelector(`[data-key="${CSS.escape(key)}"]`);
    const button = wanted(event.key.toLowerCase()) ?? (digit && wanted(digit[1]));
    if (!button) return;
    event.preventDefault();
    if (button.matches("button[type=submit], button:not([type])")) done = true;
    button.focus();
    button.click();
  });
  byId("single-keys").checked = localStorage.getItem("cranfield-manager-keys") !== "off";
  byId("single-keys").addEventListener("change", (event) => localStorage.setItem("cranfield-manager-keys", event.target.checked ? "on" : "off"));
}
document.documentElement.dataset.ready = "";
