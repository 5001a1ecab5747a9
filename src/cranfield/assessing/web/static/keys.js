// The keyboard: one key for one act, none while somebody types. Each can be changed, and all can be switched off.

const settings = JSON.parse(byId("settings").textContent);
const remembered = `cranfield-${settings.project}-${settings.judge}`;

function recall(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(`${remembered}-${name}`)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function remember(name, value) {
  try {
    localStorage.setItem(`${remembered}-${name}`, JSON.stringify(value));
  } catch {
    // A browser that stores nothing forgets choices; labels have words of their own for it.
  }
}

const choices = { off: false, whole: false, keys: {}, ...recall("choices", {}) };
const ACTS = new Map();

// What somebody can do: its name, its usual keys (more than one may do the same), its words, and the act itself.
function act(name, keys, words, run) {
  ACTS.set(name, { keys, words, run });
}

const keysOf = (name) => (choices.keys[name] ? [choices.keys[name]] : ACTS.get(name).keys);
const spelled = (key) => ({ " ": "space", ArrowRight: "→", ArrowLeft: "←", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc", Backspace: "⌫", Delete: "Del" })[key] ?? key;
const actOf = (key) => [...ACTS.keys()].find((name) => keysOf(name).includes(key));

// What the key is called; digits by their place too, for on some keyboards they need the shift key.
function pressed(event) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const digit = /^Digit(\d)$/.exec(event.code);
  return actOf(key) || !digit ? key : digit[1];
}

const isTyping = (target) => target.matches("input:not([type=radio]):not([type=checkbox]), select, textarea, [contenteditable]");

function startKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (isTyping(event.target)) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (document.querySelector("dialog[open]")) return;
    // Buttons and links keep the keys that press them.
    if ((event.key === " " || event.key === "Enter") && event.target.closest("button, a, summary")) return;
    if (choices.off && event.key !== "?") return;
    const name = actOf(pressed(event));
    if (!name) return;
    event.preventDefault();
    if (!event.repeat) ACTS.get(name).run("key");
  });
  showKeys();
}

// The keys on the buttons, for eyes and for assistive technology.
function showKeys() {
  document.documentElement.classList.toggle("keys-off", choices.off);
  for (const element of document.querySelectorAll("[data-act]")) {
    const name = element.dataset.act;
    if (!ACTS.has(name)) continue;
    const sign = element.querySelector("kbd");
    if (sign) sign.textContent = spelled(keysOf(name)[0]);
    if (choices.off) element.removeAttribute("aria-keyshortcuts");
    else element.setAttribute("aria-keyshortcuts", keysOf(name).map((key) => (key === " " ? "Space" : key)).join(" "));
  }
  const help = byId("help-keys");
  if (help) help.replaceChildren(...[...ACTS].map(([name, { words }]) => keyRow(name, words)));
}

function keyRow(name, words) {
  const change = html("button", { type: "button", class: "small", "aria-label": `Change the key for: ${words}` }, "change");
  const signs = keysOf(name).flatMap((key, at) => [at ? " " : "", html("kbd", {}, spelled(key))]);
  const row = html("div", {}, html("dt", {}, ...signs), html("dd", {}, html("span", {}, words), change));
  change.addEventListener("click", () => {
    change.textContent = "press a key";
    const take = (event) => {
      event.preventDefault();
      event.stopPropagation();
      change.removeEventListener("keydown", take);
      if (event.key !== "Escape" && event.key !== "Tab") setKey(name, event.key.length === 1 ? event.key.toLowerCase() : event.key);
      showKeys();
      byId("help").querySelector(`[data-row="${name}"] button`)?.focus();
    };
    change.addEventListener("keydown", take);
    change.addEventListener("blur", () => (change.removeEventListener("keydown", take), (change.textContent = "change")), { once: true });
  });
  row.dataset.row = name;
  return row;
}

// A key does one thing: whoever had it before gets the other's.
function setKey(name, key) {
  const other = actOf(key);
  if (other && other !== name) choices.keys[other] = keysOf(name)[0];
  choices.keys[name] = key;
  remember("choices", choices);
}

function startHelp() {
  const help = byId("help");
  const off = byId("keys-off");
  off.checked = choices.off;
  off.addEventListener("change", () => {
    choices.off = off.checked;
    remember("choices", choices);
    showKeys();
  });
  byId("keys-usual").addEventListener("click", () => {
    choices.keys = {};
    remember("choices", choices);
    showKeys();
  });
  byId("open-help").addEventListener("click", () => help.showModal());
  act("help", ["?"], "this list", () => help.showModal());
}
