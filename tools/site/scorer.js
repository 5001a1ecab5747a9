/* Which of the pages that have all words of a search come first; by themselves, Sphinx's results are mostly equal. */
var Scorer = {
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,

  score: ([page, title, , description, score]) => {
    const query = (new URLSearchParams(location.search).get("q") || "").toLowerCase();
    // Somebody who pastes a message of ours looks for its page; nobody else does.
    const message = /['":]|\bline \d/.test(query);
    if (page.startsWith("errors/")) return score + (message ? 10 : -6);
    if (/^(decisions|benchmarks)\/|^(changelog|contributing|releasing|architecture)$/.test(page)) return score - 6;
    if (/^(index|start|tasks|understand|reference|project)$/.test(page)) return score - 2;
    if (description && /attribute|property|option/.test(description)) return score - 12;
    const words = title.toLowerCase().split(/[^\p{L}\p{N}_]+/u);
    return score + 4 * query.split(/\s+/).filter((word) => words.includes(word)).length;
  },
};
