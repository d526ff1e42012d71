import { make, fill } from "./dom.js";
import { keys } from "./hex.js";
import { VirtualList } from "./list.js";
import { Slice } from "./slices.js";
import { countText, numberText, textNodes } from "./words.js";

// Text by lines; a line that is too long for one goes on in the next.

const LONGEST = 240; // characters

export async function textView(bytes, what, isStale) {
  const { text, coding } = decode(bytes);
  const lines = await linesOf(text, isStale);
  if (!lines) return null;
  const scroller = make("div", { class: "scroller text", tabindex: 0, role: "region", "aria-label": "The lump as text" });
  const list = new VirtualList(scroller, {
    rowHeight: 20,
    create: () => make("div", {}, make("span", { class: "at" }), make("span", { class: "line" })),
    draw: (row, element) => {
      const [at, line] = element.children;
      at.textContent = lines.numbers[row] ? numberText(lines.numbers[row]) : "";
      const start = lines.starts[row];
      const part = text.slice(start, lines.starts[row + 1]).replace(/\r?\n$/, "").replaceAll("\t", "    ");
      fill(line, ...textNodes(part));
    },
  });
  scroller.style.setProperty("--digits", Math.max(3, numberText(lines.last).length));
  list.setLength(lines.numbers.length);
  keys(scroller, list);
  const said = `${what === "text" ? "" : `${what} · `}${countText(lines.last, "line")} · ${coding}`;
  return make("div", { class: "column" }, make("div", { class: "bar" }, make("span", { class: "quiet" }, said)), scroller);
}

function decode(bytes) {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), coding: "UTF-8" };
  } catch {
    return { text: new TextDecoder("windows-1252").decode(bytes), coding: "not UTF-8, shown as Windows-1252" };
  }
}

// Where the rows start, one more than there are, and the number of the line that each begins, 0 where it goes on.
async function linesOf(text, isStale) {
  const starts = [0];
  const numbers = [];
  const slice = new Slice();
  let line = 1;
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf("\n", at);
    const end = found < 0 ? text.length : found + 1;
    for (let start = at; start < end; start += LONGEST) {
      let stop = Math.min(end, start + LONGEST);
      if (stop < end && end - stop <= 2) stop = end;
      numbers.push(start === at ? line : 0);
      starts.push(stop);
      if (stop === end) break;
    }
    line += 1;
    at = end;
    if ((line & 1023) === 0 && slice.isOver) {
      await slice.rest();
      if (isStale()) return null;
    }
  }
  if (!numbers.length) {
    numbers.push(1);
    starts.push(text.length);
  }
  return { starts, numbers, last: Math.max(1, line - 1) };
}
