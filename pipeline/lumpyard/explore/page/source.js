import { readBlock, readJson } from "./blocks.js";
import { sizeText } from "./words.js";

// The bytes of lumps: out of the page, or from the server that sent it.

const KEPT = 48; // chunks that stay unpacked
const PIECE = 4 * 1024 * 1024; // bytes that the server sends at most at once

class EmbeddedSource {
  #chunks = new Map(); // number -> promise of bytes; the last used last

  constructor(rows) {
    this.rows = rows;
  }

  // Why the bytes of a row cannot be had; empty where they can.
  missing(row) {
    const { unread, raw, place } = this.rows;
    if (unread.has(row)) return `This lump cannot be decoded: ${unread.get(row)}`;
    if (raw[row] === 0 || place[row] >= 0) return "";
    return `The ${sizeText(raw[row])} of this lump are not in this page. Make it with a larger --embed, or use lumpyard explore --serve.`;
  }

  async bytes(row, from, size) {
    const chunk = this.rows.facts.chunk;
    const start = this.rows.place[row] + from;
    const all = new Uint8Array(size);
    for (let at = 0; at < size; ) {
      const number = Math.floor((start + at) / chunk);
      const bytes = await this.#chunk(number);
      const inside = start + at - number * chunk;
      const piece = bytes.subarray(inside, inside + size - at);
      all.set(piece, at);
      at += piece.length;
    }
    return all;
  }

  #chunk(number) {
    const found = this.#chunks.get(number) ?? readBlock(`bytes${number}`);
    this.#chunks.delete(number);
    this.#chunks.set(number, found);
    if (this.#chunks.size > KEPT) this.#chunks.delete(this.#chunks.keys().next().value);
    return found;
  }

  async drawing(map) {
    const { drawing } = this.rows.maps[map];
    return drawing === null ? null : readJson(`map${drawing}`);
  }
}

class ServedSource {
  constructor(rows) {
    this.rows = rows;
  }

  missing() {
    return "";
  }

  async bytes(row, from, size) {
    const all = new Uint8Array(size);
    for (let at = 0; at < size; at += PIECE) {
      const wanted = Math.min(PIECE, size - at);
      const answer = await ask(`lump/${row}?from=${from + at}&size=${wanted}`);
      all.set(new Uint8Array(await answer.arrayBuffer()), at);
    }
    return all;
  }

  async drawing(map) {
    return (await ask(`map/${map}`)).text();
  }
}

async function ask(path) {
  let answer;
  try {
    answer = await fetch(path);
  } catch {
    throw new Error("The server does not answer. Is lumpyard explore --serve still running?");
  }
  if (answer.status === 410) throw new Error(await answer.text());
  if (!answer.ok) throw new Error(`This lump cannot be decoded: ${await answer.text()}`);
  return answer;
}

export function sourceOf(rows) {
  return rows.facts.served ? new ServedSource(rows) : new EmbeddedSource(rows);
}
