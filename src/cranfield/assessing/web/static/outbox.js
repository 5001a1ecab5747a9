// What was judged goes here first, then to the server, one after the other; it stays until the server has it for good.
// It survives a reload, a crash and an expired link. Nothing is ever thrown away but by the judge.

const MOST_WAIT = 30000;
const PATIENCE = 20000;

const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

// Three places to keep things, the safest first. A private window may refuse the first, and the second.
async function openShelf() {
  const name = `cranfield-${settings.project}`;
  try {
    return await inDatabase(name);
  } catch {
    try {
      return inLocalStorage(`${name}-outbox`);
    } catch {
      return inMemory();
    }
  }
}

function inDatabase(name) {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("outbox", { keyPath: "place", autoIncrement: true });
    opening.onerror = () => reject(opening.error);
    opening.onblocked = () => reject(new Error("blocked"));
    opening.onsuccess = () => {
      const database = opening.result;
      const within = (work) =>
        new Promise((done, failed) => {
          const transaction = database.transaction("outbox", "readwrite", { durability: "strict" });
          const request = work(transaction.objectStore("outbox"));
          transaction.oncomplete = () => done(request && request.result);
          transaction.onerror = transaction.onabort = () => failed(transaction.error);
        });
      resolve({
        lasting: true,
        all: () => within((store) => store.getAll()),
        add: (entry) => within((store) => store.add(entry)),
        change: (entries, gone) =>
          within((store) => {
            for (const entry of entries) store.put(entry);
            if (gone !== undefined) store.delete(gone);
          }),
      });
    };
  });
}

function inLocalStorage(name) {
  const read = () => JSON.parse(localStorage.getItem(name) ?? "[]");
  const write = (entries) => localStorage.setItem(name, JSON.stringify(entries));
  write(read());
  return listed(read, write, true);
}

function inMemory() {
  let kept = [];
  return listed(() => kept, (entries) => (kept = entries), false);
}

function listed(read, write, lasting) {
  return {
    lasting,
    all: async () => read(),
    add: async (entry) => write([...read(), { ...entry, place: Math.max(0, ...read().map((one) => one.place)) + 1 }]),
    change: async (entries, gone) => {
      const changed = new Map(entries.map((entry) => [entry.place, entry]));
      write(read().filter((one) => one.place !== gone).map((one) => changed.get(one.place) ?? one));
    },
  };
}

