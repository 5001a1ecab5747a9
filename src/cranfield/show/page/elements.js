// Text as a person reads it, and elements made of it. Nothing from the data is ever read as markup.

const HIDDEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]/gu;

function visible(text) {
  return text.replace(HIDDEN, (sign) => {
    const code = sign.codePointAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? "\u2421" : `\u27e8U+${code.toString(16).toUpperCase().padStart(4, "0")}\u27e9`;
  });
}

function shortened(text, most = 120) {
  const signs = [...text];
  if (signs.length <= most) return text;
  const end = Math.floor((most - 1) / 2);
  return `${signs.slice(0, most - 1 - end).join("")}…${signs.slice(signs.length - end).join("")}`;
}

const seen = (text, most) => shortened(visible(text), most);

// Of a longer text its beginning, as of a sentence.
function begun(text, most) {
  const signs = [...visible(text)];
  return signs.length <= most ? signs.join("") : `${signs.slice(0, most - 1).join("").trimEnd()}…`;
}

// A sentence: names that are written from right to left do not turn what stands around them.
const RIGHT_TO_LEFT = /([\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+(?: +[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+)*)/u;
const prose = (text) => visible(text).split(RIGHT_TO_LEFT).map((part, at) => (at % 2 ? html("bdi", {}, part) : part));

const counted = (count, one, several = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : several}`;

const SVG = "http://www.w3.org/2000/svg";

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const html = (tag, attributes = {}, ...children) => filled(document.createElement(tag), attributes, children);
const svg = (tag, attributes = {}, ...children) => filled(document.createElementNS(SVG, tag), attributes, children);
const bdi = (text, most) => html("bdi", {}, seen(text, most));
const byId = (id) => document.getElementById(id);

function say(text) {
  byId("status").textContent = text;
}

function download(name, text, type = "text/csv;charset=utf-8") {
  const address = URL.createObjectURL(new Blob([text], { type }));
  html("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
  say(`${name} downloaded`);
}
