// What is chosen, kept in the address so that a link leads back to it.

const state = { measure: 0, baseline: -1, run: 0, query: -1, search: "", only: "", x: null, y: null, d: null, slice: "", sort: "difference", down: false };
const listeners = [];
let data = null;

const onChange = (listener) => listeners.push(listener);

function choose(changes) {
  const before = { ...state };
  Object.assign(state, changes);
  if (state.run === state.baseline && data.systems.length > 1) {
    state.run = before.baseline !== state.baseline && before.baseline >= 0 ? before.baseline : state.baseline ? 0 : 1;
  }
  const changed = new Set(Object.keys(state).filter((name) => state[name] !== before[name]));
  if (!changed.size) return;
  write();
  for (const listener of listeners) listener(changed);
}

const LONG = 80;
const named = (names, at) => (names[at].length > LONG ? `#${at}` : names[at]);

function placed(names, name) {
  const at = names.indexOf(name);
  if (at >= 0) return at;
  const number = /^#(\d+)$/.exec(name);
  return number && Number(number[1]) < names.length ? Number(number[1]) : -1;
}

const range = (ends) => ends.map((end) => Number(end.toFixed(4))).join("..");
const ranged = (text) => {
  const ends = text.split("..").map(Number);
  return ends.length === 2 && ends.every(Number.isFinite) ? ends : null;
};

function write() {
  const told = new URLSearchParams();
  if (state.measure !== data.first.measure) told.set("measure", data.measures[state.measure].name);
  if (state.baseline !== data.first.baseline) told.set("baseline", named(data.systems, state.baseline));
  if (state.run !== data.first.run) told.set("run", named(data.systems, state.run));
  for (const name of ["search", "only", "slice"]) if (state[name]) told.set(name, state[name]);
  for (const name of ["x", "y", "d"]) if (state[name]) told.set(name, range(state[name]));
  if (state.sort !== "difference") told.set("sort", state.sort);
  if (state.down) told.set("down", "1");
  if (state.query >= 0) told.set("query", named(data.queries, state.query));
  const text = told.toString();
  history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
}

function read() {
  const told = new URLSearchParams(location.hash.slice(1));
  const chosen = { ...data.first, query: -1, search: "", only: "", x: null, y: null, d: null, slice: "", sort: "difference", down: false };
  const place = (name, names, key, allowed = () => true) => {
    const at = told.has(name) ? placed(names, told.get(name)) : -1;
    if (at >= 0 && allowed(at)) chosen[key] = at;
  };
  place("measure", data.measures.map((measure) => measure.name), "measure");
  place("baseline", data.systems, "baseline", (at) => data.baselines.includes(at));
  place("run", data.systems, "run");
  place("query", data.queries, "query");
  chosen.search = told.get("search") ?? "";
  chosen.slice = told.get("slice") ?? "";
  if (["better", "equal", "worse"].includes(told.get("only"))) chosen.only = told.get("only");
  for (const name of ["x", "y", "d"]) if (told.has(name)) chosen[name] = ranged(told.get(name));
  if (told.has("sort")) chosen.sort = told.get("sort");
  chosen.down = told.get("down") === "1";
  return chosen;
}
