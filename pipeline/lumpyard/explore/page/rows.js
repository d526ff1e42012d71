import { readJson } from "./blocks.js";
import { breathe } from "./slices.js";
import { shortNames } from "./words.js";

// The directories of all archives as columns, and the folders that their paths make.

const DEEPEST = 32; // parts of a path that make folders; no path may cost more than that

export class Rows {
  constructor(facts) {
    const length = facts.rows;
    this.facts = facts;
    this.length = length;
    this.paths = new Array(length);
    this.lower = new Array(length);
    for (const name of ["offset", "stored", "raw", "place"]) this[name] = new Float64Array(length);
    for (const name of ["rank", "type", "codec", "folder", "archive"]) this[name] = new Uint32Array(length);
    this.kind = new Uint8Array(length);
    this.labels = shortNames(facts.archives.map(({ path }) => path)); // of the archives
    this.typeRank = ranks(facts.types);
    this.folders = []; // { name, path, parent, depth, archive }
    this.blocks = [];
    this.parts = new Map(); // row -> what it is to which map
    this.unread = new Map(); // row -> why it cannot be decoded
    this.maps = [];
  }

  async load(progress) {
    const known = this.facts.archives.map(() => new Map());
    const several = this.facts.archives.length > 1;
    if (several) this.folders.push({ name: "", path: "", parent: -1, depth: 0, archive: -1 });
    this.facts.archives.forEach((archive, number) => {
      known[number].set("", this.folders.length);
      this.folders.push({ name: this.labels[number], path: "", parent: several ? 0 : -1, depth: several ? 1 : 0, archive: number });
    });
    let row = 0;
    for (let block = 0; block < this.facts.columns; block += 1) {
      const columns = await readJson(`columns${block}`);
      this.blocks.push({ first: row, columns });
      row = this.#take(row, columns, known);
      progress(row / this.length);
      await breathe();
    }
    const { maps, parts, unread } = await readJson("parts");
    this.maps = maps;
    for (const [at, map, text] of parts) this.parts.set(at, { map, text });
    for (const [at, message] of unread) this.unread.set(at, message);
  }

  #take(first, columns, known) {
    const { archives } = this.facts;
    columns.path.forEach((path, at) => {
      const row = first + at;
      let archive = row ? this.archive[row - 1] : 0;
      while (row >= archives[archive].first + archives[archive].lumps) archive += 1;
      this.archive[row] = archive;
      this.paths[row] = path;
      this.lower[row] = path.toLowerCase();
      for (const name of ["offset", "stored", "raw", "place", "rank", "type", "codec", "kind"]) {
        this[name][row] = columns[name][at];
      }
      this.folder[row] = this.#folderOf(path.slice(0, Math.max(0, path.lastIndexOf("/"))), archive, known[archive]);
    });
    return first + columns.path.length;
  }

  #folderOf(path, archive, known) {
    const found = known.get(path);
    if (found !== undefined) return found;
    const parts = path.split("/").slice(0, DEEPEST);
    let folder = known.get("");
    let name = "";
    for (const part of parts) {
      name = name ? `${name}/${part}` : part;
      let next = known.get(name);
      if (next === undefined) {
        next = this.folders.length;
        this.folders.push({ name: part, path: name, parent: folder, depth: this.folders[folder].depth + 1, archive });
        known.set(name, next);
      }
      folder = next;
    }
    known.set(path, folder);
    return folder;
  }

  // What only some formats have: `name`, `key`, `hash`, `schema`, `flags`, `kindbyte`; null where it is not there.
  more(row, name) {
    const block = this.blocks.findLast((one) => one.first <= row);
    return block.columns[name]?.[row - block.first] ?? null;
  }

  // The row of a path in one archive, or -1; quick enough for the few that are asked for.
  find(path, archive) {
    const { first, lumps } = this.facts.archives[archive];
    const at = this.paths.indexOf(path, first);
    return at >= 0 && at < first + lumps ? at : -1;
  }

  kindName(row) {
    return this.facts.kinds[this.kind[row]];
  }
}

// The place of each text among all, sorted.
function ranks(texts) {
  const order = texts.map((_, at) => at).sort((a, b) => (texts[a] < texts[b] ? -1 : texts[a] > texts[b] ? 1 : 0));
  const places = new Uint32Array(texts.length);
  order.forEach((at, rank) => (places[at] = rank));
  return places;
}
