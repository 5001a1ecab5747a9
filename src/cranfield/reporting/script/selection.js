// The queries: their scores under what is chosen, which of them are wanted, and in which order they are listed.

const chosen = { base: null, run: null, moved: null, gain: null, kept: [], isKept: null, order: [], byMoved: [] };

function scoresOf(measure, system) {
  const count = data.queries.length;
  return data.scores[measure].subarray(system * count, (system + 1) * count);
}

const isLower = () => data.measures[state.measure].lower;
const hasPair = () => data.systems.length > 1;

// Every query's scores of baseline and run, what the run gains, and all queries from the largest gain to the largest loss.
function compareQueries() {
  const count = data.queries.length;
  chosen.run = scoresOf(state.measure, state.run);
  chosen.base = hasPair() ? scoresOf(state.measure, state.baseline) : null;
  chosen.moved = hasPair() ? Float64Array.from(chosen.run, (score, at) => score - chosen.base[at]) : Float64Array.from(chosen.run);
  chosen.gain = isLower() && hasPair() ? chosen.moved.map((value) => -value) : chosen.moved;
  const known = Array.from({ length: count }, (_, at) => at).filter((at) => !Number.isNaN(chosen.gain[at]));
  chosen.byMoved = known.sort((one, other) => chosen.gain[other] - chosen.gain[one] || one - other);
}

const TOLERANCE = 5e-7; // ends of ranges are written with four decimals, and then some

function within(value, ends, slack = 5e-5 + TOLERANCE) {
  return !ends || (value >= Math.min(...ends) - slack && value <= Math.max(...ends) + slack);
}

function direction(at) {
  const gain = chosen.gain[at];
  if (Number.isNaN(gain)) return "";
  return gain > data.tie ? "better" : gain < -data.tie ? "worse" : "equal";
}

function matches(at, words) {
  if (!words.length) return true;
  const text = `${data.queries[at]} ${data.texts ? data.texts[at] : ""}`.toLocaleLowerCase();
  return words.every((word) => text.includes(word));
}

function sliceOf(text) {
  try {
    const [column, value] = JSON.parse(text);
    return [String(column), String(value)];
  } catch {
    return ["", ""];
  }
}

function inSlice(at) {
  if (!state.slice || !data.slices) return true;
  const [column, value] = sliceOf(state.slice);
  const of = data.slices[column];
  return !of || of.values[of.of[at]] === value;
}

function filterQueries() {
  const words = state.search.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const count = data.queries.length;
  chosen.isKept = new Uint8Array(count);
  chosen.kept = [];
  for (let at = 0; at < count; at++) {
    const wanted =
      (!state.only || direction(at) === state.only) &&
      (!hasPair() || within(chosen.base[at], state.x)) &&
      within(chosen.run[at], hasPair() ? state.y : null) &&
      within(chosen.moved[at], state.d) &&
      inSlice(at) &&
      matches(at, words);
    if (!wanted) continue;
    chosen.isKept[at] = 1;
    chosen.kept.push(at);
  }
}

function sortQueries() {
  const lowest = (value) => (Number.isNaN(value) ? Infinity : value);
  const system = /^s(\d+)$/.exec(state.sort);
  let by = (at) => at;
  if (state.sort === "difference") by = (at) => lowest(chosen.gain[at]);
  else if (system && Number(system[1]) < data.systems.length) {
    const scores = scoresOf(state.measure, Number(system[1]));
    by = (at) => lowest(scores[at]);
  }
  const sign = state.down ? -1 : 1;
  chosen.order = [...chosen.kept].sort((one, other) => sign * (by(one) - by(other)) || one - other);
}

const isFiltered = () => Boolean(state.search || state.only || state.x || state.y || state.d || state.slice);

function step(by) {
  if (!chosen.order.length) return;
  const at = chosen.order.indexOf(state.query);
  const next = at < 0 ? (by > 0 ? 0 : chosen.order.length - 1) : Math.min(Math.max(at + by, 0), chosen.order.length - 1);
  choose({ query: chosen.order[next] });
}

function nameOf(at) {
  const text = data.texts && data.texts[at] ? ` ${begun(data.texts[at], 70)}` : "";
  return `${seen(data.queries[at], 40)}${text}`;
}
