import { Details } from "./details.js";
import { fill, find, make, rove } from "./dom.js";
import { overview } from "./overview.js";
import { sortedBy } from "./order.js";
import { filtered, searchOf } from "./query.js";
import { Rows } from "./rows.js";
import { Turns } from "./slices.js";
import { sourceOf } from "./source.js";
import { sortKeys, Table } from "./table.js";
import { Theme } from "./theme.js";
import { Treemap } from "./treemap.js";
import { countText, escapeText, parseSize, sizeText } from "./words.js";

// The page: loads its rows, then has table, treemap and details follow what the person asks for.

class Page {
  #turns = new Turns();
  #orders = new Map(); // what rows are sorted by -> all of them in that order

  constructor(rows, theme) {
    this.rows = rows;
    this.state = { kind: -1, type: -1, folder: -1, sort: "offset", descending: false, row: -1, view: "table" };
    this.details = new Details(find("#lump"), rows, sourceOf(rows), theme, () => this.closeLump());
    this.table = new Table(find("#table"), rows, {
      open: (row) => this.open(row),
      choose: (row) => this.choose(row),
      sort: (id) => this.sortBy(id),
    });
    this.treemap = new Treemap(find("#treemap"), rows, theme, { open: (row) => this.open(row), zoom: (folder) => this.setFolder(folder) });
    this.#filters();
    this.#tabs();
    document.addEventListener("keydown", (event) => this.#key(event));
    fill(find("#lump"), overview(rows, (kind) => this.setKind(kind)));
  }

  #filters() {
    const { rows } = this;
    const kinds = new Set(rows.kind);
    const select = find("#kind");
    select.append(make("option", { value: "" }, "All kinds"));
    const kindGroup = make("optgroup", { label: "Kinds" });
    rows.facts.kinds.forEach((name, kind) => kinds.has(kind) && kindGroup.append(make("option", { value: `kind ${kind}` }, name)));
    select.append(kindGroup);
    const typeGroup = make("optgroup", { label: "Types" });
    const types = rows.facts.types.map((name, type) => ({ name, type })).filter(({ name }) => name);
    types.sort((a, b) => rows.typeRank[a.type] - rows.typeRank[b.type]);
    for (const { name, type } of types.slice(0, 500)) typeGroup.append(make("option", { value: `type ${type}` }, escapeText(name)));
    if (types.length) select.append(typeGroup);
    select.onchange = () => {
      const [what, number] = select.value.split(" ");
      this.state.kind = what === "kind" ? Number(number) : -1;
      this.state.type = what === "type" ? Number(number) : -1;
      this.update();
    };
    const folders = find("#folder");
    const several = rows.facts.archives.length > 1;
    const label = ({ archive, path, name }) => (path && several ? `${rows.labels[archive]}: ${path}` : path || name);
    const named = upperFolders(rows.folders).map((at) => ({ at, text: escapeText(label(rows.folders[at])) }));
    named.sort((a, b) => (a.text < b.text ? -1 : 1));
    folders.append(make("option", { value: "-1" }, "All folders"));
    for (const { at, text } of named) folders.append(make("option", { value: String(at) }, text.slice(0, 120)));
    folders.hidden = !named.length;
    folders.onchange = () => this.setFolder(Number(folders.value));
    for (const id of ["#search", "#least", "#most"]) find(id).addEventListener("input", () => this.update());
    find("#search").addEventListener("keydown", (event) => {
      if (event.key !== "ArrowDown" && event.key !== "Enter") return;
      event.preventDefault();
      this.focusView();
      if (this.state.view === "table" && this.table.at < 0 && this.table.shown.length) this.choose(this.table.shown[0], true);
    });
    find("#clear").onclick = () => this.clear();
    find("#more").onclick = () => {
      const open = find("#filters").classList.toggle("open");
      find("#more").setAttribute("aria-expanded", String(open));
    };
  }

