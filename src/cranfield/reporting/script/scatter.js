// Each query a point: its score under the baseline, and under the run.

function scatter(holder) {
  const drawing = svg("svg", { class: "scatter", role: "img", "aria-labelledby": "scatter-title" });
  const title = svg("title", { id: "scatter-title" });
  const frame = svg("g", { class: "frame" });
  const rest = svg("g", { class: "rest" });
  const kept = svg("g", { class: "kept" });
  const one = svg("circle", { class: "one", r: 7 });
  const part = svg("rect", { class: "part" });
  drawing.append(title, frame, rest, kept, one, part);
  holder.append(drawing);
  const margin = { left: 46, right: 12, top: 12, bottom: 42 };
  let width = 0;
  let height = 0;
  let scale = null;

  const x = (value) => margin.left + ((value - scale.low) / (scale.high - scale.low)) * (width - margin.left - margin.right);
  const y = (value) => height - margin.bottom - ((value - scale.low) / (scale.high - scale.low)) * (height - margin.top - margin.bottom);
  const atX = (place) => scale.low + ((place - margin.left) / (width - margin.left - margin.right)) * (scale.high - scale.low);
  const atY = (place) => scale.low + ((height - margin.bottom - place) / (height - margin.top - margin.bottom)) * (scale.high - scale.low);

  function size() {
    width = holder.clientWidth;
    height = Math.min(width, 440);
    drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    drawing.setAttribute("height", height);
  }

  function drawFrame() {
    const both = ends([...ends(chosen.base), ...ends(chosen.run)]);
    scale = axis(...both);
    const [baseline, run] = [data.systems[state.baseline], data.systems[state.run]].map((name) => seen(name, 30));
    const lines = scale.ticks.flatMap((tick) => [
      svg("line", { class: "grid", x1: x(tick), x2: x(tick), y1: y(scale.low), y2: y(scale.high) }),
      svg("line", { class: "grid", y1: y(tick), y2: y(tick), x1: x(scale.low), x2: x(scale.high) }),
      svg("text", { x: x(tick), y: height - margin.bottom + 16, "text-anchor": "middle" }, scale.label(tick)),
      svg("text", { x: margin.left - 6, y: y(tick) + 4, "text-anchor": "end" }, scale.label(tick)),
    ]);
    const better = isLower() ? [0.97, 0.05, "end"] : [0.03, 0.96, "start"];
    const worse = isLower() ? [0.03, 0.96, "start"] : [0.97, 0.05, "end"];
    const corner = ([across, up, anchor], words) =>
      svg("text", { class: "corner", x: x(scale.low + across * (scale.high - scale.low)), y: y(scale.low + up * (scale.high - scale.low)) + 4, "text-anchor": anchor }, words);
    frame.replaceChildren(
      ...lines,
      svg("line", { class: "diagonal", x1: x(scale.low), y1: y(scale.low), x2: x(scale.high), y2: y(scale.high) }),
      corner(better, `${run} better`),
      corner(worse, `${run} worse`),
      svg("text", { class: "label", x: (margin.left + width - margin.right) / 2, y: height - 6, "text-anchor": "middle" }, `${baseline} →`),
      svg("text", { class: "label", transform: `rotate(-90 11 ${height / 2 - 12})`, x: 11, y: height / 2 - 12, "text-anchor": "middle" }, `${run} →`),
    );
    title.textContent = `${data.measures[state.measure].name} of ${run} against ${baseline}: a point for each of ${counted(data.queries.length, "query", "queries")}. The list below has the numbers.`;
  }

  function drawPoints() {
    const points = (wanted) => chosen.byMoved.filter((at) => chosen.isKept[at] === wanted).map((at) => [x(chosen.base[at]), y(chosen.run[at])]);
    const many = data.queries.length;
    drawing.classList.toggle("many", many > 400);
    const width = many > 3000 ? 3.5 : many > 400 ? 5 : 8;
    dots(rest, points(0), width);
    dots(kept, points(1), width);
    drawOne();
    drawPart();
  }

  function drawOne() {
    const known = state.query >= 0 && !Number.isNaN(chosen.moved[state.query]);
    one.toggleAttribute("hidden", !known);
    if (known) filled(one, { cx: x(chosen.base[state.query]), cy: y(chosen.run[state.query]) }, []);
  }

  function drawPart() {
    part.toggleAttribute("hidden", !(state.x && state.y));
    if (state.x && state.y) box([x(state.x[0]), y(state.y[0])], [x(state.x[1]), y(state.y[1])]);
  }

  function box(from, to) {
    part.removeAttribute("hidden");
    filled(part, {
      x: Math.min(from[0], to[0]),
      y: Math.min(from[1], to[1]),
      width: Math.abs(to[0] - from[0]),
      height: Math.abs(to[1] - from[1]),
    }, []);
  }

  function near([left, top]) {
    let best = -1;
    let least = 14 * 14;
    for (const at of chosen.kept) {
      const apart = (x(chosen.base[at]) - left) ** 2 + (y(chosen.run[at]) - top) ** 2;
      if (apart < least) [best, least] = [at, apart];
    }
    return best;
  }

  const sorted = (one, other) => (one < other ? [one, other] : [other, one]);
  brushed(drawing, {
    near,
    mark: box,
    done: (from, to) => choose({ x: sorted(atX(from[0]), atX(to[0])), y: sorted(atY(from[1]), atY(to[1])) }),
    clicked: (at) => (at >= 0 ? choose({ query: at }) : choose({ x: null, y: null })),
  });

  return {
    draw() {
      size();
      drawFrame();
      drawPoints();
    },
    filter: drawPoints,
    point: drawOne,
  };
}
