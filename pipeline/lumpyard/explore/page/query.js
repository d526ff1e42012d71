import { isGlob, parseGlob } from "./glob.js";
import { Slice } from "./slices.js";

// Which rows are shown: those that every filter lets pass.

// What the search field means: a test on a row, and what is wrong with a glob.
export function searchOf(text, rows) {
  if (!text) return { test: null, problem: "" };
  if (isGlob(text)) {
    try {
      const matches = parseGlob(text);
      return { test: (row) => matches(rows.paths[row]), problem: "" };
    } catch (error) {
      return { test: containing(text, rows), problem: `As a pattern: ${error.message}. Searched as plain text.` };
    }
  }
  return { test: containing(text, rows), problem: "" };
}

function containing(text, rows) {
  const wanted = text.toLowerCase();
  return (row) => rows.lower[row].includes(wanted);
}

// The rows of `order` that pass, and what they come to; null where another query has begun.
export async function filtered(rows, order, query, isStale) {
  const shown = new Uint32Array(order.length);
  const below = query.folder >= 0 ? foldersBelow(rows.folders, query.folder) : null;
  const slice = new Slice();
  let length = 0;
  let stored = 0;
  let raw = 0;
  for (let at = 0; at < order.length; at += 1) {
    const row = order[at];
    if (
      (query.kind < 0 || rows.kind[row] === query.kind) &&
      (query.type < 0 || rows.type[row] === query.type) &&
      (!below || below[rows.folder[row]]) &&
      rows.raw[row] >= query.min &&
      rows.raw[row] <= query.max &&
      (!query.test || query.test(row))
    ) {
      shown[length] = row;
      length += 1;
      stored += rows.stored[row];
      raw += rows.raw[row];
    }
    if ((at & 1023) === 0 && slice.isOver) {
      await slice.rest();
      if (isStale()) return null;
    }
  }
  return { rows: shown.subarray(0, length), stored, raw };
}

function foldersBelow(folders, top) {
  const below = new Uint8Array(folders.length);
  below[top] = 1; // a folder stands behind the one that it is in
  for (let at = 0; at < folders.length; at += 1) if (folders[at].parent >= 0 && below[folders[at].parent]) below[at] = 1;
  return below;
}
