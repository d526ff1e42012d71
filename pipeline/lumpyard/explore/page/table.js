import { fill, make } from "./dom.js";
import { VirtualList } from "./list.js";
import { escapeText, numberText, savedText, sizeText, textNodes } from "./words.js";

// The table of lumps: a grid whose rows are there only while they are seen.

const COLUMNS = [
  { id: "name", title: "Name" },
  { id: "type", title: "Type" },
  { id: "raw", title: "Raw", right: true },
  { id: "stored", title: "Stored", right: true },
  { id: "saved", title: "Saved", right: true },
  { id: "offset", title: "Offset", right: true },
];

// What the rows are sorted by.
export function sortKeys(rows, id) {
  const { raw, stored } = rows;
  if (id === "name") return rows.rank;
  if (id === "offset") return rows.length && rows.facts.archives.length > 1 ? placeKeys(rows) : rows.offset;
  if (id === "type") return Float64Array.from(rows.type, (type, row) => rows.typeRank[type] * 16 + rows.kind[row]);
  if (id === "saved") return Float64Array.from(raw, (size, row) => (size ? Math.max(0, 1 - stored[row] / size) : 0));
  return rows[id];
}

function placeKeys(rows) {
  const most = Math.max(1, ...rows.facts.archives.map(({ size }) => size));
  return Float64Array.from(rows.offset, (offset, row) => rows.archive[row] * most + offset);
}

export class Table {
  constructor(element, rows, { open, choose, sort }) {
    Object.assign(this, { element, rows, open, choose });
    this.shown = new Uint32Array(0);
    this.at = -1; // in `shown`
    this.from = -1; // where keys go on from while nothing is chosen
    this.headers = new Map();
    const head = make("div", { class: "row head", role: "row", "aria-rowindex": 1 });
    COLUMNS.forEach(({ id, title, right }, number) => {
      const button = make("button", { type: "button", tabindex: -1, onclick: () => sort(id) }, title, make("span", { class: "arrow", "aria-hidden": "true" }));
      const cell = make("div", { class: `cell ${id}${right ? " right" : ""}`, role: "columnheader", "aria-colindex": number + 1, "aria-sort": "none" }, button);
      this.headers.set(id, cell);
      head.append(cell);
    });
    this.body = make("div", { class: "scroller rows", role: "rowgroup" });
    this.grid = make("div", { class: "grid", role: "grid", tabindex: 0, "aria-label": "Lumps", "aria-colcount": COLUMNS.length }, head, this.body);
    fill(element, this.grid);
    this.list = new VirtualList(this.body, { rowHeight: 30, create: () => this.#create(), draw: (at, row) => this.#draw(at, row) });
    const narrow = matchMedia("(max-width: 820px)");
    const measure = () => {
      this.list.rowHeight = narrow.matches ? 42 : 30; // fingers need more
      this.list.setLength(this.list.length, { keep: true });
    };
    narrow.addEventListener("change", measure);
    measure();
    this.grid.addEventListener("keydown", (event) => this.#key(event));
  }

  setSort(id, descending) {
    for (const [other, cell] of this.headers) {
      const own = other === id;
      cell.setAttribute("aria-sort", own ? (descending ? "descending" : "ascending") : "none");
      cell.querySelector(".arrow").textContent = own ? (descending ? "▾" : "▴") : "";
    }
  }

  setRows(shown, chosen) {
    this.shown = shown;
    this.from = -1;
    this.at = chosen < 0 ? -1 : shown.indexOf(chosen);
    this.grid.setAttribute("aria-rowcount", String(shown.length + 1));
    this.#point();
    this.list.setLength(shown.length);
    if (this.at >= 0) this.list.show(this.at, { inMiddle: true });
  }

  setChosen(row) {
    if (this.at >= 0) this.from = this.at;
    this.at = this.shown.indexOf(row);
    this.#point();
    if (this.at >= 0) this.list.show(this.at);
    else this.list.refresh();
  }

  #point() {
    if (this.at >= 0) this.grid.setAttribute("aria-activedescendant", `row-${this.at}`);
    else this.grid.removeAttribute("aria-activedescendant");
  }

  #create() {
    const element = make("div", { class: "row", role: "row" });
    COLUMNS.forEach(({ id, right }, number) => {
      element.append(make("div", { class: `cell ${id}${right ? " right" : ""}`, role: "gridcell", "aria-colindex": number + 1 }));
    });
    element.addEventListener("click", () => {
      this.#move(element.at, true);
      this.open(this.shown[element.at]);
    });
    return element;
  }

  #draw(at, element) {
    const { rows } = this;
    const row = this.shown[at];
    const chosen = at === this.at;
    element.at = at;
    element.id = `row-${at}`;
    element.setAttribute("aria-rowindex", String(at + 2));
    element.setAttribute("aria-selected", String(chosen));
    element.classList.toggle("chosen", chosen);
    const [name, type, raw, stored, saved, offset] = element.children;
    const path = rows.paths[row];
    const cut = path.lastIndexOf("/") + 1;
    const kind = rows.kindName(row);
    const several = rows.facts.archives.length > 1;
    const place = (several ? `${rows.labels[rows.archive[row]]}: ` : "") + path.slice(0, cut);
    fill(
      name,
      make("span", { class: `dot kind-${kind}`, "aria-hidden": "true" }),
      make("span", { class: "folder" }, ...textNodes(place)),
      make("span", { class: "base" }, ...textNodes(path.slice(cut))),
    );
    name.title = escapeText(path);
    type.textContent = rows.facts.types[rows.type[row]] || kind;
    raw.textContent = sizeText(rows.raw[row]);
    stored.textContent = sizeText(rows.stored[row]);
    saved.textContent = savedText(rows.stored[row], rows.raw[row]);
    offset.textContent = numberText(rows.offset[row]);
  }

  #move(at, silent = false) {
    const next = Math.max(0, Math.min(this.shown.length - 1, at));
    if (!this.shown.length) return;
    this.at = next;
    this.#point();
    this.list.show(next);
    if (!silent) this.choose(this.shown[next]);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.shown.length) return;
    const { page } = this.list;
    const at = this.at >= 0 ? this.at : this.from;
    const steps = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: this.shown.length - 1 };
    if (event.key === "Enter" && this.at >= 0) this.open(this.shown[this.at]);
    else if (event.key in steps) this.#move(steps[event.key]);
    else return;
    event.preventDefault();
  }
}
