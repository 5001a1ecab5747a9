// Each query a bar, from the largest gain to the largest loss; of one system alone, from the best score to the worst.

function differences(holder) {
  const drawing = svg("svg", { class: "differences", role: "img", "aria-labelledby": "differences-title" });
  const title = svg("title", { id: "differences-title" });
  const frame = svg("g", { class: "frame" });
  const bars = Object.fromEntries(
    ["up rest", "down rest", "up kept", "down kept", "one"].map((name) => [name, svg("path", { class: `bar ${name}` })]),
  );
  const part = svg("rect", { class: "part" });
  drawing.append(title, frame, ...Object.values(bars), part);
  holder.append(drawing);
  const margin = { left: 46, right: 8, top: 12, bottom: 26 };
  let width = 0;
  let height = 300;
  let scale = null;

  const room = () => width - margin.left - margin.right;
  const x = (place) => margin.left + ((place + 0.5) / Math.max(chosen.byMoved.length, 1)) * room();
  const y = (value) => height - margin.bottom - ((value - scale.low) / (scale.high - scale.low)) * (height - margin.top - margin.bottom);
  const placeAt = (left) => Math.min(Math.max(Math.floor(((left - margin.left) / room()) * chosen.byMoved.length), 0), chosen.byMoved.length - 1);

  function drawFrame() {
    width = holder.clientWidth;
    // As high as the drawing at its side, if there is one.
    height = window.matchMedia("(min-width: 56rem)").matches && hasPair() ? byId("scatter").firstChild.clientHeight : 300;
    drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    drawing.setAttribute("height", height);
    const [low, high] = ends(chosen.moved);
    scale = axis(Math.min(low, 0), Math.max(high, 0), 6);
    const [baseline, run] = [data.systems[Math.max(state.baseline, 0)], data.systems[state.run]].map((name) => seen(name, 30));
    const sides = hasPair() ? ["largest gain", "largest loss"] : ["best", "worst"];
    frame.replaceChildren(
      ...scale.ticks.flatMap((tick) => [
        svg("line", { class: tick ? "grid" : "zero", x1: margin.left, x2: width - margin.right, y1: y(tick), y2: y(tick) }),
        svg("text", { x: margin.left - 6, y: y(tick) + 4, "text-anchor": "end" }, scale.label(tick)),
      ]),
      svg("text", { class: "label", x: margin.left, y: height - 6 }, `← ${sides[0]}`),
      svg("text", { class: "label", x: width - margin.right, y: height - 6, "text-anchor": "end" }, `${sides[1]} →`),
    );
    title.textContent = hasPair()
      ? `${data.measures[state.measure].name} of ${run} minus ${baseline}: a bar for each query, largest gain first. The list below has the numbers.`
      : `${data.measures[state.measure].name} of ${run}: a bar for each query, best first. The list below has the numbers.`;
    const each = room() / Math.max(chosen.byMoved.length, 1);
    for (const bar of Object.values(bars)) bar.setAttribute("stroke-width", each > 3 ? each - 1 : Math.max(each, 0.6));
  }

  function drawBars() {
    const zero = round(y(0));
    const paths = { "up rest": [], "down rest": [], "up kept": [], "down kept": [] };
    chosen.byMoved.forEach((at, place) => {
      const value = chosen.moved[at];
      // What is equal still has its place, and shows that it is there.
      const end = value ? round(y(value)) : zero - 0.8;
      paths[`${chosen.gain[at] >= 0 ? "up" : "down"} ${chosen.isKept[at] ? "kept" : "rest"}`].push(`M${round(x(place))} ${zero}V${end}`);
    });
    for (const [name, lines] of Object.entries(paths)) bars[name].setAttribute("d", lines.join(""));
    drawOne();
    drawPart();
  }

  function drawOne() {
    const place = chosen.byMoved.indexOf(state.query);
    bars.one.setAttribute("d", place < 0 ? "" : `M${round(x(place))} ${margin.top}V${height - margin.bottom}`);
  }

  function between(left, right) {
    part.removeAttribute("hidden");
    filled(part, { x: Math.min(left, right), width: Math.abs(right - left), y: margin.top, height: height - margin.top - margin.bottom }, []);
  }

  function drawPart() {
    part.toggleAttribute("hidden", !state.d);
    if (!state.d) return;
    const inside = chosen.byMoved.map((at, place) => [at, place]).filter(([at]) => within(chosen.moved[at], state.d));
    if (!inside.length) return part.toggleAttribute("hidden", true);
    between(x(inside[0][1] - 0.5), x(inside[inside.length - 1][1] + 0.5));
  }

  brushed(drawing, {
    near: ([left]) => (chosen.byMoved.length && left >= margin.left - 2 && left <= width - margin.right + 2 ? chosen.byMoved[placeAt(left)] : -1),
    mark: ([left], [right]) => between(left, right),
    done: ([left], [right]) => {
      const values = [left, right].map((place) => chosen.moved[chosen.byMoved[placeAt(place)]]);
      choose({ d: [Math.min(...values), Math.max(...values)] });
    },
    clicked: (at) => (at >= 0 ? choose({ query: at }) : choose({ d: null })),
  });

  return {
    draw() {
      drawFrame();
      drawBars();
    },
    filter: drawBars,
    point: drawOne,
  };
}
