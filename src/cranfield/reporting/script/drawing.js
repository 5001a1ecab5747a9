// What the drawings of queries share: a scale, a place to point at, a part to mark.

function axis(low, high, ticks = 5) {
  if (!(high - low > 1e-12)) [low, high] = [low - 0.5, high + 0.5];
  const least = (high - low) / ticks;
  const power = 10 ** Math.floor(Math.log10(least) + 1e-9);
  const step = [1, 2, 5, 10].find((factor) => factor * power >= least * (1 - 1e-9)) * power;
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  const places = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const at = Array.from({ length: last - first + 1 }, (_, number) => Number(((first + number) * step).toFixed(places + 1)));
  return { low: at[0], high: at[at.length - 1], ticks: at, label: (tick) => (tick + 0).toFixed(places).replace("-", "−") };
}

function ends(values) {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : [0, 1];
}

// A tip next to the pointer that names what it is on.
const tip = html("div", { class: "tip", hidden: true, "aria-hidden": "true" });

function showTip(event, at) {
  tip.replaceChildren(html("b", {}, seen(data.queries[at], 60)));
  if (data.texts && data.texts[at]) tip.append(html("span", {}, begun(data.texts[at], 160)));
  const line = hasPair()
    ? `${shown(chosen.base[at])} → ${shown(chosen.run[at])}  (${signed(chosen.moved[at])})`
    : shown(chosen.run[at]);
  tip.append(html("span", {}, line));
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  const left = Math.min(event.clientX + 14, window.innerWidth - box.width - 8);
  const top = event.clientY + 18 + box.height > window.innerHeight ? event.clientY - box.height - 12 : event.clientY + 18;
  tip.style.left = `${Math.max(left, 4)}px`;
  tip.style.top = `${top}px`;
}

const hideTip = () => (tip.hidden = true);

// Dragging marks a part; a click, which drags less than a few pixels, chooses what is nearest.
function brushed(drawing, { near, mark, done, clicked }) {
  let from = null;
  let dragged = false;
  const place = (event) => {
    const box = drawing.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  drawing.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    from = place(event);
    dragged = false;
    drawing.setPointerCapture(event.pointerId);
  });
  drawing.addEventListener("pointermove", (event) => {
    const to = place(event);
    if (!from) {
      const at = near(to);
      if (at < 0) hideTip();
      else showTip(event, at);
      drawing.classList.toggle("on", at >= 0);
      return;
    }
    dragged ||= Math.hypot(to[0] - from[0], to[1] - from[1]) > 4;
    if (dragged) {
      hideTip();
      mark(from, to);
    }
  });
  drawing.addEventListener("pointerup", (event) => {
    if (!from) return;
    const [start, to] = [from, place(event)];
    from = null;
    if (dragged) done(start, to);
    else clicked(near(to));
  });
  drawing.addEventListener("pointercancel", () => (from = null));
  drawing.addEventListener("pointerleave", hideTip);
}

const round = (value) => Math.round(value * 10) / 10;

// All points of one size as one line of dots: thousands of them then cost as little as one element.
// Points at the same place become one that is larger: its area grows with their number, up to a limit.
const SIZES = [1, 2, 4, 8, 16, 32];

function dots(holder, points, width) {
  const places = new Map();
  for (const [x, y] of points) {
    const place = `M${round(x)} ${round(y)}h0`;
    places.set(place, (places.get(place) ?? 0) + 1);
  }
  const bySize = SIZES.map(() => []);
  for (const [place, count] of places) bySize[Math.min(Math.floor(Math.log2(count)), SIZES.length - 1)].push(place);
  holder.replaceChildren(...bySize.map((lines, at) => svg("path", { d: lines.join(""), "stroke-width": round(width * Math.sqrt(SIZES[at])) })));
  holder.setAttribute("data-queries", points.length);
}