  #tabs() {
    const tabs = find("#views");
    rove(tabs, (tab) => tab.click());
    for (const name of ["table", "treemap"]) find(`#view-${name}`).onclick = () => this.setView(name);
  }

  setView(name) {
    this.state.view = name;
    for (const one of ["table", "treemap"]) {
      find(`#view-${one}`).setAttribute("aria-selected", String(one === name));
      find(`#view-${one}`).tabIndex = one === name ? 0 : -1;
      find(`#${one}`).hidden = one !== name;
    }
    this.update();
  }

  setKind(kind) {
    find("#kind").value = `kind ${kind}`;
    Object.assign(this.state, { kind, type: -1 });
    this.update();
  }

  setFolder(folder) {
    const isTop = folder < 0 || (this.rows.folders[folder].parent < 0);
    this.state.folder = isTop ? -1 : folder;
    find("#folder").value = String(this.state.folder);
    this.update();
  }

  clear() {
    for (const id of ["#search", "#least", "#most", "#kind"]) find(id).value = "";
    Object.assign(this.state, { kind: -1, type: -1 });
    this.setFolder(-1);
  }

  sortBy(id) {
    const { state } = this;
    const falls = ["raw", "stored", "saved"].includes(id);
    state.descending = state.sort === id ? !state.descending : falls;
    state.sort = id;
    this.update();
  }

  async #order(id, isStale) {
    if (!this.#orders.has(id)) {
      const order = await sortedBy(sortKeys(this.rows, id), isStale);
      if (!order) return null;
      this.#orders.set(id, order);
    }
    return this.#orders.get(id);
  }

  async update() {
    const isStale = this.#turns.begin();
    const { state, rows } = this;
    const { test, problem } = searchOf(find("#search").value, rows);
    const least = parseSize(find("#least").value);
    const most = parseSize(find("#most").value);
    for (const [id, value] of [["#least", least], ["#most", most]]) find(id).setAttribute("aria-invalid", String(Number.isNaN(value)));
    const query = { ...state, test, min: least || 0, max: most === null || Number.isNaN(most) ? Infinity : most };
    document.body.classList.add("busy");
    const isMap = state.view === "treemap";
    const order = await this.#order(isMap ? "stored" : state.sort, isStale);
    if (!order || isStale()) return;
    const found = await filtered(rows, order, query, isStale);
    if (!found || isStale()) return;
    const shown = isMap || state.descending ? found.rows.slice().reverse() : found.rows;
    if (isMap) await this.treemap.setRows(shown, state.folder);
    else {
      this.table.setSort(state.sort, state.descending);
      this.table.setRows(shown, state.row);
    }
    if (isStale()) return;
    document.body.classList.remove("busy");
    document.body.dataset.done = String(Number(document.body.dataset.done ?? 0) + 1);
    this.#say(found, problem);
    const narrowed = found.rows.length < rows.length || problem || find("#search").value;
    find("#clear").hidden = !narrowed;
    find("#nothing").hidden = found.rows.length > 0;
  }

  #say({ rows: shown, stored, raw }, problem) {
    const all = countText(this.rows.length, "lump");
    const number = shown.length === this.rows.length ? all : `${countText(shown.length, "lump").replace(/ lumps?$/, "")} of ${all}`;
    const sizes = raw === stored ? sizeText(stored) : `${sizeText(stored)} stored, ${sizeText(raw)} raw`;
    find("#status").textContent = `${number} · ${sizes}${problem ? ` · ${problem}` : ""}`;
    find("#search").setAttribute("aria-invalid", String(Boolean(problem)));
  }

  // A row that the person went to; on a wide page its details follow.
  choose(row, alsoTable = false) {
    this.state.row = row;
    this.treemap.setChosen(row);
    if (alsoTable) this.table.setChosen(row);
    if (!isNarrow()) {
      clearTimeout(this.later);
      this.later = setTimeout(() => this.details.show(row), 60);
    }
  }

  open(row) {
    this.choose(row);
    clearTimeout(this.later);
    this.details.show(row);
    document.body.classList.add("lump-open");
    find("#clear-lump").hidden = false;
    if (isNarrow()) find(".back")?.focus();
  }

  closeLump() {
    document.body.classList.remove("lump-open");
    this.focusView();
  }

  focusView() {
    if (this.state.view === "table") this.table.grid.focus();
    else this.treemap.canvas.focus();
  }

  showOverview() {
    this.state.row = -1;
    this.details.row = -1;
    this.table.setChosen(-1);
    this.treemap.setChosen(-1);
    find("#clear-lump").hidden = true;
    fill(find("#lump"), overview(this.rows, (kind) => this.setKind(kind)));
    document.body.classList.toggle("lump-open", isNarrow());
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const inField = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key === "Escape") this.#escape(inField);
    else if (inField) return;
    else if (event.key === "/") {
      find("#search").focus();
      find("#search").select();
    } else if (event.key === "t") this.setView("table");
    else if (event.key === "m") this.setView("treemap");
    else return;
    event.preventDefault();
  }

  // One step back: out of the lump, out of the search, out of the filters.
  #escape(inField) {
    if (document.body.classList.contains("lump-open") && isNarrow()) this.closeLump();
    else if (inField && find("#search").value && document.activeElement === find("#search")) {
      find("#search").value = "";
      this.update();
    } else if (inField || find("#lump").contains(document.activeElement)) this.focusView();
    else if (!find("#clear").hidden) this.clear();
    else if (this.state.row >= 0) this.showOverview();
  }
}

const MOST_FOLDERS = 800; // that can be chosen from; the treemap leads to all others

// The folders of as many levels as there is room for, but for the one that holds all.
function upperFolders(folders) {
  const levels = [];
  for (let at = 0; at < folders.length; at += 1) {
    if (folders[at].parent >= 0) (levels[folders[at].depth] ??= []).push(at);
  }
  const chosen = [];
  for (const level of levels) {
    if (level && chosen.length + level.length > MOST_FOLDERS) break;
    if (level) chosen.push(...level);
  }
  return chosen;
}

function isNarrow() {
  return matchMedia("(max-width: 820px)").matches;
}

async function start() {
  const theme = new Theme(find("#theme"));
  const facts = JSON.parse(find("#facts").textContent);
  const rows = new Rows(facts);
  const bar = find("#loading progress");
  await rows.load((part) => (bar.value = part));
  find("#loading").remove();
  find("#app").hidden = false;
  const page = new Page(rows, theme);
  find("#clear-lump").onclick = () => page.showOverview();
  await page.update();
  document.body.dataset.ready = "true";
}

start().catch((error) => {
  document.querySelector("#loading")?.replaceChildren(`This page cannot be shown: ${error.message}`);
  throw error;
});