const outbox = {
  shelf: null,
  adding: Promise.resolve(),
  spare: [], // what the shelf had no room for: in this page only
  sending: false,
  again: false,
  version: 0,
  wait: 0,
  timer: 0,
  trouble: "",
  onSaved: () => {},
  onCount: () => {},

  async open() {
    this.shelf = await openShelf();
    window.addEventListener("online", () => this.hurry());
    window.addEventListener("beforeunload", (event) => {
      if (this.waiting && !settings.offline) event.preventDefault();
    });
    await this.count();
  },

  // Everything that waits and is this judge's; labels of another judge wait for that judge's link.
  async entries() {
    await this.adding;
    const all = [...(await this.shelf.all()), ...this.spare];
    this.others = all.filter((entry) => entry.judge !== settings.judge).length;
    return all.filter((entry) => entry.judge === settings.judge);
  },

  // Acts stay in the order they were made, whatever else is going on.
  add(entry) {
    this.waiting += 1;
    this.version += 1;
    this.show();
    this.adding = this.adding.then(() => this.shelf.add(entry)).catch(() => this.spare.push({ ...entry, place: `spare ${newKey()}` }));
    this.adding.then(() => this.count());
    this.send();
    return this.adding;
  },

  async change(entries, gone) {
    const isSpare = (place) => typeof place === "string";
    const changed = new Map(entries.map((entry) => [entry.place, entry]));
    this.spare = this.spare.filter((one) => one.place !== gone).map((one) => changed.get(one.place) ?? one);
    await this.shelf.change(entries.filter((entry) => !isSpare(entry.place)), isSpare(gone) ? undefined : gone);
  },

  async count() {
    // Whatever is added meanwhile counts: the page must not say "saved" of what is not.
    let entries;
    let version;
    do {
      version = this.version;
      entries = await this.entries();
    } while (version !== this.version);
    this.waiting = entries.filter((entry) => !entry.refused).length;
    this.refused = entries.filter((entry) => entry.refused);
    this.onCount(entries);
    this.show();
    return entries;
  },

  hurry() {
    clearTimeout(this.timer);
    this.wait = 0;
    this.send();
  },

  async send() {
    // What came while the last of all was being sent is sent as well.
    this.again = true;
    if (this.sending || settings.offline) return;
    this.sending = true;
    clearTimeout(this.timer);
    try {
      // Of several tabs one sends at a time; where that cannot be arranged, the keys make it harmless.
      const all = () => this.sendAll();
      while (this.again) {
        this.again = false;
        await (navigator.locks ? navigator.locks.request(`cranfield-${settings.project}-outbox`, all) : all());
      }
    } finally {
      this.sending = false;
      this.show();
    }
  },

  async sendAll() {
    for (;;) {
      const entry = (await this.entries()).find((one) => !one.refused && !one.conflict);
      if (!entry) {
        this.trouble = "";
        return;
      }
      const outcome = await this.post(entry);
      if (outcome === "later") {
        this.wait = Math.min(MOST_WAIT, Math.max(1000, this.wait * 2));
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.send(), this.wait);
        return;
      }
      if (outcome === "stop") return;
      this.wait = 0;
      await this.count();
    }
  },

  async post(entry) {
    const { place, judge, title, after, project, ...body } = entry;
    let answer;
    let told = {};
    const patience = new AbortController();
    const over = setTimeout(() => patience.abort(), PATIENCE);
    try {
      answer = await fetch("/label", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal: patience.signal, cache: "no-store" });
      told = await answer.json().catch(() => ({}));
    } catch {
      this.trouble = "No connection to the server. Your labels are kept in this browser and are sent when it is back.";
      return "later";
    } finally {
      clearTimeout(over);
    }
    if (answer.ok && told.seq) return this.saved(entry, told);
    if (answer.status === 401) {
      this.trouble = "Your link is no longer valid here. Open your link again: what is waiting is then saved.";
      return "stop";
    }
    if (answer.status === 409 && "current" in told) return this.disputed(entry, told);
    if (answer.status >= 500 || answer.status === 429 || answer.status === 408) {
      this.trouble = told.message ?? "The server cannot save at the moment. Your labels are kept in this browser and are sent again.";
      return "later";
    }
    await this.change([{ ...entry, refused: told.message ?? `The server refused this label (${answer.status}).` }]);
    return "next";
  },

  // Gone from the shelf in the same step in which acts on the same card learn what they replace.
  async saved(entry, told) {
    this.trouble = "";
    const rest = (await this.entries()).filter((one) => one.after === entry.key);
    await this.change(rest.map((one) => ({ ...one, before: told.current ? told.current.seq : null, after: null })), entry.place);
    this.onSaved(entry, told);
    return "next";
  },

  async disputed(entry, told) {
    const current = told.current;
    await this.change([{ ...entry, conflict: current ?? { seq: null, kind: "clear", grade: null } }]);
    return "next";
  },

  // Which of two labels counts: this one, as an act of its own that has seen the other, or the other.
  async settle(entry, mine) {
    const { place, conflict, ...rest } = entry;
    if (mine) await this.change([{ ...rest, place, key: newKey(), before: conflict.seq, after: null }]);
    else await this.change([], place);
    await this.count();
    this.hurry();
  },

  async discard(entry) {
    await this.change([], entry.place);
    await this.count();
  },

  async download() {
    const entries = await this.entries();
    const text = JSON.stringify({ cranfield: "labels", project: settings.project, judge: settings.judge, labels: entries.map(({ place, conflict, refused, judge, ...entry }) => entry) }, null, 1);
    download(`labels-${settings.name ?? settings.judge}.json`, text, "application/json");
  },

  waiting: 0,
  refused: [],
  others: 0,
  everSaved: 0,

  // The corner of the page: saved only when it is.
  show() {
    const sign = byId("saved");
    const count = this.waiting;
    const text = count ? `${count} waiting to be saved` : this.everSaved ? "saved" : "nothing to save yet";
    const kept = settings.offline && count ? "kept in this browser" : text;
    if (sign.textContent !== kept) sign.textContent = kept;
    sign.classList.toggle("waits", count > 0 && !settings.offline);
    const notes = [];
    if (count && this.trouble) notes.push(html("p", {}, this.trouble));
    if (this.spare.length || (this.shelf && !this.shelf.lasting)) notes.push(html("p", {}, "This browser keeps nothing when the page is closed: keep it open until everything is saved."));
    if (this.others) notes.push(html("p", {}, `${counted(this.others, "label")} of another judge wait${this.others === 1 ? "s" : ""} in this browser; they are sent when that judge opens their link here.`));
    for (const entry of this.refused) notes.push(html("p", {}, `Not saved: ${entry.title || `item ${entry.item}`}. ${entry.refused} `, html("button", { type: "button", class: "small", onclick: () => this.discard(entry) }, "Discard it")));
    if ((count && this.trouble) || this.refused.length) notes.push(html("p", {}, html("button", { type: "button", class: "small", onclick: () => this.download() }, "Download what is waiting")));
    const box = byId("trouble");
    const before = box.textContent;
    const holder = html("div", {}, ...notes);
    if (before !== holder.textContent) box.replaceChildren(...holder.childNodes);
    box.hidden = !notes.length;
  },
};
