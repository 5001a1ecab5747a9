/* What the search does beyond Sphinx's: which of the pages that have all words of a query come first, names of measures
   with their cutoff, and messages that somebody pastes. MESSAGES is made by error_pages.py. */
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
    const query = Pasted.query;
    // Somebody who pastes a message of ours looks for its page; nobody else does.
    if (page.startsWith("errors/")) return score + (Pasted.looksLikeOne(query) ? 10 : -6);
    if (/^(decisions|benchmarks)\/|^(changelog|contributing|releasing|architecture)$/.test(page)) return score - 6;
    if (/^(index|start|tasks|understand|reference|project|gallery)$/.test(page)) return score - 2;
    if (description && /attribute|property|option/.test(description)) return score - 40;
    if (description && /method/.test(description)) return score - 12;
    // A page whose words of search are these has 100 or so: what a guide is called comes before names in the code.
    const words = Pasted.words(title);
    return score + 4 * Pasted.words(query).filter((word) => words.includes(word)).length;
  },
};

const Pasted = {
  query: "",
  MOST: 3,
  // Parts of messages are more alike than this, and questions less, which have no quotes and colons.
  LIKE: 0.4,
  LIKE_IF_QUOTED: 0.3,
  words: (text) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) || [],
  looksLikeOne: (query) => /['":]|\bline \d/.test(query),

  /* The words of a text and each two that follow each other. */
  terms: (text) => {
    const words = Pasted.words(text);
    return new Set([...words, ...words.slice(1).map((word, at) => `${words[at]} ${word}`)]);
  },

  /* What terms tell together: what stands in many messages, such as the name of a file, tells little. */
  weights: () => {
    const known = new Map();
    for (const [, , , text] of MESSAGES)
      for (const term of Pasted.terms(text)) known.set(term, (known.get(term) || 0) + 1);
    return (terms) =>
      terms.reduce((sum, term) => sum + (known.has(term) ? Math.log(MESSAGES.length / known.get(term)) : 0), 0);
  },

  /* The messages most like a query of five words or more, best first: shared terms, by how much they tell. */
  messages: (query) => {
    const asked = Pasted.terms(query);
    const quoted = Pasted.looksLikeOne(query);
    if (new Set(Pasted.words(query)).size < 5 && !quoted) return [];
    const weight = Pasted.weights();
    const whole = weight([...asked]);
    const shared = (terms) => weight([...terms].filter((term) => asked.has(term)));
    return MESSAGES.map((message) => {
      const [, , title, text] = message;
      const first = Pasted.terms(text.split("\n")[0]);
      // The first line says what is wrong; what else there is counts where it was asked for.
      const rest = shared(Pasted.terms(`${title} ${text}`)) - shared(first);
      return [message, (shared(first) + rest / 2) / Math.sqrt(whole * weight([...first]) || 1)];
    })
      .filter(([, alike]) => alike >= (quoted ? Pasted.LIKE_IF_QUOTED : Pasted.LIKE))
      .sort(([, one], [, other]) => other - one)
      .slice(0, Pasted.MOST);
  },
};

/* What is shown last comes first. */
const byPages = Search._performSearch;
Search._performSearch = (query, ...terms) => {
  const messages = Pasted.messages(query).map(([[page, place, title, text], alike]) => {
    const at = Search._index.docnames.indexOf(page);
    return [page, title, place && `#${place}`, text.split("\n")[0], 100 * alike, Search._index.filenames[at], "text"];
  });
  const pages = byPages(query, ...terms).filter(([page]) => !messages.some(([same]) => same === page));
  return [...pages, ...messages.reverse()];
};

/* map@10 and recall@k are found as map and recall. */
const asTyped = Search.query;
Search.query = (query) => {
  Pasted.query = query.replace(/@(k|\d+(\.\d+)?)(?=\W|$)/gi, "").toLowerCase();
  asTyped(Pasted.query);
};
