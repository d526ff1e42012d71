// The one glob dialect of Lumpyard (docs/manifest.md, "Globs"): `*`, `?`, `[a-z]`, `[!a-z]`, and `**` for whole parts.

export function isGlob(text) {
  return /[*?[]/.test(text);
}

// A function that says whether a path matches; an Error with the reason where the glob means nothing.
export function parseGlob(text) {
  check(text);
  const parts = text.split("/").map((part) => (part === "**" ? null : parsePart(part)));
  return (path) => matchParts(parts, path.split("/"));
}

function check(text) {
  if (!text) throw new Error("it is empty");
  if (text.includes("\0")) throw new Error("it holds a NUL");
  if (text.startsWith("/") || /^[A-Za-z]:[/\\]/.test(text)) throw new Error("it is absolute");
  if (text.endsWith("/")) throw new Error("it ends in a slash");
  if (text.includes("//")) throw new Error("it has an empty part between two slashes");
  const parts = text.split("/");
  if (parts.includes("..")) throw new Error("it has `..` as a part");
  if (parts.includes(".")) throw new Error("it has `.` as a part");
  if (text.replace(/\[!?\]?[^\]/]*\]/g, "").includes("\\")) throw new Error("it has a backslash");
}

// One part as tokens: STAR, or a function on a character.
const STAR = null;

function parsePart(part) {
  const letters = [...part];
  const tokens = [];
  let at = 0;
  while (at < letters.length) {
    const letter = letters[at];
    at += 1;
    if (letter === "*") {
      if (tokens.length && tokens[tokens.length - 1] === STAR) throw new Error("`**` stands only for whole parts");
      tokens.push(STAR);
    } else if (letter === "?") {
      tokens.push(() => true);
    } else if (letter === "[") {
      const end = letters.indexOf("]", at + 1 + (letters[at] === "!" ? 1 : 0));
      if (end < 0) throw new Error("a `[` without its `]`");
      tokens.push(parseClass(letters.slice(at, end)));
      at = end + 1;
    } else {
      tokens.push((found) => found === letter);
    }
  }
  return { tokens, dot: letters[0] === "." };
}

function parseClass(inside) {
  const negated = inside[0] === "!";
  const letters = inside.slice(negated ? 1 : 0);
  if (letters[0] === "^") throw new Error("`[^` is not how to say any other character; that is `[!`");
  const ranges = [];
  for (let at = 0; at < letters.length; at += 1) {
    const low = letters[at].codePointAt(0);
    let high = low;
    if (letters[at + 1] === "-" && at + 2 < letters.length) {
      high = letters[at + 2].codePointAt(0);
      at += 2;
    }
    if (low > high) throw new Error("a range in `[...]` runs backwards");
    ranges.push([low, high]);
  }
  return (found) => {
    const code = found.codePointAt(0);
    return ranges.some(([low, high]) => low <= code && code <= high) !== negated;
  };
}

// Both levels match greedily and go back to the last star alone, which never takes exponential time.
function matchParts(parts, names) {
  let part = 0;
  let name = 0;
  let star = -1;
  let held = 0;
  while (name < names.length) {
    if (part < parts.length && parts[part] === null) {
      if (part === parts.length - 1) return names.slice(name).every(isShown);
      star = part;
      held = name;
      part += 1;
    } else if (part < parts.length && matchPart(parts[part], names[name])) {
      part += 1;
      name += 1;
    } else if (star >= 0 && isShown(names[held])) {
      held += 1;
      name = held;
      part = star + 1;
    } else {
      return false;
    }
  }
  return part === parts.length;
}

// What `*` and `**` may stand for.
function isShown(name) {
  return name !== "" && !name.startsWith(".");
}

function matchPart({ tokens, dot }, name) {
  if (name.startsWith(".") && !dot) return false;
  const letters = [...name];
  if (tokens.every((token) => token === STAR) && !letters.length) return false;
  let token = 0;
  let letter = 0;
  let star = -1;
  let held = 0;
  while (letter < letters.length) {
    if (token < tokens.length && tokens[token] === STAR) {
      star = token;
      held = letter;
      token += 1;
    } else if (token < tokens.length && tokens[token](letters[letter])) {
      token += 1;
      letter += 1;
    } else if (star >= 0) {
      held += 1;
      letter = held;
      token = star + 1;
    } else {
      return false;
    }
  }
  while (token < tokens.length && tokens[token] === STAR) token += 1;
  return token === tokens.length;
}
