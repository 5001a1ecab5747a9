// How a score is calculated, term by term. The sum is shown only where it is the library's score: what Python says counts.

function hitsOf(found, system, spec) {
  const within = spec.cutoff ?? Infinity;
  return [...found.ranks[system]]
    .filter(([document, rank]) => rank > 0 && rank <= within && found.grades[document] !== null)
    .map(([document, rank]) => ({ document, rank, grade: found.grades[document] }))
    .sort((one, other) => one.rank - other.rank);
}

const discount = (rank) => 1 / Math.log2(rank + 1);

const WORKINGS = {
  gain(found, system, spec) {
    const gainOf = (grade) => spec.gains[found.allGrades.indexOf(grade)];
    const terms = hitsOf(found, system, spec)
      .map((hit) => ({ ...hit, gain: gainOf(hit.grade) }))
      .filter((hit) => hit.gain > 0)
      .map((hit) => ({ ...hit, value: hit.gain * discount(hit.rank), cells: [String(hit.gain), discount(hit.rank).toFixed(4)] }));
    const best = Array.from(found.counts).flatMap((count, number) => Array(count).fill(spec.gains[number]));
    best.sort((one, other) => other - one);
    const ideal = spec.normalised ? best.slice(0, spec.cutoff ?? best.length).reduce((sum, gain, at) => sum + Math.max(gain, 0) * discount(at + 1), 0) : null;
    return { heads: ["gain", "discount", "product"], terms, over: ideal, named: "DCG", overNamed: "DCG of the ideal ranking" };
  },
  precision(found, system, spec) {
    const hits = hitsOf(found, system, spec).filter((hit) => hit.grade >= spec.rel);
    const terms = hits.map((hit, at) => ({ ...hit, value: (at + 1) / hit.rank, cells: [`${at + 1}/${hit.rank}`] }));
    return { heads: ["found / rank", "precision"], terms, over: relevantOf(found, spec), named: "sum", overNamed: "relevant documents" };
  },
  first(found, system, spec) {
    const hits = hitsOf(found, system, spec).filter((hit) => hit.grade >= spec.rel).slice(0, 1);
    return { heads: ["1 / rank", "value"], terms: hits.map((hit) => ({ ...hit, value: 1 / hit.rank, cells: [`1/${hit.rank}`] })), over: null, named: "value" };
  },
  count(found, system, spec) {
    const hits = hitsOf(found, system, spec).filter((hit) => hit.grade >= spec.rel);
    const over = spec.over === "cutoff" ? spec.cutoff : relevantOf(found, spec);
    return { heads: ["counts"], terms: hits.map((hit) => ({ ...hit, value: 1, cells: [] })), over, named: "relevant documents found", overNamed: spec.over === "cutoff" ? "ranks" : "relevant documents" };
  },
};

const relevantOf = (found, spec) => found.allGrades.reduce((sum, grade, number) => sum + (grade >= spec.rel ? found.counts[number] : 0), 0);

function workingOf(found, system, query) {
  const spec = data.measures[state.measure].working;
  if (!spec || !found) return null;
  const working = WORKINGS[spec.kind](found, system, spec);
  const total = working.terms.reduce((sum, term) => sum + term.value, 0);
  const result = working.over === null ? total : total / working.over;
  const score = scoresOf(state.measure, system)[query];
  const near = data.exact ? 1e-9 : 6e-5;
  return Math.abs(result - score) <= near ? { ...working, total, score } : null;
}

function drawWorking(found, system, query) {
  const working = workingOf(found, system, query);
  const command = explainCommand(system, query);
  const box = html("div", { class: "working" }, html("h3", {}, bdi(data.systems[system], 40)));
  if (working) {
    const number = (value) => (Math.abs(value) < 5e-5 ? 0 : value).toFixed(4);
    const rows = working.terms.map((term) =>
      html(
        "tr",
        {},
        html("td", { class: "number" }, String(term.rank)),
        html("th", { scope: "row", class: "name" }, ...called(found, term.document, 60)),
        html("td", { class: "number" }, String(term.grade)),
        ...term.cells.map((text) => html("td", { class: "number" }, text)),
        html("td", { class: "number" }, number(term.value)),
      ),
    );
    const heads = ["rank", "document", "grade", ...working.heads];
    box.append(
      html("div", { class: "wide", tabindex: "0", role: "region", "aria-label": `Terms of ${seen(data.systems[system], 40)}` }, html("table", {}, html("caption", { class: "aside" }, "What each document adds"), html("thead", {}, html("tr", {}, ...heads.map((name, at) => html("th", { scope: "col", class: at === 1 ? null : "number" }, name)))), html("tbody", {}, ...rows))),
      html("p", {}, `${working.named} = ${number(working.total)}`, working.over === null ? "" : `, divided by ${number(working.over).replace(/\.0000$/, "")} (${working.overNamed})`, ` = `, html("b", {}, shown(working.score))),
    );
    if (!working.terms.length) box.querySelector("table").replaceWith(html("p", { class: "soft" }, "No document adds anything."));
  } else {
    box.append(html("p", {}, `Score ${shown(scoresOf(state.measure, system)[query])}. The calculation is not in this page`, command ? "; this command shows it:" : "."));
  }
  if (command) box.append(html("pre", { tabindex: "0", "aria-label": "Command" }, html("code", {}, visible(command))));
  return box;
}

const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`);

function explainCommand(system, query) {
  if (!data.files || !data.files.judgments || !data.files.runs[system]) return "";
  return ["cranfield", "explain", data.files.judgments, data.files.runs[system], "--query", data.queries[query], "-m", data.measures[state.measure].name].map(quoted).join(" ");
}
