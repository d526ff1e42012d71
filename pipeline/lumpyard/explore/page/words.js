// Names and numbers as people read them, by the rules of the command line.

// Controls, direction marks, line ends and bytes that are not UTF-8 (surrogates that stand alone).
const UNSAFE =
  /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029\u200b\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const ANY_UNSAFE = new RegExp(UNSAFE.source);

function escapeCharacter(character) {
  let code = character.charCodeAt(0);
  if (code >= 0xdc80 && code <= 0xdcff) code -= 0xdc00;
  else if (code >= 0x80) return `\\u{${code.toString(16)}}`;
  return `\\x${code.toString(16).padStart(2, "0")}`;
}

// A text that shows all that is in it, on one line.
export function escapeText(text) {
  return ANY_UNSAFE.test(text) ? text.replace(UNSAFE, escapeCharacter) : text;
}

// The same as nodes, the escapes set apart.
export function textNodes(text) {
  if (!ANY_UNSAFE.test(text)) return [text];
  const nodes = [];
  let at = 0;
  for (const match of text.matchAll(UNSAFE)) {
    if (match.index > at) nodes.push(text.slice(at, match.index));
    const mark = document.createElement("span");
    mark.className = "escape";
    mark.textContent = escapeCharacter(match[0]);
    nodes.push(mark);
    at = match.index + match[0].length;
  }
  if (at < text.length) nodes.push(text.slice(at));
  return nodes;
}

const UNITS = ["kB", "MB", "GB", "TB", "PB"];

// `999 B`, `1.50 kB`, `24.0 MB`: three figures, units of 1,000.
export function sizeText(size) {
  if (size < 1000) return `${size} B`;
  for (let power = 1; power <= UNITS.length; power += 1) {
    const scaled = size / 1000 ** power;
    for (const digits of [2, 1, 0]) {
      const text = scaled.toFixed(digits);
      if (text.replace(".", "").length <= 3) return `${text} ${UNITS[power - 1]}`;
    }
  }
  return `${numberText(size)} B`;
}

export function numberText(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

export function countText(number, what) {
  return `${numberText(number)} ${what}${number === 1 ? "" : "s"}`;
}

// How much compression saved; empty where there was none. Little is not shown as nothing, nor much as all.
export function savedText(stored, raw) {
  if (raw <= stored || !raw) return "";
  const percent = Math.round((100 * (raw - stored)) / raw);
  if (percent === 100 && stored) return ">99%";
  return percent ? `${percent}%` : "<1%";
}

// What is to be said where not all maps are drawn.
export function undrawn(rows) {
  const { drawn } = rows.facts;
  const all = countText(rows.maps.length, "map");
  const said = `${drawn ? numberText(drawn) : "None"} of ${all} ${drawn === 1 ? "is" : "are"} drawn in this page.`;
  return withOptions(`${said} --maps all and a larger --embed draw more, and lumpyard explore --serve draws each that is looked at.`);
}

const OPTION = /((?:lumpyard explore )?--[a-z]+(?: all)?)/;

// A text of our own as nodes, with options of the command line as code.
export function withOptions(text) {
  return text.split(OPTION).map((part, at) => {
    if (at % 2 === 0) return part;
    const code = document.createElement("code");
    code.textContent = part;
    return code;
  });
}

const SIZE = /^([0-9]+(?:\.[0-9]+)?)\s*(?:([kmgt])(i?))?b?$/i;

// Bytes that `6G`, `500 kB` or `4096` stand for; null for nothing, NaN for what is no size.
export function parseSize(text) {
  if (!text.trim()) return null;
  const match = SIZE.exec(text.trim());
  if (!match) return NaN;
  const power = match[2] ? "kmgt".indexOf(match[2].toLowerCase()) + 1 : 0;
  return Number(match[1]) * (match[3] ? 1024 : 1000) ** power;
}

// For each path its last part, with as many of those before as make it unlike all others.
export function shortNames(paths) {
  const parts = paths.map((path) => path.split(/[/\\]/));
  const last = (at, number) => parts[at].slice(-number).join("/");
  return paths.map((_, at) => {
    for (let number = 1; number < parts[at].length; number += 1) {
      const name = last(at, number);
      if (!paths.some((__, other) => other !== at && last(other, number) === name)) return name;
    }
    return paths[at];
  });
}

export function fileName(path) {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}
