// The keyboard: nothing happens while somebody types.

const KEYS = {
  j: ["next query", () => stepTo(1)],
  k: ["previous query", () => stepTo(-1)],
  "/": ["search queries", () => (byId("queries").scrollIntoView(), byId("search").focus())],
  w: ["only queries that got worse, or all queries", () => hasPair() && choose({ only: state.only === "worse" ? "" : "worse" })],
  a: ["show all queries", clearFilters],
  l: ["copy a link to what is shown", () => copy(location.href, "The link")],
  "?": ["this list", () => byId("help").showModal()],
  Escape: ["close", leave],
};

function stepTo(by) {
  step(by);
  showQuery();
}

function leave() {
  if (document.activeElement === byId("search")) return byId("search").blur();
  choose({ query: -1 });
}

function startKeys() {
  const list = html("dl", {}, ...Object.entries(KEYS).map(([key, [what]]) => html("div", {}, html("dt", {}, html("kbd", {}, key === "Escape" ? "Esc" : key)), html("dd", {}, what))));
  byId("help").append(html("h2", { id: "help-title" }, "Keyboard shortcuts"), list, html("form", { method: "dialog" }, html("button", {}, "Close")));
  byId("keys").hidden = false;
  byId("keys").addEventListener("click", () => byId("help").showModal());
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input, select, textarea");
    if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open || (typing && event.key !== "Escape")) return;
    if (!(event.key in KEYS)) return;
    event.preventDefault();
    KEYS[event.key][1]();
  });
}
