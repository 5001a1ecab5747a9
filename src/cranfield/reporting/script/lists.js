// Ranked lists: see lists.py, which packs them. They are unpacked when a query is first looked into.

const UNJUDGED = 0xffff;
let lists = null;
let unpacking = null;

function withLists() {
  unpacking ??= Promise.all([unpacked("lists"), unpacked("documents")]).then(([found, texts]) => {
    lists = found ? indexed(found, texts) : { of: () => null };
    return lists;
  });
  return unpacking;
}

function indexed({ meta, columns }, texts) {
  const systems = data.systems.length;
  const place = new Map(Array.from(columns.queries, (query, at) => [query, at]));
  const firstDocument = [0];
  const firstEntry = [0];
  for (let at = 0; at < place.size; at++) {
    firstDocument.push(firstDocument[at] + meta.documents[at].length);
    let entries = firstEntry[at];
    for (let system = 0; system < systems; system++) entries += columns.lengths[at * systems + system];
    firstEntry.push(entries);
  }
  const isRelevant = (grade) => grade !== null && grade >= meta.relevant;
  let firstDeeper = null;

  function deeperFrom(at) {
    // Where a query's deeper ranks begin depends on all before it, so it is found once, for all.
    firstDeeper ??= deeperBegins();
    return firstDeeper[at];
  }

  function deeperBegins() {
    const begins = [0];
    for (let at = 0; at < place.size; at++) {
      let count = 0;
      let entry = firstEntry[at];
      const grades = columns.grades.subarray(firstDocument[at], firstDocument[at + 1]);
      let relevant = 0;
      for (const number of grades) if (number !== UNJUDGED && isRelevant(meta.grades[number])) relevant += 1;
      for (let system = 0; system < systems; system++) {
        const length = columns.lengths[at * systems + system];
        let held = 0;
        for (let rank = 0; rank < length; rank++) {
          const number = grades[columns.orders[entry + rank]];
          if (number !== UNJUDGED && isRelevant(meta.grades[number])) held += 1;
        }
        entry += length;
        count += relevant - held;
      }
      begins.push(begins[at] + count);
    }
    return begins;
  }

  function of(query) {
    if (!place.has(query)) return null;
    const at = place.get(query);
    const ids = meta.documents[at];
    const numbers = columns.grades.subarray(firstDocument[at], firstDocument[at + 1]);
    const grades = Array.from(numbers, (number) => (number === UNJUDGED ? null : meta.grades[number]));
    let entry = firstEntry[at];
    let deep = deeperFrom(at);
    const ranks = [];
    const orders = [];
    for (let system = 0; system < systems; system++) {
      const length = columns.lengths[at * systems + system];
      const order = Array.from(columns.orders.subarray(entry, entry + length));
      entry += length;
      const rank = new Map(order.map((document, place) => [document, place + 1]));
      grades.forEach((grade, document) => {
        if (isRelevant(grade) && !rank.has(document)) rank.set(document, columns.deeper[deep++]);
      });
      orders.push(order);
      ranks.push(rank);
    }
    const counts = columns.counts.subarray(at * meta.grades.length, (at + 1) * meta.grades.length);
    const about = (document) => {
      const from = firstDocument[at] + document;
      return texts ? { title: texts.meta.texts[texts.columns.titles[from]], text: texts.meta.texts[texts.columns.snippets[from]] } : { title: "", text: "" };
    };
    return { ids, grades, orders, ranks, counts, allGrades: meta.grades, isRelevant, about };
  }

  return { of, depth: meta.depth };
}
