// Numbers as a person reads them, and what can be taken along.

// Four decimals, and of what lies just between two the even one, as Python rounds: only odd 32ths lie there.
function decimals(value) {
  if (Number.isInteger(value) && data.measures[state.measure].whole) return String(value);
  const size = Math.abs(value);
  if (size < 1e11 && (size * 32) % 2 === 1) {
    const below = Math.floor(size * 10000);
    const rounded = below % 2 ? below + 1 : below;
    return (value < 0 ? "-" : "") + (rounded / 10000).toFixed(4);
  }
  // Of a number that rounds to zero the sign says nothing.
  return (size < 5e-5 ? 0 : value).toFixed(4);
}

const shown = (value) => (Number.isNaN(value) ? "–" : decimals(value).replace("-", "−"));

function signed(value) {
  if (Number.isNaN(value)) return "–";
  const text = decimals(value);
  return Number(text) === 0 ? text : value > 0 ? `+${text}` : text.replace("-", "−");
}

// What a spreadsheet would take for a formula begins with a quote; numbers are left as they are.
function cell(value) {
  const text = typeof value === "number" ? (Number.isNaN(value) ? "" : String(value)) : guarded(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const guarded = (text) => (/^[=+\-@\t\r]/.test(text) && !/^[+-]?\d+(\.\d+)?$/.test(text) ? `'${text}` : text);

const csv = (rows) => rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const holder = html("textarea", { class: "aside" });
    holder.value = text;
    document.body.append(holder);
    holder.select();
    document.execCommand("copy");
    holder.remove();
  }
  say(`${what} copied`);
}
